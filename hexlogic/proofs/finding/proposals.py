"""Claims that would derive what an open case lacks.

head    the goal, what a rule for the goal still lacks, or a new predicate for what it lacks
body    one or two atoms of the saturation; its unknown elements become variables
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from hexlogic.language import Predicate, Variable
from hexlogic.language.walk import rule_variables, substitute
from hexlogic.proofs.chase import positive
from hexlogic.proofs.finding.facts import (
    NOT,
    Binding,
    Claim,
    Fact,
    Relations,
    canonical,
    fact_of,
    generalised,
    instance,
    is_frozen,
    is_negated,
    is_test,
    matches,
    variables_of,
)
from hexlogic.proofs.finding.known import SHORTER, Case, Known, Meaning
from hexlogic.proofs.finding.saturation import Saturation, depth_of

_BODIES: Final = 6
"""Bodies that are proposed for one head."""
_OPTIONS: Final = 16
"""Ways to derive an open goal that are tried."""
_INSTANCES: Final = 12
"""Ways in which the atoms that are there may begin a rule."""


@dataclass(frozen=True, slots=True)
class Option:
    """Claims that would derive an open goal; `meaning` defines a predicate that they speak of."""

    claims: tuple[Claim, ...]
    meaning: Meaning | None = None


class Proposals:
    """Options for open cases, in the words of what is known."""

    def __init__(self, known: Known, queries: frozenset[str]) -> None:
        """Claims never speak of the `queries`, which only conclude."""
        self._known, self._queries = known, queries

    def options(self, saturation: Saturation, case: Case, *, is_goal: bool) -> list[Option]:
        """Ways to derive the goal of a case, the simplest first; unknown witnesses come where nothing else does.

        `is_goal`: the case is one of a conclusion.
        """
        words = self._known.words - self._queries
        pool = [fact for fact in saturation.facts if str(fact[0]).removeprefix(NOT) in words]
        plain = [fact for fact in pool if not any(map(depth_of, fact[1:]))]
        some = [fact for fact in pool if max(map(depth_of, fact[1:]), default=0) <= 1]
        if case.goal is None:
            # What is denied would contradict: one of these is to be derived.
            denied = [(str(fact[0]).removeprefix(NOT), *fact[1:]) for fact in case.facts if is_negated(fact)]
            return [option for goal in denied for option in self._options_from(plain, goal)]
        options = self._options_from(plain, case.goal) or self._options_from(some, case.goal)
        if is_goal:
            body = [fact for fact in dict.fromkeys(case.facts[1:]) if not str(fact[0]).startswith(SHORTER)]
            claims = (generalised([case.goal], ordered) for ordered in self._subjects_first(body))
            options += [Option((claim,)) for claim in claims if self._known.samples.support(claim)]
        return options + list(itertools.islice(self._stretched(case, plain), _BODIES))

    def _stretched(self, case: Case, pool: Sequence[Fact]) -> Iterator[Option]:
        """The open claim with a relation between its subject and the rest of its body in the place of an argument that
        they share: `won :- reach(X), last(X)` becomes `won :- reach(X), path(X,Y), last(Y)`."""
        for shorter in case.shorter if case.goal and case.rest else ():
            ends = [frozenset(filter(is_frozen, atom[1:])) for atom in (shorter, *case.rest)]
            for link in pool:
                parts = frozenset(filter(is_frozen, link[1:]))
                if link[0] in self._known.derived and not is_test(link) and len(parts) > 1 and link not in case.rest:
                    known = ends[0].union(*ends[1:])
                    if parts <= known and parts - ends[0] and any(parts - end for end in ends[1:]):
                        for body in self._subjects_first([shorter, link, *case.rest]):
                            claim = generalised([case.goal] if case.goal else [], body)
                            if not self._known.samples.support(claim):
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
        for rule in self._known.program.defining(Predicate(str(goal[0]), len(goal) - 1)):
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
            if is_negated(other) and denied[0] in self._known.derived:
                claim = generalised([(str(other[0]).removeprefix(NOT), *other[1:])], [denied])
                if self._known.samples.support(claim):
                    yield claim, 4 + len(other)

    def _bodies(self, head: Sequence[Fact], pool: Sequence[Fact]) -> Iterator[tuple[list[Fact], int]]:
        """One or two atoms of the pool that imply the head on all samples, with their weight, the lightest first."""
        elements = {atom: frozenset(filter(is_frozen, atom[1:])) for atom in pool}
        wanted = frozenset(part for atom in head for part in atom[1:] if is_frozen(part))
        positives = [(place, atom) for place, atom in enumerate(pool) if not is_test(atom)]
        candidates: list[tuple[int, int, list[Fact]]] = []
        for place, atom in positives:
            missing = wanted - elements[atom]
            if not missing and atom[0] in self._known.derived:
                candidates.append((4 + len(elements[atom]), 0, [atom]))
            if len(missing) == len(wanted) > 1:
                continue
            for other in pool[place + 1 :] if missing else pool:
                is_bound = not is_test(other) or elements[other] <= elements[atom]
                derived = (atom[0] in self._known.derived) + (other[0] in self._known.derived)
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
            if self._known.is_late:
                return
            if not any(smaller <= set(atoms) for smaller in valid):
                for body in self._subjects_first(atoms):
                    if not self._known.samples.support(generalised(head, body)):
                        break
                    valid.append(set(atoms))
                    yield body, weight

    def _subjects_first(self, atoms: Sequence[Fact]) -> Iterator[list[Fact]]:
        """The atoms with each in front that induction can be on."""
        for place, atom in enumerate(atoms):
            if atom[0] in self._known.derived and not is_test(atom) and len(set(atom[1:])) == len(atom) - 1:
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
        meaning = self._known.view(kept, [claim.head])
        return Option((canonical(Claim(((meaning.name, *kept),), claim.body)),), meaning)
