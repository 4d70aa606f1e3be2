"""Print a lowered rule as egglog rules: patterns, comparisons, negation, and rules that panic on undefined sums."""

import itertools
import math
from collections.abc import Iterator, Sequence

from hexlogic.errors import HexlogicError
from hexlogic.language.analysis.binding import needs
from hexlogic.language.dialects import rename_variables
from hexlogic.language.homomorphism import resolve, unify
from hexlogic.language.syntax import Atom, Comparison, Predicate, Rule
from hexlogic.language.terms import Arithmetic, Function, Integer, Interval, Symbol, Term, Variable
from hexlogic.language.walk import body_terms, computes, general_atom, is_ground, substitute, variables

LARGEST = 2**62 - 1
"""No integer is larger, so that a sum of two of them fits into egglog's 64 bits."""

_OPERATORS = {"+": "+", "-": "-", "*": "*", "/": "/", "\\": "%"}
_KINDS = ("Sym {0}/s", "Compound {0}/f {0}/t")  # Patterns for a term that is no integer

_OWN_WORDS = ("Class", "Compound", "Cons", "Int", "Nil", "Sym", "Term", "Terms")
"""What the text declares beside relations: egglog lets no variable have such a name."""

_Conditions = list[str]


class RuleWriter:
    """Writes rules for a program whose `merged` predicates are equivalences kept by union-find. `constants` collects
    what comparisons name: egglog compares only with what is in its tables."""

    def __init__(self, merged: frozenset[Predicate]) -> None:
        self._merged = merged
        self.constants: set[str] = set()

    def fact(self, atom: Atom, computed: frozenset[Variable] = frozenset()) -> str:
        """An atom as an action, or, when it is ground, as a command."""
        if atom.predicate not in self._merged:
            return _call(str(atom.predicate), atom.arguments, computed)
        return f"(union {' '.join(classes(atom, computed))})"

    def closing(self, predicate: Predicate, ruleset: str) -> str:
        """The rule that says of every fact of a predicate that its negation does not hold."""
        atom = general_atom(predicate)
        absence = _call(f"not/{predicate}", atom.arguments)
        return _write([*self._patterns(atom, 0)], [f"(set {absence} 1)"], ruleset)

    def rule(self, rule: Rule, ruleset: str) -> list[str]:
        """The egglog rules of a lowered rule; none when its equations have no solution."""
        solved = _solve(rename_variables(rule, _OWN_WORDS))
        if solved is None:
            return []
        atoms = [literal.atom for literal in solved.literals if literal.positive]
        negated = [literal.atom for literal in solved.literals if not literal.positive]
        given = variables(*atoms)
        patterns = [pattern for number, atom in enumerate(atoms) for pattern in self._patterns(atom, number)]
        body = _Body(rule, patterns, given, _ordered(solved, given), ruleset)
        self.constants |= body.constants
        written = body.guards
        action = self.fact(solved.conclusion, body.computed)
        absences = [_call(f"not/{atom.predicate}", atom.arguments, body.computed) for atom in negated]
        for conditions in body.alternatives:
            if negated:
                asked = [f"(set {absence} 0)" for absence in absences]
                written.append(_write([*patterns, *conditions], asked, ruleset))
            absent = [f"(= 0 {absence})" for absence in absences]
            written.append(_write([*patterns, *conditions, *absent], [action], ruleset))
        return written

    def _patterns(self, atom: Atom, number: int) -> Iterator[str]:
        """What a positive literal looks for; `number` tells the literals of a body apart."""
        if atom.predicate not in self._merged:
            yield _call(str(atom.predicate), atom.arguments)
            return
        yield from (f"(= class/{number} {element})" for element in classes(atom))


def classes(atom: Atom, computed: frozenset[Variable] = frozenset()) -> list[str]:
    """The classes of the two elements that an atom of an equivalence relates."""
    *context, first, second = atom.arguments
    return [_call(str(atom.predicate), (*context, element), computed) for element in (first, second)]


