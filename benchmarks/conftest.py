"""In-process benchmarks: which configurations there are, which are quick enough, and the tables at the end.

Nothing in process can be stopped when it takes too long. So each selected configuration first answers once in a process
of its own under limits, as in `hexlogic bench`; what does not answer is skipped with the reason, and stands in the
tables with it.
"""

from __future__ import annotations

import gc
import os
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from datetime import UTC, datetime
from functools import cached_property, lru_cache

import msgspec
import pytest

from hexlogic.games.rulesets import rule_set_names
from hexlogic.laboratory.records.store import SUITE, RecordFile, Stored, run_of_rounds
from hexlogic.laboratory.records.types import Run, Session
from hexlogic.laboratory.report.document import Text
from hexlogic.laboratory.report.quality import explain_marks
from hexlogic.laboratory.report.results import SuiteRecords
from hexlogic.laboratory.report.terminal import render_blocks, session_blocks
from hexlogic.laboratory.runs.kind import Rules
from hexlogic.laboratory.runs.kinds.question import Question
from hexlogic.laboratory.runs.plan import ConfigurationSet, Plan, Suite, SuiteLimits, make_plan
from hexlogic.laboratory.runs.run import measure
from hexlogic.laboratory.runs.session import new_session
from hexlogic.language import Program
from hexlogic.language.engines import engine_names
from hexlogic.language.passes import Pipeline
from hexlogic.process.call import COMPILE_FIRST
from hexlogic.process.limits import cores

os.environ.setdefault(COMPILE_FIRST, "1")

PIPELINES = ("none", "ground", "reorder", "ground,reorder")
LIMITS = SuiteLimits(cpu_s=2, memory_mb=2000)
"""Of the first answer, building and loading included."""


@lru_cache(maxsize=1)
def the_plan() -> Plan:
    """Every rule set through the paper's pipelines on every engine that is here, on the paper's position."""
    choice = ConfigurationSet(rule_sets=rule_set_names(), pipelines=PIPELINES, engines=engine_names())
    suite = Suite(name=SUITE, boards=["difficult-1"], limits=LIMITS, configurations=(choice,), repeats=1)
    return make_plan(suite, __file__)


@lru_cache(maxsize=32)
def build(rules: Rules, pipeline: str) -> Program:
    """The program of a rule set for the plan's board."""
    return Pipeline.parse(pipeline).apply(rules.load().instantiate(the_plan().configurations[0].task.position.game))


@dataclass
class Laboratory:
    """What this pytest session knows: first answers, each configuration's rounds, and the header of its records."""

    command: Sequence[str]
    started: datetime
    first: dict[Question, Run] = field(default_factory=dict)
    rounds: dict[Question, list[float]] = field(default_factory=dict)

    @cached_property
    def session(self) -> Session:
        return new_session(the_plan(), jobs=1, warm_up_jobs=cores(), command=self.command, started=self.started)

    def answer_once(self, configurations: Sequence[Question]) -> None:
        """One run of each configuration in a process of its own under limits, as many at a time as processors."""
        session = self.session

        def run(configuration: Question) -> Run | None:
            return measure(configuration, session, warmup=True, repeat=0)

        with ThreadPoolExecutor(cores()) as pool:
            found = zip(configurations, pool.map(run, configurations), strict=True)
            self.first |= {configuration: answered for configuration, answered in found if answered is not None}

    @property
    def left_out(self) -> list[Run]:
        """The runs without an answer; they were not repeated in process."""
        return [run for run in self.first.values() if not run.is_good]

    def records(self) -> RecordFile:
        """Everything measured so far, as the records of a session."""
        runs = [run_of_rounds(self.first[configuration], rounds) for configuration, rounds in self.rounds.items()]
        return RecordFile(self.session, (*self.left_out, *runs))


_LABORATORY = pytest.StashKey[Laboratory]()


def pytest_configure(config: pytest.Config) -> None:
    command = ["pytest", *config.invocation_params.args]
    config.stash[_LABORATORY] = Laboratory([str(word) for word in command], datetime.now(UTC))


@pytest.fixture(scope="session")
def laboratory(request: pytest.FixtureRequest) -> Laboratory:
    found = request.config.stash[_LABORATORY]
    params = [item.callspec.params for item in request.session.items if hasattr(item, "callspec")]
    found.answer_once(list(dict.fromkeys(one["configuration"] for one in params if "configuration" in one)))
    return found


@pytest.fixture
def quiet() -> Iterator[None]:
    """The collector stays on, as anywhere, but need not go through what earlier benchmarks left."""
    gc.collect()
    gc.freeze()
    yield
    gc.unfreeze()


def pytest_benchmark_update_json(config: pytest.Config, benchmarks: object, output_json: dict[str, object]) -> None:
    """Put beside pytest-benchmark's own figures what `hexlogic report` and `hexlogic compare` have to know."""
    found = config.stash[_LABORATORY]
    output_json["hexlogic"] = msgspec.to_builtins(Stored(session=found.session, left_out=found.left_out))


@pytest.hookimpl(trylast=True)
def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter, config: pytest.Config) -> None:
    """The tables of runtime savings, by the code that makes those of `hexlogic bench`."""
    found = config.stash[_LABORATORY]
    if found.rounds:
        terminalreporter.section("runtime savings, in process")
        suite = SuiteRecords([found.records()])
        texts = map(Text, [_LEGEND, *explain_marks(suite.configurations)])
        terminalreporter.write_line(render_blocks([*session_blocks(suite), *texts]))


_LEGEND = (
    "time: a query to a program loaded before, asked again and again in one process; RSF: the slowest time of the same "
    "reformulation and engine divided by this one; [?]: one process is one repeat, and nothing tells how much it "
    f"scatters. What found no answer in a process of its own within {LIMITS.cpu_s:g} s of CPU, building and loading "
    "included, was not asked again."
)
