"""egglog alone: union-find, negation by strata, errors that are errors, and its work counters."""

from __future__ import annotations

import subprocess
import sys

import pytest
from hypothesis import given, settings

from hexlogic.errors import EngineError
from hexlogic.games import RED, load_board
from hexlogic.games.rulesets import position_facts, win_query
from hexlogic.language import Atom, Integer, Program, Rule
from hexlogic.language.analysis.checks import parse_checked
from hexlogic.language.engines import load_engine
from hexlogic.language.ground.solving import least_model
from hexlogic.language.parser import parse, parse_atom
from hexlogic.language.walk import predicates
from tests.agreement import program_of
from tests.language.programs import input_facts, safe_programs

EGGLOG = load_engine("egglog")


def atom(text: str) -> Atom:
    """An atom; an integer in it may be larger than those of the rule language, as a result of arithmetic may be."""
    name, _, number = text.removesuffix(")").partition("(")
    return Atom(name, (Integer(int(number)),)) if number.lstrip("-").isdigit() else parse_atom(text)


def ask(text: str, facts: str, query: str) -> bool:
    with EGGLOG.open(parse_checked(text)) as session:
        return session.ask(list(map(atom, facts.split())), atom(query)).holds


def counters(rule_set: str, pipeline: str, board: str) -> dict[str, int]:
    position = load_board(board).position
    with EGGLOG.open(program_of(rule_set, pipeline, position.game)) as session:
        return dict(session.ask(position_facts(position), win_query(RED)).counters)


@pytest.mark.takes_seconds
@settings(max_examples=60, deadline=None)
@given(safe_programs(), input_facts)
def test_random_stratified_programs_have_the_reference_model(program: Program, facts: tuple[Atom, ...]) -> None:
    wanted = least_model(program, facts)
    with EGGLOG.open(program) as session:
        for predicate in sorted(predicates(program) - set(program.inputs)):
            true = [atom for atom in wanted if atom.predicate == predicate]
            false = parse_atom(f"{predicate.name}({','.join(['9'] * predicate.arity)})")
            for atom in sorted(true, key=str)[:4]:
                assert session.ask(facts, atom).holds, atom
            assert not session.ask(facts, false).holds
            rows = session.ask(facts, false).counters["derived_facts"]
        derived = {rule.head.predicate for rule in program.rules if rule.head is not None and rule.body}
        # every derived fact and no other: the sizes of the tables are those of the least model
        assert rows == sum(atom.predicate in derived for atom in wanted)


@pytest.mark.parametrize(
    ("text", "facts", "message"),
    [
        ("#defined p/1. q(Y) :- p(X), Y = X*X*X.", "p(4000000000)", "primitive \\* failed"),
        ("#defined p/1. q(Y) :- p(X), p(Z), Y = X*Z.", "p(4000000000)", "primitive \\* failed"),
        ("#defined p/1. q(Y) :- p(X), Y = 1/(X-2).", "p(2)", "primitive / failed"),
        ("#defined p/1. q(X+1) :- p(X).", "p(4611686018427387903)", "an integer beyond 62 bits"),
        ("#defined p/1. q(X-1) :- p(X).", "p(-4611686018427387903)", "an integer beyond 62 bits"),
        ("#defined p/1. q(Y) :- p(X), Y = X+1.", "p(red)", "X is no integer in `q"),
        ("#defined p/1. q(X) :- p(X), X\\2 = 1.", "p(f(1))", "X is no integer in `q"),
        ("#defined p/1. q(X) :- p(X), p(Y), X < Y.", "p(1) p(red)", "is no integer in"),
        ("#defined p/1. q(X) :- p(X).", "p(4611686018427387904)", "does not fit into 62 bits"),
    ],
)
def test_what_is_undefined_is_an_error_and_not_the_answer_no(text: str, facts: str, message: str) -> None:
    with EGGLOG.open(parse_checked(text)) as session:
        with pytest.raises(EngineError, match=message):
            session.ask(list(map(atom, facts.split())), parse_atom("q(7)"))
        # the session goes on
        assert not session.ask([parse_atom("p(3)")], parse_atom("q(99)")).holds


