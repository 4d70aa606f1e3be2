"""From folders of records to a folder with the report: pages, Markdown, tables, pictures, and the records again.

The HTML pages need nothing but the folder they lie in: style, script and Vega are beside them.
"""

import csv
import gzip
import io
import json
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from html import escape
from pathlib import Path

from hexlogic.laboratory.records.agreement import disagreements
from hexlogic.laboratory.records.types import Line, encode_record
from hexlogic.laboratory.report.advice import advise
from hexlogic.laboratory.report.charts import svg
from hexlogic.laboratory.report.document import TEMPLATES, Drawing, Entry, Figure, Report, Table, Value, kind_of
from hexlogic.laboratory.report.entries import repeat, slug
from hexlogic.laboratory.report.evidence import evidence_page
from hexlogic.laboratory.report.formatting import game_title, listed
from hexlogic.laboratory.report.front import front_page
from hexlogic.laboratory.report.quality import wrong_answers
from hexlogic.laboratory.report.results import Results, questions, read_results
from hexlogic.laboratory.report.statistics import work_counter
from hexlogic.laboratory.report.topics.playouts import sheets
from hexlogic.laboratory.report.topics.rules import names
from hexlogic.process.extras import need
from hexlogic.process.files import indented, load_template, named
from hexlogic.process.line_file import lock_in

_MADE = ("*.html", "assets/*", "tables/*.csv", "figures/*.csv", "figures/*.svg", "records/*.jsonl.gz", "records/*.json")
"""What a report writes: of an earlier one only these are removed."""


@dataclass(frozen=True, slots=True)
class Written:
    """What was written where; `alarms` are wrong answers in the records, one sentence each."""

    folder: Path
    pages: int
    tables: int
    figures: int
    alarms: tuple[str, ...]


def build_report(folders: Sequence[Path], out: Path, *, mix: bool = False) -> Written:
    """Write the report on some folders of records to `out`. The same records give the same bytes.

    Raises SuiteError for records that cannot be used or must not be mixed, HexlogicError without the extra `report`,
    and, before the report is made, HexlogicError for an `out` that cannot be written.
    """
    need("report")
    results = read_results(folders, mix=mix)
    lock_in(out, ".lock", "a report").release()  # whether it can be written is known before the work
    report = make_report(results)
    files = report_files(report, results)
    if (out / "assets" / "page.css").is_file():  # an earlier report: what the new one does not have goes
        for path in (path for pattern in _MADE for path in out.glob(pattern)):
            if path.relative_to(out).as_posix() not in files:
                path.unlink()
    for name, content in files.items():
        path = out / name
        path.parent.mkdir(parents=True, exist_ok=True)
        with named(path):
            path.write_bytes(content)
    tables = sum(isinstance(block, Table) for block in report.blocks)
    figures = sum(isinstance(block, Figure) for block in report.blocks)
    return Written(out, len(report.pages) + 1, tables, figures, _alarms(results))


def make_report(results: Results) -> Report:
    """The report as pages of blocks; questions without records have no page."""
    games = [game_title(game) for game in sorted({run.game for suite in results.suites for run in suite.runs})]
    mixed = [
        f"Suite {suite.suite} mixes sessions with different {suite.mixed}: its ratios may compare what differs in more "
        "than the passes."
        for suite in results.suites
        if suite.mixed
    ]
    behind = [page for question in questions() for page in question.pages(results)]
    versions = {file.session.hexlogic for suite in results.suites for file in suite.files}
    versions |= {stored.hexlogic for stored in results.predictions.sets}
    versions |= {stored.hexlogic for stored in results.predictions.explained}
    measured = f"Measured by hexlogic {listed(sorted(versions))}" if versions else "Proved by hexlogic"
    # Predictions and proofs can stand alone: then the first page about them is the front page.
    if not results.suites:
        first, *others = behind
        pages = [replace(first, name="index"), *others]
    else:
        answers = advise(results)
        names = {page.name for page in behind}
        pages = [front_page(results, answers), *behind, *(evidence_page(advice, names) for advice in answers)]
    return Report(
        title=f"Who has won in {listed(games or ['Hex'])}?",
        alarms=(*_alarms(results), *mixed),
        footer=f"{measured}; every row and every mark names the command that repeats it.",
        pages=tuple(pages),
    )


