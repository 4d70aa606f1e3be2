"""Terms and literals of clingo's syntax tree as terms and literals of the rule language, where it has them.

What the rule language lacks gives None: whoever asks then leaves the text as it stands. Two things are told apart only
here: a string is a `Symbol` whose name has quotation marks, and an anonymous variable is the `Symbol` `_`, since gringo
projects it away before it joins.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import Final, cast

from clingo import SymbolType
from clingo.ast import AST, ASTType, BinaryOperator, ComparisonOperator, Sign, UnaryOperator

from hexlogic.language import (
    Arithmetic,
    Atom,
    BodyLiteral,
    Comparison,
    Function,
    Integer,
    Literal,
    Predicate,
    Symbol,
    Term,
    Variable,
)
from hexlogic.language.syntax import ArithmeticOperator
from hexlogic.language.syntax import ComparisonOperator as Operator
from hexlogic.language.walk import subterms

_ARITHMETIC: Final = {
    BinaryOperator.Plus: "+",
    BinaryOperator.Minus: "-",
    BinaryOperator.Multiplication: "*",
    BinaryOperator.Division: "/",
    BinaryOperator.Modulo: "\\",
}
_COMPARISON: Final = {
    ComparisonOperator.Equal: "=",
    ComparisonOperator.NotEqual: "!=",
    ComparisonOperator.LessThan: "<",
    ComparisonOperator.LessEqual: "<=",
    ComparisonOperator.GreaterThan: ">",
    ComparisonOperator.GreaterEqual: ">=",
}


def term_of(node: AST) -> Term | None:
    """The term, None for what the rule language lacks: pools, intervals, external functions, one-place tuples ..."""
    match node.ast_type:
        case ASTType.Variable:
            return Symbol("_") if node.name == "_" else None if _is_internal(node.name) else Variable(node.name)
        case ASTType.SymbolicTerm:
            return _constant(node)
        case ASTType.Function if (
            not node.external and (node.name or len(node.arguments) > 1) and not _is_internal(node.name)
        ):
            parts = _terms_of(node.arguments)
            return Function(node.name, parts) if parts else None
        case ASTType.BinaryOperation if node.operator_type in _ARITHMETIC:
            sides = _terms_of((node.left, node.right))
            operator = cast("ArithmeticOperator", _ARITHMETIC[node.operator_type])
            return None if sides is None else Arithmetic(operator, *sides)
        case _:
            return None


def _terms_of(nodes: Iterable[AST]) -> tuple[Term, ...] | None:
    """All terms; None when the rule language lacks one."""
    terms = tuple(map(term_of, nodes))
    return None if None in terms else cast("tuple[Term, ...]", terms)


def _constant(node: AST) -> Term | None:
    symbol = node.symbol
    if symbol.type == SymbolType.Number:
        return Integer(symbol.number)
    if symbol.type == SymbolType.String or (symbol.type == SymbolType.Function and not symbol.arguments):
        return None if _is_internal(str(symbol)) else Symbol(str(symbol))
    return None


def _is_internal(name: str) -> bool:
    """Whether clingo can spell the name and the rule language cannot: proofs make such names."""
    return name.startswith("'")


def atom_of(node: AST) -> Atom | None:
    """The atom of a `SymbolicAtom`, with the sign of classical negation in its name."""
    symbol, sign = node.symbol, ""
    while symbol.ast_type == ASTType.UnaryOperation and symbol.operator_type == UnaryOperator.Minus:
        symbol, sign = symbol.argument, "" if sign else "-"
    if symbol.ast_type == ASTType.SymbolicTerm and symbol.symbol.type == SymbolType.Function:
        name = symbol.symbol.name
        return Atom(sign + name) if not symbol.symbol.arguments and not _is_internal(name) else None
    if symbol.ast_type != ASTType.Function or symbol.external or _is_internal(symbol.name):
        return None
    terms = _terms_of(symbol.arguments)
    return None if terms is None else Atom(sign + symbol.name, terms)


def literals_of(node: AST) -> tuple[BodyLiteral, ...] | None:
    """What a body literal says, several comparisons for a chain `1 <= X < 9`; None for what the language lacks."""
    if node.ast_type != ASTType.Literal or node.sign == Sign.DoubleNegation:
        return None
    match node.atom.ast_type:
        case ASTType.SymbolicAtom:
            atom = atom_of(node.atom)
            if atom is None or (node.sign == Sign.Negation and _anonymous(atom.arguments)):
                return None
            return (Literal(atom, node.sign == Sign.NoSign),)
        case ASTType.Comparison if node.sign == Sign.NoSign:
            terms = _terms_of((node.atom.term, *(guard.term for guard in node.atom.guards)))
            if terms is None or _anonymous(terms):
                return None
            operators = [cast("Operator", _COMPARISON[guard.comparison]) for guard in node.atom.guards]
            return tuple(
                Comparison(operator, left, right)
                for operator, (left, right) in zip(operators, pairwise(terms), strict=True)
            )
        case _:
            return None


@dataclass(frozen=True)
class Item:
    """An item of a body or a condition, converted once."""

    node: AST

    @cached_property
    def literals(self) -> tuple[BodyLiteral, ...] | None:
        """What the item says in the rule language; None where that lacks it."""
        return literals_of(self.node)

    @property
    def positive(self) -> list[Literal]:
        """The positive literals that hold where the item does, as far as the rule language has them."""
        return [literal for literal in self.literals or () if isinstance(literal, Literal) and literal.positive]

    @cached_property
    def predicates(self) -> frozenset[Predicate]:
        """The predicates that the item mentions."""
        return predicates_in(self.node)

    @cached_property
    def variables(self) -> frozenset[Variable]:
        """All its variables, whatever their scope."""
        return variables_in(self.node)


def _anonymous(terms: tuple[Term, ...]) -> bool:
    return any(part == Symbol("_") for term in terms for part in subterms(term))


def _nodes(node: AST, last: ASTType | None = None) -> Iterator[AST]:
    """The node and all nodes below it, without those below a node of the type `last`."""
    yield node
    for key in node.child_keys if node.ast_type != last else ():
        child = getattr(node, key)
        if isinstance(child, AST):
            yield from _nodes(child, last)
        elif child is not None:
            for part in child:
                yield from _nodes(part, last)


def variables_in(node: AST) -> frozenset[Variable]:
    """All variables of a piece of text, whatever their scope; anonymous ones apart."""
    return frozenset(
        Variable(part.name) for part in _nodes(node) if part.ast_type == ASTType.Variable and part.name != "_"
    )


def constants_in(node: AST) -> frozenset[str]:
    """The names of all constants in a piece of text."""
    return frozenset(
        part.symbol.name
        for part in _nodes(node)
        if part.ast_type == ASTType.SymbolicTerm
        if part.symbol.type == SymbolType.Function and not part.symbol.arguments
    )


def has_interval(node: AST) -> bool:
    """Whether a piece of text has a term such as `1..9`."""
    return any(part.ast_type == ASTType.Interval for part in _nodes(node))


def predicates_in(node: AST) -> frozenset[Predicate]:
    """The predicates of all atoms of a piece of text."""
    return frozenset(
        predicate
        for part in _nodes(node, ASTType.SymbolicAtom)
        if part.ast_type == ASTType.SymbolicAtom
        for predicate in _signatures(part.symbol)
    )


def heads_and_conditions(head: AST) -> tuple[frozenset[Predicate], frozenset[Predicate]]:
    """The predicates that a head derives or chooses, and those that its conditions ask about."""
    heads: set[Predicate] = set()
    asked: set[Predicate] = set()
    if head.ast_type not in (ASTType.Aggregate, ASTType.HeadAggregate, ASTType.Disjunction):
        return predicates_in(head), frozenset()
    for element in head.elements:
        pair = element.condition if element.ast_type == ASTType.HeadAggregateElement else element
        heads |= predicates_in(pair.literal)
        asked = asked.union(*map(predicates_in, pair.condition))
    return frozenset(heads), frozenset(asked)


def _signatures(symbol: AST) -> Iterator[Predicate]:
    sign = ""
    while symbol.ast_type == ASTType.UnaryOperation:
        symbol, sign = symbol.argument, "" if sign else "-"
    if symbol.ast_type == ASTType.Pool:
        for part in symbol.arguments:
            for predicate in _signatures(part):
                yield Predicate(sign + predicate.name, predicate.arity)
    elif symbol.ast_type == ASTType.Function:
        yield Predicate(sign + symbol.name, len(symbol.arguments))
    elif symbol.ast_type == ASTType.SymbolicTerm and symbol.symbol.type == SymbolType.Function:
        yield Predicate(sign + symbol.symbol.name, len(symbol.symbol.arguments))
