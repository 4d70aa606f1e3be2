"""Body literals that the rest of the body implies, because every rule for one of its atoms asks for them.

Before:  { go(R,D,T) : robot(R), dir(D) } :- step(T).   at(R,T) :- go(R,D,T), robot(R), step(T).
After:   { go(R,D,T) : robot(R), dir(D) } :- step(T).   at(R,T) :- go(R,D,T).

An atom is derived by a rule, a choice or a disjunction whose positive body (with the condition of its element) then
holds, and was derived before it. So a literal that all of them ask for can go where the atom stands, in every kind of
body: whenever the shorter rule fires, the given one does. What each rule implies is found by `Guarantees`; all dropped
literals are looked up once more in the new program, so that no two of them vouch for each other. *Preserves* the answer
sets. *Leaves alone* predicates that an instance, an external or another part may have atoms of, and whatever is
recursive together with an aggregate or a conditional literal, where the order of derivation says less.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence

from clingo.ast import AST, ASTType, Sign

from hexlogic.encodings.blocks import Block
from hexlogic.encodings.convert import atom_of, heads_and_bodies, literals_of, predicates_in
from hexlogic.encodings.determined import constants_of, derived_dependencies, is_plain
from hexlogic.encodings.reading import BASE, Encoding, Statement
from hexlogic.ground.inclusions import Guarantees
from hexlogic.logic import Atom, BodyLiteral, Literal, Predicate, Program, Rule
from hexlogic.logic.analysis.binding import unsafe_variables
from hexlogic.logic.analysis.functional import Dependency

__all__ = ["determined_values", "pruned_bodies"]

_Producers = dict[int, list[Rule]]


def pruned_bodies(
    encoding: Encoding,
    blocks: Sequence[Block],
    given: Collection[Predicate],
    components: Mapping[Predicate, frozenset[Predicate]],
    constants: Collection[str],
) -> dict[tuple[int, int], Rule]:
    """The shorter rules, by the statement and the first byte of the body.

    `given` are predicates that an instance has facts of, `components` what each recursive predicate is recursive with,
    `constants` names that the instance gives a value.
    """
    if encoding.has_scripts:
        return {}  # a script may add rules
    fragile = _fragile(encoding, components)
    producers, opened = _producers(encoding)
    opened |= {*given, *fragile}
    facts = _facts(encoding, constants)
    guarantees = _guarantees(producers, opened, facts)
    found: dict[tuple[int, int], Rule] = {}
    dropped: list[tuple[Rule, Literal]] = []
    for block in blocks:
        if block.heads & fragile or block.kind == "theory":
            continue
        rule = block.rule
        for item in reversed(block.rule.body):
            shorter = rule.with_body(tuple(other for other in rule.body if other != item))
            if not isinstance(item, Literal) or not item.positive or not shorter.body or unsafe_variables(shorter):
                continue
            if guarantees.implies(shorter.body, item.atom):
                rule = shorter
        gone = [item for item in block.rule.body if item not in rule.body]
        if not gone:
            continue
        if block.statement in producers:
            shorter_producers = [
                producer.with_body(tuple(item for item in producer.body if item not in gone))
                for producer in producers[block.statement]
            ]
            candidate = _guarantees(producers | {block.statement: shorter_producers}, opened, facts)
            if not all(isinstance(item, Literal) and candidate.implies(rule.body, item.atom) for item in gone):
                continue
            producers[block.statement], guarantees = shorter_producers, candidate
        found[block.statement, block.begin] = rule
        dropped += ((rule, item) for item in gone if isinstance(item, Literal))
    is_sure = all(guarantees.implies(rule.body, item.atom) for rule, item in dropped)
    return found if is_sure else {}


def determined_values(
    encoding: Encoding,
    given: Collection[Predicate],
    components: Mapping[Predicate, frozenset[Predicate]],
    constants: Collection[str],
) -> tuple[Dependency, ...]:
    """The functional dependencies that every answer set meets because of how its atoms are derived."""
    if encoding.has_scripts:
        return ()
    producers, opened = _producers(encoding)
    guarantees = _guarantees(producers, {*opened, *given, *_fragile(encoding, components)}, _facts(encoding, constants))
    return derived_dependencies(encoding, given, guarantees, constants)


def _guarantees(
    producers: _Producers, opened: Collection[Predicate], facts: Mapping[Predicate, frozenset[Atom]]
) -> Guarantees:
    rules = tuple(rule for mine in producers.values() for rule in mine)
    return Guarantees(Program(rules, inputs=tuple(sorted(opened))), facts)


def _facts(encoding: Encoding, constants: Collection[str]) -> dict[Predicate, frozenset[Atom]]:
    """The ground facts in `base`: what a choice or a rule with negation alone derives need not hold, and neither does
    a fact whose arithmetic or constant is undefined, or whose interval is empty."""
    named = constants_of(encoding) | {*constants}
    found: dict[Predicate, set[Atom]] = {}
    for statement in encoding.statements:
        if statement.is_fact and statement.part == BASE:
            for rule in _derived(statement):
                if (
                    rule is not None
                    and rule.head is not None
                    and all(is_plain(term, named) for term in rule.head.arguments)
                ):
                    found.setdefault(rule.head.predicate, set()).add(rule.head)
    return {predicate: frozenset(atoms) for predicate, atoms in found.items()}


def _producers(encoding: Encoding) -> tuple[_Producers, set[Predicate]]:
    """What each statement derives, and the predicates that may have atoms in another way."""
    found: _Producers = {}
    opened: set[Predicate] = set()
    for number, statement in enumerate(encoding.statements):
        if statement.node.ast_type != ASTType.Rule:
            if statement.node.ast_type == ASTType.Defined:
                node = statement.node
                opened.add(Predicate(("" if node.positive else "-") + node.name, node.arity))
            elif statement.node.ast_type not in (ASTType.Minimize, ASTType.ShowTerm, ASTType.ShowSignature):
                opened |= predicates_in(statement.node)
            continue
        rules = list(_derived(statement))
        if None in rules or statement.part != BASE:
            opened |= heads_and_bodies(statement.node)[0]
        elif rules:
            found[number] = [rule for rule in rules if rule is not None]
    return found, opened


def _derived(statement: Statement) -> Iterator[Rule | None]:
    """A rule for each atom that a statement can derive, without what the rule language lacks in its body; None for an
    atom that it lacks."""
    rule = statement.node
    body = _positive(rule.body)
    head = rule.head
    match head.ast_type:
        case ASTType.Literal:
            pairs = [(head, ())] if head.atom.ast_type != ASTType.BooleanConstant else []
        case ASTType.Aggregate:
            pairs = [(element.literal, element.condition) for element in head.elements]
        case ASTType.HeadAggregate:
            pairs = [(element.condition.literal, element.condition.condition) for element in head.elements]
        case ASTType.Disjunction:
            pairs = [(element.literal, ()) for element in head.elements]
        case _:
            pairs = []
    for literal, condition in pairs:
        if literal.sign == Sign.NoSign:
            atom = atom_of(literal.atom) if literal.atom.ast_type == ASTType.SymbolicAtom else None
            yield None if atom is None else Rule(atom, tuple(dict.fromkeys([*body, *_positive(condition)])))


def _positive(items: Sequence[AST]) -> list[BodyLiteral]:
    literals = (literal for item in items for literal in literals_of(item) or ())
    return [literal for literal in literals if isinstance(literal, Literal) and literal.positive]


def _fragile(encoding: Encoding, components: Mapping[Predicate, frozenset[Predicate]]) -> frozenset[Predicate]:
    """The predicates that are recursive together with an item that the rule language lacks."""
    found = frozenset[Predicate]()
    for statement in encoding.statements:
        if statement.node.ast_type == ASTType.Rule:
            asked = frozenset(
                predicate
                for item in statement.node.body
                if literals_of(item) is None
                for predicate in predicates_in(item)
            )
            for head in heads_and_bodies(statement.node)[0]:
                if asked & components.get(head, frozenset()):
                    found |= components[head]
    return found
