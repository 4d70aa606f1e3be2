"""Every registered engine answers every small program like clingo itself, whatever was asked before."""

from __future__ import annotations

import importlib.metadata
import subprocess
import sys
from collections.abc import Iterator

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from hexlogic.errors import EngineError, UnknownNameError
from hexlogic.language import Atom, Program
from hexlogic.language.analysis.dependence import growing_predicates
from hexlogic.language.engines import Engine, Session, engine_names, installed_engines, load_engine
from hexlogic.language.parser import parse, parse_atom
from tests.language.engines.cases import CASES, Case

pytestmark = pytest.mark.many_cases(keep=2)

RUNNABLE = [
    pytest.param(name, marks=pytest.mark.skipif(bool(why := load_engine(name).missing()), reason=why or "installed"))
    for name in engine_names()
]


def truth(program: Program, facts: list[Atom], queries: list[Atom]) -> list[bool]:
    """What clingo answers when it is asked directly, without any adapter."""
    import clingo

    text = "".join(f"{rule}\n" for rule in program.rules if not rule.is_constraint)
    control = clingo.Control(["--warn=none"])
    constants = "".join(f"#const {name} = {value}.\n" for name, value in program.constants)
    control.add("base", [], constants + text + "".join(f"{fact}.\n" for fact in facts))
    control.ground([("base", [])])
    true = {str(entry.symbol) for entry in control.symbolic_atoms if entry.is_fact}
    return [str(clingo.parse_term(str(query))) in true for query in queries]


def expected(case: Case, facts: list[Atom]) -> list[bool]:
    """The reference; for the programs that clingo cannot ground, a search written by hand."""
    if not growing_predicates(case.program):
        return truth(case.program, facts, case.query_atoms)
    edges = {str(fact) for fact in facts}
    reached, waiting = set(), [1]
    while waiting:
        node = waiting.pop()
        if node not in reached:
            reached.add(node)
            waiting += [other for other in range(1, 5) if f"edge({node},{other})" in edges]
    return [query in {f"end({node})" for node in reached} for query in case.queries.split()]


@pytest.fixture(scope="module")
def sessions() -> Iterator[dict[tuple[str, str], Session]]:
    """One live session per engine and case, all at once: sessions must not disturb each other."""
    opened = {
        (engine.name, name): engine.open(case.program)
        for engine in installed_engines()
        for name, case in CASES.items()
        if engine.name not in case.refused_by
    }
    yield opened
    for session in opened.values():
        session.close()


@pytest.mark.takes_seconds(keep=80)
@pytest.mark.parametrize("case_name", CASES)
@pytest.mark.parametrize("engine_name", RUNNABLE)
@settings(
    max_examples=12, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow]
)
@given(data=st.data())
def test_answers_like_clingo(
    engine_name: str, case_name: str, sessions: dict[tuple[str, str], Session], data: st.DataObject
) -> None:
    case = CASES[case_name]
    if engine_name in case.refused_by:
        assert load_engine(engine_name).supports(case.program)
        return
    assert load_engine(engine_name).supports(case.program) is None
    chosen = data.draw(st.lists(st.sampled_from(case.fact_atoms), unique=True, max_size=9))
    session = sessions[engine_name, case_name]
    answers = [session.ask(chosen, query) for query in case.query_atoms]
    wrong = {
        query: answer.holds
        for query, answer, holds in zip(case.queries.split(), answers, expected(case, chosen), strict=True)
        if answer.holds != holds
    }
    assert not wrong
    assert all(answer.solve_s >= 0 and answer.query_s >= answer.solve_s for answer in answers)


def test_every_engine_is_registered_and_described() -> None:
    assert {"clingo", "egglog", "pydatalog", "swipl"} <= set(engine_names())
    for name in engine_names():
        engine = load_engine(name)
        assert isinstance(engine, Engine)
        assert engine.name == name
        # an engine without a case that it can run would pass the battery without having answered anything
        assert any(name not in case.refused_by for case in CASES.values())
        assert engine.missing() is not None or any(character.isdigit() for character in engine.version())


def test_cases_name_only_registered_engines() -> None:
    unknown = {name for case in CASES.values() for name in case.refused_by} - set(engine_names())
    assert not unknown, "a case names an engine that is not registered"
    assert load_engine("pydatalog").version() == importlib.metadata.version("pyDatalog")


def test_unknown_engine() -> None:
    with pytest.raises(UnknownNameError, match=r"did you mean clingo\?"):
        load_engine("clingoo")


def test_listing_imports_no_engine() -> None:
    code = (
        "import sys; from hexlogic.language.engines import engine_names; engine_names();"
        "print([name for name in ('clingo', 'pyDatalog', 'numba', 'egglog') if name in sys.modules])"
    )
    shown = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert shown.stdout.strip() == "[]"


@pytest.mark.parametrize("engine_name", RUNNABLE)
def test_questions_leave_no_trace(engine_name: str) -> None:
    program = parse("#defined p/1. p(1). q(X) :- p(X). all :- p(1), p(2), p(3).")
    facts = [parse_atom(text) for text in ("p(1)", "p(2)", "p(3)")]
    with load_engine(engine_name).open(program) as session:
        assert not session.ask([], parse_atom("all")).holds
        assert session.ask(facts, parse_atom("all")).holds
        assert not session.ask(facts[1:2], parse_atom("all")).holds
        assert not session.ask([], parse_atom("q(2)")).holds
        # a fact that the program has as well must survive the question that gave it again
        assert session.ask([], parse_atom("q(1)")).holds
        # predicates that only a question mentions are gone after it
        assert session.ask([parse_atom("new(1)")], parse_atom("new(1)")).holds
        assert not session.ask([], parse_atom("new(1)")).holds


@pytest.mark.parametrize("engine_name", RUNNABLE)
def test_closed_sessions_and_bad_questions(engine_name: str) -> None:
    session = load_engine(engine_name).open(parse("p(1)."))
    with pytest.raises(EngineError, match="not ground"):
        session.ask([], parse_atom("p(X)"))
    with pytest.raises(EngineError, match="not ground"):
        session.ask([parse_atom("p(X)")], parse_atom("p(1)"))
    assert session.ask([], parse_atom("p(1)")).holds
    session.close()
    session.close()
    with pytest.raises(EngineError, match="closed"):
        session.ask([], parse_atom("p(1)"))


@pytest.mark.parametrize("engine_name", ["pydatalog", "swipl"])
@pytest.mark.parametrize(
    "text",
    ["p(X) :- not q(X), r(X).", "p(X) :- X < 3, r(X).", "p(X) :- Y = X+1, r(X), r(Y).", "p(X) :- r(X+1), r(X)."],
)
def test_unbound_order_is_refused(engine_name: str, text: str) -> None:
    engine = load_engine(engine_name)
    program = parse(text + " r(1..3). q(2).")
    assert "unbound" in (engine.supports(program) or "")
    with pytest.raises(EngineError, match="unbound"):
        engine.open(program)


@pytest.mark.parametrize("engine_name", RUNNABLE)
def test_division_by_zero_is_an_error(engine_name: str) -> None:
    program = parse("#defined p/1. q(Y) :- p(X), Y = 6/X. q(Y) :- p(X), Y = 6\\X.")
    with load_engine(engine_name).open(program) as session:
        assert session.ask([parse_atom("p(-4)")], parse_atom("q(-1)")).holds
        if engine_name != "pydatalog":  # it keeps the exception as a value, which equals no integer
            with pytest.raises(EngineError):
                session.ask([parse_atom("p(0)")], parse_atom("q(1)"))
        assert session.ask([parse_atom("p(4)")], parse_atom("q(2)")).holds
