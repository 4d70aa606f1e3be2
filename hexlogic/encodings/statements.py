"""The statements of a program as values of our own: items in the rule language, and opaque ones with what they mention.

clingo's syntax tree is read here and nowhere else, once for each statement:

    statement   a kind, a head and a body; anything but a rule, `#minimize` or a shown term has only what it mentions
    head        a kind and an aggregate: that of a choice or a disjunction, or one of one element for a plain head
    aggregate   elements, whether a bound is one, and the variable that takes the value
    element     a literal under a condition
    item        literals of the rule language, or none where it lacks one
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from typing import Final

from clingo import SymbolType
from clingo.ast import AST, ASTType, Sign
from clingo.ast import ComparisonOperator as Operator

from hexlogic.encodings.convert import Names, atom_of, joined, literals_of, names_in, names_of
from hexlogic.encodings.source import Source
from hexlogic.language import Atom, BodyLiteral, Function, Literal, Predicate, Variable
from hexlogic.language.names import internal_name

BASE: Final = "base"
"""The part of a program that is always ground."""
LACKING: Final = Function(internal_name("lacking"), (Variable(internal_name("any")),))
"""Stands for a term that the rule language lacks: neither a variable nor without one."""

_ASKING: Final = ("minimize", "weak", "show")
"""Kinds of statements that ask about atoms and derive none."""
_KINDS: Final = {ASTType.Rule: "rule", ASTType.ShowTerm: "show"}
_HEADS: Final = {ASTType.Aggregate: "choice", ASTType.HeadAggregate: "choice", ASTType.Disjunction: "disjunction"}
_AT_MOST_ONE: Final = {
    "right_guard": ((Operator.LessEqual, 1), (Operator.Equal, 1), (Operator.LessThan, 2)),
    "left_guard": ((Operator.GreaterEqual, 1), (Operator.Equal, 1), (Operator.GreaterThan, 2)),
}
"""The comparisons and numbers that say so on either side of an aggregate."""


@dataclass(frozen=True)
class Item:
    """An item of a body or a condition, or the literal of a head."""

    node: AST
    literals: tuple[BodyLiteral, ...] | None
    """What it says in the rule language; None where that lacks it."""
    names: Names
    is_atom: bool
    """Whether it is an atom without negation as failure, of whatever arguments."""
    aggregate: Aggregate | None = None
    span: tuple[int, int] | None = None
    """First byte and end in the file; None where that is not found, in included files and in heads."""

    @cached_property
    def is_comparison(self) -> bool:
        """Whether it compares terms, and is not negated."""
        node = self.node
        is_plain = node.ast_type == ASTType.Literal and node.sign == Sign.NoSign
        return is_plain and bool(node.atom.ast_type == ASTType.Comparison)

    @cached_property
    def positive(self) -> list[Literal]:
        """The positive literals that hold where the item does, as far as the rule language has them."""
        return [literal for literal in self.literals or () if isinstance(literal, Literal) and literal.positive]

    @property
    def atom(self) -> Atom | None:
        """The atom that the item is, where the rule language has it."""
        return self.positive[0].atom if self.is_atom and self.literals else None


@dataclass(frozen=True)
class Element:
    """An element of an aggregate, a choice or a disjunction, or a plain head."""

    literal: Item | None
    """None in an aggregate of tuples."""
    pattern: Atom | None
    """The atom that is derived, with `LACKING` for arguments that the rule language lacks; None for any other literal
    and for an atom that it lacks as a whole."""
    outer: frozenset[Variable]
    """The variables beside those of the condition: of the tuple and of the literal."""
    condition: tuple[Item, ...]

    @property
    def variables(self) -> frozenset[Variable]:
        """All variables."""
        return all_variables(self.condition) | self.outer


@dataclass(frozen=True)
class Aggregate:
    """An aggregate, a choice or a disjunction."""

    elements: tuple[Element, ...]
    guards: frozenset[Variable] = frozenset()
    """The variables of its bounds."""
    at_most_one: bool = False
    """Whether a bound lets at most one of its atoms hold."""
    value: Variable | None = None
    """The variable that is equal to what it computes."""


@dataclass(frozen=True)
class Head:
    """The head of a rule."""

    kind: str
    """rule (a literal), constraint, choice, disjunction or theory."""
    names: Names
    aggregate: Aggregate

    @property
    def literal(self) -> Item | None:
        """The literal of a plain head."""
        return self.aggregate.elements[0].literal if self.kind in ("rule", "constraint") else None


@dataclass(frozen=True)
class Statement:
    """A statement of a part of a program, in a file; None for a file that is only included. What is asked of it is
    converted once, when it is first asked for."""

    node: AST
    """clingo's own tree, for clingo: to print it, and to ground it."""
    part: str
    source: Source | None
    parameters: tuple[str, ...] = ()
    """Those of the part: constants of each of its instances."""

    @cached_property
    def kind(self) -> str:
        """rule (of whatever head), weak, minimize, show (a term), or clingo's name of a type, such as Definition."""
        if self.node.ast_type == ASTType.Minimize:
            is_weak = self.source is not None and self.source.data.startswith(b":~", self.source.span(self.node)[0])
            return "weak" if is_weak else "minimize"
        return _KINDS.get(self.node.ast_type, str(self.node.ast_type.name))

    @property
    def is_rule(self) -> bool:
        """Whether the statement is a rule, a choice, a disjunction or a constraint."""
        return self.kind == "rule"

    @cached_property
    def is_fact(self) -> bool:
        """Whether the statement is a rule without body and without choice."""
        return self.is_rule and not self.node.body and bool(self.node.head.ast_type == ASTType.Literal)

    @property
    def is_constraint(self) -> bool:
        """Whether the statement is a rule whose head is false."""
        return self.head is not None and self.head.kind == "constraint"

    @property
    def is_plain(self) -> bool:
        """Whether the statement is a rule for one atom."""
        return self.head is not None and self.head.literal is not None and self.head.literal.is_atom

    @property
    def signature(self) -> Predicate:
        """The predicate that a directive such as `#defined p/2.` names."""
        return Predicate(("" if self.node.positive else "-") + self.node.name, self.node.arity)

    @cached_property
    def names(self) -> Names:
        """All that the statement mentions."""
        if self.head is None or self.head.literal is None:
            return names_in(self.node)
        return joined([self.head.names, *(item.names for item in self.body)])

    @cached_property
    def body(self) -> tuple[Item, ...]:
        """The items of the body."""
        return self._items(getattr(self.node, "body", ()))

    @cached_property
    def head(self) -> Head | None:
        """The head of a rule."""
        if not self.is_rule:
            return None
        head = self.node.head
        if head.ast_type == ASTType.Literal:
            is_false = head.atom.ast_type == ASTType.BooleanConstant and head.atom.value == (head.sign == Sign.Negation)
            literal = self._item(head, is_placed=False)
            element = Element(literal, literal.atom, literal.names.variables, ())
            return Head("constraint" if is_false else "rule", literal.names, Aggregate((element,)))
        kind = _HEADS.get(head.ast_type, "theory")
        return Head(kind, names_in(head), Aggregate(()) if kind == "theory" else self._aggregate(head))

    @cached_property
    def others(self) -> frozenset[Variable]:
        """The variables beside the body, in a statement that has no head: of weights and terms."""
        node = self.node
        terms = (node.weight, node.priority, *node.terms) if self.kind in ("weak", "minimize") else (node.term,)
        return names_in(*terms).variables

    @cached_property
    def heads(self) -> frozenset[Predicate]:
        """The predicates of which the statement may give atoms."""
        if self.kind == "Defined":
            return frozenset([self.signature])
        if self.kind in (*_ASKING, "ShowSignature"):
            return frozenset()
        if self.kind == "External":
            return names_in(self.node.atom).predicates
        if self.head is None:
            return self.names.predicates
        if self.head.literal is not None or self.head.kind == "theory":
            return self.head.names.predicates
        literals = (element.literal for element in self.head.aggregate.elements)
        return joined(literal.names for literal in literals if literal is not None).predicates

    @cached_property
    def asked(self) -> frozenset[Predicate]:
        """The predicates that the body and the conditions of a rule ask about, or a statement about costs or terms."""
        if not self.is_rule or self.is_fact:
            return self.names.predicates if self.kind in _ASKING else frozenset()
        elements = () if self.head is None else self.head.aggregate.elements
        conditions = (item for element in elements for item in element.condition)
        return joined(item.names for item in (*self.body, *conditions)).predicates

    def _items(self, nodes: Iterable[AST]) -> tuple[Item, ...]:
        return tuple(map(self._item, nodes))

    def _item(self, node: AST, *, is_placed: bool = True) -> Item:
        literals = literals_of(node)
        names = names_in(node) if literals is None else names_of(literals)
        kind = node.atom.ast_type if node.ast_type == ASTType.Literal else None
        is_atom = kind == ASTType.SymbolicAtom and node.sign == Sign.NoSign
        has_elements = kind in (ASTType.Aggregate, ASTType.BodyAggregate)
        aggregate = self._aggregate(node.atom, node.sign) if has_elements else None
        span = self.source.item_span(node) if self.source is not None and is_placed else None
        return Item(node, literals, names, is_atom, aggregate, span)

    def _aggregate(self, node: AST, sign: int = Sign.NoSign) -> Aggregate:
        elements = tuple(map(self._element, node.elements))
        if node.ast_type == ASTType.Disjunction:
            return Aggregate(elements)
        guards = [guard for guard in (node.left_guard, node.right_guard) if guard is not None]
        at_most_one = node.ast_type == ASTType.Aggregate and any(
            _bound(getattr(node, side)) in bounds for side, bounds in _AT_MOST_ONE.items()
        )
        equal = (guard.term for guard in guards if guard.comparison == Operator.Equal)
        values = [Variable(term.name) for term in equal if term.ast_type == ASTType.Variable]
        value = values[0] if values and sign == Sign.NoSign else None
        return Aggregate(elements, names_in(*guards).variables, at_most_one, value)

    def _element(self, element: AST) -> Element:
        inner = element.condition if element.ast_type == ASTType.HeadAggregateElement else element
        node = getattr(inner, "literal", None)
        literal = None if node is None else self._item(node, is_placed=False)
        pattern = atom_of(node.atom, LACKING) if node and literal and literal.is_atom else None
        outer = names_in(node, *getattr(element, "terms", ())).variables
        return Element(literal, pattern, outer, self._items(inner.condition))


def all_variables(items: Iterable[Item]) -> frozenset[Variable]:
    """The variables of some items."""
    return frozenset[Variable]().union(*(item.names.variables for item in items))


def _bound(guard: AST | None) -> tuple[int, int] | None:
    """The comparison and the number of a bound."""
    if guard is None or guard.term.ast_type != ASTType.SymbolicTerm or guard.term.symbol.type != SymbolType.Number:
        return None
    return guard.comparison, guard.term.symbol.number
