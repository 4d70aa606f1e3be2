"""Followers of any program: what holds after each input and each undo is what a session answers with the same facts."""

from __future__ import annotations

import random
from collections.abc import Sequence

import pytest

from hexlogic.errors import EngineError
from hexlogic.language import Atom
from hexlogic.language.engines import Answer, Session, engine_names, load_engine
from hexlogic.language.engines.base import StackFollower
from hexlogic.language.parser import parse, parse_atom
from tests.language.engines.cases import CASES

pytestmark = pytest.mark.many_cases(keep=2)

ENGINES = [
    pytest.param(name, marks=pytest.mark.skipif(bool(why := load_engine(name).missing()), reason=why or "installed"))
    for name in engine_names()
]


def atoms(text: str) -> list[Atom]:
    return [parse_atom(part) for part in text.split()]


@pytest.mark.takes_seconds(keep=5)
@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("name", CASES)
def test_a_follower_answers_like_a_session(name, engine):
    case, adapter = CASES[name], load_engine(engine)
    if adapter.supports(case.program) is not None:
        pytest.skip("unsupported")
    rng = random.Random(name)
    inputs, queries = case.fact_atoms, rng.sample(case.query_atoms, min(6, len(case.query_atoms)))
    with adapter.open(case.program) as session, adapter.follow(case.program, inputs, queries) as follower:
        true: list[int] = []

        def expected() -> int:
            facts = [inputs[number] for number in true]
            return sum(1 << place for place, query in enumerate(queries) if session.ask(facts, query).holds)

        for step in range(14):
            assert follower.holds() == expected()
            false = sorted(set(range(len(inputs))) - set(true))
            if true and (not false or rng.random() < 0.35):
                true.pop()
                assert follower.undo() == expected()
            else:
                true.append(rng.choice(false))
                assert follower.add(true[-1]) == expected()
            if step == 7:
                copy = follower.copy()
                assert copy.holds() == follower.holds()
                copy.close()


class Failing(Session):
    """Fails every time there are three facts."""

    def ask(self, facts: Sequence[Atom], query: Atom) -> Answer:
        if len(facts) == 3:
            raise EngineError("three")
        return Answer(len(facts) == 2, 0.0)

    def close(self) -> None:
        pass


def test_a_failing_look_leaves_the_input_false():
    follower = StackFollower(Failing, atoms("p(1) p(2) p(3)"), atoms("q"))
    assert [follower.add(number) for number in (0, 1)] == [0, 1]
    for _ in range(2):
        with pytest.raises(EngineError, match="three"):
            follower.add(2)
        assert follower.holds() == 1
    assert follower.copy().holds() == 1
    assert [follower.undo(), follower.undo()] == [0, 0]
    with pytest.raises(EngineError, match="taken back"):
        follower.undo()


@pytest.mark.parametrize("engine", ENGINES)
def test_inputs_that_the_program_knows_already_or_not_at_all(engine):
    program = parse("#defined p/1. p(1). q(X) :- p(X), not r(X). always. sure :- always.")
    queries = atoms("q(1) q(2) sure ghost(1) never")
    with load_engine(engine).follow(program, atoms("p(1) p(2) ghost(1)"), queries) as follower:
        assert follower.holds() == 0b00101
        assert [follower.add(number) for number in (0, 1, 2)] == [0b00101, 0b00111, 0b01111]
        assert [follower.undo() for _ in range(3)] == [0b00111, 0b00101, 0b00101]
        with pytest.raises(EngineError, match="taken back"):
            follower.undo()
    for action in (lambda: follower.add(0), follower.undo):
        with pytest.raises(EngineError):
            action()


@pytest.mark.parametrize("engine", ENGINES)
def test_atoms_must_be_ground(engine):
    program = parse("#defined p/1. q(X) :- p(X).")
    with pytest.raises(EngineError, match="not ground"):
        load_engine(engine).follow(program, [parse_atom("p(X)")], atoms("q(1)"))
