"""Partial chains, and the hardest board of a size with so many stones: the one with the most, found by clingo.

A partial chain of length k is a choice of one red stone in each of columns 1 to k, consecutive ones adjacent. With
paths(x) = 1 for a stone x in column 1, and for any other stone

    paths(x) = paths(x - 1) + paths(x + m - 1)      its two neighbours one column to the left, 0 where there is no stone

the board's figure is the sum of paths(x) over all red stones: the partial chains of every length 1 to m.

The bound. Let T(k,t) be the sum of the t largest paths(x) in column k, which has s(k) stones. Of t stones in column
k + 1 the sum is a sum over column k in which each stone is counted at most twice, 2t times in all and on at least
t + 1 cells, for t cells of a column have at least t + 1 neighbours to their left. Sums of largest values are concave
in t, so it is at most T(k,t-1) + T(k,t+1). Hence T(k,t) <= P(k,t) with

    P(1,t) = t,   P(k+1,t) = P(k,t-1) + P(k,t+1)    for t <= s(k+1), where P(k,t) = P(k,s(k)) beyond s(k)

and a board without a win, on which no chain reaches column m, has at most the sum of P(k,s(k)) over k < m. The
largest such sum over all ways to share the stones out among the columns bounds every board. Stones that lie in each
column around the same middle line reach it, if the board has rows enough (Hardy, Littlewood and Polya, theorem 371).

clingo adds path counts up as binary numbers, column by column (`hardest.lp`). The numbers are as wide as the bound on
partial chains allows, so no carry is lost, and the search may stop at the bound.
"""

import math
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Final, NamedTuple, TypeAlias

import msgspec

from hexlogic.errors import EngineError, SizeError
from hexlogic.games import RED, Hex, Position, as_hex, has_won
from hexlogic.games.rulesets import load_rule_set
from hexlogic.language.ground.solving import grounded
from hexlogic.language.passes import Pipeline
from hexlogic.process.call import Stopped
from hexlogic.proofs.jobs import run_job

ADDERS: Final = Path(__file__).with_suffix(".lp").read_text(encoding="ascii")
"""Rules about the stones, beside the board's rules and those of a complete rule set."""

_RULES = "follow-line-tabled"
_MOST = 2**31 - 1  # clingo's integers end there, without a word
_POLL_S = 0.5

Sums: TypeAlias = tuple[int, ...]
"""P(k,1), ..., P(k,s): the largest possible sum of the t most reached stones of a column, for each t."""

_WORK: Final = 300_000
"""Steps a column that keep the bound quick: where there are more ways to share the stones out than that allows, those
with the smallest sums are bounded together."""


class ChainBound(NamedTuple):
    """`total` bounds the partial chains of a board, `most[k]` those that end in one stone of column k + 1."""

    total: int
    most: tuple[int, ...]


def check_stones(game: Hex, stones: int) -> None:
    """Raise SizeError unless `game` has a board with so many red stones, at least one, that red has not won. Red has
    not won exactly when the other cells join blue's sides (the Hex theorem), and that takes one in each row."""
    room = len(game.cells) - game.rows
    if stones < 1:
        raise SizeError(f"{stones} stones make no board to search for", file="--stones", hint="at least 1")
    if stones > len(game.cells):
        hint = f"it has {len(game.cells)} cells"
        raise SizeError(f"{stones} stones do not fit on {game}", file="--stones", hint=hint)
    if stones > room:
        hint = f"at most {room} stones leave blue a way" if room else "a board of one column is won by any stone"
        plural = "" if stones == 1 else "s"
        raise SizeError(f"red has won {game} with any {stones} stone{plural}", file="--stones", hint=hint)


def count_chains(position: Position) -> tuple[int, ...]:
    """The partial chains of red, by length 1 to the number of columns; their sum is the board's figure.

    >>> count_chains(Position.of(Hex.square(3), red=["a2", "a3", "b1", "b2"]))
    (2, 3, 0)
    """
    game = as_hex(position.game)
    paths = {cell: 1 for cell in position.red if game.column(cell) == 1}
    counts = [sum(paths.values())]
    for column in range(2, game.columns + 1):
        following = [cell for cell in position.red if game.column(cell) == column]
        # At the bottom the second neighbour's number is off the board, so no stone has it.
        paths = {cell: paths.get(cell - 1, 0) + paths.get(cell + game.columns - 1, 0) for cell in following}
        counts.append(sum(paths.values()))
    return tuple(counts)


