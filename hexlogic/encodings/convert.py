"""Terms and literals of clingo's syntax tree as terms and literals of the rule language, where it has them.

What the rule language lacks gives None: whoever asks then leaves the text as it stands. Two things are told apart only
here: a string is a `Symbol` whose name has quotation marks, and an anonymous variable is the `Symbol` `_`, since gringo
projects it away before it joins.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Final, cast

from clingo import SymbolType
from clingo.ast import AST, ASTType, BinaryOperator, ComparisonOperator, Sign, UnaryOperator

from hexlogic.language import Atom, BodyLiteral, Comparison, Literal, Predicate
from hexlogic.language.syntax import ComparisonOperator as Operator
from hexlogic.language.terms import Arithmetic, ArithmeticOperator, Function, Integer, Symbol, Term, Variable
from hexlogic.language.walk import body_terms, subterms

_ARITHMETIC: Final = {
    BinaryOperator.Plus: "+",
    BinaryOperator.Minus: "-",
    BinaryOperator.Multiplication: "*",
    BinaryOperator.Division: "/",
    BinaryOperator.Modulo: "\\",
}
COMPARISONS: Final = {
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
        case ASTType.UnaryOperation if node.operator_type == UnaryOperator.Absolute:
            inside = term_of(node.argument)
            return None if inside is None else Arithmetic("abs", inside, Integer(0))
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


def atom_of(node: AST, lacking: Term | None = None) -> Atom | None:
    """The atom of a `SymbolicAtom`, with the sign of classical negation in its name, and with `lacking` for each
    argument that the rule language lacks; None where it lacks one and there is no `lacking`."""
    symbol, sign = node.symbol, ""
    while symbol.ast_type == ASTType.UnaryOperation and symbol.operator_type == UnaryOperator.Minus:
        symbol, sign = symbol.argument, "" if sign else "-"
    if symbol.ast_type == ASTType.SymbolicTerm and symbol.symbol.type == SymbolType.Function:
        name = symbol.symbol.name
        return Atom(sign + name) if not symbol.symbol.arguments and not _is_internal(name) else None
    if symbol.ast_type != ASTType.Function or symbol.external or _is_internal(symbol.name):
        return None
    terms = tuple(term_of(argument) or lacking for argument in symbol.arguments)
    return None if None in terms else Atom(sign + symbol.name, cast("tuple[Term, ...]", terms))


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
            operators = [cast("Operator", COMPARISONS[guard.comparison]) for guard in node.atom.guards]
            return tuple(
                Comparison(operator, left, right)
                for operator, (left, right) in zip(operators, pairwise(terms), strict=True)
            )
        case _:
            return None


def _anonymous(terms: tuple[Term, ...]) -> bool:
    return any(part == Symbol("_") for term in terms for part in subterms(term))


@dataclass(frozen=True)
class Names:
    """What some nodes mention, at whatever depth."""

    predicates: frozenset[Predicate] = frozenset()
    """Those of all atoms."""
    variables: frozenset[Variable] = frozenset()
    """Whatever their scope; anonymous ones apart."""
    constants: frozenset[str] = frozenset()
    has_interval: bool = False
    """Whether there is a term such as `1..9`."""


def names_in(*nodes: AST | None) -> Names:
    """What the nodes mention."""
    predicates, variables, constants = set[Predicate](), set[Variable](), set[str]()
    has_interval = False
    waiting = [node for node in nodes if node is not None]
    while waiting:
        node = waiting.pop()
        for key in node.child_keys:
            child = getattr(node, key)
            waiting += [child] if isinstance(child, AST) else child or ()
        match node.ast_type:
            case ASTType.SymbolicAtom:
                predicates.update(_signatures(node.symbol))
            case ASTType.Variable if node.name != "_":
                variables.add(Variable(node.name))
            case ASTType.SymbolicTerm if node.symbol.type == SymbolType.Function and not node.symbol.arguments:
                constants.add(node.symbol.name)
            case ASTType.Interval:
                has_interval = True
            case _:
                pass
    return Names(frozenset(predicates), frozenset(variables), frozenset(constants), has_interval)


def names_of(literals: Sequence[BodyLiteral]) -> Names:
    """What literals mention."""
    parts = [part for literal in literals for term in body_terms(literal) for part in subterms(term)]
    symbols = {part.name for part in parts if isinstance(part, Symbol)}
    return Names(
        frozenset(literal.atom.predicate for literal in literals if isinstance(literal, Literal)),
        frozenset(part for part in parts if isinstance(part, Variable)),
        frozenset(name for name in symbols if name != "_" and not name.startswith('"')),
    )


def joined(names: Iterable[Names]) -> Names:
    """The union of several."""
    names = list(names)
    return Names(
        frozenset[Predicate]().union(*(each.predicates for each in names)),
        frozenset[Variable]().union(*(each.variables for each in names)),
        frozenset[str]().union(*(each.constants for each in names)),
        any(each.has_interval for each in names),
    )


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
