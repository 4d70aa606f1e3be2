"""Ground programs: the rules that clingo's grounder makes of a program, with the inputs as choices, as data.

`reach(P,Y) :- reach(P,X), adjacent(X,Y), owns(P,Y).` becomes `reach(red,2) :- reach(red,1), owns(red,2).` for each pair
of neighbours: what depends on no input (`adjacent`) is a fact and gone from the bodies.

A slice of a ground program (`GroundProgram.slice`) holds the rules that some atoms depend on and nothing else: for
`wins(red)` no rule about blue, unless the rules read blue's stones. Which inputs a question reads is thereby computed,
not assumed. Leaving the rest out is exact: a stratified program has one model on top of any choice, so the rest can
neither forbid a choice nor change an atom of the slice (splitting sets, Lifschitz and Turner 1994).

`Layout` is its rules as flat arrays, all of int32. Atoms have levels: a rule's body lies at its head's level or below.
`*_start` arrays have one entry more than there are atoms: the entries of atom `a` are those from `start[a]` to
`start[a + 1]` (compressed sparse rows).
"""

from __future__ import annotations

import itertools
import sys
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from operator import itemgetter
from typing import TYPE_CHECKING, Final

from hexlogic.errors import EngineError, StratificationError
from hexlogic.language import Atom, Predicate, Program
from hexlogic.language.ground.solving import grounded, to_term

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Ints = NDArray[np.int32]
    import clingo

_WARNINGS = "--warn=no-atom-undefined"


@dataclass(frozen=True, slots=True)
class GroundRule:
    """A head, -1 for a constraint, and the numbers of the atoms that must be true and false, sorted."""

    head: int
    positive: tuple[int, ...]
    negative: tuple[int, ...]

    @property
    def body(self) -> tuple[int, ...]:
        """The atoms of the body, negated or not."""
        return self.positive + self.negative


@dataclass(frozen=True)
class GroundProgram:
    """Rules over numbered atoms. The first `inputs` atoms are the inputs, in the order in which they were given; one
    that rules derive as well stands a second time further on. `facts` are true whatever the inputs are; an atom that is
    no fact and has no number is false whatever they are. `constraints` say which inputs are admitted."""

    atoms: tuple[Atom, ...]
    inputs: int
    rules: tuple[GroundRule, ...]
    facts: frozenset[Atom]
    constraints: tuple[GroundRule, ...] = ()

    @property
    def number(self) -> dict[Atom, int]:
        """The number of each atom; of an input that is also derived, the derived one."""
        return {atom: number for number, atom in enumerate(self.atoms)}

    def below(self, roots: Iterable[int]) -> set[int]:
        """The atoms that these depend on, themselves included."""
        bodies: dict[int, list[Sequence[int]]] = {}
        for rule in self.rules:
            bodies.setdefault(rule.head, []).append(rule.body)
        return _below(bodies, roots)

    def slice(self, roots: Iterable[int]) -> GroundProgram:
        """The rules that the atoms `roots` depend on, with the constraints that bind them; atoms are numbered anew.

        A constraint is left out when it holds as soon as the inputs outside the slice are false: the stones of the
        player who is not asked about may then stay in the box. What it says inside the slice is kept.
        """
        kept, binding, waiting = self.below(roots), list[GroundRule](), list(self.constraints)
        while True:
            # Satisfied by an outside input that is false: not needed, unless a later need brings that input in.
            new = [
                constraint
                for constraint in waiting
                if all(part in kept or part >= self.inputs for part in constraint.positive)
            ]
            if not new:
                break
            binding += new
            waiting = [constraint for constraint in waiting if constraint not in new]
            kept |= self.below(part for constraint in new for part in constraint.body)
        numbers = {old: new for new, old in enumerate(sorted(kept))}
        return GroundProgram(
            tuple(self.atoms[number] for number in numbers),
            sum(number < self.inputs for number in numbers),
            tuple(_renumbered(rule, numbers) for rule in self.rules if rule.head in kept),
            self.facts,
            tuple(_renumbered(rule, numbers) for rule in binding),
        )


def _renumbered(rule: GroundRule, numbers: Mapping[int, int]) -> GroundRule:
    """The rule with other numbers of its atoms; these keep their order."""
    positive, negative = (tuple(numbers[part] for part in parts) for parts in (rule.positive, rule.negative))
    return GroundRule(numbers.get(rule.head, -1), positive, negative)


class TooManyRules(EngineError):  # noqa: N818
    """Grounding that was ended at its limit."""


