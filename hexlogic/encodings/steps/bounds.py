"""The value of an aggregate that is only compared or minimised is written where it is used, and has no atoms any more.

Before:  weight(S) :- S = #sum { W,X : in(X), w(X,W) }.   :- weight(S), S > limit.   #minimize { C : cost(C) }.
After:   :- #sum { W,X : in(X), w(X,W) } > limit.         #minimize { W,X : in(X), w(X,W) }.

gringo writes a rule for each value that the sum can have. Made where `#show p/n.` lines say what is seen and do not
name the predicate, so that nothing can tell; it has one rule, and each use is a constraint that compares the value or a
minimised one, with the other arguments in its tuple and no second statement of its priority. *Preserves* what is shown,
the costs, and the answer sets over all other predicates.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from clingo.ast import AST, AggregateFunction, ASTType, Guard, Transformer, UnaryOperator

from hexlogic.encodings.analysis import Analysis
from hexlogic.encodings.convert import names_in
from hexlogic.encodings.statements import BASE, Statement
from hexlogic.encodings.steps.base import Dropped, Step
from hexlogic.language import Predicate

_SUMS = {AggregateFunction.Sum: False, AggregateFunction.Count: True}
"""The aggregates that a minimised value may have, and whether each tuple counts 1."""


class _Renamed(Transformer):
    def __init__(self, terms: Mapping[str, AST], used: Sequence[str]) -> None:
        self._terms, self._used = terms, set(used)

    def visit_Variable(self, node: AST) -> AST:  # noqa: N802 # the name that clingo calls
        name = node.name
        while name in self._used and name != "_":
            name += "_"
        return self._terms.get(node.name) or node.update(name=name)


@dataclass(frozen=True)
class _Definition:
    """A rule `p(K,V) :- rest, V = #aggregate { ... }.`"""

    head: AST
    value: str
    aggregate: AST
    rest: tuple[AST, ...]

    def used(self, literal: AST, names: Sequence[str]) -> tuple[str, AST, list[str]] | None:
        """The value in a literal of another statement, the aggregate and the rest for it."""
        values = dict(
            zip((argument.name for argument in self.head.arguments), literal.atom.symbol.arguments, strict=True)
        )
        value = values.pop(self.value)
        renamed = _Renamed(values, names)
        if value.ast_type != ASTType.Variable or any(str(value) == str(other) for other in values.values()):
            return None
        return value.name, renamed.visit(self.aggregate), [str(renamed.visit(item)) for item in self.rest]


def _definition(statement: Statement) -> _Definition | None:
    items = statement.node.body if statement.is_plain and statement.part == BASE and statement.source else ()
    aggregates = [
        item for item in items if item.ast_type == ASTType.Literal and item.atom.ast_type == ASTType.BodyAggregate
    ]
    if len(aggregates) != 1 or (head := statement.node.head.atom.symbol).ast_type != ASTType.Function:
        return None
    (aggregate,), rest = aggregates, tuple(item for item in items if item not in aggregates)
    guard = aggregate.atom.left_guard
    names = [str(argument) for argument in head.arguments if argument.ast_type == ASTType.Variable]
    value = next((item.aggregate.value for item in statement.body if item.aggregate), None)
    inside = names_in(*aggregate.atom.elements, *rest).variables
    if value is None or guard is None or aggregate.atom.right_guard is not None or value in inside:
        return None
    if len({*names}) != len(head.arguments) or value.name not in names or "_" in names:
        return None
    return _Definition(head, value.name, aggregate, rest)


def _constraint(statement: Statement, literal: AST, definition: _Definition) -> str | None:
    rest = [item for item in statement.node.body if item != literal]
    names = [name.name for name in statement.names.variables]
    found = definition.used(literal, names)
    about = [item for item in rest if found and found[0] in {name.name for name in names_in(item).variables}]
    if found is None or len(about) != 1 or about[0].ast_type != ASTType.Literal or about[0].sign:
        return None
    compared = about[0].atom
    if compared.ast_type != ASTType.Comparison or len(compared.guards) != 1:
        return None
    left, (guard,) = compared.term, compared.guards
    if str(left) == found[0]:
        aggregate = found[1].atom.update(left_guard=None, right_guard=guard)
    elif str(guard.term) == found[0]:
        aggregate = found[1].atom.update(left_guard=Guard(guard.comparison, left))
    else:
        return None
    if found[0] in {name.name for name in names_in(left if str(guard.term) == found[0] else guard.term).variables}:
        return None
    return f":- {'; '.join([*(str(item) for item in rest if item != about[0]), *found[2], str(aggregate)])}."


def _cost(statement: Statement, literal: AST, definition: _Definition) -> str | None:
    node = statement.node
    found = definition.used(literal, [name.name for name in statement.names.variables])
    weight = node.weight
    if (
        weight.ast_type == ASTType.UnaryOperation
        and weight.operator_type == UnaryOperator.Minus
        and statement.kind == "minimize"
    ):
        weight = weight.argument  # of `#maximize`
    function = definition.aggregate.atom.function
    if found is None or str(weight) != found[0] or function not in _SUMS:
        return None
    rest = [item for item in node.body if item != literal]
    keys = {str(argument) for argument in literal.atom.symbol.arguments} - {found[0]}
    if found[0] in {name.name for name in names_in(*node.terms, *rest).variables} or not keys <= set(
        map(str, node.terms)
    ):
        return None
    texts = []
    for element in found[1].atom.elements:
        weights = ["1", *map(str, element.terms)] if _SUMS[function] else [*map(str, element.terms)]
        terms = ",".join([f"{weights[0]}@{node.priority}", *map(str, node.terms), *weights[1:]])
        body = ", ".join([*map(str, element.condition), *map(str, rest), *found[2]])
        texts.append(f":~ {body.replace(', ', '; ')}. [{terms}]" if statement.kind == "weak" else f"{terms} : {body}")
    return (" " if statement.kind == "weak" else "; ").join(texts)


class Bounds(Step):
    """Write the aggregate where its value is used."""

    def dropped(self, analysis: Analysis) -> Mapping[int, Dropped]:
        """The rules of such values, and the statements that use them with their new text."""
        statements = analysis.encoding.statements
        shown = {each.signature for each in statements if each.kind == "ShowSignature" and each.node.name}
        if not shown or analysis.encoding.has_scripts or analysis.encoding.asprin_names:
            return {}
        gone: dict[int, Dropped] = {}
        for number, statement in enumerate(statements):
            definition = _definition(statement)
            if definition is not None and not statement.heads & (shown | analysis.given | analysis.mentioned):
                gone |= _inlined(number, definition, next(iter(statement.heads)), analysis) or {}
        return gone


def _inlined(
    place: int, definition: _Definition, predicate: Predicate, analysis: Analysis
) -> dict[int, Dropped] | None:
    blocks = {block.statement: block for block in analysis.blocks}
    costs = [str(each.node.priority) for each in analysis.encoding.statements if each.kind in ("minimize", "weak")]
    uses: dict[int, Dropped] = {}
    for number, statement in enumerate(analysis.encoding.statements):
        if number == place or predicate not in statement.names.predicates:
            continue
        literals = [item for item in getattr(statement.node, "body", ()) if names_in(item).predicates == {predicate}]
        is_cost = statement.kind in ("minimize", "weak")
        if number not in blocks or len(literals) != 1 or not str(literals[0]).startswith(f"{predicate.name}("):
            return None
        if is_cost and costs.count(str(statement.node.priority)) == 1 and all(map(str.isdigit, costs)):
            text = _cost(statement, literals[0], definition)
        else:
            text = _constraint(statement, literals[0], definition) if blocks[number].kind == "constraint" else None
        if text is None:
            return None
        uses[number] = Dropped(blocks[number], "values", "", text)
    own = next((block for block in analysis.blocks if block.statement == place), None)
    if not uses:
        return None
    return uses | {place: Dropped(own, "values", f"no #show asks for {predicate}")}


STEP = Bounds("bounds")