def _alarms(results: Results) -> tuple[str, ...]:
    """Sentences on wrong answers in the records; mixed sessions, which somebody asked for, are no alarm."""
    wrong = [text for suite in results.suites for text in wrong_answers(suite)]
    far = [f"WRONG: {each}" for suite in results.suites for each in disagreements(suite.playings)]
    return (*wrong, *far)


def report_files(report: Report, results: Results) -> dict[str, bytes]:
    """Every file of the report by its path in the folder."""
    records = _records(results)
    shown = {path.removeprefix("records/").partition(".")[0]: path for path in records}
    texts = {"report.md": report.markdown(), **pages(report, results, shown), **assets()}
    for block in report.blocks:
        match block:
            case Table():
                rows = [tuple(entry.value for entry in row) for row in block.rows]
                texts[f"tables/{block.name}.csv"] = _csv([column.key for column in block.columns], rows)
            case Figure() if f"figures/{block.name}.svg" not in texts:
                texts[f"figures/{block.name}.svg"] = svg(block)
                texts[f"figures/{block.name}.csv"] = _csv(block.columns, block.rows)
            case Drawing():
                texts[f"figures/{block.name}.svg"] = block.svg
    return {name: text.encode() for name, text in texts.items()} | records


def _records(results: Results) -> dict[str, bytes]:
    """The records and the proofs themselves, so that the report can be made again from its folder."""
    files: dict[str, bytes] = {}
    for suite in results.suites:
        for place, file in enumerate(suite.every, start=1):
            name = slug(suite.suite) + (f"-{place}" if len(suite.every) > 1 else "")
            lines = results.sources.get(file.session.session)
            if lines is None:  # not from a file of lines, but of pytest-benchmark for example
                every: list[Line] = [file.session, *file.floors, *file.measurements, *file.resumed]
                every += [] if file.end is None else [file.end]
                lines = b"".join(encode_record(line) + b"\n" for line in every)
            # Without a moment in the header the same records are the same bytes.
            files[f"records/{name}.jsonl.gz"] = gzip.compress(lines, compresslevel=9, mtime=0)
    for matrix in results.proofs:
        name = f"proofs-{matrix.game}-{matrix.rows}x{matrix.columns}.json"
        files[f"records/{name}"] = indented(matrix)
    files |= {f"records/{search.file}": indented(search) for search in results.searches}
    files |= {f"records/{name}": content for name, content in sorted(results.predictions.sources.items())}
    return files


def _csv(head: Sequence[str], rows: Sequence[Sequence[Value]]) -> str:
    """Raw values; what is missing is empty, floats are printed so that they read back the same."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(head)
    writer.writerows(rows)
    return text.getvalue()


_GRID = ["suite", "reformulation", "passes", "engine", "board", "mode", "time_s", "low_s", "high_s", "work"]
_GRID += ["status", "runs", "repeat"]
"""The fields of the grid page."""


def pages(report: Report, results: Results, records: Mapping[str, str]) -> dict[str, str]:
    """The pages by file name: one for each page of the report, and `grid.html` with every configuration. `records` are
    the files of records in the folder, by what to call them. The same bytes for the same report."""
    link = _linking(names(report.blocks))
    filters: dict[str, Callable[..., object]] = {"kind": kind_of, "sort_key": _sort_key, "picture": svg}
    # JSON that cannot end its script element
    filters["script"] = lambda data: json.dumps(data, separators=(",", ":")).replace("<", "\\u003c")
    filters |= {"prose": lambda text: _prose(link(text)), "named": link}
    page, grid = (load_template(TEMPLATES / f"{name}.html.j2", filters) for name in ("page", "grid"))
    shared = {"report": report, "records": records}
    files = {f"{each.name}.html": page.render(page=each, **shared) for each in report.pages}
    files["grid.html"] = grid.render(data=grid_data(results), **shared)
    return {name: f"{text}\n" for name, text in files.items()}


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

    names = ("page.css", "page.js", "grid.js")
    texts = {f"assets/{name}": (TEMPLATES / name).read_text(encoding="utf-8") for name in names}
    vega = javascript_bundle()  # type: ignore[call-arg]  # its stub has no default
    return texts | {"assets/vega.js": f"(() => {{\n{vega}\n}})();\n"}


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
