"""Two programs in one text: never equal when some instance tells them apart, whatever names the texts use."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hexlogic.errors import EngineError, HexlogicError, RuleSyntaxError
from hexlogic.language import Atom, Integer, Predicate, Program, Rule
from hexlogic.language.analysis.checks import parse_checked
from hexlogic.language.constants import constant_values, valued
from hexlogic.language.ground.domains import Domains, fixed_facts
from hexlogic.language.ground.solving import least_model
from hexlogic.language.parser import parse
from hexlogic.language.walk import predicates
from hexlogic.proofs.joint import miter, side_by_side
from hexlogic.proofs.program_equality import Instances, admits, instances
from hexlogic.proofs.question import equal

LIMIT_S = 60.0


def satisfiable(text: str) -> bool:
    import clingo

    control = clingo.Control(["--warn=none"])
    control.add("base", [], text)
    control.ground([("base", [])])
    return bool(control.solve().satisfiable)


def keeps_its_promises(program: Program, facts: Sequence[Atom]) -> bool:
    """By clingo, the program as it is written with the facts as they are."""
    return satisfiable(str(program) + "".join(f"{fact}.\n" for fact in facts))


def tells_apart(left: Program, right: Program, facts: Sequence[Atom]) -> bool:
    """Whether this instance is one that the left program admits, and the two do not treat it alike."""
    if not keeps_its_promises(left, facts):
        return False
    if not keeps_its_promises(right, facts):
        return True
    queries = {*left.queries, *right.queries}
    return least_model(left, facts, only=queries) != least_model(right, facts, only=queries)


DOMAIN = "d(1..2). :- {0}(X), not d(X). "
COLLISIONS = [
    # an input that is called what the copy of another predicate used to be called
    ("#defined before_q/1. d(1..2). :- before_q(X), not d(X). q(X) :- before_q(X). #show q/1.", "q(1) :- d(7)."),
    ("#defined after_q/1. d(1..2). :- after_q(X), not d(X). q(X) :- after_q(X). #show q/1.", "q(1) :- d(7)."),
    ("#defined differ_/0. q(1) :- differ_. #show q/1.", "q(2) :- differ_."),
    ("#defined differ/0. q(1) :- differ. #show q/1.", "q(1) :- not differ."),
    ("#defined p/0. before_q :- p. q :- before_q. #show q/0.", "before_q :- not p. q :- before_q."),
    ("#defined p/0. before_before_q :- p. before_q :- before_before_q. q :- before_q. #show q/0.", "q :- not p."),
    ("#defined p/0. after_before_q :- p. q :- after_before_q. #show q/0.", "q :- p, not p."),
    # a rule of one side for an input is no rule of the other side
    ("#defined p/1. d(1..2). :- p(X), not d(X). p(1). q(X) :- p(X). #show q/1.", "q(X) :- p(X)."),
    ("#defined p/1. d(1..2). :- p(X), not d(X). q(X) :- p(X). #show q/1.", "p(2). q(X) :- p(X)."),
    # constants of the right program
    ("#const n = 1. #defined p/1. d(1..2). :- p(X), not d(X). q :- p(X), X <= n. #show q/0.",
     "#const n = 2. q :- p(X), X <= n."),
    ("#defined p/1. d(1..2). :- p(X), not d(X). q :- p(n). #show q/0.", "#const n = 2. q :- p(n)."),
    ("#const m = n+1. #const n = 1. #defined p/1. d(1..m). :- p(X), not d(X). q :- p(m). #show q/0.",
     "#const m = n. #const n = 1. q :- p(m)."),
    # a domain that one side alone has larger
    ("#defined p/0. d(1..2). q(X) :- d(X), p. #show q/1.", "d(1..3). q(X) :- d(X), p."),
    # a promise of the right program is none of the left one
    ("#defined p/1. d(1..2). :- p(X), not d(X). q(X) :- p(X). #show q/1.", ":- p(2). q(X) :- p(X), X < 2."),
    ("#defined p/1. d(1..2). :- p(X), not d(X). q(X) :- p(X). #show q/1.", ":- p(2). q(X) :- p(X)."),
    # a constraint about some facts of an input does not limit the others
    ("#defined e/2. d(1..2). :- e(1,X), not d(X). :- e(X,Y), not d(X). q :- e(2,3). #show q/0.",
     "q :- e(2,3), e(9,9)."),
    # names of functions and symbols
    ("#defined p/0. q(before_q) :- p. #show q/1.", "q(after_q) :- p."),
    ("#defined p/0. q(before_q(differ_)) :- p. #show q/1.", "q(before_q(differ)) :- p."),
]  # fmt: skip


@pytest.mark.takes_seconds(keep=4)
@pytest.mark.parametrize(("left", "right"), COLLISIONS)
def test_what_differs_is_never_proved_equal(left: str, right: str) -> None:
    """Each in both orders, and each program equals itself. The right text has the left one's inputs and queries."""
    before, other = parse_checked(left), parse_checked(right)
    domain = tuple(rule for rule in before.rules if rule.head is not None and rule.head.name == "d")
    own = () if "d(1..3)" in right else domain
    after = Program((*own, *other.rules), other.constants, before.inputs, before.queries)
    if "e(9,9)" in right:  # no domain is declared, so nothing may be called a proof
        assert not equal(before, after, Instances(LIMIT_S)).proved
        return
    for one, two in ((before, after), (after, before)):
        facts = [fact for predicate in one.inputs for fact in over_two(predicate)]
        apart = any(tells_apart(one, two, chosen) for chosen in subsets(facts))
        found = equal(one, two, Instances(LIMIT_S))
        assert found.equal is not apart or tells_apart(one, two, found.difference)
    assert not equal(before, after, Instances(LIMIT_S)).equal
    assert equal(before, before, Instances(LIMIT_S)).equal
    assert equal(after, after, Instances(LIMIT_S)).equal


