"""First-order formulas over the terms of the rule language, and a problem: axioms and a goal.

Two sorts: `int` for what is counted and compared (cells, rows, sides by number), `thing` for everything else (players,
sides by name). Negation is the classical one. Texts: `printing.py`; finite models: `models.py`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Literal as OneOf
from typing import TypeAlias, assert_never

from hexlogic.language import Atom, Comparison, Predicate, Symbol, Term, Variable
from hexlogic.language.walk import body_terms, map_term, subterms

Sort: TypeAlias = OneOf["int", "thing"]
Typed: TypeAlias = tuple[tuple[Variable, Sort], ...]


@dataclass(frozen=True, slots=True)
class Not:
    """Classical negation."""

    part: Formula


@dataclass(frozen=True, slots=True)
class Connective:
    """`and`, `or` (of any number of parts), `=>` or `<=>` (of two)."""

    kind: OneOf["and", "or", "=>", "<=>"]
    parts: tuple[Formula, ...]


@dataclass(frozen=True, slots=True)
class Quantified:
    """`forall` or `exists` over at least one variable."""

    kind: OneOf["forall", "exists"]
    variables: Typed
    part: Formula


Formula: TypeAlias = Atom | Comparison | Not | Connective | Quantified

TRUE = Connective("and", ())
FALSE = Connective("or", ())


def conjunction(parts: Iterable[Formula]) -> Formula:
    """All of the parts; the part itself when there is one only."""
    kept = tuple(dict.fromkeys(part for part in parts if part != TRUE))
    return kept[0] if len(kept) == 1 else Connective("and", kept)


def disjunction(parts: Iterable[Formula]) -> Formula:
    """One of the parts at least; the part itself when there is one only."""
    kept = tuple(dict.fromkeys(part for part in parts if part != FALSE))
    return kept[0] if len(kept) == 1 else Connective("or", kept)


def implication(condition: Formula, conclusion: Formula) -> Formula:
    """`condition => conclusion`; the conclusion alone when the condition is true."""
    return conclusion if condition == TRUE else Connective("=>", (condition, conclusion))


def quantified(kind: OneOf["forall", "exists"], variables: Typed, part: Formula) -> Formula:
    """The formula under a quantifier, or as it is when there are no variables."""
    return Quantified(kind, variables, part) if variables else part


@dataclass(frozen=True, slots=True)
class Named:
    """A formula, a name for it (`rule 3`) and the rule text that it stands for."""

    name: str
    text: str
    formula: Formula


@dataclass(frozen=True, slots=True)
class Problem:
    """Does the goal follow from the axioms? `parameters` are unknown integers, such as `rows`.

    `constants` stand for any value of their sort. Every other symbolic constant is a value of its own. `definitions`
    are predicates that are not recursive, each after those that it uses, with their arguments and what they mean.
    `euclidean` says that no dividend is negative and every divisor positive, so that all ways of rounding are one.
    `signature` says the sorts of every predicate's arguments, `comment` what the problem is.
    """

    name: str
    parameters: tuple[Symbol, ...]
    axioms: tuple[Named, ...]
    goal: Named
    constants: tuple[tuple[Symbol, Sort], ...] = ()
    definitions: tuple[tuple[Atom, Typed, Named], ...] = ()
    euclidean: bool = False
    signature: tuple[tuple[Predicate, tuple[Sort, ...]], ...] = ()
    comment: tuple[str, ...] = ()

    @property
    def formulas(self) -> tuple[Formula, ...]:
        """Every formula of the problem, the goal last."""
        defined = (meaning.formula for _, _, meaning in self.definitions)
        return (*defined, *(axiom.formula for axiom in self.axioms), self.goal.formula)

    @property
    def names(self) -> tuple[Symbol, ...]:
        """The symbolic constants that are values of their own."""
        terms = {term for formula in self.formulas for term in terms_of(formula) if isinstance(term, Symbol)}
        return tuple(sorted((symbol for symbol in terms if self.kind_of(symbol) == "name"), key=str))

    def kind_of(self, symbol: Symbol) -> OneOf["size", "value", "name"]:
        """What the symbol is: a parameter, a constant, or a value of its own."""
        if symbol in self.parameters:
            return "size"
        return "value" if any(symbol == constant for constant, _ in self.constants) else "name"


def atoms_of(formula: Formula) -> Iterator[Atom | Comparison]:
    """Every atom and comparison of the formula."""
    match formula:
        case Atom() | Comparison():
            yield formula
        case Not(part) | Quantified(_, _, part):
            yield from atoms_of(part)
        case Connective(_, parts):
            for part in parts:
                yield from atoms_of(part)
        case _:
            assert_never(formula)


def terms_of(formula: Formula) -> Iterator[Term]:
    """Every term of the formula, those inside terms too."""
    for atom in atoms_of(formula):
        for term in body_terms(atom):
            yield from subterms(term)


def replaced(formula: Formula, values: Mapping[Term, Term]) -> Formula:
    """The formula with other terms in the place of variables and symbols, which it does not bind itself."""
    match formula:
        case Not(part):
            return Not(replaced(part, values))
        case Connective(kind, parts):
            return Connective(kind, tuple(replaced(part, values) for part in parts))
        case Quantified(kind, variables, part):
            return Quantified(kind, variables, replaced(part, values))
        case Atom(name, arguments):
            return Atom(name, tuple(map_term(term, lambda term: values.get(term, term)) for term in arguments))
        case Comparison(operator, left, right):
            sides = (map_term(term, lambda term: values.get(term, term)) for term in (left, right))
            return Comparison(operator, *sides)
