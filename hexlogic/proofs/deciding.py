"""Decide by clingo whether two atoms can ever differ over a choice of inputs: the miter of the page "Proofs".

In parts, which show how far a long proof is: the values of some inputs are assumed, each combination in turn.
"""

from __future__ import annotations

import itertools
import math
import re
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Literal, TypeAlias

from hexlogic.language.ground.program import GroundProgram, ground_text

if TYPE_CHECKING:
    import clingo

Decision: TypeAlias = Literal["equal", "different", "unfinished"]

_COUNTABLE = 12
"""Input atoms tied together by constraints whose combinations are counted one by one; more are not counted."""
_SPLIT = 6
"""One input of so many is assumed where a question is solved in parts: the larger the board, the more parts."""
_SOON_S = 3.0
"""A search that ends within so many seconds is not done in parts, which cost it about twice the time."""


@dataclass(frozen=True, slots=True)
class AtomPair:
    """Can `left` and `right`, ground atoms as text, differ? `label` names the question, for people."""

    label: str
    left: str
    right: str


@dataclass(frozen=True, slots=True)
class Ruling:
    """What clingo found about one question.

    `inputs` are the input atoms that the question reads, `positions` the number of their allowed combinations (None
    when it was not counted), `model` the input atoms of the counter-example, `smallest` whether no smaller one
    exists. Seconds are wall time, except `cpu_s`.
    """

    label: str
    verdict: Decision
    inputs: tuple[str, ...]
    positions: int | None
    ground_rules: int
    choices: int = 0
    conflicts: int = 0
    ground_s: float = 0.0
    solve_s: float = 0.0
    cpu_s: float = 0.0
    model: tuple[str, ...] = ()
    smallest: bool = False