def bound_chains(game: Hex, stones: int) -> ChainBound:
    """What no board of `game` with that many red stones, not won by red, can exceed.

    >>> bound_chains(Hex.square(3), 4)
    ChainBound(total=5, most=(1, 2))
    """
    # by number of stones used: pairs of the sum so far and the last column's sums
    layer: dict[int, list[tuple[int, Sums]]] = {
        s: [(s, tuple(range(1, s + 1)))] for s in range(1, min(game.rows, stones) + 1)
    }
    if game.columns == 1:
        return ChainBound(0, ())
    width = max(2, _WORK // (stones * len(game.cells)))
    total, most = max(layer), [1]
    for _ in range(2, game.columns):
        following: dict[int, list[tuple[int, Sums]]] = {}
        for used, ways in layer.items():
            for value, sums in ways:
                padded = (0, *sums, sums[-1], sums[-1])
                for s in range(1, min(game.rows, stones - used, len(sums) + 1) + 1):
                    grown = tuple(padded[t - 1] + padded[t + 1] for t in range(1, s + 1))
                    following.setdefault(used + s, []).append((value + grown[-1], grown))
        layer = {used: _best(ways, width) for used, ways in following.items()}
        reached = [way for ways in layer.values() for way in ways]
        total = max([total, *(value for value, _ in reached)])
        most.append(max((sums[0] for _, sums in reached), default=0))
    return ChainBound(total, tuple(most))


def _best(ways: Sequence[tuple[int, Sums]], width: int) -> list[tuple[int, Sums]]:
    """The ways that no other is at least as good as; of more than `width`, the rest as one that is better than each."""
    longest = max((len(sums) for _, sums in ways), default=0)
    kept: list[tuple[int, Sums]] = []
    for value, sums in sorted(set(ways), reverse=True):
        if not any(all(_at(other, t) >= _at(sums, t) for t in range(longest)) for _, other in kept):
            kept.append((value, sums))
    rest = kept[width:]
    widest = max((len(sums) for _, sums in rest), default=0)
    joined = tuple(max(_at(sums, t) for _, sums in rest) for t in range(widest))
    return kept[:width] + ([(max(value for value, _ in rest), joined)] if rest else [])


def _at(sums: Sums, t: int) -> int:
    return sums[min(t, len(sums) - 1)]


class SearchProgress(msgspec.Struct, frozen=True):
    """The bound on partial chains, and the red cells of the best board so far with its partial chains."""

    bound: int
    red: list[int] = []
    figure: int = 0


class ChainSearch(msgspec.Struct, frozen=True):
    """How clingo's search ended: whether no better board exists, and its conflicts."""

    exhausted: bool
    conflicts: int


def maximise_chains(
    *,
    rows: int,
    columns: int,
    stones: int,
    time_s: float | None = None,
    report: Callable[[SearchProgress], None] = lambda _: None,
) -> ChainSearch:
    """Search until the bound is met, nothing better is left, or the time is over; reports the bound, then each better
    board. Raises SizeError where the numbers would not fit clingo's."""
    game = Hex(rows, columns)
    deadline = math.inf if time_s is None else time.monotonic() + time_s
    bound = bound_chains(game, stones)
    if bound.total > _MOST:
        what = f"{stones} stones on {game} may make {bound.total:,} partial chains, more than clingo can count"
        raise SizeError(what, hint=f"at most {_MOST:,}")
    report(SearchProgress(bound.total))
    import clingo

    control, _ = grounded(_text(game, stones, bound.most), "--warn=none")
    met = False

    def on_model(model: clingo.Model) -> bool:
        nonlocal met
        red = sorted(atom.arguments[1].number for atom in model.symbols(shown=True) if atom.name == "owns")
        figure = -model.cost[0] if model.cost else 0
        position = Position(game, frozenset(red))
        if figure != sum(count_chains(position)) or has_won(position, RED):
            raise EngineError(f"clingo's board {position.to_moves()!r} is not what it says: please report it")
        report(SearchProgress(bound.total, red, figure))
        met = figure >= bound.total
        return not met

    with control.solve(async_=True, on_model=on_model) as handle:
        while not handle.wait(min(_POLL_S, max(0.0, deadline - time.monotonic()))):
            if time.monotonic() >= deadline:
                handle.cancel()
                break
        exhausted = bool(handle.get().exhausted)
    return ChainSearch(exhausted and not met, int(control.statistics["solving"]["solvers"]["conflicts"]))


def _text(game: Hex, stones: int, most: Iterable[int]) -> str:
    widths = [value.bit_length() for value in most]
    lines = [f"{stones} {{ owns(red,X) : cell(X) }} {stones}.", ADDERS]
    lines += [f"bits({column},{width})." for column, width in enumerate(widths, 1) if width]
    lines += [f"weight({bit},{2**bit})." for bit in range(max(widths, default=0))]
    rules = Pipeline.parse("ground").apply(load_rule_set(_RULES).instantiate(game))
    return f"{rules}{chr(10).join(lines)}\n#show owns/2.\n"


@dataclass(frozen=True, slots=True)
class Hardest:
    """The best board found, and its partial chains by length.

    `bound` is what no board with as many stones can exceed; None when there was no time for it. `proof` says why no
    board has more, and is empty when that is not known; `search` says how the search ended.
    """

    position: Position
    chains: tuple[int, ...]
    bound: int | None
    proof: str
    search: str
    interrupted: bool

    @property
    def figure(self) -> int:
        """The number of partial chains."""
        return sum(self.chains)


def hardest_board(
    game: Hex, stones: int, *, time_s: float | None = None, report: Callable[[str], None] = lambda _: None
) -> Hardest:
    """The board of `game` with so many red stones, no win for red and the most partial chains found
    in `time_s` wall seconds.

    An interrupt ends the search, not the function. `report` is told about better boards. Raises SizeError when there is
    no such board.

    >>> hardest = hardest_board(Hex.square(3), 4)
    >>> hardest.figure, hardest.proof
    (5, 'no 4 stones make more than 5 partial chains on any board of 3 columns that red has not won')
    """
    check_stones(game, stones)
    best: SearchProgress | None = None
    done: ChainSearch | None = None
    reason = "stopped"

    def hear(progress: SearchProgress) -> None:
        nonlocal best
        best = progress
        if progress.red:
            report(f"{progress.figure:,} partial chains")

    task = {"rows": game.rows, "columns": game.columns, "stones": stones}
    try:
        done = run_job(maximise_chains, task, time_s=time_s, report=hear)
    except Stopped as stopped:
        reason = str(stopped)
    except KeyboardInterrupt:
        reason = "interrupted"
    # The first columns full: a board that red has not won, for when there was no time to look for one.
    filled = sorted(game.cells, key=lambda cell: (game.column(cell), cell))[:stones]
    position = Position(game, frozenset(best.red if best and best.red else filled))
    counts, bound = count_chains(position), None if best is None else best.bound
    ended_with = partial(Hardest, position, counts, bound, interrupted=reason == "interrupted")
    if best is None or not best.red:
        return ended_with("", f"clingo: {reason} before the first board, so the first columns are filled")
    proof, met = "", bound is not None and sum(counts) >= bound
    if met:
        most = f"{bound:,} partial chain{'' if bound == 1 else 's'}"
        proof = f"no {stones} stones make more than {most} on any board of {game.columns} columns that red has not won"
    if done is None:
        return ended_with(proof, f"clingo: {reason}")
    if done.exhausted and not met:
        proof = f"clingo found nothing better on the whole board, {done.conflicts:,} conflicts"
    ended = "nothing better left" if done.exhausted else "the bound is met" if met else "out of time"
    return ended_with(proof, f"clingo: {ended} after {done.conflicts:,} conflicts")
