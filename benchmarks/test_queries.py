"""Loading a program, and asking a loaded one again: every rule set, pipeline and engine, on the paper's position."""

from __future__ import annotations

import msgspec
import pytest
from conftest import Laboratory, build, the_plan

from hexlogic.engines import load_engine
from hexlogic.rulesets import position_facts, win_query
from hexlogic.runs.measure import is_good
from hexlogic.runs.plan import Cell
from hexlogic.runs.records import Run

LOADED = ("none", "ground,reorder")


def name(cell: Cell) -> str:
    return f"{cell.rule_set.name}-{cell.pipeline}-{cell.engine}"


def first_answer(laboratory: Laboratory, cell: Cell) -> Run:
    """The run in a process of its own. A wrong answer or a broken engine fails; one out of its limits is skipped."""
    run = laboratory.first[cell]
    if run.category == "wrong" or run.status in ("crashed", "error"):
        pytest.fail(f"{run.status}, {run.category}: {run.message}")
    if run.status == "unsupported":
        pytest.skip(f"unsupported: {run.message}")
    return run


@pytest.mark.parametrize("cell", [cell for cell in the_plan().configurations if cell.pipeline in LOADED], ids=name)
def test_load(benchmark, laboratory, quiet, cell):
    run = first_answer(laboratory, cell)
    if run.phases.load_s is None:
        pytest.skip(f"no load within the limits: {run.status}")
    program, engine = build(cell.rule_set, cell.pipeline), load_engine(cell.engine)
    benchmark.group = f"{cell.rule_set.name}: load"
    benchmark(lambda: engine.open(program).close())


@pytest.mark.parametrize("cell", the_plan().configurations, ids=name)
def test_query(benchmark, laboratory, quiet, cell):
    run = first_answer(laboratory, cell)
    if not is_good(run):
        pytest.skip(f"no answer within {the_plan().limits.cpu_s:g} s of CPU: {run.status}")
    facts, query = position_facts(cell.task.position), win_query(cell.task.player)
    benchmark.group = f"{cell.rule_set.name}: query"
    benchmark.extra_info["hexlogic"] = msgspec.to_builtins(run)
    with load_engine(cell.engine).open(build(cell.rule_set, cell.pipeline)) as session:
        assert session.ask(facts, query).holds == run.answer, "another answer than in a process of its own"
        benchmark(session.ask, facts, query)
    if benchmark.stats is not None:  # None under --benchmark-disable
        laboratory.rounds[cell] = benchmark.stats.stats.data
