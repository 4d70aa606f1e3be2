"""What is known of the predicates of an encoding: where their atoms come from and what holds of them.

Functional dependencies hold in every answer set because of how atoms are derived:

- A choice with at most one value: `{ at(P,C) : cell(C) } 1 :- piece(P).` gives `at(P,C)` one C for each P, when this is
  the only statement that derives `at`, or when every `at(P,C)` implies `cell(C)` and `piece(P)`.
- The value of an aggregate: `total(a,S) :- S = #sum { V : a(V) }.` gives `total(a,S)` one S.

They *leave alone* predicates that an instance, an external, another part or a script may have atoms of.
"""

from __future__ import annotations

import itertools
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from hexlogic.encodings.blocks import Block, blocks_of
from hexlogic.encodings.reading import Encoding
from hexlogic.encodings.statements import BASE, Element, Item, Statement, all_variables
from hexlogic.language import Arithmetic, Atom, Interval, Literal, Predicate, Program, Rule, Symbol, Term, Variable
from hexlogic.language.analysis.binding import unsafe_variables
from hexlogic.language.analysis.functional import Dependency, declared_dependencies
from hexlogic.language.analysis.graph import Digraph
from hexlogic.language.ground.domains import Guarantees
from hexlogic.language.passes.merge import canonical
from hexlogic.language.passes.symmetric import unordered
from hexlogic.language.walk import general_atom, has_distinct_variables, is_ground, subterms, variables


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
    mentioned: frozenset[Predicate] = frozenset()
    """The predicates that an instance mentions anywhere."""

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
    def dependence(self) -> Digraph[Predicate]:
        """From each predicate to all that the statements which derive it mention."""
        statements = self.encoding.statements
        edges = ((head, other, False) for each in statements for head in each.heads for other in each.names.predicates)
        return Digraph(edges, self.predicates)

    @cached_property
    def definitions(self) -> Mapping[Predicate, tuple[Rule, ...]]:
        """All rules of the predicates whose atoms come from rules in `base` alone."""
        plain = {block.statement: block for block in self._all_blocks if block.kind == "rule" and block.part == BASE}
        closed: dict[Predicate, list[Rule]] = {}
        opened = set(self.given)
        for number, statement in enumerate(self.encoding.statements):
            if number in plain:
                closed.setdefault(next(iter(statement.heads)), []).append(plain[number].rule)
            else:
                opened |= statement.heads
        return {predicate: tuple(rules) for predicate, rules in closed.items() if predicate not in opened}

    @cached_property
    def hidden(self) -> frozenset[Predicate]:
        """The predicates that no `#show p/n.` line names where there are such lines, and no instance mentions: no
        answer set shows an atom of them."""
        statements, encoding = self.encoding.statements, self.encoding
        shown = {
            statement.signature for statement in statements if statement.kind == "ShowSignature" and statement.node.name
        }
        if not shown or encoding.has_scripts or encoding.asprin_names:
            return frozenset()
        return self.predicates - shown - self.given - self.mentioned

    @cached_property
    def mirrored(self) -> frozenset[Predicate]:
        """The predicates that are symmetric in their first two arguments: `e(Y,X) :- e(X,Y).` says so, and so do rules
        of which each is another one with the two exchanged."""

        def turned(rule: Rule) -> Rule:
            first, second, *others = rule.conclusion.arguments
            return replace(rule, head=Atom(rule.conclusion.name, (second, first, *others)))

        def said(rule: Rule) -> frozenset[object]:
            return frozenset(map(unordered, canonical(rule).body))

        rules = [block.rule for block in self._all_blocks if block.kind == "rule" and block.part == BASE]
        rules = [
            rule for rule in rules if len(rule.conclusion.arguments) > 1 and has_distinct_variables(rule.conclusion)
        ]
        mirrored = {rule.conclusion.predicate for rule in rules if rule.body == (Literal(turned(rule).conclusion),)}
        for predicate, definition in self.definitions.items():
            if all(rule in rules for rule in definition):
                known = set(map(said, definition))
                mirrored |= {predicate} if all(said(turned(rule)) in known for rule in definition) else set()
        return frozenset(mirrored)

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
        if self.encoding.has_scripts:
            return ()
        opened: set[Predicate] = set(self.given)
        derivations: dict[Predicate, list[_Derivation]] = {}
        dependencies: list[Dependency] = []
        for statement in self.encoding.statements:
            if not statement.is_rule:
                opened |= statement.heads
                continue
            for derivation in _derivations(statement):
                predicate, implied = derivation.atom.predicate, derivation.implied
                derivations.setdefault(predicate, []).append(derivation)
                if statement.part != BASE:
                    opened.add(predicate)
                elif implied is not None:
                    known = [Literal(derivation.atom)]
                    if all(self.guarantees.implies(known, atom) for atom in implied):
                        dependencies += (Dependency(predicate, key, value) for value, key in derivation.keys.items())
        for predicate, alternatives in derivations.items():
            if predicate not in opened:
                dependencies += _common(predicate, alternatives, self._constants)
        return tuple(dict.fromkeys(dependencies))

    @cached_property
    def pruned(self) -> Mapping[tuple[int, int], Rule]:
        """Bodies without the literals that the rest implies, by statement and first byte.

        Before:  { go(R,D,T) : robot(R), dir(D) } :- step(T).   at(R,T) :- go(R,D,T), robot(R), step(T).
        After:   { go(R,D,T) : robot(R), dir(D) } :- step(T).   at(R,T) :- go(R,D,T).

        An atom is derived by a rule, a choice or a disjunction whose positive body (with the condition of its element)
        then holds, and was derived before it. So a literal that all of them ask for can go where the atom stands, in
        every kind of body: whenever the shorter rule fires, the given one does. All dropped literals are looked up once
        more in the new program, so that no two of them vouch for each other. *Preserves* the answer sets. *Leaves
        alone* predicates that an instance, an external or another part may have atoms of, and whatever is recursive
        together with an aggregate or a conditional literal, where the order of derivation says less.
        """
        if self.encoding.has_scripts:
            return {}  # a script may add rules
        producers, guarantees = dict(self._producers), self.guarantees
        shorter_rules: dict[tuple[int, int], Rule] = {}
        dropped: list[tuple[Rule, Literal]] = []
        for block in self._all_blocks:
            if block.heads & self._fragile or block.kind == "theory":
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
                candidate = self._guarantees_of(producers | {block.statement: shorter_producers})
                if not all(candidate.implies(rule.body, item.atom) for item in gone):
                    continue
                producers[block.statement], guarantees = shorter_producers, candidate
            shorter_rules[block.statement, block.begin] = rule
            dropped += ((rule, item) for item in gone)
        is_sure = all(guarantees.implies(rule.body, item.atom) for rule, item in dropped)
        return shorter_rules if is_sure else {}

    @cached_property
    def _constants(self) -> frozenset[str]:
        """Names that stand for other values."""
        return self.encoding.constants | self.constants

    @cached_property
    def _producers(self) -> dict[int, list[Rule]]:
        """By the number of the statement the atoms that it derives, each with what holds then."""
        derived = ((number, _derived(statement)) for number, statement in enumerate(self.encoding.statements))
        return {number: rules for number, rules in derived if rules is not None}

    @cached_property
    def _opened(self) -> frozenset[Predicate]:
        """The predicates that may have atoms in another way, or about whose derivation too little is known."""
        statements = enumerate(self.encoding.statements)
        others = (statement.heads for number, statement in statements if number not in self._producers)
        return self._fragile.union(self.given, *others)

    @cached_property
    def guarantees(self) -> Guarantees:
        """What the atoms imply."""
        return self._guarantees_of(self._producers)

    def _guarantees_of(self, producers: Mapping[int, list[Rule]]) -> Guarantees:
        rules = tuple(itertools.chain.from_iterable(producers.values()))
        return Guarantees(Program(rules, inputs=tuple(sorted(self._opened))), self._sure_facts)

    @cached_property
    def _sure_facts(self) -> dict[Predicate, frozenset[Atom]]:
        """The ground facts in `base`: what a choice or a rule with negation alone derives need not hold, and neither
        does a fact whose arithmetic or constant is undefined, or whose interval is empty."""
        facts: dict[Predicate, set[Atom]] = {}
        for number, rules in self._producers.items():
            for rule in rules if self.encoding.statements[number].is_fact else ():
                head = rule.conclusion
                if all(is_plain(term, self._constants) for term in head.arguments):
                    facts.setdefault(head.predicate, set()).add(head)
        return {predicate: frozenset(atoms) for predicate, atoms in facts.items()}

    @cached_property
    def _fragile(self) -> frozenset[Predicate]:
        """The predicates that are recursive together with an item that the rule language lacks."""
        fragile = frozenset[Predicate]()
        for statement in self.encoding.statements:
            if statement.is_rule:
                lacking = (item.names.predicates for item in statement.body if item.literals is None)
                asked = frozenset[Predicate]().union(*lacking)
                circles = (self.components.get(head, frozenset()) for head in statement.heads)
                fragile = fragile.union(*(circle for circle in circles if asked & circle))
        return fragile

    @cached_property
    def facts(self) -> frozenset[Predicate]:
        """Predicates of which there are only facts."""
        if self.encoding.has_scripts:
            return frozenset()
        facts, others = facts_and_others(self.encoding)
        return (self.given | facts) - self.derived - others


