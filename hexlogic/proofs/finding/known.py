"""What a search has proved so far, and the induction by which a claim is proved (`induction.py` has the method).

Nothing here is trusted: a bridge that is found is proved like any other.
"""

import itertools
import math
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Final

from hexlogic.language import Predicate, Program, Rule
from hexlogic.language.analysis.columns import Columns
from hexlogic.language.names import fresh_names, internal_name
from hexlogic.proofs.bridges import Statement
from hexlogic.proofs.chase import CONTRADICTION, denial, excluded_comparisons, existential, positive
from hexlogic.proofs.finding.facts import (
    NOT,
    SIGNS,
    Binding,
    Claim,
    Fact,
    Value,
    atom_of,
    fact_of,
    instance,
    is_frozen,
    is_variable,
    literal_of,
    matches,
    variables_of,
)
from hexlogic.proofs.finding.samples import Samples
from hexlogic.proofs.finding.saturation import DEEPEST, Saturation, Step, Steps, step_of
from hexlogic.proofs.induction import chase_rules, freeze
from hexlogic.proofs.intervals import without_equations

SHORTER: Final = internal_name("shorter")
"""Begins the name of an atom whose derivation is shorter."""
WRONG: Final = fact_of(CONTRADICTION)
_UNEQUAL: Final = internal_name("unequal")
_NO_RULES: Final = Program(())


@dataclass(frozen=True, slots=True)
class Meaning:
    """A new predicate, with the bodies of its rules."""

    head: Fact
    bodies: tuple[tuple[Fact, ...], ...]
    idea: str = "what one side says in the words of the other"

    @property
    def name(self) -> str:
        """The name of the predicate."""
        return str(self.head[0])

    @property
    def rules(self) -> tuple[Rule, ...]:
        """The rules."""
        return tuple(Rule(atom_of(self.head), tuple(map(literal_of, body))) for body in self.bodies)

    @property
    def words(self) -> frozenset[str]:
        """The names of the predicates that it is defined by."""
        return frozenset(str(atom[0]).removeprefix(NOT) for body in self.bodies for atom in body)


@dataclass(frozen=True, slots=True)
class Case:
    """One rule of a claim's subject, frozen: what is given, what may be used on shorter derivations, what is wanted."""

    facts: tuple[Fact, ...]
    hypotheses: tuple[Step, ...]
    goal: Fact | None