class _Body:
    """The comparisons of a body: `alternatives` hold the conditions, one of which must be met as a whole. `computed`
    are the variables that stand for an i64 and not for a term, `guards` the rules that panic."""

    def __init__(
        self, rule: Rule, patterns: list[str], given: frozenset[Variable], comparisons: list[Comparison], ruleset: str
    ) -> None:
        self.constants: set[str] = set()
        self.guards: list[str] = []
        self._given = given
        self.computed = variables(*comparisons) - given
        self.alternatives: list[_Conditions] = [[]]
        must: dict[Variable, None] = {}
        before: _Conditions = []
        for comparison in comparisons:
            choices = self._choices(comparison)
            must.update(dict.fromkeys(self._integers(comparison)))
            for term in (comparison.left, comparison.right):
                if _largest(term) > 2**63 - 1:  # some integers have no value in 64 bits under this expression
                    known = self._operands(term)
                    evaluate = [f"(let result {self._number(term)})"]
                    self.guards.append(_write([*patterns, *before, *known], evaluate, ruleset))
            if len(choices) == 1:
                before = [*before, *choices[0]]
            self.alternatives = [[*alternative, *other] for alternative in self.alternatives for other in choices]
        self.alternatives = [list(dict.fromkeys(conditions)) for conditions in self.alternatives]
        for variable, kind in itertools.product(must, _KINDS):
            text = str(rule).replace("\\", "\\\\")
            condition = f"(= {variable} ({kind.format(variable)}))"
            self.guards.append(
                _write([*patterns, condition], [f'(panic "{variable} is no integer in `{text}`")'], ruleset)
            )

    def _integers(self, comparison: Comparison) -> list[Variable]:
        """The variables of terms that have no meaning here unless they are integers."""
        sides = (comparison.left, comparison.right)
        compared = sides if comparison.operator not in ("=", "!=") else [s for s in sides if isinstance(s, Arithmetic)]
        return sorted(variables(*compared) & self._given)

    def _choices(self, comparison: Comparison) -> list[_Conditions]:
        operator, left, right = comparison.operator, comparison.left, comparison.right
        if operator == "!=":
            return self._unequal(left, right)
        if operator == "=" and any(isinstance(side, Symbol | Function) for side in (left, right)):
            return []  # the other side is a number
        return [self._numeric(operator, left, right)]

    def _numeric(self, operator: str, left: Term, right: Term) -> _Conditions:
        return [*self._operands(left, right), f"({operator} {self._number(left)} {self._number(right)})"]

    def _unequal(self, left: Term, right: Term) -> list[_Conditions]:
        if self._is_number(left) and self._is_number(right):
            return [self._numeric("!=", left, right)]
        match left, right:
            case (Function(name, mine), Function(other, theirs)) if name == other and len(mine) == len(theirs):
                return [choice for pair in zip(mine, theirs, strict=True) for choice in self._unequal(*pair)]
            case (Variable() as term, Function()) | (Function(), Variable() as term) if term in self._given:
                raise HexlogicError(f"egglog is not told when {left} and {right} differ")
            case (Variable() as term, number) | (number, Variable() as term) if (
                term in self._given and self._is_number(number) and not isinstance(number, Integer)
            ):
                return [self._numeric("!=", term, number), *([f"(= {term} ({kind.format(term)}))"] for kind in _KINDS)]
            case _ if not all(side in self._given or isinstance(side, Integer | Symbol) for side in (left, right)):
                return [[]]  # a number, a symbol and a compound term are three things
            case _ if left == right:
                return []
            case _ if is_ground(left) and is_ground(right):
                return [[]]
        sides = [_write_term(side, self.computed) for side in (left, right)]
        self.constants |= {text for side, text in zip((left, right), sides, strict=True) if is_ground(side)}
        return [[f"(!= {' '.join(sides)})"]]

    def _is_number(self, term: Term) -> bool:
        return isinstance(term, Integer | Arithmetic) or term in self.computed

    def _operands(self, *terms: Term) -> _Conditions:
        return [f"(= {variable} (Int {variable}/i))" for variable in sorted(variables(*terms) & self._given)]

    def _number(self, term: Term) -> str:
        match term:
            case Integer(value):
                return str(value)
            case Variable(name):
                return f"{name}/i" if term in self._given else name
            case Arithmetic(operator, left, right):
                return f"({_OPERATORS[operator]} {self._number(left)} {self._number(right)})"
            case _:
                raise HexlogicError(f"{term} is no integer, and egglog orders and adds integers only")


def _solve(rule: Rule) -> Rule | None:
    """The rule with its equations between terms solved: `X = f(Y)` puts f(Y) for X. None without a solution."""
    binding: dict[Variable, Term] = {}
    body = []
    for item in rule.body:
        if isinstance(item, Comparison) and item.operator == "=" and not any(map(computes, body_terms(item))):
            if not unify(item.left, item.right, binding):
                return None
        else:
            body.append(item)
    return substitute(rule.with_body(tuple(body)), {variable: resolve(variable, binding) for variable in binding})


def _ordered(rule: Rule, given: frozenset[Variable]) -> list[Comparison]:
    """The comparisons, each after those that compute what it needs. Raises HexlogicError for an unsafe rule."""
    waiting = [item for item in rule.body if isinstance(item, Comparison)]
    ordered: list[Comparison] = []
    bound = given
    while waiting:
        ready = next((item for item in waiting if not needs(item, bound)), None)
        if ready is None:
            raise HexlogicError(f"`{waiting[0]}` never finds its variables bound in `{rule}`")
        waiting.remove(ready)
        ordered.append(ready)
        bound |= variables(ready)
    return ordered


def _largest(term: Term) -> float:
    """An upper bound of the absolute value of an expression and all its parts; infinite where it may be undefined."""
    match term:
        case Arithmetic(operator, left, right):
            first, second = _largest(left), _largest(right)
            if operator in ("/", "\\"):
                return max(first, second) if isinstance(right, Integer) and right.value != 0 else math.inf
            return max(first, second, first * second if operator == "*" else first + second)
        case Integer(value):
            return abs(value)
        case _:
            return LARGEST


def _write(conditions: Sequence[str], actions: Sequence[str], ruleset: str) -> str:
    return f"(rule ({' '.join(conditions)}) ({' '.join(actions)}) :ruleset {ruleset})"


def _call(name: str, arguments: Sequence[Term], computed: frozenset[Variable] = frozenset()) -> str:
    return f"({' '.join([name, *(_write_term(term, computed) for term in arguments)])})"


def _write_term(term: Term, computed: frozenset[Variable]) -> str:
    match term:
        case Variable(name):
            return f"(Int {name})" if term in computed else name
        case Integer(value):
            return f"(Int {value})"
        case Symbol(name):
            return f'(Sym "{name}")'
        case Function(name, arguments):
            parts = "(Nil)"
            for argument in reversed(arguments):
                parts = f"(Cons {_write_term(argument, computed)} {parts})"
            return f'(Compound "{name}" {parts})'
        case Arithmetic() | Interval():
            raise HexlogicError(f"{term} has no value", hint="write it as an integer")
