"""SWI-Prolog text, which runs without hexlogic; recursive predicates are tabled where they need it.

    reach(Y) :- reach(X), edge(X,Y).          :- table reach/1.
    next(X,Y) :- cell(X), Y = X+1.            next(X,Y) :- cell(X), Y is X+1.
    odd(X) :- cell(X), X\\2 != 0.              odd(X) :- cell(X), X rem 2 =\\= 0.

gringo's `/` truncates and its `\\` takes the sign of the dividend: that is Prolog's `//` and `rem`. `is` also serves
as a test when the variable is bound already, so that a symbol on the left makes it fail, as in gringo, and not an
error. Arithmetic on a symbol, and `<` between symbols in variables, stop with a type error: never a wrong answer.
"""

import itertools
import re
from collections import Counter
from pathlib import Path

from hexlogic.language import Atom, BodyLiteral, Comparison, Literal, Predicate, Program, Rule
from hexlogic.language.analysis.binding import descending_predicates
from hexlogic.language.analysis.dependence import recursive_predicates
from hexlogic.language.dialects import Dialect, lower, occur_once, operand, rename_variables
from hexlogic.language.syntax import ComparisonOperator
from hexlogic.language.terms import Arithmetic, ArithmeticOperator, Function, Integer, Symbol, Term, Variable
from hexlogic.language.walk import computes, predicates

SWI_NAMES = frozenset(Path(__file__).with_name("swi_names.txt").read_text(encoding="ascii").split())
"""Predicate names that SWI-Prolog keeps for itself: its system predicates, its prefix operators and `end_of_file`.

Taken from `predicate_property(system:Head, defined)` of SWI-Prolog 9.0. A program may redefine library predicates
(`member`, `last`), so those are not here. A name that a later version adds makes the load fail with an error; it never
changes an answer.
"""


_PREFIX = "user_"
_PLAIN_ATOM = re.compile(r"[a-z][A-Za-z0-9_]*")
_ARITHMETIC: dict[ArithmeticOperator, str] = {"+": "+", "-": "-", "*": "*", "/": "//", "\\": " rem "}
_NUMERIC: dict[ComparisonOperator, str] = {"=": "=:=", "!=": "=\\=", "<": "<", "<=": "=<", ">": ">", ">=": ">="}
_STANDARD: dict[ComparisonOperator, str] = {"=": "=", "!=": "\\==", "<": "@<", "<=": "@=<", ">": "@>", ">=": "@>="}

_OPERATORS = {
    "as", "discontiguous", "div", "divmod", "dynamic", "initialization", "is", "meta_predicate", "mod",
    "module_transparent", "multifile", "public", "rdiv", "rem", "table", "thread_initialization",
    "thread_local", "tnot", "volatile", "xor",
}  # fmt: skip
"""Words that are operators of SWI-Prolog."""


def predicate_name(name: str) -> str:
    """The Prolog name of a predicate: itself, or with the prefix `user_` where Prolog keeps the name for itself.

    >>> predicate_name("owns"), predicate_name("print"), predicate_name("user_print")
    ('owns', 'user_print', 'user_user_print')
    """
    return f"{_PREFIX}{name}" if name in SWI_NAMES or name.startswith(_PREFIX) else name


def render(program: Program) -> str:
    """The text of a program whose bodies can be evaluated left to right (see `hexlogic.language.analysis.binding`).
    Integrity constraints derive nothing and become comments. Raises HexlogicError for a fact without a value."""
    lowered = lower(program)
    rules = lowered.rules
    # An input stays dynamic. So does what nothing defines: Prolog would stop with an error where gringo finds no atom.
    dynamic = sorted(set(program.inputs) | (predicates(program) - lowered.heads))
    tabled = sorted(recursive_predicates(lowered) - descending_predicates(lowered))
    lines = ["% SWI-Prolog. Add the input facts below, then: " + _usage(program)]
    lines += [f":- dynamic {_indicator(predicate)}." for predicate in dynamic]
    lines += [f":- table {_indicator(predicate)}." for predicate in tabled]
    groups = Counter(predicate for predicate, _ in itertools.groupby(rule.conclusion.predicate for rule in rules))
    scattered = sorted(predicate for predicate, count in groups.items() if count > 1)
    lines += [f":- discontiguous {_indicator(predicate)}." for predicate in scattered]
    lines += [write_rule(rule) for rule in rules]
    lines += [f"% not run: {rule}" for rule in program.constraints]
    return "\n".join(lines) + "\n"