class _Observer:
    """Collects the ground rules. Atoms are clingo's numbers from 1, a negated one is its negative. Raises TooManyRules
    for more than `most` rules and literals of their bodies, which ends the grounding."""

    def __init__(self, most: int | None = None) -> None:
        self.room = sys.maxsize if most is None else most
        self.rules: list[tuple[int, Sequence[int]]] = []
        self.choices: list[int] = []
        self.constraints: list[Sequence[int]] = []
        self.others = 0

    def rule(self, choice: bool, head: Sequence[int], body: Sequence[int]) -> None:
        """A rule with at most one head, or a choice, which stands for inputs."""
        if choice:
            self.choices += head
        elif not head:
            self.constraints.append(tuple(body))
        elif len(head) == 1:
            self.rules.append((head[0], tuple(body)))
            self.room -= 1 + len(body) if body else 0
            if self.room < 0:
                raise TooManyRules("the ground rules are too many")
        else:
            self.others += 1

    def weight_rule(self, *_: object) -> None:
        """A rule with an aggregate, which the rule language has not."""
        self.others += 1


def ground_program(
    program: Program, inputs: Iterable[Atom], *, wanted: Iterable[Predicate] | None = None, most: int | None = None
) -> GroundProgram:
    """The ground rules of a stratified program over these possible inputs (ground atoms).

    Rules that no atom of the `wanted` predicates (the queries unless given; all for a program without queries) depends
    on are left out, and with `wanted` the facts of other predicates too. Raises EngineError when clingo refuses the
    text, and when arithmetic is undefined for some of the inputs, given or not; TooManyRules when there are more than
    `most` rules and body literals.

    >>> from hexlogic.language.parser import parse, parse_atom
    >>> program = parse("#defined p/1. q(X+1) :- p(X), r(X). r(1..2). s :- q(2), not p(2).")
    >>> for rule in ground_program(program, [parse_atom("p(1)"), parse_atom("p(2)")]).rules: print(rule)
    GroundRule(head=2, positive=(0,), negative=())
    GroundRule(head=3, positive=(1,), negative=())
    GroundRule(head=4, positive=(2,), negative=(1,))
    """
    given = tuple(dict.fromkeys(inputs))
    observer = _Observer(most)
    text = f"{program.without_constraints()}{''.join(f'{{ {atom} }}.' for atom in given)}"
    control, messages = grounded(text, _WARNINGS, observer=observer)
    if messages:
        raise EngineError(f"clingo: {'; '.join(messages)}")
    asked = program.queries if wanted is None else tuple(wanted)
    return _collect(control, observer, given, asked, all_facts=wanted is None)


def ground_text(text: str) -> GroundProgram:
    """The ground program of a text for clingo; the inputs are the atoms of its choices.

    A term whose arithmetic is undefined drops the instance of its rule. Raises EngineError with clingo's own words.

    >>> ground = ground_text("{p(1..2)}. a :- p(1). b :- a, not p(2). :- p(1), p(2).")
    >>> [str(atom) for atom in ground.atoms], ground.inputs
    (['p(1)', 'p(2)', 'a', 'b'], 2)
    >>> ground.constraints
    (GroundRule(head=-1, positive=(0, 1), negative=()),)
    """
    observer = _Observer()
    control, _ = grounded(text, _WARNINGS, observer=observer)
    return _collect(control, observer, None, (), all_facts=True)


def _collect(
    control: clingo.Control,
    observer: _Observer,
    given: tuple[Atom, ...] | None,
    wanted: Sequence[Predicate],
    *,
    all_facts: bool,
) -> GroundProgram:
    """The rules that the atoms of the `wanted` predicates (all if none) depend on, head by head, with `given` inputs.
    Without these the inputs are those of the choices, and the rules stay in the order of grounding."""
    if observer.others:
        raise EngineError("the program has rules that derive no single atom")
    facts: set[Atom] = set()
    always: set[int] = set()
    # Most atoms belong to rules that nobody needs, so only those that are kept get a name.
    symbols: dict[int, clingo.Symbol] = {}
    roots: list[int] = []
    choices: dict[int, Atom] = {}
    chosen = None if given is None else {atom.predicate for atom in given}
    for name, arity, positive in control.symbolic_atoms.signatures:
        predicate = Predicate(name, arity)
        is_wanted = not wanted or predicate in wanted
        for entry in control.symbolic_atoms.by_signature(name, arity, positive):
            number = entry.literal
            if entry.is_fact:
                always.add(number)
                if is_wanted or all_facts:
                    facts.add(_atom_of(entry.symbol))
                continue
            symbols[number] = entry.symbol
            if is_wanted:
                roots.append(number)
            if chosen is None or predicate in chosen:
                choices[number] = _atom_of(entry.symbol)
    instances = [
        # An atom can turn out to be a fact after rules with it were grounded.
        (head, [part for part in body if part not in always])
        for head, body in observer.rules
        if head in symbols and not any(-part in always for part in body)
    ]
    if given is None:
        given = tuple(dict.fromkeys(choices[number] for number in observer.choices if number in choices))
    else:
        instances.sort(key=itemgetter(0))
    bodies: dict[int, list[Sequence[int]]] = {}
    for head, body in instances:
        bodies.setdefault(head, []).append(body)
    kept = _below(bodies, roots)
    order = {atom: number for number, atom in enumerate(given)}
    # An input that rules derive as well has two numbers: the input, and the atom that follows from it.
    derived = sorted(number for number in kept if choices.get(number) not in order or number in bodies)
    new = {number: len(given) + place for place, number in enumerate(derived)}
    new |= {number: order[atom] for number, atom in choices.items() if atom in order and number not in new}

    def rule(head: int, body: Sequence[int]) -> GroundRule:
        positive = tuple(sorted({new[part] for part in body if part > 0}))
        return GroundRule(head, positive, tuple(sorted({new[-part] for part in body if part < 0})))

    heads = set(derived)
    rules = {rule(new[head], body): None for head, body in instances if head in heads}
    rules |= {GroundRule(new[n], (order[choices[n]],), ()): None for n in derived if choices.get(n) in order}
    constraints = [
        rule(-1, [part for part in body if part not in always])
        for body in observer.constraints
        if not any(-part in always for part in body)
    ]
    atoms = (*given, *(_atom_of(symbols[number]) for number in derived))
    return GroundProgram(atoms, len(given), tuple(rules), frozenset(facts), tuple(constraints))


