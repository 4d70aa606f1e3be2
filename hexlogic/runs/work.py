"""The work of a measured process: build one program, ask one question, and say what came of it."""

from __future__ import annotations

import gc
import hashlib
import statistics
import time
from collections.abc import Callable

import msgspec

from hexlogic.engines import Answer, load_engine
from hexlogic.errors import EngineError, HexlogicError, SizeError
from hexlogic.games import Hex, Position
from hexlogic.logic import Program
from hexlogic.passes import Pipeline
from hexlogic.rulesets import load_rule_set, position_facts, win_query
from hexlogic.runs.protocol import Asked, Built, Job, Message, Reply
from hexlogic.runs.records import Phases, Sizes

__all__ = ["execute"]


def execute(job: Job, tell: Callable[[Message], None]) -> Reply:
    """Build the program, ask, and return the reply; `tell` gets the message that comes before it.

    Raises HexlogicError for a rule set, pipeline or engine that fails; that a rule set cannot take the size, or the
    engine the program, is a reply of its own.
    """
    rule_set, pipeline, engine = load_rule_set(job.rule_set), Pipeline.parse(job.pipeline), load_engine(job.engine)
    if rule_set.hash != job.rule_set_hash:
        raise HexlogicError(f"the text of {job.rule_set} changed during the session", hint="start again")
    position = Position(Hex(job.rows, job.columns), frozenset(job.red), frozenset(job.blue))
    facts, query = position_facts(position), win_query(job.player)

    begin = time.perf_counter()
    try:
        program = pipeline.apply(rule_set.instantiate(position.game))
    except SizeError as error:
        return Reply(status="unsupported", text=str(error))
    phases = Phases(transform_s=time.perf_counter() - begin)

    built = _describe(program, engine.dialect)
    if (reason := engine.supports(program)) is not None:
        return Reply(status="unsupported", built=built, phases=phases, text=reason)
    # The engine works with the collector on, as anywhere, but need not look through what came before it.
    gc.freeze()
    gc.enable()
    try:
        with engine.open(program) as session:
            phases = msgspec.structs.replace(phases, start_s=session.start_s, load_s=session.load_s)
            tell(Asked(built=built, phases=phases, cpu_s=_cpu_s()))
            answer = session.ask(facts, query)
            phases = msgspec.structs.replace(phases, ground_s=answer.ground_s, solve_s=answer.solve_s)
            again = _repeat(job, answer, lambda: session.ask(facts, query))
    except EngineError as error:
        return Reply(status="error", built=built, phases=phases, text=str(error))
    return Reply(
        status="answered",
        built=built,
        phases=phases,
        answer=answer.holds,
        counters=dict(answer.counters),
        warm_query_s=statistics.median(again) if again else None,
        warm_queries=len(again),
    )


def _repeat(job: Job, cold: Answer, ask: Callable[[], Answer]) -> list[float]:
    """Seconds of the same query asked again and again, when it is short; an answer that changes is an error."""
    times: list[float] = []
    if cold.query_s >= job.warm_below_s:
        return times
    end = time.perf_counter() + job.warm_budget_s
    while len(times) < job.warm_most and time.perf_counter() < end:
        answer = ask()
        if answer.holds != cold.holds:
            raise EngineError(f"{job.engine} changed its answer when asked again")
        times.append(answer.query_s)
    return times


def _describe(program: Program, dialect: str) -> Built:
    bodies = [rule.body for rule in program.rules if rule.body]
    return Built(
        program_hash=hashlib.sha256(str(program).encode()).hexdigest(),
        dialect=dialect,
        sizes=Sizes(
            rules=len(bodies), facts=sum(rule.is_fact for rule in program.rules), literals=sum(map(len, bodies))
        ),
    )


def _cpu_s() -> float:
    """CPU seconds of this process and of its children alive, as the watcher counts them."""
    import psutil

    spent = time.process_time()
    for child in psutil.Process().children(recursive=True):
        times = child.cpu_times()
        spent += times.user + times.system
    return spent
