"""The ground rules of a sheet over every fact and every move that can come (`hexlogic.ggp.language.static_facts`), and
what depends on moves in them.

A fact is *autonomous* when its next value follows from other autonomous facts alone: `control` that alternates, a step
counter. No move and no other fact can change their course, so it can be worked out ahead. Since nobody asks for moves
and next states after the end, `terminal` counts as false in the bodies of `legal` and `next`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from hexlogic.errors import EngineError
from hexlogic.ggp.language.sheet import QUERIES
from hexlogic.ggp.language.static_facts import initial_facts, possible_inputs, roles_of
from hexlogic.ggp.propnet.ground_size import small_grounding
from hexlogic.language.ground.layout import Layout, lay_out
from hexlogic.language.ground.program import GroundProgram, GroundRule, ground_program
from hexlogic.language.ground.solving import cannot_ground
from hexlogic.language.syntax import Atom, BodyLiteral, Literal, Predicate, Program, Term, Variable
from hexlogic.language.walk import has_distinct_variables, variables

ALWAYS, NEVER = -1, -2
"""In place of the number of an atom: it is true, or false, in every state."""

_ROUNDS = 10
"""So often facts that follow and were not foreseen are added before the rules are ground again."""
_MOST = 10**8
"""Instances of one rule: more fill any memory."""


@dataclass(frozen=True)
class GroundSheet:
    """Ground rules, in which the first atoms are `true(f)` for each of the F facts, the next `does(r,m)` for each move
    of each role; and where the atoms that a player asks for stand (a number of the layout, ALWAYS or NEVER)."""

    roles: tuple[Term, ...]
    facts: tuple[Term, ...]
    moves: tuple[tuple[Term, ...], ...]
    """By role: the moves it may ever make, sorted by their texts."""
    initial: frozenset[int]
    """The facts of the first state, by their numbers."""
    next: tuple[int, ...]
    """By fact: `next(f)`."""
    legal: tuple[tuple[int, ...], ...]
    """By role and move: `legal(r,m)`."""
    goals: tuple[tuple[tuple[Term, int], ...], ...]
    """By role: the values it may get, sorted by their texts, and `goal(r,value)`."""
    terminal: int
    ground: GroundProgram

    @cached_property
    def layout(self) -> Layout:
        """The rules as arrays, in levels."""
        return lay_out(self.ground)

    @cached_property
    def does(self) -> tuple[tuple[int, ...], ...]:
        """By role and move: the number of `does(r,m)`."""
        at = len(self.facts)
        found = []
        for moves in self.moves:
            found.append(tuple(range(at, at + len(moves))))
            at += len(moves)
        return tuple(found)

    @cached_property
    def fact_numbers(self) -> dict[Term, int]:
        """The number of each fact."""
        return {fact: number for number, fact in enumerate(self.facts)}


def ground_sheet(sheet: Program) -> GroundSheet | None:
    """The ground rules of a sheet; None where terms grow, so that not all that can come is known, or where a rule has
    too many instances, as that for all lists of 25 elements.

    Raises EngineError when it cannot be ground.
    """
    if reason := cannot_ground(sheet):
        raise EngineError(f"the sheet cannot be ground: {reason}")
    sheet = small_grounding(sheet)
    if _widest(sheet) > _MOST:
        return None
    inputs = possible_inputs(sheet)
    if inputs is None:
        return None
    roles, first = roles_of(sheet), initial_facts(sheet)
    facts = tuple(atom.arguments[0] for atom in inputs if atom.name == "true")
    done = [atom for atom in inputs if atom.name == "does"]
    moves = tuple(tuple(atom.arguments[1] for atom in done if atom.arguments[0] == role) for role in roles)
    does = [Atom("does", (role, move)) for role, own in zip(roles, moves, strict=True) for move in own]
    asked = tuple(predicate for predicate in QUERIES if predicate.name in ("next", "legal", "goal", "terminal"))
    for _ in range(_ROUNDS):
        ground = ground_program(sheet, [*(Atom("true", (fact,)) for fact in facts), *does], wanted=asked)
        derived = {*ground.facts, *ground.atoms}
        coming = first | {atom.arguments[0] for atom in derived if atom.name == "next"}
        if coming <= set(facts):
            break
        facts = tuple(sorted(coming.union(facts), key=str))
    else:
        return None
    number = ground.number

    def find(name: str, *arguments: Term) -> int:
        atom = Atom(name, arguments)
        return ALWAYS if atom in ground.facts else number.get(atom, NEVER)

    goals = sorted((atom.arguments for atom in derived if atom.name == "goal"), key=str)
    return GroundSheet(
        roles,
        facts,
        moves,
        frozenset(place for place, fact in enumerate(facts) if fact in first),
        tuple(find("next", fact) for fact in facts),
        tuple(tuple(find("legal", role, move) for move in own) for role, own in zip(roles, moves, strict=True)),
        tuple(tuple((value, find("goal", role, value)) for one, value in goals if one == role) for role in roles),
        find("terminal"),
        ground,
    )


def _widest(sheet: Program) -> int:
    """The most instances that a rule has at least: counted where the body is of facts that share no variable."""
    facts = Counter(rule.head.predicate for rule in sheet.rules if rule.is_fact and rule.head is not None)
    return max((_instances(rule.body, facts) for rule in sheet.rules), default=0)


def _instances(body: Sequence[BodyLiteral], facts: Mapping[Predicate, int]) -> int:
    """The product of the facts that match, 0 where it is not that simple."""
    found, seen = 1, set[Variable]()
    for item in body:
        if not isinstance(item, Literal) or not item.positive or not has_distinct_variables(item.atom):
            return 0
        own = variables(item.atom)
        if own & seen:
            return 0
        seen |= own
        found *= facts[item.atom.predicate]
    return found


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
