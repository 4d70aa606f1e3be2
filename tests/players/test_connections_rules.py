"""The compiled deduction and the logic program find the same minimal carriers where no limit is set."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest

from hexlogic.errors import SizeError
from hexlogic.games import BLUE, PLAYERS, RED, Hex, Position, parse_position
from hexlogic.language.parser import parse
from hexlogic.players.connections import Connection, Connections
from hexlogic.process.files import rules_folder
from tests.players.by_rules import connections_by_rules


def of_kernel(connections: Connections, player: str) -> frozenset[Connection]:
    both = connections.full(player) + connections.semi(player)  # type: ignore[arg-type]
    return frozenset(replace(connection, depth=0) for connection in both)


def random_position(chance: random.Random, board: Hex, empty: int) -> Position:
    cells = chance.sample(list(board.cells), len(board.cells) - empty)
    share = chance.randint(0, len(cells))
    return Position(board, frozenset(cells[:share]), frozenset(cells[share:]))


def test_the_program_is_in_our_language() -> None:
    parts = [parse((rules_folder() / "strategy" / f"{name}.lp").read_text()) for name in ("captured", "connections")]
    assert {"full", "semi", "captured"} <= {rule.head.predicate.name for part in parts for rule in part.rules}


@pytest.mark.parametrize("captured", [False, True])
def test_same_carriers_on_random_positions(captured: bool) -> None:
    chance = random.Random(3)
    seen = 0
    for _ in range(40):
        board = chance.choice([Hex(3, 3), Hex(3, 3), Hex(2, 4), Hex(4, 3), Hex(4, 4), Hex(5, 3), Hex(5, 5)])
        position = random_position(chance, board, chance.randint(1, 6))
        player = chance.choice(PLAYERS)
        fast = of_kernel(Connections(position, None, None, captured=captured), player)
        assert fast == connections_by_rules(position, player, captured=captured), position.to_text()
        seen += len(fast)
    assert seen > 200


@pytest.mark.slow
@pytest.mark.parametrize("captured", [False, True])
@pytest.mark.parametrize("empty", [7, 8, 9])
def test_same_carriers_with_more_empty_cells(empty: int, captured: bool) -> None:
    chance = random.Random(empty)
    for _ in range(3 if empty < 9 else 1):
        position = random_position(chance, Hex(3, 3), empty)
        fast = of_kernel(Connections(position, None, None, captured=captured), RED)
        assert fast == connections_by_rules(position, RED, captured=captured), position.to_text()


def test_captured_pairs_give_more() -> None:
    """A position where two parts of a series may share a captured pair, and nothing else joins the edges of blue."""
    position = parse_position(". R . . / B . . . / . . . R / B B . . / . . R .".replace(" / ", "\n"))
    ends = (0, Connections(position).node(13))
    found = [
        [c for c in Connections(position, None, None, captured=captured).full(BLUE) if c.ends == ends]
        for captured in (False, True)
    ]
    assert len(found[1]) > len(found[0])


def test_too_many_empty_cells_are_refused() -> None:
    with pytest.raises(SizeError, match="16 empty cells"):
        connections_by_rules(Position(Hex(4, 4)), BLUE)


def test_moves_and_undo_give_what_the_whole_position_gives() -> None:
    """Without captured pairs and limits, what is kept from move to move equals deduction from the beginning."""
    chance = random.Random(5)
    compared = 0
    for _ in range(6):
        board = Hex(chance.randint(2, 4), chance.randint(2, 4))
        kept = Connections(board, None, None, captured=False)
        before = []
        for cell in chance.sample(list(board.cells), len(board.cells) - 1):
            before.append({player: of_kernel(kept, player) for player in PLAYERS})
            kept.play(cell, chance.choice(PLAYERS))
            anew = Connections(kept.position, None, None, captured=False)
            for player in PLAYERS:
                assert of_kernel(kept, player) == of_kernel(anew, player), kept.position.to_text()
                compared += 1
        while before:
            kept.undo()
            was = before.pop()
            assert {player: of_kernel(kept, player) for player in PLAYERS} == was
    assert compared > 50