def decide(
    text: str,
    questions: Sequence[AtomPair],
    *,
    parts: int = 1,
    time_s: float | None = None,
    report: Callable[[str], None] = lambda _: None,
) -> list[Ruling]:
    """Answer the questions in order; stops at the first one that is not answered "equal".

    `text` holds the joint program and the choice over its inputs. A question that takes long is solved in at most so
    many `parts`, and `report` is told how many positions are done.
    """
    began, deadline = time.process_time(), math.inf if time_s is None else time.monotonic() + time_s
    wall = time.perf_counter()
    program = ground_text(text)
    numbers = {str(atom): number for atom, number in program.number.items()}
    ground_s = time.perf_counter() - wall
    report(f"grounded: {_size(program):,} rules in {ground_s:.1f} s")
    rulings: list[Ruling] = []
    for question in questions:
        part = program.slice(numbers[atom] for atom in (question.left, question.right) if atom in numbers)
        inputs = tuple(sorted(map(str, part.atoms[: part.inputs]), key=_by_number))
        blank = Ruling(question.label, "equal", inputs, _count(part), _size(part), ground_s=ground_s)
        bits = min(parts.bit_length() - 1, part.inputs // _SPLIT)
        ruling = _solve(blank, question, part, deadline, bits, report)
        rulings.append(replace(ruling, cpu_s=time.process_time() - began))
        began, ground_s = time.process_time(), 0.0
        report(f"{question.label}: {ruling.verdict} after {ruling.solve_s:.1f} s")
        if ruling.verdict != "equal":
            break
    return rulings


def _size(program: GroundProgram) -> int:
    """The rules of a ground program, the constraints and the choices of its inputs included."""
    return len(program.rules) + len(program.constraints) + program.inputs


def _solve(
    blank: Ruling, question: AtomPair, part: GroundProgram, deadline: float, bits: int, report: Callable[[str], None]
) -> Ruling:
    """Solve one question; when that takes long, for each combination of `bits` inputs in the middle of the board. When
    one of them has a counter-example, the smallest one of all is looked for."""
    import clingo

    control = clingo.Control(["--warn=none", "--stats"])
    numbers = _load(control, question, part)
    stones: list[int] | None = None
    wall = time.perf_counter()
    choices = conflicts = 0

    def search(on_model: Callable[[clingo.Model], bool | None], until: float, assumed: Sequence[int] = ()) -> bool:
        """Whether the search was completed."""
        nonlocal choices, conflicts
        with control.solve(assumed, async_=True, on_model=on_model) as handle:
            while not handle.wait(min(1.0, max(0.0, until - time.monotonic()))):
                if time.monotonic() >= until:
                    handle.cancel()
                    break
            exhausted = bool(handle.get().exhausted)
        solver = control.statistics["solving"]["solvers"]
        choices += int(solver["choices"])
        conflicts += int(solver["conflicts"])
        return exhausted

    def keep(model: clingo.Model) -> None:
        nonlocal stones
        stones = [atom for atom in range(part.inputs) if model.is_true(numbers[atom])]

    def first(model: clingo.Model) -> bool:
        keep(model)
        return False

    exhausted = search(keep, min(deadline, time.monotonic() + _SOON_S) if bits else deadline)
    if bits and stones is None and not exhausted:
        middle = numbers[(part.inputs - bits) // 2 :][:bits]
        total = blank.positions or 2**part.inputs
        for done, signs in enumerate(itertools.product((-1, 1), repeat=bits)):
            report(f"{question.label}: {total * done >> bits:,} of {total:,} positions")
            exhausted = search(first, deadline, [sign * atom for sign, atom in zip(signs, middle, strict=True)])
            if stones is not None or not exhausted:
                break
    if bits and stones is not None and not exhausted:
        exhausted = search(keep, deadline)
    verdict: Decision = "different" if stones is not None else "equal" if exhausted else "unfinished"
    model = tuple(sorted((str(part.atoms[atom]) for atom in stones or ()), key=_by_number))
    return replace(
        blank,
        verdict=verdict,
        model=model,
        smallest=stones is not None and exhausted,
        choices=choices,
        conflicts=conflicts,
        solve_s=time.perf_counter() - wall,
    )


def _load(control: clingo.Control, question: AtomPair, part: GroundProgram) -> list[int]:
    """Give clasp the slice, the difference and the objective; returns clasp's number of each atom."""
    with control.backend() as backend:
        numbers = [int(backend.add_atom()) for _ in part.atoms]
        always, never, different = (int(backend.add_atom()) for _ in range(3))
        backend.add_rule([always])
        place, facts = {str(atom): number for atom, number in part.number.items()}, set(map(str, part.facts))

        def named(atom: str) -> int:
            if atom in facts:
                return always
            return numbers[place[atom]] if atom in place else never

        for atom in range(part.inputs):
            backend.add_rule([numbers[atom]], [], True)
        for rule in (*part.rules, *part.constraints):
            body = [*(numbers[atom] for atom in rule.positive), *(-numbers[atom] for atom in rule.negative)]
            backend.add_rule([numbers[rule.head]] if rule.head >= 0 else [], body)
        left, right = named(question.left), named(question.right)
        backend.add_rule([different], [left, -right])
        backend.add_rule([different], [right, -left])
        backend.add_rule([], [-different])
        backend.add_minimize(0, [(numbers[atom], 1) for atom in range(part.inputs)])
    return numbers


def _count(part: GroundProgram) -> int | None:
    """How many combinations of the inputs the constraints allow: `2^inputs` without any constraint."""
    if any(atom >= part.inputs for constraint in part.constraints for atom in constraint.body):
        return None
    groups = {atom: frozenset({atom}) for atom in range(part.inputs)}
    for constraint in part.constraints:
        merged = frozenset().union(*(groups[atom] for atom in constraint.body))
        groups.update(dict.fromkeys(merged, merged))
    total = 1
    for group in set(groups.values()):
        if len(group) > _COUNTABLE:
            return None
        subsets = (set(each) for size in range(len(group) + 1) for each in itertools.combinations(group, size))
        excluded = [constraint for constraint in part.constraints if group.intersection(constraint.body)]
        total *= sum(
            not any(chosen.issuperset(each.positive) and chosen.isdisjoint(each.negative) for each in excluded)
            for chosen in subsets
        )
    return total


def _by_number(atom: str) -> list[tuple[int, int, str]]:
    """`owns(red,2)` before `owns(red,10)`."""
    return [(0, int(part), "") if part.isdigit() else (1, 0, part) for part in re.split(r"(\d+)", atom)]
