"""Replayed games in tables and in the report, from synthetic records."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest

from hexlogic.cli import run as run_cli
from hexlogic.games.rulesets.transitions import load_transitions
from hexlogic.laboratory.records.store import FILE_NAME
from hexlogic.laboratory.records.types import Mode, Replayed, Run
from hexlogic.laboratory.report import render_report, report_data, summarise
from hexlogic.laboratory.report.topics.game import find_replays
from tests.laboratory.report.folders import rows_of
from tests.laboratory.report.records import encoded, records, run, session


def game(
    rule_set: str, engine: str, mode: Mode, size: int, plies_ms: list[float] | None, *, seed: int = 1, facts: int = 0
) -> Run:
    """A replayed game with these moves, or one that met its limit."""
    total = None if plies_ms is None else sum(plies_ms)
    one = run(rule_set, "ground", engine, total, status="answered" if plies_ms is not None else "timeout")
    replayed = None
    if plies_ms is not None:
        replayed = Replayed(
            winners="." * (len(plies_ms) - 1) + "r",
            plies_s=[ms / 1000 for ms in plies_ms],
            grown_bytes=size * 1_000_000,
            facts=facts or None,
            fact_bytes=20 * facts or None,
            facts_by_ply=[min(ply, facts) for ply in range(1, len(plies_ms) + 1)] if facts else None,
        )
    return msgspec.structs.replace(
        one,
        phases=msgspec.structs.replace(one.phases, transform_s=0.01, load_s=0.03),
        task=f"{mode} random-{seed}@{size}",
        query="winner",
        rows=size,
        columns=size,
        mode=mode,
        replayed=replayed,
    )


def games() -> list[Run]:
    """Two random games a size: anew a move costs ten times as much as followed, and on 7x7 one game does not end."""
    runs = []
    for size in (3, 5, 7):
        for seed in (1, 2):
            plies = [0.1 * size * seed] * (size * size)
            runs.append(game("clusters", "clingo", "followed", size, plies, seed=seed))
            late = size == 7 and seed == 2
            anew = None if late else [10 * ms for ms in plies]
            runs.append(game("clusters", "clingo", "anew", size, anew, seed=seed))
        runs.append(game("clusters-merging", "clingo", "followed", size, [0.2] * size, facts=size))
    return runs


def test_ways_gather_the_games_of_a_configuration() -> None:
    all_series = find_replays(summarise(games()))
    assert [(series.rule_set, series.mode) for series in all_series] == [
        ("clusters", "followed"),
        ("clusters", "anew"),
        ("clusters-merging", "followed"),
    ]
    followed, anew, merging = all_series
    # The mean of the two games: 0.1 and 0.2 ms times the size, for each of the size squared moves.
    assert followed.times_s == pytest.approx({size: 0.15e-3 * size**3 for size in (3, 5, 7)})
    assert set(anew.times_s) == {3, 5}
    assert anew.stopped is not None
    assert anew.stopped.task == "anew random-2@7"
    assert followed.stopped is None
    assert followed.ply_s == pytest.approx(1.05e-3)
    saved = followed.against
    assert saved is not None
    assert (saved[0].value, saved[1]) == (pytest.approx(10), 5)
    assert anew.against is merging.against is None


def test_moves_are_medians_over_the_runs() -> None:
    runs = [game("clusters", "clingo", "anew", 3, [ms, 2 * ms]) for ms in (1.0, 5.0, 2.0)]
    (cell,) = summarise(runs)
    assert cell.replay is not None
    assert cell.replay.plies_s == pytest.approx((0.002, 0.004))
    assert cell.time_s == pytest.approx(0.006)


def test_tables_of_games() -> None:
    text = render_report(records(games()))
    lines = [" ".join(line.split()) for line in text.splitlines()]
    assert "clusters, grounding (whole games of Hex)" in lines
    assert "followed 7 34 ms 1.1 10x [10, 10] 7.0" in lines
    assert "clingo anew 5 125 ms 7.5 5.0" in lines
    assert "clingo followed 7 1.4 ms 0.20 7.0" in lines
    assert "following a game instead of asking anew after each move saves 10x [10, 10] on clingo (n = 5)" in " ".join(
        lines
    )
    assert "the first query in a fresh process" not in text
    assert max(map(len, text.splitlines())) <= 100


def test_a_game_without_a_time_says_why() -> None:
    late = game("clusters", "clingo", "anew", 5, None)
    refused = msgspec.structs.replace(
        game("clusters", "pydatalog", "anew", 5, None), status="unsupported", message="why"
    )
    lines = [" ".join(line.split()) for line in render_report(records([late, refused])).splitlines()]
    assert "clingo anew 5 > 10 s" in lines
    assert "pydatalog anew 5 -" in lines
    assert "pydatalog: why." in lines


def test_questions_and_games_each_have_their_tables() -> None:
    questions = [run("clusters", pipeline, "clingo", 1.0) for pipeline in ("none", "ground", "reorder")]
    text = render_report(records([*games(), *questions]))
    assert "clusters (difficult-1, wins(red))" in text
    assert "the first query in a fresh process" in text
    assert "(whole games of Hex)" in text


def test_data_for_programs_has_the_moves() -> None:
    cells = report_data(records(games()))["cells"]
    assert isinstance(cells, list)
    (merging,) = [cell for cell in cells if cell["task"] == "followed random-1@7" and "merging" in cell["rule_set"]]
    assert merging["mode"] == "followed"
    assert merging["replay"]["facts"] == 7
    assert merging["replay"]["plies_s"] == pytest.approx([0.0002] * 7)


def test_report_has_a_page_of_games(tmp_path: Path) -> None:
    header = msgspec.structs.replace(session(), suite="games")
    merging = load_transitions("clusters-merging").rules.hash
    lines = [
        header,
        *(
            msgspec.structs.replace(one, rule_set_hash=merging, pipeline="none") if "merging" in one.rule_set else one
            for one in games()
        ),
    ]
    (tmp_path / "r").mkdir()
    (tmp_path / "r" / FILE_NAME).write_bytes(encoded(lines))
    assert run_cli(["report", str(tmp_path / "r"), "--out", str(tmp_path / "out")]) == 0
    text = (tmp_path / "out" / "report.md").read_text(encoding="utf-8")
    assert "What does a whole game cost, move by move?" in text
    table = rows_of(tmp_path / "out" / "tables" / "game.csv")
    assert len(table) == len({(one.rule_set, one.pipeline, one.engine, one.task.partition(" ")[0]) for one in games()})
    (kept,) = [row for row in table if row["rule_set"] == "clusters-merging"]
    assert (kept["mode"], kept["size"], kept["factor"]) == ("followed", "7", "")
    moves = rows_of(tmp_path / "out" / "figures" / "game-move.csv")
    assert {row["row"] for row in moves} == {"clusters", "clusters-merging"}
    assert "fastest" not in text
