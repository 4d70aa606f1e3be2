"""Symbols by the rules agree with flood fill; the machine's view of a position turns back."""

from __future__ import annotations

import numpy as np
import pytest

from hexlogic.errors import HexlogicError, PositionError, UnknownNameError
from hexlogic.games import PLAYERS, Hex, has_won
from hexlogic.games.detect.batch import AtomBatch
from hexlogic.language.parser import parse_atom
from hexlogic.players.connections import Connections
from hexlogic.players.evaluation.clause_model import seen
from hexlogic.players.evaluation.symbols import (
    PARTS,
    SymbolSet,
    circuit_values,
    exchanged,
    mirrored,
    position_of,
    values_after_best,
)
from hexlogic.players.predict.clauses import Colourings, PositionSpace
from hexlogic.players.predict.dataset import Dataset

BOARD = Hex.square(4)


def some_boards(count: int, side: int = 4) -> tuple[np.ndarray, np.ndarray]:
    chance = np.random.default_rng(count)
    boards = chance.choice(3, size=(count, side * side), p=[0.2, 0.4, 0.4]).astype(np.uint8)
    return boards, chance.integers(1, 3, count).astype(np.uint8)


def test_symbols_of_the_study_by_flood_fill() -> None:
    boards, to_move = some_boards(200)
    symbols = SymbolSet("study", BOARD)
    assert len(symbols.names) == 16 * 17
    truths = symbols.truths(boards, to_move)
    for cells, row in zip(boards, truths, strict=True):
        position = position_of(BOARD, cells)
        expected = set()
        for player in PLAYERS:
            stones = position.red if player == "red" else position.blue
            expected |= {f"owns({player},{cell})" for cell in stones}
            for group in BOARD.groups(stones):
                expected |= {f"connected({player},{a},{b})" for a in group for b in group if a < b}
        assert {name for name, true in zip(symbols.names, row, strict=True) if true} == expected


def test_the_two_winning_symbols_stand_for_the_pairs_that_are_left_out() -> None:
    boards, to_move = some_boards(150)
    board = Hex.square(4)
    pairs, inner, won = (SymbolSet(name, board) for name in ("pairs", "inner-pairs", "won"))
    missing = [place for place, name in enumerate(pairs.names) if name not in set(inner.names)]
    assert len(missing) == 2 * 16
    truths, wins = pairs.truths(boards, to_move), won.truths(boards, to_move)
    for sign, player in enumerate(PLAYERS):
        of_player = [place for place in missing if pairs.names[place].startswith(f"connected({player}")]
        assert np.array_equal(truths[:, of_player].any(axis=1), wins[:, sign] == 1)
        assert [has_won(position_of(board, cells), player) for cells in boards] == (wins[:, sign] == 1).tolist()


def test_stones_that_reach_a_side_by_flood_fill() -> None:
    boards, to_move = some_boards(120)
    symbols = SymbolSet("sides", BOARD)
    assert len(symbols.names) == 4 * 16
    for cells, row in zip(boards, symbols.truths(boards, to_move), strict=True):
        position = position_of(BOARD, cells)
        expected = set()
        for player in PLAYERS:
            for group in BOARD.groups(position.red if player == "red" else position.blue):
                for number, side in enumerate(BOARD.sides(player), start=1):
                    if set(group) & set(side):
                        expected |= {f"touches({player},{number},{cell})" for cell in group}
        assert {name for name, true in zip(symbols.names, row, strict=True) if true} == expected


@pytest.mark.parametrize("text", ["pairs+occupancy+sides+won+bridges"])
def test_the_rules_of_proofs_define_the_same_symbols(text: str) -> None:
    """Every symbol that proofs know holds exactly where clingo derives it."""
    board = Hex.square(3)
    boards, to_move = some_boards(15, side=3)
    symbols = SymbolSet(text, board)
    colourings = Colourings(PositionSpace(board, "any", "red"), [(name, True) for name in symbols.names])
    for cells, row in zip(boards, symbols.truths(boards, to_move), strict=True):
        position = position_of(board, cells)
        stones = [
            (f"owns({player},{cell})", cell in (position.red if player == "red" else position.blue))
            for player in PLAYERS
            for cell in board.cells
        ]
        held = [(name, bool(true)) for name, true in zip(symbols.names, row, strict=True)]
        assert colourings.find([*stones, *held]) == position