def over_two(predicate: Predicate) -> list[Atom]:
    return [
        Atom(predicate.name, tuple(map(Integer, numbers)))
        for numbers in itertools.product((1, 2), repeat=predicate.arity)
    ]


def subsets(facts: Sequence[Atom]) -> list[tuple[Atom, ...]]:
    return [chosen for size in range(len(facts) + 1) for chosen in itertools.combinations(facts, size)]


def test_the_difference_is_told_as_an_instance() -> None:
    left = parse_checked("#defined on/1. d(1..3). :- on(X), not d(X). q :- on(X), X < 3. #show q/0.")
    right = parse_checked("#defined on/1. d(1..3). :- on(X), not d(X). q :- on(X). #show q/0.")
    found = equal(left, right, Instances(LIMIT_S))
    assert (found.equal, found.proved) == (False, True)
    assert [str(fact) for fact in found.difference] == ["on(3)"]
    assert found.how.startswith("given on(3); looked for on all 8 sets")
    assert tells_apart(left, right, found.difference)


def test_an_empty_domain_is_said_to_be_empty() -> None:
    text = "#defined p/1. d(1) :- 0 = 1. :- p(X), not d(X). q :- p(X). #show q/0."
    found = equal(parse_checked(text), parse_checked(text.replace("q :- p(X)", "q :- 0 = 1")), Instances(LIMIT_S))
    assert (found.equal, found.proved) == (True, True)
    assert found.how == "on the empty set of input facts, as the declared domains have no facts: p/1 over d/1"


def test_a_query_or_a_promise_of_one_side_alone() -> None:
    domain = "#defined p/1. d(1..2). :- p(X), not d(X). "
    left = parse_checked(domain + "q(X) :- p(X). #show q/1.")
    asked = parse_checked(domain + "q(X) :- p(X). r(1) :- d(1). #show q/1. #show r/1.")
    assert not equal(left, asked, Instances(LIMIT_S)).equal
    strict = parse_checked(domain + "r :- p(1). :- r. q(X) :- p(X). #show q/1.")
    narrow = parse_checked(domain + "q(X) :- p(X), X != 1. #show q/1.")
    assert equal(strict, narrow, Instances(LIMIT_S)).proved
    assert equal(strict, narrow, Instances(LIMIT_S)).equal
    assert not equal(narrow, strict, Instances(LIMIT_S)).equal


def test_more_input_facts_than_a_proof_takes() -> None:
    text = "#defined p/2. d(1..80). :- p(X,Y), not d(X). :- p(X,Y), not d(Y). q(X) :- p(X,Y), {}. #show q/1."
    left, same, other = (parse_checked(text.format(more)) for more in ("d(X)", "d(Y)", "X < 80"))
    found = equal(left, same, Instances(LIMIT_S))
    assert (found.equal, found.proved, found.instances) == (True, False, 20)
    assert found.how == "on 20 different random instances; too many input facts for a proof"
    found = equal(left, other, Instances(LIMIT_S))
    assert (found.equal, found.proved) == (False, False)
    assert tells_apart(left, other, found.difference)


def test_rules_that_nobody_asks_for_are_not_grounded() -> None:
    text = "#defined on/1. d(1..2). :- on(X), not d(X). q(X) :- on(X), d(X). n(z). n(s(X)) :- n(X). #show q/1."
    program = parse_checked(text)
    assert equal(program, program, Instances(LIMIT_S)).proved


def test_integers_that_clingo_would_change_are_refused() -> None:
    big = Rule(Atom("p", (Integer(4294967297),)))
    left = parse_checked("q :- p(1). #show q/0.").with_rules((big, *parse("q :- p(1).").rules))
    right = parse_checked("p(1). q :- p(1). #show q/0.")
    for one, other in ((left, right), (right, left)):
        with pytest.raises(EngineError, match="does not fit into clingo's 32 bits"):
            equal(one, other, Instances(LIMIT_S))


