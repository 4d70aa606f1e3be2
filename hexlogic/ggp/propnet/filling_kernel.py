"""Random games of a filling game: `LANES` boards at a time are filled at random and evaluated together.

A lane's filling is a uniformly random set of the free cells for the first kind of stones, of the size that the turns
tell: a coin is thrown for each cell, a word of lanes at a time, and single cells drawn at random are changed until the
size is right. All sets of that size are equally likely, since no step treats one cell otherwise than another. An order
of the moves that leads to the filling is a random order of each kind's cells; it is drawn only for lanes in which it
matters. A leaf of a search tree is evaluated by 64 such games.
"""

from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from hexlogic.ggp.propnet.latch_memory import AT
from hexlogic.ggp.propnet.random_games import NO_GOAL, NO_MOVE, add_goals
from hexlogic.language.propagation.lanes import LANES, WIDTH, at_most, evaluate, next_below, next_word
from hexlogic.language.propagation.memory import offsets_in
from hexlogic.process.kernels import kernel

GAMES: Final = 64
"""Random games from each leaf."""

_offsets = offsets_in(AT, np.uint64)
_0, _1 = map(np.uint64, (0, 1))
_FULL = np.uint64(0xFFFFFFFFFFFFFFFF)


class FillingGame(NamedTuple):
    """A state of a filling game with C cells, F facts, W wins, G goals and P phases; rows are those of `values`."""

    values: NDArray[np.uint64]
    """[rows, WIDTH]: the rows of the facts are those of the state, in all lanes."""
    gates: NDArray[np.int32]
    sections: NDArray[np.int32]
    stones: NDArray[np.int32]
    """[2, C]: by kind and cell the row that says where a stone of that kind lies on the cell; 0 where no one asks."""
    free: NDArray[np.int32]
    """The cells that are not filled."""
    kinds: NDArray[np.int32]
    """[C]: by step from this state: the kind of the stone."""
    end: int
    """The row of the end."""
    wins: NDArray[np.int32]
    """[W]: rows."""
    decided: bool
    """Whether wins decide: where one win alone holds, or none, the goals are those of the filled board."""
    goals: NDArray[np.int64]
    """[G, 3]: role, value, row."""
    words: NDArray[np.uint64]
    """[(C + 3) * WIDTH]: room for filled boards, the lanes that are played, those in which the order matters, and those
    in which it does not. (A kernel that makes arrays compiles for long.)"""
    planes: NDArray[np.uint64]
    """[32]: room for the number of stones in each lane."""
    steps: NDArray[np.uint16]
    """[(C + 3) * LANES]: room for the step in which a cell is filled in a lane, and for the steps of a bisection."""
    places: NDArray[np.int64]
    """[C]: room for an order of cells."""


class Leaf(NamedTuple):
    """Of a game with F facts that moves change, P phases and C cells."""

    filling: FillingGame
    """The state from which the search begins; its rows are worked on."""
    rows: NDArray[np.int32]
    """[F]: the row of each fact."""
    initial: NDArray[np.bool_]
    """[F]: whether it is true while its latch is not set."""
    latches: NDArray[np.int64]
    """[F]"""
    cells: NDArray[np.int32]
    """Pairs of a fact and a cell, that is filled where the fact has the value of `filled`."""
    places: NDArray[np.int32]
    filled: NDArray[np.bool_]
    kinds: NDArray[np.int32]
    """[P, C]: by phase and step from it: the kind of the stone."""
    random: NDArray[np.uint64]
    free: NDArray[np.int32]
    """[C]: room for the cells that are not filled."""


