"""What is known of the predicates of an encoding: where their atoms come from and what holds of them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

from hexlogic.encodings.blocks import Block, blocks_of
from hexlogic.encodings.dependencies import derived_dependencies
from hexlogic.encodings.implied import Producers
from hexlogic.encodings.reading import Encoding
from hexlogic.encodings.statements import BASE
from hexlogic.language import Predicate, Rule
from hexlogic.language.analysis.functional import Dependency, declared_dependencies
from hexlogic.language.analysis.graph import Digraph


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
        graph = Digraph([(head, other, False) for rule in rules for head in rule.heads for other in rule.asked])
        return {
            predicate: component
            for component in graph.components()
            for predicate in component
            if len(component) > 1 or predicate in graph.successors(predicate)
        }

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