# --- names ---------------------------------------------------------------------------------------------------------


def test_the_copies_share_inputs_only() -> None:
    """An input that a rule derives more of is copied as well; no text spells what a copy derives."""
    text = "#defined p/1. #defined q/1. q(1). r(X) :- p(X), q(X), not left_r(X). left_r(X) :- q(X), X > 1."
    program = parse(text)
    joint = side_by_side(program, program)
    own, other = (set(copy.names.values()) for copy in (joint.left, joint.right))
    assert not own & other
    assert {predicate.name for predicate in predicates(joint.program)} == own | other | {"p", "q"}
    assert {rule.head.name for rule in joint.left.rules if rule.head} <= own
    for name in own | other:
        with pytest.raises(RuleSyntaxError):
            parse(f"{name}.")
    spelled = joint.spelled()
    assert str(parse(str(spelled.program))) == str(spelled.program)
    assert set(spelled.left.names.values()) == {"q_left", "r_left", "left_r_left"}


# --- constants -----------------------------------------------------------------------------------------------------


def test_constants_in_terms_of_others() -> None:
    program = parse("#const a = b*2. #const b = 2+1. #const c = f(a,d). p(a,b,c). q(a+1).")
    assert str(valued(program)) == "p(6,3,f(6,d)).\nq(7).\n"
    assert least_model(valued(program)) == least_model(program)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("#const a = b. #const b = a.", "#const a is written in terms of itself"),
        ("#const a = a+1.", "#const a is written in terms of itself"),
        ("#const a = 1. #const a = 2.", "#const a has two values"),
    ],
)
def test_constants_without_a_value(text: str, message: str) -> None:
    with pytest.raises(RuleSyntaxError, match=message.replace("+", r"\+")):
        constant_values(parse(text))


def test_the_values_of_an_argument_are_those_of_the_constants() -> None:
    program = parse("#const n = 2+1. #defined on/1. q :- on(n). q :- on(n-1). r :- on(X), X = a/0.")
    slot = (Predicate("on", 1), 0)
    assert [str(term) for term in Domains(program, fixed_facts(program)).values(slot)] == ["2", "3"]


@pytest.mark.parametrize(
    ("constraint", "declared"),
    [
        (":- e(X,Y), not d(X).", True),
        (":- not d(X), e(X,Y).", True),
        (":- e(X,_), not pair(X,Z), d(Z).", False),
        (":- e(X,1), not d(X).", False),
        (":- e(1,Y), not d(1).", False),
        (":- e(X,X), not d(X).", False),
        (":- e(X,f(Y)), not d(X).", False),
        (":- e(X,Y), not d(X), Y > 1.", False),
        (":- e(X,Y), not other(X).", False),
        (":- e(X,Y), not d(X+1).", False),
    ],
)
def test_only_what_limits_every_fact_declares_a_domain(constraint: str, declared: bool) -> None:
    program = parse(f"#defined e/2. #defined other/1. d(1..2). pair(1,1). {constraint}")
    found = Domains(program, fixed_facts(program)).declared((Predicate("e", 2), 0))
    assert (found is not None) is declared


# --- instances -----------------------------------------------------------------------------------------------------


def test_instances_are_different_and_admitted() -> None:
    program = parse("#defined on/1. #defined off/0. lamp(1..30). :- on(X), not lamp(X). :- on(1), off.")
    drawn, complete = instances(program, 20)
    assert (len(drawn), complete) == (20, False)
    assert len({frozenset(facts) for facts in drawn}) == 20
    assert all(admits(program, facts) for facts in drawn)
    assert len({Atom("off") in facts for facts in drawn}) == 2
    assert drawn == instances(program, 20)[0]
    assert drawn != instances(program, 20, seed=7)[0]


@pytest.mark.parametrize(("lamps", "number"), [(1, 2), (2, 4), (4, 16)])
def test_few_instances_are_all_there_are(lamps: int, number: int) -> None:
    program = parse(f"#defined on/1. lamp(1..{lamps}). :- on(X), not lamp(X).")
    drawn, complete = instances(program, 20)
    assert complete
    assert len({frozenset(facts) for facts in drawn}) == len(drawn) == number


def test_an_input_without_arguments_is_also_left_out() -> None:
    """Where no domain is declared: a sample alone always holds it."""
    left = parse_checked("#defined p/0. #defined e/2. q :- p, e(X,X). r :- e(X,Y). #show q/0. #show r/0.")
    right = parse_checked("#defined p/0. #defined e/2. q :- e(X,X). r :- e(X,Y). #show q/0. #show r/0.")
    found = equal(left, right, Instances(LIMIT_S))
    assert (found.equal, found.proved) == (False, False)
    assert tells_apart(left, right, found.difference)


