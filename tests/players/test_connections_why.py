"""Derivations: every claimed connection has one, clingo accepts it, and refuses it when anything in it is changed."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest

from hexlogic.errors import MoveError
from hexlogic.games import PLAYERS, Hex, Position
from hexlogic.language.parser import parse
from hexlogic.players.connections import Connection, Connections
from hexlogic.players.connections.connections import Derivation
from hexlogic.process.files import rules_folder
from tests.players.by_rules import check_derivation


def random_position(chance: random.Random, board: Hex, stones: int) -> Position:
    cells = chance.sample(list(board.cells), stones)
    return Position(board, frozenset(cells[::2]), frozenset(cells[1::2]))


def test_the_checking_program_is_in_our_language() -> None:
    program = parse((rules_folder() / "strategy" / "derivation-check.lp").read_text())
    assert {"wrong", "refused"} <= {rule.head.predicate.name for rule in program.rules}


def test_derivations_of_random_positions_are_accepted() -> None:
    chance = random.Random(13)
    judged = 0
    rules = set()
    for _ in range(4):
        board = Hex(chance.randint(3, 5), chance.randint(3, 6))
        connections = Connections(random_position(chance, board, chance.randint(0, 9)))
        for player in PLAYERS:
            claimed = connections.full(player) + connections.semi(player)
            for connection in chance.sample(claimed, min(3, len(claimed))):
                derivation = connections.why(connection)
                assert check_derivation(connections.position, connection, derivation) == []
                rules |= {step.rule for step in derivation.steps()}
                judged += 1
    assert judged > 12
    assert rules == {"adjacent", "series", "parallel"}


def test_connections_kept_over_moves_have_derivations() -> None:
    chance = random.Random(2)
    judged = 0
    for _ in range(4):
        board = Hex(4, chance.randint(4, 5))
        connections = Connections(board)
        for ply, cell in enumerate(chance.sample(list(board.cells), 8)):
            connections.play(cell, PLAYERS[ply % 2])
        for player in PLAYERS:
            claimed = connections.full(player) + connections.semi(player)
            for connection in chance.sample(claimed, min(15, len(claimed))):
                assert connections.why(connection).carrier <= connection.carrier
                judged += 1
    assert judged > 60


def ziggurat() -> tuple[Connections, Connection, Derivation]:
    connections = Connections(Position(Hex(3, 5), blue=frozenset({3})))
    claim = next(c for c in connections.full("blue") if c.ends == (3, 16) and len(c.carrier) == 8)
    return connections, claim, connections.why(claim)


def test_a_changed_derivation_is_refused() -> None:
    """Every cell that any step loses, every premise that stands alone and every false middle is noticed."""
    connections, claim, derivation = ziggurat()
    assert check_derivation(connections.position, claim, derivation) == []
    changed = 0
    for cell in sorted(derivation.carrier):
        smaller = replace(derivation, carrier=derivation.carrier - {cell})
        assert check_derivation(connections.position, claim, smaller)
        assert check_derivation(connections.position, replace(claim, carrier=claim.carrier - {cell}), derivation)
        changed += 1
    for premise in derivation.premises:
        assert check_derivation(connections.position, claim, replace(derivation, premises=(premise,)))
        changed += 1
    semi = derivation.premises[0]
    assert semi.rule == "series"
    for middle in sorted(set(connections.board.cells) - {semi.middle}):
        false = replace(semi, middle=middle)
        premises = (false, *derivation.premises[1:])
        assert check_derivation(connections.position, claim, replace(derivation, premises=premises))
        changed += 1
    assert changed > 15


@pytest.mark.parametrize(
    "more",
    [
        *("owns(red,0).", "owns(red,-1).", "owns(blue,16).", "owns(red,17).", "blank(0).", "blank(16)."),
        *("owns(red,3).", "blank(3).", "owns(blue,1).", "player(red).", "owns(red,6..10)."),
        *("kind(0,semi).", "kind(0,full).", "step(0,series).", "ends(0,0,16).", "uses(0,99).", "premise(0,1)."),
    ],
)
def test_what_is_no_position_or_says_two_things_is_refused(more: str) -> None:
    """A stone or a blank cell off the board, two stones on a cell, two players; a step of two kinds."""
    connections, claim, derivation = ziggurat()
    step = derivation.steps()[0]
    if more.startswith(f"kind(0,{step.kind})"):
        assert check_derivation(connections.position, claim, derivation, more) == []
    else:
        assert check_derivation(connections.position, claim, derivation, more)


def test_a_connection_that_does_not_hold_has_no_derivation() -> None:
    connections, claim, _ = ziggurat()
    for cell in sorted(claim.carrier):
        with pytest.raises(MoveError, match="the rules do not give"):
            connections.why(replace(claim, carrier=claim.carrier - {cell}))


def test_text_of_a_derivation() -> None:
    connections = Connections(Position(Hex(3, 3), red=frozenset({5})))
    claim = next(c for c in connections.full("red") if c.ends == (0, 5))
    first, *premises = connections.why(claim).lines(connections.board, "red")
    assert first == "left - b2: full, parallel, 2 semi-connections: a2 a3"
    assert sorted(premises) == ["  left - b2: semi, series through a2: a2", "  left - b2: semi, series through a3: a3"]
