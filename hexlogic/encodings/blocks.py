"""The bodies of an encoding as rules of the rule language: what passes can rewrite, and where it stands.

A body is what stands behind `:-`, in a rule of any head, in a weak constraint, an element of `#minimize` or a term that
is shown; and the condition of an element of a choice or of an aggregate. What the rule language has becomes the
body of a rule. What it lacks stays text beside it. The head of that rule holds the variables that anything else of the
statement mentions, so that no rewriting may lose or bind one of them in another way.
"""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

from hexlogic.encodings.reading import Encoding
from hexlogic.encodings.source import ASPRIN_PARTS, Source
from hexlogic.encodings.statements import BASE, Item, Statement, all_variables
from hexlogic.language import Atom, BodyLiteral, Comparison, Literal, Predicate, Rule, Symbol, Variable
from hexlogic.language.analysis.binding import unsafe_variables
from hexlogic.language.syntax import ComparisonOperator
from hexlogic.language.walk import has_distinct_variables, substitute, variables

_OPPOSITE: Final[Mapping[ComparisonOperator, ComparisonOperator]] = {
    "=": "!=",
    "!=": "=",
    "<": ">=",
    ">=": "<",
    ">": "<=",
    "<=": ">",
}

_ANY: Final = Symbol("_")

KINDS: Final = frozenset(
    ["rule", "head", "choice", "disjunction", "constraint", "weak", "minimize", "show", "theory", "element"]
)


@dataclass(frozen=True, kw_only=True)
class Block:
    """A body: its bytes in a source, its rule, what stays text, and the predicates that depend on it."""

    statement: int
    source: Source
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


def blocks_of(encoding: Encoding, constants: Collection[str] = ()) -> list[Block]:
    """All bodies of the given files, in text order; those of included files and of asprin's parts are left alone.

    So are those of a part with a parameter that has the name of a constant elsewhere: to the rule language both are
    constants, and one constant; and clingo puts the value of a constant in place of the parameter. `constants` are
    names that an instance gives a value, beside those of `#const`.
    """
    left, never = _ambiguous(encoding, constants), never_true(encoding)
    return [
        block
        for number, statement in enumerate(encoding.statements)
        if statement.part.partition("/")[0] not in ASPRIN_PARTS and statement.part not in left
        for block in _blocks(number, statement, never)
        if block is not None
    ]


def never_true(encoding: Encoding) -> dict[Predicate, int]:
    """The predicates of which a constraint in `base` denies all atoms, such as `:- clash(X,Y).`, with its number."""
    denied: dict[Predicate, int] = {}
    for number, statement in enumerate(encoding.statements):
        denies = statement.part == BASE and statement.is_constraint and len(statement.body) == 1
        atom = statement.body[0].atom if denies else None
        if atom is not None and has_distinct_variables(Atom(atom.name, tuple(t for t in atom.arguments if t != _ANY))):
            denied[atom.predicate] = number
    return denied


def _ambiguous(encoding: Encoding, constants: Collection[str]) -> frozenset[str]:
    """The parts with a parameter that is the name of a constant in another part, in `#const` or of an instance."""
    named = {(statement.part, name) for statement in encoding.statements for name in statement.parameters}
    used = {*constants, *encoding.constants}
    for statement in encoding.statements if named else ():
        if statement.kind != "Definition":
            used |= statement.names.constants - set(statement.parameters)
    return frozenset(part for part, name in named if name in used)


def _blocks(number: int, statement: Statement, never: Collection[Predicate]) -> Iterator[Block | None]:
    head = statement.head
    if head is not None:
        yield _constraint(number, statement, never) or _block(
            number, statement, statement.body, head.names.variables, head.kind
        )
        for condition, needed in _conditions(statement):
            yield _block(number, statement, condition, needed, "element")
    elif statement.kind in ("weak", "minimize", "show"):
        yield _block(number, statement, statement.body, statement.others, statement.kind)


def _constraint(number: int, statement: Statement, never: Collection[Predicate]) -> Block | None:
    """The body of a rule that is a constraint in other words, with the head in it; None for other rules. `X = Y :- b.`
    is `:- b, X != Y.`, `p :- b, not p.` is `:- b, not p.`, and `p :- b. :- p.` is `:- b. :- p.`: they are strongly
    equivalent."""
    literal = None if statement.head is None else statement.head.literal
    denied: tuple[BodyLiteral, ...] = ()
    match None if literal is None else literal.literals:
        case (Comparison(operator, left, right),):
            denied = (Comparison(_OPPOSITE[operator], left, right),)
        case (Literal(atom, True),) if atom.predicate in never and statement.part == BASE:
            pass
        case (Literal(atom, True),) if any(Literal(atom, False) in (item.literals or ()) for item in statement.body):
            pass
        case _:
            return None
    block = _block(number, statement, statement.body, frozenset(), "constraint")
    if block is None:
        return None
    whole = Rule(block.rule.head, tuple(dict.fromkeys([*block.rule.body, *denied])))
    begin = block.source.span(statement.node)[0]
    return None if unsafe_variables(whole) else replace(block, begin=begin, rule=whole, lead=":- ")


