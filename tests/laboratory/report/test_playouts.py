"""Playouts in tables and in the report, from synthetic records."""

from __future__ import annotations

import random
from pathlib import Path

import msgspec
import pytest

from hexlogic.cli import run as run_cli
from hexlogic.laboratory.records.store import FILE_NAME, RecordFile
from hexlogic.laboratory.records.types import Batch, End, Playing, Run, Started
from hexlogic.laboratory.report import render_report, report_data
from hexlogic.laboratory.report.comparison import SuiteComparison, read_side
from hexlogic.laboratory.report.topics.playouts import summarise_plays
from tests.laboratory.report import records as synthetic
from tests.laboratory.report.folders import rows_of
from tests.laboratory.report.records import encoded, run, session


def playing(sheet: str, reasoner: str, size: int | None, rate: int | None, *, steps: int = 20, red: int = 6) -> Playing:
    """A run that played ten batches of `rate` games in a second each, `red` of ten won by red; or a late one."""
    started = Started(
        cpu_s=0.5, rules=100 * (size or 1), atoms=30, analysis="events" if reasoner == "compiled" else None
    )
    if reasoner in ("referee", "open_spiel"):
        started = None
    # Lengths scatter by two steps around the mean from batch to batch, goals by a tenth.
    batches = (
        None
        if rate is None
        else [
            Batch(
                games=rate,
                steps=None if reasoner == "open_spiel" else (steps + (-2 if number % 2 else 2)) * rate,
                goals=[
                    10.0 * (red + (-1 if number % 2 else 1)) * rate,
                    10.0 * (10 - red + (1 if number % 2 else -1)) * rate,
                ],
                cpu_s=1.0,
            )
            for number in range(10)
        ]
    )
    return msgspec.structs.replace(synthetic.playing(reasoner, batches, sheet, size), started=started)