def facts_and_others(encoding: Encoding | None) -> tuple[frozenset[Predicate], frozenset[Predicate]]:
    """The predicates that an encoding has facts of in `base`, and those of which it may have atoms in another way."""
    facts, others = set[Predicate](encoding.fact_predicates if encoding else ()), set[Predicate]()
    for statement in () if encoding is None else encoding.statements:
        if statement.is_fact and statement.part == BASE:
            facts |= statement.heads
        elif statement.kind != "Defined":
            others |= statement.heads
    return frozenset(facts), frozenset(others)


def _derived(statement: Statement) -> list[Rule] | None:
    """A rule for each atom that a rule in `base` can derive, without what the rule language lacks in its body; None
    where it lacks an atom, and for other statements."""
    head = statement.head
    if head is None or statement.part != BASE:
        return None
    body = [literal for item in statement.body for literal in item.positive]
    rules: list[Rule] = []
    for element in head.aggregate.elements:
        if element.literal is not None and element.literal.is_atom:
            if element.literal.atom is None:
                return None
            # what holds with an atom of a disjunction does not depend on its condition
            items = element.condition if head.kind == "choice" else ()
            conditions = (literal for item in items for literal in item.positive)
            rules.append(Rule(element.literal.atom, tuple(dict.fromkeys([*body, *conditions]))))
    return rules


