"""A report as HTML pages that need nothing but the folder they lie in: style, script and Vega are beside them."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping, Sequence
from html import escape
from importlib.resources import files

from hexlogic.laboratory.report.charts import svg
from hexlogic.laboratory.report.document import Entry, Report, Table
from hexlogic.laboratory.report.entries import repeat, slug
from hexlogic.laboratory.report.results import Results
from hexlogic.laboratory.report.statistics import work_counter
from hexlogic.laboratory.report.topics.playouts import sheets
from hexlogic.laboratory.report.topics.rules import names

_PACKAGE = "hexlogic.laboratory.report"

_GRID = ["suite", "reformulation", "passes", "engine", "board", "mode", "time_s", "low_s", "high_s", "work"]
_GRID += ["status", "runs", "repeat"]
"""The fields of the grid page."""


def pages(report: Report, results: Results, records: Mapping[str, str]) -> dict[str, str]:
    """The pages by file name: one for each page of the report, and `grid.html` with every configuration.

    `records` are the files of records in the folder, by what to call them. The same bytes for the same report.
    """
    from jinja2 import Environment, PackageLoader, StrictUndefined

    environment = Environment(
        loader=PackageLoader(_PACKAGE), undefined=StrictUndefined, autoescape=True, trim_blocks=True, lstrip_blocks=True
    )
    link = _linking(names(report.blocks))
    environment.filters |= {"sort_key": _sort_key, "picture": svg, "script": _script}
    environment.filters |= {"prose": lambda text: _prose(link(text)), "named": link}
    environment.tests["block"] = lambda block, kind: type(block).__name__ == kind
    environment.tests["tabled"] = lambda page: any(isinstance(block, Table) for block in page.blocks)
    shared = {"report": report, "records": records}
    template = environment.get_template("page.html.j2")
    files = {f"{page.name}.html": template.render(page=page, **shared) + "\n" for page in report.pages}
    grid = environment.get_template("grid.html.j2")
    return files | {"grid.html": grid.render(data=grid_data(results), **shared) + "\n"}


def grid_data(results: Results) -> dict[str, object]:
    """The data of the grid page, for JSON: `fields` and a list of values for each configuration, seconds raw."""
    rows: list[list[object]] = []
    for config in results.configurations:
        name = [config.suite, config.rule_set, config.pipeline, config.engine, config.task.rpartition(" ")[2]]
        times = [config.time_s, *(config.quartiles_s or (None, None))]
        work = work_counter(config)
        status = "wrong" if config.category == "wrong" else config.status
        rows.append([*name, config.mode or "question", *times, work and work.value, status, config.counted])
        rows[-1].append(repeat(config))
    for stats in sheets(results):
        suite = "" if stats.session is None else stats.session.suite
        name = [suite, stats.sheet, "none", stats.reasoner, stats.place]
        mean_s = None if not stats.playouts_per_s else 1 / stats.playouts_per_s
        times = [mean_s, min(stats.playout_s, default=None), max(stats.playout_s, default=None)]
        rows.append([*name, "playout", *times, stats.rules, stats.status, stats.runs, stats.repeat])
    return {"fields": _GRID if rows else [], "rows": rows}


def assets() -> dict[str, str]:
    """Style and scripts by path; Vega comes with vl-convert."""
    from vl_convert import javascript_bundle

    folder = files(_PACKAGE) / "templates"
    names = ("page.css", "page.js", "grid.js")
    vega = javascript_bundle()  # type: ignore[call-arg]  # its stub has no default
    return {f"assets/{name}": (folder / name).read_text(encoding="utf-8") for name in names} | {
        "assets/vega.js": f"(() => {{\n{vega}\n}})();\n"
    }


def _script(data: object) -> str:
    """The data as JSON that cannot end its script element."""
    return json.dumps(data, separators=(",", ":")).replace("<", "\\u003c")


def _linking(names: Sequence[str]) -> Callable[[str], str]:
    """Escapes a text, and makes each of the names in it a link to its rules."""
    pattern = re.compile(rf"(?<![\w/.-])(?:{'|'.join(map(re.escape, names)) or '(?!)'})(?![\w-])")

    def link(match: re.Match[str]) -> str:
        return f'<a class="rules" href="rules.html#rules-{slug(match[0])}">{match[0]}</a>'

    return lambda text: pattern.sub(link, escape(text, quote=False))


def _prose(safe: str) -> str:
    """Of escaped text words between backticks as code, between asterisks as emphasis, `[word](page.html)` as a link."""
    safe = re.sub(r"`([^`]+)`", r"<code>\1</code>", safe)
    safe = re.sub(r"\[(\w+)\]\((\w+\.html)\)", r'<a href="\2">\1</a>', safe)
    return re.sub(r"(?<![\w*])\*([^*<>]+)\*(?![\w*])", r"<em>\1</em>", safe)


def _sort_key(entry: Entry) -> str:
    """What a column is sorted by: a number as it is, a text as it is, a missing value after all others."""
    if entry.value is None:
        return ""
    numeric = isinstance(entry.value, int | float) and not isinstance(entry.value, bool)
    return repr(entry.value) if numeric else entry.text
