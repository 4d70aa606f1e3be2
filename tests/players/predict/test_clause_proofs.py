"""What is proved of a clause agrees with trying every position of 3x3."""

from __future__ import annotations

import functools
import itertools
import random

import pytest

from hexlogic.errors import HexlogicError
from hexlogic.games import PLAYERS, Hex, Player, Position, has_won, opponent, parse_position
from hexlogic.players.evaluation.prediction_file import StoredClause
from hexlogic.players.predict.clauses import (
    EVERYWHERE,
    KINDS,
    Clause,
    Colourings,
    Kind,
    PositionSpace,
    SymbolLiteral,
    generalise,
    prove_clause,
    readable,
    shrink,
)

BOARD = Hex.square(3)
SYMBOLS = [
    *(f"connected({p},{a},{b})" for p in PLAYERS for a in BOARD.cells for b in BOARD.cells if a < b),
    *(f"owns({p},{a})" for p in PLAYERS for a in BOARD.cells),
]


def is_of_kind(position: Position, kind: Kind, leader: Player) -> bool:
    ahead = len(position.stones(leader)) - len(position.stones(opponent(leader)))
    winners = [player for player in PLAYERS if has_won(position, player)]
    if kind == "any":
        return True
    if ahead not in (0, 1):
        return False
    if kind == "turns":
        return True
    if kind == "open":
        return not winners
    if not winners:
        return False
    stones, player = position.stones(winners[0]), winners[0]
    moved_last = ahead == (1 if player == leader else 0)
    return moved_last and any(not BOARD.has_won(stones - {stone}, player) for stone in stones)


@functools.cache
def positions(kind: Kind, leader: Player) -> tuple[Position, ...]:
    found = []
    for owners in itertools.product((0, 1, 2), repeat=9):
        red, blue = (frozenset(i + 1 for i, owner in enumerate(owners) if owner == sign) for sign in (1, 2))
        position = Position(BOARD, red, blue)
        if is_of_kind(position, kind, leader):
            found.append(position)
    return tuple(found)


def holds(position: Position, literal: SymbolLiteral) -> bool:
    """The literal by flood fill, without any rule."""
    name, _, arguments = literal[0].rstrip(")").partition("(")
    player, *cells = arguments.split(",")
    stones = position.red if player == "red" else position.blue
    if name == "owns":
        true = int(cells[0]) in stones
    else:
        true = any(set(map(int, cells)) <= set(group) for group in BOARD.groups(stones))
    return true == literal[1]


def random_clause(seed: int, length: int) -> tuple[SymbolLiteral, ...]:
    chance = random.Random(seed)
    return tuple((symbol, chance.random() < 0.35) for symbol in chance.sample(SYMBOLS, length))


@pytest.mark.takes_seconds
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("leader", PLAYERS)
def test_positions_of_a_kind_are_those_by_brute_force(kind: Kind, leader: Player) -> None:
    found = list(Colourings(PositionSpace(BOARD, kind, leader), []).positions([]))
    assert None not in found
    assert len(found) == len(set(found))
    assert set(found) == set(positions(kind, leader))


@pytest.mark.takes_seconds(keep=16)
@pytest.mark.parametrize("seed", range(12))
def test_redundant_literals_change_no_position_and_needed_ones_do(seed: int) -> None:
    kind = KINDS[seed % len(KINDS)]
    clause = random_clause(seed, 3 + seed % 4)
    kept, redundant, unknown = shrink(clause, Colourings(PositionSpace(BOARD, kind), clause))
    assert unknown == 0
    assert sorted((*kept, *redundant)) == sorted(clause)

    def fulfil(literals: tuple[SymbolLiteral, ...]) -> list[Position]:
        return [p for p in positions(kind, "blue") if all(holds(p, literal) for literal in literals)]

    assert fulfil(kept) == fulfil(clause)
    for literal in kept:
        assert fulfil(tuple(other for other in kept if other != literal)) != fulfil(kept)