@dataclass(frozen=True)
class _Derivation:
    """An atom that a statement derives, and for each argument (counted from 0) those that determine it."""

    atom: Atom
    keys: dict[int, frozenset[int]]
    implied: list[Atom] | None = None
    """What has to hold with the atom for the keys to hold whatever else derives the predicate; None where that cannot
    be said."""


def _common(
    predicate: Predicate, derivations: Sequence[_Derivation], constants: Collection[str]
) -> Iterator[Dependency]:
    """The dependencies that hold in all derivations, when atoms of two of them never agree on the key."""

    def clash(first: Atom, second: Atom, key: Collection[int]) -> bool:
        """Whether some argument of the key has different values in the two atoms."""
        pairs = ((first.arguments[place], second.arguments[place]) for place in key)
        return any(left != right and is_plain(left, constants) and is_plain(right, constants) for left, right in pairs)

    for value in range(predicate.arity):
        if all(value in derivation.keys for derivation in derivations):
            key = frozenset[int]().union(*(derivation.keys[value] for derivation in derivations))
            if all(clash(left.atom, right.atom, key) for left, right in itertools.combinations(derivations, 2)):
                yield Dependency(predicate, key, value)


def is_plain(term: Term, constants: Collection[str] = ()) -> bool:
    """Whether a ground term stands for itself: it computes nothing and has no constant with another value."""
    return is_ground(term) and not any(
        isinstance(part, Arithmetic | Interval) or (isinstance(part, Symbol) and part.name in constants)
        for part in subterms(term)
    )


def _derivations(statement: Statement) -> list[_Derivation]:
    """Each atom that a rule derives."""
    head, body = statement.head, statement.body
    assert head is not None
    literal, elements = head.literal, head.aggregate.elements
    if literal is not None and not literal.is_atom:
        return []
    if literal is not None and literal.atom is not None:
        return [_Derivation(literal.atom, _aggregate_values(literal.atom, body))]
    if literal is None and head.aggregate.at_most_one and len(elements) == 1 and elements[0].pattern is not None:
        return [_chosen(elements[0].pattern, elements[0], body)]
    return [_Derivation(general_atom(predicate), {}) for predicate in head.names.predicates]


def _chosen(atom: Atom, element: Element, body: Sequence[Item]) -> _Derivation:
    """A choice of at most one atom for each instance of the body."""
    outside = all_variables(body)
    key = _key(atom, outside)
    if not outside & element.variables <= {atom.arguments[place] for place in key}:
        return _Derivation(atom, {})
    keys = {place: key for place in range(len(atom.arguments)) if place not in key}
    items = [*body, *element.condition]
    implied = [literal.atom for item in items for literal in item.positive]
    asks_for_atoms = all(item.literals is not None and len(item.positive) == len(item.literals) for item in items)
    is_known = asks_for_atoms and has_distinct_variables(atom) and variables(*implied) <= frozenset(atom.arguments)
    return _Derivation(atom, keys, implied if is_known else None)


def _key(atom: Atom, names: Collection[Variable], value: int | None = None) -> frozenset[int]:
    """The arguments without variable or that are one of some variables, but for the argument `value`."""
    return frozenset(
        place for place, term in enumerate(atom.arguments) if place != value and (is_ground(term) or term in names)
    )


def _aggregate_values(atom: Atom, body: Sequence[Item]) -> dict[int, frozenset[int]]:
    """The arguments of a head that are values of aggregates, with the arguments that determine them."""
    keys: dict[int, frozenset[int]] = {}
    for item in body:
        if item.aggregate is None or item.aggregate.value is None:
            continue
        value = item.aggregate.value
        places = [place for place, term in enumerate(atom.arguments) if term == value]
        inside = frozenset[Variable]().union(*(element.variables for element in item.aggregate.elements))
        if len(places) != 1 or value in inside:
            continue
        others = variables(atom) | all_variables(other for other in body if other is not item)
        key = _key(atom, inside, places[0])
        if inside & others <= {atom.arguments[place] for place in key}:
            keys[places[0]] = key
    return keys
