"""Facts that a sheet keeps from move to move and that follow from its other facts: they need not be kept at all.

    next(linked(P,X)) :- true(linked(P,X)).      next(linked(P,X)) :- fresh(P,X).
    fresh(P,X) :- does(P,place(X)), first(P,X).  fresh(P,Y) :- fresh(P,X), adjacent(X,Y), true(stone(P,Y)).

Read without time, `does(P,place(X))` as the `stone(P,X)` that it leaves behind, these rules say what is linked in one
state: recursion no longer depends on what is done in a step. A reading holds for all states of the game when

- each fact in it is kept for ever once it is true, and each move leaves its fact behind. Then what the step derives,
  the reading derives in the next state: literals were only left out;
- conversely, the next state is closed under the rules of the reading wherever the state is. clingo finds no state and
  no legal moves for which it is not.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property

from hexlogic.ggp.propnet.dependence import Dependence
from hexlogic.ggp.propnet.ground_sheet import ALWAYS, NEVER, GroundSheet
from hexlogic.language import Atom
from hexlogic.language.ground.program import GroundProgram, GroundRule
from hexlogic.language.names import internal_name

_Rules = dict[int, list[frozenset[int]]]
"""By atom: the positive bodies of the reading without time."""


@dataclass(frozen=True)
class KeptFacts:
    """A sheet without the facts `kept`, which follow from the others by `rules`; atoms have the numbers of `sheet`."""

    sheet: GroundSheet
    kept: frozenset[int]
    rules: _Rules

    def closure(self, true: Iterable[int]) -> frozenset[int]:
        """The kept facts that follow from facts that are not kept."""
        found = set(true)
        changed = True
        while changed:
            new = {head for head, bodies in self.rules.items() if any(body <= found for body in bodies)} - found
            changed = bool(new)
            found |= new
        return self.kept & found

    def without(self, true: frozenset[int]) -> frozenset[int] | None:
        """A state as one of `reduced`; None where its kept facts are not those that follow."""
        rest = true - self.kept
        return frozenset(self._renumbered[fact] for fact in rest) if self.closure(rest) == true & self.kept else None

    def whole(self, true: Iterable[int]) -> frozenset[int]:
        """A state of `reduced` as one of the sheet."""
        rest = frozenset(self._rest[fact] for fact in true)
        return rest | self.closure(rest)

    @cached_property
    def _rest(self) -> list[int]:
        return [fact for fact in range(len(self.sheet.facts)) if fact not in self.kept]

    @cached_property
    def _renumbered(self) -> dict[int, int]:
        return {fact: number for number, fact in enumerate(self._rest)}

    @cached_property
    def reduced(self) -> GroundSheet:
        """The sheet in which the kept facts are derived."""
        old, sheet = self.sheet.ground, self.sheet
        rest = self._rest
        count = len(sheet.facts)
        derived = [*rest, *range(count, len(old.atoms))]
        number = {atom: place for place, atom in enumerate(derived)}
        reading = {atom: len(derived) + place for place, atom in enumerate(self.rules)}
        new_of = {**number, **{fact: reading.get(fact, NEVER) for fact in self.kept}}
        dropped = {sheet.next[fact] for fact in self.kept}
        rules = []
        for rule in old.rules:
            if rule.head not in dropped and NEVER not in (positive := [new_of[part] for part in rule.positive]):
                negative = [found for part in rule.negative if (found := new_of[part]) != NEVER]
                rules.append(GroundRule(new_of[rule.head], tuple(sorted(positive)), tuple(sorted(negative))))
        for head, bodies in self.rules.items():
            for body in bodies:
                positive = [reading.get(part, number.get(part, NEVER)) for part in body]
                rules.append(GroundRule(reading[head], tuple(sorted(positive)), ()))
        names = [Atom(internal_name("kept", old.atoms[atom].name), old.atoms[atom].arguments) for atom in self.rules]
        atoms = (*(old.atoms[atom] for atom in derived), *names)

        def moved(atom: int) -> int:
            return atom if atom in (ALWAYS, NEVER) else number[atom]

        return GroundSheet(
            sheet.roles,
            tuple(sheet.facts[fact] for fact in rest),
            sheet.moves,
            frozenset(self._renumbered[fact] for fact in sheet.initial - self.kept),
            tuple(moved(sheet.next[fact]) for fact in rest),
            tuple(tuple(map(moved, own)) for own in sheet.legal),
            tuple(tuple((value, moved(atom)) for value, atom in goal) for goal in sheet.goals),
            moved(sheet.terminal),
            _needed(GroundProgram(atoms, old.inputs - len(self.kept), tuple(rules), old.facts), sheet, moved, rest),
        )


def _needed(ground: GroundProgram, sheet: GroundSheet, moved: object, rest: Iterable[int]) -> GroundProgram:
    """The rules on which an answer to a player depends."""
    assert callable(moved)
    asked = [moved(sheet.next[fact]) for fact in rest] + [moved(sheet.terminal)]
    asked += [moved(atom) for own in sheet.legal for atom in own] + [moved(a) for goal in sheet.goals for _, a in goal]
    below = ground.below([atom for atom in asked if atom >= 0])
    rules = tuple(rule for rule in ground.rules if rule.head in below)
    return GroundProgram(ground.atoms, ground.inputs, rules, ground.facts)


def kept_facts(sheet: GroundSheet) -> KeptFacts | None:
    """The facts of a sheet whose rules are recursive and depend on what is done in a step, with a reading of the rules
    that is proved; None where there are none or where there is no such reading."""
    known = Dependence(sheet)
    circles = known.recursive & known.on_moves
    above = known.above(circles)
    kept = frozenset(fact for fact, atom in enumerate(sheet.next) if atom in above)
    if not circles or not kept:
        return None
    frames = {fact for fact, atom in enumerate(sheet.next) if atom >= 0 and (fact,) in _sure(known, atom)}
    if not kept <= frames:
        return None
    left_behind = {
        body[0]: fact for fact in frames - kept for body in _sure(known, sheet.next[fact]) if body != (fact,) if body
        if len(body) == 1 and len(sheet.facts) <= body[0] < sheet.ground.inputs
    }  # fmt: skip
    reading = _reading(sheet, known, kept, frames, left_behind)
    found = KeptFacts(sheet, kept, reading)
    if found.closure(sheet.initial - kept) != sheet.initial & kept:
        return None
    return found if _closed(sheet, kept, reading) else None


def _sure(known: Dependence, atom: int) -> list[tuple[int, ...]]:
    """The bodies without negation."""
    return [rule.positive for rule in known.rules_of[atom] if not rule.negative]


def _reading(
    sheet: GroundSheet, known: Dependence, kept: frozenset[int], frames: set[int], left_behind: dict[int, int]
) -> _Rules:
    """The rules for the kept facts without time: what does not stay is left out of bodies."""
    facts = len(sheet.facts)
    rules: _Rules = {}
    waiting = sorted(kept)
    while waiting:
        head = waiting.pop()
        if head in rules:
            continue
        source = sheet.next[head] if head < facts else head
        bodies: set[frozenset[int]] = set()
        for rule in known.rules_of[source]:
            if head < facts and rule.positive == (head,):
                continue
            parts = {left_behind.get(part, part) for part in rule.positive}
            body = frozenset(p for p in parts if p in kept or p in frames or p >= sheet.ground.inputs)
            bodies.add(body)
            waiting += [part for part in body if part in kept or part >= facts]
        rules[head] = sorted(bodies, key=sorted)
    return rules


def _closed(sheet: GroundSheet, kept: frozenset[int], reading: _Rules) -> bool:
    """Whether each state that a legal step leads to from a state that is closed under the reading is closed too.

    A derived atom of the reading stands for the kept fact that follows from it and from nothing else.
    """
    import clingo

    stands_for = {
        next(iter(bodies[0])): fact for fact, bodies in reading.items()
        if fact in kept and len(bodies) == 1 and len(bodies[0]) == 1
    }  # fmt: skip
    pairs = [
        (stands_for.get(head, head), frozenset(stands_for.get(part, part) for part in body))
        for head, bodies in reading.items() for body in bodies
    ]  # fmt: skip
    facts = len(sheet.facts)
    pairs = [(head, body) for head, body in pairs if head not in body]
    if any(atom >= facts for head, body in pairs for atom in (head, *body)):
        return False
    control = clingo.Control(["--warn=none"])
    violations = []
    with control.backend() as backend:
        own = [backend.add_atom() for _ in sheet.ground.atoms]
        backend.add_rule(own[: sheet.ground.inputs], [], choice=True)
        for rule in sheet.ground.rules:
            literals = [*(own[part] for part in rule.positive), *(-own[part] for part in rule.negative)]
            backend.add_rule([own[rule.head]], literals)
        always = backend.add_atom()
        backend.add_rule([always])
        never = backend.add_atom()
        literal = {ALWAYS: always, NEVER: never, **dict(enumerate(own))}
        for legal, does in zip(sheet.legal, sheet.does, strict=True):
            backend.add_weight_rule([one := backend.add_atom()], 1, [(own[atom], 1) for atom in does])
            backend.add_weight_rule([two := backend.add_atom()], 2, [(own[atom], 1) for atom in does])
            backend.add_rule([], [-one])
            backend.add_rule([], [two])
            for move, atom in zip(does, legal, strict=True):
                backend.add_rule([], [own[move], -literal[atom]])
        backend.add_rule([], [literal[sheet.terminal]])
        for head, body in pairs:
            backend.add_rule([], [*(own[part] for part in body), -own[head]])
            after = [literal[sheet.next[part]] for part in body]
            backend.add_rule([one := backend.add_atom()], [*after, -literal[sheet.next[head]]])
            violations.append(one)
    # One at a time: a violation leaves little to decide but the move, and propagation refutes it.
    return not any(control.solve(assumptions=[atom]).satisfiable for atom in violations)
