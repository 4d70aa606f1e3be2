"""The bounds of a proof's integers as problems for provers: one for each rule, on boards up to the largest one.

    rule      cell(1..rows*columns).      with rows <= 46340 and columns <= 46340
    goal      rows*columns stays in 32 bits, and is at most 2147395600: the bound of the place
    rule      adjacent(X,Y) :- cell(X), cell(Y), Y = X+1, not column(X,columns).
    goal      forall X Y. 1 <= X <= 2147395600 and ... => X+1 stays in 32 bits, and so on

A rule derives integers within the bounds of its head from integers within the bounds of its body. A comparison counts
only after its own terms were shown to stay in 32 bits, in the order in which the analysis used it. A variable that may
hold a name as well is an integer here; a comparison of it says nothing then, for names come after all integers.
"""

from __future__ import annotations

from collections.abc import Iterator

from hexlogic.language import (
    Arithmetic,
    Atom,
    BodyLiteral,
    Comparison,
    Function,
    Integer,
    Interval,
    Literal,
    Symbol,
    Term,
    Variable,
)
from hexlogic.language.analysis.bounds import Narrowed
from hexlogic.language.analysis.ranges import FAR, Values
from hexlogic.language.constants import LARGEST
from hexlogic.language.walk import body_terms, subterms, variables
from hexlogic.proofs.integers import Certificate
from hexlogic.proofs.smt.formulas import Formula, Named, Problem, conjunction, implication, quantified, terms_of

_IN_32_BITS = Values(-LARGEST, LARGEST, False)


def bound_problems(certificate: Certificate) -> Iterator[Problem]:
    """A problem for each term that a rule computes, and for each bound of its head that its body does not state."""
    sizes = tuple(Symbol(name) for name in certificate.names)
    most = Integer(certificate.largest)
    axioms = tuple(
        Named(f"size {number}", f"{size} is at most {most}", Comparison("<=", size, most))
        for number, size in enumerate(sizes, 1)
    )
    number = 0
    for narrowed in certificate.bounds.narrowed:
        for goal in dict.fromkeys(_Rule(narrowed, certificate).goals()):
            number += 1
            named = sorted({part for term in terms_of(goal) for part in variables(term)}, key=str)
            whole = quantified("forall", tuple((variable, "int") for variable in named), goal)
            aim = Named("bounds", str(narrowed.rule), whole)
            yield Problem(f"bound-{number}", sizes, axioms, aim)


class _Rule:
    """What is shown of one rule, as implications from what narrows it so far."""

    def __init__(self, narrowed: Narrowed, certificate: Certificate) -> None:
        self._narrowed, self._certificate = narrowed, certificate
        self._known: list[Formula] = []

    def goals(self) -> Iterator[Formula]:
        rule, places = self._narrowed.rule, self._certificate.bounds.places
        for literal in self._narrowed.literals:
            yield from self._in_32_bits(literal)
            self._known += self._says(literal)
        for item in rule.items:
            yield from self._in_32_bits(item)
        if rule.head is not None:
            for term, values in zip(rule.head.arguments, places[rule.head.predicate], strict=True):
                for part in self._integers(term):
                    wanted = [bound for bound in _within(part, values) if bound not in self._known]
                    if wanted:
                        yield implication(conjunction(self._known), conjunction(wanted))

    def _in_32_bits(self, item: Atom | BodyLiteral) -> Iterator[Formula]:
        parts = [part for term in body_terms(item) for part in subterms(term)]
        for part in reversed(parts):  # innermost first: what was shown of them helps
            if isinstance(part, Arithmetic) and self._is_integer(part):
                shown = conjunction(_within(part, _IN_32_BITS))
                yield implication(conjunction((*self._known, *_defined(part))), shown)
                self._known.append(shown)

    def _says(self, item: BodyLiteral) -> Iterator[Formula]:
        """What a literal that holds says of the integers in it."""
        for term in body_terms(item):
            yield from _defined(term)
        if isinstance(item, Literal):
            for term, values in zip(
                item.atom.arguments, self._certificate.bounds.places[item.atom.predicate], strict=True
            ):
                for part in self._integers(term):
                    yield from _within(part, values)
        elif self._is_integer(item.left, strictly=True) and self._is_integer(item.right, strictly=True):
            yield item

    def _integers(self, term: Term) -> Iterator[Term]:
        """The parts of an argument that are integers."""
        if isinstance(term, Function):
            for argument in term.arguments:
                yield from self._integers(argument)
        elif self._is_integer(term):
            yield term

    def _is_integer(self, term: Term, strictly: bool = False) -> bool:
        """Whether the term can be an integer; `strictly`: and nothing else."""
        match term:
            case Variable():
                values = self._narrowed.values.get(term, Values(1, 0, True))
                return values.low <= values.high and not (strictly and values.others)
            case Symbol(name):
                return name in self._certificate.names
            case Function():
                return False
            case Arithmetic(_, left, right) | Interval(left, right):
                return self._is_integer(left) and self._is_integer(right)
            case Integer():
                return True


def _within(term: Term, values: Values) -> Iterator[Formula]:
    low, high = (term.low, term.high) if isinstance(term, Interval) else (term, term)
    if values.low > -FAR:
        yield Comparison("<=", Integer(values.low), low)
    if values.high < FAR:
        yield Comparison("<=", high, Integer(values.high))


def _defined(term: Term) -> Iterator[Formula]:
    """That no divisor in the term is 0: else the rule derives nothing."""
    for part in subterms(term):
        if isinstance(part, Arithmetic) and part.operator in ("/", "\\"):
            yield Comparison("!=", part.right, Integer(0))
