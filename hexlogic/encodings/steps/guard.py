"""A comparison of the value that an aggregate is assigned to becomes a bound of the aggregate.

Before:  :- S = #sum { W,X : in(X), w(X,W) }, S > 100.
After:   :- #sum { W,X : in(X), w(X,W) } > 100.

gringo writes an instance for each value that the aggregate can have. Up to two comparisons become bounds. *Preserves*
the answer sets: nothing else mentions the value, and what is counted is decided before the head is. *Leaves alone*
bodies with a head that is recursive through the aggregate, disjunctions, and bounds that compute several values.
"""

from collections.abc import Mapping

from clingo.ast import AST, ASTType, Sign

from hexlogic.encodings.analysis import Analysis
from hexlogic.encodings.blocks import Block, statement_block
from hexlogic.encodings.convert import COMPARISONS, literals_of, names_in
from hexlogic.encodings.statements import BASE, Statement
from hexlogic.encodings.steps import bounds
from hexlogic.encodings.steps.base import Dropped, Step
from hexlogic.language import Variable

_TURNED = {"<": ">", ">": "<", "<=": ">=", ">=": "<=", "=": "=", "!=": "!="}


def _bound(item: AST, value: Variable) -> tuple[str, str] | None:
    """Operator and other side of a comparison with the value alone; None for other items."""
    if literals_of(item) is None or item.atom.ast_type != ASTType.Comparison or len(item.atom.guards) != 1:
        return None
    left, operator, right = item.atom.term, COMPARISONS[item.atom.guards[0].comparison], item.atom.guards[0].term
    if str(right) == value.name:
        left, operator, right = right, _TURNED[operator], left
    names = names_in(right).variables
    is_bound = str(left) == value.name and value not in names and not (operator == "=" and names)
    return (operator, str(right)) if is_bound else None


def _text(statement: Statement, analysis: Analysis) -> str | None:
    """The statement with a bound; None where it has no assigned value that is only compared."""
    node = statement.node
    for place, item in enumerate(statement.body):
        aggregate = item.aggregate
        if aggregate is None or aggregate.value is None or node.body[place].sign != Sign.NoSign:
            continue
        atom, value = node.body[place].atom, aggregate.value
        if (atom.left_guard is None) == (atom.right_guard is None) or len(aggregate.guards) != 1:
            continue
        circle = frozenset().union(*(analysis.components.get(head, ()) for head in statement.heads))
        if item.names.predicates & circle or value in names_in(*atom.elements).variables:
            continue
        others = [(other, _bound(other, value)) for number, other in enumerate(node.body) if number != place]
        bounds = [bound for _, bound in others if bound is not None]
        rest = [other for other, bound in others if bound is None]
        around = () if statement.kind == "rule" else (node.weight, node.priority, *node.terms)
        head = node.head if statement.kind == "rule" else None
        if value in names_in(head, *around, *rest).variables or not 1 <= len(bounds) <= 2:
            continue
        text = str(node.body[place].update(atom=atom.update(left_guard=None, right_guard=None)))
        first, *second = bounds
        text = f"{second[0][1]} {_TURNED[second[0][0]]} {text}" if second else text
        body = "; ".join([*map(str, rest), f"{text} {first[0]} {first[1]}"])
        if statement.kind != "rule":
            return f":~ {body}. [{', '.join([f'{node.weight}@{node.priority}', *map(str, node.terms)])}]"
        return f"{'' if str(head) == '#false' else f'{head} '}:- {body}."
    return None


def dropped(analysis: Analysis) -> Mapping[int, Dropped]:
    """The statements with an assigned value, and their new text."""
    changed: dict[int, Dropped] = {}
    taken = bounds.dropped(analysis)
    blocks: dict[int, Block] = {block.statement: block for block in analysis.blocks if block.kind != "element"}
    for number, statement in enumerate(analysis.encoding.statements):
        is_body = statement.kind == "weak" or (statement.head and statement.head.kind not in ("disjunction", "theory"))
        if number in taken or statement.source is None or statement.part != BASE or not is_body:
            continue
        if (text := _text(statement, analysis)) is not None:
            block = blocks.get(number) or statement_block(number, statement)
            changed[number] = Dropped(block, "values", "", text)
    return changed


STEP = Step("guard", dropped=dropped)
