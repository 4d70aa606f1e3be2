"""One question: build a program, load it into an engine, ask whether a player has won in a position."""

from __future__ import annotations

import gc
import statistics
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Literal

import msgspec

from hexlogic.errors import EngineError
from hexlogic.games import Position, load_game
from hexlogic.games.rulesets import RuleSet, find_rule_set, position_facts, win_query
from hexlogic.laboratory.records.types import Phases, Run, Session
from hexlogic.laboratory.runs.classify import classify
from hexlogic.laboratory.runs.kind import Configuration, Job, Kind, Tell, require_hash
from hexlogic.laboratory.runs.protocol import Asked, Built, Reply
from hexlogic.laboratory.runs.tasks import Task
from hexlogic.language import Atom, Program
from hexlogic.language.engines import Answer, load_engine
from hexlogic.language.passes import Pipeline
from hexlogic.process.cpu_clock import tree_cpu_s
from hexlogic.process.isolate import Outcome


class WarmUp(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """How often a short query is repeated in the same process: `batches` of it, each of which adds up to `batch_s`
    seconds of query, so that the grain of the engine's clock does not matter; but no longer than `budget_s` in all.

    Only a cold query below `below_s` seconds is repeated.
    """

    below_s: float = 0.1
    budget_s: float = 0.04
    batch_s: float = 0.0001
    batches: int = 200


class QuestionJob(Job, frozen=True, kw_only=True, forbid_unknown_fields=True, tag="question"):
    """Which program to build, which engine to ask, about which position and player."""

    rule_set: str
    """A name, or a file of rules."""
    rule_set_hash: str
    game: str
    rows: int
    columns: int
    red: list[int]
    blue: list[int]
    player: Literal["red", "blue"]
    pipeline: str
    engine: str
    warm: WarmUp = WarmUp()


@dataclass(frozen=True, slots=True)
class Question(Configuration):
    """A rule set through a pipeline on an engine, asked about a task."""

    rule_set: RuleSet
    pipeline: str
    engine: str
    task: Task

    def __str__(self) -> str:
        return f"{self.rule_set.name} {self.pipeline} {self.engine} {self.task.name} {self.task.player}"

    @property
    def brief(self) -> str:
        """What runs, in a few words."""
        return f"{self.rule_set.name} {self.pipeline} on {self.engine}"

    @property
    def series(self) -> object | None:
        """The configuration and the series of boards, if the board belongs to one."""
        task = self.task
        name = (self.rule_set.name, self.pipeline, self.engine, task.query, task.family)
        return None if task.family is None else name

    @property
    def size(self) -> int:
        """The rows of the board."""
        return self.task.position.game.rows

    def job(self, repeat: int = 0) -> Job:
        """What the measured process is told, the same in every repeat."""
        position = self.task.position
        return QuestionJob(
            rule_set=self.rule_set.reference,
            rule_set_hash=self.rule_set.hash,
            game=position.game.name,
            rows=position.game.rows,
            columns=position.game.columns,
            red=sorted(position.red),
            blue=sorted(position.blue),
            player=self.task.player,
            pipeline=self.pipeline,
            engine=self.engine,
        )

    def identity(self, session: Session) -> tuple[object, ...]:
        """The rule text, pipeline, engine and its version, facts and query."""
        version = session.engines[self.engine].version
        return (self.rule_set.hash, self.pipeline, self.engine, version, self.task.facts_hash, self.task.query)

    def record(self, session: Session, outcome: Outcome, *, warmup: bool, repeat: int) -> Run:
        """The record of a run that ended."""
        task, rule_set = self.task, self.rule_set
        winners = None if task.game is None else task.game.winners
        verdict = classify(outcome, expected=task.expected, complete=rule_set.complete, winners=winners)
        reply, asked, built = verdict.reply or Reply(status="error"), verdict.asked, verdict.built
        return Run(
            rule_set=rule_set.name,
            rule_set_hash=rule_set.hash,
            complete=rule_set.complete,
            game=task.position.game.name,
            rows=task.position.game.rows,
            columns=task.position.game.columns,
            pipeline=self.pipeline,
            program_hash=None if built is None else built.program_hash,
            engine=self.engine,
            options=session.engines[self.engine].options,
            dialect=None if built is None else built.dialect,
            task=task.name,
            facts_hash=task.facts_hash,
            query=task.query,
            expected=task.expected,
            asked_cpu_s=None if asked is None else asked.cpu_s,
            warm_query_s=reply.warm_query_s,
            warm_queries=reply.warm_queries,
            sizes=None if built is None else built.sizes,
            counters=reply.counters,
            answer=verdict.answer,
            mode=None if task.game is None else task.game.mode,
            replayed=reply.replayed,
            **self.measured(session, outcome, verdict, warmup=warmup, repeat=repeat),
        )


def execute(job: QuestionJob, tell: Tell) -> Reply:
    """Build the program and ask. Raises HexlogicError for a rule set, pipeline or engine that fails."""
    rule_set = find_rule_set(job.rule_set)
    pipeline = Pipeline.parse(job.pipeline)
    require_hash(rule_set, job.rule_set, job.rule_set_hash)
    board = load_game(job.game).of_extent(job.rows, job.columns)
    facts = position_facts(Position(board, frozenset(job.red), frozenset(job.blue)))
    return ask(
        job.engine, lambda: pipeline.apply(rule_set.instantiate(board)), facts, win_query(job.player), job.warm, tell
    )


def ask(name: str, build: Callable[[], Program], facts: Sequence[Atom], query: Atom, warm: WarmUp, tell: Tell) -> Reply:
    """Build the program, load it into the engine of that name, ask for the query.

    Raises HexlogicError; that the engine cannot take the program is a reply.
    """
    engine = load_engine(name)
    begin = time.perf_counter()
    program = build()
    phases = Phases(transform_s=time.perf_counter() - begin)

    built = Built.of(program, engine.dialect)
    if (reason := engine.supports(program)) is not None:
        return Reply(status="unsupported", built=built, phases=phases, text=reason)
    # The engine works with the collector on, as anywhere, but need not look through what came before it.
    gc.freeze()
    gc.enable()
    try:
        with engine.open(program) as session:
            phases = msgspec.structs.replace(phases, start_s=session.start_s, load_s=session.load_s)
            tell(Asked(built=built, phases=phases, cpu_s=tree_cpu_s()))
            answer = session.ask(facts, query)
            phases = msgspec.structs.replace(
                phases, ground_s=answer.ground_s, solve_s=answer.solve_s, query_cpu_s=answer.cpu_s
            )
            again, asked = repeat_query(warm, answer, lambda: session.ask(facts, query))
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


KIND = Kind(QuestionJob, Run, execute)
