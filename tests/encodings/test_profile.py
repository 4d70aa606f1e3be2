"""Where the instances come from: counts against clingo's own ground program, the first line, advice."""

from __future__ import annotations

import signal

import clingo
import pytest

from hexlogic.encodings.clingo_runs import PLAIN, measure
from hexlogic.encodings.instances import Counting
from hexlogic.encodings.profile import profile_files
from hexlogic.errors import HexlogicError

PRECEDENCE = """task(1..6). time(0..19).
prec(A,A+1,2) :- task(A), task(A+1).
1 { start(T,X) : time(X) } 1 :- task(T).
:- prec(A,B,D), start(A,TA), start(B,TB), TB < TA+D.
#minimize { X,T : start(T,X) }.
"""


def profiled(text: str, tmp_path, constants: list[str] | None = None, limit_s: float = 60.0):
    file = tmp_path / "p.lp"
    file.write_text(text)
    reported: list = []
    done = profile_files(files=[str(file)], constants=constants or [], limit_s=limit_s, report=reported.append)
    return done, reported


class Constraints(clingo.Observer):
    """Counts ground constraints."""

    def __init__(self) -> None:
        self.count = 0

    def rule(self, choice, head, body) -> None:
        self.count += not choice and not head


def test_instances_are_those_of_clingo_and_the_line_to_change_comes_first(tmp_path) -> None:
    done, reported = profiled(PRECEDENCE, tmp_path)
    by_line = {row.line: row for row in done.statements}
    observer = Constraints()
    control = clingo.Control(["--warn=none"])
    control.register_observer(observer)
    control.add("base", [], PRECEDENCE.replace("1 { start(T,X) : time(X) } 1", "{ start(T,X) : time(X) }"))
    control.ground([("base", [])])
    # of the test clingo drops what never holds, and keeps what is counted
    assert by_line[4].instances == observer.count
    assert by_line[5].instances == 6 * 20
    assert by_line[2].instances == 5
    assert done.statements[0].line == 4
    assert done.statements[0].advice.startswith("`hexlogic optimise` can make it: ")
    assert done.statements[0].growth is not None
    assert sum(row.share for row in done.statements) == pytest.approx(1)
    assert [each.part for each in reported] == [8, 8, 1.5, 1]
    assert {row.advice for row in reported[0].statements} == {""}
    first, second = ([(row.line, row.instances) for row in each.statements] for each in reported[:2])
    assert first == second[: len(first)]
    assert set(done.choices) <= {"start/2", "auxiliary"}


@pytest.mark.parametrize("more", ["", ":- p(X,X). :- p(1,2).", ":- n(1)."])
def test_relations_with_many_atoms_are_counted_exactly(more) -> None:
    """Also where a search has found atoms to be false, or the whole program."""
    text = f"n(1..150). {{ p(X,Y) }} :- n(X), n(Y). q(X,Y) :- p(X,Y), X < Y. -r(X,Y) :- n(X), n(Y). {more}"
    sizes = {relation.name: relation.size for relation in measure(text=text, run=PLAIN).relations}
    assert sizes == {"n": 150, "p": 22_500, "q": 11_175, "-r": 22_500}


def test_relations_of_like_names_are_counted_apart() -> None:
    text = "-p(1..10001). p_(1..30003). p(1..10001,1). p11_p(1..20002). p(30000..50001)."
    relations = measure(text=text, run=PLAIN).relations
    sizes = {(relation.name, len(relation.columns)): relation.size for relation in relations}
    expected = {("-p", 1): 10_001, ("p_", 1): 30_003, ("p", 2): 10_001, ("p11_p", 1): 20_002, ("p", 1): 20_002}
    assert sizes == expected


def test_advice_where_nothing_is_proved(tmp_path) -> None:
    done, _ = profiled("n(1..9). m(1..9). p(X,Y) :- n(X), m(Y). q(X,Y) :- n(X), m(Y), X*Y < 20.\n", tmp_path)
    advice = {row.text.partition("(")[0]: row.advice for row in done.statements}
    assert advice["p"] == "`m(Y)` shares no variable with what stands before it: 9 atoms of m/1 for each answer of that"
    assert (
        advice["q"]
        == "`X*Y < 20` joins every pair of 9 atoms of n/1 and 9 atoms of m/1: gringo looks no value of it up"
    )


def test_parts_constants_and_aggregates_are_counted(tmp_path) -> None:
    text = "#const k=2.\nn(1..k). s(S) :- S = #count { X : n(X), X > 0 }.\n#program step(t).\na(t,X) :- n(X).\n"
    done, _ = profiled(text, tmp_path, ["k=5"])
    instances = {
        row.line: [each.instances for each in done.statements if each.line == row.line] for row in done.statements
    }
    assert sorted(instances[2]) == [1 + 5]
    assert instances[4] == [3 * 5]


def test_a_choice_in_a_body_is_counted_with_its_atoms(tmp_path) -> None:
    """Its condition alone binds no variable of `l(X,Y)`."""
    text = "m(1..3). { l(X,Y) : m(X), m(Y) }.\n"
    text += ":- M = #max { X : m(X) }, N = #max { Y : l(M,Y) }, 1 > { l(X,Y) : X+Y < M+N }.\n"
    done, _ = profiled(text, tmp_path)
    [row] = [each for each in done.statements if each.line == 2]
    # the body for each N that an atom l(3,Y) may give or #inf, X of m(X), l(3,Y), and l(X,Y) for each of them
    assert row.instances > 9


