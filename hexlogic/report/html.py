"""A report as HTML pages that need nothing but the folder they lie in: style, script and Vega are beside them."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from html import escape
from importlib.resources import files
from typing import TYPE_CHECKING

from hexlogic.report.charts import svg
from hexlogic.report.document import Entry, Figure, Table
from hexlogic.report.whole import Report

if TYPE_CHECKING:
    from jinja2 import Environment
    from markupsafe import Markup

__all__ = ["assets", "pages"]

_FOLDER = "templates"


def pages(report: Report, grid: str, records: Mapping[str, str]) -> dict[str, str]:
    """The pages by file name: one for each page of the report, and `grid.html` on the data of the grid.

    `records` are the files of records in the folder, by what to call them. The same bytes for the same report.
    """
    environment = _environment()
    shared = {"report": report, "records": records}
    template = environment.get_template("page.html.j2")
    found = {f"{page.name}.html": template.render(page=page, **shared) + "\n" for page in report.pages}
    data = grid.replace("<", "\\u003c")
    found["grid.html"] = environment.get_template("grid.html.j2").render(data=data, **shared) + "\n"
    return found


def assets() -> dict[str, str]:
    """Style and scripts by path; Vega comes with vl-convert."""
    from vl_convert import javascript_bundle

    folder = files("hexlogic.report") / _FOLDER
    own = ("page.css", "page.js", "grid.js")
    vega = javascript_bundle()  # type: ignore[call-arg]  # its stub has no default
    return {f"assets/{name}": (folder / name).read_text(encoding="utf-8") for name in own} | {
        "assets/vega.js": f"(() => {{\n{vega}\n}})();\n"
    }


def _environment() -> Environment:
    from jinja2 import DictLoader, Environment, StrictUndefined

    folder = files("hexlogic.report") / _FOLDER
    sources = {one.name: one.read_text(encoding="utf-8") for one in folder.iterdir() if one.name.endswith(".j2")}
    environment = Environment(
        loader=DictLoader(sources), undefined=StrictUndefined, autoescape=True, trim_blocks=True, lstrip_blocks=True
    )
    environment.filters |= {"prose": _prose, "sort_key": _sort_key, "spec": _spec, "board": _safe}
    environment.filters["picture"] = lambda figure: _safe(svg(figure))
    environment.tests["block"] = lambda block, kind: type(block).__name__ == kind
    environment.tests["tabled"] = lambda page: any(isinstance(block, Table) for block in page.blocks)
    return environment


def _safe(text: str) -> Markup:
    from markupsafe import Markup

    return Markup(text)


def _spec(figure: Figure) -> Markup:
    """The specification as JSON that cannot end its script element."""
    return _safe(json.dumps(figure.spec, separators=(",", ":")).replace("<", "\\u003c"))


def _prose(text: str) -> Markup:
    """Words between backticks as code, between asterisks as emphasis, `[word](page.html)` as a link; else escaped."""
    safe = escape(text, quote=False)
    safe = re.sub(r"`([^`]+)`", r"<code>\1</code>", safe)
    safe = re.sub(r"\[(\w+)\]\((\w+\.html)\)", r'<a href="\2">\1</a>', safe)
    return _safe(re.sub(r"(?<![\w*])\*([^*<>]+)\*(?![\w*])", r"<em>\1</em>", safe))


def _sort_key(entry: Entry) -> str:
    """What a column is sorted by: a number as it is, a text as it is, a missing value after all others."""
    if entry.value is None:
        return ""
    numeric = isinstance(entry.value, int | float) and not isinstance(entry.value, bool)
    return repr(entry.value) if numeric else entry.text