def test_looking_ahead_is_the_best_of_the_evaluations_after_a_move() -> None:
    board = Hex.square(3)
    boards, to_move = some_boards(20, side=3)
    values = values_after_best(board, boards, to_move)
    for cells, mover, value in zip(boards, to_move, values, strict=True):
        after = []
        for cell in np.flatnonzero(cells == 0):
            changed = cells.copy()
            changed[cell] = mover
            after.append(changed)
        if not after:
            expected = circuit_values(board, cells[None])[0]
        else:
            found = circuit_values(board, np.array(after))
            expected = found.max() if mover == 1 else found.min()
        assert value == pytest.approx(expected)
    names = SymbolSet("lookahead", board).names
    assert len(set(names)) == len(names)


def test_bridges_need_both_cells_free() -> None:
    board = Hex.square(3)
    symbols = SymbolSet("bridges", board)
    cells = np.zeros((2, 9), np.uint8)
    cells[:, [1, 5]] = 1, 1  # b1 and c2 have b2 and c1 between them
    cells[1, 2] = 2
    truths = symbols.truths(cells, np.ones(2, np.uint8))
    named = [[name for name, true in zip(symbols.names, row, strict=True) if true] for row in truths]
    assert named == [["bridge(red,2,6)"], []]


def test_virtual_connections_and_circuits_are_those_of_the_players() -> None:
    boards, to_move = some_boards(5, side=3)
    boards = np.where(np.arange(9)[None, :] % 2 == 0, boards, 0).astype(np.uint8)
    symbols = SymbolSet("virtual+circuit", Hex.square(3))
    for cells, mover, row in zip(boards, to_move, symbols.truths(boards, to_move), strict=True):
        true = {name for name, holds in zip(symbols.names, row, strict=True) if holds}
        connections = Connections(position_of(Hex.square(3), cells))
        for player in PLAYERS:
            joined = connections.edge_to_edge(player)
            assert (f"joined({player})" in true) == any(one.kind == "full" for one in joined)
            assert (f"joined_next({player})" in true) == bool(joined)
        must = len(connections.must_play(PLAYERS[mover - 1]))
        assert ("must_play_at_most(2)" in true) == (must <= 2)


def test_unknown_and_repeated_parts_are_refused() -> None:
    with pytest.raises(UnknownNameError, match="unknown part of a symbol set 'pears'"):
        SymbolSet("pears", BOARD)
    with pytest.raises(HexlogicError, match="named twice"):
        SymbolSet("won+occupancy+won", BOARD)
    assert len(PARTS) == 10


def test_views_turn_back(finished: Dataset) -> None:
    boards, to_move = finished.boards[:50], finished.to_move[:50]
    assert np.array_equal(mirrored(finished.board, mirrored(finished.board, boards)), boards)
    shown, mover, turned = seen("mover", finished.board, boards, to_move)
    assert set(mover.tolist()) == {1}
    assert np.array_equal(turned, to_move == 2)
    back = np.where(turned[:, None], mirrored(finished.board, shown), shown)
    assert np.array_equal(back, boards)
    won = SymbolSet("won", finished.board).truths(shown, mover)
    expected = np.where(turned, exchanged(finished.winners[:50]), finished.winners[:50])
    assert np.array_equal(np.where(won[:, 0] == 1, 1, 2), expected)


def test_atoms_that_no_position_decides() -> None:
    batch = AtomBatch("clusters", Hex.square(2), [parse_atom("same_cluster(red,1,9)"), parse_atom("wins(blue)")])
    assert batch.truths(np.array([[2, 0, 2, 1]], dtype=np.uint8)).tolist() == [[0, 1]]
    with pytest.raises(PositionError, match="shape"):
        batch.truths(np.zeros((1, 5), dtype=np.uint8))
    with pytest.raises(PositionError, match="the entry 3"):
        batch.truths(np.full((1, 4), 3, dtype=np.uint8))
