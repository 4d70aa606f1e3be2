"""Passes that rewrite each rule by itself, and may add auxiliary predicates.

Such a pass also serves bodies that stand in a program of clingo's whole language (`hexlogic.encodings`): the head of
the rule then stands for whatever needs the variables of the body.
"""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace

from hexlogic.language import Atom, BodyLiteral, Predicate, Program, Rule, Term
from hexlogic.language.analysis.dependence import recursive_through
from hexlogic.language.analysis.functional import Dependency, declared_dependencies
from hexlogic.language.ground.profile import Statistics, measure
from hexlogic.language.names import reserved_name
from hexlogic.language.passes import Pass
from hexlogic.language.walk import has_interval, predicates


@dataclass(frozen=True)
class RuleContext:
    """Facts about the program around a rule that is rewritten."""

    used: set[str] = field(default_factory=set)
    """Names in use, to which each auxiliary predicate adds its own."""
    statistics: Statistics = field(default_factory=Statistics)
    """Sizes of relations, to which those of auxiliary predicates are added."""
    recursive: Collection[Predicate] = ()
    """The predicates through which the rule is recursive."""
    definitions: Mapping[Predicate, tuple[Rule, ...]] = field(default_factory=dict)
    """All rules of the predicates whose rules are all known: no inputs."""
    dependencies: Collection[Dependency] = ()
    answer_set_dependencies: Collection[Dependency] = ()
    """Dependencies that hold in every answer set, but perhaps not while a rule is applied."""
    facts: set[Predicate] = field(default_factory=set)
    """Predicates of which there are only facts once all is ground, to which auxiliary ones are added."""
    part: str = ""
    """The part of the program that a new rule would stand in."""

    def auxiliary(self, base: str, arguments: Sequence[Term], body: Sequence[BodyLiteral]) -> Atom:
        """The head of an auxiliary rule with that body. Its name was in use nowhere, negated or not, and is now.

        Classical negation (`-p`) is part of a name: `p` and `-p` exclude each other, so neither is free with the other.
        """
        definition = f"{self.part} {Rule(Atom('auxiliary', tuple(arguments)), tuple(body))}"
        name = reserved_name(base, definition, {name.lstrip("-") for name in self.used})
        self.used.add(name)
        return Atom(name, tuple(arguments))


class RulePass(Pass):
    """A pass that rewrites each rule by itself; it is an encoding step as well.

    `rewrite` gives auxiliary rules, then the rule in its new form; the rule alone, the same object, when there is
    nothing to do. The head keeps its arguments, no new variable occurs, and each auxiliary predicate is new and has one
    rule. `kinds` are the kinds of bodies of an encoding that the pass may rewrite; None for all.
    """

    def __init__(
        self,
        name: str,
        summary: str,
        rewrite: Callable[[Rule, RuleContext], list[Rule]],
        *,
        adds_predicates: bool = False,
        kinds: Collection[str] | None = None,
    ) -> None:
        super().__init__(name, summary, self._measured)
        self.rewrite, self.adds_predicates, self.kinds = rewrite, adds_predicates, kinds

    def _measured(self, program: Program) -> Program:
        if not self.adds_predicates:  # no size decides
            return self.apply_by(program, Statistics())
        return self.apply_by(program, Statistics.of_profile(measure(program), predicates(program)))

    def apply_by(self, program: Program, statistics: Statistics) -> Program:
        """The program with each rule rewritten, by sizes that are known; they learn those of auxiliary predicates."""
        known = predicates(program)
        context = RuleContext(
            {predicate.name for predicate in known},
            statistics,
            definitions={
                predicate: program.defining(predicate)
                for predicate in known - set(program.inputs) - set(program.equivalences)
            },
            dependencies=declared_dependencies(program.rules),
        )
        rules: list[Rule] = []
        for rule in program.rules:
            recursive = () if rule.head is None else recursive_through(program, rule.head.predicate)
            around = replace(context, recursive=recursive)
            rules += self.rewrite(rule, around) if rule.body and not has_interval(rule) else [rule]
        return program if tuple(rules) == program.rules else program.with_rules(tuple(rules))
