"""The boards and positions on which two texts are compared: all of small boards, and those where a number matters.

Besides random positions those are tried that differ in one stone from winning to not winning, with that stone on the
cell of a number that occurs in the texts, and boards on which such a number is a cell, a column, a row and a length.
"""

import contextlib
import random
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Final, TypeAlias

from hexlogic.errors import SizeError
from hexlogic.games import PLAYERS, Game, Hex, Player
from hexlogic.games.game import Kind

MOST_CELLS: Final = 4096
"""The largest board, and so the largest number that a cell, a column or a row can have."""
LONGEST_CHAIN: Final = 100
"""The longest row of stones: rule sets may derive a fact for each pair of them."""
MOST_NUMBERS: Final = 16
"""The numbers of a text for which boards are made, the smallest first."""

_SMALL: Final = 16
_POSITIONS: Final = 10_000
_SAMPLED: Final = 65
_SHORT: Final = 20
_PIVOTS: Final = 300
_INTEGERS: Final = 2**31

Stones: TypeAlias = Mapping[Player, frozenset[int]]


@dataclass(frozen=True, slots=True)
class TrialBoard:
    """A board by its sizes; `game` is None for a board of Hex that is too long to be drawn."""

    sizes: tuple[tuple[str, int], ...]
    cells: int
    game: Game | None

    def __str__(self) -> str:
        if self.game is not None:
            return str(self.game)
        return "x".join(str(length) for _, length in self.sizes) + " Hex"

    def chain(self, player: Player, chance: random.Random) -> frozenset[int]:
        """Stones that win, none of which can be spared; all cells where it takes them all."""
        everywhere = range(1, self.cells + 1)
        if self.game is None:
            rows, columns = (length for _, length in self.sizes)
            return frozenset(range(1, columns + 1) if player == "red" else range(1, rows * columns + 1, columns))
        stones = frozenset(cell for cell in everywhere if chance.random() < 0.8)
        return frozenset(self.game.winning_stones(stones, player) or everywhere)

    def chain_through(self, cell: int, player: Player, chance: random.Random) -> frozenset[int]:
        """Stones that win and not without the one on `cell`; none where no such stones are found."""
        if self.game is None or self.cells > _PIVOTS:
            return frozenset()
        others, lost = [other for other in self.game.cells if other != cell], frozenset[int]()
        chance.shuffle(others)
        for other in others:
            if not self.game.has_won(lost | {other}, player):
                lost |= {other}
        return frozenset(self.game.winning_stones(lost | {cell}, player) or ())


def reached(numbers: Iterable[int]) -> list[int]:
    """The numbers for which boards are made."""
    return [number for number in sorted(numbers) if number <= MOST_CELLS][:MOST_NUMBERS]