def test_large_integers_that_fit_are_computed() -> None:
    text = "#defined p/1. q(Y) :- p(X), Y = X*X*X. r(X/2) :- p(X). s(Y) :- p(X), Y = X\\1000."
    assert ask(text, "p(-1000000)", "q(-1000000000000000000)")
    assert ask("#defined p/1. q(X+1) :- p(X).", "p(4611686018427387902)", "q(4611686018427387903)")


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("p(X) :- q(X), not r(X). r(X) :- q(X), not p(X). q(1).", "p/1 depends on its own negation"),
        ("n(zero). n(s(X)) :- n(X).", "function terms grow under recursion in n/1, so saturation does not end"),
        ("p(X) :- q(X), X < red. q(1).", "red is no integer, and egglog orders and adds integers only"),
        ("p(X) :- q(X,Y), Y != f(X). q(1,2).", "egglog is not told when Y and f(X) differ"),
        ("p(1/0).", "1/0 has no value in the fact"),
    ],
)
def test_refusals(text: str, reason: str) -> None:
    program = parse(text)
    assert reason in (EGGLOG.supports(program) or "")
    with pytest.raises(EngineError):
        EGGLOG.open(program)


def test_a_fact_beyond_62_bits_is_refused() -> None:
    program = Program((Rule(atom("p(4611686018427387904)")),))
    assert EGGLOG.supports(program) == "the integer 4611686018427387904 does not fit into 62 bits"


def test_differences_of_every_kind_of_term() -> None:
    text = """#defined p/1. #defined n/1. off(X,Y) :- p(X), n(N), Y = N+1, X != Y. two(X) :- p(X), X != 2.
    parts(X,Y) :- n(X), n(Y), f(X,1) != f(1,Y). kinds(X) :- n(X), X+1 != red, g(X) != h(X), g(X) != 3."""
    facts = "p(2) p(3) p(red) p(f(1)) n(1) n(2)"
    held = "off(3,2) off(red,2) off(f(1),3) off(2,3) two(3) two(red) two(f(1)) parts(2,1) parts(1,2) kinds(1)"
    for query in held.split():
        assert ask(text, facts, query), query
    for query in ["off(2,2)", "off(3,3)", "two(2)", "parts(1,1)", "kinds(3)"]:
        assert not ask(text, facts, query), query


def test_a_class_has_one_row_for_each_element() -> None:
    """17 stones and nobody on the last side; all pairs of stones need 259 facts for the same."""
    assert counters("clusters-union", "ground,reorder", "difficult-1") == {"rule_matches": 75, "derived_facts": 17}
    assert counters("clusters", "ground,reorder", "difficult-1") == {"rule_matches": 943, "derived_facts": 259}
    assert counters("clusters-union", "ground,reorder", "all-red") == {"rule_matches": 882, "derived_facts": 122}


def test_the_order_of_a_body_makes_no_difference() -> None:
    work = [counters("clusters", pipeline, "difficult-1") for pipeline in ("none", "reorder", "reorder:naive")]
    assert work.count(work[0]) == len(work)


@pytest.mark.takes_seconds(keep=4)
@pytest.mark.parametrize(
    ("board", "before", "after"),
    [
        ("all-red", 14653, 1354),
        ("dense-1", 4052, 190),
        ("dense-2", 3702, 195),
        ("dense-3", 2911, 138),
        ("dense-4", 6061, 627),
    ],
)
def test_magic_cuts_the_facts_of_clusters_to_a_fifth_on_full_boards(board: str, before: int, after: int) -> None:
    pipelines = ("ground,reorder", "ground,reorder,magic")
    assert [counters("clusters", pipeline, board)["derived_facts"] for pipeline in pipelines] == [before, after]
    assert before >= 5 * after


@pytest.mark.parametrize("first", ["the engine", "the package"])
def test_the_package_can_be_imported_beside_the_engine(first: str) -> None:
    engine = (
        "from hexlogic.language.engines import load_engine; from hexlogic.language.parser import parse, parse_atom;"
        "session = load_engine('egglog').open(parse('p(1).'));"
    )
    package = "import egglog; egglog.EGraph();"
    order = engine + package if first == "the engine" else package + engine
    code = f"{order} print(session.ask([], parse_atom('p(1)')).holds)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert done.stdout.strip() == "True", done.stderr


def test_the_engine_does_not_load_the_package() -> None:
    code = (
        "import sys; from hexlogic.language.engines import load_engine; from hexlogic.language.parser import parse;"
        "load_engine('egglog').open(parse('p(1).')); print('egglog' in sys.modules, 'egglog.bindings' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "False True"


def test_memory_grows_with_the_facts_and_not_with_their_square() -> None:
    """Parsed as one text, 3,000 facts take 1,100 MB: egglog's parser keeps a copy of the text for each command."""
    code = (
        "import resource; from hexlogic.language.engines import load_engine;"
        "from hexlogic.language.parser import parse;"
        "program = parse(' '.join(f'p({n},{n + 1}).' for n in range(3000)));"
        "before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss; load_engine('egglog').open(program);"
        "print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert int(done.stdout) < 200_000