@kernel(inline="always")
def _fill(values: Any, stones: Any, free: Any, cells: Any, wanted: Any, words: Any, random: Any, planes: Any) -> None:
    """Fill the free cells in the lanes of the first words: `wanted` of them with stones of the first kind. `planes`
    (uint64[32]) are worked on."""
    bits = 1
    while cells >> bits:
        bits += 1
    for word in range(words):
        for plane in range(bits):
            planes[plane] = _0
        for place in range(cells):
            drawn = next_word(random)
            values[stones[0, free[place]], word] = drawn
            for plane in range(bits):  # add the bit of each lane to the count of the lane
                carry = planes[plane] & drawn
                planes[plane] ^= drawn
                drawn = carry
        for lane in range(64):
            bit = np.uint64(lane)
            count: Any = 0
            for plane in range(bits):
                count |= np.int64((planes[plane] >> bit) & _1) << plane
            surplus = np.uint64(count > wanted)  # the value of the cells of which there are too many
            todo = abs(count - wanted)
            while todo:
                row = stones[0, free[next_below(random, cells)]]
                change = ~((values[row, word] >> bit) ^ surplus) & _1
                values[row, word] ^= change << bit
                todo -= np.int64(change)
        for place in range(cells):
            values[stones[1, free[place]], word] = ~values[stones[0, free[place]], word]


@kernel(inline="always")
def _order(
    values: Any, stones: Any, free: Any, cells: Any, kinds: Any, lane: Any, random: Any, steps: Any, places: Any
) -> None:
    """Draw an order for the filling of a lane: `steps[place * LANES + lane]` is the step, from 1, in which a free cell
    is filled."""
    word, bit = lane >> 6, np.uint64(lane & 63)
    size, other = 0, cells  # the places of cells of the first kind stand at the front, the others at the back
    for place in range(cells):
        if (values[stones[0, free[place]], word] >> bit) & _1:
            places[size] = place
            size += 1
        else:
            other -= 1
            places[other] = place
    first, second = 0, size
    for step in range(cells):
        if kinds[step] == 0:
            chosen = first + next_below(random, size - first)
            place = places[chosen]
            places[chosen] = places[first]
            first += 1
        else:
            chosen = second + next_below(random, cells - second)
            place = places[chosen]
            places[chosen] = places[second]
            second += 1
        steps[place * LANES + lane] = step + 1


@kernel(interpreted=False)
def _play_until(values: Any, stones: Any, free: Any, cells: Any, filling: Any, steps: Any, until: Any) -> None:
    """Fill in each lane the cells of the first `steps[until + lane]` steps only; `filling` is the filled board."""
    for place in range(cells):
        for word in range(WIDTH):
            here = at_most(steps, place * LANES + 64 * word, steps, until + 64 * word)
            values[stones[0, free[place]], word] = filling[place * WIDTH + word] & here
            values[stones[1, free[place]], word] = ~filling[place * WIDTH + word] & here


@kernel(inline="always")
def _bisect(game: Any, free: Any, cells: Any, kinds: Any, lanes: Any, until: Any, random: Any) -> None:
    """Leave each of the lanes (at a place of `game.words`) in the state in which its game ended, after so many steps of
    an order drawn at random as `game.steps[until + lane]` says."""
    values, gates, sections, stones = game.values, game.gates, game.sections, game.stones
    filling, steps = game.words, game.steps
    low, middle = until + LANES, until + 2 * LANES
    # Word by word, as in `lanes`: numba compiles the assignment of an array for long.
    for place in range(cells):
        for word in range(WIDTH):
            filling[place * WIDTH + word] = values[stones[0, free[place]], word]
    for place in range(cells * LANES):
        steps[place] = 1
    for lane in range(LANES):
        steps[low + lane], steps[until + lane] = 0, cells
        if (filling[lanes + (lane >> 6)] >> np.uint64(lane & 63)) & _1:
            _order(values, stones, free, cells, kinds, lane, random, steps, game.places)
    width = cells
    while width:
        for lane in range(LANES):
            steps[middle + lane] = (np.int64(steps[low + lane]) + np.int64(steps[until + lane])) >> 1
        _play_until(values, stones, free, cells, filling, steps, middle)
        evaluate(values, gates, sections)
        for lane in range(LANES):
            if (values[game.end, lane >> 6] >> np.uint64(lane & 63)) & _1:
                steps[until + lane] = steps[middle + lane]
            elif steps[low + lane] < steps[until + lane]:
                steps[low + lane] = steps[middle + lane] + 1
        width >>= 1
    _play_until(values, stones, free, cells, filling, steps, until)
    evaluate(values, gates, sections)


