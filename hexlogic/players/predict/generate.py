"""Make a labelled set of positions from games, at random or between players: the same recipe gives the same bytes."""

import contextlib
from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np
from msgspec import structs
from numpy.typing import NDArray

from hexlogic.errors import HexlogicError
from hexlogic.games import BLUE, PLAYERS, Hex
from hexlogic.players.evaluation.prediction_file import ANY, DataCard, Recipe
from hexlogic.players.evaluation.symbols import Signs, SymbolSet, exchanged
from hexlogic.players.geometry import mirror_cells
from hexlogic.players.predict.dataset import SOLVED_EMPTIES, Dataset, exact_winners, first_of_each, with_figures
from hexlogic.players.strategies import load_strategy
from hexlogic.players.strategy import Budget
from hexlogic.players.tournament.run import play_game

Report = Callable[[str, int, int], None]

_GAME_LABEL = "the player who went on to win the game (blunders after the position included)"
_EXACT_LABEL = "the player who wins with perfect play, by the solver"


@dataclass(frozen=True, eq=False)
class Games:
    """G games on one board: `orders[G, cells]` (int32 cells from 0, in the order of play; all cells of the board),
    `lengths[G]` (stones at the end) and `winners[G]` (1 red, 2 blue). `first` moved first in all of them."""

    board: Hex
    first: Signs
    orders: NDArray[np.int32]
    lengths: NDArray[np.int64]
    winners: Signs

    def after(self, stones: NDArray[np.int64]) -> tuple[Signs, Signs]:
        """The boards `[G, cells]` after so many stones of each game, and who is to move then (1 red, 2 blue)."""
        turns = np.arange(self.orders.shape[1])
        placed = np.where(turns < stones[:, None], self._mover(turns), np.uint8(0))
        boards = np.zeros_like(placed)
        np.put_along_axis(boards, self.orders.astype(np.int64), placed, axis=1)
        return boards, self._mover(stones[:, None])[:, 0]

    def _mover(self, turns: NDArray[np.int64]) -> Signs:
        """Who moves in a turn, from 0, of each game: `[G, turns]`."""
        return np.where(turns % 2 == 0, self.first[:, None], exchanged(self.first)[:, None])


def play_random(recipe: Recipe, random: np.random.Generator) -> Games:
    """Games of uniformly random moves that stop at the win, which is found by bisection: a won board stays won."""
    board, games = Hex.square(recipe.size), recipe.games
    cells = len(board.cells)
    orders = random.permuted(np.tile(np.arange(cells, dtype=np.int32), (games, 1)), axis=1)
    low: NDArray[np.int64] = np.zeros(games, np.int64)
    high: NDArray[np.int64] = np.full(games, cells)
    first: Signs = np.full(games, 1 + (recipe.first == BLUE), np.uint8)
    if recipe.first == ANY:
        first = random.integers(1, 3, games, dtype=np.uint8)
    drawn, won = Games(board, first, orders, high, np.zeros(games, np.uint8)), SymbolSet("won", board)
    while np.any(low + 1 < high):
        middle = (low + high) // 2
        over = won.truths(*drawn.after(middle)).any(axis=1)
        low, high = np.where(over, low, middle), np.where(over, middle, high)
    return replace(drawn, lengths=high, winners=exchanged(drawn.after(high)[1]))


