"""The search for a bridge, led by what the open conclusions ask for.

A claim is tried by induction: each rule of its first body atom's predicate is frozen and saturated (`induction.py` has
the method). Where the goal is not derived, claims are proposed that would derive it:

    head    the goal, what a rule for the goal still lacks, or a new predicate for what it lacks
    body    one or two atoms of the saturation; its unknown elements become variables

Those that hold on all samples are proved first, in the same way and to a bounded depth. Claims that need each other are
proved at once: what the others do not prove is dropped, until nothing is dropped. Source: Flanagan and Leino 2001,
"Houdini, an annotation assistant for ESC/Java". Nothing here is trusted: a bridge that is found is proved like any.
"""

from __future__ import annotations

import itertools
import time
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Final

from hexlogic.language import Predicate, Rule, Symbol, Variable
from hexlogic.language.analysis.dependence import recursive_predicates
from hexlogic.language.names import internal_name
from hexlogic.language.walk import general_atom, rename_rule, rule_variables, substitute
from hexlogic.proofs.bridges import Statement, read_bridge
from hexlogic.proofs.chase import CONTRADICTION, excluded_comparisons, existential, positive
from hexlogic.proofs.finding.facts import (
    NOT,
    Binding,
    Claim,
    Fact,
    Relations,
    atom_of,
    canonical,
    fact_of,
    generalised,
    instance,
    is_frozen,
    is_negated,
    is_test,
    is_variable,
    literal_of,
    matches,
    spelled,
    variables_of,
)
from hexlogic.proofs.finding.samples import Samples
from hexlogic.proofs.finding.saturation import Saturation, Step, depth_of, step_of
from hexlogic.proofs.finding.worlds import Text, World
from hexlogic.proofs.induction import chase_rules, freeze
from hexlogic.proofs.intervals import without_equations, without_intervals
from hexlogic.proofs.joint import Joint

_SHORTER: Final = internal_name("shorter")
_WRONG: Final = fact_of(CONTRADICTION)
_DEEPEST: Final = 6
_BODIES: Final = 6
"""Bodies that are proposed for one head."""
_OPTIONS: Final = 16
"""Ways to derive an open goal that are tried."""
_INSTANCES: Final = 12
"""Ways in which the atoms that are there may begin a rule."""
_POOL: Final = 60
"""Claims that are proved at once."""
_LAST_S: Final = 5.0
"""Seconds to see which cases are open, when the time is over."""
_AT_ONCE: Final = 2
"""The depth after which claims that need each other are looked for."""


@dataclass(frozen=True, slots=True)
class Meaning:
    """A new predicate with one rule."""

    head: Fact
    body: tuple[Fact, ...]

    def __str__(self) -> str:
        return f"{spelled(self.head)} :- {', '.join(map(spelled, self.body))}."

    @property
    def rule(self) -> Rule:
        """The rule."""
        return Rule(atom_of(self.head), tuple(map(literal_of, self.body)))


@dataclass(frozen=True, slots=True)
class Case:
    """One rule of a claim's subject, frozen: what is given, what may be used on shorter derivations, what is wanted."""

    facts: tuple[Fact, ...]
    hypotheses: tuple[Step, ...]
    goal: Fact | None
    shorter: tuple[Fact, ...] = ()
    """The facts that have shorter derivations."""
    rest: tuple[Fact, ...] = ()
    """What the claim's body says beside its subject."""


@dataclass(frozen=True, slots=True)
class Option:
    """Claims that would derive an open goal; `meaning` defines a predicate that they speak of."""

    claims: tuple[Claim, ...]
    meaning: Meaning | None = None


