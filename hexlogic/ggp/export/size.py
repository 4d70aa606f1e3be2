"""How large a sheet is once it is ground, and whether its ground rules go round in circles."""

from __future__ import annotations

from dataclasses import dataclass

from hexlogic.ggp.language.reading import read_kif
from hexlogic.language import Atom, Predicate, Program
from hexlogic.language.analysis.dependence import rules_below
from hexlogic.language.ground.layout import levels
from hexlogic.language.ground.program import ground_program
from hexlogic.language.ground.solving import least_model

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

    >>> from hexlogic.ggp import read_kif
    >>> text = "(role r) (base p) (base q) (<= (next p) (true q)) (<= (next q) (true p))"
    >>> measure_sheet(read_kif(text))
    Size(rules=2, atoms=4, inputs=2, cyclic=False)
    """
    declared = least_model(rules_below(sheet, _DECLARED), only=_DECLARED)
    inputs = sorted((Atom(_DECLARED[atom.predicate], atom.arguments) for atom in declared), key=str)
    ground = ground_program(sheet, inputs)
    level = levels(ground).tolist()
    cyclic = any(level[part] == level[rule.head] for rule in ground.rules for part in rule.body)
    return Size(len(ground.rules), len(ground.atoms), ground.inputs, cyclic)


def measure_kif(text: str) -> Size:
    """As `measure_sheet`, of a sheet in KIF: for a child process, as gringo cannot be interrupted."""
    return measure_sheet(read_kif(text))