def test_instances_that_the_left_program_forbids_do_not_count() -> None:
    """Without a declared domain instances are drawn, and those that break a promise of the text are left out."""
    left = parse_checked("#defined e/2. :- e(X,Y), e(Y,X). q :- e(X,Y). #show q/0.")
    right = parse_checked("#defined e/2. :- e(X,Y), e(Y,X). q :- e(X,Y), not e(Y,X). #show q/0.")
    found = equal(left, right, Instances(LIMIT_S))
    assert (found.equal, found.proved, found.instances) == (True, False, 20)
    assert (
        found.how == "on 20 different random instances; no constraint limits every argument of e/2 to a finite domain"
    )


# --- random programs, names that collide included ------------------------------------------------------------------

NAMES = ("before_q", "after_q", "differ", "differ_", "q", "before_p", "before_before_q")
INPUTS = ("p", "before_q", "after_p", "differ")


@st.composite
def small_programs(draw: st.DrawFn, inputs: tuple[str, ...]) -> str:
    """Rules over unary predicates in layers, with constants; the domain of each input is declared."""
    derived = [name for name in NAMES if name not in inputs]
    value = draw(st.integers(1, 2))
    lines = [f"#const c = {value}.", "dom(1..2)."]
    lines += [f"#defined {name}/1. :- {name}(X), not dom(X)." for name in inputs]
    if draw(st.integers(0, 3)) == 0:
        body = draw(st.lists(st.sampled_from(inputs), min_size=1, max_size=2))
        lines.append(":- " + ", ".join(f"{name}({draw(st.sampled_from(('1', '2', 'c', 'X')))})" for name in body) + ".")
    for number, head in enumerate(derived):
        below = [*inputs, *derived[:number], "dom"]
        for _ in range(draw(st.integers(0, 2))):
            atom = draw(st.sampled_from([*below, head]))
            body = [f"{atom}({draw(st.sampled_from(('X', 'X', 'c')))})", "dom(X)"]
            if draw(st.booleans()):
                body.append(f"not {draw(st.sampled_from(below))}({draw(st.sampled_from(('X', 'c')))})")
            if draw(st.booleans()):
                body.append(draw(st.sampled_from(("X < c", "X != c", "X = c", "X = 1"))))
            lines.append(f"{head}({draw(st.sampled_from(('X', 'X', 'c')))}) :- {', '.join(body)}.")
    if draw(st.integers(0, 3)) == 0:
        lines.append(f"{draw(st.sampled_from(inputs))}(1).")
    return " ".join([*lines, f"#show {derived[-1]}/1. #show {derived[0]}/1."])


@st.composite
def pairs(draw: st.DrawFn) -> tuple[Program, Program]:
    """Two programs over the same inputs; the second is often the first with a rule less or another constant."""
    chosen = draw(st.lists(st.sampled_from(INPUTS), min_size=1, max_size=2, unique=True))
    inputs = tuple(chosen)
    left = parse_checked(draw(small_programs(inputs)))
    kind = draw(st.integers(0, 3))
    if kind == 0:
        return left, parse_checked(draw(small_programs(inputs)))
    if kind == 1:
        return left, replace(left, constants=(("c", Integer(draw(st.integers(1, 2)))),))
    rules = list(left.rules)
    if kind == 2:
        del rules[draw(st.integers(0, len(rules) - 1))]
    return left, left.with_rules(tuple(draw(st.permutations(rules))))


@pytest.mark.takes_seconds
@given(pairs())
@settings(max_examples=150, deadline=None)
def test_the_text_has_a_model_exactly_when_an_instance_tells_them_apart(both: tuple[Program, Program]) -> None:
    left, right = both
    facts = [fact for predicate in left.inputs for fact in over_two(predicate)]
    apart = any(tells_apart(left, right, chosen) for chosen in subsets(facts))
    assert satisfiable(miter(left, right, facts)) is apart


@given(pairs())
@settings(max_examples=12, deadline=None)
def test_equal_says_what_going_through_all_instances_says(both: tuple[Program, Program]) -> None:
    left, right = both
    facts = [fact for predicate in left.inputs for fact in over_two(predicate)]
    admitted = [chosen for chosen in subsets(facts) if keeps_its_promises(left, chosen)]
    apart = [chosen for chosen in admitted if tells_apart(left, right, chosen)]
    try:
        found = equal(left, right, Instances(LIMIT_S))
    except HexlogicError as error:
        raise AssertionError(str(error)) from error
    if found.proved:
        assert found.equal is not bool(apart)
    assert found.equal or set(found.difference) in [set(chosen) for chosen in apart]
    whole = all(
        Domains(left, fixed_facts(left)).declared((predicate, 0)) is not None for predicate in left.inputs
    ) and bool(admitted)
    assert found.proved or not whole
