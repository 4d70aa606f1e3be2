"""The search for a cheaper sheet: moves are tried one after the other, and each is kept that saves a prover work.

A move proposes a game with other rules. It is played beside the one before, and its work is counted: inferences of a
prover without tables in the same random games. What is cheaper and plays alike becomes the game to go on from.

The search and the comparison run in child processes, which end with the time: gringo cannot be interrupted. What is
found on the way is reported, so that neither the limit nor Ctrl-C loses it.
"""

import contextlib
import itertools
import pickle
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, TypeVar

from hexlogic.errors import HexlogicError
from hexlogic.ggp.machines import REASONERS, Work
from hexlogic.ggp.optimise.equality import GameStates, SheetEquality
from hexlogic.ggp.reformulation.flat_game import FlatGame, Games, flat_game
from hexlogic.ggp.reformulation.flood import fusions
from hexlogic.ggp.reformulation.inductive import Proved, proved_same
from hexlogic.ggp.reformulation.keep import keepings
from hexlogic.ggp.reformulation.small import smaller
from hexlogic.language import Program
from hexlogic.process.call import Stopped
from hexlogic.proofs.jobs import run_job

_Told = TypeVar("_Told")
_MOST: Final = 20_000
"""States of an instance, at most."""
_SHARE: Final = 1 / 8
"""The part of the time for random games, and that for small instances after a proof that does not succeed."""
_AT_ONCE: Final = 2 / 5
"""The part of the time in which the ends of a path are proved the same without what is between."""


@dataclass(frozen=True, slots=True)
class SameGame:
    """How far two games with different states were compared, that the same moves lead to the same moves, goals and end:
    the sheet as it is given, in all `states` of so many small `boards`, and by induction, where that succeeds."""

    given: SheetEquality
    boards: int = 0
    states: int = 0
    proved: Proved | None = None

    @property
    def shown(self) -> bool:
        """Whether no difference was found in what was compared, and something was."""
        return self.given.equal

    def __str__(self) -> str:
        if self.given.difference is None and self.proved is not None:
            how = f"by induction on moves, with {self.proved.invariants} invariants"
            how += "" if self.proved.facts is None else f", of {self.proved.facts:,} facts and moves"
            return f"the same moves, goals and ends: equal in {self.given.games} random games; proved {how}"
        small = f"; in all {self.states:,} states of {self.boards} small boards" if self.boards else ""
        return f"the same moves, goals and ends: {self.given}{small}"


def same_game(path: Sequence[Games], limit_s: float, report: Callable[[SameGame], None] = lambda _: None) -> SameGame:
    """Compare the first and the last game of a search's path for about `limit_s` seconds: in random games, by
    induction, else on small instances. `report` hears what is known so far. Raises EngineError where one cannot be
    run."""
    before, *_, after = path
    pairs = [(old.written, new.written) for old, new in zip(before, after, strict=True)]
    small, until = pairs[:0:-1], time.monotonic() + limit_s

    played = GameStates(
        0 if small else _MOST, limit_s=_SHARE * limit_s, apart=True, report=lambda v: report(SameGame(v))
    )
    given, visited = played.compare(before[0].sheet, pairs[0][1]), list[int]()
    if given.difference is not None or given.visited:
        return SameGame(given)
    with contextlib.suppress(HexlogicError):
        if proved := _proved([games[0] for games in path], until - (_SHARE * limit_s if small else 0)):
            return SameGame(given, proved=proved)
    for number, pair in enumerate(small):
        share = (until - time.monotonic()) / (len(small) - number)
        each = GameStates(_MOST, 1, limit_s=max(share, 1.0), apart=True).compare(*pair)
        if each.difference is not None:
            return SameGame(each)
        visited += [each.states] if each.visited else []
        report(SameGame(given, len(visited), sum(visited)))
    return SameGame(given, len(visited), sum(visited))


def _proved(path: Sequence[FlatGame], until: float) -> Proved | None:
    """The first and the last game of a path proved the same: at once, in a part of the time, else over the middle."""
    if len(path) == 2:
        return proved_same(path[0], path[-1], until)
    now = time.monotonic()
    proved = proved_same(path[0], path[-1], now + _AT_ONCE * (until - now))
    if proved is not None:
        return proved
    middle = len(path) // 2
    begun = _proved(path[: middle + 1], until)
    return None if begun is None else begun.then(_proved(path[middle:], until))


