"""pyDatalog text, for `pyDatalog.load`.

    reach(Y) :- reach(X), edge(X,Y).        reach(Y) <= reach(X) & edge(X,Y)
    next(X,Y) :- cell(X), Y = X+1.          next(X,Y) <= cell(X) & (Y == X+1)
    far(red,X) :- cell(X), not near(X).     far('red',X) <= cell(X) & ~near(X)
    first(list(X,nil)) :- cell(X).          first(('list',X,'nil')) <= cell(X)

pyDatalog compiles this text as Python, so load only text that this module printed. What it needs of the text:

- Every predicate is declared, since asking for an unknown one raises: a fact comes (`+`) and goes (`-`) again.
- Names are Python names: no keyword, no builtin, none of pyDatalog's own words.
- A variable occurs once inside a compound term: pyDatalog's tuple matching forgets the first of two bindings. Later
  occurrences get a name of their own and an `==`.
- Python's `//` and `%` round down, gringo's `/` and `\\` truncate: both are spelled out in a lambda.
"""

import builtins
import keyword
from collections.abc import Iterable, Iterator, Sequence

from hexlogic.language.dialects import Dialect, legal_name, lower, operand, rename_variables
from hexlogic.language.names import fresh_variables
from hexlogic.language.syntax import Atom, BodyLiteral, Comparison, ComparisonOperator, Program, Rule
from hexlogic.language.terms import Arithmetic, Function, Integer, Symbol, Term, Variable
from hexlogic.language.walk import map_term, predicates, rule_variables, subterms, variables

_GROUP = 50
_OWN_WORDS = """
    ask concat concat_ format_ len_ linear_regression_ max_ mean_ min_ range_ rank rank_ running_sum running_sum_
    sum_ tuple_
"""
_RESERVED = frozenset(dir(builtins)) | frozenset(keyword.kwlist) | frozenset(_OWN_WORDS.split())
_MIRRORED: dict[ComparisonOperator, ComparisonOperator] = {"<": ">", "<=": ">=", ">": "<", ">=": "<="}
"""The order that says the same with its sides exchanged."""
# a, b: integers. The quotient of the absolute values, with the sign of the quotient or of the dividend.
_DIVISIONS = {
    "/": "(lambda a, b: a // b if (a < 0) == (b < 0) else -(-a // b))",
    "\\": "(lambda a, b: a % b if (a < 0) == (b < 0) else -(-a % b))",
}


def predicate_name(name: str) -> str:
    """The Python name of a predicate: itself, or with the prefix `p_` where Python or pyDatalog keeps it.

    >>> predicate_name("owns"), predicate_name("print"), predicate_name("p_print"), predicate_name("a'")
    ('owns', 'p_print', 'p_p_print', 'p_a_q')
    """
    return legal_name(name, "p_", _RESERVED)


def declaration(name: str, arity: int) -> str:
    """Two lines that make a predicate known without giving it a fact."""
    fact = f"{predicate_name(name)}({','.join(['0'] * arity)})"
    return f"+ {fact}\n- {fact}\n"


def render(program: Program) -> str:
    """The text of a program whose bodies can be evaluated left to right (see `hexlogic.language.analysis.binding`).
    Integrity constraints derive nothing and become comments. Raises HexlogicError for a fact without a value."""
    lowered = lower(program)
    lines = [declaration(predicate.name, predicate.arity).rstrip() for predicate in sorted(predicates(program))]
    lines += [write_rule(rule) for rule in lowered.rules]
    lines += [f"# not run: {rule}" for rule in program.constraints]
    return "\n".join(lines) + "\n"


def write_rule(rule: Rule) -> str:
    """The clause of a lowered rule."""
    if not rule.body:
        return f"+ {write_atom(rule.conclusion)}"
    rule = rename_variables(rule, _RESERVED)
    names = iter(fresh_variables("T", rule_variables(rule)))
    head, *equal = _matchable(rule.conclusion, names)
    goals = [goal for item in rule.body for goal in _goals(item, names)]
    return f"{head} <= {_conjunction([*goals, *equal])}"


def _conjunction(goals: Sequence[str]) -> str:
    """The goals joined by `&`, in nested groups when there are many: Python parses `a & b & c` one level per goal."""
    if len(goals) <= _GROUP:
        return " & ".join(goals)
    groups = [goals[start : start + _GROUP] for start in range(0, len(goals), _GROUP)]
    return _conjunction([f"({' & '.join(group)})" for group in groups])


