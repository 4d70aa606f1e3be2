"""The bridge builder: its templates hold, its paths are shortest, and broken bridges are mended."""

from __future__ import annotations

import itertools

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hexlogic.games import Hex, Position
from hexlogic.games.game_state import GameState
from hexlogic.players import Budget, load_strategy
from hexlogic.players.strategies import bridge
from hexlogic.players.strategies.bridge import BridgePaths
from tests.players.states import state_of
from tests.players.test_evaluation import positions


def joins_side(board: Hex, player: str, cell: int, carrier: frozenset[int], first: bool) -> bool:
    """Whether a stone reaches the side inside the carrier though the opponent moves first, by brute force."""
    side = board.sides(player)[0 if first else 1]

    def reaches(own: frozenset[int]) -> bool:
        seen, waiting = {cell}, [cell]
        while waiting:
            for other in board.neighbours(waiting.pop()):
                if other in own and other not in seen:
                    seen.add(other)
                    waiting.append(other)
        return bool(seen & side)

    def holds(own: frozenset[int], free: frozenset[int]) -> bool:
        if reaches(own):
            return True
        if not reaches(own | free):
            return False
        return all(any(holds(own | {mine}, free - {cut, mine}) for mine in free - {cut}) for cut in free)

    return holds(frozenset({cell}), carrier)


@pytest.mark.parametrize("player", ["red", "blue"])
@pytest.mark.parametrize("first", [True, False])
def test_templates_hold_and_are_minimal(player, first):
    board = Hex(6, 7) if player == "red" else Hex(7, 6)
    templates = bridge._templates(board, player, first)
    assert {len(carrier) for _, carrier in templates} == {2, 8}
    for cell, carrier in templates[::3]:
        cells = frozenset(gap + 1 for gap in carrier)
        assert joins_side(board, player, cell + 1, cells, first)
        assert not any(joins_side(board, player, cell + 1, cells - {gap}, first) for gap in cells)


@settings(deadline=None)
@given(position=positions(most=5), player=st.sampled_from(["red", "blue"]))
def test_a_path_exists_unless_the_opponent_has_won(position, player):
    paths = BridgePaths(state_of(position))
    other = "blue" if player == "red" else "red"
    path = paths.shortest(player)
    assert (path is None) == position.game.has_won(position.stones(other), other)
    if path is not None:
        assert set(path.missing) <= position.empty
        assert set(path.gaps) <= position.empty
        # with its missing stones and its gaps the path is a chain
        won = position.stones(player) | set(path.missing) | set(path.gaps)
        assert position.game.has_won(frozenset(won), player)


@pytest.mark.parametrize("board", [Hex(5, 5), Hex(4, 6)], ids=lambda board: board.size_text)
def test_no_path_needs_fewer_stones(board):
    """On an empty board a path of k stones gives red a win as first mover with k - 1 more; fewer cannot reach."""
    paths = BridgePaths(GameState(board))
    length = paths.length("red")
    # templates reach from the third line, a bridge of two columns from one stone to the next
    fewest = next(
        count
        for count in itertools.count(1)
        if any(steps_reach(board, cells) for cells in itertools.combinations(sorted(board.cells), count))
    )
    assert length == fewest


def steps_reach(board: Hex, cells: tuple[int, ...]) -> bool:
    """Whether the cells make a path of single steps and bridges from side to side, by the board's geometry alone."""
    columns = sorted(board.column(cell) for cell in cells)
    if columns[0] > 3 or columns[-1] < board.columns - 2:
        return False
    position = Position(board, frozenset(cells))
    path = BridgePaths(state_of(position)).shortest("red")
    return path is not None and not path.missing


def test_an_intruded_bridge_is_filled():
    board = Hex(7, 7)
    position = Position.of(board, red=["c4", "d2", "f1"], blue=["a1", "g7"])
    for gap, other in (("c3", "d3"), ("d3", "c3")):
        state = state_of(position, to_move="blue")
        state.play("blue", board.parse_cell(gap))
        assert board.cell_name(load_strategy("bridge").choose(state, Budget())) == other


def test_the_path_goes_on_when_no_bridge_is_left():
    # blue's wall has a single hole: red must step through it, no bridge leads there
    board = Hex(5, 5)
    position = Position.of(board, red=["a3", "b3"], blue=["c1", "c2", "c4", "b5"])
    path = BridgePaths(state_of(position)).shortest("red")
    assert path is not None
    assert board.parse_cell("c3") in path.missing
