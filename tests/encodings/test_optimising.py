"""The best text by trial: given back as it was where nothing helps, proved rule by rule, compared on instances."""

from __future__ import annotations

import pytest

from hexlogic.encodings import optimising
from hexlogic.encodings.clingo_jobs import Unmeasured, measure_text, race_texts, same_answer_sets
from hexlogic.encodings.clingo_runs import ClingoCost, Run
from hexlogic.encodings.optimising import optimise_encoding, optimise_text
from hexlogic.encodings.reading import read_encoding_text, with_constants
from hexlogic.encodings.rewriting import Rewritten
from hexlogic.errors import RuleSyntaxError, UnknownNameError
from hexlogic.language import Predicate
from hexlogic.language.names import RESERVED

WIDE = "n(1..12). { s(X,Y) } :- n(X), n(Y).\n:- s(X,Y), s(Y,Z), s(Z,W), s(W,V), X < V. % wide\n"


def test_a_query_lets_go_of_what_the_instance_does_not_ask_for() -> None:
    encoding = read_encoding_text("{ a(1..40) }. u(X,Y) :- a(X), a(Y). v(X) :- u(X,_).")
    done = optimise_encoding(encoding, queries=[Predicate("a", 1)])
    assert done.text == "{ a(1..40) }.  "
    assert str(done.rewritings[0]).endswith("-> dropped, nothing asks (proved: splitting)")
    assert done.check is not None
    assert done.check.equal
    asking = read_encoding_text(":- u(1,2).")
    assert "u(X,Y) :- a(X), a(Y). " in optimise_encoding(encoding, asking, queries=[Predicate("a", 1)]).text


@pytest.mark.takes_seconds
def test_a_wide_constraint_is_split_and_the_rest_of_the_text_stays() -> None:
    done = optimise_text(WIDE, limit_s=30)
    assert done.text.startswith("n(1..12). { s(X,Y) } :- n(X), n(Y).\n")
    assert " % wide\n" in done.text
    assert isinstance(done.before, ClingoCost)
    assert isinstance(done.after, ClingoCost)
    assert done.after.size * 5 < done.before.size
    assert {rewriting.proof for rewriting in done.rewritings} == {"definitions"}
    assert done.check is not None
    assert done.check.equal
    assert "#show" not in done.text, "the text does not know what an instance shows"
    assert done.text.endswith(
        f"% Atoms that begin with {RESERVED} are auxiliary; clingo hides them under --out-hide-aux.\n"
    )


def test_nothing_to_gain_gives_the_text_back() -> None:
    text = "n(1..3).  % small\n{ a(X) }  :-  n(X).\n"
    done = optimise_text(text)
    assert (done.text, done.chosen) == (text, None)


def test_without_an_instance_only_what_cannot_cost() -> None:
    done = optimise_text(":- at(X,C), at(Y,C), X != Y, far(X,Y), far(Y,X). p(X) :- e(X,Y), f(Y,Z), g(Z,W).")
    assert done.text == ":- at(X,C), at(Y,C), far(X,Y), far(Y,X), X < Y. p(X) :- e(X,Y), f(Y,Z), g(Z,W)."
    assert done.reason == "not measured: only steps that cannot add instances"


@pytest.mark.parametrize(
    ("given", "new", "rules", "taken"),
    [
        ([0.100] * 3, [0.080] * 3, 100, True),
        ([0.100] * 3, [0.096] * 3, 100, False),
        ([0.100] * 3, [0.099] * 3, 50, True),
        ([0.100] * 3, [0.101] * 3, 50, False),
        ([0.100, 0.110, 0.120], [0.099, 0.111, 0.121], 50, False),
        ([0.100, 0.110, 0.120], [0.101, 0.105, 0.106], 50, False),
        ([0.001] * 3, [0.0005] * 3, 100, False),
        ([0.001] * 3, [0.00104] * 3, 50, True),
        ([0.001] * 3, [0.00106] * 3, 50, False),
        ([0.001] * 3, [0.0005] * 3, 101, False),
    ],
)
def test_no_text_is_chosen_that_was_slower_in_the_same_run(monkeypatch, given, new, rules, taken) -> None:
    costs = [ClingoCost(sum(times) / 3, None, size, size) for times, size in ((given, 100), (new, rules))]
    monkeypatch.setattr(optimising, "measure_text", lambda text, *_, **__: costs["#count" in text])
    monkeypatch.setattr(
        optimising, "race_texts", lambda *_, **__: [[(t, 0.0) for t in times] for times in (given, new)]
    )
    monkeypatch.setattr(optimising, "PIPELINES", [("count",)])
    text = "n(1..3). { a(X) } :- n(X). :- a(X), a(Y), X < Y."
    assert (optimise_text(text, aim="ground").chosen is not None) is taken


