"""Make a labelled set of positions from a recipe: the same recipe gives the same bytes."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hexlogic.errors import HexlogicError
from hexlogic.games import BLUE, Hex, Player
from hexlogic.players.predict.dataset import Dataset, exact_winners, statistics
from hexlogic.players.predict.games import Games, boards_after, play_players, play_random
from hexlogic.players.predict.views import first_of_each

Report = Callable[[str, int, int], None]

MEANINGS = {
    "game": "the player who went on to win the game (blunders after the position included)",
    "exact": "the player who wins with perfect play, by the solver",
}


@dataclass(frozen=True, slots=True)
class Recipe:
    """How to make a set.

    `before` counts moves before the end. Without it positions are finished games, or, with exact labels, positions with
    a random number of empty cells, at most `most_empty`, before anybody has won. `players` are strategies by name; no
    name is random play. `opening` is how many random stones begin their games. `balanced` removes what the number of
    stones tells: see `generate`.
    """

    size: int
    games: int
    seed: int
    first: Player = BLUE
    before: int | None = None
    exact: bool = False
    balanced: bool = False
    players: tuple[str, ...] = ()
    opening: int = 2
    most_empty: int | None = None

    def __post_init__(self) -> None:
        cells = Hex.square(self.size).cells
        if self.games < 1:
            raise HexlogicError(f"{self.games} games are no games", file="--games")
        if self.before is not None and not 0 <= self.before < len(cells):
            raise HexlogicError(f"{self.before} moves before the end", file="--before", hint=f"0 to {len(cells) - 1}")
        if self.most_empty is not None and not (self.exact and 1 <= self.most_empty <= len(cells)):
            raise HexlogicError(
                f"{self.most_empty} empty cells", file="--max-empty", hint=f"1 to {len(cells)}, with --label exact"
            )
        if self.exact and self.before == 0:
            raise HexlogicError("finished games need no perfect play", file="--label", hint="leave out --before 0")

    @property
    def reach(self) -> int:
        """The most empty cells of a position with an exact label: all of boards up to 5x5, else 20."""
        return self.most_empty or (self.size * self.size if self.size <= 5 else 20)


def generate(recipe: Recipe, report: Report = lambda what, done, whole: None) -> Dataset:
    """The set of a recipe. `report` hears what is done, how far, and of how many.

    A balanced set takes half of its positions one stone later, so that the parity of the stones is not the winner's
    (finished games then have a stone of the loser played after the win), and keeps as many positions that red wins as
    blue wins for every number of stones. Positions that occur twice, turned or mirrored ones too, are kept once. Raises
    HexlogicError when nothing is left, and SizeError for a board that the solver cannot take.
    """
    board = Hex.square(recipe.size)
    random = np.random.default_rng(recipe.seed)
    if recipe.players:
        games = play_players(
            board,
            recipe.games,
            recipe.first,
            recipe.players,
            recipe.opening,
            random,
            lambda done: report("games", done, recipe.games),
        )
    else:
        games = play_random(board, recipe.games, recipe.first, random)
    stones = _stones(recipe, games, random)
    possible = stones >= 0
    boards, to_move = boards_after(games, np.maximum(stones, 0))
    data = Dataset(board, boards, games.winners, to_move, np.arange(recipe.games, dtype=np.int32), {}).take(possible)
    data, repeated = _once(data)
    if recipe.exact:
        winners = exact_winners(
            board, data.boards, data.to_move, report=lambda done: report("positions solved", done, len(data))
        )
        data = Dataset(board, data.boards, winners, data.to_move, data.games, {})
    if recipe.balanced:
        data = data.take(_balanced(data, random))
    if not len(data):
        raise HexlogicError("no position is left", hint="more games, or without --balanced")
    card: dict[str, Any] = {
        "rules": "Hex: red joins the first column with the last, blue the first row with the last",
        **{name: list(value) if isinstance(value, tuple) else value for name, value in asdict(recipe).items()},
        "kind": "open" if recipe.exact or recipe.before else "turns" if recipe.balanced else "finished",
        "label": MEANINGS["exact" if recipe.exact else "game"],
        "source": "players" if recipe.players else "random games that stop at the win",
        "impossible": {"games too short": int(np.count_nonzero(~possible))},
        "repeated": repeated,
        **statistics(data),
        "games_played": recipe.games,
        "game_stones_mean": round(float(np.mean(games.lengths)), 2),
        "game_first_mover_won": round(float(np.mean((games.winners == 2) == (recipe.first == BLUE))), 4),
    }
    return Dataset(board, data.boards, data.winners, data.to_move, data.games, card)


def _stones(recipe: Recipe, games: Games, random: np.random.Generator) -> NDArray[np.int64]:
    """After how many stones each game is looked at; -1 where the game has no such position."""
    cells = games.orders.shape[1]
    if recipe.exact and recipe.before is None:
        low, high = np.full(len(games.lengths), max(0, cells - recipe.reach)), games.lengths - 1
        drawn = low + np.floor(random.random(len(low)) * (high - low + 1)).astype(np.int64)
        return np.where(high >= low, drawn, -1)
    stones = games.lengths - (recipe.before or 0)
    if recipe.balanced:
        stones = stones + random.integers(0, 2, len(stones))
    if recipe.exact:
        # Labels for the positions that the solver reaches, and for games that are not over.
        return np.where((stones >= max(0, cells - recipe.reach)) & (stones < games.lengths), stones, -1)
    return np.where((stones >= 0) & (stones <= cells), stones, -1)


def _once(data: Dataset) -> tuple[Dataset, int]:
    """The set with each position once, the first, turned and mirrored ones counted as the same, and how many were left
    out: the answer to a test position must not stand in the train split."""
    first = first_of_each(data.board, data.boards, data.to_move)
    return data.take(first), len(data) - len(first)


def _balanced(data: Dataset, random: np.random.Generator) -> NDArray[np.int64]:
    """The places of as many positions of each winner for every number of stones."""
    kept = []
    for number in np.unique(data.stones):
        places = [np.flatnonzero((data.stones == number) & (data.winners == sign)) for sign in (1, 2)]
        least = min(map(len, places))
        kept += [random.permutation(group)[:least] for group in places]
    return np.sort(np.concatenate(kept)).astype(np.int64)
