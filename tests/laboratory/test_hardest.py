"""Hardest boards: chains counted by enumeration, the bound and clingo against brute force."""

from __future__ import annotations

import itertools
from functools import cache

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from hexlogic.errors import SizeError
from hexlogic.games import RED, Hex, Position, all_boards, has_won, load_board
from hexlogic.games.rulesets import load_rule_set, position_facts, win_query
from hexlogic.laboratory.hardest import (
    SearchProgress,
    bound_chains,
    check_stones,
    count_chains,
    hardest_board,
    maximise_chains,
)
from hexlogic.language.engines import load_engine
from hexlogic.language.passes import Pipeline
from tests.agreement import INSTALLED, one_per_column_chain

needs_swipl = pytest.mark.skipif("swipl" not in INSTALLED, reason="swipl is not installed; .ci/run installs it")


def enumerated(position: Position) -> tuple[int, ...]:
    """The partial chains by length, listed one by one from the board's own adjacency: shares nothing with the sums."""
    game = position.game
    chains = [(cell,) for cell in position.red if game.column(cell) == 1]
    counts = [len(chains)]
    for column in range(2, game.columns + 1):
        chains = [
            (*chain, cell)
            for chain in chains
            for cell in position.red
            if game.column(cell) == column and cell in game.neighbours(chain[-1])
        ]
        counts.append(len(chains))
    return tuple(counts)


@cache
def best_by_brute_force(game: Hex) -> dict[int, int]:
    """The most partial chains for each number of stones, over every stone set that red has not won."""
    best: dict[int, int] = {}
    for stones in range(1, len(game.cells) + 1):
        for red in itertools.combinations(game.cells, stones):
            position = Position(game, frozenset(red))
            if not has_won(position, RED):
                best[stones] = max(best.get(stones, 0), sum(enumerated(position)))
    return best


def clingo_alone(game: Hex, stones: int) -> tuple[int, bool, int]:
    """The best figure, whether clingo searched to the end, and the bound."""
    heard: list[SearchProgress] = []
    task = {"rows": game.rows, "columns": game.columns, "stones": stones}
    done = maximise_chains(**task, report=heard.append)
    assert (heard[0].red, heard[0].bound) == ([], heard[-1].bound)
    return heard[-1].figure, done.exhausted, heard[-1].bound


@st.composite
def boards(draw: st.DrawFn) -> Position:
    game = Hex(draw(st.integers(1, 6)), draw(st.integers(1, 6)))
    return Position(game, frozenset(draw(st.sets(st.sampled_from(game.cells)))))


@settings(max_examples=200, deadline=None)
@given(boards())
def test_the_recurrence_counts_what_enumeration_lists(position: Position) -> None:
    counts = count_chains(position)
    assert counts == enumerated(position)
    assert (counts[-1] > 0) == one_per_column_chain(position, RED)


@settings(max_examples=300, deadline=None)
@given(boards())
def test_no_board_exceeds_the_bound(position: Position) -> None:
    if position.red and not has_won(position, RED):
        assert sum(count_chains(position)) <= bound_chains(position.game, len(position.red)).total


@settings(max_examples=100, deadline=None)
@given(boards())
def test_no_stone_ends_more_chains_than_the_bound_says(position: Position) -> None:
    game = position.game
    assume(position.red and game.columns > 1)
    most = bound_chains(game, len(position.red)).most
    for cell in position.red:
        column = game.column(cell)
        if column < game.columns:
            others = {other for other in position.red if game.column(other) != column}
            assert count_chains(Position(game, frozenset({*others, cell})))[column - 1] <= most[column - 1]


@pytest.mark.parametrize("game", [Hex(3, 3), Hex(3, 4), Hex(4, 3), Hex(2, 5)], ids=str)
def test_clingo_and_the_bound_agree_with_brute_force(game: Hex) -> None:
    best = best_by_brute_force(game)
    assert max(best) == len(game.cells) - game.rows
    for stones, figure in best.items():
        found, exhausted, bound = clingo_alone(game, stones)
        assert found == figure
        assert found <= bound
        assert exhausted or found == bound


@pytest.mark.slow
def test_4x4_agrees_with_brute_force() -> None:
    for stones, figure in best_by_brute_force(Hex.square(4)).items():
        found, exhausted, bound = clingo_alone(Hex.square(4), stones)
        assert (found, exhausted or found == bound) == (figure, True)