def _goals(item: BodyLiteral, names: Iterator[Variable]) -> Iterable[str]:
    if isinstance(item, Comparison):
        return _comparison(item, names)
    return _matchable(item.atom, names) if item.positive else [f"~{write_atom(item.atom)}"]


def _matchable(atom: Atom, names: Iterator[Variable]) -> list[str]:
    """The atom with no variable twice in one compound argument, and the equalities that it stands for."""
    terms, equalities = list[Term](), list[str]()
    for argument in atom.arguments:
        term, equal = _split(argument, names) if isinstance(argument, Function) else (argument, [])
        terms.append(term)
        equalities += equal
    return [write_atom(Atom(atom.name, tuple(terms))), *equalities]


def _split(term: Function, names: Iterator[Variable]) -> tuple[Term, list[str]]:
    """The term with a new name for each later occurrence of a variable, and the equalities."""
    seen: set[Variable] = set()
    equal: list[str] = []

    def apart(part: Term) -> Term:
        if not isinstance(part, Variable) or part not in seen:
            seen.update({part} if isinstance(part, Variable) else ())
            return part
        copy = next(names)
        equal.append(_write_comparison(Comparison("=", copy, part)))
        return copy

    return map_term(term, apart), equal


def _comparison(item: Comparison, names: Iterator[Variable]) -> Iterator[str]:
    """The comparison with something on the left whose Python operators pyDatalog overloads."""
    operator, left, right = item.operator, item.left, item.right
    if not _overloads(left):
        operator, left, right = _MIRRORED.get(operator, operator), right, left
    if not _overloads(left):
        # neither side does: name the value, so that a compound pattern on the other side can be matched against it
        if (isinstance(left, Function) and variables(left)) or isinstance(right, Arithmetic):
            operator, left, right = _MIRRORED.get(operator, operator), right, left
        name = next(names)
        yield _write_comparison(Comparison("=", name, left))
        left = name
    equal: list[str] = []
    if operator == "=" and isinstance(right, Function):
        right, equal = _split(right, names)
    yield from (_write_comparison(Comparison(operator, left, right)), *equal)


def _overloads(term: Term) -> bool:
    """Whether the written term is a pyDatalog object and not a plain Python value or a lambda."""
    return isinstance(term, Variable) or (isinstance(term, Arithmetic) and not _needs_lambda(term))


def _needs_lambda(term: Term) -> bool:
    """Whether the expression divides, or has no variable that could make it a pyDatalog expression."""
    divides = any(isinstance(part, Arithmetic) and part.operator in _DIVISIONS for part in subterms(term))
    return divides or not variables(term)


def _write_comparison(item: Comparison) -> str:
    operator = "==" if item.operator == "=" else item.operator
    return f"({write_term(item.left)} {operator} {write_term(item.right)})"


def write_atom(atom: Atom) -> str:
    """An atom, its predicate renamed where Python or pyDatalog keeps the name."""
    return f"{predicate_name(atom.name)}({','.join(map(write_term, atom.arguments))})"


def write_term(term: Term) -> str:
    """A term of a lowered rule: symbols are strings, compound terms tuples that begin with their name."""
    match term:
        case Variable(name):
            return name
        case Integer(value):
            return str(value)
        case Symbol(name):
            return repr(name)
        case Function(name, arguments):
            return f"({','.join([repr(name), *map(write_term, arguments)])})"
    assert isinstance(term, Arithmetic), "lowering leaves no interval"
    if not _needs_lambda(term):
        left, right = (operand(side, write_term(side)) for side in (term.left, term.right))
        return f"{left}{term.operator}{right}"
    parameters = ", ".join(sorted(str(variable) for variable in variables(term)))
    return f"(lambda {parameters}: {_python(term)})" if parameters else _python(term)


def _python(term: Term) -> str:
    if not isinstance(term, Arithmetic):
        return write_term(term)
    left, right = _python(term.left), _python(term.right)
    function = _DIVISIONS.get(term.operator)
    return f"{function}({left}, {right})" if function else f"({left}{term.operator}{right})"


DIALECT = Dialect(
    "pydatalog",
    render,
    comment="#",
    run="python -c \"from pyDatalog.pyDatalog import ask, load; load(open('FILE').read()); print(ask('wins(P)'))\"",
    stones="add the stones as + owns('red',1)",
)
