"""The start-up floor of an engine: the smallest question, a program of one fact, asked for it, with no position.

The floors of a session are measured before its first run, in rounds over its engines.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from hexlogic.games.rulesets import win_query
from hexlogic.laboratory.records.types import Floor, Measured, Session
from hexlogic.laboratory.runs.classify import classify
from hexlogic.laboratory.runs.kind import Configuration, Job, Kind, Measurer, Tell
from hexlogic.laboratory.runs.kinds.question import WarmUp, ask
from hexlogic.laboratory.runs.protocol import Reply
from hexlogic.language import Program, Rule
from hexlogic.process.isolate import Outcome

FLOOR_REPEATS = 3


class FloorJob(Job, frozen=True, kw_only=True, forbid_unknown_fields=True, tag="floor"):
    """The engine that is asked."""

    engine: str


@dataclass(frozen=True, slots=True)
class EngineFloor(Configuration):
    """An engine, without rules and without a position."""

    engine: str

    def __str__(self) -> str:
        return f"the floor of {self.engine}"

    def job(self, repeat: int = 0) -> FloorJob:
        """What the measured process is told, the same in every repeat."""
        return FloorJob(engine=self.engine)

    def identity(self, session: Session) -> tuple[object, ...]:
        """The engine and its version."""
        return (self.engine, session.engines[self.engine].version)

    def record(self, session: Session, outcome: Outcome, *, warmup: bool, repeat: int) -> Floor:
        """The record of a floor that was measured."""
        verdict = classify(outcome, expected=True)
        reply = verdict.reply or Reply(status="error")
        return Floor(
            engine=self.engine,
            repeat=repeat,
            phases=reply.phases,
            warm_query_s=reply.warm_query_s,
            warm_queries=reply.warm_queries,
            usage=Measured.of(outcome.usage),
            status=verdict.status,
            category=verdict.category,
            message=verdict.message,
        )


def measure_floors(session: Session, measurer: Measurer, *, has: Iterable[Floor] = ()) -> Iterator[Floor]:
    """The floors of the session's engines, each measured when it is asked for, up to one that was stopped.

    Those that a resumed session `has` are not measured again.
    """
    there = {floor.key for floor in has}
    for repeat in range(FLOOR_REPEATS):
        for engine, info in session.engines.items():
            if info.missing is None and Floor.key_of(engine, repeat) not in there:
                floor = measurer(EngineFloor(engine), session, warmup=False, repeat=repeat, stop=None)
                if not isinstance(floor, Floor):
                    return
                yield floor


def execute(job: FloorJob, tell: Tell) -> Reply:
    """Ask the engine for the one fact."""
    query = win_query("red")
    return ask(job.engine, lambda: Program((Rule(query),), queries=(query.predicate,)), (), query, WarmUp(), tell)


KIND = Kind(FloorJob, Floor, execute)