class Known:
    """The program of both sides with the meanings, and the claims about it that are proved, in order."""

    def __init__(self, program: Program, samples: Samples, given: Program = _NO_RULES) -> None:
        """`given` are the rules of the board, which no stone changes: cases of a claim, and never used otherwise."""
        self.program, self.samples, self.given = program, samples, given
        self.static = frozenset(predicate.name for predicate in given.heads)
        self.end_s = math.inf
        """When a proof gives up, in CPU seconds of this process."""
        self.deepest = DEEPEST
        """How deep the terms for unknown witnesses are nested in a proof."""
        self.report: Callable[[str], None] = lambda _: None
        self.words = {atom.name for rule in program.rules for atom in rule.atoms}
        """The names of the predicates that claims speak of."""
        self._taken = self.words | self.static | samples.arities.keys()
        self.meanings: list[Meaning] = []
        self.learned: list[Claim] = []
        """Claims in the order in which they were proved, and statements about the board, which are not."""
        self.uses: dict[Claim, set[Claim]] = {}
        """The claims that the proof of a claim uses, itself on shorter derivations included; a lemma has none."""
        self.assumed: dict[Claim, Statement] = {}
        """Lemmas: whoever checks the bridge proves them, or says that they are assumed."""
        self._views: dict[tuple[int, tuple[tuple[Fact, ...], ...]], int] = {}
        self._prepare()

    @property
    def is_late(self) -> bool:
        """Whether the time is over."""
        return time.process_time() > self.end_s

    def _prepare(self) -> None:
        """What holds without any claim: the rules, their inversions, and what negation and order mean."""
        rules = [rule for rule in self.program.rules if rule.head is not None]
        self.derived = {rule.conclusion.name for rule in rules}
        self.denied = {item.atom.name for rule in rules for item in rule.literals if not item.positive}
        """The names of the predicates that occur negated."""
        self._constants: dict[tuple[str, int], set[Value]] = {}
        self.names_of_kind: dict[int, set[Value]] = {}
        """The names that rules write, such as those of players, by the kind of values that has them alone."""
        self._numbers_of_column: dict[int, set[Value]] = {}
        self._columns = Columns(self.program)
        for atom in (fact_of(atom) for rule in rules for atom in rule.atoms):
            name = str(atom[0])
            for place, part in enumerate(atom[1:]):
                if isinstance(part, str | int) and not is_variable(part):
                    self._constants.setdefault((name, place), set()).add(part)
                    if not self.samples.holds(name, place, 1):
                        self.names_of_kind.setdefault(self.samples.kind(name, place), set()).add(part)
                    elif kind := self._column(name, place):
                        self._numbers_of_column.setdefault(kind, set()).add(part)
        self._orders = False
        """Whether a claim with a head tells what is less than what, where the head is false."""
        self._steps = Steps(map(step_of, chase_rules(rules, self.program.heads)))
        for number, claim in enumerate(self.learned):
            self._add_steps(claim, number)

    def constants(self, name: str, place: int) -> list[Value]:
        """The constants that rules write in an argument (from 0) of a predicate, or in one that passes values on to it,
        and the names of its kind that they write anywhere, where its values are no numbers."""
        kind, column, none = self.samples.kind(name, place), self._column(name, place), set[Value]()
        names = self.names_of_kind.get(kind, none) if kind >= 0 else none
        return sorted(
            self._constants.get((name, place), none) | names | self._numbers_of_column.get(column, none), key=str
        )

    def _column(self, name: str, place: int) -> int:
        """A number for the values that rules pass on to an argument; 0 where no rule has the predicate."""
        return self._columns.kinds(Predicate(name, self.samples.arities.get(name, place + 1)))[place].number

    def learn(self, claim: Claim, uses: set[Claim] | None = None) -> None:
        """Take a claim as true; without `uses` it is one about the board, or a lemma."""
        self.learned.append(claim)
        self._add_steps(claim, len(self.learned))
        if uses is not None:
            self.uses[claim] = uses
            self.report(str(claim))

    def _add_steps(self, claim: Claim, number: int) -> None:
        self._steps.add(_step(claim, number))
        denied, *rest = claim.body
        rest += [(NOT + str(atom[0]), *atom[1:]) for atom in claim.head]
        bound = {name for atom in rest for name in variables_of(atom)}
        known = {name for atom in claim.body for name in variables_of(atom)}
        if set(variables_of(denied)) <= bound <= known and str(denied[0]) in self.denied:
            self._steps.add(Step((NOT + str(denied[0]), *denied[1:]), tuple(rest), claim))
        if len(claim.head) < 2 and any(atom[0] in SIGNS for atom in claim.body):
            self._orders = self._orders or bool(claim.head)
            for rule in excluded_comparisons(denial(positive(claim.rule))):
                self._steps.add(replace(step_of(rule), claim=claim))

    def define(self, meaning: Meaning) -> None:
        """Add a predicate, if it is not there."""
        if meaning in self.meanings:
            return
        self.meanings.append(meaning)
        self.words.add(meaning.name)
        if meaning.name not in self.samples.arities:
            self.samples.define(meaning.head, meaning.bodies)
        self.program = without_equations(self.program.with_rules((*self.program.rules, *meaning.rules)))
        self._prepare()

    def new_name(self, base: str) -> str:
        """A name that no text has, like `base`."""
        return next(iter(fresh_names(base, self._taken)))

    def view(self, arguments: Sequence[str], bodies: Sequence[Sequence[Fact]]) -> Meaning:
        """A predicate of these variables with these bodies, in variables of its own; one name for one definition."""
        renamed = dict[tuple[Fact, ...], None]()
        for body in sorted(bodies, key=str):
            names: Binding = {variable: f"X{place}" for place, variable in enumerate(arguments)}
            for variable in itertools.chain.from_iterable(map(variables_of, body)):
                names.setdefault(variable, f"X{len(names)}")
            renamed[tuple(instance(atom, names) for atom in body)] = None
        parameters = tuple(f"X{place}" for place in range(len(arguments)))
        number = self._views.setdefault((len(arguments), tuple(renamed)), len(self._views) + 1)
        return Meaning((self.new_name(f"view_{number}"), *parameters), tuple(renamed))

    def forget_meanings(self, goals: Sequence[Claim]) -> None:
        """Drop all new predicates and what was proved about them, but for what proved goals need."""
        kept = self.needed([goal for goal in goals if goal in self.learned])
        names = {meaning.name for meaning in self.meanings}
        gone = {claim for claim in self.learned if claim not in kept and names & claim.names}
        while more := {claim for claim in set(self.learned) - gone - kept if self.uses.get(claim, set()) & gone}:
            gone |= more
        self.learned = [claim for claim in self.learned if claim not in gone]
        spoken = {name for claim in self.learned for name in claim.names}
        self.meanings = [meaning for meaning in self.meanings if meaning.name in spoken]
        if dropped := names - spoken:
            self.words -= dropped
            rules = (rule for rule in self.program.rules if rule.head is None or rule.head.name not in dropped)
            self.program = self.program.with_rules(tuple(rules))
            self._prepare()

    def needed(self, goals: Sequence[Claim]) -> set[Claim]:
        """The claims that the proofs of the goals use, these included."""
        needed, todo = set[Claim](), [*goals]
        while todo:
            claim = todo.pop()
            if claim not in needed:
                needed.add(claim)
                todo += self.uses.get(claim, ())
        return needed

    # Induction

    def cases(self, claim: Claim, group: Sequence[Claim]) -> Iterator[Case]:
        """The frozen rules of the claim's subject; those that the claim's constants exclude are left out. The claims of
        the `group` may be used on shorter derivations."""

        def marked(atom: Fact) -> Fact:
            return (SHORTER + str(atom[0]), *atom[1:])

        subject, *rest = claim.body
        hypotheses = tuple(
            Step(other.head[0] if other.head else WRONG, (marked(other.body[0]), *other.body[1:]), other)
            for other in group
        )
        subjects = {other.body[0][0] for other in group}
        predicate = Predicate(str(subject[0]), len(subject) - 1)
        for rule in (self.given if subject[0] in self.static else self.program).defining(predicate):
            head, *body = map(fact_of, positive(freeze(rule)).atoms)
            fixed = {
                str(part): constant
                for part, constant in zip(head[1:], subject[1:], strict=True)
                if isinstance(part, str) and is_frozen(part) and not is_variable(constant)
            }
            head, *body = (instance(atom, fixed) for atom in (head, *body))
            binding = Binding()
            if not matches(subject[1:], head[1:], binding):
                continue
            for variable in itertools.chain.from_iterable(map(variables_of, claim.body)):
                binding.setdefault(variable, internal_name("k", variable))
            others = tuple(instance(atom, binding) for atom in rest)
            yield Case(
                (head, *body, *others, *(marked(atom) for atom in body if atom[0] in subjects)),
                hypotheses,
                instance(claim.head[0], binding) if claim.head else None,
            )

    def saturated(self, case: Case) -> tuple[Saturation, Fact | None]:
        """What follows in a case, up to the goal or a contradiction, and which of them it was."""
        steps = self._steps, Steps(case.hypotheses)
        saturation, goal = Saturation(steps, case.facts, self.deepest), case.goal
        reached = saturation.run([WRONG] if goal is None else [WRONG, goal], self.end_s)
        if reached is None and goal is not None and self._orders and not any(variables_of(goal)):
            denied = (NOT + str(goal[0]), *goal[1:])
            others = ((part, (*goal[:place], "X", *goal[place + 1 :])) for place, part in enumerate(goal) if place)
            unequal = Steps(Step((_UNEQUAL, "X", part), (other, denied)) for part, other in others)
            saturation = Saturation((*steps, unequal), (*case.facts, denied), self.deepest)
            reached = saturation.run([WRONG, goal], self.end_s)
        return saturation, reached

    def follows(self, claim: Claim) -> bool:
        """Whether a claim follows from the others without induction."""
        names: Binding = {name: internal_name("k", name) for atom in claim.body for name in variables_of(atom)}
        facts = tuple(instance(atom, names) for atom in claim.body)
        return self.saturated(Case(facts, (), instance(claim.head[0], names) if claim.head else None))[1] is not None

    def proof(self, claim: Claim, group: Sequence[Claim]) -> set[Claim] | None:
        """The claims that prove it, those of the group on shorter derivations; None where they do not, for a claim on
        inputs, which have no rules, and for one on an atom with a variable twice, which no frozen rule matches."""
        used = set[Claim]()
        subject = claim.body[0]
        names = [part for part in subject[1:] if is_variable(part)]
        if subject[0] not in self.derived | self.static or len({*names}) < len(names):
            return None
        for saturation, reached in map(self.saturated, self.cases(claim, group)):
            if reached is None:
                return None
            used |= saturation.claims(reached)
        return used

    def prove_together(self, group: Sequence[Claim]) -> None:
        """Learn the largest part of the claims that is inductive; those that are learned keep their proofs."""
        group = [claim for claim in group if claim not in self.learned]
        while group:
            uses = {claim: self.proof(claim, group) for claim in group}
            if self.is_late:
                return
            kept = [claim for claim in group if uses[claim] is not None]
            if len(kept) == len(group):
                for claim in group:
                    self.learn(claim, uses[claim] or set())
                return
            group = kept

    def proves(self, blocks: Sequence[tuple[Claim, ...]], goals: Sequence[Claim]) -> bool:
        """Whether the goals follow from the blocks of claims, each proved at once by those before it."""
        learned, self.learned = self.learned, []
        self._prepare()
        try:
            for block in (*blocks, *((goal,) for goal in goals)):
                if block[0] in self.uses and any(self.proof(claim, block) is None for claim in block):
                    return False
                for claim in block:
                    self.learned.append(claim)
                    self._add_steps(claim, len(self.learned))
            return True
        finally:
            self.learned = learned
            self._prepare()


def claim_of(rule: Rule) -> Claim:
    """A rule as a claim, its body in the order in which it is written."""
    head, *body = map(fact_of, positive(rule).atoms)
    return Claim(() if rule.head is None or rule.head.name == "contradiction" else (head,), tuple(body))


def _step(claim: Claim, number: int) -> Step:
    """A claim as a step; head variables that the body does not have become terms."""
    bound = {name for atom in claim.body for name in variables_of(atom)}
    if not claim.head:
        return Step(WRONG, claim.body, claim)
    if set(variables_of(claim.head[0])) <= bound:
        return Step(claim.head[0], claim.body, claim)
    step = step_of(existential(positive(claim.rule), f"learned{number}"))
    return Step(step.head, step.body, claim)
