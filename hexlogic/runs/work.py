"""The work of a measured process: build one program, ask one question, and say what came of it."""

from __future__ import annotations

import gc
import hashlib
import statistics
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import msgspec

from hexlogic.engines import Answer, load_engine
from hexlogic.errors import EngineError, HexlogicError, SizeError
from hexlogic.games import Position, load_game
from hexlogic.logic import Atom, Program, Rule
from hexlogic.passes import Pipeline
from hexlogic.rulesets import RuleSet, find_rule_set, position_facts, win_query
from hexlogic.runs.protocol import Asked, Built, FloorJob, GameJob, Job, Message, PlayJob, Reply, WarmUp, Work
from hexlogic.runs.records import Phases, Sizes

__all__ = ["cpu_s", "describe", "execute", "repeat_query", "require_hash"]


def execute(job: Work, tell: Callable[[Message], None]) -> Reply:
    """Build the program, ask, and return the reply; `tell` gets the message that comes before it.

    Raises HexlogicError for a rule set, pipeline or engine that fails; that a rule set cannot take the size, or the
    engine the program, is a reply of its own.
    """
    if isinstance(job, GameJob):
        from hexlogic.runs.replay import replay_game

        return replay_game(job, tell)
    if isinstance(job, PlayJob):
        from hexlogic.runs.playouts import play_sheet

        return play_sheet(job, tell)
    engine = load_engine(job.engine)
    question = _smallest() if isinstance(job, FloorJob) else _question(job)
    facts, query = question.facts, question.query

    begin = time.perf_counter()
    try:
        program = question.program()
    except SizeError as error:
        return Reply(status="unsupported", text=str(error))
    phases = Phases(transform_s=time.perf_counter() - begin)

    built = describe(program, engine.dialect)
    if (reason := engine.supports(program)) is not None:
        return Reply(status="unsupported", built=built, phases=phases, text=reason)
    # The engine works with the collector on, as anywhere, but need not look through what came before it.
    gc.freeze()
    gc.enable()
    try:
        with engine.open(program) as session:
            phases = msgspec.structs.replace(phases, start_s=session.start_s, load_s=session.load_s)
            tell(Asked(built=built, phases=phases, cpu_s=cpu_s()))
            answer = session.ask(facts, query)
            phases = msgspec.structs.replace(
                phases, ground_s=answer.ground_s, solve_s=answer.solve_s, query_cpu_s=answer.cpu_s
            )
            again, asked = repeat_query(job.warm, answer, lambda: session.ask(facts, query))
    except EngineError as error:
        return Reply(status="error", built=built, phases=phases, text=str(error))
    return Reply(
        status="answered",
        built=built,
        phases=phases,
        answer=answer.holds,
        counters=dict(answer.counters),
        warm_query_s=again,
        warm_queries=asked,
    )


@dataclass(frozen=True, slots=True)
class _Question:
    """How to build the program, which is timed, and what to ask of it."""

    program: Callable[[], Program]
    facts: Sequence[Atom]
    query: Atom


def _question(job: Job) -> _Question:
    rule_set = find_rule_set(job.rule_set)
    pipeline = Pipeline.parse(job.pipeline)
    require_hash(rule_set, job)
    board = load_game(job.game).of_extent(job.rows, job.columns)
    position = Position(board, frozenset(job.red), frozenset(job.blue))
    return _Question(
        lambda: pipeline.apply(rule_set.instantiate(position.game)), position_facts(position), win_query(job.player)
    )


def require_hash(rules: RuleSet, job: Job | GameJob | PlayJob) -> None:
    """Raise HexlogicError when the text of the rules is not the one that the session began with."""
    if rules.hash != job.rule_set_hash:
        raise HexlogicError(f"the text of {job.rule_set} changed during the session", hint="start again")


def _smallest() -> _Question:
    # wins(red).
    query = win_query("red")
    return _Question(lambda: Program((Rule(query),), queries=(query.predicate,)), (), query)


def repeat_query(warm: WarmUp, cold: Answer, ask: Callable[[], Answer]) -> tuple[float | None, int]:
    """Seconds of a short query asked again and again, and how often it was; an answer that changes is an error.

    The median of batches, and of a batch the mean: a clock with a coarse grain is wrong about one query, not about the
    sum of many, and a disturbance of the machine spoils one batch, not the median.
    """
    if cold.query_s >= warm.below_s:
        return None, 0
    end = time.perf_counter() + warm.budget_s
    means: list[float] = []
    total_s, count, asked = 0.0, 0, 0
    while len(means) < warm.batches and time.perf_counter() < end:
        answer = ask()
        if answer.holds != cold.holds:
            raise EngineError("the engine changed its answer when asked again")
        total_s, count, asked = total_s + answer.query_s, count + 1, asked + 1
        if total_s >= warm.batch_s:
            means.append(total_s / count)
            total_s, count = 0.0, 0
    if not means and count:  # the interface is so slow beside the query that one batch is all there is time for
        means.append(total_s / count)
    return (statistics.median(means) if means else None), asked


def describe(program: Program, dialect: str) -> Built:
    """What a record says of a program."""
    bodies = [rule.body for rule in program.rules if rule.body]
    return Built(
        program_hash=hashlib.sha256(str(program).encode()).hexdigest(),
        dialect=dialect,
        sizes=Sizes(
            rules=len(bodies), facts=sum(rule.is_fact for rule in program.rules), literals=sum(map(len, bodies))
        ),
    )


def cpu_s() -> float:
    """CPU seconds of this process and of its children alive, as the watcher counts them."""
    import psutil

    spent = time.process_time()
    for child in psutil.Process().children(recursive=True):
        times = child.cpu_times()
        spent += times.user + times.system
    return spent