def _usage(program: Program) -> str:
    if not program.queries:
        return "swipl FILE.pl"
    query = program.queries[0]
    goal = write_name(predicate_name(query.name))
    goal += f"({','.join('ABCDEFGHIJKLMNOPQRSTUVWXYZ'[: query.arity])})" if query.arity else ""
    return f'swipl -g "forall({goal}, print({goal}))" -t halt FILE.pl'


def _indicator(predicate: Predicate) -> str:
    return f"{write_name(predicate_name(predicate.name))}/{predicate.arity}"


def write_rule(rule: Rule) -> str:
    """The clause of a lowered rule; a variable that occurs once becomes `_`."""
    rule = rename_variables(rule)
    once = occur_once(rule)
    goals = [_goal(item, once) for item in rule.body]
    head = write_atom(rule.conclusion, once)
    return f"{head} :- {', '.join(goals)}." if goals else f"{head}."


def _goal(item: BodyLiteral, once: frozenset[Variable]) -> str:
    match item:
        case Literal(atom, positive):
            return write_atom(atom, once) if positive else f"\\+ {write_atom(atom, once)}"
        case Comparison(operator, left, right):
            if operator == "=" and computes(left) != computes(right):
                value, target = (left, right) if computes(left) else (right, left)
                return f"{write_term(target, once)} is {write_term(value, once)}"
            # symbols and compound terms have no number: compare them in the standard order, which is gringo's
            numeric = computes(left) or computes(right) or operator not in ("=", "!=")
            if numeric and not any(isinstance(side, Symbol | Function) for side in (left, right)):
                return f"{write_term(left, once)} {_NUMERIC[operator]} {write_term(right, once)}"
            return f"{_compared(left, once)} {_STANDARD[operator]} {_compared(right, once)}"


def _compared(term: Term, once: frozenset[Variable]) -> str:
    """One side of a comparison; a word that is an operator of SWI-Prolog, quoted or not, is in parentheses."""
    text = write_term(term, once)
    return f"({text})" if isinstance(term, Symbol) and term.name in _OPERATORS else text


def write_atom(atom: Atom, once: frozenset[Variable] = frozenset()) -> str:
    """An atom, its predicate renamed where Prolog keeps the name; variables in `once` are written `_`."""
    name = write_name(predicate_name(atom.name))
    return f"{name}({','.join(write_term(term, once) for term in atom.arguments)})" if atom.arguments else name


def write_name(name: str) -> str:
    """A Prolog atom, quoted when it must be."""
    if _PLAIN_ATOM.fullmatch(name):
        return name
    return "'" + name.replace("\\", "\\\\").replace("'", "\\'") + "'"


def write_term(term: Term, once: frozenset[Variable] = frozenset()) -> str:
    """A term of a lowered rule."""
    match term:
        case Variable(name):
            return "_" if term in once else name
        case Integer(value):
            return str(value)
        case Symbol(name):
            return write_name(name)
        case Function(name, arguments):
            return f"{write_name(name)}({','.join(write_term(argument, once) for argument in arguments)})"
    assert isinstance(term, Arithmetic), "lowering leaves no interval"
    first, second = (operand(side, write_term(side)) for side in (term.left, term.right))
    return f"{first}{_ARITHMETIC[term.operator]}{second}"


DIALECT = Dialect(
    "prolog",
    render,
    run='swipl -g "forall(wins(P), (print(wins(P)), nl))" -t halt FILE.pl{stones}',
    stones_file=" STONES.pl",
)
