"""Moves that random games draw by trial: each legal move is as likely as the others."""

from __future__ import annotations

from collections import Counter
from math import inf

import numpy as np
import pytest

from hexlogic.ggp import StateMachine, read_kif
from hexlogic.ggp.forward import evaluator, kernel, memory, tries
from hexlogic.language.propagation.lanes import seeded
from tests.ggp.reasoners_here import ForwardMachine

STEPS = " ".join(f"(step {number} {number + 1}) (place {number})" for number in range(1, 9))
FLIPS = f"""(role red) (role blue) (init (control red)) (init (cell 3 red)) (init (cell 4 blue)) (init (cell 6 blue))
(init (cell 7 red)) (other red blue) (other blue red) {STEPS} (far 1) (far 2) (far 8)
(<= (legal ?r (put ?x)) (true (control ?r)) (free ?x) (beside ?x ?y) (other ?r ?o) (true (cell ?y ?o)))
(<= (legal ?r (put ?x)) (true (control ?r)) (free ?x) (beside ?x ?y) (true (cell ?y ?r)) (far ?x))
(<= (legal ?r noop) (true (control ?o)) (other ?r ?o))
(<= (legal ?r noop) (role ?r) (not (can ?r)))
(<= (can ?r) (free ?x) (beside ?x ?y) (other ?r ?o) (true (cell ?y ?o)))
(<= (free ?x) (place ?x) (not (taken ?x))) (<= (taken ?x) (true (cell ?x ?r)))
(<= (beside ?x ?y) (step ?x ?y)) (<= (beside ?x ?y) (step ?y ?x))
(<= (next (cell ?x ?r)) (does ?r (put ?x))) (<= (next (cell ?x ?r)) (true (cell ?x ?r)))
(<= (next (control ?o)) (true (control ?r)) (other ?r ?o)) (<= (next (passed ?r)) (does ?r noop))
(<= terminal (not (can red)) (not (can blue)))
(<= (goal red 100) (true (cell 1 red))) (<= (goal red 0) (not (true (cell 1 red))))
(<= (goal blue 100) (true (cell 8 blue))) (<= (goal blue 0) (not (true (cell 8 blue))))
"""
"""Stones go next to those of the other player, or at an end: two rules derive some moves. Who cannot move passes."""


@pytest.fixture(params=["all are tried", "some are kept"])
def machine(monkeypatch, request):
    """The sheet on a machine that tries moves, all or those that are not kept."""
    monkeypatch.setattr(tries, "_WORTH", inf)
    if request.param == "all are tried":
        monkeypatch.setattr(evaluator, "with_kept_views", lambda opened, *_: opened)
    with ForwardMachine(read_kif(FLIPS)) as machine:
        assert len(machine.states.evaluator.opened.tries) == (2 if request.param == "all are tried" else 1)
        yield machine


def _walk(machine: StateMachine, seed: int):
    """The states of a random game that are not its end."""
    draw, state = np.random.default_rng(seed), machine.initial_state
    while not machine.is_terminal(state):
        yield state
        moves = [machine.legal_moves(state, role) for role in machine.roles]
        state = machine.next_state(state, [own[draw.integers(len(own))] for own in moves])


def test_each_legal_move_is_one_candidate(machine):
    seen = 0
    for state in [state for seed in range(20) for state in _walk(machine, seed)]:
        machine.states.enter(state)
        here = machine.states.evaluator
        moves = [(predicate, tuple(numbers)) for predicate, numbers in here.legal()]
        listed = Counter(move for move in moves if move[0] in here.opened.tries)
        narrow, wide, _ = here.arrays()
        accepted: Counter[tuple[object, tuple[int, ...]]] = Counter()
        for role in range(len(machine.roles)):
            begin = wide[memory.MOVES] + 1 + role
            for at in range(wide[begin], wide[begin + 1], kernel.ENTRY):
                legal = here.opened.pairs[here.opened.done[wide[at + kernel.KIND]]]
                for number in range(wide[at + kernel.CANDIDATES] if narrow[wide[at + kernel.GATE]] else 0):
                    wide[wide[memory.SCRATCH]], wide[wide[memory.SCRATCH] + 1] = wide[at + kernel.KEY], number
                    done = wide[at + kernel.DONE]
                    before = wide[done + memory.TUPLES]
                    kernel.run(narrow, wide, done + memory.TRY - memory.CODE)
                    if wide[done + memory.TUPLES] != before:
                        columns = wide[done + memory.COLUMNS] + (wide[done + memory.TUPLES] - 1) * legal.arity
                        accepted[legal, tuple(map(int, narrow[columns : columns + legal.arity]))] += 1
        assert accepted == listed
        machine.states._state = None
        seen += len(listed)
    assert seen > 50


def test_legal_moves_are_drawn_alike(machine):
    here, random, draws = machine.states.evaluator, seeded(5), 3_000
    for state in list(_walk(machine, 3))[:3]:
        moves = [machine.legal_moves(state, role) for role in machine.roles]
        found: Counter[str] = Counter()
        for _ in range(draws):
            machine.states._state = None
            machine.states.enter(state)
            here._look()
            assert kernel.draw(here._narrow, here._wide, random)
            for predicate, numbers in here._tuples(here.opened.done):
                role = here.opened.types.of((predicate, 0)).term(numbers[0])
                found[f"{role} {here.opened.term(predicate, numbers)}"] += 1
        for role, own in zip(machine.roles, moves, strict=True):
            counts = [found[f"{role} {move}"] for move in own]
            assert sum(counts) == draws
            share = draws / len(own)
            assert sum((count - share) ** 2 / share for count in counts) < 20  # 0.001 with 5 degrees of freedom