def playings() -> list[Playing]:
    found = []
    for size, share in ((5, 1), (7, 4), (9, 10)):
        found += [playing("tabled", name, size, rate // share) for name, rate in (("compiled", 8000), ("swipl", 40))]
        found += [playing("merging", "compiled", size, 1000 // share)]
        found += [playing("the referee", "referee", size, 100), playing("OpenSpiel", "open_spiel", size, 400 // share)]
    return [*found, playing("merging", "swipl", 5, None)]


def records(runs: list[Playing], more: list[Run] | None = None) -> RecordFile:
    header = msgspec.structs.replace(session(), suite="sheets")
    end = End(finished="2019-06-10T12:01:00Z", reason="completed", runs=len(runs), wrong=0)
    return RecordFile(header, (*(more or ()), *runs), end)


def write(folder: Path, runs: list[Playing]) -> Path:
    folder.mkdir()
    lines = [records([]).session, *runs, records(runs).end]
    (folder / FILE_NAME).write_bytes(encoded(line for line in lines if line is not None))
    return folder


def test_rates_are_games_and_steps_by_cpu_time() -> None:
    found = {(one.sheet, one.reasoner, one.size): one for one in summarise_plays(playings())}
    one = found["tabled", "compiled", 7]
    assert (one.playouts_per_s, one.steps_per_s, one.games) == (2000, 40_000, 20_000)
    assert (one.start_s, one.make_s, one.rules, one.atoms, one.peak_bytes) == (0.5, 0.2, 700, 30, 50_000_000)
    assert one.means["length"].mean == 20
    assert one.means["red"].mean == 60
    late = found["merging", "swipl", 5]
    assert (late.playouts_per_s, late.steps_per_s, late.status, late.means) == (None, None, "timeout", {})
    spiel = found["OpenSpiel", "open_spiel", 9]
    assert (spiel.playouts_per_s, spiel.steps_per_s, set(spiel.means)) == (40, None, {"red", "blue"})


def test_tables_have_a_row_for_each_sheet_and_reasoner() -> None:
    text = render_report(records(playings()))
    lines = [" ".join(line.split()) for line in text.splitlines()]
    own = lines[lines.index("hex 5x5: random playouts") : lines.index("hex 7x7: random playouts")]
    assert "merging compiled 1,000 500 ms 500 50 20,000" in own
    assert "swipl timeout 500 ms 500 50" in own
    assert "tabled compiled 8,000 500 ms 500 50 160,000" in own
    assert "swipl 40.0 500 ms 500 50 800" in own
    assert "OpenSpiel open_spiel 400 50" in own
    assert "merging on swipl: CPU limit reached." in own
    # One run each: nothing tells how much they scatter.
    told = " ".join(own)
    assert "tabled on compiled comes first by median (8,000 playouts/s), not told apart from" in told
    assert "Against OpenSpiel's C++, cannot be told apart: measured once (20x [?])." in told
    assert "hex 9x9: 4 players" not in text
    assert "hex 9x9: 5 players of" in text
    assert "the first query in a fresh process" not in text
    assert max(map(len, text.splitlines())) <= 100


def test_who_disagrees_is_told_everywhere(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    bad = playing("labelled", "compiled", 9, 900, red=8)
    text = " ".join(render_report(records([*playings(), bad])).split())
    assert "WRONG: labelled on compiled, hex 9x9: a mean goal of 80.00 for red, not 60.00" in text
    assert "hex 9x9: 6 players" not in text
    data = report_data(records([*playings(), bad]))
    assert isinstance(data["wrong"], list)
    assert [one.partition(",")[0] for one in data["wrong"]] == ["labelled on compiled"] * 2
    folder = write(tmp_path / "bad", [*playings(), bad])
    assert run_cli(["report", str(folder), "--out", str(tmp_path / "out")]) == 1
    assert "WRONG: labelled on compiled, hex 9x9" in capsys.readouterr().err


def test_files_share_a_table() -> None:
    runs = [msgspec.structs.replace(playing(name, "compiled", None, 700), game=f"{name}.kif") for name in ("a", "b")]
    text = render_report(records(runs))
    lines = [" ".join(line.split()) for line in text.splitlines()]
    assert lines[0] == "sheets: random playouts"
    assert {"a compiled 700 500 ms 100 50 14,000", "b compiled 700 500 ms 100 50 14,000"} <= set(lines)
    assert "fastest" not in text


def test_report_has_a_page_of_descriptions(tmp_path: Path) -> None:
    folder = write(tmp_path / "r", playings())
    assert run_cli(["report", str(folder), "--out", str(tmp_path / "out")]) == 0
    text = (tmp_path / "out" / "report.md").read_text(encoding="utf-8")
    assert "Which game description is played fastest, by which reasoner?" in text
    table = rows_of(tmp_path / "out" / "tables" / "descriptions.csv")
    assert len(table) == len(playings())
    rates = {(row["place"], row["sheet"], row["reasoner"]): row["playouts_per_s"] for row in table}
    assert rates["hex 5x5", "tabled", "compiled"] == "8000.0"
    assert rates["hex 5x5", "tabled", "swipl"] == "40.0"
    drawn = rows_of(tmp_path / "out" / "figures" / "playouts.csv")
    assert {row["row"] for row in drawn if row["series"] != "by hand"} == {"tabled", "merging"}
    answer = rows_of(tmp_path / "out" / "tables" / "answer.csv")
    assert [row["tool"] for row in answer][-1] == "game player, propnet (compiled)"


def test_playouts_are_compared(tmp_path: Path) -> None:
    """Twice as slow on compiled beside others that are not, in five runs each; one sheet has grown."""

    def runs(slower: int, rules: int) -> list[Playing]:
        rates = (("tabled", "compiled", 8000), ("tabled", "swipl", 4000), ("merging", "swipl", 900))
        draw, found = random.Random(slower), []
        for repeat in range(5):
            for sheet, name, rate in rates:
                games = round(rate * draw.lognormvariate(0, 0.02)) // (slower if name == "compiled" else 1)
                one = playing(sheet, name, 5, games)
                started = Started(cpu_s=0.5, rules=rules if sheet == "merging" else 100, atoms=30, analysis=None)
                found.append(msgspec.structs.replace(one, repeat=repeat, key=f"{one.key}{repeat}", started=started))
        return found

    header = msgspec.structs.replace(session(), suite="sheets")
    sides = []
    for name, played in (("old", runs(1, 100)), ("new", runs(2, 300))):
        (tmp_path / name).mkdir()
        lines = (msgspec.structs.replace(header, session=name), *played)
        (tmp_path / name / FILE_NAME).write_bytes(encoded(lines))
        sides.append(read_side(tmp_path / name))
    found = SuiteComparison(*sides)
    told = {(change.name[0], change.name[2]): change.verdict for change in found.changes}
    assert told == {("tabled", "compiled"): "slower", ("tabled", "swipl"): "same", ("merging", "swipl"): "same"}
    assert [(change.name[0], work.counter, work.old, work.new) for change, work in found.more_work] == [
        ("merging", "ground_rules", 100, 300)
    ]


def test_playouts_stand_beside_questions(tmp_path: Path) -> None:
    folder = write(tmp_path / "r", playings())
    other = tmp_path / "q"
    other.mkdir()
    header = msgspec.structs.replace(session(), session="another")
    asked = [run("clusters", pipeline, "clingo", 1.0) for pipeline in ("none", "ground")]
    (other / FILE_NAME).write_bytes(encoded((header, *asked)))
    assert run_cli(["report", str(folder), str(other), "--out", str(tmp_path / "out")]) == 0
    text = (tmp_path / "out" / "report.md").read_text(encoding="utf-8")
    assert "Which game description is played fastest, by which reasoner?" in text
    assert "What do the rewriting passes save?" in text
