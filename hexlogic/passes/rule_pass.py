"""Passes that rewrite one rule at a time, perhaps with the help of auxiliary predicates of their own.

Such a pass also serves bodies that stand in a program of clingo's whole language (`hexlogic.encodings`): the head of
the rule then stands for whatever needs the variables of the body.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field

from hexlogic.ground.profile import measure
from hexlogic.logic import Predicate, Program, Rule
from hexlogic.logic.analysis.dependence import recursive_through
from hexlogic.logic.analysis.functional import Dependency, declared_dependencies
from hexlogic.logic.names import fresh_names
from hexlogic.logic.walk import has_interval, predicates
from hexlogic.passes.base import Pass
from hexlogic.passes.statistics import Statistics

__all__ = ["RulePass", "Setting"]


@dataclass
class Setting:
    """What a rewriting of one rule may know: names in use, sizes of relations, what the rule is recursive through."""

    used: set[str] = field(default_factory=set)
    statistics: Statistics = field(default_factory=Statistics)
    recursive: Collection[Predicate] = ()
    definitions: Mapping[Predicate, tuple[Rule, ...]] = field(default_factory=dict)
    """All rules of the predicates whose rules are all known: no inputs."""
    dependencies: Collection[Dependency] = ()
    determined: Collection[Dependency] = ()
    """Dependencies that hold in every answer set, but perhaps not while a rule is applied."""
    facts: Collection[Predicate] = ()
    """Predicates of which there are only facts."""

    def fresh(self, base: str) -> str:
        """A predicate name that is in use nowhere, negated or not, and is from now on.

        Classical negation (`-p`) is part of a name: `p` and `-p` exclude each other, so neither is free with the other.
        """
        name = next(iter(fresh_names(base.lstrip("-"), {name.lstrip("-") for name in self.used})))
        self.used.add(name)
        return name


class RulePass(Pass):
    """A pass that looks at each rule alone."""

    @abstractmethod
    def rewrite(self, rule: Rule, setting: Setting) -> list[Rule]:
        """Auxiliary rules, then the rule in its new form; the rule alone, the same object, when there is nothing to do.

        The head keeps its arguments, no new variable occurs, and each auxiliary predicate is new and has one rule.
        """

    def apply(self, program: Program, option: str | None = None) -> Program:
        """The program with each rule rewritten; the same object when no rule changes."""
        return self.apply_by(program, Statistics.of_profile(measure(program), predicates(program)))

    def apply_by(self, program: Program, statistics: Statistics) -> Program:
        """The same by sizes that are known already. They learn those of auxiliary predicates."""
        known = predicates(program)
        setting = Setting({predicate.name for predicate in known}, statistics)
        setting.definitions = {
            predicate: program.defining(predicate)
            for predicate in known - set(program.inputs) - set(program.equivalences)
        }
        setting.dependencies = declared_dependencies(program.rules)
        rules: list[Rule] = []
        for rule in program.rules:
            setting.recursive = () if rule.head is None else recursive_through(program, rule.head.predicate)
            rules += self.rewrite(rule, setting) if rule.body and not has_interval(rule) else [rule]
        return program if tuple(rules) == program.rules else program.with_rules(tuple(rules))
