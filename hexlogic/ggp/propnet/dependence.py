"""Which ground atoms depend on moves, which facts are autonomous, and what that makes of every atom.

A fact is *autonomous* when its next value follows from other autonomous facts alone: `control` that alternates, a step
counter. No move and no other fact can change their course, so it can be worked out ahead. Since nobody asks for moves
and next states after the end, `terminal` counts as false in the bodies of `legal` and `next`.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property

from hexlogic.ggp.propnet.ground_sheet import GroundSheet
from hexlogic.language.ground.program import GroundRule


@dataclass(frozen=True)
class Dependence:
    """Answers about one ground sheet; atoms have their numbers in its layout."""

    sheet: GroundSheet

    @cached_property
    def rules_of(self) -> list[list[GroundRule]]:
        """By atom: the rules with it as head."""
        found: list[list[GroundRule]] = [[] for _ in self.sheet.ground.atoms]
        for rule in self.sheet.ground.rules:
            found[rule.head].append(rule)
        return found

    @cached_property
    def heads(self) -> list[set[int]]:
        """By atom: the heads of the rules with it or its negation in their bodies."""
        found: list[set[int]] = [set() for _ in self.sheet.ground.atoms]
        for rule in self.sheet.ground.rules:
            for part in (*rule.positive, *rule.negative):
                found[part].add(rule.head)
        return found

    @cached_property
    def order(self) -> list[int]:
        """The derived atoms, each after those it depends on; what is mutually recursive has one level."""
        level = self.sheet.layout.level
        return sorted(range(self.sheet.ground.inputs, len(self.sheet.ground.atoms)), key=lambda atom: int(level[atom]))

    @cached_property
    def recursive(self) -> frozenset[int]:
        """The atoms that depend on themselves."""
        level = self.sheet.layout.level
        rules = self.sheet.ground.rules
        return frozenset(rule.head for rule in rules if any(level[part] == level[rule.head] for part in rule.positive))

    @cached_property
    def on_moves(self) -> frozenset[int]:
        """The atoms that depend on what is done in this step."""
        return self.above(number for moves in self.sheet.does for number in moves)

    @cached_property
    def on_terminal(self) -> frozenset[int]:
        """The atoms that depend on whether the game is over."""
        return self.above([self.sheet.terminal]) - {self.sheet.terminal} if self.sheet.terminal >= 0 else frozenset()

    @cached_property
    def autonomous(self) -> frozenset[int]:
        """The autonomous facts."""
        moved = self.above((number for moves in self.sheet.does for number in moves), into_next_state=True)
        return frozenset(range(len(self.sheet.facts))) - moved

    def above(self, atoms: Iterable[int], *, into_next_state: bool = False) -> frozenset[int]:
        """The atoms that depend on these, these included, as long as the game is not over; `into_next_state` follows
        `next(f)` to `true(f)`."""
        facts_of = {atom: fact for fact, atom in enumerate(self.sheet.next)} if into_next_state else {}
        found: set[int] = set()
        start = frozenset(atoms)
        waiting = list(start)
        while waiting:
            atom = waiting.pop()
            if atom in found:
                continue
            found.add(atom)
            if atom != self.sheet.terminal or atom in start:
                waiting += self.heads[atom]
            if atom in facts_of:
                waiting.append(facts_of[atom])
        return frozenset(found)
