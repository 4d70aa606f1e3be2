"""Hypothesis strategies for random syntax trees and random safe, stratified programs."""

from __future__ import annotations

from hypothesis import strategies as st

from hexlogic.language import (
    Arithmetic,
    Atom,
    Comparison,
    Function,
    Integer,
    Interval,
    Literal,
    Predicate,
    Program,
    Rule,
    Symbol,
    Variable,
)
from hexlogic.language.syntax import COMPARISONS

names = st.sampled_from(["a", "b", "edge", "reach_2", "p'", "_hidden", "notable", "wins"])
leaves = st.one_of(
    st.sampled_from(["X", "Y", "Z1", "_Under", "Any1"]).map(Variable),
    st.integers(-20, 20).map(Integer),
    names.map(Symbol),
)
terms = st.recursive(
    leaves,
    lambda inner: st.one_of(
        st.builds(Function, names, st.lists(inner, min_size=1, max_size=3).map(tuple)),
        st.builds(Arithmetic, st.sampled_from(["+", "-", "*", "/", "\\"]), inner, inner),
    ),
    max_leaves=6,
)


@st.composite
def syntax_programs(draw: st.DrawFn) -> Program:
    """Any program the grammar can spell, safe or not; each name keeps one arity."""
    arities = {name: draw(st.integers(0, 3)) for name in ["a", "b", "edge", "reach_2", "p'", "_hidden", "notable"]}

    def atom(inner: st.SearchStrategy[object]) -> st.SearchStrategy[Atom]:
        return st.sampled_from(sorted(arities)).flatmap(
            lambda name: st.lists(inner, min_size=arities[name], max_size=arities[name]).map(
                lambda parts: Atom(name, tuple(parts))
            )
        )

    literals = st.one_of(
        st.builds(Literal, atom(terms), st.booleans()),
        st.builds(Comparison, st.sampled_from(COMPARISONS), terms, terms),
    )
    bodies = st.lists(literals, min_size=1, max_size=4).map(tuple)
    facts = st.builds(Rule, atom(st.one_of(terms, st.builds(Interval, leaves, leaves))))
    rules = st.one_of(facts, st.builds(Rule, atom(terms), bodies), st.builds(Rule, st.none(), bodies))
    signatures = st.sampled_from([Predicate(name, arity) for name, arity in sorted(arities.items())])
    return Program(
        tuple(draw(st.lists(rules, max_size=5))),
        tuple(
            draw(st.lists(st.tuples(names, st.integers(0, 9).map(Integer)), max_size=2, unique_by=lambda pair: pair[0]))
        ),
        tuple(draw(st.lists(signatures, max_size=2))),
        tuple(draw(st.lists(signatures, max_size=2))),
    )


_VARIABLES = [Variable(name) for name in "XYZ"]
_STRATA = ((("e", 2), ("f", 1)), (("p", 1), ("q", 2)), (("r", 1), ("s", 2)))


@st.composite
def safe_programs(draw: st.DrawFn) -> Program:
    """A safe, stratified program over inputs `e/2`, `f/1` and constants 0..3, recursion inside a stratum included."""
    rules: list[Rule] = []
    for level in (1, 2):
        usable = [predicate for stratum in _STRATA[: level + 1] for predicate in stratum]
        negatable = [predicate for stratum in _STRATA[:level] for predicate in stratum]
        for name, arity in _STRATA[level]:
            for _ in range(draw(st.integers(1, 3))):
                positive = [_atom(draw, *draw(st.sampled_from(usable))) for _ in range(draw(st.integers(1, 3)))]
                bound = sorted({term for atom in positive for term in atom.arguments}, key=str)
                pool = [term for term in bound if isinstance(term, Variable)] or [Integer(1)]
                head = Atom(name, tuple(draw(st.sampled_from(pool)) for _ in range(arity)))
                body: list[Literal | Comparison] = [Literal(atom) for atom in positive]
                if draw(st.booleans()):
                    other, width = draw(st.sampled_from(negatable))
                    body.append(Literal(Atom(other, tuple(draw(st.sampled_from(pool)) for _ in range(width))), False))
                if draw(st.booleans()):
                    operator = draw(st.sampled_from(["!=", "<", ">="]))
                    body.append(Comparison(operator, draw(st.sampled_from(pool)), draw(st.sampled_from(pool))))
                if draw(st.integers(0, 3)) == 0:
                    new = Variable("W")
                    value = Arithmetic("+", draw(st.sampled_from(pool)), Integer(1))
                    body += [Comparison("=", new, value), Literal(Atom("f", (new,)))]
                order = draw(st.permutations(body))
                rules.append(Rule(head, tuple(order)))
    inputs = tuple(Predicate(name, arity) for name, arity in _STRATA[0])
    queries = tuple(Predicate(name, arity) for name, arity in _STRATA[2])
    return Program(tuple(rules), (), inputs, queries)


def _atom(draw: st.DrawFn, name: str, arity: int) -> Atom:
    pool = st.one_of(st.sampled_from(_VARIABLES), st.sampled_from(_VARIABLES), st.integers(0, 3).map(Integer))
    return Atom(name, tuple(draw(pool) for _ in range(arity)))


input_facts = st.tuples(
    st.frozensets(st.tuples(st.integers(0, 3), st.integers(0, 3)), max_size=8),
    st.frozensets(st.integers(0, 3), max_size=4),
).map(
    lambda chosen: (
        *(Atom("e", (Integer(x), Integer(y))) for x, y in sorted(chosen[0])),
        *(Atom("f", (Integer(x),)) for x in sorted(chosen[1])),
    )
)
