"""The control automaton of a game, with what is open in each of its phases: one role's choices and their effects.

The autonomous facts of a sheet run through a fixed sequence of *phases*: red's turn, blue's turn, red's turn. In one
phase they are constants, so `legal(red,place(X)) :- true(control(red)), not taken(X)` is `not taken(X)` there. Where
one role alone can choose, each of its moves is a known joint move, and what it changes is worked out ahead: `place(X)`
makes `cell(X,red)` true, and every other fact stays, since its frame rule says so.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import TypeAlias

from hexlogic.ggp.propnet.ground_sheet import ALWAYS, NEVER, GroundSheet
from hexlogic.ggp.propnet.random_games import whole_goal

TRUE, FALSE = 1, -1

Bodies: TypeAlias = tuple[tuple[int, ...], ...]
"""Conjunctions of literals; one of them must hold."""


class Formulas:
    """Formulas that are stored once: what two atoms of a sheet have in common has one number.

    A literal is a number: a node, or minus a node for its negation; TRUE and FALSE are literals too. A node is an input
    or a disjunction of conjunctions of literals, `bodies[n]`, None for an input; node 1 is the constant. A disjunction
    that is one literal is that literal, so copies of an atom under another name, `taken` of one cause and the like,
    cost nothing.
    """

    def __init__(self) -> None:
        self.bodies: list[Bodies | None] = [None, ((),)]
        self._known: dict[Bodies, int] = {}

    def input(self) -> int:
        """A new node that rules say nothing about, or will by `close`: one that may depend on itself."""
        self.bodies.append(None)
        return len(self.bodies) - 1

    def close(self, node: int, bodies: Iterable[Iterable[int]]) -> None:
        """Say what a new node is; conjunctions that cannot hold are left out."""
        self.bodies[node] = simplified(bodies)

    def any_of(self, bodies: Iterable[Iterable[int]]) -> int:
        """The literal that holds where one of the conjunctions does.

        >>> store = Formulas()
        >>> a, b = store.input(), store.input()
        >>> store.any_of([[a, TRUE], [b, FALSE]]) == a
        True
        >>> store.any_of([[a], [b]]) == store.any_of([[b], [a, a]])
        True
        """
        kept = simplified(bodies)
        if not kept:
            return FALSE
        if kept[0] == ():
            return TRUE
        if len(kept) == 1 and len(kept[0]) == 1:
            return kept[0][0]
        if kept not in self._known:
            self.bodies.append(kept)
            self._known[kept] = len(self.bodies) - 1
        return self._known[kept]


def simplified(bodies: Iterable[Iterable[int]]) -> Bodies:
    """The conjunctions without constants, contradictions and repetitions, sorted; `((),)` when one always holds."""
    kept: set[tuple[int, ...]] = set()
    for body in bodies:
        literals = set(body)
        literals.discard(TRUE)
        if FALSE in literals or any(-literal in literals for literal in literals):
            continue
        if not literals:
            return ((),)
        kept.add(tuple(sorted(literals)))
    singles = {body[0] for body in kept if len(body) == 1}
    if any(-literal in singles for literal in singles):
        return ((),)
    # What a single literal implies need not be said again.
    return tuple(sorted(body for body in kept if len(body) == 1 or singles.isdisjoint(body)))


Effects: TypeAlias = tuple[tuple[int, int], ...]
"""Facts, each with the literal that says whether it is true next."""

MOST_PHASES = 1_000
MOST_WORK = 100_000
"""Limits on phases, and on ground atoms evaluated again for phases and moves."""


class ControlError(Exception):
    """The sheet cannot be taken apart into phases; the text says why."""


@dataclass(frozen=True, slots=True)
class PhaseChoice:
    """A move (its number among those of its role) that is legal where `literal` holds. `effects` are the facts that it
    may change, each with the literal that says whether it is true next."""

    move: int
    literal: int
    effects: Effects


@dataclass(frozen=True, slots=True)
class Phase:
    """A state of the control automaton. `role` has the choices, -1 where no role has one; `forced` is the only move
    of each other role."""

    facts: frozenset[int]
    """The autonomous facts that are true."""
    role: int
    forced: tuple[int, ...]
    choices: tuple[PhaseChoice, ...]
    terminal: int
    goals: tuple[tuple[tuple[int, int], ...], ...]
    """By role: values, each with its literal; a value that is no number from 0 on is NO_GOAL."""
    following: int
    """The number of the phase after this one."""


@dataclass(frozen=True)
class ControlAutomaton:
    """The phases of a game in their order, and the formulas whose nodes their literals refer to."""

    phases: tuple[Phase, ...]
    formulas: Formulas
    fact_nodes: tuple[int, ...]
    """By fact: its node; 0 for an autonomous one."""
    literals: tuple[int, ...]
    """By atom: its literal; 0 for one that depends on the phase or the move."""

    @property
    def recurring(self) -> int:
        """The number of the first phase that recurs; those before it come once."""
        return self.phases[-1].following

    @cached_property
    def inputs(self) -> tuple[int, ...]:
        """The facts that are not autonomous, in their order."""
        return tuple(fact for fact, node in enumerate(self.fact_nodes) if node)

    @cached_property
    def fact_of(self) -> dict[int, int]:
        """The fact of each node that is one."""
        return {self.fact_nodes[fact]: fact for fact in self.inputs}

    def phase_of(self, true: frozenset[int]) -> int | None:
        """The number of the phase that a state, given by the numbers of its true facts, is in; None for no phase."""
        autonomous = true.difference(self.inputs)
        return next((number for number, phase in enumerate(self.phases) if phase.facts == autonomous), None)

    def asked(self) -> list[int]:
        """The literals that tell which choices are legal, the end and the goals."""
        asked = [phase.terminal for phase in self.phases]
        asked += [choice.literal for phase in self.phases for choice in phase.choices]
        return asked + [literal for phase in self.phases for goals in phase.goals for _, literal in goals]


def control_automaton(sheet: GroundSheet) -> ControlAutomaton:
    """Take a sheet apart. Raises ControlError."""
    return _Builder(sheet).build()


class _Builder:
    def __init__(self, sheet: GroundSheet) -> None:
        self.sheet = sheet
        self.store = Formulas()
        self.autonomous = sheet.autonomous
        self.work = 0
        derived = sheet.order
        on_phases = sheet.above(self.autonomous)
        self.timed = [atom for atom in derived if atom in on_phases and atom not in sheet.on_moves]
        late = sheet.on_terminal - sheet.on_moves
        self.late = [atom for atom in derived if atom in late]
        self.moved = [atom for atom in derived if atom in sheet.on_moves]
        if sheet.recursive.intersection(self.moved):
            raise ControlError("recursion depends on what is done in a step")
        free = frozenset(derived) - on_phases - sheet.on_moves
        self.values = [0] * len(sheet.ground.atoms)
        """By atom: its literal; 0 where that depends on the phase or the move."""
        for fact in range(len(sheet.facts)):
            if fact not in self.autonomous:
                self.values[fact] = self.store.input()
        self._evaluate((atom for atom in derived if atom in free), self.values, terminal=FALSE)
        edge = {
            part for atom in self.moved for rule in sheet.rules_of[atom] for part in (*rule.positive, *rule.negative)
        }
        self.edge = sorted(edge & (on_phases | self.autonomous) - sheet.on_moves)
        """The atoms by which a phase tells on what moves change."""
        self.effects: dict[tuple[object, ...], dict[int, Effects]] = {}

    def build(self) -> ControlAutomaton:
        numbers: dict[frozenset[int], int] = {}
        state = self.sheet.initial & self.autonomous
        pending = []
        while state not in numbers:
            if len(numbers) == MOST_PHASES:
                raise ControlError(f"its clock has more than {MOST_PHASES} phases")
            numbers[state] = len(numbers)
            values = self._at(state)
            following = frozenset(fact for fact in self.autonomous if self._constant(values, self.sheet.next[fact]))
            pending.append((state, values, following))
            state = following
        phases = tuple(self._phase(state, values, numbers[following]) for state, values, following in pending)
        nodes = tuple(self.values[: len(self.sheet.facts)])
        return ControlAutomaton(phases, self.store, nodes, tuple(self.values))

    def _at(self, state: frozenset[int]) -> list[int]:
        """The literals of all atoms that no move touches, while these autonomous facts are true."""
        values = self.values.copy()
        for fact in self.autonomous:
            values[fact] = TRUE if fact in state else FALSE
        self._count(len(self.timed))
        self._evaluate(self.timed, values, terminal=FALSE)
        return values

    def _phase(self, state: frozenset[int], values: list[int], following: int) -> Phase:
        options = [
            [(move, literal) for move, atom in enumerate(atoms) if (literal := self._literal(values, atom)) != FALSE]
            for atoms in self.sheet.legal
        ]
        choosing = [role for role, moves in enumerate(options) if len(moves) != 1 or moves[0][1] != TRUE]
        if len(choosing) > 1:
            names = " and ".join(str(self.sheet.roles[role]) for role in choosing[:2])
            raise ControlError(f"{names} choose at the same time")
        role = choosing[0] if choosing else -1
        forced = tuple(moves[0][0] if number != role else -1 for number, moves in enumerate(options))
        effects = self._effects(role, forced, values)
        chosen = options[role] if choosing else [(-1, TRUE)]
        ended = values.copy()
        self._evaluate(self.late, ended, terminal=TRUE)
        return Phase(
            state,
            role,
            forced,
            tuple(PhaseChoice(move, literal, effects[move]) for move, literal in chosen),
            self._literal(values, self.sheet.terminal),
            tuple(
                tuple((whole_goal(value), self._literal(ended, atom)) for value, atom in goals)
                for goals in self.sheet.goals
            ),
            following,
        )

    def _effects(self, role: int, forced: tuple[int, ...], values: list[int]) -> dict[int, Effects]:
        """What each move of the role changes; worked out once for all phases that agree on what the moves see."""
        key = (role, forced, tuple(values[atom] for atom in self.edge))
        if key in self.effects:
            return self.effects[key]
        values = values.copy()
        for number, atoms in enumerate(self.sheet.does):
            for move, atom in enumerate(atoms):
                values[atom] = TRUE if move == forced[number] else FALSE
        self._evaluate(self.moved, values, terminal=FALSE)
        moving = [fact for fact in range(len(self.sheet.facts)) if fact not in self.autonomous]
        usual = {
            fact: literal
            for fact in moving
            if (literal := self._literal(values, self.sheet.next[fact])) != values[fact]
        }
        effects = self.effects[key] = {-1: tuple(usual.items())}
        if role < 0:
            return effects
        level = self.sheet.layout.level
        fact_of = {atom: fact for fact, atom in enumerate(self.sheet.next) if atom >= 0 and fact not in self.autonomous}
        for move, atom in enumerate(self.sheet.does[role]):
            if self.sheet.legal[role][move] == NEVER:
                continue
            touched = sorted(self.sheet.above([atom]) - {atom}, key=level.__getitem__)
            self._count(len(touched))
            played = values.copy()
            played[atom] = TRUE
            self._evaluate(touched, played, terminal=FALSE)
            following = {fact_of[changed]: played[changed] for changed in touched if changed in fact_of}
            as_usual = ((fact, literal) for fact, literal in usual.items() if fact not in following)
            own = ((fact, literal) for fact, literal in following.items() if literal != values[fact])
            effects[move] = (*as_usual, *own)
        return effects

    def _count(self, atoms: int) -> None:
        """Raises ControlError when too many atoms were evaluated again."""
        self.work += atoms
        if self.work > MOST_WORK:
            raise ControlError("working out what each move changes takes too long")

    def _evaluate(self, atoms: Iterable[int], values: list[int], *, terminal: int) -> None:
        """The literals of these atoms, given in an order of levels, from those of the atoms below."""
        ended = self.sheet.terminal
        recursive = self.sheet.recursive
        opened: list[int] = []
        for atom in atoms:
            if atom in recursive:
                values[atom] = self.store.input()
                opened.append(atom)
                continue
            values[atom] = self.store.any_of(self._bodies(atom, values, ended, terminal))
        for atom in opened:
            self.store.close(values[atom], self._bodies(atom, values, ended, terminal))

    def _bodies(self, atom: int, values: list[int], ended: int, terminal: int) -> Iterator[list[int]]:
        for rule in self.sheet.rules_of[atom]:
            body = [terminal if part == ended else values[part] for part in rule.positive]
            body += [-terminal if part == ended else -values[part] for part in rule.negative]
            yield body

    def _literal(self, values: list[int], atom: int) -> int:
        if atom == ALWAYS:
            return TRUE
        if atom == NEVER:
            return FALSE
        if not values[atom]:
            raise ControlError(f"{self.sheet.ground.atoms[atom]} depends on what is done in the same step")
        return values[atom]

    def _constant(self, values: list[int], atom: int) -> bool:
        literal = self._literal(values, atom)
        if literal not in (TRUE, FALSE):
            raise ControlError("its clock is recursive")
        return literal == TRUE