def test_the_example_of_the_study_on_3x3() -> None:
    """Blue connections that a winning chain of red excludes follow from it."""
    clause = (("connected(red,4,6)", True), ("connected(blue,1,7)", False), ("connected(blue,3,7)", False))
    kept, redundant, _ = shrink(clause, Colourings(PositionSpace(BOARD, "turns", "red"), clause))
    assert kept == (("connected(red,4,6)", True),)
    assert set(redundant) == set(clause[1:])


@pytest.mark.takes_seconds(keep=25)
@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("kind", ["turns", "finished", "open"])
def test_puzzle_count_and_soundness_agree_with_brute_force(seed: int, kind: Kind) -> None:
    literals = random_clause(100 + seed, 1 + seed % 4)
    clause = Clause(0, literals, 1 if seed % 2 else -1, 0.1, 0.9)
    space = PositionSpace(BOARD, kind)
    proof = prove_clause(clause, space, 20_000)
    fulfilling = [p for p in positions(kind, "blue") if all(holds(p, literal) for literal in literals)]
    assert proof.all_counted
    assert proof.possible == bool(fulfilling)
    assert proof.colourings == len(fulfilling)
    assert (proof.puzzle is None) == (not fulfilling)
    if proof.puzzle is not None:
        assert parse_position(proof.puzzle) in fulfilling
    if not fulfilling:
        assert [one.verdict for one in proof.soundness] == ["sound"]
    else:
        check_soundness(proof, clause, space, fulfilling)


def check_soundness(proof: StoredClause, clause: Clause, space: PositionSpace, fulfilling: list[Position]) -> None:
    literals, kind = clause.literals, space.kind
    verdicts = {one.about: one for one in proof.soundness}
    everywhere = [p for p in positions("any", "blue") if all(holds(p, literal) for literal in literals)]
    assert (verdicts[EVERYWHERE].verdict == "sound") == all(has_won(p, clause.player) for p in everywhere)
    if kind != "open":
        lost = any(has_won(p, opponent(clause.player)) for p in fulfilling)
        about = "every finished position" if kind == "finished" else "every position that somebody has won"
        assert (verdicts[about].verdict == "refuted") == lost
    for one in proof.soundness:
        if one.counter_example is not None:
            position = parse_position(one.counter_example)
            assert all(holds(position, literal) for literal in literals)
            assert not has_won(position, clause.player)


def test_a_sound_clause_is_generalised_to_what_its_proof_needs() -> None:
    literals = (("connected(red,4,6)", True), ("connected(blue,1,2)", False), ("owns(red,9)", True))
    assert generalise(Clause(0, literals, 1, 0.1, 1.0), PositionSpace(BOARD, "turns")) == literals[:1]
    chains = (("connected(blue,1,4)", True), ("connected(blue,4,7)", True))
    assert generalise(Clause(0, chains, -1, 0.1, 1.0), PositionSpace(BOARD, "turns")) == chains


def test_some_clause_is_sound_and_some_is_refuted() -> None:
    won = prove_clause(Clause(0, (("connected(red,4,6)", True),), 3, 0.1, 1.0), PositionSpace(BOARD, "finished"))
    assert {one.verdict for one in won.soundness} == {"sound"}
    lost = prove_clause(Clause(0, (("owns(red,1)", True),), 3, 0.1, 1.0), PositionSpace(BOARD, "finished"))
    assert {one.verdict for one in lost.soundness} == {"refuted"}


def test_symbols_without_rules_are_refused() -> None:
    with pytest.raises(HexlogicError, match=r"no rule defines the symbol circuit_above\(0\)"):
        Colourings(PositionSpace(BOARD, "any"), [("circuit_above(0)", True)])


def test_readable_names_cells() -> None:
    assert readable(BOARD, ("bridge(blue,1,9)", False)) == "not bridge(blue,a1,c3)"
