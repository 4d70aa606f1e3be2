"""Many positions as a kind of measurement: each method is right, wrong rules are found, records are read back."""

from __future__ import annotations

import contextlib
from pathlib import Path

import numpy as np
import pytest

from hexlogic.errors import SuiteError
from hexlogic.games.rulesets import find_rule_set
from hexlogic.laboratory.records.store import read_records
from hexlogic.laboratory.records.types import METHODS, PositionsRun
from hexlogic.laboratory.report.terminal import render_report
from hexlogic.laboratory.runs.kind import Message, Rules, carry_out
from hexlogic.laboratory.runs.kinds.positions import ManyPositions, random_boards
from hexlogic.laboratory.runs.plan import chosen_suite, make_plan
from hexlogic.laboratory.runs.run import Listener, execute_here

WRONG = """% name: one-way
% idea: a flood that never goes back
% source: a test
% query: wins/1
% games: any
% complete: yes
% needs: recursion
% cost: nothing

reach(P,X) :- owns(P,X), first(P,X).
reach(P,Y) :- reach(P,X), adjacent(X,Y), owns(P,Y), X < Y.
wins(P) :- reach(P,X), last(P,X).
#show wins/1.
"""


@pytest.mark.takes_seconds(keep=8)
@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("rules", ["follow-line-tabled", "maker-breaker"])
def test_each_method_is_right_and_counts_its_positions(rules, method):
    told: list[Message] = []
    reply = carry_out(ManyPositions(Rules.of(find_rule_set(rules)), 4, method, seed=7), told.append)
    assert (reply.status, reply.answer, len(told)) == ("answered", True, 1)
    assert reply.counters["positions"] >= 256
    assert reply.phases.query_cpu_s is not None
    assert reply.phases.query_cpu_s >= 0.5


@pytest.mark.parametrize("method", METHODS)
def test_wrong_rules_are_found_by_the_referee(tmp_path, method):
    file = tmp_path / "one-way.lp"
    file.write_text(WRONG)
    reply = carry_out(ManyPositions(Rules.of(find_rule_set(str(file))), 5, method, seed=7), lambda asked: None)
    assert (reply.status, reply.answer) == ("answered", False)


def test_random_boards_are_positions_by_turns():
    boards = random_boards(5000, 9, seed=3)
    red, blue = (boards == 1).sum(axis=1), (boards == 2).sum(axis=1)
    assert set((red.astype(int) - blue).tolist()) == {0, 1}
    assert set((red + blue).tolist()) == set(range(10)), "from the empty board to the full one"
    assert (random_boards(10, 9, seed=3) == random_boards(10, 9, seed=3)).all()
    assert (random_boards(10, 9, seed=3) != random_boards(10, 9, seed=4)).any()
    each = np.stack([(boards == 1).mean(axis=0), (boards == 2).mean(axis=0)])
    assert (abs(each - each.mean(axis=1, keepdims=True)) < 0.05).all(), "no cell is preferred"


@pytest.mark.takes_seconds
def test_from_the_suite_to_the_table(tmp_path: Path):
    (tmp_path / "one-way.lp").write_text(WRONG)
    suite = chosen_suite(rules=["follow-line-tabled", str(tmp_path / "one-way.lp")], positions=["5"])
    assert suite.asked_boards == []
    plan = make_plan(suite, "own", repeats=1, cpu_s=200)
    assert len(plan.configurations) == 2 * len(METHODS)
    assert not plan.floors
    result = execute_here(plan, tmp_path / "out", contextlib.nullcontext(Listener()), command=[])
    assert result.wrong == len(METHODS), "a wrong warm-up is not repeated"
    records = read_records(tmp_path / "out")
    runs = records.of_type(PositionsRun)
    assert len(runs) == len(records.measurements) == 3 * len(METHODS)
    assert {(one.rule_set, one.category) for one in runs} == {("follow-line-tabled", "correct"), ("one-way", "wrong")}
    assert len({one.key for one in runs}) == len(runs)
    text = render_report(records)
    assert text.count("WRONG ANSWER: one-way, many positions of 5x5") == len(METHODS)
    assert "Many positions" in text


def test_a_size_that_is_none():
    with pytest.raises(SuiteError, match="--positions"):
        chosen_suite(positions=["nine"])
    with pytest.raises(SuiteError, match="--positions"):
        chosen_suite(positions=["0"])


@pytest.mark.takes_seconds
def test_what_compiles_is_run_small_before_anything_is_measured(tmp_path):
    suite = chosen_suite(rules=["follow-line-tabled"], positions=["4"])
    plan = make_plan(suite, "own", repeats=1, cpu_s=200)
    jobs = {job for one in plan.configurations for job in one.first_jobs()}
    assert {(job.board, job.method) for job in jobs} == {(3, method) for method in METHODS}
    said: list[str] = []
    execute_here(plan, tmp_path / "out", contextlib.nullcontext(Listener()), command=[], say=said.append)
    assert said == ["numba loads its cache, or compiles where there is none"]
