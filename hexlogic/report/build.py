"""From folders of records to a folder with the report: Markdown, one HTML page, CSV files and SVG files."""

from __future__ import annotations

import csv
import io
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from pathlib import Path

from hexlogic.errors import HexlogicError
from hexlogic.files import write_text
from hexlogic.report.boards import game_title
from hexlogic.report.caveats import doubts, wrong_answers
from hexlogic.report.document import Figure, Report, Table, Value
from hexlogic.report.figures import stand_alone
from hexlogic.report.formatting import listed
from hexlogic.report.html import page
from hexlogic.report.markdown import markdown
from hexlogic.report.material import Material, read_material
from hexlogic.report.section import sections
from hexlogic.runs.agreement import disagreements

__all__ = ["Written", "build_report", "check_folder", "make_report"]

_TITLE = "Who has won? Reformulations of"
"""How the title begins; the games follow."""


@dataclass(frozen=True, slots=True)
class Written:
    """What was written where; `alarms` are wrong answers in the records, one sentence each."""

    folder: Path
    tables: int
    figures: int
    alarms: tuple[str, ...]


def build_report(folders: Sequence[Path], out: Path, *, mix: bool = False) -> Written:
    """Write the report on some folders of records to `out`. The same records give the same bytes.

    Raises SuiteError for records that cannot be used or must not be mixed and, before the report is made, HexlogicError
    for an `out` that cannot be written.
    """
    material = read_material(folders, mix=mix)
    check_folder(out)
    report = make_report(material)
    files = report_files(report)
    _remove_stale(out, files.keys())
    for name, text in files.items():
        path = out / name
        path.parent.mkdir(parents=True, exist_ok=True)
        write_text(path, text)
    tables = sum(isinstance(block, Table) for block in report.blocks)
    figures = sum(isinstance(block, Figure) for block in report.blocks)
    return Written(out, tables, figures, report.alarms)


def check_folder(out: Path) -> None:
    """Make the folder and try to write in it; raises HexlogicError when that fails."""
    probe = out / ".hexlogic"
    try:
        out.mkdir(parents=True, exist_ok=True)
        probe.touch()
        probe.unlink()
    except OSError as error:
        reason = "not a folder" if isinstance(error, FileExistsError) else (error.strerror or str(error)).lower()
        raise HexlogicError(
            f"cannot write a report to {out}: {reason}", hint="give another folder with --out"
        ) from None


def _remove_stale(out: Path, names: Collection[str]) -> None:
    """Remove tables and figures of an earlier report that the new one does not have; nothing else is touched."""
    earlier = out / "report.md"
    if not earlier.is_file() or not earlier.read_text(encoding="utf-8").startswith(f"# {_TITLE} "):
        return
    for pattern in ("tables/*.csv", "figures/*.csv", "figures/*.svg"):
        for path in out.glob(pattern):
            if path.relative_to(out).as_posix() not in names:
                path.unlink()


def make_report(material: Material) -> Report:
    """The report as blocks; sections with nothing to say are left out."""
    sessions = [file.session for suite in material.every for file in suite.files]
    hosts = sorted({f"{session.host}, {session.cpu_model or 'processor not known'}" for session in sessions})
    runs = sum(len(suite.runs) + len(suite.playings) for suite in material.every)
    games = [game_title(game) for game in sorted({run.game for suite in material.suites for run in suite.runs})]
    days = sorted({session.started[:10] for session in sessions})
    period = days[0] if len(days) == 1 else f"{days[0]} to {days[-1]}"
    suites = listed(list(dict.fromkeys(f"`{suite.suite}`" for suite in material.every)))
    subtitle = f"Suite{'s' if ' and ' in suites else ''} {suites}, {runs:,} runs, {period}, on {listed(hosts)}."
    chosen = [section for section in sections() if material.suites or section.always]
    mixed = [
        f"Suite {suite.suite} mixes sessions with different {suite.mixed}: its ratios may compare what differs in more "
        "than the passes."
        for suite in material.every
        if suite.mixed
    ]
    alarms = [text for suite in material.suites for text in wrong_answers(suite.configurations)]
    alarms += [f"WRONG: {one}" for suite in material.playouts for one in disagreements(suite.playings)]
    return Report(
        title=f"{_TITLE} {listed(games or ['Hex'])}, measured",
        subtitle=subtitle,
        alarms=tuple(alarms),
        warnings=(*mixed, *_doubts(material)),
        chapters=tuple(chapter for section in chosen if (chapter := section.chapter(material)) is not None),
    )


def _doubts(material: Material) -> list[str]:
    """Why not to trust the figures, by suite where there are several."""
    several = len(material.every) > 1
    return [
        f"Suite {suite.suite}: {text}" if several else text
        for suite in material.every
        for file in suite.files
        for text in doubts(file)
    ]


def report_files(report: Report) -> dict[str, str]:
    """Every file of the report by its path in the folder."""
    files = {"report.md": markdown(report), "index.html": page(report)}
    for block in report.blocks:
        match block:
            case Table():
                rows = [tuple(entry.value for entry in row) for row in block.rows]
                files[_free(files, f"tables/{block.name}.csv")] = _csv([column.key for column in block.columns], rows)
            case Figure():
                files[_free(files, f"figures/{block.name}.svg")] = stand_alone(block.svg)
                files[_free(files, f"figures/{block.name}.csv")] = _csv(block.columns, block.rows)
            case _:
                pass
    return files


def _free(files: dict[str, str], name: str) -> str:
    if name in files:
        raise ValueError(f"two blocks of a report are named {name}")
    return name


def _csv(head: Sequence[str], rows: Sequence[Sequence[Value]]) -> str:
    """Raw values; what is missing is empty, floats are printed so that they read back the same."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(head)
    writer.writerows(rows)
    return text.getvalue()
