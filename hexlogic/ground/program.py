"""Ground rules for every position at once: clingo's grounder, with the inputs as choices.

`reach(P,Y) :- reach(P,X), adjacent(X,Y), owns(P,Y).` becomes `reach(red,2) :- reach(red,1), owns(red,2).` for each pair
of neighbours: what depends on no input (`adjacent`) is a fact and gone from the bodies.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from hexlogic.errors import EngineError
from hexlogic.ground.least_model import to_term
from hexlogic.logic import Atom, Predicate, Program

if TYPE_CHECKING:
    import clingo

__all__ = ["GroundProgram", "GroundRule", "ground_program"]


@dataclass(frozen=True, slots=True)
class GroundRule:
    """A head and the atoms that must be true and false for it, by their numbers, each once and sorted."""

    head: int
    positive: tuple[int, ...]
    negative: tuple[int, ...]


@dataclass(frozen=True)
class GroundProgram:
    """Rules over numbered atoms. The first `inputs` atoms are the inputs, in the order in which they were given; one
    that rules derive as well stands a second time further on. `facts` are true whatever the inputs are."""

    atoms: tuple[Atom, ...]
    inputs: int
    rules: tuple[GroundRule, ...]
    facts: frozenset[Atom]

    @property
    def number(self) -> dict[Atom, int]:
        """The number of each atom; of an input that is also derived, the derived one."""
        return {atom: number for number, atom in enumerate(self.atoms)}


class _Observer:
    """Hears the ground rules."""

    def __init__(self) -> None:
        self.rules: list[tuple[int, Sequence[int]]] = []
        self.others = 0

    def rule(self, choice: bool, head: Sequence[int], body: Sequence[int]) -> None:
        """A rule: choices are the inputs, everything else has one head."""
        if choice:
            return
        if len(head) != 1:
            self.others += 1
        else:
            self.rules.append((head[0], tuple(body)))


def ground_program(
    program: Program, inputs: Iterable[Atom], *, wanted: Iterable[Predicate] | None = None
) -> GroundProgram:
    """The ground rules of a stratified program over these possible inputs (ground atoms).

    Rules that no atom of the `wanted` predicates (the queries unless given; all for a program without queries) depends
    on are left out. Raises EngineError when clingo refuses the text, and when arithmetic is undefined for
    some of the inputs, given or not.

    >>> from hexlogic.logic.parser import parse, parse_atom
    >>> program = parse("#defined p/1. q(X+1) :- p(X), r(X). r(1..2). s :- q(2), not p(2).")
    >>> for rule in ground_program(program, [parse_atom("p(1)"), parse_atom("p(2)")]).rules: print(rule)
    GroundRule(head=2, positive=(0,), negative=())
    GroundRule(head=3, positive=(1,), negative=())
    GroundRule(head=4, positive=(2,), negative=(1,))
    """
    import clingo

    given = tuple(dict.fromkeys(inputs))
    messages: list[str] = []

    def log(_: object, text: str) -> None:
        messages.append(" ".join(text.split()))

    control = clingo.Control(["--warn=no-atom-undefined"], log)
    observer = _Observer()
    control.register_observer(observer)  # type: ignore[arg-type]
    deriving = program.with_rules(tuple(rule for rule in program.rules if not rule.is_constraint))
    try:
        control.add("base", [], str(deriving))
        control.add("base", [], "".join(f"{{ {atom} }}.\n" for atom in given))
        control.ground([("base", [])])
    except RuntimeError as error:
        raise EngineError(f"clingo: {'; '.join(messages) or error}") from None
    if messages:
        raise EngineError(f"clingo: {'; '.join(messages)}")
    if observer.others:
        raise EngineError("the program has rules that derive no single atom")
    return _collect(control, observer, given, program.queries if wanted is None else tuple(wanted))


def _collect(
    control: clingo.Control, observer: _Observer, given: tuple[Atom, ...], wanted: Sequence[Predicate]
) -> GroundProgram:
    facts: set[Atom] = set()
    always: set[int] = set()
    names: dict[int, Atom] = {}
    for entry in control.symbolic_atoms:
        atom = Atom(entry.symbol.name, tuple(map(to_term, entry.symbol.arguments)))
        if entry.is_fact:
            facts.add(atom)
            always.add(entry.literal)
        else:
            names[entry.literal] = atom
    heads: dict[int, list[Sequence[int]]] = {}
    for head, body in observer.rules:
        # An atom can turn out to be a fact after rules with it were grounded.
        if head in names and not any(-part in always for part in body):
            heads.setdefault(head, []).append([part for part in body if part not in always])
    kept = _needed(heads, [number for number, atom in names.items() if not wanted or atom.predicate in wanted])
    order = {atom: number for number, atom in enumerate(given)}
    # An input that rules derive as well has two numbers: the input, and the atom that follows from it.
    derived = sorted(number for number in kept if names[number] not in order or number in heads)
    new = {number: len(given) + place for place, number in enumerate(derived)}
    new |= {number: order[atom] for number, atom in names.items() if atom in order and number not in new}
    rules = {
        GroundRule(
            new[head],
            tuple(sorted({new[part] for part in body if part > 0})),
            tuple(sorted({new[-part] for part in body if part < 0})),
        ): None
        for head in derived
        for body in heads.get(head, ())
    }
    rules |= {GroundRule(new[n], (order[names[n]],), ()): None for n in derived if names[n] in order}
    return GroundProgram((*given, *(names[number] for number in derived)), len(given), tuple(rules), frozenset(facts))


def _needed(heads: dict[int, list[Sequence[int]]], wanted: Iterable[int]) -> set[int]:
    """The atoms that the wanted ones depend on, themselves included."""
    found: set[int] = set()
    waiting = list(wanted)
    while waiting:
        number = waiting.pop()
        if number not in found:
            found.add(number)
            waiting += [abs(part) for body in heads.get(number, ()) for part in body]
    return found
