"""What became of a run, from how its process ended and what it said: status, answer, category, message."""

from __future__ import annotations

import signal
from dataclasses import dataclass

from hexlogic.laboratory.records.types import Category, Phases, Status
from hexlogic.laboratory.runs.protocol import Asked, Built, Reply, read_messages
from hexlogic.process.isolate import Outcome

_LAST_WORDS = 200
"""Characters of a dead worker's stderr worth keeping."""


@dataclass(frozen=True, slots=True)
class Classification:
    """The classified end of a run; `reply` and `asked` are what the worker said, `reply` only if it counts."""

    status: Status
    category: Category
    answer: bool | None
    message: str | None
    asked: Asked | None
    reply: Reply | None

    @property
    def built(self) -> Built | None:
        """The program that was built, as the worker said last."""
        return None if (said := self._said) is None else said.built

    @property
    def phases(self) -> Phases:
        """The phases that were measured, as the worker said last."""
        return Phases() if (said := self._said) is None else said.phases

    @property
    def _said(self) -> Asked | Reply | None:
        return self.reply if self.reply is not None and self.reply.built is not None else self.asked


def classify(outcome: Outcome, *, expected: bool, complete: bool = True, winners: str | None = None) -> Classification:
    """Judge an outcome. `complete` is False for a rule set that may miss wins: its "no" to a win is not a wrong
    answer, and its category is unknown. Of a game, `winners` are the referee's after each move.

    An answer counts when its line is complete, the process ended by itself with exit code 0, and in time.
    """
    asked, reply = read_messages(outcome.stdout)
    where = "" if asked else " before the query began"
    match outcome.termination:
        case "cpu-limit" | "wall-limit":
            what = "CPU" if outcome.termination == "cpu-limit" else "wall clock"
            return Classification("timeout", "unknown", None, f"{what} limit reached{where}", asked, None)
        case "memory-limit":
            return Classification("out-of-memory", "unknown", None, f"memory limit reached{where}", asked, None)
        case "interrupted":
            return Classification("crashed", "unknown", None, "interrupted", asked, None)
        case "completed":
            pass
    if outcome.exit_code != 0:
        return Classification("crashed", "unknown", None, f"{_death(outcome)}{where}", asked, None)
    if reply is None:
        return Classification("crashed", "unknown", None, f"ended without a complete answer{where}", asked, None)
    if reply.status != "answered":
        return Classification(reply.status, "unknown", None, reply.text, asked, reply)
    if reply.answer is None or (winners is not None and reply.replayed is None):
        return Classification("crashed", "unknown", None, "said that it answered, and did not say what", asked, None)
    if winners is not None and reply.replayed is not None:
        category, message = _judge_game(reply.replayed.winners, winners, complete)
    else:
        category, message = _judge(reply.answer, expected, complete)
    return Classification("answered", category, reply.answer, message, asked, reply)


def _judge(answer: bool, expected: bool, complete: bool) -> tuple[Category, str | None]:
    if answer == expected:
        return "correct", None
    if expected and not complete:
        return "unknown", "misses this win, as an incomplete rule set may"
    return "wrong", f"answered {_yes(answer)}, the oracle says {_yes(expected)}"


def _judge_game(told: str, winners: str, complete: bool) -> tuple[Category, str | None]:
    """A missed win is one that is not told at all: what is told must be right."""
    if told == winners:
        return "correct", None
    if len(told) != len(winners):
        return "wrong", f"answered after {len(told)} moves of {len(winners)}"
    pairs = list(zip(told, winners, strict=True))
    if not complete and all(ours in (".", theirs) for ours, theirs in pairs):
        return "unknown", "misses this win, as an incomplete rule set may"
    ply = next(place for place, (ours, theirs) in enumerate(pairs) if ours != theirs)
    return "wrong", f"answered {_WORDS[told[ply]]} after move {ply + 1}, the oracle says {_WORDS[winners[ply]]}"


_WORDS = {".": "nobody", "r": "red", "b": "blue", "x": "both"}


def _yes(answer: bool) -> str:
    return "yes" if answer else "no"


def _death(outcome: Outcome) -> str:
    if outcome.exit_signal is not None:
        how = f"ended by {signal.Signals(outcome.exit_signal).name}"
    else:
        how = f"ended with exit code {outcome.exit_code}"
    words = outcome.stderr.decode("utf-8", "replace").split()
    return f"{how}: {' '.join(words)[-_LAST_WORDS:]}" if words else how
