"""Sections and pages: one file adds a question to the report, to the terminal or to both."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

import hexlogic.laboratory.report.topics
from hexlogic.laboratory.report import render_report
from hexlogic.laboratory.report.build import build_report
from hexlogic.laboratory.report.results import questions
from hexlogic.laboratory.report.terminal import WIDTH
from tests.laboratory.report.folders import measured, rows_of, series, stored
from tests.laboratory.report.records import records, run

SECTION = '''
"""How many runs there were on each engine."""
from hexlogic.laboratory.report.document import Column, make_table
from hexlogic.laboratory.report.results import PageAnswer, PageQuestion

def _blocks(suite):
    columns = [
        Column("engine", "engine", lambda engine: engine),
        Column("runs", "runs (1)", lambda engine: sum(run.engine == engine for run in suite.runs), numeric=True),
    ]
    return [make_table("visits", "Runs by engine", columns, [e for e in suite.engines if e != "pydatalog"])]

QUESTION = PageQuestion(
    name="visits",
    title="Visits",
    text="How often?",
    order=25,
    find=lambda results: (),
    answer=lambda results, nothing: PageAnswer("", ()),
    how="hexlogic bench",
    blocks=_blocks,
    legend="runs: all, {runs}",
)
'''

QUESTION = '''
"""How many runs there were on each engine."""
from hexlogic.laboratory.report.document import Column, make_table
from hexlogic.laboratory.report.results import PageAnswer, PageQuestion

def _answer(results, suites):
    runs = [run for suite in suites for run in suite.runs]
    columns = [
        Column("engine", "engine", lambda engine: engine),
        Column("runs", "runs", lambda engine: sum(run.engine == engine for run in runs), numeric=True),
    ]
    engines = sorted({run.engine for run in runs})
    return PageAnswer("Many.", [make_table("visits", "Runs by engine", columns, engines)])

QUESTION = PageQuestion(
    name="visits",
    title="Visits",
    text="How often?",
    order=45,
    find=lambda results: results.suites,
    answer=_answer,
    how="hexlogic bench",
)
'''


def add(package: object, text: str, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A module `visits` in a package, for as long as a test runs."""
    folder.mkdir()
    (folder / "visits.py").write_text(text)
    monkeypatch.setattr(package, "__path__", [*package.__path__, str(folder)])
    monkeypatch.delitem(sys.modules, f"{package.__name__}.visits", raising=False)


def test_a_section_is_one_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    add(hexlogic.laboratory.report.topics, SECTION, tmp_path / "more", monkeypatch)
    text = render_report(records(measured()))
    lines = [" ".join(line.split()) for line in text.splitlines()]
    swipl, clingo = (sum(one.engine == engine for one in measured()) for engine in ("swipl", "clingo"))
    at = lines.index("Runs by engine")
    assert lines[at + 1 : at + 7] == ["", "engine runs", "(1)", lines[at + 4], f"swipl {swipl}", f"clingo {clingo}"]
    assert "runs: all, median of 5 runs (fewer of slow ones)" in lines


def test_a_page_is_one_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    add(hexlogic.laboratory.report.topics, QUESTION, tmp_path / "more", monkeypatch)
    build_report([stored(tmp_path / "records", measured())], tmp_path / "out")
    swipl, clingo = (sum(one.engine == engine for one in measured()) for engine in ("swipl", "clingo"))
    assert rows_of(tmp_path / "out" / "tables" / "visits.csv") == [
        {"engine": "clingo", "runs": str(clingo)},
        {"engine": "swipl", "runs": str(swipl)},
    ]
    page = (tmp_path / "out" / "visits.html").read_text(encoding="utf-8")
    assert "<h1>How often?</h1>" in page
    named = [page.index(f'<a href="{name}.html"') for name in ("index", "reformulations", "visits", "boards")]
    assert named == sorted(named)
    shown = (tmp_path / "out" / "report.md").read_text(encoding="utf-8")
    assert f"| swipl | {swipl} |" in shown


def test_questions_have_names_and_places_of_their_own() -> None:
    found = questions()
    assert len({one.name for one in found}) == len({one.order for one in found}) == len(found)
    assert [one.name for one in found if one.legend] == ["passes", "growth", "game", "positions", "descriptions"]
    assert [one.name for one in questions()] == [
        "passes", "reformulations", "rules", "growth", "game", "positions", "descriptions", "proofs", "found",
        "prediction", "boards", "history", "method",
    ]  # fmt: skip


def test_groups_of_rows_are_named_once_and_nothing_is_too_wide() -> None:
    times = [run("clusters", pipeline, "swipl", 1.0) for pipeline in ("none", "ground", "reorder")]
    text = render_report(records([*series(), *times]))
    assert max(map(len, text.splitlines())) <= WIDTH
    table = text[text.index("clusters (difficult-1") :].split("\n\n")[1]
    heads = next(number for number, line in enumerate(table.splitlines()) if line.startswith("---"))
    rows = [line.split()[:2] for line in table.splitlines()[1 + heads :]]
    assert rows[:3] == [["swipl", "none"], ["grounding", "1.0"], ["reordering", "1.0"]]
