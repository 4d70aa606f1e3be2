"""The bodies of an encoding as rules of the rule language: what passes can rewrite, and where it stands.

A body is what stands behind `:-`, in a rule of any head, in a weak constraint, an element of `#minimize` or a term that
is shown; and the condition of an element of a choice or of an aggregate. What the rule language has becomes the
body of a rule. What it lacks stays text beside it. The head of that rule holds the variables that anything else of the
statement mentions, so that no rewriting may lose or bind one of them in another way.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

from clingo.ast import AST, ASTType, Sign

from hexlogic.encodings.convert import Item, atom_of, constants_in, literals_of, predicates_in, variables_in
from hexlogic.encodings.foreign import FOREIGN_PARTS
from hexlogic.encodings.places import item_span
from hexlogic.encodings.reading import BASE, Encoding, Source, Statement
from hexlogic.language import Atom, BodyLiteral, Comparison, Literal, Predicate, Rule
from hexlogic.language.analysis.binding import unsafe_variables
from hexlogic.language.syntax import ComparisonOperator
from hexlogic.language.walk import variables

_OPPOSITE: Final[Mapping[ComparisonOperator, ComparisonOperator]] = {
    "=": "!=",
    "!=": "=",
    "<": ">=",
    ">=": "<",
    ">": "<=",
    "<=": ">",
}


KINDS: Final = frozenset(
    ["rule", "head", "choice", "disjunction", "constraint", "weak", "minimize", "show", "theory", "element"]
)


@dataclass(frozen=True, kw_only=True)
class Block:
    """A body: its bytes in a source, its rule, what stays text, and the predicates that depend on it."""

    statement: int
    source: int
    begin: int
    end: int
    rule: Rule
    kept: tuple[tuple[int, int], ...]
    """The bytes of the items that the rule language lacks."""
    heads: frozenset[Predicate]
    kind: str
    """What the body belongs to: rule (the whole statement is in the rule language), head (any other rule for an atom),
    choice, disjunction, constraint, weak, minimize, show, theory or element."""
    place: str
    """File, line and column where the body begins."""
    lead: str = ""
    """What a new body begins with where the head goes, as the statement is a constraint in other words."""
    part: str = BASE
    """The part of the program, with the number of its parameters after a stroke where it has some."""
    parameters: tuple[str, ...] = ()

    @property
    def is_definition(self) -> bool:
        """Whether the rule is the whole statement."""
        return self.kind == "rule"


def blocks_of(encoding: Encoding, constants: Collection[str] = ()) -> list[Block]:
    """All bodies of the given files, in text order; those of included files and of asprin's parts are left alone.

    So are those of a part with a parameter that has the name of a constant elsewhere: to the rule language both are
    constants, and one constant; and clingo puts the value of a constant in place of the parameter. `constants` are
    names that an instance gives a value, beside those of `#const`.
    """
    blocks: list[Block] = []
    left = _ambiguous(encoding, constants)
    for number, statement in enumerate(encoding.statements):
        if statement.source is None or statement.part.partition("/")[0] in FOREIGN_PARTS or statement.part in left:
            continue
        for block in _blocks(number, statement, encoding.sources[statement.source]):
            if block is not None and statement.part == BASE:
                blocks.append(block)
            elif block is not None:
                blocks.append(replace(block, part=statement.part, parameters=statement.parameters))
    return blocks


def _ambiguous(encoding: Encoding, constants: Collection[str]) -> frozenset[str]:
    """The parts with a parameter that is the name of a constant in another part, in `#const` or of an instance."""
    named = {(statement.part, name) for statement in encoding.statements for name in statement.parameters}
    used = {*constants}
    for statement in encoding.statements if named else ():
        is_constant = statement.node.ast_type == ASTType.Definition
        names = {statement.node.name} if is_constant else constants_in(statement.node)
        used |= names - set(() if is_constant else statement.parameters)
    return frozenset(part for part, name in named if name in used)


def _blocks(number: int, statement: Statement, source: Source) -> Iterator[Block | None]:
    node = statement.node
    assert statement.source is not None
    which = statement.source
    match node.ast_type:
        case ASTType.Rule:
            yield _constraint(number, which, source, statement) or _block(
                number, which, source, node, statement.body, [node.head], _kind(node.head), node.head
            )
            for element, rest in _elements(node):
                yield _block(
                    number, which, source, node, list(map(Item, element.condition)), rest, "element", node.head
                )
        case ASTType.Minimize:
            kind = "weak" if source.text(node).startswith(":~") else "minimize"
            others = [node.weight, node.priority, *node.terms]
            yield _block(number, which, source, node, statement.body, others, kind, None)
        case ASTType.ShowTerm:
            yield _block(number, which, source, node, statement.body, [node.term], "show", None)
        case _:
            pass


def _denied(rule: AST, body: Sequence[Item]) -> tuple[BodyLiteral, ...] | None:
    """What the constraint that a rule is has beside the body; None for other rules.

    `X = Y :- b.` is `:- b, X != Y.`, and `p :- b, not p.` is `:- b, not p.`: they are strongly equivalent.
    """
    if rule.head.ast_type != ASTType.Literal or rule.head.sign != Sign.NoSign:
        return None
    if rule.head.atom.ast_type == ASTType.Comparison:
        match literals_of(rule.head):
            case (Comparison(operator, left, right),):
                return (Comparison(_OPPOSITE[operator], left, right),)
            case _:
                return None
    head = _exact(rule.head)
    if head is None or not any(Literal(head, False) in (item.literals or ()) for item in body):
        return None
    return ()


def _constraint(number: int, which: int, source: Source, statement: Statement) -> Block | None:
    """The body of a rule that is a constraint in other words, with the head in it; None for other rules."""
    rule, body = statement.node, statement.body
    denied = _denied(rule, body)
    block = None if denied is None else _block(number, which, source, rule, body, [], "constraint", rule.head)
    if block is None or denied is None:
        return None
    whole = Rule(block.rule.head, tuple(dict.fromkeys([*block.rule.body, *denied])))
    return None if unsafe_variables(whole) else replace(block, begin=source.span(rule)[0], rule=whole, lead=":- ")


def _kind(head: AST) -> str:
    if head.ast_type == ASTType.Literal:
        is_constant = head.atom.ast_type == ASTType.BooleanConstant
        return "constraint" if is_constant and bool(head.atom.value) == (head.sign == Sign.Negation) else "rule"
    return {ASTType.Aggregate: "choice", ASTType.HeadAggregate: "choice", ASTType.Disjunction: "disjunction"}.get(
        head.ast_type, "theory"
    )


def _elements(rule: AST) -> Iterator[tuple[AST, list[AST]]]:
    """The elements of choices and aggregates that have a condition, each with all else of the rule."""
    for place, item in enumerate([rule.head, *rule.body]):
        aggregate = getattr(item, "atom", item) if place else item
        if aggregate.ast_type not in (ASTType.Aggregate, ASTType.BodyAggregate, ASTType.HeadAggregate):
            continue
        outside = [other for number, other in enumerate([rule.head, *rule.body]) if number != place]
        guards = [guard for guard in (aggregate.left_guard, aggregate.right_guard) if guard is not None]
        for number, element in enumerate(aggregate.elements):
            rest = [*outside, *guards, *(other for place, other in enumerate(aggregate.elements) if place != number)]
            if element.ast_type == ASTType.HeadAggregateElement:
                yield element.condition, [*rest, *element.terms, element.condition.literal]
            elif element.ast_type == ASTType.BodyAggregateElement:
                yield element, [*rest, *element.terms]
            else:
                yield element, [*rest, element.literal]


def _block(
    number: int,
    which: int,
    source: Source,
    whole: AST,
    items: Sequence[Item],
    others: Iterable[AST],
    kind: str,
    head: AST | None,
) -> Block | None:
    spans = [item_span(source, item.node, source.span(whole)[0]) for item in items]
    if not spans or None in spans:
        return None
    places = [span for span in spans if span is not None]
    body: list[tuple[BodyLiteral, Item]] = []
    kept: list[Item] = []
    needed = frozenset(name for other in others for name in variables_in(other))
    for item in items:
        if item.literals is None:
            kept.append(item)
            needed |= item.variables
        else:
            body += ((literal, item) for literal in item.literals)
    body, loose = _safe(body)
    for item in loose:
        kept.append(item)
        needed |= item.variables
    if not any(isinstance(literal, Literal) and literal.positive for literal, _ in body):
        return None
    own = frozenset(name for literal, _ in body for name in variables(literal))
    literals = tuple(dict.fromkeys(literal for literal, _ in body))
    kind, name = _name(kind, head)
    if kind == "rule" and kept:
        kind = "head"
    exact = _exact(head) if kind == "rule" else None
    shown = Atom(name, tuple(sorted(own & needed, key=str)))
    return Block(
        statement=number,
        source=which,
        begin=min(places)[0],
        end=max(end for _, end in places),
        rule=Rule(exact if exact is not None else shown if shown.arguments or kind == "head" else None, literals),
        kept=tuple(sorted(place for item, place in zip(items, places, strict=True) if item in kept)),
        heads=frozenset() if head is None else predicates_in(head),
        kind=kind,
        place=f"{source.name}:{items[0].node.location.begin.line}:{items[0].node.location.begin.column}",
    )


def _safe(body: list[tuple[BodyLiteral, Item]]) -> tuple[list[tuple[BodyLiteral, Item]], list[Item]]:
    """The literals that bind their variables among themselves, and the items of the others."""
    loose: list[Item] = []
    while unbound := unsafe_variables(Rule(None, tuple(literal for literal, _ in body))):
        gone = [item for literal, item in body if variables(literal) & unbound]
        loose += (item for item in gone if item not in loose)
        body = [(literal, item) for literal, item in body if item not in loose]
    return body, loose


def _name(kind: str, head: AST | None) -> tuple[str, str]:
    """The kind, `head` for an atom that the rule language lacks, and a name for auxiliary predicates to begin with."""
    if kind != "rule" or head is None:
        return kind, kind
    names = sorted(predicates_in(head))
    return ("rule" if _exact(head) is not None else "head"), names[0].name.lstrip("-") if names else kind


def _exact(head: AST | None) -> Atom | None:
    """The head of a plain rule where the rule language has it."""
    if head is None or head.sign != Sign.NoSign or head.atom.ast_type != ASTType.SymbolicAtom:
        return None
    return atom_of(head.atom)  # an anonymous variable in a head is unsafe, so clingo has refused it
