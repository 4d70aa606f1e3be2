"""Templates of text, of pictures and of pages, beside the modules that fill them in."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from jinja2 import Template


def load_template(path: Path, filters: Mapping[str, Callable[..., object]] | None = None) -> Template:
    """The template in a file, with these filters; what is put into HTML (`.html`, `.html.j2`) is escaped. The filter
    `text` escapes what stands between the tags of other pictures and pages."""
    from jinja2 import Environment, FileSystemLoader, StrictUndefined

    is_page = ".html" in path.suffixes
    environment = Environment(
        loader=FileSystemLoader(path.parent),
        undefined=StrictUndefined,
        autoescape=is_page,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=not is_page,
    )
    environment.filters |= {"text": partial(escape, quote=False), **(filters or {})}
    return environment.get_template(path.name)
