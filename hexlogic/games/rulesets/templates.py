"""Rule text whose width depends on the board: Jinja templates and the words they may use."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from hexlogic.games import Game, Hex, chain_length_bound, winning_sets
from hexlogic.games.chains import longest_chain_bound
from hexlogic.games.rulesets.sandbox import bounded, expanded
from hexlogic.games.sweeps import sweep_bound

if TYPE_CHECKING:
    from hexlogic.games import Player

WINNING_SETS_LIMIT = 10_000
"""Minimal winning sets per player that one rule set may hold; 6x6 has 3,848 and 7x7 has 68,914."""


def each(pattern: str, first: int, last: int) -> str:
    """The pattern for each index from `first` to `last`, joined by commas; `{next}` is the index after `{i}`.

    >>> each("adjacent(X{i},X{next})", 1, 2)
    'adjacent(X1,X2), adjacent(X2,X3)'
    """
    numbers = range(first, last + 1)
    return bounded((pattern.replace("{i}", str(i)).replace("{next}", str(i + 1)) for i in numbers), ", ")


def pairs(pattern: str, last: int) -> str:
    """The pattern for all indices `i < j <= last`, joined by commas.

    >>> pairs("X{i} != X{j}", 3)
    'X1 != X2, X1 != X3, X2 != X3'
    """
    places = ((i, j) for j in range(2, last + 1) for i in range(1, j))
    return bounded((pattern.replace("{i}", str(i)).replace("{j}", str(j)) for i, j in places), ", ")


def _words(game: Game) -> dict[str, object]:
    """The board, as `board`, and the helpers; for Hex also words of its own."""
    words = {"board": game, "each": each, "pairs": pairs}
    return {**words, **_hex_words(game)} if isinstance(game, Hex) else words


def _hex_words(game: Hex) -> dict[str, object]:
    def width(player: Player) -> int:
        return game.columns if player == "red" else game.rows

    chain_lengths: Callable[[Player], range] = lambda player: range(  # noqa: E731
        width(player), chain_length_bound(game, player) + 1
    )
    return {
        "rows": game.rows,
        "columns": game.columns,
        "chain_lengths": chain_lengths,
        "longest_chain": lambda player: longest_chain_bound(game, player),
        "sweeps": lambda player: sweep_bound(game, player),
        "winning_sets": lambda player: winning_sets(game, player, limit=WINNING_SETS_LIMIT),
    }


def expand(template: str, game: Game, file: str) -> str:
    """The rule text of a template for one board.

    Raises SizeError when the board is too large for it and RuleSyntaxError when the template itself is wrong.
    """
    return expanded(template, _words(game), ("board",), file)
