"""Dialects: print a program as the text that a tool reads. A new dialect is one module that defines `DIALECT`.

Printers print lowered programs, which have the same least model: `#const` names are replaced by their values,
intervals in facts are expanded, ground arithmetic is evaluated, ground comparisons are decided, integrity constraints
are gone (they derive nothing) and arithmetic stands in comparisons only:

    p(X+1) :- q(X), not r(X-1).     becomes     p(N) :- q(X), N_2 = X-1, not r(N_2), N = X+1.
"""

from __future__ import annotations

import itertools
import re
from collections import Counter
from collections.abc import Callable, Collection
from dataclasses import dataclass

from hexlogic.errors import HexlogicError
from hexlogic.language.analysis.binding import needs
from hexlogic.language.constants import compare, valued
from hexlogic.language.names import fresh_variables
from hexlogic.language.syntax import Atom, BodyLiteral, Comparison, Literal, Program, Rule
from hexlogic.language.terms import Arithmetic, Function, Integer, Interval, Symbol, Term, Variable
from hexlogic.language.walk import computes, is_ground, rule_terms, rule_variables, substitute, variables
from hexlogic.registry import Registry


@dataclass(frozen=True, slots=True)
class Dialect:
    """A text that one tool reads. `render` raises HexlogicError for a program that has no text in the dialect."""

    name: str
    render: Callable[[Program], str]
    comment: str = "%"
    """What begins a comment."""
    run: str | None = None
    """The command that runs the text in FILE and asks for the winner; `{stones}` stands for a second file."""
    stones: str = "write them as owns(red,1). owns(blue,2). ..."
    """How to add the stones to a text without any."""
    stones_file: str = ""
    """The second file of `run`, with a space before it; empty where stones are added to FILE."""
    reads_inputs: bool = False
    """Whether the tool looks for a file of facts for each declared input."""
    describes_games: bool = False
    """Whether game descriptions are written in it."""
    keeps_order: bool = True
    """Whether the tool takes body literals in the order of the text, so that the order must bind each variable."""


__all__ = ["Dialect", "dialects", "load_dialect", "render"]

_DIALECTS: Registry[Dialect] = Registry(__name__, "DIALECT", "dialect")


def dialects() -> tuple[str, ...]:
    """The names of all dialects, sorted."""
    return _DIALECTS.names()


def load_dialect(name: str) -> Dialect:
    """The dialect of that name. Raises UnknownNameError."""
    return _DIALECTS.load(name)


def render(program: Program, dialect: str) -> str:
    """The text of `program` in `dialect`. Raises UnknownNameError for a dialect that does not exist.

    >>> from hexlogic import parse, render
    >>> print(render(parse("reach(X,Y) :- edge(X,Y), not cut(X)."), "gdl"), end="")
    (<= (reach ?x ?y)
        (edge ?x ?y)
        (not (cut ?x)))
    """
    return load_dialect(dialect).render(program)


_PLAIN_NAME = re.compile(r"[a-z][A-Za-z0-9_]*")
_PLAIN_VARIABLE = re.compile(r"[A-Z][A-Za-z0-9_]*")


def lower(program: Program) -> Program:
    """The lowered program: same inputs, queries and equivalences, no constants, no constraints. Raises HexlogicError.

    >>> from hexlogic.language.parser import parse
    >>> print(lower(parse("#const n = 2. p(n..3). q(X*2) :- p(X), 1 < 2.")), end="")
    p(2).
    p(3).
    q(N) :- p(X), N = X*2.
    """
    rules: list[Rule] = []
    for rule in valued(program).rules:
        if rule.head is not None and rule.body:
            compared = (item for item in rule.body if isinstance(item, Comparison) and is_ground(item))
            known = [item for item in compared if not computes(item.left) and not computes(item.right)]
            if all(compare(item.operator, item.left, item.right) for item in known):
                rules.append(_flatten(rule.with_body(tuple(item for item in rule.body if item not in known))))
        elif rule.head is not None:
            choices = itertools.product(*(_instances(term, rule) for term in rule.conclusion.arguments))
            rules += [Rule(Atom(rule.conclusion.name, arguments), (), rule.place) for arguments in choices]
    return Program(tuple(rules), (), program.inputs, program.queries, program.equivalences)


