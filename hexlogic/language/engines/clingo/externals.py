"""Ground rules in a clingo control where the inputs are externals: a change is an assignment, a look is a solve.

    owns(red,1)                      #external a1.
    reach(red,1) :- owns(red,1).     a9 :- a1.

Only the rules that somebody asks about are in it.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from hexlogic.errors import EngineError
from hexlogic.language.ground.program import GroundProgram

if TYPE_CHECKING:
    import clingo


class Externals:
    """The rules that some atoms depend on, in a control where the inputs among their atoms are externals, at first
    false. Atoms are known by their numbers in the ground program."""

    def __init__(self, ground: GroundProgram, atoms: Iterable[int]) -> None:
        import clingo

        wanted = tuple(atoms)
        # The unique model needs no heuristic: no choice is ever wrong.
        self._control = clingo.Control(["--warn=none", "--heuristic=None"])
        self._control.enable_cleanup = False
        used = sorted(ground.below(wanted))
        with self._control.backend() as backend:
            own = {number: backend.add_atom() for number in used}
            for number in used:
                if number < ground.inputs:
                    backend.add_external(own[number])
            for rule in (rule for rule in ground.rules if rule.head in own):
                body = [*(own[part] for part in rule.positive), *(-own[part] for part in rule.negative)]
                backend.add_rule([own[rule.head]], body)
        self.inputs = {number: own[number] for number in used if number < ground.inputs}
        """The inputs on which the atoms depend."""
        self._wanted = [(number, own[number]) for number in wanted]
        self._true: list[int] = []

    def assign(self, number: int, value: bool) -> None:
        """Make one of `inputs` true or false."""
        self._control.assign_external(self.inputs[number], value)

    def true(self) -> list[int]:
        """Those of the atoms that are in the model, in the order in which they were named. Raises EngineError when
        there is no model."""
        if not self._control.solve(on_model=self._read).satisfiable:
            raise EngineError("clingo found no stable model", hint="is the program stratified?")
        return self._true

    def _read(self, model: clingo.Model) -> None:
        self._true = [number for number, atom in self._wanted if model.is_true(atom)]
