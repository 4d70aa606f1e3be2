"""A report on several sessions of a suite: the newest makes the pages, and a history is tested as `compare` does."""

from __future__ import annotations

from pathlib import Path

import msgspec

from hexlogic.laboratory.records.types import Run
from hexlogic.laboratory.report.build import build_report
from hexlogic.laboratory.report.comparison import SuiteComparison, read_side
from hexlogic.laboratory.report.results import read_results
from hexlogic.laboratory.report.topics.history import histories
from tests.laboratory.report.folders import measured, other, rows_of, stored
from tests.laboratory.report.records import session, thrice


def slower(run: Run, factor: float) -> Run:
    phases = msgspec.structs.replace(run.phases, solve_s=(run.phases.solve_s or 0) * factor)
    return msgspec.structs.replace(run, phases=phases)


def three(folder: Path) -> list[Path]:
    """Three sessions: from the first to the second `clusters` as written takes twice as long on swipl; the third is of
    another machine."""
    runs = [run for run in measured() if run.rule_set != "clusters" or run.pipeline != "none" or run.engine != "swipl"]
    old, new = thrice("clusters", "none", "swipl", 9.0), thrice("clusters", "none", "swipl", 18.0)
    day = "2019-06-{}T12:00:00Z".format
    second = other(session(), started=day(11), code_hash="d", commit="b" * 40)
    third = msgspec.structs.replace(other(session(), started=day(12), host="there"), session="third")
    return [
        stored(folder / "1", [*runs, *old]),
        stored(folder / "2", [*runs, *new], second),
        stored(folder / "3", [*runs, *old], third),
    ]


def test_the_history_says_what_compare_says(tmp_path: Path) -> None:
    first, second, third = three(tmp_path)
    results = read_results([third, first, second])
    (suite,) = results.suites
    assert [file.session.session for file in suite.every] == ["s", "another", "third"]
    assert [file.session.session for file in suite.files] == ["third"]
    (history,) = histories(results)
    verdicts = {course.name: course.verdicts for course in history.courses}
    compared = {
        change.name: [change.verdict] for change in SuiteComparison(read_side(first), read_side(second)).changes
    }
    assert verdicts == compared
    assert verdicts["clusters", "none", "swipl", "difficult-1", "wins(red)"] == ["slower"]
    assert [verdict for (verdict,) in verdicts.values()].count("slower") == 1
    assert history.notes == ["test, session 2 to 3: not compared, for they have different hosts."]


def test_the_page_draws_what_changed_first(tmp_path: Path) -> None:
    written = build_report(three(tmp_path)[:2], tmp_path / "out")
    assert written.alarms == ()
    first, *_ = rows_of(tmp_path / "out" / "tables" / "history.csv")
    assert (first["name"], first["verdict"]) == ("clusters, none, swipl, difficult-1, wins(red)", "slower")
    assert (float(first["first_s"]), float(first["last_s"])) == (0.009, 0.018)
    assert first["bars"] == "▅█"
    page = (tmp_path / "out" / "history.html").read_text(encoding="utf-8")
    assert "configurations 1 is slower beyond noise" in page
    assert "commit bbbbbbbbbb" in page
    marks = rows_of(tmp_path / "out" / "figures" / "history-test.csv")
    drawn = [
        (mark["place"], float(mark["value"])) for mark in marks if mark["series"].startswith("clusters, none, swipl")
    ]
    assert drawn == [("1", 0.009), ("2", 0.018)]
    # The report holds the records of both, and can be made again from its folder.
    build_report([tmp_path / "out" / "records"], tmp_path / "again")
    assert (tmp_path / "again" / "history.html").read_bytes() == (tmp_path / "out" / "history.html").read_bytes()


def test_sessions_of_two_machines_are_said_not_to_be_compared(tmp_path: Path) -> None:
    build_report(three(tmp_path)[1:], tmp_path / "out")
    rows = rows_of(tmp_path / "out" / "tables" / "history.csv")
    assert {row["verdict"] for row in rows} == {"not compared"}
    page = (tmp_path / "out" / "history.html").read_text(encoding="utf-8")
    assert f'<p class="finding">{len(rows)} are drawn and not compared; the reasons stand below.</p>' in page
    assert "beyond noise" not in page


def test_one_session_has_no_history(tmp_path: Path) -> None:
    assert histories(read_results([three(tmp_path)[0]])) == []
