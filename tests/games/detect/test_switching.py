"""Following the blanks gives the oracle's answer on every ply, before, at and after the switch, and when undone."""

from __future__ import annotations

import random

import pytest

from hexlogic import Detector
from hexlogic.errors import EngineError
from hexlogic.games import Hex, Position, winner
from hexlogic.games.detect.detector import BLANKS, SwitchingFollower
from hexlogic.games.rulesets import load_rule_set
from hexlogic.proofs import prove_equivalent
from hexlogic.proofs.equality import Proof


def is_switched(detector: Detector) -> bool:
    follower = detector._follower
    assert isinstance(follower, SwitchingFollower)
    return follower._dropped is not None


@pytest.mark.takes_seconds(keep=4)
@pytest.mark.parametrize(
    ("rules", "engine"),
    [
        ("follow-line-tabled", "compiled"),
        ("clusters", "compiled"),
        ("clusters-labelled", "compiled"),
        ("clusters", "clingo"),
    ],
)
@pytest.mark.parametrize("size", [2, 3, 5])
def test_random_games_with_undos(rules: str, engine: str, size: int) -> None:
    chance = random.Random(f"{rules} {engine} {size}")
    detector, history, switches = Detector(rules, size=size, engine=engine, switch=True), [], 0
    position = Position(Hex.square(size))
    for _ in range(12 * size * size):
        if history and (winner(position) or chance.random() < 0.3):
            position = history.pop()
            detector.undo()
        else:
            history.append(position)
            player, cell = ("red", "blue")[len(history) % 2], chance.choice(sorted(position.empty))
            position = position.play(player, cell)
            detector.play(player, cell)
        assert detector.winner() == winner(position)
        assert detector.position == position
        switches += is_switched(detector)
        if chance.random() < 0.05 and history:
            other = detector.copy()
            other.undo()
            assert other.winner() == winner(history[-1])
            assert detector.winner() == winner(position)
    assert switches > 0


def test_it_switches_when_blanks_are_fewer_than_the_opponents_stones() -> None:
    detector = Detector("clusters", size=3, switch=True)
    states = []
    for ply, cell in enumerate([5, 1, 9, 2, 6, 8, 3]):
        detector.play("blue" if ply % 2 else "red", cell)
        states.append(is_switched(detector))
    # After the sixth stone there are three blanks and three blue stones; after the seventh two blanks.
    assert states == [False] * 6 + [True]
    detector.undo()
    assert not is_switched(detector)


def test_the_two_ways_are_proved_equal() -> None:
    assert isinstance(prove_equivalent(load_rule_set("clusters"), load_rule_set(BLANKS), Hex.square(3)), Proof)


@pytest.mark.parametrize(
    ("rules", "options", "words"),
    [
        ("power-set", {}, "power-set may miss wins"),
        ("clusters-merging", {"engine": "clingo"}, "changes a state"),
        ("follow-line-tabled", {"game": "tic-tac-toe-3d"}, "the Hex theorem"),
    ],
)
def test_where_the_blanks_would_not_say_the_same(rules: str, options: dict[str, str], words: str) -> None:
    with pytest.raises(EngineError, match=words):
        Detector(rules, size=3, switch=True, **options)
