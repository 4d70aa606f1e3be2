"""The ground rules of a sheet over every fact and every move that can come (`hexlogic.ggp.language.static_facts`), and
what depends on moves in them.

A fact is *autonomous* when its next value follows from other autonomous facts alone: `control` that alternates, a step
counter. No move and no other fact can change their course, so it can be worked out ahead. Since nobody asks for moves
and next states after the end, `terminal` counts as false in the bodies of `legal` and `next`.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from itertools import count

from hexlogic.errors import EngineError
from hexlogic.ggp.language.sheet import QUERIES
from hexlogic.ggp.language.static_facts import initial_facts, possible_inputs, roles_of
from hexlogic.ggp.propnet.ground_size import small_grounding
from hexlogic.language.analysis.graph import Digraph
from hexlogic.language.ground.program import GroundProgram, GroundRule, Layout, TooManyRules, ground_program
from hexlogic.language.ground.solving import cannot_ground
from hexlogic.language.syntax import Atom, Program, Term

ALWAYS, NEVER = -1, -2
"""In place of the number of an atom: it is true, or false, in every state."""

_ROUNDS = 10
"""So often facts that follow and were not foreseen are added before the rules are ground again."""


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
        return Layout(self.ground)

    @cached_property
    def does(self) -> tuple[tuple[int, ...], ...]:
        """By role and move: the number of `does(r,m)`."""
        numbers = count(len(self.facts))
        return tuple(tuple(next(numbers) for _ in moves) for moves in self.moves)

    @cached_property
    def fact_numbers(self) -> dict[Term, int]:
        """The number of each fact."""
        return {fact: number for number, fact in enumerate(self.facts)}

    @cached_property
    def rules_of(self) -> list[list[GroundRule]]:
        """By atom: the rules with it as head."""
        rules_of: list[list[GroundRule]] = [[] for _ in self.ground.atoms]
        for rule in self.ground.rules:
            rules_of[rule.head].append(rule)
        return rules_of

    @cached_property
    def order(self) -> list[int]:
        """The derived atoms, each after those it depends on; what is mutually recursive has one level."""
        level = self.layout.level
        return sorted(range(self.ground.inputs, len(self.ground.atoms)), key=lambda atom: int(level[atom]))

    @cached_property
    def recursive(self) -> frozenset[int]:
        """The atoms that depend on themselves."""
        level, rules = self.layout.level, self.ground.rules
        return frozenset(rule.head for rule in rules if any(level[part] == level[rule.head] for part in rule.positive))

    @cached_property
    def on_moves(self) -> frozenset[int]:
        """The atoms that depend on what is done in this step."""
        return self.above(number for moves in self.does for number in moves)

    @cached_property
    def on_terminal(self) -> frozenset[int]:
        """The atoms that depend on whether the game is over."""
        rules, terminal = self.ground.rules, self.terminal
        return self.above(rule.head for rule in rules if terminal in rule.body) - {terminal}

    @cached_property
    def autonomous(self) -> frozenset[int]:
        """The autonomous facts: in no course of the game do they depend on moves."""
        into_next_state = ((fact, atom, False) for fact, atom in enumerate(self.next))
        moves = (number for moves in self.does for number in moves)
        moved = Digraph([*self._edges, *into_next_state]).above(moves)
        return frozenset(range(len(self.facts))) - moved

    def above(self, atoms: Iterable[int]) -> frozenset[int]:
        """The atoms that depend on these, these included, as long as the game is not over."""
        return self._graph.above(atoms)

    @cached_property
    def _graph(self) -> Digraph[int]:
        return Digraph(self._edges, range(len(self.ground.atoms)))

    @cached_property
    def _edges(self) -> list[tuple[int, int, bool]]:
        """From heads to what is in their bodies, but for the end of the game."""
        rules, terminal = self.ground.rules, self.terminal
        return [(rule.head, part, False) for rule in rules for part in rule.body if part != terminal]


def ground_sheet(sheet: Program, most: int | None = None) -> GroundSheet | None:
    """The ground rules of a sheet; None where terms grow, so that not all that can come is known, and where there are
    more than `most` ground rules and body literals. Raises EngineError when it cannot be ground."""
    if reason := cannot_ground(sheet):
        raise EngineError(f"the sheet cannot be ground: {reason}")
    sheet = small_grounding(sheet)
    inputs = possible_inputs(sheet)
    if inputs is None:
        return None
    roles, first = roles_of(sheet), initial_facts(sheet)
    facts = tuple(atom.arguments[0] for atom in inputs if atom.name == "true")
    done = [atom for atom in inputs if atom.name == "does"]
    moves = tuple(tuple(atom.arguments[1] for atom in done if atom.arguments[0] == role) for role in roles)
    moves_of = list(zip(roles, moves, strict=True))
    does = [Atom("does", (role, move)) for role, its_moves in moves_of for move in its_moves]
    asked = tuple(predicate for predicate in QUERIES if predicate.name in ("next", "legal", "goal", "terminal"))
    for _ in range(_ROUNDS):
        try:
            ground = ground_program(sheet, [*(Atom("true", (fact,)) for fact in facts), *does], wanted=asked, most=most)
        except TooManyRules:
            return None
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
        tuple(
            tuple(find("legal", role, move) for move in its_moves) for role, its_moves in zip(roles, moves, strict=True)
        ),
        tuple(tuple((value, find("goal", role, value)) for winner, value in goals if winner == role) for role in roles),
        find("terminal"),
        ground,
    )