def _conditions(statement: Statement) -> Iterator[tuple[Sequence[Item], frozenset[Variable]]]:
    """The conditions in choices and aggregates, each with the variables of all else of the rule."""
    head = statement.head
    assert head is not None
    for place, aggregate in enumerate([head.aggregate, *(item.aggregate for item in statement.body)]):
        if aggregate is None or (not place and head.kind != "choice"):
            continue
        outside = all_variables(item for number, item in enumerate(statement.body, 1) if number != place)
        outside |= aggregate.guards | (head.names.variables if place else frozenset())
        for element in aggregate.elements:
            others = (other.variables for other in aggregate.elements if other is not element)
            yield element.condition, outside.union(element.outer, *others)


def _block(
    number: int, statement: Statement, items: Sequence[Item], needed: frozenset[Variable], kind: str
) -> Block | None:
    """The block of some items; `needed` are the variables that anything else of the statement mentions."""
    spans = [item.span for item in items if item.span is not None]
    if statement.source is None or not spans or len(spans) < len(items):
        return None
    kept = [item for item in items if item.literals is None]
    body, loose = _safe([(literal, item) for item in items for literal in item.literals or ()])
    kept += loose
    needed |= all_variables(kept)
    literals = _united(tuple(dict.fromkeys(literal for literal, _ in body)), needed)
    if not any(isinstance(literal, Literal) and literal.positive for literal in literals):
        return None
    head = statement.head
    begin = min(spans)[0]
    line, column = statement.source.place(begin)
    bound = variables(*literals)
    shown = Atom(kind, tuple(sorted(bound & needed, key=str)))
    exact = None
    if kind == "rule" and head is not None and head.literal is not None:
        exact = None if kept else head.literal.atom
        kind = "head" if exact is None else kind
        shown = Atom(min(head.names.predicates).name.lstrip("-") if head.names.predicates else "rule", shown.arguments)
    return Block(
        statement=number,
        source=statement.source,
        begin=begin,
        end=max(end for _, end in spans),
        rule=Rule(
            exact or (shown if shown.arguments or kind == "head" else None),
            literals,
        ),
        kept=tuple(sorted(item.span for item in kept if item.span is not None)),
        heads=frozenset() if head is None else head.names.predicates,
        kind=kind,
        place=f"{statement.source.name}:{line}:{column}",
        part=statement.part,
        parameters=statement.parameters,
    )


def _united(body: tuple[BodyLiteral, ...], needed: Collection[Variable]) -> tuple[BodyLiteral, ...]:
    """The body with one variable for two that it says are equal, where nothing else needs both."""
    for item in body:
        match item:
            case Comparison("=", Variable() as left, Variable() as right) if left != right and not {left, right} <= {
                *needed
            }:
                names = {left: right} if left not in needed else {right: left}
                rest = Rule(None, tuple(other for other in body if other != item))
                return _united(tuple(dict.fromkeys(substitute(rest, names).body)), needed)
    return body


def statement_block(number: int, statement: Statement) -> Block:
    """A whole statement as a block, where its body is none: nothing in it is in the rule language."""
    assert statement.source is not None
    begin, end = statement.source.span(statement.node)
    line, column = statement.source.place(begin)
    return Block(
        statement=number,
        source=statement.source,
        begin=begin,
        end=end,
        rule=Rule(None, (Literal(Atom(str(statement.node).removeprefix("#false").strip(" :-~."))),)),
        kept=(),
        heads=statement.heads,
        kind="constraint",
        place=f"{statement.source.name}:{line}:{column}",
    )


def _safe(body: list[tuple[BodyLiteral, Item]]) -> tuple[list[tuple[BodyLiteral, Item]], list[Item]]:
    """The literals that bind their variables among themselves, and the items of the others."""
    loose: list[Item] = []
    while unbound := unsafe_variables(Rule(None, tuple(literal for literal, _ in body))):
        gone = [item for literal, item in body if variables(literal) & unbound]
        loose += (item for item in gone if item not in loose)
        body = [(literal, item) for literal, item in body if item not in loose]
    return body, loose
