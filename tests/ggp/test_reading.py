"""KIF and HRF as found in the wild, and one line with a place for what is neither."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hexlogic.errors import ArityError, HexlogicError, RuleSyntaxError, StratificationError, UnsafeRuleError
from hexlogic.ggp import INPUTS, QUERIES, read_hrf, read_kif, read_sheet
from hexlogic.language import Atom, Predicate, Program
from hexlogic.language.ground.solving import least_model
from tests.ggp.sheets import GAMES, load, symbol


def rules(text: str) -> list[str]:
    return [str(rule) for rule in read_kif(text).rules]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("; only a comment", []),
        ("(role a);(role b)\n(role c)", ["role(a).", "role(c)."]),
        ("(ROLE x) (Init (Step 1)) (<= (NEXT (Step 1)) (TRUE (Step 1)))",
         ["role(x).", "init(w''Step(1)).", "next(w''Step(1)) :- true(w''Step(1))."]),
        ("(terminal) (<= (terminal) (a)) (<= terminal a)", ["terminal.", "terminal :- a.", "terminal :- a."]),
        ("(<= terminal)", ["terminal."]),
        ("( legal  robot\n( place 2 3 ) )", ["legal(robot,place(2,3))."]),
        ("(p (noop) noop)", ["p(noop,noop)."]),
        ("(p (f (g ?x 1) ?y))", ["p(f(g(X,1),Y))."]),
        ("(<= (p ?x) (q ?x) (distinct ?x a))", ["p(X) :- q(X), X != a."]),
        ("(<= (p ?x) (q ?x) (not (distinct ?x a)))", ["p(X) :- q(X), X = a."]),
        ("(<= (p ?x) (q ?x) (not (r ?x)) (not s))", ["p(X) :- q(X), not r(X), not s."]),
        ("(<= p (and q (and r s)))", ["p :- q, r, s."]),
        ("(<= p (or q r) s)", ["p :- q, s.", "p :- r, s."]),
        ("(<= p (or q (or r (and s t))))", ["p :- q.", "p :- r.", "p :- s, t."]),
        ("(<= p (not (or q r)))", ["p :- not q, not r."]),
        ("(<= p (not (and q (not r))))", ["p :- not q.", "p :- r."]),
        ("(<= p (or a b) (or c d))", ["p :- a, c.", "p :- a, d.", "p :- b, c.", "p :- b, d."]),
        ("(<= (p ?x ?X ?x_2) (q ?x ?X ?x_2))", ["p(X,X_3,X_2) :- q(X,X_3,X_2)."]),
        ("(<= (p ?1 ?a-b ?_) (q ?1 ?a-b ?_))", ["p(V1,A_b,V_) :- q(V1,A_b,V_)."]),
        ("(p a-b 2x not)", ["p(a'2d'b,w''2x,w''not)."]),
        ("(+ 1 2) (1 2)", ["w'''2b'(1,2).", "w''1(2)."]),
    ],
)  # fmt: skip
def test_wild_kif(text, expected):
    assert rules(text) == expected


def test_many_alternatives_get_auxiliary_rules():
    text = "(<= (p ?x) (d ?x) (or (a ?x) (b ?x) (c ?x)) (or (e ?x ?y) (f ?x)) (or g (not h)))"
    found = rules(f"(either 1) {text}")
    assert found[1:4] == ["either_2(X) :- a(X).", "either_2(X) :- b(X).", "either_2(X) :- c(X)."]
    assert found[-1] == "p(X) :- d(X), either_2(X), either_3(X), either_4."
    # a variable that only the rest of the body shares is handed on too
    text = "(<= p (d ?y) (or (a ?y ?z) (b ?y) (c ?y)) (or (e ?y) (f ?y)) (or g h))"
    assert [rule for rule in rules(text) if "f(" in rule] == ["either_2(Y) :- f(Y)."]
    # what cannot stand alone, as distinct cannot, is spread over rules
    apart = " ".join("(or (distinct ?x 1) (distinct ?y 1))" for _ in range(3))
    assert len(rules(f"(<= (p ?x ?y) (d ?x) (d ?y) {apart})")) == 8


def test_one_long_list_of_alternatives_is_no_trouble():
    assert len(rules(f"(<= p q (or {' '.join(f'(a {number})' for number in range(2000))}))")) == 2000


def test_the_interface_of_a_sheet():
    sheet = load("nim")
    assert sheet.inputs == INPUTS == (Predicate("true", 1), Predicate("does", 2))
    assert sheet.queries == QUERIES
    assert read_kif("(role a) (p b)").queries == (Predicate("role", 1),)


def test_symbols_keep_their_capitals():
    roles = {atom.arguments[0] for atom in least_model(load("nim")) if atom.name == "role"}
    assert roles == {symbol("First"), symbol("Second")}


@pytest.mark.parametrize("path", GAMES, ids=lambda path: path.stem)
def test_base_and_input_cover_the_first_state(path):
    sheet = read_sheet(path)
    model = least_model(sheet)
    start = [Atom("true", atom.arguments) for atom in model if atom.name == "init"]
    assert {atom.arguments for atom in start} <= {atom.arguments for atom in model if atom.name == "base"}
    legal = {atom.arguments for atom in least_model(sheet, start) if atom.name == "legal"}
    assert legal <= {atom.arguments for atom in model if atom.name == "input"}


@pytest.mark.parametrize(
    ("text", "kind", "line"),
    [
        ("(role a", RuleSyntaxError, "g.kif:1:1: this parenthesis is never closed (the text ends inside it)"),
        ("(a)\n (role a))", RuleSyntaxError, "g.kif:2:10: a closing parenthesis without its opening one (take it "),
        ("(a)\n(<= (p ?x)\n (q ?x)\n(<= (r) (s))", RuleSyntaxError,
         "g.kif:2:1: this parenthesis is never closed (line 4 begins another rule inside)"),
        ("(<= p (<= q r))", RuleSyntaxError, "g.kif:1:7: a rule inside a rule (a closing parenthesis may be "),
        ("()", RuleSyntaxError, "g.kif:1:1: an empty list (a list begins with a name)"),
        ("((a) b)", RuleSyntaxError, "g.kif:1:2: a list where a name should be"),
        ("(<=)", RuleSyntaxError, "g.kif:1:1: a rule without a head ((<= head body ...))"),
        ("(<= (not a) b)", RuleSyntaxError, "g.kif:1:6: `not` cannot be derived"),
        ("(or a b)", RuleSyntaxError, "g.kif:1:2: `or` cannot be derived"),
        ("?x", RuleSyntaxError, "g.kif:1:1: the variable ?x where a name should be (variables stand for terms only)"),
        ("(<= p (q (?f 1)))", RuleSyntaxError, "g.kif:1:11: the variable ?f where a name should be"),
        ("(<= p\n  (or))", RuleSyntaxError, "g.kif:2:3: `or` of nothing"),
        ("(<= p or)", RuleSyntaxError, "g.kif:1:7: `or` stands alone ((or ...))"),
        ("(<= p (not a b))", RuleSyntaxError, "g.kif:1:8: `not` takes 1 argument, not 2"),
        ("(<= p (distinct a))", RuleSyntaxError, "g.kif:1:8: `distinct` takes 2 arguments, not 1"),
        ("(legal (mark 1 1))", RuleSyntaxError, "g.kif:1:2: `legal` takes 2 arguments, not 1"),
        ("(terminal x)", RuleSyntaxError, "g.kif:1:2: `terminal` takes 0 arguments, not 1"),
        ("(p 1)\n(<= q\n  (p 1 2))", ArityError, "g.kif:3:3: `p` has 2 arguments here and 1 before"),
        ("(p " + "(f " * 200 + "x" + ")" * 201, RuleSyntaxError, "g.kif:1:301: lists are nested more than 100 deep"),
        ("(<= (p ?x) (q ?x)" + " (or (distinct ?x a) (distinct ?x b))" * 10 + ")", RuleSyntaxError,
         "g.kif:1:1: the rule stands for more than 1000 rules without `or`"),
        ("(<= (p ?x) (not (q ?x)))", UnsafeRuleError, "g.kif:1:1: variable X is unsafe"),
        ("(p 1)\n(<= q (not r))\n(<= r (not q))", StratificationError, "g.kif:"),
    ],
)  # fmt: skip
def test_bad_kif_is_one_line_with_its_place(text, kind, line, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "g.kif").write_text(text)
    with pytest.raises(kind) as caught:
        read_sheet((tmp_path / "g.kif").relative_to(tmp_path))
    assert str(caught.value).startswith(line)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("p :- q(", "<text>:1:8: the text ends inside a rule"),
        ("p :- q,\nr", "<text>:1:7: unexpected ',' (literals are joined by &)"),
        ("mark :: q ==> r", "<text>:1:6: unexpected ':' (a rule is `head :- body`; a file with operations"),
        ("p(X) :- q(X) & X != 3", "<text>:1:"),
        ('p("a b")', '<text>:1:3: "a b" is no word of GDL'),
        ("~p :- q", "<text>:1:1: unexpected '~'"),
        ("p(" + "f(" * 200 + "x" + ")" * 201, "<text>:1:"),
    ],
)
def test_bad_hrf_is_one_line_with_its_place(text, line):
    with pytest.raises(RuleSyntaxError) as caught:
        read_hrf(text)
    assert str(caught.value).startswith(line)
    assert "\n" not in str(caught.value)


def refusal(read: Callable[[str], Program], text: str) -> HexlogicError | None:
    try:
        read(text)
    except HexlogicError as error:
        return error
    return None


@pytest.mark.parametrize("read", [read_kif, read_hrf])
@given(
    text=st.one_of(st.text(), st.lists(st.sampled_from([*'() ~&|,.;?X"\\\n', "<=", ":-", "or", "p", "1"])).map("".join))
)
def test_no_text_breaks_a_reader(read, text):
    error = refusal(read, text)
    assert error is None or (error.file, error.line is not None, error.column is not None) == ("<text>", True, True)


def test_a_byte_order_mark_and_windows_lines_are_no_matter(tmp_path):
    path = tmp_path / "dos.kif"
    path.write_bytes(b"\xef\xbb\xbf(role a) ; first\r\n(role b)\r\n")
    assert [str(rule) for rule in read_sheet(path).rules] == ["role(a).", "role(b)."]
