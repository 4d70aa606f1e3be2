"""Baseline players: play random games without any logic program, as a yardstick for the reasoners.

`referee` plays by the board's own referee, which shares no code with any rule: what a game's mean length and the mean
goals must be. Its speed says nothing. `open_spiel` is OpenSpiel's C++, with Hex written by hand: what speed there is.
"""

from __future__ import annotations

import random
from bisect import bisect_left
from collections.abc import Callable
from dataclasses import dataclass
from importlib import metadata
from importlib.util import find_spec
from typing import TypeAlias

from hexlogic.errors import UnknownNameError
from hexlogic.games import PLAYERS, Game
from hexlogic.laboratory.records.types import BASELINES, OPEN_SPIEL, REFEREE, EngineInfo

BASELINE_TITLES = {REFEREE: "the referee", OPEN_SPIEL: "OpenSpiel (C++)"}
"""What tables and records call the sheet of a baseline player."""

_ROLLOUTS = 2000
"""Of one evaluation of OpenSpiel."""


@dataclass(frozen=True, slots=True)
class RandomGames:
    """Random games: how many, their steps (None where nobody counts them), and the sum of the goals of each role."""

    games: int
    steps: int | None
    goals: tuple[float, ...]


Player: TypeAlias = Callable[[int, int], RandomGames]
"""Plays about so many games with a seed."""


def baseline_plays(name: str, game: str, rows: int | None, columns: int | None) -> bool:
    """Whether a baseline player knows a game on a board."""
    return name == REFEREE or (game == "hex" and rows == columns)


def baseline_info(name: str) -> EngineInfo:
    """A baseline player, for a session's header."""
    package, module = ("open-spiel", "pyspiel") if name == OPEN_SPIEL else ("hexlogic", "hexlogic")
    missing = f"pip install {package}" if find_spec(module) is None else None
    version = metadata.version(package) if missing is None else None
    return EngineInfo(version=version, missing=missing, dialect="none", order_sensitive=False)


def load_baseline(name: str, game: Game) -> Player:
    """The baseline player, ready to play a game. Raises UnknownNameError."""
    if name not in BASELINES:
        raise UnknownNameError.among("baseline player", name, list(BASELINES))
    return _referee(game) if name == REFEREE else _open_spiel(game)


def _referee(game: Game) -> Player:
    """Stones in a random order, up to the first that wins: found by halving, since more stones never undo a win."""

    def length(order: list[int], number: int) -> int:
        """The stones on the board when a player has won; one more than there are when he never has."""

        def has_won(count: int) -> bool:
            return game.has_won(frozenset(order[number:count:2]), PLAYERS[number])

        return bisect_left(range(len(order) + 1), True, key=has_won)

    def play(games: int, seed: int) -> RandomGames:
        draw = random.Random(seed)
        steps, goals = 0, [0.0, 0.0]
        for _ in range(games):
            order = draw.sample(list(game.cells), len(game.cells))
            lengths = [length(order, number) for number in range(2)]
            is_drawn = min(lengths) > len(order)
            steps += min(*lengths, len(order))
            for role in range(2):
                goals[role] += 50.0 if is_drawn else 100.0 * (lengths[role] == min(lengths))
        return RandomGames(games, steps, tuple(goals))

    return play


def _open_spiel(game: Game) -> Player:
    """One simulation of a tree search evaluates the first position by so many random games, all in C++."""
    import pyspiel

    hex_game = pyspiel.load_game(f"hex(board_size={game.rows})")

    def play(games: int, seed: int) -> RandomGames:
        value, count = 0.0, 0
        while count < games:
            evaluator = pyspiel.RandomRolloutEvaluator(_ROLLOUTS, seed + count)
            bot = pyspiel.MCTSBot(hex_game, evaluator, 2.0, 1, 100, False, seed, False)
            value += _ROLLOUTS * bot.mcts_search(hex_game.new_initial_state()).total_reward
            count += _ROLLOUTS
        # From -1 for a loss to 1 for a win of the first player.
        return RandomGames(count, None, (50.0 * (count + value), 50.0 * (count - value)))

    return play
