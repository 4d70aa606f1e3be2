"""Run text from the page in child processes under limits, which end when the page stops waiting."""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping
from typing import Final

from hexlogic.process.call import Stopped, call_isolated
from hexlogic.process.forks import ForkServer
from hexlogic.process.limits import Limits
from hexlogic.web.game_request import problem
from hexlogic.web.sheets import choose, example, play

QUICK: Final = Limits.of(cpu_s=3, wall_s=30, memory_mb=500)
"""For what follows each click."""
SHEET: Final = Limits.of(cpu_s=15, wall_s=60, memory_mb=1000)
"""For a sheet, which is ground as a whole."""
WORK: Final = Limits.of(cpu_s=60, wall_s=90, memory_mb=1000)
"""For what a person asks for with a button, and can stop."""
PROOF: Final = Limits.of(cpu_s=900, wall_s=660, memory_mb=2000)
"""For a proof, which tells how far it is."""

SEARCH: Final = Limits.of(cpu_s=180, wall_s=90, memory_mb=3000)
"""For a search, which looks at the clock itself."""


def _prepare_texts() -> None:
    """Answer small questions about rule text and sheets. No text from a page is read here."""
    from hexlogic.web import rule_text

    text = rule_text.text_of("follow-line-tabled", "2")
    rule_text.evaluate(text=text, size="2", red=["a1", "b1"], blue=[])
    rule_text.difference(text=text, size="2", pipeline="ground,reorder,prune")
    play(text=example("follow-line-tabled", "2"), moves=[["(place a1)", "noop"]])


def _prepare_players() -> None:
    """Choose a move on a small sheet, in one thread."""
    choose(text=example("follow-line-tabled", "2"), moves=[], players=["uct:1", None])


class Children:
    """The child processes of a server: each request runs in a fork of a process that has prepared for it."""

    def __init__(self) -> None:
        self._stops: set[threading.Event] = set()
        self._closed = False
        self._for_texts, self._for_players = ForkServer(_prepare_texts), ForkServer(_prepare_players)
        self._for_texts.begin()  # numba, which players need, is not loaded before somebody asks for one

    def ask(
        self,
        function: Callable[..., dict[str, object]],
        arguments: Mapping[str, object],
        stop: threading.Event,
        report: Callable[..., None] = lambda _: None,
        *,
        limits: Limits = QUICK,
    ) -> dict[str, object]:
        """The result of a function of the web room for these arguments.

        What stopped the process is a problem without a place.
        """
        self._stops.add(stop)
        try:
            if self._closed:
                return problem("this was stopped on demand")
            forks = self._for_players if function is choose else self._for_texts
            return call_isolated(function, arguments, limits, report=report, stop=stop, start=forks.start)
        except Stopped as stopped:
            return problem(": ".join([f"this was {stopped.reason}", *stopped.progress[-1:]]))
        finally:
            self._stops.discard(stop)

    def close(self) -> None:
        """End running children, and refuse later requests."""
        self._closed = True
        for stop in tuple(self._stops):
            stop.set()
        self._for_texts.close()
        self._for_players.close()
