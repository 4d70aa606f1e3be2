"""Loading a program, and asking a loaded one again: every rule set, pipeline and engine, on the paper's position."""

from __future__ import annotations

import msgspec
import pytest
from conftest import Laboratory, build, the_plan

from hexlogic.games.rulesets import position_facts, win_query
from hexlogic.laboratory.records.types import Run
from hexlogic.laboratory.runs.kinds.question import Question
from hexlogic.language.engines import load_engine

LOADED = ("none", "ground,reorder")


def name(configuration: Question) -> str:
    return f"{configuration.rule_set.name}-{configuration.pipeline}-{configuration.engine}"


def first_answer(laboratory: Laboratory, configuration: Question) -> Run:
    """The run in a process of its own. A wrong answer or a broken engine fails; one out of its limits is skipped."""
    run = laboratory.first[configuration]
    if run.category == "wrong" or run.status in ("crashed", "error"):
        pytest.fail(f"{run.status}, {run.category}: {run.message}")
    if run.status == "unsupported":
        pytest.skip(f"unsupported: {run.message}")
    return run


@pytest.mark.parametrize(
    "configuration",
    [configuration for configuration in the_plan().configurations if configuration.pipeline in LOADED],
    ids=name,
)
def test_load(benchmark, laboratory, quiet, configuration):
    run = first_answer(laboratory, configuration)
    if run.phases.load_s is None:
        pytest.skip(f"no load within the limits: {run.status}")
    program, engine = build(configuration.rule_set, configuration.pipeline), load_engine(configuration.engine)
    benchmark.group = f"{configuration.rule_set.name}: load"
    benchmark(lambda: engine.open(program).close())


@pytest.mark.parametrize("configuration", the_plan().configurations, ids=name)
def test_query(benchmark, laboratory, quiet, configuration):
    run = first_answer(laboratory, configuration)
    if not run.is_good:
        pytest.skip(f"no answer within {the_plan().limits.cpu_s:g} s of CPU: {run.status}")
    facts, query = position_facts(configuration.task.position), win_query(configuration.task.player)
    benchmark.group = f"{configuration.rule_set.name}: query"
    benchmark.extra_info["hexlogic"] = msgspec.to_builtins(run)
    with load_engine(configuration.engine).open(build(configuration.rule_set, configuration.pipeline)) as session:
        assert session.ask(facts, query).holds == run.answer, "another answer than in a process of its own"
        benchmark(session.ask, facts, query)
    if benchmark.stats is not None:  # None under --benchmark-disable
        laboratory.rounds[configuration] = benchmark.stats.stats.data