def _instances(term: Term, fact: Rule) -> list[Term]:
    """`1..3` as three numbers; several intervals give the product, the last one moving fastest."""
    match term:
        case Interval(Integer(low), Integer(high)):
            return [Integer(value) for value in range(low, high + 1)]
        case Function(name, arguments):
            choices = itertools.product(*(_instances(argument, fact) for argument in arguments))
            return [Function(name, choice) for choice in choices]
        case Integer() | Symbol():
            return [term]
        case Interval() | Arithmetic() | Variable():
            raise fact.at(HexlogicError(f"{term} has no value in the fact `{fact}`"))


def _flatten(rule: Rule) -> Rule:
    """Arithmetic out of atoms and compound terms, each expression into its own `N = expression`."""
    names = iter(fresh_variables("N", rule_variables(rule)))
    body: list[BodyLiteral] = []
    bound: frozenset[Variable] = frozenset()

    def pull(term: Term, out: list[BodyLiteral], inside: bool = True) -> Term:
        match term:
            case Arithmetic() if inside:
                name = next(names)
                out.append(Comparison("=", name, term))
                return name
            case Function(name, arguments):
                return Function(name, tuple(pull(argument, out) for argument in arguments))
            case _:
                return term

    head_sums: list[BodyLiteral] = []
    head = Atom(rule.conclusion.name, tuple(pull(term, head_sums) for term in rule.conclusion.arguments))
    for item in rule.body:
        sums: list[BodyLiteral] = []
        new: BodyLiteral
        if isinstance(item, Comparison):
            sides = (pull(side, sums, inside=False) for side in (item.left, item.right))
            new = Comparison(item.operator, *sides)
        else:
            new = Literal(Atom(item.atom.name, tuple(pull(term, sums) for term in item.atom.arguments)), item.positive)
        # `p(X,X+1)` may bind X itself: such a sum is checked after the atom, any other is computed before it
        early = [entry for entry in sums if not needs(entry, bound)]
        body += [*early, new, *(entry for entry in sums if entry not in early)]
        bound |= variables(item)
    return Rule(head, (*body, *head_sums), rule.place)


def operand(term: Term, text: str) -> str:
    """The text of an operand, in parentheses where it is an expression itself or has a sign."""
    nested = isinstance(term, Arithmetic) or (isinstance(term, Integer) and term.value < 0)
    return f"({text})" if nested else text


def legal_name(name: str, prefix: str, reserved: Collection[str]) -> str:
    """The name where a dialect can take it, else one that begins with `prefix`. No two names become one."""
    if _PLAIN_NAME.fullmatch(name) and name not in reserved and not name.startswith(prefix):
        return name
    # a name left as it is has no `_q`
    return prefix + (name.replace("_", "__").replace("'", "_q") if "'" in name or "_q" in name else name)


def occur_once(rule: Rule) -> frozenset[Variable]:
    """The variables with a single occurrence in the rule, which many dialects write `_`."""
    counts = Counter(part for part in rule_terms(rule) if isinstance(part, Variable))
    return frozenset(variable for variable, count in counts.items() if count == 1)


def rename_variables(rule: Rule, reserved: Collection[str] = ()) -> Rule:
    """The rule with every variable renamed that has an apostrophe, a leading underscore or a reserved name."""
    used = rule_variables(rule)
    illegal = sorted(v for v in used if not _PLAIN_VARIABLE.fullmatch(v.name) or v.name in reserved)
    return substitute(rule, dict(zip(illegal, fresh_variables("V", used), strict=False))) if illegal else rule