def _atom_of(symbol: clingo.Symbol) -> Atom:
    return Atom(symbol.name, tuple(map(to_term, symbol.arguments)))


def _below(bodies: Mapping[int, Sequence[Sequence[int]]], wanted: Iterable[int]) -> set[int]:
    """The atoms that the wanted ones depend on, themselves included; a negative number is a negated atom."""
    below: set[int] = set()
    waiting = list(wanted)
    while waiting:
        number = waiting.pop()
        if number not in below:
            below.add(number)
            waiting += [abs(part) for body in bodies.get(number, ()) for part in body]
    return below


class Layout:
    """The arrays of a ground program with A atoms and R rules.

    head[R], missing[R] (body literals that do not hold while no input is true and nothing is derived), level[A],
    positive_start[A + 1] and positive (the rules with the atom in their body), negative_start and negative (the rules
    with its negation), rules_start and rules (the rules with it as head). `levels` counts the levels; where it `grows`,
    no negation is left, so that more inputs never mean fewer facts.

    Raises StratificationError for negation inside a recursion.
    """

    def __init__(self, ground: GroundProgram) -> None:
        import numpy as np

        self.atoms, self.number, self.facts, self.inputs = ground.atoms, ground.number, ground.facts, ground.inputs
        self.level = level = levels(ground)
        self.levels = int(level.max()) + 1 if len(level) else 0
        positive, negative, rules = ([list[int]() for _ in ground.atoms] for _ in range(3))
        for number, rule in enumerate(ground.rules):
            if any(level[part] == level[rule.head] for part in rule.negative):
                raise StratificationError(f"{ground.atoms[rule.head]} depends on its own negation")
            rules[rule.head].append(number)
            for part in rule.positive:
                positive[part].append(number)
            for part in rule.negative:
                negative[part].append(number)
        self.head: Ints = np.array([rule.head for rule in ground.rules], dtype=np.int32)
        self.missing: Ints = np.array([len(rule.positive) for rule in ground.rules], dtype=np.int32)
        self.positive_start, self.positive = as_rows(positive)
        self.negative_start, self.negative = as_rows(negative)
        self.rules_start, self.rules = as_rows(rules)
        self.grows = len(self.negative) == 0

    def bodies(self) -> list[tuple[int, tuple[int, ...]]]:
        """Each rule's head and the atoms that its body wants true, by number."""
        wanted: list[list[int]] = [[] for _ in self.head]
        for atom in range(len(self.atoms)):
            for rule in self.positive[self.positive_start[atom] : self.positive_start[atom + 1]]:
                wanted[rule].append(atom)
        return [(int(head), tuple(body)) for head, body in zip(self.head, wanted, strict=True)]


def as_rows(lists: Sequence[Sequence[int]]) -> tuple[Ints, Ints]:
    """Lists as compressed sparse rows: where each begins, and all entries."""
    import numpy as np

    start = np.array(list(itertools.accumulate(map(len, lists), initial=0)), dtype=np.int32)
    return start, np.array([entry for entries in lists for entry in entries], dtype=np.int32)


_INTERPRETED_EDGES: Final = 10_000


def levels(ground: GroundProgram) -> Ints:
    """The level of each atom: the longest way up to its component, so that what is equally deep shares a level."""
    import numpy as np

    from hexlogic.language.ground.levels import longest_ways

    count = len(ground.atoms)
    below = np.array([part for rule in ground.rules for part in (*rule.positive, *rule.negative)], dtype=np.int32)
    above = np.array([rule.head for rule in ground.rules for _ in (*rule.positive, *rule.negative)], dtype=np.int32)
    start = np.concatenate(([0], np.cumsum(np.bincount(below, minlength=count)))).astype(np.int32)
    # For few edges the compiled form takes longer to load than this.
    ways = longest_ways if len(below) > _INTERPRETED_EDGES else longest_ways.py_func
    levels: Ints = ways(start, above[np.argsort(below, kind="stable")])
    return levels
