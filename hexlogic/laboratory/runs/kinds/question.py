"""One question: build a program, load it into an engine, ask whether a player has won in a position."""

import statistics
import time
from collections.abc import Callable, Sequence

import msgspec

from hexlogic.errors import EngineError
from hexlogic.games.detect.states import state_after
from hexlogic.games.rulesets import position_facts, win_query
from hexlogic.games.rulesets.transitions import load_transitions, transition_names
from hexlogic.laboratory.records.types import Run, Session
from hexlogic.laboratory.runs.kind import Classification, Configuration, Measuring, Message, Rules, classify
from hexlogic.laboratory.runs.tasks import Task
from hexlogic.language import Atom, Program
from hexlogic.language.analysis.dependence import rules_below
from hexlogic.language.engines import Answer, load_engine
from hexlogic.language.passes import Pipeline
from hexlogic.process.isolate import Outcome

BELOW_S, BUDGET_S, BATCH_S, BATCHES = 0.1, 0.04, 0.0001, 200
"""A cold query below so many seconds is repeated, no longer than the budget, in so many batches at most. A batch has as
many seconds of query as that the grain of the engine's clock does not matter."""


class Question(Configuration, frozen=True, forbid_unknown_fields=True, tag="question"):
    """A rule set through a pipeline on an engine, asked about a task."""

    record_type = Run

    rule_set: Rules
    pipeline: str
    engine: str
    task: Task

    def __str__(self) -> str:
        return f"{self.rule_set.name} {self.pipeline} {self.engine} {self.task.name} {self.task.player}"

    @property
    def series(self) -> tuple[object, int]:
        """The configuration and the series of boards, if the board belongs to one, and its rows."""
        task = self.task
        if task.family is None:
            return self, 0
        return (self.rule_set.name, self.pipeline, self.engine, task.query, task.family), task.rows

    def execute(self, measuring: Measuring) -> Message:
        """Build the program and ask. Of transition rules only the verifier is asked, about the state that the stones
        leave, put one after the other in the order of their cells.

        Raises HexlogicError for a rule set, pipeline or engine that fails.
        """
        pipeline, position, query = Pipeline.parse(self.pipeline), self.task.position, win_query(self.task.player)
        name = self.rule_set.reference
        if name in transition_names():
            self.rule_set.check(load_transitions(name).rules)
            transitions = load_transitions(name).instantiate(position.game)
            below = rules_below(transitions.program, [query.predicate])
            verifier = transitions.program.with_rules(below.rules)
            facts = state_after(transitions, position_facts(position))
            return ask(self.engine, lambda: pipeline.apply(verifier), facts, query, measuring)
        rule_set, facts = self.rule_set.load(), position_facts(position)
        return ask(self.engine, lambda: pipeline.apply(rule_set.instantiate(position.game)), facts, query, measuring)

    def judge(self, outcome: Outcome) -> Classification:
        """What became of a run; the answer is compared with the referee's."""
        winners = None if self.task.game is None else self.task.game.winners
        return classify(outcome, expected=self.task.expected, complete=self.rule_set.complete, winners=winners)

    def fields(self, session: Session, verdict: Classification) -> dict[str, object]:
        """What was asked."""
        task, rule_set = self.task, self.rule_set
        return {
            **msgspec.structs.asdict(task),
            "rule_set": rule_set.name,
            "rule_set_hash": rule_set.hash,
            "complete": rule_set.complete,
            "game": task.board,
            "options": session.engines[self.engine].options,
            "task": task.name,
            "mode": None if task.game is None else task.game.mode,
        }


def ask(name: str, build: Callable[[], Program], facts: Sequence[Atom], query: Atom, measuring: Measuring) -> Message:
    """Build the program, load it into the engine of that name, ask for the query. Raises HexlogicError, and Unsupported
    when the engine cannot take the program."""
    engine = load_engine(name)
    program = measuring.build(build, engine.dialect, engine.supports)
    with engine.open(program) as session:
        measuring.took(start_s=session.start_s, load_s=session.load_s)
        measuring.ask()
        answer = session.ask(facts, query)
        measuring.took(ground_s=answer.ground_s, solve_s=answer.solve_s, query_cpu_s=answer.cpu_s)
        warm_s, queries = repeat_query(answer, lambda: session.ask(facts, query))
    return measuring.answered(answer.holds, counters=dict(answer.counters), warm_query_s=warm_s, warm_queries=queries)


def repeat_query(
    cold: Answer, ask: Callable[[], Answer], *, budget_s: float = BUDGET_S, batch_s: float = BATCH_S
) -> tuple[float | None, int]:
    """Seconds of a short query asked again and again, and how often it was; an answer that changes is an error.

    The median of batches, and of a batch the mean: a clock with a coarse grain is wrong about one query, not about the
    sum of many, and a disturbance of the machine spoils one batch, not the median.
    """
    if cold.query_s >= BELOW_S:
        return None, 0
    end = time.perf_counter() + budget_s
    means: list[float] = []
    total_s, count, asked = 0.0, 0, 0
    while len(means) < BATCHES and time.perf_counter() < end:
        answer = ask()
        if answer.holds != cold.holds:
            raise EngineError("the engine changed its answer when asked again")
        total_s, count, asked = total_s + answer.query_s, count + 1, asked + 1
        if total_s >= batch_s:
            means.append(total_s / count)
            total_s, count = 0.0, 0
    if not means and count:  # the interface is so slow beside the query that one batch is all there is time for
        means.append(total_s / count)
    return (statistics.median(means) if means else None), asked


KIND = Question
