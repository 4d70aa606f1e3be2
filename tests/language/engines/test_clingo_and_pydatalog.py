"""What only one of the two promises: counters and limits of clingo, sessions and refusals of pyDatalog."""

from __future__ import annotations

import threading

import pytest

from hexlogic.errors import EngineError
from hexlogic.language import Atom, Integer, Program, Rule
from hexlogic.language.engines import load_engine
from hexlogic.language.parser import parse, parse_atom

CLINGO = load_engine("clingo")
PYDATALOG = load_engine("pydatalog")
REACH = parse("#defined edge/2. reach(X,Y) :- edge(X,Y). reach(X,Y) :- reach(X,Z), edge(Z,Y).")


def test_clingo_counts_its_work() -> None:
    with CLINGO.open(parse("#defined p/1. n(1..3). q(X) :- n(X), not p(X). :- p(X), not n(X).")) as session:
        answer = session.ask([parse_atom("p(1)"), parse_atom("p(9)")], parse_atom("q(2)"))
        assert answer.holds, "a violated integrity constraint takes no answer away"
        assert answer.counters == session.ask([parse_atom("p(1)"), parse_atom("p(9)")], parse_atom("q(3)")).counters
    assert set(answer.counters) == {"ground_rules", "atoms", "choices", "conflicts"}
    assert answer.counters["ground_rules"] >= 7
    assert answer.counters["choices"] == answer.counters["conflicts"] == 0
    assert answer.ground_s is not None


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("n(s(X)) :- n(X). n(zero).", "function terms grow under recursion in n/1"),
        ("a(f(X)) :- b(X). b(X) :- a(X). b(1).", "function terms grow under recursion in a/1"),
        ("p :- not q. q :- not p.", "negation"),
    ],
)
def test_clingo_refuses(text: str, reason: str) -> None:
    assert reason in (CLINGO.supports(parse(text)) or "")


def test_clingo_refuses_integers_beyond_32_bits() -> None:
    assert "32 bits" in (CLINGO.supports(Program((Rule(Atom("p", (Integer(2**31),))),))) or "")


def test_clingo_takes_function_terms_that_do_not_grow() -> None:
    assert CLINGO.supports(parse("n(1). p(f(X)) :- n(X). q(X) :- p(f(X)). q(Y) :- q(X), n(Y).")) is None


def test_clingo_reports_bad_text(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("hexlogic.language.engines.clingo.render", lambda program, dialect: "p(X :- q.")
    with pytest.raises(EngineError, match=r"clingo: .*syntax error"):
        CLINGO.open(REACH)


def test_pydatalog_sessions_live_side_by_side_and_in_any_thread() -> None:
    edges = [parse_atom("edge(1,2)"), parse_atom("edge(2,3)")]
    other = parse("#defined edge/2. reach(X,Y) :- edge(Y,X).")
    with PYDATALOG.open(REACH) as one, PYDATALOG.open(other) as two:
        for _ in range(2):
            assert one.ask(edges, parse_atom("reach(1,3)")).holds
            assert two.ask(edges, parse_atom("reach(3,2)")).holds
            assert not two.ask(edges, parse_atom("reach(1,3)")).holds
        answers: list[bool] = []

        def work() -> None:
            answers.append(one.ask(edges, parse_atom("reach(1,3)")).holds)
            with PYDATALOG.open(other) as three:
                answers.append(three.ask(edges, parse_atom("reach(3,2)")).holds)
            answers.append(one.ask(edges, parse_atom("reach(3,2)")).holds)

        thread = threading.Thread(target=work)
        thread.start()
        thread.join()
        assert answers == [True, True, False]


@pytest.mark.parametrize(
    ("text", "refused"),
    [
        ("reach(X,Y) :- reach(X,Z), edge(Z,Y).", False),
        ("reach(X,Y) :- edge(X,Z), reach(Z,Y).", True),
        ("reach(X,Y) :- reach(X,Z), reach(Z,Y).", True),
        ("reach(X,Y) :- edge(Z,Y), reach(X,Z).", True),
        ("reach(X,Y) :- edge(X,X), reach(X,Z), edge(Z,Y).", False),
        ("fresh(X,list(Y,V)) :- edge(X,Y), fresh(X,V).", False),
        ("odd(X,Y) :- even(X,Z), edge(Z,Y). even(X,Y) :- odd(X,Z), edge(Z,Y).", False),
    ],
)
def test_pydatalog_refuses_recursion_that_waits_in_circles(text: str, refused: bool) -> None:
    reason = PYDATALOG.supports(parse(text))
    assert ("search forever" in (reason or "")) == refused


def test_pydatalog_takes_bodies_of_any_length():
    # Python's parser goes one level deeper for each `&`: eight hundred literals in a row would be too many
    body = ", ".join(["edge(X,Y)", *(f"X != {number}" for number in range(10, 810))])
    program = parse(f"#defined edge/2. far(X,Y) :- {body}. #show far/2.")
    with load_engine("pydatalog").open(program) as session:
        assert session.ask([parse_atom("edge(1,2)")], parse_atom("far(1,2)")).holds
        assert not session.ask([parse_atom("edge(10,2)")], parse_atom("far(10,2)")).holds