class Search:
    """The search for claims from which two rule sets are equal on all boards of a game."""

    def __init__(
        self,
        left: Text,
        right: Text,
        world: World,
        *,
        limit_s: float = 60.0,
        report: Callable[[str], None] = lambda _: None,
        hints: str = "",
    ) -> None:
        """`report` is told each claim that is proved; `hints` are statements of a bridge to begin with.

        Raises HexlogicError as `World.joint` does.
        """
        self.end_s = time.monotonic() + limit_s
        self._report = report
        joint, board = world.joint(left, right), world.board
        self._sizes = frozenset(Symbol(name) for name, _ in board.constants)
        self.program = without_equations(without_intervals(joint.program, self._sizes))
        self.static = {predicate.name for predicate in board.heads}
        """The predicates of the board that no stone changes."""
        self.samples = Samples(joint.program, world)
        words = {atom.name for rule in self.program.rules for atom in rule.atoms}
        self._words = words | {NOT + name for name in words}
        self.meanings: list[Meaning] = []
        self._view_numbers: dict[Claim, int] = {}
        self.learned: list[Claim] = []
        """Claims in the order in which they were proved, and statements about the board, which are not."""
        self.uses: dict[Claim, set[Claim]] = {}
        """The claims that the proof of a claim uses, itself on shorter derivations included."""
        self._failures: dict[Claim, tuple[int, int]] = {}
        self._open: list[Claim] = []
        self._hints = hint_statements(hints, joint)
        self.assumed: dict[Claim, Statement] = {}
        """Lemmas of the hints: whoever checks the bridge proves them, or says that they are assumed."""
        one, other = joint.question(general_atom(world.query))
        self.goals = (_claim(fact_of(other), fact_of(one)), _claim(fact_of(one), fact_of(other)))
        recursive = recursive_predicates(self.program)
        self._queries = {atom.name for atom in (one, other) if atom.predicate not in recursive}
        """Queries that only conclude: no claim speaks of them."""
        self._prepare()

    def run(self) -> bool:
        """Whether both conclusions are proved within the limit."""
        self._learn_single_atoms()
        self._take_hints()
        for depth in range(1, _DEEPEST + 1):
            proved = [
                self._prove(goal, depth) or (depth == _AT_ONCE and self._prove_at_once(goal)) for goal in self.goals
            ]
            if all(proved):
                return True
            if self._is_late():
                break
        return False

    def _is_late(self) -> bool:
        return time.monotonic() > self.end_s

    def _prepare(self) -> None:
        """What holds without any claim: the rules, their inversions, and what negation and order mean."""
        rules = [rule for rule in self.program.rules if rule.head is not None]
        self._steps = [step_of(rule) for rule in chase_rules(rules, self.program.heads)]
        self._derived = {rule.head.name for rule in rules if rule.head is not None}

    def open_cases(self) -> Iterator[tuple[Claim, Case]]:
        """The conclusions that are not proved, each with the cases of its induction that are open."""
        self.end_s = time.monotonic() + _LAST_S
        for goal in self.goals:
            if goal not in self.learned:
                yield from ((goal, case) for case in self._cases(goal, (goal,)) if self._saturated(case)[1] is None)

    def _take_hints(self) -> None:
        """Define what the hints define, assume their lemmas, and prove their claims as far as they can be proved."""
        for statement in self._hints:
            if len(statement.rules) > 1 and statement.kind == "claim":
                self.prove_together([claim_of(rule) for rule in statement.rules])
                continue
            for rule in statement.rules:
                claim = claim_of(rule)
                if statement.kind == "means":
                    self._define(Meaning(claim.head[0], claim.body))
                    self._learn_single_atoms([str(claim.head[0][0])])
                elif statement.kind == "lemma":
                    self.assumed[claim] = statement
                    self._learn(claim, set())
                else:
                    self._prove(claim, _AT_ONCE)

    # Claims about single atoms

    def _learn_single_atoms(self, new: Collection[str] = ()) -> None:
        """Learn all that one atom says alone: inclusions, supports, symmetries; of `new` predicates, where given."""
        arities = self.samples.arities
        names = sorted(name for name in arities if name in self._words and name not in self._queries)
        group: list[Claim] = []
        for name, head in itertools.product(names, names):
            if new and not {name, head} & set(new):
                continue
            if (name in self.static) != (head in self.static) and name not in self._derived:
                continue
            places = [f"X{place}" for place in range(arities[name])]
            for arguments in itertools.product(places, repeat=arities[head]):
                claim = _claim((head, *arguments), (name, *places))
                if claim.head == claim.body or not self.samples.support(claim):
                    continue
                if name in self.static:
                    self.learned.append(claim)
                elif name in self._derived:
                    group.append(claim)
        self.prove_together(group)

    def prove_together(self, group: Sequence[Claim]) -> None:
        """Learn the largest part of the claims that is inductive."""
        while group:
            uses = {claim: self._proof(claim, group) for claim in group}
            kept = [claim for claim in group if uses[claim] is not None]
            if self._is_late():
                return
            if len(kept) == len(group):
                for claim in group:
                    self._learn(claim, uses[claim] or set())
                return
            group = kept

    def _learn(self, claim: Claim, uses: set[Claim]) -> None:
        self.learned.append(claim)
        self.uses[claim] = uses
        self._report(str(claim))

    def _proof(self, claim: Claim, group: Sequence[Claim]) -> set[Claim] | None:
        """The claims that prove it, those of the group on shorter derivations; None where they do not."""
        used = set[Claim]()
        for case in self._cases(claim, group):
            saturation, reached = self._saturated(case)
            if reached is None:
                return None
            used |= saturation.claims(reached)
        return used

    def proves(self, blocks: Sequence[tuple[Claim, ...]]) -> bool:
        """Whether both conclusions follow from the blocks of claims, each proved at once by those before it."""
        learned, self.learned = self.learned, []
        try:
            for block in (*blocks, *((goal,) for goal in self.goals)):
                given = block[0].body[0][0] in self.static or block[0] in self.assumed
                if not given and any(self._proof(claim, block) is None for claim in block):
                    return False
                self.learned += block
            return True
        finally:
            self.learned = learned

    # One claim

    def _cases(self, claim: Claim, group: Sequence[Claim]) -> Iterator[Case]:
        """The frozen rules of the claim's subject; those that the claim's constants exclude are left out."""
        subject, *rest = claim.body
        hypotheses = tuple(
            Step(other.head[0] if other.head else _WRONG, (_marked(other.body[0]), *other.body[1:]), other)
            for other in group
        )
        subjects = {other.body[0][0] for other in group}
        for rule in self.program.defining(Predicate(str(subject[0]), len(subject) - 1)):
            frozen = positive(freeze(rule))
            assert frozen.head is not None
            head, *body = map(fact_of, (frozen.head, *(literal.atom for literal in frozen.literals)))
            fixed = {
                str(part): constant
                for part, constant in zip(head[1:], subject[1:], strict=True)
                if isinstance(part, str) and is_frozen(part) and not is_variable(constant)
            }
            head, *body = (instance(atom, fixed) for atom in (head, *body))
            binding = Binding()
            if not matches(subject[1:], head[1:], binding):
                continue
            for variable in (variable for atom in claim.body for variable in variables_of(atom)):
                binding.setdefault(variable, internal_name("k", variable))
            yield Case(
                (
                    head,
                    *body,
                    *(instance(atom, binding) for atom in rest),
                    *(_marked(atom) for atom in body if atom[0] in subjects),
                ),
                hypotheses,
                instance(claim.head[0], binding) if claim.head else None,
                tuple(atom for atom in body if atom[0] in subjects),
                tuple(instance(atom, binding) for atom in rest),
            )

    def _saturated(self, case: Case) -> tuple[Saturation, Fact | None]:
        """What follows in a case, up to the goal or a contradiction, and which of them it was."""
        proved = [_step(claim, number) for number, claim in enumerate(self.learned)]
        for claim in self.learned:
            denied, *rest = claim.body
            rest += [(NOT + str(atom[0]), *atom[1:]) for atom in claim.head]
            bound = {name for atom in rest for name in variables_of(atom)}
            known = {name for atom in claim.body for name in variables_of(atom)}
            if set(variables_of(denied)) <= bound <= known:
                proved.append(Step((NOT + str(denied[0]), *denied[1:]), tuple(rest), claim))
            if not claim.head:
                proved += (replace(step_of(rule), claim=claim) for rule in excluded_comparisons(positive(claim.rule)))
        saturation = Saturation((*self._steps, *proved, *case.hypotheses), case.facts)
        return saturation, saturation.run([_WRONG] if case.goal is None else [_WRONG, case.goal], self.end_s)

    def _prove(self, claim: Claim, depth: int) -> bool:
        """Prove a claim, with claims found on the way down to `depth`."""
        if claim in self.learned:
            return True
        state = depth, len(self.learned)
        failed = self._failures.get(claim, (-1, 0))
        if (
            claim in self._open
            or claim.body[0][0] not in self._derived
            or failed[0] > depth
            or failed == state
            or self._is_late()
        ):
            return False
        self._open.append(claim)
        closed = all(self._close(case, depth) for case in self._cases(claim, (claim,)))
        self._open.pop()
        uses = self._proof(claim, (claim,)) if closed else None
        if uses is None:
            self._failures[claim] = depth, len(self.learned)
            return False
        self._learn(claim, uses)
        return True

    def _close(self, case: Case, depth: int) -> bool:
        """Whether the goal of a case follows, perhaps from claims that are then learned."""
        saturation, reached = self._saturated(case)
        if reached is not None:
            return True
        if depth == 0:
            return False
        options = self._options(saturation, case)
        for option in options:
            if any(claim in self._open for claim in option.claims):
                continue
            is_new = option.meaning is not None and self._define(option.meaning)
            if all(self._prove(claim, depth - 1) for claim in option.claims):
                if self._saturated(case)[1] is not None:
                    return True
            elif is_new and option.meaning is not None:
                self._forget(option.meaning)
            if self._is_late():
                return False
        return False

    def _prove_at_once(self, goal: Claim) -> bool:
        """Prove the goal by induction on many claims at once: those that the open cases of each other ask for."""
        pool, looked_at = [goal], set[Claim]()
        while len(pool) < _POOL and not self._is_late():
            known = len(self.learned)
            for claim in [claim for claim in pool if claim not in looked_at]:
                looked_at.add(claim)
                for case in self._cases(claim, pool):
                    saturation, reached = self._saturated(case)
                    for option in self._options(saturation, case)[: _OPTIONS // 2] if reached is None else ():
                        if option.meaning is not None:
                            self._define(option.meaning)
                        pool += [
                            other
                            for other in option.claims
                            if other not in pool and other not in self.learned and other.body[0][0] in self._derived
                        ]
            self.prove_together(tuple(pool))
            if goal in self.learned:
                return True
            pool = [claim for claim in pool if claim not in self.learned]
            if len(self.learned) > known:
                looked_at.clear()
            elif looked_at.issuperset(pool):
                return False
        return False

    # New predicates

    def _define(self, meaning: Meaning) -> bool:
        """Add a predicate; False where it is there."""
        if meaning in self.meanings:
            return False
        self.meanings.append(meaning)
        self._words.add(str(meaning.head[0]))
        if str(meaning.head[0]) not in self.samples.arities:
            self.samples.define(meaning.head, meaning.body)
        self.program = self.program.with_rules((*self.program.rules, meaning.rule))
        self._prepare()
        return True

    def _forget(self, meaning: Meaning) -> None:
        """Drop a predicate about which nothing was proved."""
        name = str(meaning.head[0])
        if any(name == atom[0] for claim in (*self.learned, *self._open) for atom in (*claim.head, *claim.body)):
            return
        self.meanings.remove(meaning)
        self._words.discard(name)
        self.program = self.program.with_rules(tuple(rule for rule in self.program.rules if rule != meaning.rule))
        self._prepare()

    # Proposals

    def _options(self, saturation: Saturation, case: Case) -> list[Option]:
        """Ways to derive the goal of a case, the simplest first; unknown witnesses come where nothing else does."""
        pool = [fact for fact in saturation.facts if fact[0] in self._words and fact[0] not in self._queries]
        plain = [fact for fact in pool if not any(map(depth_of, fact[1:]))]
        some = [fact for fact in pool if max(map(depth_of, fact[1:]), default=0) <= 1]
        if case.goal is None:
            # What is denied would contradict: one of these is to be derived.
            denied = [(str(fact[0]).removeprefix(NOT), *fact[1:]) for fact in case.facts if is_negated(fact)]
            return [option for goal in denied for option in self._options_from(plain, goal)]
        options = self._options_from(plain, case.goal) or self._options_from(some, case.goal)
        if self._open and self._open[-1] in self.goals:
            body = [fact for fact in dict.fromkeys(case.facts[1:]) if not str(fact[0]).startswith(_SHORTER)]
            claims = (generalised([case.goal], ordered) for ordered in self._subjects_first(body))
            options += [Option((claim,)) for claim in claims if self.samples.support(claim)]
        return options + list(itertools.islice(self._stretched(case, plain), _BODIES))

    def _stretched(self, case: Case, pool: Sequence[Fact]) -> Iterator[Option]:
        """The open claim with a relation between its subject and the rest of its body in the place of an argument that
        they share: `won :- reach(X), last(X)` becomes `won :- reach(X), path(X,Y), last(Y)`."""
        for shorter in case.shorter if case.goal and case.rest else ():
            ends = [frozenset(filter(is_frozen, atom[1:])) for atom in (shorter, *case.rest)]
            for link in pool:
                parts = frozenset(filter(is_frozen, link[1:]))
                if link[0] in self._derived and not is_test(link) and len(parts) > 1 and link not in case.rest:
                    known = ends[0].union(*ends[1:])
                    if parts <= known and parts - ends[0] and any(parts - end for end in ends[1:]):
                        for body in self._subjects_first([shorter, link, *case.rest]):
                            claim = generalised([case.goal] if case.goal else [], body)
                            if not self.samples.support(claim):
                                break
                            yield Option((claim,))

    def _options_from(self, pool: Sequence[Fact], goal: Fact) -> list[Option]:
        ranked: dict[Option, tuple[int, ...]] = {}
        for steps, lacking in self._lacking(Relations(pool), goal):
            if any(True for atom in lacking for _ in variables_of(atom)):
                for body, size in itertools.islice(self._bodies(lacking, pool), _BODIES):
                    ranked.setdefault(self._about_a_view(lacking, body), (size + 1, steps, len(lacking)))
                continue
            bodies = [list(itertools.islice(self._reasons(atom, pool), _BODIES)) for atom in lacking]
            for chosen in itertools.islice(itertools.product(*bodies), _BODIES**2):
                claims = tuple(claim for claim, _ in chosen)
                ranked.setdefault(Option(claims), (sum(size for _, size in chosen), steps, len(lacking)))
        return sorted(ranked, key=ranked.__getitem__)[:_OPTIONS]

    def _lacking(self, relations: Relations, goal: Fact) -> Iterator[tuple[int, list[Fact]]]:
        """What is to be derived, with the number of rules in between: the goal, or what its rules lack."""
        yield 0, [goal]
        seen = set[frozenset[Fact]]()
        for steps, binding, body in self._resolved(goal):
            for count in reversed(range(len(body))):
                for there in itertools.combinations(range(len(body)), count):
                    begun = relations.joined([body[place] for place in there], binding)
                    for extended in itertools.islice(begun, _INSTANCES):
                        rest = (instance(atom, extended) for place, atom in enumerate(body) if place not in there)
                        lacking = [atom for atom in rest if atom not in relations.facts]
                        if lacking and frozenset(lacking) not in seen:
                            seen.add(frozenset(lacking))
                            yield steps, lacking

    def _resolved(self, goal: Fact) -> Iterator[tuple[int, Binding, list[Fact]]]:
        """The bodies of the rules for the goal, and these with one atom replaced by the body of a rule for it."""
        for binding, body in self._bodies_of_rules(goal, ""):
            yield 1, binding, body
            for place, atom in enumerate(body):
                if atom[0] != goal[0]:
                    for inner, below in self._bodies_of_rules(instance(atom, binding), "inner"):
                        replacement = [instance(part, inner) for part in below]
                        yield 2, binding, [*body[:place], *replacement, *body[place + 1 :]]

    def _bodies_of_rules(self, goal: Fact, mark: str) -> Iterator[tuple[Binding, list[Fact]]]:
        for rule in self.program.defining(Predicate(str(goal[0]), len(goal) - 1)):
            apart = {variable: Variable(variable.name + mark) for variable in rule_variables(rule)}
            plain = positive(substitute(rule, apart))
            assert plain.head is not None
            binding = Binding()
            if matches(fact_of(plain.head)[1:], goal[1:], binding):
                yield binding, [fact_of(literal.atom) for literal in plain.literals]

    def _reasons(self, atom: Fact, pool: Sequence[Fact]) -> Iterator[tuple[Claim, int]]:
        """Claims from which an atom follows, with their weight, the lightest first.

        A negated one follows where the atom would imply another that is denied.
        """
        if not is_negated(atom):
            yield from ((generalised([atom], body), weight) for body, weight in self._bodies([atom], pool))
            return
        denied: Fact = (str(atom[0]).removeprefix(NOT), *atom[1:])
        for other in pool:
            if is_negated(other) and denied[0] in self._derived:
                claim = generalised([(str(other[0]).removeprefix(NOT), *other[1:])], [denied])
                if self.samples.support(claim):
                    yield claim, 4 + len(other)

    def _bodies(self, head: Sequence[Fact], pool: Sequence[Fact]) -> Iterator[tuple[list[Fact], int]]:
        """One or two atoms of the pool that imply the head on all samples, with their weight, the lightest first."""
        elements = {atom: frozenset(filter(is_frozen, atom[1:])) for atom in pool}
        wanted = frozenset(part for atom in head for part in atom[1:] if is_frozen(part))
        positives = [(place, atom) for place, atom in enumerate(pool) if not is_test(atom)]
        candidates: list[tuple[int, int, list[Fact]]] = []
        for place, atom in positives:
            missing = wanted - elements[atom]
            if not missing and atom[0] in self._derived:
                candidates.append((4 + len(elements[atom]), 0, [atom]))
            if len(missing) == len(wanted) > 1:
                continue
            for other in pool[place + 1 :] if missing else pool:
                is_bound = not is_test(other) or elements[other] <= elements[atom]
                derived = (atom[0] in self._derived) + (other[0] in self._derived)
                if (
                    derived
                    and is_bound
                    and missing <= elements[other]
                    and elements[atom] & elements[other]
                    and other != atom
                ):
                    candidates.append((8 + len(elements[atom] | elements[other]), derived - 2, [atom, other]))
        candidates.sort(key=lambda candidate: (*candidate[:2], str(candidate[2])))
        valid: list[set[Fact]] = []
        for weight, _, atoms in candidates:
            if self._is_late():
                return
            if not any(smaller <= set(atoms) for smaller in valid):
                for body in self._subjects_first(atoms):
                    if not self.samples.support(generalised(head, body)):
                        break
                    valid.append(set(atoms))
                    yield body, weight

    def _subjects_first(self, atoms: Sequence[Fact]) -> Iterator[list[Fact]]:
        """The atoms with each in front that induction can be on."""
        for place, atom in enumerate(atoms):
            if atom[0] in self._derived and not is_test(atom) and len(set(atom[1:])) == len(atom) - 1:
                yield [atom, *atoms[:place], *atoms[place + 1 :]]

    def _about_a_view(self, lacking: Sequence[Fact], body: Sequence[Fact]) -> Option:
        """The claim that the body implies a new predicate, which says that what is lacking is there."""
        claim = generalised(lacking, body)
        bound = set(itertools.chain.from_iterable(map(variables_of, claim.body)))
        kept = [
            part
            for part in dict.fromkeys(itertools.chain.from_iterable(map(variables_of, claim.head)))
            if part in bound
        ]
        definition = canonical(Claim((("view", *kept),), claim.head))
        number = self._view_numbers.setdefault(definition, len(self._view_numbers) + 1)
        name = f"view_{number}"
        meaning = Meaning((name, *definition.head[0][1:]), definition.body)
        return Option((canonical(Claim(((name, *kept),), claim.body)),), meaning)


def claim_of(rule: Rule) -> Claim:
    """A rule as a claim, its body in the order in which it is written."""
    plain = positive(rule)
    assert plain.head is not None
    head = () if rule.head is None or rule.head.name == "contradiction" else (fact_of(plain.head),)
    return Claim(head, tuple(fact_of(literal.atom) for literal in plain.literals))


def hint_statements(hints: str, joint: Joint) -> tuple[Statement, ...]:
    """The statements of a text, in the names that the joint program gives to the predicates of both sides."""
    if not hints:
        return ()
    names = {**joint.right.names, **joint.left.names}
    statements = read_bridge(f"% left:   left\n% right:  right\n% idea:   hints\n\n{hints}", "hints").statements
    return tuple(
        replace(statement, rules=tuple(rename_rule(rule, names) for rule in statement.rules))
        for statement in statements
    )


def _step(claim: Claim, number: int) -> Step:
    """A claim as a step; head variables that the body does not have become terms."""
    bound = {name for atom in claim.body for name in variables_of(atom)}
    if not claim.head:
        return Step(_WRONG, claim.body, claim)
    if set(variables_of(claim.head[0])) <= bound:
        return Step(claim.head[0], claim.body, claim)
    step = step_of(existential(positive(claim.rule), f"learned{number}"))
    return Step(step.head, step.body, claim)


def _claim(head: Fact, body: Fact) -> Claim:
    return canonical(Claim((head,), (body,)))


def _marked(atom: Fact) -> Fact:
    """The atom as one whose derivation is shorter."""
    return (_SHORTER + str(atom[0]), *atom[1:])
