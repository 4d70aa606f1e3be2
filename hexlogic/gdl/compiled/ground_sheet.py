"""The ground rules of a sheet over every fact and every move that can come.

What can come is found by clingo's grounder too: what `init` and `next` name may be true, what is `legal` may be done.
`base` and `input` are asked only where terms grow, since there the rules alone would never end.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from hexlogic.engines.grounding import cannot_ground
from hexlogic.engines.machine.ground import GroundProgram, ground_program
from hexlogic.engines.machine.layout import Layout, lay_out
from hexlogic.errors import EngineError, GameError
from hexlogic.gdl.sheet import QUERIES
from hexlogic.logic.model import to_term
from hexlogic.logic.syntax import Atom, Integer, Predicate, Program, Term

__all__ = ["ALWAYS", "NEVER", "GroundSheet", "ground_sheet"]

ALWAYS, NEVER = -1, -2
"""In place of the number of an atom: it is true, or false, in every state."""


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
    goals: tuple[tuple[tuple[int, int], ...], ...]
    """By role: the values it may get, and `goal(r,value)`."""
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


def ground_sheet(sheet: Program) -> GroundSheet:
    """The ground rules of a sheet. Raises EngineError when it cannot be ground, GameError for goals that are no
    numbers and for roles or first facts that depend on a state."""
    if reason := cannot_ground(sheet):
        raise EngineError(f"the sheet cannot be ground: {reason}")
    facts, moves_by_role = _possible(sheet)
    asked = tuple(predicate for predicate in QUERIES if predicate.name in ("next", "legal", "goal", "terminal"))
    known = ground_program(sheet, (), wanted=[Predicate("role", 1), Predicate("init", 1)]).facts
    roles = _roles(sheet, known)
    moves = tuple(tuple(sorted(moves_by_role.get(role, ()), key=str)) for role in roles)
    does = [Atom("does", (role, move)) for role, own in zip(roles, moves, strict=True) for move in own]
    ground = ground_program(sheet, [*(Atom("true", (fact,)) for fact in facts), *does], wanted=asked)
    number = ground.number

    def find(name: str, *arguments: Term) -> int:
        atom = Atom(name, arguments)
        return ALWAYS if atom in ground.facts else number.get(atom, NEVER)

    return GroundSheet(
        roles,
        facts,
        moves,
        frozenset(place for place, fact in enumerate(facts) if Atom("init", (fact,)) in known),
        tuple(find("next", fact) for fact in facts),
        tuple(tuple(find("legal", role, move) for move in own) for role, own in zip(roles, moves, strict=True)),
        tuple(tuple(_goals(role, ground)) for role in roles),
        find("terminal"),
        ground,
    )


def _possible(sheet: Program) -> tuple[tuple[Term, ...], dict[Term, set[Term]]]:
    """The facts, and the moves of each role, that can come. Raises EngineError."""
    names = {rule.head.name for rule in sheet.rules if rule.head is not None}
    if {"base", "input"} <= names:
        atoms = _closure(sheet, ", base(F)", ", input(R,M)")
        covered = {atom.arguments for atom in atoms if atom.name in ("true", "does")}
        if covered >= {atom.arguments for atom in atoms if atom.name in ("next", "legal")}:
            return _sorted(atoms)
    return _sorted(_closure(sheet, "", ""))


def _closure(sheet: Program, fact_bound: str, move_bound: str) -> list[Atom]:
    """The atoms that can be true when whatever may come next is true or not, and whatever is legal is done or not."""
    import clingo

    text = [
        *(f"{rule}\n" for rule in sheet.rules if not rule.is_constraint),
        f"{{ true(F) }} :- init(F). {{ true(F) }} :- next(F){fact_bound}.\n",
        f"{{ does(R,M) }} :- legal(R,M){move_bound}.\n",
    ]
    messages: list[str] = []
    control = clingo.Control(["--warn=none"], lambda _, line: messages.append(" ".join(line.split())))
    try:
        control.add("base", [], "".join(text))
        control.ground([("base", [])])
    except RuntimeError as error:
        raise EngineError(f"clingo: {'; '.join(messages) or error}") from None
    return [
        Atom(entry.symbol.name, tuple(map(to_term, entry.symbol.arguments)))
        for name, arity in (("true", 1), ("next", 1), ("does", 2), ("legal", 2))
        for entry in control.symbolic_atoms.by_signature(name, arity)
    ]


def _sorted(atoms: Sequence[Atom]) -> tuple[tuple[Term, ...], dict[Term, set[Term]]]:
    moves: dict[Term, set[Term]] = {}
    for atom in atoms:
        if atom.name == "does":
            moves.setdefault(atom.arguments[0], set()).add(atom.arguments[1])
    return tuple(sorted((atom.arguments[0] for atom in atoms if atom.name == "true"), key=str)), moves


def _roles(sheet: Program, known: frozenset[Atom]) -> tuple[Term, ...]:
    """The roles: first those that the sheet names as facts, in its order, then those that rules derive."""
    named = [rule.head.arguments[0] for rule in sheet.rules if rule.head and rule.head.name == "role" and not rule.body]
    derived = sorted((atom.arguments[0] for atom in known if atom.name == "role"), key=str)
    return tuple(dict.fromkeys((*named, *derived)))


def _goals(role: Term, ground: GroundProgram) -> list[tuple[int, int]]:
    found = []
    for atom in sorted({*ground.facts, *ground.atoms}, key=str):
        if atom.name == "goal" and atom.arguments[0] == role:
            value = atom.arguments[1]
            if not isinstance(value, Integer):
                raise GameError(f"the goal of {role} is {value}", hint="a goal is a number from 0 to 100")
            found.append((value.value, ALWAYS if atom in ground.facts else ground.number[atom]))
    return found
