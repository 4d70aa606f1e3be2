"""How large a sheet is once it is ground, and whether its ground rules go round in circles."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass

from hexlogic.gdl.language.reading import read_kif
from hexlogic.ground.least_model import least_model
from hexlogic.ground.program import GroundRule, ground_program
from hexlogic.logic import Atom, Predicate, Program
from hexlogic.logic.analysis.dependence import reachable

__all__ = ["Size", "measure_kif", "measure_sheet"]

_DECLARED = {Predicate("base", 1): "true", Predicate("input", 2): "does"}


@dataclass(frozen=True, slots=True)
class Size:
    """Ground rules with a body that is not always true, the atoms in them, and how many of these a state or a move
    brings. `cyclic`: some atom depends on itself."""

    rules: int
    atoms: int
    inputs: int
    cyclic: bool


def measure_sheet(sheet: Program) -> Size:
    """The size by clingo's grounder, with all that `base` and `input` declare as choices. Raises EngineError.

    >>> from hexlogic.gdl import read_kif
    >>> text = "(role r) (base p) (base q) (<= (next p) (true q)) (<= (next q) (true p))"
    >>> measure_sheet(read_kif(text))
    Size(rules=2, atoms=4, inputs=2, cyclic=False)
    """
    needed = reachable(sheet, _DECLARED)
    static = Program(tuple(rule for rule in sheet.rules if rule.head is not None and rule.head.predicate in needed))
    declared = least_model(static, only=_DECLARED)
    inputs = sorted((Atom(_DECLARED[atom.predicate], atom.arguments) for atom in declared), key=str)
    ground = ground_program(sheet, inputs)
    return Size(len(ground.rules), len(ground.atoms), ground.inputs, _cyclic(ground.rules))


def measure_kif(*, text: str, report: Callable[[object], None] = lambda _: None) -> Size:
    """As `measure_sheet`, of a sheet in KIF: a function for `call_isolated`, as gringo cannot be interrupted."""
    return measure_sheet(read_kif(text))


def _cyclic(rules: Iterable[GroundRule]) -> bool:
    """Whether taking away, again and again, the atoms that depend on no other leaves something."""
    edges = {(part, rule.head) for rule in rules for part in (*rule.positive, *rule.negative)}
    waiting = Counter(head for _, head in edges)
    after: dict[int, list[int]] = {}
    for part, head in edges:
        after.setdefault(part, []).append(head)
    ready = [part for part in after if not waiting[part]]
    for part in ready:
        for head in after.get(part, ()):
            waiting[head] -= 1
            if not waiting[head]:
                ready.append(head)
    return any(waiting.values())