_SAVED: Final = 0.998
"""A step is kept when it leaves at most this part of the work."""
_COUNT_S: Final = 10.0
"""Seconds in which the work of one sheet is counted, at most."""
_SIZES: Final = (2, 3, 4)
"""Elements of the chains of small instances."""
_GAMES: Final = 8
"""Random games in which a proposal must play as the game before, on the largest of the small instances."""
_SOFT: Final = 0.8
"""The part of the time that a comparison is given, for no game in it ends at once."""


@dataclass(frozen=True, slots=True)
class Step:
    """One step of the search: what was done, and the work after it."""

    words: str
    games: Games
    """The game, and its small instances."""
    sheet: Program
    work: Work


def search_steps(
    sheet: Program, reasoner: str = "swipl:sld", report: Callable[[str], None] = lambda _: None
) -> Iterator[Step]:
    """The sheet as it is given, then each step as it is found; without end before all moves were tried. `reasoner` is
    whose work is counted, `report` hears of each proposal. Raises EngineError for a sheet that has no flat form, or
    that the reasoner cannot run."""
    game, machine = flat_game(sheet), REASONERS.load(reasoner)
    games = (game, *filter(None, (smaller(game, size) for size in _SIZES)))
    step: Step | None = Step("", games, sheet, machine.work(sheet, _COUNT_S))
    seen = {frozenset(game.program.rules)}
    while step is not None:
        yield step
        last, step = step, None
        for proposal, words in itertools.chain(fusions(last.games), keepings(last.games)):
            rules = frozenset(proposal[0].program.rules)
            if rules in seen:
                continue
            seen.add(rules)
            report(words)
            try:
                written = proposal[0].written
                work = machine.work(written, _COUNT_S)
            except HexlogicError:
                continue
            alike, saves = GameStates(0, _GAMES, apart=True), work.order[1] < last.work.order[1] * _SAVED
            if saves and alike.compare(last.games[-1].written, proposal[-1].written).equal:
                step = Step(words, proposal, written, work)
                break


def searched(sheet: Program, reasoner: str, time_s: float, note: Callable[[str], None]) -> tuple[Sequence[Step], bool]:
    """The steps of a search that ends after so many seconds by the clock, the first being the sheet as it is given, and
    whether Ctrl-C ended it. Raises EngineError as `search_steps` does."""
    steps, task = list[Step](), {"sheet": pickle.dumps(sheet), "reasoner": reasoner}

    def hear(told: Step | str) -> None:
        if isinstance(told, Step):
            steps.append(told)
        else:
            note(told)

    return steps, _run(_search, task, time_s, hear)


def compared(path: Sequence[Games], time_s: float) -> tuple[SameGame | None, bool]:
    """How far the first and the last game of a path were compared, None where that ends before anything is known, and
    whether Ctrl-C ended it. Raises EngineError as `same_game` does."""
    known = list[SameGame]()
    interrupted = _run(_compare, {"path": pickle.dumps(path)}, time_s, known.append)
    return known[-1] if known else None, interrupted


def _run(
    function: Callable[..., None], task: Mapping[str, object], time_s: float, hear: Callable[[_Told], None]
) -> bool:
    """Run a function in a child process, and hear the values that it reports; whether Ctrl-C ended it."""
    try:
        run_job(function, task, time_s=time_s, report=lambda told: hear(pickle.loads(told)))
    except Stopped:
        pass
    except KeyboardInterrupt:
        return True
    return False


def _search(sheet: bytes, reasoner: str, time_s: float, report: Callable[[bytes], None]) -> None:
    for step in search_steps(pickle.loads(sheet), reasoner, lambda words: report(pickle.dumps(words))):
        report(pickle.dumps(step))


def _compare(path: bytes, time_s: float, report: Callable[[bytes], None]) -> None:
    same = same_game(pickle.loads(path), _SOFT * time_s, report=lambda known: report(pickle.dumps(known)))
    report(pickle.dumps(same))
