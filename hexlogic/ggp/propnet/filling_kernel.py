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
from hexlogic.language.propagation.circuit import FALSE_ROW, RECURSIVE
from hexlogic.language.propagation.lanes import (
    LANES,
    WIDTH,
    at_most,
    count_ones,
    evaluate,
    next_below,
    next_words,
    settle,
)
from hexlogic.language.propagation.memory import offsets_in
from hexlogic.language.propagation.rows import row, set_row, some
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
    kind_of_win: NDArray[np.int32]
    """[W]: the kind of the stones that a win depends on, none of which takes it away; of no length where a win depends
    on both, or where wins do not decide."""
    goals: NDArray[np.int64]
    """[G, 3]: role, value, row."""
    words: NDArray[np.uint64]
    """[(3 C + 5 + gates) * WIDTH]: room for three boards and two rows, the lanes that are played, those in which the
    order matters, those in which it does not, and a row for each gate. (Kernels that make arrays compile for long.)"""
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
def _bits(most: Any) -> Any:
    """How many bits a number up to this has."""
    bits = 1
    while most >> bits:
        bits += 1
    return bits


@kernel(inline="always")
def _count(words: Any, cells: Any, bits: Any) -> None:
    """Count in each lane how many of the first rows of `words` hold, as so many bits in the rows behind them."""
    for plane in range(bits):
        set_row(words, cells + plane, row(words, 0) & ~row(words, 0))
    for place in range(cells):
        carry = row(words, place)
        for plane in range(bits):
            count = row(words, cells + plane)
            set_row(words, cells + plane, count ^ carry)
            carry &= count


@kernel(inline="always")
def _counted(words: Any, cells: Any, bits: Any, word: Any, lane: Any) -> Any:
    """The count of a lane of a word."""
    count = np.int64(0)
    for plane in range(bits):
        count |= np.int64((words[(cells + plane) * WIDTH + word] >> lane) & _1) << plane
    return count


@kernel(inline="always")
def _fill(values: Any, stones: Any, free: Any, cells: Any, wanted: Any, full: Any, random: Any, words: Any) -> None:
    """Fill the free cells: in the lanes of the first `full` words `wanted` of them with stones of the first kind."""
    bits = _bits(cells)
    next_words(words, 0, cells * WIDTH, random)
    _count(words, cells, bits)
    for word in range(full):
        for lane in range(64):
            bit = np.uint64(lane)
            count = _counted(words, cells, bits, word, bit)
            surplus = np.uint64(count > wanted)  # the value of the cells of which there are too many
            todo = abs(count - wanted)
            while todo:
                at = next_below(random, cells) * WIDTH + word
                change = ~((words[at] >> bit) ^ surplus) & _1
                words[at] ^= change << bit
                todo -= np.int64(change)
    for place in range(cells):
        set_row(values, stones[0, free[place]], row(words, place))
        set_row(values, stones[1, free[place]], ~row(words, place))


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