def test_turns_of_a_race_add_up_to_its_time() -> None:
    """The clock must not go in steps of 4 ms, as the one of a process with a limit does."""
    text = "n(1..30). { q(X,Y) } :- n(X), n(Y). :- q(X,Y), q(X,Z), Y != Z."
    times = race_texts([text, text], 60)
    assert not isinstance(times, Unmeasured)
    assert all(min(map(sum, turns)) * 4 > max(sorted(map(sum, turns))[: len(turns) // 2]) for turns in times)


def test_scripts_do_not_run_unless_allowed(tmp_path) -> None:
    mark = tmp_path / "ran"
    script = f"#script (python)\nopen({str(mark)!r}, 'w')\n#end.\n"
    done = optimise_text(script + "n(1..3). {a(X)} :- n(X). :- a(X), a(Y), X != Y.")
    assert not mark.exists()
    assert "scripts" in str(done.before)
    assert isinstance(measure_text(script, 20, Run(scripts=True)), ClingoCost)
    assert mark.exists()


@pytest.mark.takes_seconds
def test_a_program_that_takes_too_long_is_left_when_nothing_helps() -> None:
    text = "n(1..3000). p(X,Y,Z) :- n(X), n(Y), n(Z).\n"
    done = optimise_text(text, limit_s=1)
    assert isinstance(done.before, Unmeasured)
    assert done.text == text


def test_an_unknown_step() -> None:
    with pytest.raises(UnknownNameError, match="unknown step 'polish'"):
        optimise_encoding(read_encoding_text("a."), steps=["polish"])


def test_facts_of_an_instance_may_lack_what_the_rules_ask_for() -> None:
    text = "{ go(R,T) : robot(R) } :- step(T). at(R,T) :- go(R,T), robot(R)."
    done = optimise_text(text, "go(1,1). step(1..9). robot(2..9).", limit_s=30)
    assert "prune" not in {rewriting.step for rewriting in done.rewritings}
    assert done.text == text


def test_atoms_of_an_instance_open_a_predicate_however_they_come_about() -> None:
    text = "{ at(P,C) : cell(C) } 1 :- piece(P). cell(1..9). piece(a;b). :- at(a,X), at(b,Y), X != Y. #show at/2."
    assert "not at(b,X)" in optimise_text(text, limit_s=30).text
    for more in ("at(b,2).", "{ at(b,2) }.", "at(b,2) :- more. more.", "#external at(b,2)."):
        assert optimise_text(text, more, limit_s=30).text == text


@pytest.mark.takes_seconds
def test_another_constant_for_the_measurement() -> None:
    encoding = read_encoding_text(
        "#const n=4. n(1..n). { q(X,Y) } :- n(X), n(Y). :- q(X,Y), q(X,Z), Y != Z. #show q/2."
    )
    done = optimise_encoding(encoding, with_constants(None, ["n=20"]), limit_s=30)
    assert isinstance(done.before, ClingoCost)
    assert done.before.rules > 20 * 20 * 19
    assert done.text.startswith("#const n=4. n(1..n). { q(X,Y) } :- n(X), n(Y). :- n(X), #count")
    given = read_encoding_text("n(21).", "more.lp")
    assert [source.name for source in with_constants(given, ["n=20", "k=f(x)"]).sources] == ["more.lp"]
    for wrong in ("n", "n 4", "N=4", "n=4. a", "n="):
        with pytest.raises(RuleSyntaxError, match=r"no constant with its value \(write NAME=TERM"):
            with_constants(given, [wrong])


def test_a_proof_that_has_looked_at_each_fact_of_the_program_is_compared_with_all_of_them() -> None:
    text = "dim(1). dim(3). wall(1,2). wall(3,4). door(X,Y) :- wall(X,Y), dim(X). { open(X,Y) } :- door(X,Y)."
    done = optimise_encoding(read_encoding_text(text), steps=["prune"], limit_s=30)
    assert "door(X,Y) :- wall(X,Y). " in done.text
    assert str(done.check) == "the same answer sets on 1 instance"


def test_levels_of_cost_may_come_and_go_with_their_instances() -> None:
    weak = "{a}. :~ b. [1@2] {b}. :- b. "
    assert same_answer_sets(weak, "{a}. {b}. :- b.", [Predicate("a", 0)], 20) is True
    assert same_answer_sets("{a}. :~ a. [1@2]", "{a}. :~ a. [1@1]", [Predicate("a", 0)], 20) is False


def test_facts_of_an_instance_open_a_predicate() -> None:
    text = "r(X,Y) :- e(X,Y). r(X,Z) :- r(X,Y), r(Y,Z). #show r/2."
    closed, opened = (optimise_text(text, p) for p in ("{ e(X,X+1) : X = 1..8 }.", "{ e(X,X+1) : X = 1..8 }. r(1,12)."))
    assert "e(Y,Z)" in closed.text
    assert "e(Y,Z)" not in opened.text
    assert Rewritten(read_encoding_text(text)).text == text


def test_an_empty_ground_program_says_nothing_about_what_is_cheaper() -> None:
    text = "n(1..m). { s(X,Y) : n(Y) } :- n(X). :- s(X,Y), s(Z,Y), X != Z."
    done = optimise_text(text)
    assert done.text == text.replace("!=", "<")
    assert done.reason == "not measured: only steps that cannot add instances"
    assert "#count" in optimise_text(text, "#const m=12.").text


def test_what_an_instance_may_add_to_is_not_taken_to_follow() -> None:
    encoding = read_encoding_text("n(1..3). good(X) :- n(X). { p(X) } :- n(X). :- p(X), good(X), n(X), X > 1.")
    alone = optimise_encoding(encoding, steps=["prune"], limit_s=30)
    assert [(one.step, len(one.rules[-1].body)) for one in alone.rewritings] == [("prune", 3)]
    added = optimise_encoding(encoding, steps=["prune"], limit_s=30, inputs=[Predicate("good", 1), Predicate("p", 1)])
    assert not added.rewritings
    with pytest.raises(UnknownNameError, match=r"unknown input 'godo/1' \(did you mean good/1\?\)"):
        optimise_encoding(encoding, inputs=[Predicate("godo", 1)])
