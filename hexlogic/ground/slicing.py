"""The ground program as data, and the part of it that a question depends on.

gringo grounds the joint program over a choice of every input atom; an observer writes the ground rules down. Backward
from the question's atoms, the slice holds the rules that can matter and nothing else: for `wins(red)` no rule about
blue, unless the rules read blue's stones. Which inputs a question reads is thereby computed, not assumed.

Leaving the rest out is exact: a stratified program has one model on top of any choice, so the rest can neither forbid
a choice nor change an atom of the slice (splitting sets, Lifschitz and Turner 1994).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass

from hexlogic.errors import EngineError

__all__ = ["GroundProgram", "GroundRule", "ground", "slice_of"]


@dataclass(frozen=True, slots=True)
class GroundRule:
    """`head :- body`, or `{head} :- body` for a choice; no head means a constraint.

    Atoms are numbers from 1, a negated one is its negative.
    """

    head: int | None
    body: tuple[int, ...]
    choice: bool = False


@dataclass(frozen=True)
class GroundProgram:
    """Ground rules and the numbers of the atoms that have a name.

    Facts have no number: they are in `facts`. An atom that is in neither cannot be derived.
    """

    rules: tuple[GroundRule, ...]
    numbers: Mapping[str, int]
    facts: frozenset[str]

    @property
    def atoms(self) -> frozenset[int]:
        """Every atom number that occurs."""
        return frozenset(abs(part) for rule in self.rules for part in (rule.head or 0, *rule.body)) - {0}

    @property
    def choices(self) -> dict[int, str]:
        """The input atoms that are free, by number."""
        names = {number: name for name, number in self.numbers.items()}
        return {rule.head: names[rule.head] for rule in self.rules if rule.choice and rule.head is not None}


def ground(text: str) -> GroundProgram:
    """Let gringo ground `text`. Raises EngineError with gringo's own words."""
    import clingo

    messages: list[str] = []
    rules: list[GroundRule] = []

    class Observer(clingo.Observer):
        def rule(self, choice: bool, head: Iterable[int], body: Iterable[int]) -> None:
            heads = tuple(head) or (None,)
            rules.extend(GroundRule(atom, tuple(body), choice) for atom in heads)

        def weight_rule(self, *_: object) -> None:
            raise EngineError("the ground program has aggregates, which the rule language has not")

    control = clingo.Control(["--warn=no-atom-undefined"], lambda _, message: messages.append(message), 20)
    control.register_observer(Observer())
    try:
        control.add("base", [], text)
        control.ground([("base", [])])
    except RuntimeError as error:
        raise EngineError(f"clingo: {' '.join(' '.join(messages).split()) or error}") from None
    facts = frozenset(str(entry.symbol) for entry in control.symbolic_atoms if entry.is_fact)
    numbers = {str(entry.symbol): entry.literal for entry in control.symbolic_atoms if not entry.is_fact}
    return GroundProgram(tuple(rules), numbers, facts)


def slice_of(program: GroundProgram, roots: Iterable[str]) -> GroundProgram:
    """The rules that the atoms `roots` depend on, with the constraints that bind them.

    A constraint is left out when it holds as soon as the free atoms outside the slice are false: the stones of the
    player who is not asked about may then stay in the box. What it says inside the slice is kept.
    """
    by_head: dict[int, list[GroundRule]] = {}
    for rule in program.rules:
        by_head.setdefault(rule.head or 0, []).append(rule)
    free = {rule.head for rule in program.rules if rule.choice}
    needed: set[int] = set()

    def need(atoms: Iterable[int]) -> None:
        waiting = list(atoms)
        while waiting:
            atom = waiting.pop()
            if atom not in needed:
                needed.add(atom)
                waiting += (abs(literal) for rule in by_head.get(atom, ()) for literal in rule.body)

    need(program.numbers[root] for root in roots if root in program.numbers)
    kept: list[GroundRule] = []
    waiting = by_head.get(0, [])
    while True:
        # Satisfied by an outside stone that stays away: not needed, unless a later need brings that stone in.
        binding = [rule for rule in waiting if not any(lit > 0 and lit in free - needed for lit in rule.body)]
        if not binding:
            break
        kept += binding
        waiting = [rule for rule in waiting if rule not in binding]
        need(abs(literal) for rule in binding for literal in rule.body)
    rules = tuple(rule for rule in program.rules if rule.head in needed) + tuple(kept)
    numbers = {name: number for name, number in program.numbers.items() if number in needed}
    return GroundProgram(rules, numbers, program.facts)


def image(program: GroundProgram, rename: Callable[[str], str]) -> frozenset[tuple[object, ...]] | None:
    """The rules with every atom's name changed by `rename`; None when some atom has no name."""
    names = {number: rename(name) for name, number in program.numbers.items()}
    if program.atoms - names.keys() or len(set(names.values())) < len(names):
        return None

    def literal(number: int) -> tuple[bool, str]:
        return number > 0, names[abs(number)]

    return frozenset(
        (rule.choice, rule.head and names[rule.head], frozenset(map(literal, rule.body))) for rule in program.rules
    )
