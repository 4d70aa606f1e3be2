"""Sections: one file adds a topic to the page and to the terminal, and every renderer shows the same table."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
from folder_for_report import measured, rows_of, series, stored
from records_for_report import records, run

import hexlogic.report.sections
from hexlogic.report import render_report
from hexlogic.report.build import build_report
from hexlogic.report.section import sections
from hexlogic.report.text import WIDTH

SECTION = '''
"""How many runs there were on each engine."""
from hexlogic.report.document import Column, make_table
from hexlogic.report.section import Section, by_suite

def _blocks(suite):
    columns = [
        Column("engine", "engine", lambda engine: engine),
        Column("runs", "runs (1)", lambda engine: sum(run.engine == engine for run in suite.runs), numeric=True),
    ]
    return [make_table("visits", "Runs by engine", columns, [e for e in suite.engines if e != "pydatalog"])]

SECTION = Section(
    name="visits",
    title="Visits",
    order=45,
    blocks=by_suite(_blocks),
    terminal=_blocks,
    legend=lambda session: "runs: all",
)
'''


@pytest.fixture
def added(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "more").mkdir()
    (tmp_path / "more" / "visits.py").write_text(SECTION)
    monkeypatch.setattr(
        hexlogic.report.sections, "__path__", [*hexlogic.report.sections.__path__, str(tmp_path / "more")]
    )
    monkeypatch.delitem(sys.modules, "hexlogic.report.sections.visits", raising=False)


@pytest.mark.usefixtures("added")
def test_a_section_is_one_file(tmp_path: Path) -> None:
    text = render_report(records(measured()))
    lines = [" ".join(line.split()) for line in text.splitlines()]
    swipl, clingo = (sum(one.engine == engine for one in measured()) for engine in ("swipl", "clingo"))
    at = lines.index("Runs by engine")
    assert lines[at + 1 : at + 7] == ["", "engine runs", "(1)", lines[at + 4], f"swipl {swipl}", f"clingo {clingo}"]
    assert "runs: all" in lines
    build_report([stored(tmp_path / "records", measured())], tmp_path / "out")
    assert rows_of(tmp_path / "out" / "tables" / "visits.csv") == [
        {"engine": "swipl", "runs": str(swipl)},
        {"engine": "clingo", "runs": str(clingo)},
    ]
    page = (tmp_path / "out" / "index.html").read_text(encoding="utf-8")
    places = [page.index(f'<section class="chapter" id="{name}">') for name in ("savings", "visits", "work")]
    assert places == sorted(places)
    shown = (tmp_path / "out" / "report.md").read_text(encoding="utf-8")
    assert f"| swipl | {swipl} |" in shown


def test_sections_have_names_and_places_of_their_own() -> None:
    found = sections()
    assert len({one.name for one in found}) == len({one.order for one in found}) == len(found) > 10
    assert [one.name for one in found if one.terminal is not None] == ["paper", "growth", "games", "machines"]


def test_groups_of_rows_are_named_once_and_nothing_is_too_wide() -> None:
    times = [run("clusters", pipeline, "swipl", 1.0) for pipeline in ("none", "ground", "reorder")]
    text = render_report(records([*series(), *times]))
    assert max(map(len, text.splitlines())) <= WIDTH
    table = text[text.index("clusters (difficult-1") :].split("\n\n")[1]
    rows = [line.split()[:2] for line in table.splitlines()[3:]]
    assert rows == [["swipl", "none"], ["grounding", "1.0"], ["reordering", "1.0"]]
