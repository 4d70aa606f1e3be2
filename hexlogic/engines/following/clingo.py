"""clingo in a game: grounded once, the inputs are externals, a move is an assignment and a solve.

    owns(red,1)                      #external a1.
    reach(red,1) :- owns(red,1).     a9 :- a1.

Each query has a control of its own, with the rules that it depends on. A red stone that cannot change `wins(blue)` then
costs one solve, over half of the rules.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Self

from hexlogic.engines.base import require_ground
from hexlogic.engines.following.looking import LookingFollower
from hexlogic.engines.machine.ground import GroundProgram, GroundRule, ground_program
from hexlogic.errors import EngineError
from hexlogic.logic import Atom, Program

if TYPE_CHECKING:
    import clingo

__all__ = ["ClingoFollower", "follow"]


class _Query:
    """The rules that one atom depends on, in a control where the inputs among their atoms are externals."""

    def __init__(self, ground: GroundProgram, atom: int) -> None:
        import clingo

        # The unique model needs no heuristic: no choice is ever wrong.
        self._control = clingo.Control(["--warn=none", "--heuristic=None"])
        self._control.enable_cleanup = False
        rules = _rules_below(ground, atom)
        used = sorted({atom, *(part for rule in rules for part in (rule.head, *rule.positive, *rule.negative))})
        with self._control.backend() as backend:
            own = {number: backend.add_atom() for number in used}
            for number in used:
                if number < ground.inputs:
                    backend.add_external(own[number])
            for rule in rules:
                body = [*(own[part] for part in rule.positive), *(-own[part] for part in rule.negative)]
                backend.add_rule([own[rule.head]], body)
        self.inputs = {number: own[number] for number in used if number < ground.inputs}
        self._atom = own[atom]
        self._holds = False

    def assign(self, number: int, value: bool) -> None:
        """Make one of `inputs` true or false."""
        self._control.assign_external(self.inputs[number], value)

    def holds(self) -> bool:
        """Whether the atom is in the model. Raises EngineError when there is none."""
        if not self._control.solve(on_model=self._read).satisfiable:
            raise EngineError("clingo found no stable model", hint="is the program stratified?")
        return self._holds

    def _read(self, model: clingo.Model) -> None:
        self._holds = model.is_true(self._atom)


class ClingoFollower(LookingFollower):
    """Controls in which the inputs are externals. A copy has controls of its own and grounds nothing anew."""

    def __init__(self, ground: GroundProgram, inputs: Sequence[Atom], queries: Sequence[Atom]) -> None:
        super().__init__(inputs, queries)
        self._ground = ground
        numbers = ground.number
        self._always = sum(1 << place for place, query in enumerate(queries) if query in ground.facts)
        self._queries = {
            place: _Query(ground, numbers[query])
            for place, query in enumerate(queries)
            if query in numbers and query not in ground.facts
        }
        self._changed = dict.fromkeys(self._queries)
        """The queries that have been told of a change since they were asked last."""
        self._bits = self._always
        self._begin()

    def close(self) -> None:
        """Let the controls go."""
        super().close()
        self._queries = {}

    def _again(self) -> Self:
        return type(self)(self._ground, self.inputs, self.queries)

    def _put(self, number: int) -> None:
        self._assign(number, True)

    def _take(self, number: int) -> None:
        self._assign(number, False)

    def _assign(self, number: int, value: bool) -> None:
        for place, query in self._queries.items():
            if number in query.inputs:
                query.assign(number, value)
                self._changed[place] = None

    def _look(self) -> int:
        for place in list(self._changed):
            bit = 1 << place
            self._bits = self._bits | bit if self._queries[place].holds() else self._bits & ~bit
            del self._changed[place]
        return self._bits


def follow(program: Program, inputs: Sequence[Atom], queries: Sequence[Atom]) -> ClingoFollower:
    """The follower of a stratified program. Raises EngineError when clingo cannot ground it."""
    require_ground(inputs, *queries)
    ground = ground_program(program, inputs, wanted=[query.predicate for query in queries])
    return ClingoFollower(ground, inputs, queries)


def _rules_below(ground: GroundProgram, atom: int) -> list[GroundRule]:
    """The rules that an atom depends on."""
    of_head: dict[int, list[GroundRule]] = {}
    for rule in ground.rules:
        of_head.setdefault(rule.head, []).append(rule)
    found: list[GroundRule] = []
    seen, waiting = {atom}, [atom]
    while waiting:
        for rule in of_head.get(waiting.pop(), ()):
            found.append(rule)
            new = {*rule.positive, *rule.negative} - seen
            seen |= new
            waiting += sorted(new)
    return found
