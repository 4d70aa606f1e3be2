"""Following the blanks gives the oracle's answer on every ply, before, at and after the switch, and when undone."""

from __future__ import annotations

import random

import pytest

from hexlogic.detect.switching import BLANKS, Switching
from hexlogic.errors import EngineError
from hexlogic.games import Hex, Player, Position, has_won
from hexlogic.proofs import prove_equivalent
from hexlogic.proofs.outcome import Proof
from hexlogic.rulesets import load_rule_set


def bits(position: Position) -> int:
    return has_won(position, "red") | has_won(position, "blue") << 1


@pytest.mark.parametrize("rules", ["follow-line-tabled", "clusters", "clusters-labelled"])
@pytest.mark.parametrize("player", ["red", "blue"])
@pytest.mark.parametrize("size", [2, 3, 5])
def test_random_games_with_undos(rules: str, player: Player, size: int) -> None:
    chance, game = random.Random(f"{rules} {player} {size}"), Hex.square(size)
    follower, history, switches = Switching(rules, game, player=player), [], 0
    position = Position(game)
    for _ in range(12 * size * size):
        if history and (not position.empty or chance.random() < 0.35):
            position = history.pop()
            found = follower.undo()
        else:
            history.append(position)
            mover, cell = ("red", "blue")[len(history) % 2], chance.choice(sorted(position.empty))
            position = position.play(mover, cell)
            found = follower.set(cell - 1 + (len(game.cells) if mover == "blue" else 0))
        assert found == bits(position)
        switches += follower.switched
        if chance.random() < 0.05:
            other = follower.copy()
            if history:
                other.undo()
            assert follower._bits() == bits(position)
    assert switches > 0


def test_it_switches_when_blanks_are_fewer_than_the_opponents_stones() -> None:
    game = Hex.square(3)
    follower = Switching("clusters", game)
    states = []
    for ply, cell in enumerate([5, 1, 9, 2, 7, 8, 3]):
        follower.set(cell - 1 + (9 if ply % 2 else 0))
        states.append(follower.switched)
    # After the sixth stone there are three blanks and three blue stones; after the seventh two blanks.
    assert states == [False] * 6 + [True]


def test_the_two_ways_are_proved_equal() -> None:
    assert isinstance(prove_equivalent(load_rule_set("clusters"), load_rule_set(BLANKS), Hex.square(3)), Proof)


def test_an_incomplete_rule_set_is_refused() -> None:
    with pytest.raises(EngineError, match="may miss wins"):
        Switching("power-set", Hex.square(3))
