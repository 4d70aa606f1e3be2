"""The value of an aggregate that is only compared or minimised is written where it is used, and has no atoms any more.

Before:  weight(S) :- S = #sum { W,X : in(X), w(X,W) }.   :- weight(S), S > limit.   #minimize { C : cost(C) }.
After:   :- #sum { W,X : in(X), w(X,W) } > limit.         #minimize { W,X : in(X), w(X,W) }.

gringo writes a rule for each value that the sum can have. Made where `#show p/n.` lines say what is seen and do not
name the predicate, so that nothing can tell; it has one rule, and each use is a constraint that compares the value or a
minimised one, with the other arguments in its tuple and no second statement of its priority. *Preserves* what is shown,
the costs, and the answer sets over all other predicates.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from clingo.ast import AST, AggregateFunction, ASTType, Guard, Transformer, UnaryOperator

from hexlogic.encodings.analysis import Analysis
from hexlogic.encodings.convert import names_in
from hexlogic.encodings.statements import BASE, Statement
from hexlogic.encodings.steps.base import Dropped, Step
from hexlogic.language import Predicate, Variable

_SUMS = {AggregateFunction.Sum: False, AggregateFunction.Count: True}
"""The aggregates that a minimised value may have, and whether each tuple counts 1."""


@dataclass
class _Renamed(Transformer):
    """Other terms for some variables, and new names for those of others that are used."""

    terms: Mapping[str, AST]
    used: frozenset[Variable]

    def visit_Variable(self, node: AST) -> AST:  # noqa: N802 # the name that clingo calls
        name = node.name
        while Variable(name) in self.used:
            name += "_"
        return self.terms.get(node.name) or node.update(name=name)


@dataclass(frozen=True)
class _Definition:
    """A rule `p(K,V) :- rest, V = #aggregate { ... }.`"""

    head: AST
    value: Variable
    aggregate: AST
    rest: tuple[AST, ...]

    def used(self, statement: Statement, literal: AST) -> tuple[str, AST, list[str]] | None:
        """The value in a literal of another statement, the aggregate and the rest for it; None where an argument is no
        variable or constant."""
        terms = literal.atom.symbol.arguments
        values = dict(zip((argument.name for argument in self.head.arguments), terms, strict=True))
        value = values.pop(self.value.name)
        if any(term.ast_type not in (ASTType.Variable, ASTType.SymbolicTerm) or str(term) == "_" for term in terms):
            return None
        renamed = _Renamed(values, statement.names.variables)
        rest = [str(renamed.visit(item)) for item in self.rest]
        others = [*values.values(), *(item for item in statement.node.body if item != literal)]
        is_plain = value.ast_type == ASTType.Variable and sum(_has(item, value) for item in others) <= 1
        return (value.name, renamed.visit(self.aggregate.atom), rest) if is_plain else None


def _has(node: AST, variable: AST) -> bool:
    return Variable(variable.name) in names_in(node).variables


def _definition(statement: Statement) -> _Definition | None:
    items = statement.node.body if statement.is_plain and statement.part == BASE and statement.source else ()
    places = [place for place, item in enumerate(statement.body if items else ()) if item.aggregate is not None]
    if len(places) != 1 or (head := statement.node.head.atom.symbol).ast_type != ASTType.Function:
        return None
    rest = tuple(item for place, item in enumerate(items) if place not in places)
    aggregate, value = items[places[0]], statement.body[places[0]].aggregate.value  # type: ignore[union-attr]
    is_assigned = aggregate.atom.ast_type == ASTType.BodyAggregate and aggregate.atom.right_guard is None
    if value is None or not is_assigned:
        return None
    inside = names_in(*aggregate.atom.elements, *rest).variables
    names = {argument.name for argument in head.arguments if argument.ast_type == ASTType.Variable} - {"_"}
    if len(names) != len(head.arguments) or value.name not in names or value in inside:
        return None
    return _Definition(head, value, aggregate, rest)


def _constraint(statement: Statement, literal: AST, definition: _Definition) -> str | None:
    """A constraint that compares the value with anything else."""
    found = definition.used(statement, literal)
    if found is None or statement.head is None or statement.head.kind != "constraint":
        return None
    value, aggregate, rest = found
    items = [item for item in statement.node.body if item != literal]
    for item in items:
        atom = getattr(item, "atom", None)
        if atom is None or item.sign or atom.ast_type != ASTType.Comparison or len(atom.guards) != 1:
            continue
        left, guard = atom.term, atom.guards[0]
        sides = [str(left) == value, str(guard.term) == value]
        if sum(sides) == 1 and Variable(value) not in names_in(guard.term if sides[0] else left).variables:
            new = aggregate.update(left_guard=None, right_guard=guard)
            if sides[1]:
                new = aggregate.update(left_guard=Guard(guard.comparison, left))
            return f":- {'; '.join([*(str(other) for other in items if other != item), *rest, str(new)])}."
    return None


def _cost(statement: Statement, literal: AST, definition: _Definition) -> str | None:
    """A minimised value: the tuples of the sum, with the other terms of the statement."""
    node, found = statement.node, definition.used(statement, literal)
    is_weak, weight, function = statement.kind == "weak", node.weight, definition.aggregate.atom.function
    if not is_weak and weight.ast_type == ASTType.UnaryOperation and weight.operator_type == UnaryOperator.Minus:
        weight = weight.argument  # of `#maximize`
    if found is None or str(weight) != found[0] or function not in _SUMS:
        return None
    others = [item for item in node.body if item != literal]
    keys = {str(argument) for argument in literal.atom.symbol.arguments} - {found[0]}
    if Variable(found[0]) in names_in(*node.terms, *others).variables or not keys <= set(map(str, node.terms)):
        return None
    texts = []
    for element in found[1].elements:
        if not element.terms:
            return None
        weight, *terms = ["1"] * _SUMS[function] + list(map(str, element.terms))
        tuples = ",".join([f"{weight}@{node.priority}", *map(str, node.terms), *terms])
        body = ("; " if is_weak else ", ").join([*map(str, element.condition), *map(str, others), *found[2]])
        texts.append(f":~ {body}. [{tuples}]" if is_weak else f"{tuples} : {body}")
    return (" " if is_weak else "; ").join(texts)


class Bounds(Step):
    """Write the aggregate where its value is used."""

    def dropped(self, analysis: Analysis) -> Mapping[int, Dropped]:
        """The rules of such values, and the statements that use them with their new text."""
        statements = analysis.encoding.statements
        shown = {each.signature for each in statements if each.kind == "ShowSignature" and each.node.name}
        gone: dict[int, Dropped] = {}
        if shown and not analysis.encoding.has_scripts and not analysis.encoding.asprin_names:
            for number, statement in enumerate(statements):
                definition = _definition(statement)
                if definition is not None and not statement.heads & (shown | analysis.given | analysis.mentioned):
                    gone |= _inlined(number, definition, min(statement.heads), analysis)
        return gone


def _inlined(place: int, definition: _Definition, predicate: Predicate, analysis: Analysis) -> dict[int, Dropped]:
    """The rule and all statements that use its predicate; none where one of them cannot do without."""
    blocks = {block.statement: block for block in analysis.blocks if block.kind != "element"}
    costs = [str(each.node.priority) for each in analysis.encoding.statements if each.kind in ("minimize", "weak")]
    uses: dict[int, Dropped] = {}
    for number, statement in enumerate(analysis.encoding.statements):
        if number == place or predicate not in statement.names.predicates:
            continue
        literals = [item for item in getattr(statement.node, "body", ()) if names_in(item).predicates == {predicate}]
        if number not in blocks or len(literals) != 1 or not str(literals[0]).startswith(f"{predicate.name}("):
            return {}
        is_cost = statement.kind in ("minimize", "weak")
        if is_cost and (costs.count(str(statement.node.priority)) > 1 or not all(map(str.isdigit, costs))):
            return {}
        text = (_cost if is_cost else _constraint)(statement, literals[0], definition)
        if text is None:
            return {}
        uses[number] = Dropped(blocks[number], "values", "", text)
    own = blocks.get(place)
    return uses | {place: Dropped(own, "values", f"no #show asks for {predicate}")} if uses else {}


STEP = Bounds("bounds")
