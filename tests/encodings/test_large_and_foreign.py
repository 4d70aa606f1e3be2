"""Large files, Latin-1 and the theories of other solvers; hooks that optimise on the way to clingo."""

from __future__ import annotations

import random

import clingo
import pytest

from hexlogic.encodings import source as sources
from hexlogic.encodings.clingo_jobs import measure_text
from hexlogic.encodings.clingo_runs import ClingoCost
from hexlogic.encodings.hooks import load_optimised, optimised
from hexlogic.encodings.optimising import optimise_encoding
from hexlogic.encodings.reading import read_encoding, read_encoding_text
from hexlogic.language import Predicate

WRITTEN = (
    'a(1). %* q(1). *% % foo. b(2).\nr(X) :- a(X),\n a(1). s("a. b(1)."). p(1..3). f(x,g(1,2),(a,b)). '
    "n(-3). not_(1). z(a;b). #show r/1. w(1) . :~ w(1). [1]\n w(2). -k(1). t(1). #const n=3. u(n). "
)
TREELESS = pytest.mark.skipif(not sources.TAKES_RUNS, reason="this Python's possessive groups end too late")
AT = ":- at(X,C), at(Y,C), X != Y.\n"


@TREELESS
def test_plain_facts_need_no_tree_and_are_the_same_facts(monkeypatch) -> None:
    whole = {str(statement.node) for statement in read_encoding_text(WRITTEN).statements}
    monkeypatch.setattr(sources, "_MANY", 1)
    encoding = read_encoding_text(WRITTEN)
    left = {str(statement.node) for statement in encoding.statements}
    (source,) = encoding.sources
    facts = "".join(WRITTEN[begin:end] for begin, end in source.facts)
    predicates = set(map(str, encoding.fact_predicates))
    monkeypatch.undo()
    assert left < whole
    assert {str(each.node) for each in read_encoding_text(facts).statements} >= whole - left
    assert predicates >= {"a/1", "s/1", "f/3", "n/1", "-k/1", "u/1"}
    assert encoding.text == WRITTEN


@TREELESS
def test_random_texts_keep_each_statement(monkeypatch) -> None:
    monkeypatch.setattr(sources, "_MANY", 1)
    pieces = [
        "a(1).",
        "b(f(1),2).",
        "i(o(r, 1), v(at,(1, 2))). i(n,v((1,2),a)).",
        'c("x. y(1).").',
        "a(X) :- b(X,_),\n a(1).",
        "% c. a(2).\n",
        "{ a(3) }.",
        "a(1..2).",
        ":- a(9).",
    ]
    for seed in range(60):
        text = " ".join(random.Random(seed).choices(pieces, k=9)) + "\n"
        results = []
        for given in (
            text,
            read_encoding_text(text).sources[0].statements.decode() + read_encoding_text(text).sources[0].sample(1, 0),
        ):
            control = clingo.Control(["--warn=none"], logger=lambda *_: None)
            control.add("base", [], given)
            control.ground([("base", [])])
            results.append({(str(atom.symbol), atom.is_fact) for atom in control.symbolic_atoms})
        assert results[0] == results[1]


@TREELESS
def test_facts_without_a_tree_open_their_predicates() -> None:
    facts = "".join(f"at({place},{place % 7}). " for place in range(2_500))
    encoding = read_encoding_text(facts + "\nseen(X) :- at(X,C), at(Y,C), X != Y.\nq(X) :- at(X,_), seen(X).")
    assert encoding.fact_predicates == {Predicate("at", 2)}
    done = optimise_encoding(encoding, steps=["anonymous", "prune"], limit_s=60)
    assert done.text.startswith(facts)
    assert "q(X) :- at(X,_), seen(X)." in done.text


@pytest.mark.parametrize(
    "text",
    [
        "&diff{ s(T)-s(U) } <= -3 :- on(T), on(U), T < U.",
        "&sum{ x; y*2 } <= 3 :- on(_). &dom{ 1..4 } = x. &minimize{ x }. &show{ x; y/0 }. &distinct{ x; y }.",
    ],
)
def test_theories_of_other_solvers_are_known(text) -> None:
    encoding = read_encoding_text("{ on(1..3) }. " + text)
    assert isinstance(measure_text(encoding.runnable(encoding.text), 20), ClingoCost)


def test_messages_name_the_file_of_the_user(tmp_path) -> None:
    one, two = read_encoding_text("a(1).\n\nb(2).", "one.lp"), read_encoding_text("c(X) :- X = @f(1).\n", "two.lp")
    assert one.place_of_line(3) == ("one.lp", 3)
    files = [tmp_path / "one.lp", tmp_path / "two.lp"]
    files[0].write_text("a(1).\nb(2).\n")
    files[1].write_text("c(1).\nd(1).\n")
    both = read_encoding(files)
    line = both.text.splitlines().index("d(1).") + 1
    assert both.place_of_line(line) == (str(files[1]), 2)
    assert two.place_of_line(1) == ("two.lp", 1)


def test_hooks_of_clingo_get_the_optimised_text(tmp_path) -> None:
    facts = "{ at(1..30,1..9) }."
    assert optimised(AT, facts, limit_s=30) == ":- at(_,C), #count { X : at(X,C) } > 1.\n"
    program, instance = tmp_path / "p.lp", tmp_path / "i.lp"
    program.write_text(AT)
    instance.write_text(facts)
    control = clingo.Control(["--warn=none"])
    load_optimised(control, [str(program), str(instance)], limit_s=30)
    control.ground([("base", [])])
    assert control.solve().satisfiable
