"""The search and the comparison in child processes, which end with the time: gringo cannot be interrupted.

What is found on the way is reported, so that neither the limit nor Ctrl-C loses it.
"""

import pickle
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Final

import msgspec

from hexlogic.ggp.reformulation.flat_game import Games
from hexlogic.ggp.reformulation.search import SheetSearch, Step
from hexlogic.ggp.reformulation.shown import SameGame, same_game
from hexlogic.language import Program
from hexlogic.process.call import Stopped
from hexlogic.proofs.jobs import run_job

_SOFT: Final = 0.8
"""The part of the time that a comparison is given, for no game in it ends at once."""


class Told(msgspec.Struct, kw_only=True):
    """What a search tells: what it tries, or the pickled `Step` that it found, the sheet as it is given at first."""

    words: str = ""
    step: bytes = b""


@dataclass
class Searched:
    """What a search found: the steps, the first being the sheet as it is given, and whether Ctrl-C ended it."""

    steps: list[Step] = field(default_factory=list)
    interrupted: bool = False


def searched(sheet: Program, reasoner: str, time_s: float, note: Callable[[str], None]) -> Searched:
    """The steps of a search that ends after so many seconds by the clock. Raises EngineError as `SheetSearch` does."""
    found = Searched()

    def hear(told: Told) -> None:
        if told.step:
            found.steps.append(pickle.loads(told.step))
        else:
            note(told.words)

    try:
        run_job(_search, {"sheet": pickle.dumps(sheet), "reasoner": reasoner}, time_s=time_s, report=hear)
    except Stopped:
        pass
    except KeyboardInterrupt:
        found.interrupted = True
    return found


def compared(path: Sequence[Games], time_s: float) -> tuple[SameGame | None, bool]:
    """How far the first and the last game of a path were compared, None where that ends before anything is known, and
    whether Ctrl-C ended it. Raises EngineError as `same_game` does."""
    known, interrupted = list[SameGame](), False
    try:
        run_job(
            _compare,
            {"path": pickle.dumps(path)},
            time_s=time_s,
            report=lambda told: known.append(pickle.loads(told)),
        )
    except Stopped:
        pass
    except KeyboardInterrupt:
        interrupted = True
    return known[-1] if known else None, interrupted


def _search(sheet: bytes, reasoner: str, time_s: float, report: Callable[[Told], None]) -> None:
    search = SheetSearch(pickle.loads(sheet), reasoner, lambda words: report(Told(words=words)))
    given = Step("", search.games, search.sheet, search.before)
    report(Told(step=pickle.dumps(given)))
    for step in search.steps():
        report(Told(step=pickle.dumps(step)))


def _compare(path: bytes, time_s: float, report: Callable[[bytes], None]) -> None:
    def hear(same: SameGame) -> None:
        report(pickle.dumps(same))

    hear(same_game(pickle.loads(path), _SOFT * time_s, report=hear))
