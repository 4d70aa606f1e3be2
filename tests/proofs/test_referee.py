"""Rule sets that clingo cannot ground, compared with the referee; and the matrix of all."""

from __future__ import annotations

import itertools

import pytest

from hexlogic import prove_equivalent
from hexlogic.games import Hex, Position, has_won
from hexlogic.games.rulesets import load_rule_set, rule_set_names
from hexlogic.language.engines import load_engine
from hexlogic.proofs import Proof
from hexlogic.proofs.matrix import prove_all
from hexlogic.proofs.referee import compare, cover, is_monotone, reads_own_stones_only

needs_lists = pytest.mark.skipif(load_engine("swipl").missing() is not None, reason="swipl is not installed")


@pytest.mark.takes_seconds
@needs_lists
def test_lists_of_visited_cells_are_compared_with_the_referee():
    outcome = prove_equivalent(load_rule_set("follow-line"), load_rule_set("maker-breaker"), Hex.square(2))
    assert isinstance(outcome, Proof)
    assert outcome.proved
    method = outcome.findings[0].method
    assert "follow-line: asked the engine about each of the 16 sets of red stones, on swipl" in method


def test_a_rule_set_is_refuted_by_the_referee():
    program = load_rule_set("power-set").instantiate(Hex.square(3))
    found = compare(program=str(program), rows=3, columns=3, player="red", engine="clingo")
    assert found.difference is not None
    assert (found.says, len(found.difference[0])) == (False, 4)


@pytest.mark.parametrize("player", ["red", "blue"])
def test_the_border_covers_every_stone_set(player):
    """Every win holds one of the smallest wins, every loss lies in one of the largest losses."""
    board = Hex.square(4)
    program = load_rule_set("follow-line-tabled").instantiate(board)
    border = [position.stones(player) for position in cover(program, board, player).positions]
    wins = [stones for stones in border if has_won(_position(board, player, stones), player)]
    losses = [stones for stones in border if stones not in wins]
    for size in (3, 4, 8, 12):
        for chosen in itertools.islice(itertools.combinations(board.cells, size), 0, None, 7):
            stones = frozenset(chosen)
            won = has_won(_position(board, player, stones), player)
            assert won == any(win <= stones for win in wins)
            assert won != any(stones <= loss for loss in losses)


def _position(board, player, stones):
    return Position(board, **{player: frozenset(stones)})


@pytest.mark.parametrize("name", rule_set_names())
def test_every_rule_set_reads_the_players_own_stones_only(name):
    rules = load_rule_set(name)
    program = rules.instantiate(Hex.square(3))
    assert reads_own_stones_only(program, rules.query) == (name not in {"maker-breaker"})
    assert is_monotone(program) == (name not in {"maker-breaker", "clusters-labelled"})


def test_the_matrix_says_what_is_as_declared():
    names = ["clusters", "follow-line-tabled", "power-set"]
    matrix = prove_all(Hex.square(3), names=names, players=["red"])
    assert matrix.as_declared
    assert [list(row.pairs.values()) for row in matrix.rule_sets] == [
        ["equal", "equal", "different"],
        ["equal", "equal", "different"],
        ["different", "different", "equal"],
    ]
    assert matrix.rule_sets[2].outcome.verdict == "different"


def test_a_rule_set_too_large_for_the_board_is_named():
    matrix = prove_all(Hex(7, 7), names=["winning-sets"], players=["red"])
    assert not matrix.as_declared
    assert "68,914" in matrix.rule_sets[0].summary


@pytest.mark.slow
def test_the_whole_matrix_of_size_4():
    matrix = prove_all(Hex.square(4))
    assert matrix.as_declared
    assert all(row.relation == "equal" for row in matrix.rule_sets if row.complete)