@kernel(interpreted=False, nogil=True)
def fill_playouts(
    game: Any, free: Any, cells: Any, kinds: Any, games: Any, lengths: Any, random: Any, totals: Any
) -> Any:
    """So many random games of a `FillingGame`, with so many free cells and these kinds of stones; `totals`
    (int64[roles]) are added up. All steps if `lengths` are asked for, 0 otherwise; NO_MOVE or NO_GOAL when that went
    wrong in one. The values of the game are worked on."""
    values, gates, sections, wins = game.values, game.gates, game.sections, game.wins
    wanted = np.int64(0)  # a literal would have numba compile what is called with it twice
    for step in range(cells):
        wanted += kinds[step] == 0
    words, size, total = game.words, game.stones.shape[1], 0
    lanes, order, single, until = size * WIDTH, (size + 1) * WIDTH, (size + 2) * WIDTH, size * LANES
    for begin in range(0, games, LANES):
        for word in range(WIDTH):
            here = min(64, max(0, games - begin - 64 * word))
            words[lanes + word] = _FULL if here == 64 else (_1 << np.uint64(here)) - _1
            words[order + word] = words[lanes + word]
        full = min(WIDTH, (games - begin + 63) // 64)
        _fill(values, game.stones, free, cells, wanted, full, random, game.planes)
        evaluate(values, gates, sections)
        for word in range(WIDTH):
            if words[lanes + word] & ~values[game.end, word]:
                return NO_MOVE
        if game.decided and not lengths:
            for word in range(WIDTH):
                some, several = _0, _0
                for number in range(len(wins)):
                    several |= some & values[wins[number], word]
                    some |= values[wins[number], word]
                words[single + word] = words[lanes + word] & ~several
                words[order + word] &= several
            if not add_goals(values, game.goals, words, single, totals):
                return NO_GOAL
        some = _0
        for word in range(WIDTH):
            some |= words[order + word]
        if some:
            _bisect(game, free, cells, kinds, order, until, random)
            if not add_goals(values, game.goals, words, order, totals):
                return NO_GOAL
            if lengths:
                for lane in range(min(LANES, games - begin)):
                    total += game.steps[until + lane]
    return total


@kernel(inline="always")
def worth(memory: Any, leaf: Any, totals: Any) -> Any:
    """Add up the goals (int64[roles]) of `GAMES` random games from a position on latches. How many cells were
    free, or what went wrong in a game, as `fill_playouts` tells."""
    at, values, filling = _offsets(memory), leaf.filling.values, leaf.filling
    for fact in range(len(leaf.rows)):
        true = leaf.initial[fact] != (memory[at.flags + np.uint64(leaf.latches[fact])] != 0)
        for word in range(WIDTH):
            values[leaf.rows[fact], word] = _FULL if true else _0
    filled = filling.places
    for cell in range(len(filled)):
        filled[cell] = 0
    for pair in range(len(leaf.cells)):
        fact = leaf.cells[pair]
        true = leaf.initial[fact] != (memory[at.flags + np.uint64(leaf.latches[fact])] != 0)
        if true == leaf.filled[pair]:
            filled[leaf.places[pair]] = 1
    count = np.int64(0)  # a literal would have numba compile what is called with it twice
    for cell in range(len(filled)):
        if filled[cell]:
            for kind in range(2):
                for word in range(WIDTH):
                    values[filling.stones[kind, cell], word] = 0
        else:
            leaf.free[count] = cell
            count += 1
    kinds = leaf.kinds[memory[at.phase]]
    # With literals numba would compile it once more.
    games, lengths = np.int64(GAMES), np.bool_(False)
    done = fill_playouts(filling, leaf.free, count, kinds, games, lengths, leaf.random, totals)
    return done if done < 0 else np.int64(count)
