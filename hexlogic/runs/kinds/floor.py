"""The start-up floor of an engine: the smallest question, a program of one fact, asked for it, with no position."""

from __future__ import annotations

from hexlogic.logic import Program, Rule
from hexlogic.process.isolate import Outcome
from hexlogic.rulesets import win_query
from hexlogic.runs.classify import classify
from hexlogic.runs.kind import Job, Kind, Tell
from hexlogic.runs.kinds.question import WarmUp, ask
from hexlogic.runs.protocol import Reply
from hexlogic.runs.records import Floor, Measured

__all__ = ["KIND", "FloorJob", "floor_record"]


class FloorJob(Job, frozen=True, kw_only=True, forbid_unknown_fields=True, tag="floor"):
    """The engine that is asked."""

    engine: str
    warm: WarmUp = WarmUp()


def execute(job: FloorJob, tell: Tell) -> Reply:
    """Ask the engine for the one fact."""
    query = win_query("red")
    return ask(job.engine, lambda: Program((Rule(query),), queries=(query.predicate,)), (), query, job.warm, tell)


def floor_record(engine: str, repeat: int, outcome: Outcome) -> Floor:
    """The record of a floor that was measured."""
    verdict = classify(outcome, expected=True)
    reply = verdict.reply or Reply(status="error")
    return Floor(
        engine=engine,
        repeat=repeat,
        phases=reply.phases,
        warm_query_s=reply.warm_query_s,
        warm_queries=reply.warm_queries,
        usage=Measured.of(outcome.usage),
        status=verdict.status,
        category=verdict.category,
        message=verdict.message,
    )


KIND = Kind(FloorJob, Floor, execute)