@kernel(interpreted=False)
def _win_steps(game: Any, free: Any, cells: Any, kinds: Any, lanes: Any, random: Any) -> Any:
    """The sum of the steps in which the one win of each of the lanes (at a place of `game.words`), or a full board
    without a win, ends the game, for filled boards. The values are worked on.

    The stones of the winner's kind come in a random order, of which no more is drawn than the step asks for. `early`
    stones come before those that are `open`; without the open ones there is no win, with them there is. Again and again
    a part of the open ones is drawn to come before the others, as by one more bit of a random number for each stone:
    where there is a win with it, it alone stays open, elsewhere it is early. Of two or three open stones the part is
    one. A single open one makes the win.
    """
    values, stones, wins, words, gates, sections = (
        game.values,
        game.stones,
        game.wins,
        game.words,
        game.gates,
        game.sections,
    )
    still, part, before, played = cells, 2 * cells, lanes // WIDTH + 1, row(words, lanes // WIDTH)
    none = row(values, FALSE_ROW)
    won = lost = one = two = three = four = none
    for number in range(len(wins)):
        if game.kind_of_win[number]:
            lost |= row(values, wins[number]) & played
        else:
            won |= row(values, wins[number]) & played
    for place in range(cells):
        mine = row(values, stones[0, free[place]]) & won | row(values, stones[1, free[place]]) & lost
        set_row(words, place, none)
        set_row(words, still + place, mine)
        four, three, two, one = four | three & mine, three | two & mine, two | one & mine, one | mine
    for section in range(len(sections)):
        if sections[section, 2] == RECURSIVE:
            for number in range(sections[section, 0], sections[section, 1]):
                set_row(values, gates[number, 0], none)
                set_row(words, before + number, none)
    while some(two):
        next_words(words, part * WIDTH, (cells + 2) * WIDTH, random)
        draw, again = row(words, part + cells), row(words, part + cells + 1)
        pair, triple = two & ~three, three & ~four
        first = pair & draw | triple & ~draw & ~again
        second = pair & ~draw | triple & draw & ~again
        third = triple & ~draw & again
        one = two = none
        for place in range(cells):
            mine = row(words, still + place)
            drawn = mine & (four & row(words, part + place) | first & ~one | second & one & ~two | third & two)
            set_row(words, part + place, drawn)
            two, one = two | one & mine, one | mine
            drawn |= row(words, place)
            set_row(values, stones[0, free[place]], drawn & won)
            set_row(values, stones[1, free[place]], drawn & lost)
        settle(values, gates, sections)
        ended = one = two = three = four = none
        for number in range(len(wins)):
            ended |= row(values, wins[number])
        for section in range(len(sections)):
            if sections[section, 2] == RECURSIVE:
                for number in range(sections[section, 0], sections[section, 1]):
                    known = row(words, before + number) & ended | row(values, gates[number, 0]) & ~ended
                    set_row(values, gates[number, 0], known)
                    set_row(words, before + number, known)
        for place in range(cells):
            drawn, mine = row(words, part + place), row(words, still + place)
            set_row(words, place, row(words, place) | drawn & ~ended)
            mine = (mine ^ drawn) & ~ended | drawn & ended
            set_row(words, still + place, mine)
            four, three, two, one = four | three & mine, three | two & mine, two | one & mine, one | mine
    bits = _bits(cells)
    total, size, behind = (
        np.int64(0),
        np.int64(0),
        np.int64(0),
    )  # `places`: the step of each stone, first those of the first kind
    for step in range(cells):
        size += kinds[step] == 0
    for step in range(cells):  # the step of each stone, those of the first kind first
        if kinds[step] == 0:
            game.places[step - behind] = step + 1
        else:
            game.places[size + behind] = step + 1
            behind += 1
    _count(words, cells, bits)
    set_row(words, part, won)
    set_row(words, part + 1, lost)
    for word in range(WIDTH):
        for lane in range(64):
            bit = np.uint64(lane)
            second = np.int64((words[(part + 1) * WIDTH + word] >> bit) & _1)
            mine = np.int64((words[part * WIDTH + word] >> bit) & _1) | second
            total += mine * game.places[mine * _counted(words, cells, bits, word, bit) + second * size]
        total += cells * count_ones(
            words[lanes + word] & ~words[part * WIDTH + word] & ~words[(part + 1) * WIDTH + word]
        )
    return total


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
    lanes, order, single, until = (3 * size + 2) * WIDTH, (3 * size + 3) * WIDTH, (3 * size + 4) * WIDTH, size * LANES
    for begin in range(0, games, LANES):
        for word in range(WIDTH):
            here = min(64, max(0, games - begin - 64 * word))
            words[lanes + word] = _FULL if here == 64 else (_1 << np.uint64(here)) - _1
            words[order + word] = words[lanes + word]
        full = min(WIDTH, (games - begin + 63) // 64)
        _fill(values, game.stones, free, cells, wanted, full, random, words)
        evaluate(values, gates, sections)
        for word in range(WIDTH):
            if words[lanes + word] & ~values[game.end, word]:
                return NO_MOVE
        if game.decided and (len(game.kind_of_win) or not lengths):
            one = several = row(values, FALSE_ROW)
            for number in range(len(wins)):
                several |= one & row(values, wins[number])
                one |= row(values, wins[number])
            several &= row(words, lanes // WIDTH)
            if not (lengths and some(several)):  # else the other way for all lanes, since both work on the values
                set_row(words, single // WIDTH, row(words, lanes // WIDTH) & ~several)
                set_row(words, order // WIDTH, several)
                if not add_goals(values, game.goals, words, single, totals):
                    return NO_GOAL
                if lengths:
                    total += _win_steps(game, free, cells, kinds, single, random)
        if some(row(words, order // WIDTH)):
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
