"""Balanced openings: two stones after which both players have about the same chances, kept as files by size.

A line is a red and a blue cell; comments say how they were found, as `find_openings` does:

1. Pairs of cells are drawn; the evaluation of the circuit drops those that are far from even with red to move.
2. Monte Carlo search with connections gives red's share; the pairs nearest to one half are kept, few for a first cell.
3. The same search plays games against itself from each; pairs from which one player wins nearly all are dropped.
"""

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from hexlogic.errors import HexlogicError, PositionError
from hexlogic.games.game import RED
from hexlogic.games.game_state import GameState
from hexlogic.games.kinds.hex import Hex
from hexlogic.players.evaluation.kernels import resistance
from hexlogic.players.geometry import flat_cells, geometry_of
from hexlogic.players.search.monte_carlo import RAVE, MonteCarlo
from hexlogic.players.strategies.mcts_vc import MctsVcStrategy
from hexlogic.players.strategy import Budget
from hexlogic.players.tournament.run import play_game
from hexlogic.process.files import read_text, readable

FOLDER: Final = Path(__file__).parent / "openings"


def openings_for(text: str, size: str) -> tuple[tuple[str, ...], ...]:
    """The openings that `--openings` names for a size: `balanced` (the empty board where there is no file), `none`, or
    a file. Raises PositionError with its place, and SizeError.

    >>> openings_for("none", "9")
    ((),)
    """
    board = Hex.of_text(size)
    if text == "none":
        return ((),)
    if text == "balanced":
        file = FOLDER / f"{board.size_text}.txt"
        return read_openings(file, board) if file.is_file() else ((),)
    return read_openings(Path(text), board)


def read_openings(file: Path, board: Hex) -> tuple[tuple[str, ...], ...]:
    """The openings of a file: cells in turn, red first. Raises PositionError with its place."""
    with readable(file, "openings", PositionError):
        lines = read_text(file).splitlines()
    openings = []
    for number, line in enumerate(lines, 1):
        words = line.partition("#")[0].replace(",", " ").split()
        try:
            cells = [board.parse_cell(word) for word in words]
        except HexlogicError as error:
            raise error.at(file=str(file), line=number) from None
        if len(set(cells)) < len(cells):
            raise PositionError("a cell is given twice", file=str(file), line=number)
        if words:
            openings.append(tuple(words))
    if not openings:
        raise PositionError("there is no opening in this file", file=str(file), hint="such as a2 f5")
    return tuple(openings)


_DRAWN: Final = 12  # Pairs that are looked at by search, for each opening that is asked for
_KEPT: Final = 2  # Pairs that are checked by games
_SAME_FIRST: Final = 3
_LEAST_SHARE: Final = 0.25  # A colour must win this part of the games


@dataclass(frozen=True, slots=True)
class BalancedOpening:
    """Two cells, the share of playouts that red won with red to move, and the games that red won of those played."""

    cells: tuple[int, int]
    share: float
    won: int
    games: int


def find_openings(
    board: Hex,
    count: int,
    *,
    playouts: int,
    games: int,
    game_playouts: int,
    seed: int,
    say: Callable[[str], None] = lambda text: None,
) -> list[BalancedOpening]:
    """So many openings, the most balanced by results and then by search first; fewer where no more are. The value of an
    opening is that of `playouts`; `games`, with `game_playouts` for a move, check it."""
    candidates = _candidates(board, random.Random(seed), count * _DRAWN)
    say(f"{len(candidates)} openings to look at")
    shares = []
    for cells in candidates:
        tree = MonteCarlo(_after(board, cells), RAVE, seed)
        tree.run(Budget(playouts=playouts))
        if share := tree.best()[1]:
            shares.append((abs(share - 0.5), share, cells))
    kept: list[tuple[float, tuple[int, int]]] = []
    for _, share, cells in sorted(shares):
        if sum(cells[0] == other[0] for _, other in kept) < _SAME_FIRST and len(kept) < count * _KEPT:
            kept.append((share, cells))
    say(f"{len(kept)} openings to check by {games} games each")
    balanced: list[BalancedOpening] = []
    for share, cells in kept:
        won = 0
        for drawn in range(seed, seed + 2 * games, 2):
            seats = [MctsVcStrategy(str(game_playouts), drawn + seat) for seat in range(2)]
            won += play_game(board, seats, Budget(), opening=cells).colour == RED
        if _LEAST_SHARE * games <= won <= (1 - _LEAST_SHARE) * games:
            balanced.append(BalancedOpening(cells, share, won, games))
    balanced.sort(key=lambda each: (abs(each.won / max(1, each.games) - 0.5), abs(each.share - 0.5), each.cells))
    return balanced[:count]


def _candidates(board: Hex, rng: random.Random, count: int) -> list[tuple[int, int]]:
    """Pairs whose circuit is nearest to even; a draw of ten times as many, each once up to a half turn of the board."""
    cells = len(board.cells)
    drawn: set[tuple[int, int]] = set()
    for _ in range(40 * count):
        red, blue = rng.sample(range(1, cells + 1), 2)
        drawn.add(min((red, blue), (cells + 1 - red, cells + 1 - blue)))
        if len(drawn) >= 10 * count:
            break
    # What a stone in the middle of an empty board is worth. Red is to move, which is worth half of that, about as much
    # again as blue's last stone.
    tempo = _resistance(_after(board, [board.cell((board.rows + 1) // 2, (board.columns + 1) // 2)]))

    return sorted(drawn, key=lambda pair: (abs(_resistance(_after(board, pair)) + 0.5 * tempo), pair))[:count]


def _resistance(state: GameState) -> float:
    rows, columns = state.board.rows, state.board.columns
    tables = geometry_of(rows, columns)
    return float(resistance(flat_cells(state), tables.neighbours, tables.bridges, rows, columns))


def _after(board: Hex, cells: Sequence[int]) -> GameState:
    state = GameState(board)
    for cell in cells:
        state.play(state.to_move, cell)
    return state
