"""What the agreement tests share: which configurations there are and which of them finish on which board."""

from __future__ import annotations

import functools
from collections.abc import Iterator

from hexlogic.games import BLUE, RED, Hex, Player, Position, as_hex, has_won
from hexlogic.games.rulesets import load_rule_set, rule_set_names
from hexlogic.language import Program
from hexlogic.language.engines import engine_names, load_engine
from hexlogic.language.passes import Pipeline

PIPELINES = (
    "none",
    "ground",
    "reorder",
    "ground,reorder",
    "ground,reorder,prune",
    "reorder:bound-first",
    "reorder:naive",
)
PLAYERS: tuple[Player, ...] = (RED, BLUE)
EXPONENTIAL = ("power-set", "power-set-extended", "follow-line", "winning-sets")
POLYNOMIAL = tuple(name for name in rule_set_names() if name not in EXPONENTIAL)
INSTALLED = tuple(name for name in engine_names() if load_engine(name).missing() is None)


@functools.lru_cache(maxsize=16)
def program_of(rule_set: str, pipeline: str, game: Hex) -> Program:
    return Pipeline.parse(pipeline).apply(load_rule_set(rule_set).instantiate(game))


def one_per_column_chain(position: Position, player: Player) -> bool:
    """Whether `player` has a chain with exactly one stone in every column (blue: every row), each touching the
    next. That is what the rule set `power-set` finds: enough for a win, and not needed for one.
    """
    game, stones = as_hex(position.game), position.stones(player)
    line, lines = (game.column, game.columns) if player == RED else (game.row, game.rows)
    reached = {cell for cell in stones if line(cell) == 1}
    for following in range(2, lines + 1):
        reached = {
            other for cell in reached for other in game.neighbours(cell) if other in stones and line(other) == following
        }
    return bool(reached)


def expected(rule_set: str, position: Position, player: Player) -> bool:
    """The right answer: the oracle's or, for the one incomplete rule set, that of its own reference."""
    return has_won(position, player) if load_rule_set(rule_set).complete else one_per_column_chain(position, player)


def all_red_stone_sets(game: Hex) -> Iterator[Position]:
    """Every set of red stones, blue on the other cells: each player's stones take every possible value once."""
    cells = list(game.cells)
    for number in range(2 ** len(cells)):
        red = frozenset(cell for index, cell in enumerate(cells) if number >> index & 1)
        yield Position(game, red, frozenset(cells) - red)


def finishes(rule_set: str, pipeline: str, position: Position) -> bool:
    """Whether the configuration is known to answer quickly: the exponential ones only do so on small positions."""
    cells = position.game.rows * position.game.columns
    stones = max(len(position.red), len(position.blue))
    stepwise = pipeline in ("reorder", "ground,reorder", "ground,reorder,prune")
    match rule_set:
        case "power-set":
            return cells <= 12 or (stepwise and stones <= 14)
        case "power-set-extended":
            return cells <= 6 or (stepwise and cells <= 16 and stones <= 8)
        case "follow-line":
            return cells <= 9 or stones <= 9
        case "winning-sets":
            return cells <= 25
        case _:
            return True
