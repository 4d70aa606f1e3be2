"""A report as one HTML page that needs nothing else: styles, script and figures are inside."""

from __future__ import annotations

import re
from html import escape
from importlib.resources import files
from typing import TYPE_CHECKING

from hexlogic.report.document import Block, Entry, Report
from hexlogic.report.figures import figure_css

if TYPE_CHECKING:
    from markupsafe import Markup

__all__ = ["page"]

_FOLDER = "templates"


def page(report: Report) -> str:
    """The page. The same bytes for the same report."""
    from jinja2 import DictLoader, Environment, StrictUndefined
    from markupsafe import Markup

    folder = files("hexlogic.report") / _FOLDER
    sources = {entry.name: entry.read_text(encoding="utf-8") for entry in folder.iterdir() if entry.is_file()}
    environment = Environment(
        loader=DictLoader(sources), undefined=StrictUndefined, autoescape=True, trim_blocks=True, lstrip_blocks=True
    )
    environment.filters["prose"] = _prose
    environment.filters["sort_key"] = _sort_key
    environment.filters["picture"] = Markup
    environment.tests["block"] = _is_block
    style = sources["page.css"] + figure_css()
    template = environment.get_template("page.html.j2")
    return template.render(report=report, style=Markup(style), script=Markup(sources["page.js"])) + "\n"


def _prose(text: str) -> Markup:
    """Words between backticks as code, between asterisks as emphasis; everything else escaped."""
    from markupsafe import Markup

    safe = escape(text, quote=False)
    safe = re.sub(r"`([^`]+)`", r"<code>\1</code>", safe)
    return Markup(re.sub(r"(?<![\w*])\*([^*<>]+)\*(?![\w*])", r"<em>\1</em>", safe))


def _sort_key(entry: Entry) -> str:
    """What a column is sorted by: a number as it is, a text as it is, a missing value after all others."""
    if entry.value is None:
        return ""
    numeric = isinstance(entry.value, int | float) and not isinstance(entry.value, bool)
    return repr(entry.value) if numeric else entry.text


def _is_block(block: Block, kind: str) -> bool:
    return type(block).__name__ == kind