def test_stones_that_no_board_can_hold() -> None:
    game = Hex.square(3)
    for stones in best_by_brute_force(game):
        check_stones(game, stones)
    for stones, words in ((0, "make no board"), (-1, "make no board"), (7, "red has won"), (10, "do not fit")):
        with pytest.raises(SizeError, match=words):
            check_stones(game, stones)
        with pytest.raises(SizeError, match=words):
            hardest_board(game, stones)
    with pytest.raises(SizeError, match="any stone"):
        check_stones(Hex(3, 1), 1)


def test_counts_that_clingo_cannot_hold_are_refused() -> None:
    with pytest.raises(SizeError, match="more than clingo can count"):
        maximise_chains(rows=4, columns=64, stones=150)


def test_9x9_with_17_stones_is_proved() -> None:
    found = hardest_board(Hex.square(9), 17, time_s=300)
    assert (found.figure, found.bound) == (175, 175)
    assert found.figure == sum(enumerated(found.position))
    assert (len(found.position.red), has_won(found.position, RED)) == (17, False)
    assert "no 17 stones make more than 175" in found.proof


def test_a_figure_that_only_the_search_can_prove() -> None:
    found = hardest_board(Hex.square(4), 12)
    assert found.figure == 23 < (found.bound or 0)
    assert found.proof.startswith("clingo found nothing better")


def test_without_time_there_is_a_board_and_no_claim() -> None:
    found = hardest_board(Hex.square(9), 17, time_s=0.01)
    assert (len(found.position.red), has_won(found.position, RED)) == (17, False)
    assert found.figure == sum(enumerated(found.position))
    # How far it comes in that time is the machine's affair; a proof needs seconds.
    assert found.proof == ""


def test_an_interrupt_leaves_the_best_board(monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(job: str, task: object, *, time_s: object, report: object) -> object:
        report(SearchProgress(5))
        report(SearchProgress(5, [1, 4, 7, 8], 4))
        raise KeyboardInterrupt

    monkeypatch.setattr("hexlogic.laboratory.hardest.run_job", interrupted)
    found = hardest_board(Hex.square(3), 4)
    assert (found.interrupted, sorted(found.position.red), found.figure) == (True, [1, 4, 7, 8], 4)
    assert not found.proof


def asked(positions: list[Position], pipeline: str) -> list[int]:
    program = Pipeline.parse(pipeline).apply(load_rule_set("power-set").instantiate(positions[0].game))
    with load_engine("swipl").open(program) as session:
        return [session.ask(position_facts(p), win_query(RED)).counters["inferences"] for p in positions]


@needs_swipl
def test_difficult_4_is_harder_than_the_other_three() -> None:
    names = ("difficult-1", "difficult-2", "difficult-3", "difficult-4")
    expected = {
        "reorder": [38_920, 36_526, 24_622, 48_414],
        "ground,reorder": [9_957, 9_824, 5_536, 16_760],
        "unfold,reorder": [3_578, 1_039, 1_140, 9_479],
        "ground,unfold,reorder": [890, 259, 294, 2_488],
    }
    positions = [load_board(name).position for name in names]
    for pipeline, figures in expected.items():
        assert asked(positions, pipeline) == figures
        assert figures[3] > max(figures[:3])
    assert all(len(position.red) == 17 and not has_won(position, RED) for position in positions)
    assert [sum(count_chains(position)) for position in positions] == [44, 12, 14, 128]
    assert [board.name for board in all_boards() if board.name.startswith("difficult")] == list(names)


@pytest.mark.takes_seconds
@needs_swipl
def test_difficult_4_is_a_peak() -> None:
    """No board that differs in the place of one stone costs SWI-Prolog more after both pipelines together."""
    position = load_board("difficult-4").position
    moved = [position.red - {stone} | {cell} for stone in position.red for cell in position.game.cells]
    others = [Position(position.game, red) for red in moved if len(red) == 17]
    others = [other for other in others if not has_won(other, RED)]
    work = [asked([position, *others], pipeline) for pipeline in ("reorder", "unfold,reorder")]
    costs = [sum(counts) for counts in zip(*work, strict=True)]
    assert max(costs) == costs[0] == 57_893