def play_players(recipe: Recipe, random: np.random.Generator, report: Report) -> Games:
    """Games between strategies by name, two drawn for each game, after some random stones.

    The library's games begin with red; where blue is to be first, in each game or in some, the mirror images are taken,
    in which the players change roles. Raises UnknownNameError for a strategy.
    """
    board, games, players = Hex.square(recipe.size), recipe.games, recipe.players
    seats = {name: load_strategy(name, int(random.integers(2**31))) for name in sorted(set(players))}
    cells = len(board.cells)
    orders: NDArray[np.int32] = np.zeros((games, cells), np.int32)
    lengths: NDArray[np.int64] = np.zeros(games, np.int64)
    winners: Signs = np.zeros(games, np.uint8)
    with contextlib.ExitStack() as strategies:
        for strategy in seats.values():
            strategies.callback(strategy.close)
            strategy.prepare(board)
        for game in range(games):
            start = (random.permutation(cells)[: recipe.opening] + 1).tolist()
            names = [players[int(place)] for place in random.integers(len(players), size=2)]
            for name in names:
                seats[name].reset(int(random.integers(2**31)))
            outcome = play_game(board, [seats[name] for name in names], Budget(), opening=start)
            played = [turn.action - 1 for turn in outcome.turns if isinstance(turn.action, int)]
            orders[game] = [*played, *sorted(set(range(cells)) - set(played))]
            lengths[game], winners[game] = len(played), PLAYERS.index(outcome.colour) + 1
            report("games", game + 1, games)
    turned = random.random(games) < 0.5 if recipe.first == ANY else np.full(games, recipe.first == BLUE)
    orders[turned], winners[turned] = mirror_cells(board.rows)[orders[turned]], exchanged(winners[turned])
    return Games(board, np.where(turned, 2, 1).astype(np.uint8), orders, lengths, winners)


def generate(recipe: Recipe, report: Report = lambda what, done, whole: None) -> Dataset:
    """The set of a recipe. `report` hears what is done, how far, and of how many.

    A balanced set takes half of its positions one stone later, so that the parity of the stones is not the winner's
    (finished games then have a stone of the loser played after the win), and keeps as many positions that red wins as
    blue wins for every number of stones. Positions that occur twice, turned or mirrored ones too, are kept once: the
    answer to a test position must not stand in the train split. Raises HexlogicError when nothing is left, and
    SizeError for a board that the solver cannot take.
    """
    random = np.random.default_rng(recipe.seed)
    games = play_players(recipe, random, report) if recipe.players else play_random(recipe, random)
    board, count = games.board, recipe.games
    stones = _stones(recipe, games, random)
    boards, to_move = games.after(np.maximum(stones, 0))
    card = DataCard(
        **structs.asdict(recipe),
        kind="open" if recipe.exact or recipe.before else "turns" if recipe.balanced else "finished",
        label=_EXACT_LABEL if recipe.exact else _GAME_LABEL,
        source="players" if recipe.players else "random games that stop at the win",
    )
    data = Dataset(board, boards, games.winners, to_move, np.arange(count, dtype=np.int32), card).take(stones >= 0)
    once = first_of_each(board, data.boards, data.to_move)
    repeated, data = len(data) - len(once), data.take(once)
    if recipe.exact:
        data = replace(data, winners=exact_winners(data, lambda done: report("positions solved", done, len(data))))
    if recipe.balanced:
        kept = []  # as many positions of each winner for every number of stones
        for number in np.unique(data.stones):
            places = [np.flatnonzero((data.stones == number) & (data.winners == sign)) for sign in (1, 2)]
            least = min(map(len, places))
            kept += [random.permutation(group)[:least] for group in places]
        data = data.take(np.sort(np.concatenate(kept)).astype(np.int64))
    if not len(data):
        raise HexlogicError("no position is left", hint="more games, or without --balanced")
    return with_figures(
        data,
        impossible={"games without such a position": int(np.count_nonzero(stones < 0))},
        repeated=repeated,
        games_played=count,
    )


def _stones(recipe: Recipe, games: Games, random: np.random.Generator) -> NDArray[np.int64]:
    """After how many stones each game is looked at; -1 where the game has no such position."""
    low = 0
    high: NDArray[np.int64] = np.full(len(games.lengths), games.orders.shape[1])
    if recipe.exact:
        # The positions that the solver reaches, of games that are not over.
        low, high = 0 if recipe.size <= 5 else recipe.size**2 - SOLVED_EMPTIES, games.lengths - 1
    if recipe.exact and recipe.before is None:
        stones = low + np.floor(random.random(len(high)) * (high - low + 1)).astype(np.int64)
    else:
        stones = games.lengths - (recipe.before or 0)
        if recipe.balanced:
            stones = stones + random.integers(0, 2, len(stones))
    high = np.minimum(high, np.floor(games.orders.shape[1] * (1 - recipe.open_share)).astype(np.int64))
    return np.where((low <= stones) & (stones <= high), stones, -1)
