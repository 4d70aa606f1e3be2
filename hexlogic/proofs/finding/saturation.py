"""What positive rules derive from a frozen body, with one derivation for each atom."""

import math
import time
from collections import deque
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from typing import Final

from hexlogic.language import Atom, Comparison, Rule
from hexlogic.language.names import internal_name
from hexlogic.proofs.finding.facts import Claim, Fact, Relations, Value, fact_of, instance, matches, variables_of

_KNOWN: Final = internal_name("known")
_LESS: Final = "<"
_TESTS: Final = (_KNOWN, _LESS)
DEEPEST: Final = 3
"""How deep the terms for unknown witnesses are nested."""
_MOST: Final = 1500
"""Atoms of one saturation: what is not derived by then is not derived."""


@dataclass(frozen=True, slots=True)
class Step:
    """A positive rule, and the claim that it stands for: one that is proved, or one that may be used on shorter
    derivations."""

    head: Fact
    body: tuple[Fact, ...]
    claim: Claim | None = None


def step_of(rule: Rule) -> Step:
    """A rule of the chase as a step; what it compares are integers of the text."""
    body = (Atom(_LESS, (each.left, each.right)) if isinstance(each, Comparison) else each.atom for each in rule.body)
    return Step(fact_of(rule.conclusion), tuple(map(fact_of, body)))


class Steps:
    """Steps, by the predicates of their bodies."""

    def __init__(self, steps: Iterable[Step]) -> None:
        self.triggers: dict[Value, list[tuple[Step, int]]] = {}
        self.always: list[Step] = []
        """Those whose body has no atom."""
        for step in steps:
            self.add(step)

    def add(self, step: Step) -> None:
        """Add one."""
        places = [place for place, atom in enumerate(step.body) if atom[0] not in _TESTS]
        for place in places:
            self.triggers.setdefault(step.body[place][0], []).append((step, place))
        if not places:
            self.always.append(step)


class Saturation:
    """Facts, closed under steps as far as `run` is asked to."""

    def __init__(self, steps: Sequence[Steps], facts: Iterable[Fact], deepest: int = DEEPEST) -> None:
        self.relations = Relations()
        self._derivations: dict[Fact, tuple[Claim | None, tuple[Fact, ...]]] = {}
        self._steps, self._deepest = steps, deepest
        self._queue: deque[Fact] = deque()
        for step in (step for part in steps for step in part.always):
            self._apply(step, step.body, {})
        for fact in facts:
            self._derive(fact, None, ())

    def run(self, goals: Sequence[Fact], until_s: float = math.inf) -> Fact | None:
        """Derive until one of the goals (with variables: an instance) is there; returns it, None where none is. At
        `until_s`, in CPU seconds of this process, it gives up."""
        patterns = [goal for goal in goals if any(True for _ in variables_of(goal))]
        while time.process_time() < until_s:
            for goal in goals:
                if goal in self._derivations:
                    return goal
            for goal in patterns:
                reached = next((fact for fact in self._queue if fact[0] == goal[0] and matches(goal, fact, {})), None)
                if reached is not None:
                    return reached
            if not self._queue or len(self._derivations) >= _MOST:
                return None
            fact = self._queue.popleft()
            # Joined with what was looked at before, each instance of a body is found once: with its last atom.
            self.relations.add(fact)
            for step, place in (each for part in self._steps for each in part.triggers.get(fact[0], ())):
                pattern, binding = step.body[place], dict[str, Value]()
                if len(pattern) == len(fact) and matches(pattern[1:], fact[1:], binding):
                    self._apply(step, (*step.body[:place], *step.body[place + 1 :]), binding)
        return None

    @property
    def facts(self) -> Collection[Fact]:
        """All that is given or derived."""
        return self._derivations.keys()

    def claims(self, fact: Fact) -> set[Claim]:
        """The claims that the derivation of a fact uses."""
        seen, used, todo = set[Fact](), set[Claim](), [fact]
        while todo:
            derived = todo.pop()
            if derived not in seen and derived in self._derivations:
                seen.add(derived)
                claim, body = self._derivations[derived]
                used |= {claim} if claim else set()
                todo += body
        return used

    def _apply(self, step: Step, body: Sequence[Fact], binding: dict[str, Value]) -> None:
        tests = [atom for atom in body if atom[0] in _TESTS]
        rest = [atom for atom in body if atom[0] not in _TESTS]
        for extended in list(self.relations.joined(rest, binding)):
            head = instance(step.head, extended)
            if head not in self._derivations and all(self._passes(*instance(test, extended)) for test in tests):
                self._derive(head, step.claim, tuple(instance(atom, extended) for atom in step.body))

    def _passes(self, name: Value, part: Value, other: Value = 0) -> bool:
        if name == _KNOWN:
            return depth_of(part) < self._deepest
        return isinstance(part, int) and isinstance(other, int) and part < other

    def _derive(self, fact: Fact, claim: Claim | None, body: tuple[Fact, ...]) -> None:
        if fact not in self._derivations:
            self._derivations[fact] = claim, body
            self._queue.append(fact)


def depth_of(value: Value) -> int:
    """How deep compound terms are nested in a term."""
    return 1 + max(map(depth_of, value[1:]), default=0) if isinstance(value, tuple) else 0