def plan(kind: Kind, numbers: Sequence[int]) -> Iterator[tuple[TrialBoard, Iterable[Stones] | None]]:
    """The boards, each with the positions to try on it; None stands for all of them at once."""
    chance = random.Random(0)
    shapes = [(2, 3), (3, 2), (4, 4)] if kind is Hex else [(side,) for side in range(1, _SMALL)]
    small = [board for board in _boards(kind, shapes) if board.cells <= _SMALL]
    larger = list(_boards(kind, [(6, 11)] if kind is Hex else [(side,) for side in range(1, _SAMPLED + 1)]))
    sampled = next((board for board in larger if board.cells >= _SAMPLED), larger[-1])
    for board in small:
        yield board, None
    # Where an integer of clingo wraps, with the number added or as a factor, is as good a place as the number itself.
    wraps = {abs(_INTEGERS - number) for number in numbers} | {_INTEGERS // number + 1 for number in numbers if number}
    places = {number for number in {*numbers, *wraps} if number <= MOST_CELLS}
    near = {number + more for number in places for more in (-1, 0, 1)}
    yield sampled, _positions(sampled, near, chance, alone=False)
    for number in reached(number for number in places if number > 4):
        for board in _boards_for(kind, number):
            if board not in (*small, sampled):
                yield board, _positions(board, {number - 1, number, number + 1}, chance, alone=True)


def sized_boards(kind: Kind, sizes: Iterable[tuple[int, ...]]) -> Iterator[Game]:
    """The boards of these sizes; a game may have a smallest board."""
    for size in sizes:
        with contextlib.suppress(SizeError):
            yield kind.of_size(*size)


def _boards(kind: Kind, shapes: Iterable[tuple[int, ...]]) -> Iterator[TrialBoard]:
    """The boards of these shapes, without those that the game does not have and those with too many cells."""
    for shape in dict.fromkeys(shapes):
        game = next(sized_boards(kind, [shape]), None)
        if game is None and kind is Hex and shape[0] * shape[-1] <= MOST_CELLS:
            yield TrialBoard((("rows", shape[0]), ("columns", shape[-1])), shape[0] * shape[-1], None)
        elif game is not None and len(game.cells) <= MOST_CELLS:
            sizes: dict[str, int] = asdict(game)  # type: ignore[call-overload]  # a board is a dataclass
            yield TrialBoard(tuple(sizes.items()), len(game.cells), game)


def _boards_for(kind: Kind, number: int) -> Iterator[TrialBoard]:
    """Boards on which the number is a cell, a column, a row, and a length."""
    more = number + 1
    if kind is Hex:
        square = [(more, more)] if number < _SAMPLED // 2 else []
        return _boards(kind, [(1, number), (number, 1), (2, more), (more, 2), *square])
    first = next((side for side in range(1, more) for board in _boards(kind, [(side,)]) if board.cells >= number), more)
    return _boards(kind, [(number,), (more,), (first,)])


def all_positions(cells: int) -> tuple[int, dict[Player, dict[int, int]]]:
    """Positions of a board, and for each stone those in which it is there, one bit each.

    All of them on the smallest boards. Else every set of one player's stones, alone and with the other player on all
    other cells, and as many random positions.
    """
    places = range(1, cells + 1)
    if 3**cells <= _POSITIONS:
        count = 3**cells
        return count, {
            player: {cell: sum(1 << n for n in range(count) if n // 3 ** (cell - 1) % 3 == digit) for cell in places}
            for digit, player in enumerate(PLAYERS, 1)
        }
    count, chance = 2**cells, random.Random(0)
    everything = (1 << count) - 1
    # The sets with the cell number k in them: blocks of 2**(k-1) zeros and ones.
    chosen = {cell: everything ^ everything // ((1 << 2 ** (cell - 1)) + 1) for cell in places}
    red_bits, blue_bits = dict[int, int](), dict[int, int]()
    for cell, bits in chosen.items():
        red = chance.getrandbits(count)
        blue = chance.getrandbits(count) & ~red
        rest = everything ^ bits
        red_bits[cell] = bits | bits << count | red << 3 * count
        blue_bits[cell] = rest << count | bits << 2 * count | blue << 3 * count
    return 4 * count, dict(zip(PLAYERS, (red_bits, blue_bits), strict=True))


def _positions(board: TrialBoard, near: Iterable[int], chance: random.Random, alone: bool) -> Iterator[Stones]:
    """Positions with the fewest stones that win, the most that do not, and random ones; with stones on the cells of the
    numbers `near` and without, and with `alone` on each of these cells only."""
    everywhere = frozenset(range(1, board.cells + 1))
    cells, nothing = everywhere & frozenset(near), frozenset[int]()

    def position(player: Player, stones: frozenset[int], others: frozenset[int] = nothing) -> Stones:
        return {colour: stones if colour == player else others - stones for colour in PLAYERS}

    if not alone:
        yield position("red", nothing)
    for player in PLAYERS:
        chain = board.chain(player, chance)
        if len(chain) <= LONGEST_CHAIN:
            yield position(player, chain, cells)
        if len(chain) <= _SHORT and cells:
            yield from (position(player, stones) for stones in (chain, chain | cells, chain - cells))
        for cell in sorted(cells):
            if chain := board.chain_through(cell, player, chance):
                yield position(player, chain)
        if alone:
            yield from (position(player, frozenset({cell})) for cell in sorted(cells))
            continue
        yield position(player, board.chain(player, chance), everywhere)
        for density in (0.2, 0.5):
            stones = frozenset(cell for cell in everywhere if chance.random() < density)
            yield position(player, stones, everywhere if density == 0.5 else nothing)
