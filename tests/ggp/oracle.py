"""What a sheet says about a state, by the reference semantics and nothing else; and random walks by it."""

from __future__ import annotations

import functools
import random
from dataclasses import dataclass
from pathlib import Path

from hexlogic.ggp import State, read_sheet
from hexlogic.language import Atom, Integer, Predicate, Program, Term
from hexlogic.language.ground.solving import least_model
from tests.ggp.sheets import found, state_facts

NEXT = Predicate("next", 1)
LOOKED = (Predicate("legal", 2), Predicate("goal", 2), Predicate("terminal", 0))


@dataclass(frozen=True)
class Seen:
    """A state, what a player asks about it, and the joint move that was drawn with the state that it leads to."""

    state: State
    legal: dict[Term, tuple[Term, ...]]
    goals: dict[Term, tuple[Term, ...]]
    terminal: bool
    moves: tuple[Term, ...] | None
    next: State | None


def initial(sheet: Program) -> State:
    return State(frozenset(atom.arguments[0] for atom in found(least_model(sheet), "init", 1)))


def after(sheet: Program, state: State, roles: tuple[Term, ...], moves: tuple[Term, ...]) -> State:
    facts = state_facts(frozenset(Atom("true", (fact,)) for fact in state.facts))
    facts += [Atom("does", pair) for pair in zip(roles, moves, strict=True)]
    return State(frozenset(atom.arguments[0] for atom in found(least_model(sheet, facts, only=[NEXT]), "next", 1)))


def look(sheet: Program, state: State) -> tuple[dict[Term, tuple[Term, ...]], dict[Term, tuple[Term, ...]], bool]:
    model = least_model(sheet, [Atom("true", (fact,)) for fact in state.facts], only=LOOKED)
    parts: list[dict[Term, tuple[Term, ...]]] = [{}, {}]
    for part, name in zip(parts, ("legal", "goal"), strict=True):
        for atom in found(model, name, 2):
            role, value = atom.arguments
            part[role] = (*part.get(role, ()), value)
    return parts[0], parts[1], Atom("terminal") in model


def roles(sheet: Program) -> tuple[Term, ...]:
    """The roles of a sheet that lists them as facts."""
    return tuple(rule.head.arguments[0] for rule in sheet.rules if rule.head and rule.head.name == "role")


def walk(sheet: Program, seed: int, longest: int) -> list[Seen]:
    chance = random.Random(seed)
    named, state, record = roles(sheet), initial(sheet), []
    for _ in range(longest):
        legal, goals, terminal = look(sheet, state)
        if terminal:
            record.append(Seen(state, legal, goals, True, None, None))
            return record
        moves = tuple(chance.choice(legal[role]) for role in named)
        coming = after(sheet, state, named, moves)
        record.append(Seen(state, legal, goals, False, moves, coming))
        state = coming
    return record


@functools.cache
def walk_of(path: Path, seed: int, longest: int = 30) -> list[Seen]:
    return walk(read_sheet(path), seed, longest)


def value(terms: tuple[Term, ...]) -> int | None:
    """The goal, where there is exactly one and it is a number."""
    return terms[0].value if len(terms) == 1 and isinstance(terms[0], Integer) else None
