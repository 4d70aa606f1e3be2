"""Bridges between programs about graphs, automata and triples: proved for all sets of input facts."""

from __future__ import annotations

import pytest

from hexlogic.proofs.all_inputs import ProgramText
from hexlogic.proofs.finding.bridge_text import find_bridge, prove_on_all_inputs
from hexlogic.proofs.finding.worlds import InputWorld

PAIRS = {
    "a closure and what a source reaches": (
        """#defined e/2.
            #defined src/1.
            tc(X,Y) :- e(X,Y).
            tc(X,Z) :- tc(X,Y), tc(Y,Z).
            ans(Y) :- src(X), tc(X,Y).
            #show ans/1.""",
        """#defined e/2.
            #defined src/1.
            ans(Y) :- src(X), e(X,Y).
            ans(Y) :- ans(X), e(X,Y).
            #show ans/1.""",
    ),
    "cycles, from either end": (
        """#defined e/2.
            tc(X,Y) :- e(X,Y).
            tc(X,Z) :- tc(X,Y), e(Y,Z).
            cyc(X) :- tc(X,X).
            #show cyc/1.""",
        """#defined e/2.
            down(X,Y) :- e(X,Y).
            down(X,Z) :- e(X,Y), down(Y,Z).
            cyc(X) :- e(X,Y), down(Y,X).
            cyc(X) :- e(X,X).
            #show cyc/1.""",
    ),
    "triples with names": (
        """#defined t/3.
            sub(X,Y) :- t(X,subclass,Y).
            sub(X,Z) :- sub(X,Y), sub(Y,Z).
            isa(X,C) :- t(X,type,C).
            isa(X,D) :- isa(X,C), sub(C,D).
            #show isa/2.""",
        """#defined t/3.
            inf(X,P,Y) :- t(X,P,Y).
            inf(X,type,D) :- inf(X,type,C), t(C,subclass,D).
            isa(X,C) :- inf(X,type,C).
            #show isa/2.""",
    ),
    "even lengths": (
        """#defined e/2.
            odd(X,Y) :- e(X,Y).
            odd(X,Z) :- even(X,Y), e(Y,Z).
            even(X,Z) :- odd(X,Y), e(Y,Z).
            q(X,Y) :- even(X,Y).
            #show q/2.""",
        """#defined e/2.
            two(X,Z) :- e(X,Y), e(Y,Z).
            q(X,Y) :- two(X,Y).
            q(X,Z) :- q(X,Y), two(Y,Z).
            #show q/2.""",
    ),
    "sides of any game": (
        """#defined link/3.
            #defined home/2.
            #defined goal/2.
            con(P,X,Y) :- link(P,X,Y).
            con(P,X,Y) :- link(P,Y,X).
            con(P,X,Z) :- con(P,X,Y), con(P,Y,Z).
            won(P) :- home(P,X), con(P,X,Y), goal(P,Y).
            #show won/1.""",
        """#defined link/3.
            #defined home/2.
            #defined goal/2.
            near(P,X) :- link(P,X,Y), goal(P,Y).
            near(P,X) :- link(P,Y,X), goal(P,Y).
            near(P,X) :- near(P,Y), link(P,X,Y).
            near(P,X) :- near(P,Y), link(P,Y,X).
            won(P) :- near(P,X), home(P,X).
            #show won/1.""",
    ),
    "generations, turned": (
        """#defined par/2.
            sg(X,Y) :- par(X,P), par(Y,P).
            sg(X,Y) :- par(X,A), sg(A,B), par(Y,B).
            #show sg/2.""",
        """#defined par/2.
            up(X,Y,A,A) :- par(X,A), par(Y,A).
            lift(X,A,Y,B) :- par(X,A), par(Y,B).
            sg(X,Y) :- up(X,Y,A,A).
            sg(X,Y) :- lift(X,A,Y,B), sg(B,A).
            #show sg/2.""",
    ),
    "from what is good and reached on": (  # no claim of two atoms leads there
        """tc(X,Y) :- e(X,Y).
            tc(X,Z) :- tc(X,Y), tc(Y,Z).
            past(Y) :- tc(1,X), tc(X,Y), good(X).
            #show past/1.""",
        """seen(X) :- e(1,X).
            seen(Y) :- seen(X), e(X,Y).
            past(Y) :- past(X), e(X,Y).
            past(Y) :- e(X,Y), good(X), seen(X).
            #show past/1.""",
    ),
    "who reaches an end": (  # a part of the query is a view of the variables that it has
        """reach(X,Y) :- e(X,Y).
            reach(X,Y) :- reach(X,Z), e(Z,Y).
            q(Y) :- s(X), reach(X,Y), reach(X,Z), t(Z).
            #show q/1.""",
        """seen(X) :- e(X,Y), t(Y).
            seen(X) :- seen(Y), e(X,Y).
            reach(X,Y) :- e(X,Y).
            reach(X,Y) :- reach(X,Z), e(Z,Y).
            q(Y) :- seen(X), s(X), reach(X,Y).
            #show q/1.""",
    ),
    "what is not reached": (
        """#defined node/1.
            #defined e/2.
            #defined s/1.
            reach(X) :- s(X).
            reach(Y) :- reach(X), e(X,Y).
            cut(X) :- node(X), not reach(X).
            #show cut/1.""",
        """#defined node/1.
            #defined e/2.
            #defined s/1.
            tc(X,X) :- s(X).
            tc(X,Z) :- tc(X,Y), e(Y,Z).
            has(Y) :- tc(X,Y).
            cut(X) :- not has(X), node(X).
            #show cut/1.""",
    ),
    "runs of an automaton": (
        """#defined step/3.
            #defined start/1.
            #defined final/1.
            run(A,X) :- start(X), step(A,X,Y).
            at(X) :- start(X).
            at(Y) :- at(X), step(A,X,Y).
            accept(X) :- at(X), final(X).
            #show accept/1.""",
        """#defined step/3.
            #defined start/1.
            #defined final/1.
            path(X,X) :- final(X).
            path(X,Z) :- step(A,X,Y), path(Y,Z).
            accept(Z) :- start(X), path(X,Z).
            #show accept/1.""",
    ),
}


@pytest.mark.parametrize("name", PAIRS)
@pytest.mark.parametrize("turned", [False, True])
def test_a_bridge_is_found_and_proved(name, turned):
    left, right = map(ProgramText, ("left", "right"), PAIRS[name][:: -1 if turned else 1])
    world = InputWorld(left)
    bridge = find_bridge(left, right, world, limit_s=20.0)
    assert isinstance(bridge, str), bridge.lines
    assert world.prove(left, right, bridge).proved


def test_a_false_pair_is_refused_by_a_sample():
    left = ProgramText("left", "#defined e/2. t(X,Y) :- e(X,Y). t(X,Z) :- t(X,Y), e(Y,Z). #show t/2.")
    right = ProgramText("right", "#defined e/2. t(X,Y) :- e(X,Y). t(X,Z) :- t(X,Y), e(Z,Y). #show t/2.")
    proof, bridge = prove_on_all_inputs(left, right, None, lambda *_: None, limit_s=20.0, report=lambda _: None)
    assert not proof.proved
    assert bridge.lines[0].startswith("not so on every sample")