def test_the_largest_part_that_can_be_ground_is_told(tmp_path, monkeypatch) -> None:
    """After a part with a statement that took too long a smaller one follows, and that statement is named."""
    tried: list[float] = []
    real = Counting.counts

    def slow_but_for(self, part, limit_s, before, *looks):
        tried.append(part)
        counts = real(self, part, limit_s, before, *looks)
        if part == 1.5:
            counts.slow, counts.unknown = {3}, {3}
        return counts

    monkeypatch.setattr(Counting, "counts", slow_but_for)
    done, reported = profiled(PRECEDENCE, tmp_path)
    assert tried == [8, 1.5, 3]
    assert [found.part for found in reported] == [8, 8, 3]
    assert done.part == 3
    assert done.note == f"33% of the facts only; {tmp_path / 'p.lp'}:2 took too long for 67%"
    assert done.statements[0].line == 4


WIDE = "q(X), " * 199 + "q(Y)"
"""A body of 200 literals."""


@pytest.mark.parametrize(
    ("text", "line", "advice"),
    [
        (f"e(1..30). {{ q(X) : e(X) }}.\n:- {WIDE.replace('X', 'X{}').format(*range(199))}.\n", 2, "`q(X1)` shares no"),
        ("n(1..2000).\n{ p(X,Y,Z) } :- n(X), n(Y), n(Z).\n:- n(1), n(2).\n", 2, "`n(Y)` shares no variable"),
        ("n(0).\nn(X+1) :- n(X).\n{ p(1..3) }. :- p(X), p(Y), X < Y.\n", 2, "n(X+1) may grow without end"),
        (
            "e(1..300,1).\nr(X,Y) :- e(X,_), e(Y,_).\nr(X,Z) :- r(X,Y), r(Y,Z).\n",
            3,
            "`hexlogic optimise` can make it: ",
        ),
    ],
)
def test_what_takes_too_long_is_named_and_the_rest_is_counted(tmp_path, text, line, advice) -> None:
    done, _ = profiled(text, tmp_path, limit_s=3.0)
    assert done.statements[0].line == line
    assert done.statements[0].advice.startswith(advice)
    assert f"p.lp:{line} took too long" in done.note or "of the facts only" in done.note  # by what time is left
    assert any(row.is_counted for row in done.statements)


@pytest.mark.parametrize(
    "body", ["t(A,X), t(B,Y), D = X / 2, E = Y / 2, D != E", "t(2*A+1,X), t(A,Y), X != Y", "t(2*A+1,X), X > A"]
)
def test_what_arithmetic_binds_is_bound(tmp_path, body) -> None:
    done, _ = profiled(f"t(1..9,1..9).\n:- {body}.\n", tmp_path)
    assert done.statements[0].line == 2
    assert done.statements[0].matches >= done.statements[0].instances > 0


def test_a_body_of_200_literals_is_counted(tmp_path) -> None:
    done, _ = profiled(f"e(1..30). {{ q(X) : e(X) }}. :- {WIDE}, X < Y.\n", tmp_path, limit_s=8.0)
    [row] = [row for row in done.statements if row.text.startswith(":-")]
    assert (row.instances, row.is_counted, done.part, done.note) == (30 * 29 // 2, True, 1, "")


def test_what_has_no_answer_set_is_counted_all_the_same(tmp_path) -> None:
    """clingo grounds nothing more once it knows that there is none."""
    text = "n(1..9). 20 { p(X) : n(X) } 20. q(X) :- p(X). q(1..3). :- q(X), q(Y), X < Y. :- n(1).\n"
    done, _ = profiled(text, tmp_path)
    assert (done.statements[0].text, done.statements[0].instances) == (":- q(X), q(Y), X < Y.", 36)


def test_layers_follow_what_rules_ask_for(tmp_path) -> None:
    """Facts and rules of one predicate, a choice after what it chooses from, recursion through two predicates, an
    external, classical negation, a rule before what it asks for."""
    text = """d(X) :- c(X), not a(X). { c(X) : b(X) }. b(1). b(X) :- z(X). z(2..4). #external a(X) : b(X).
-a(X) :- d(X), e(X). e(X) :- f(X). f(X) :- e(X). e(X) :- c(X), X > 1. a(9). #show d/1.
"""
    done, _ = profiled(text, tmp_path)
    instances = {row.text.split(" :-")[0]: row.instances for row in done.statements}
    assert instances["d(X)"] == instances["{ c(X) : b(X) }."] == 4
    assert (instances["b(X)"], instances["e(X)"], instances["-a(X)"]) == (3, 3, 3)


def test_signals_are_what_they_were_after_a_search(tmp_path) -> None:
    """clingo's own program takes the signals of the process that runs it."""
    profiled("{ p(1..5) }. :- p(1), p(2).", tmp_path)
    with pytest.raises(KeyboardInterrupt):
        signal.raise_signal(signal.SIGINT)


def test_lemmas_are_counted_by_predicate(tmp_path) -> None:
    text = "{ in(P,H) : H = 1..5 } = 1 :- P = 1..6. :- in(P,H), in(Q,H), P < Q. { free(1..3) }.\n"
    done, _ = profiled(text, tmp_path)
    assert 0 < done.lemmas["in/2"] <= done.conflicts
    assert "free/1" not in done.lemmas
    assert sum(done.choices.values()) >= done.choices["in/2"] > 0


def test_what_clingo_refuses_is_not_said_to_take_time(tmp_path) -> None:
    with pytest.raises(HexlogicError, match=r"^[^(]*redefinition of constant"):
        profiled("#const k=2. #const k=3. n(1..k). { a(X) } :- n(X).\n", tmp_path)
