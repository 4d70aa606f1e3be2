"""What is known of the predicates of an encoding: where their atoms come from and what holds of them."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from hexlogic.encodings.blocks import Block, blocks_of
from hexlogic.encodings.dependencies import derived_dependencies, is_plain
from hexlogic.encodings.reading import Encoding
from hexlogic.encodings.statements import BASE, Statement
from hexlogic.language import Atom, Literal, Predicate, Program, Rule
from hexlogic.language.analysis.binding import unsafe_variables
from hexlogic.language.analysis.functional import Dependency, declared_dependencies
from hexlogic.language.analysis.graph import Digraph
from hexlogic.language.ground.inclusions import Guarantees


@dataclass(frozen=True)
class Analysis:
    """An encoding, what an instance adds to it, and what follows for its predicates; each property is computed once.

    What holds for a predicate because of its rules is known where all of them are in the part `base`: whichever part is
    ground later then adds nothing to it.
    """

    encoding: Encoding
    given: frozenset[Predicate] = frozenset()
    """The predicates of which an instance has atoms."""
    derived: frozenset[Predicate] = frozenset()
    """Those of them of which not all atoms are facts."""
    constants: frozenset[str] = frozenset()
    """Names that the instance gives a value."""
    once: frozenset[str] = frozenset()
    """The parts beside `base` that are ground once for each value of their parameters."""
    only_base: bool = False
    """Whether bodies in other parts are left alone."""
    wanted: frozenset[Predicate] = frozenset()
    """The predicates that matter beside those that statements ask about; all do where there is none."""

    @cached_property
    def blocks(self) -> list[Block]:
        """All bodies that steps may rewrite, in text order."""
        return [block for block in self._all_blocks if block.part == BASE or not self.only_base]

    @cached_property
    def _all_blocks(self) -> list[Block]:
        return blocks_of(self.encoding, self.constants)

    @cached_property
    def predicates(self) -> frozenset[Predicate]:
        """The predicates of the encoding and of its instance."""
        return self.given.union(*(statement.names.predicates for statement in self.encoding.statements))

    @cached_property
    def names(self) -> frozenset[str]:
        """The names that no auxiliary predicate may have."""
        return frozenset(predicate.name for predicate in self.predicates) | self.encoding.asprin_names

    @cached_property
    def components(self) -> Mapping[Predicate, frozenset[Predicate]]:
        """For each recursive predicate those that are mutually recursive with it."""
        rules = [statement for statement in self.encoding.statements if statement.is_rule]
        edges = ((head, other, False) for rule in rules for head in rule.heads for other in rule.asked)
        return Digraph(edges).on_cycles()

    @cached_property
    def definitions(self) -> Mapping[Predicate, tuple[Rule, ...]]:
        """All rules of the predicates whose atoms come from rules in `base` alone."""
        plain = {block.statement: block for block in self._all_blocks if block.is_definition and block.part == BASE}
        closed: dict[Predicate, list[Rule]] = {}
        opened = set(self.given)
        for number, statement in enumerate(self.encoding.statements):
            if number in plain:
                closed.setdefault(next(iter(statement.heads)), []).append(plain[number].rule)
            else:
                opened |= statement.heads
        return {predicate: tuple(rules) for predicate, rules in closed.items() if predicate not in opened}

    @cached_property
    def dependencies(self) -> Mapping[str, tuple[Dependency, ...]]:
        """The functional dependencies that constraints declare, by the part of the program that they are in."""
        constraints: dict[str, list[Rule]] = {}
        for block in self._all_blocks:
            if block.kind == "constraint" and not block.kept:
                constraints.setdefault(block.part, []).append(block.rule)
        return {part: declared_dependencies(rules) for part, rules in constraints.items()}

    @cached_property
    def answer_set_dependencies(self) -> tuple[Dependency, ...]:
        """The functional dependencies that hold because of how atoms are derived."""
        known = self._producers
        return derived_dependencies(self.encoding, self.given, known.guarantees, known.constants)

    @cached_property
    def pruned(self) -> Mapping[tuple[int, int], Rule]:
        """Bodies without the literals that the rest implies, by statement and first byte."""
        return self._producers.pruned(self._all_blocks)

    @cached_property
    def _producers(self) -> Producers:
        return Producers(self.encoding, self.given, self.components, self.encoding.constants | self.constants)

    @cached_property
    def facts(self) -> frozenset[Predicate]:
        """Predicates of which there are only facts."""
        if self.encoding.has_scripts:
            return frozenset()
        facts, others = facts_and_others(self.encoding)
        return (self.given | facts) - self.derived - others

    @property
    def shows_by_name(self) -> bool:
        """Whether some `#show p/n.` or `#show.` says which atoms are seen; all are where none does."""
        return any(statement.kind == "ShowSignature" for statement in self.encoding.statements)


def facts_and_others(encoding: Encoding | None) -> tuple[frozenset[Predicate], frozenset[Predicate]]:
    """The predicates that an encoding has facts of in `base`, and those of which it may have atoms in another way."""
    facts, others = set[Predicate](), set[Predicate]()
    for statement in () if encoding is None else encoding.statements:
        if statement.is_fact and statement.part == BASE:
            facts |= statement.heads
        elif statement.kind != "Defined":
            others |= statement.heads
    return frozenset(facts), frozenset(others)


@dataclass(frozen=True)
class Producers:
    """What the statements of an encoding derive, and the body literals that the rest of a body therefore implies.

    Before:  { go(R,D,T) : robot(R), dir(D) } :- step(T).   at(R,T) :- go(R,D,T), robot(R), step(T).
    After:   { go(R,D,T) : robot(R), dir(D) } :- step(T).   at(R,T) :- go(R,D,T).

    An atom is derived by a rule, a choice or a disjunction whose positive body (with the condition of its element) then
    holds, and was derived before it. So a literal that all of them ask for can go where the atom stands, in every kind
    of body: whenever the shorter rule fires, the given one does. All dropped literals are looked up once more in the
    new program, so that no two of them vouch for each other. *Preserves* the answer sets. *Leaves alone* predicates
    that an instance, an external or another part may have atoms of, and whatever is recursive together with an
    aggregate or a conditional literal, where the order of derivation says less.

    `given` are predicates that an instance has facts of, `components` what each recursive predicate is recursive with,
    `constants` names that stand for other values.
    """

    encoding: Encoding
    given: Collection[Predicate]
    components: Mapping[Predicate, frozenset[Predicate]]
    constants: Collection[str]

    @cached_property
    def rules(self) -> dict[int, list[Rule]]:
        """By the number of the statement the atoms that it derives, each with what holds then."""
        rules = {}
        for number, statement in enumerate(self.encoding.statements):
            if statement.is_rule and statement.part == BASE:
                derived = list(_derived(statement))
                if None not in derived:
                    rules[number] = [rule for rule in derived if rule is not None]
        return rules

    @cached_property
    def opened(self) -> frozenset[Predicate]:
        """The predicates that may have atoms in another way, or about whose derivation too little is known."""
        others = (
            statement.heads for number, statement in enumerate(self.encoding.statements) if number not in self.rules
        )
        return self.fragile.union(self.given, *others)

    @cached_property
    def guarantees(self) -> Guarantees:
        """What the atoms imply."""
        return self._guarantees(self.rules)

    def _guarantees(self, producers: Mapping[int, list[Rule]]) -> Guarantees:
        rules = tuple(rule for alternatives in producers.values() for rule in alternatives)
        return Guarantees(Program(rules, inputs=tuple(sorted(self.opened))), self._facts)

    @cached_property
    def _facts(self) -> dict[Predicate, frozenset[Atom]]:
        """The ground facts in `base`: what a choice or a rule with negation alone derives need not hold, and neither
        does a fact whose arithmetic or constant is undefined, or whose interval is empty."""
        facts: dict[Predicate, set[Atom]] = {}
        for number, rules in self.rules.items():
            for rule in rules if self.encoding.statements[number].is_fact else ():
                head = rule.head
                if head is not None and all(is_plain(term, self.constants) for term in head.arguments):
                    facts.setdefault(head.predicate, set()).add(head)
        return {predicate: frozenset(atoms) for predicate, atoms in facts.items()}

    @cached_property
    def fragile(self) -> frozenset[Predicate]:
        """The predicates that are recursive together with an item that the rule language lacks."""
        fragile = frozenset[Predicate]()
        for statement in self.encoding.statements:
            if statement.is_rule:
                lacking = (item.names.predicates for item in statement.body if item.literals is None)
                asked = frozenset[Predicate]().union(*lacking)
                for head in statement.heads:
                    if asked & self.components.get(head, frozenset()):
                        fragile |= self.components[head]
        return fragile

    def pruned(self, blocks: Sequence[Block]) -> dict[tuple[int, int], Rule]:
        """The shorter rules, by the statement and the first byte of the body."""
        if self.encoding.has_scripts:
            return {}  # a script may add rules
        producers, guarantees = dict(self.rules), self.guarantees
        shorter_rules: dict[tuple[int, int], Rule] = {}
        dropped: list[tuple[Rule, Literal]] = []
        for block in blocks:
            if block.heads & self.fragile or block.kind == "theory":
                continue
            rule, gone = block.rule, list[Literal]()
            for item in reversed(block.rule.body):
                shorter = rule.with_body(tuple(other for other in rule.body if other != item))
                if not isinstance(item, Literal) or not item.positive or not shorter.body or unsafe_variables(shorter):
                    continue
                if guarantees.implies(shorter.body, item.atom):
                    rule, gone = shorter, [item, *gone]
            if not gone:
                continue
            if block.statement in producers:
                shorter_producers = [
                    producer.with_body(tuple(item for item in producer.body if item not in gone))
                    for producer in producers[block.statement]
                ]
                candidate = self._guarantees(producers | {block.statement: shorter_producers})
                if not all(candidate.implies(rule.body, item.atom) for item in gone):
                    continue
                producers[block.statement], guarantees = shorter_producers, candidate
            shorter_rules[block.statement, block.begin] = rule
            dropped += ((rule, item) for item in gone)
        is_sure = all(guarantees.implies(rule.body, item.atom) for rule, item in dropped)
        return shorter_rules if is_sure else {}


def _derived(statement: Statement) -> Iterator[Rule | None]:
    """A rule for each atom that a statement can derive, without what the rule language lacks in its body; None for an
    atom that it lacks."""
    head = statement.head
    body = [literal for item in statement.body for literal in item.positive]
    for element in () if head is None else head.aggregate.elements:
        if element.literal is not None and element.literal.is_atom:
            atom = element.literal.atom
            # what holds with an atom of a disjunction does not depend on its condition
            items = element.condition if head is not None and head.kind == "choice" else ()
            conditions = (literal for item in items for literal in item.positive)
            yield None if atom is None else Rule(atom, tuple(dict.fromkeys([*body, *conditions])))
