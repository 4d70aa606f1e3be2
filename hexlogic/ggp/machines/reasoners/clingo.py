"""clingo as the reasoner: the sheet is ground once, what is true and done are externals, a question is a solve.

    true(cell(1,1,b))  does(x,mark(1,1))  ...     #external a1.  #external a2.  ...
    next(cell(1,1,x)) :- does(x,mark(1,1)).       a9 :- a2.

There are two controls: what a player asks about a state (`legal`, `goal`, `terminal`), and `next`, which needs the
moves too. A state that the ground rules do not know, because its terms grow or somebody made it up, is ground by
itself.
"""

from collections.abc import Iterable, Sequence

from hexlogic.errors import EngineError
from hexlogic.ggp.language.static_facts import possible_inputs
from hexlogic.ggp.machines.state_machine import State, StateMachine, goal_values
from hexlogic.language import Atom, Predicate, Program, Term
from hexlogic.language.engines.clingo import ENGINE, Externals
from hexlogic.language.ground.program import GroundProgram, ground_program
from hexlogic.language.ground.solving import least_model

_LOOKED = (Predicate("legal", 2), Predicate("goal", 2), Predicate("terminal", 0))
_NEXT = Predicate("next", 1)


class _Asked:
    """Some queries over the ground rules."""

    def __init__(self, ground: GroundProgram, queries: Sequence[Predicate]) -> None:
        found = [(number, atom) for number, atom in enumerate(ground.atoms) if atom.predicate in queries]
        self._always = [atom for atom in ground.facts if atom.predicate in queries]
        self._name = dict(found)
        self._rules = Externals(ground, self._name)
        self._on: frozenset[int] = frozenset()

    def answers(self, inputs: Iterable[int]) -> list[Atom]:
        """The atoms that hold when exactly these inputs are true."""
        wanted = frozenset(inputs) & self._rules.inputs.keys()
        for number in wanted ^ self._on:
            self._rules.assign(number, number in wanted)
        self._on = wanted
        return self._always + [self._name[number] for number in self._rules.true()]


class ClingoMachine(StateMachine):
    """A sheet in clingo. Raises EngineError when it cannot be ground."""

    reasoner = "clingo"

    def __init__(self, sheet: Program) -> None:
        super().__init__(sheet)
        if reason := ENGINE.missing() or ENGINE.supports(sheet):
            raise EngineError(f"clingo: {reason}")
        inputs = possible_inputs(sheet) or ()
        ground = ground_program(sheet, inputs, wanted=(*_LOOKED, _NEXT))
        self._number = {atom: number for number, atom in enumerate(inputs)}
        self._true = {atom.arguments[0]: number for atom, number in self._number.items() if atom.name == "true"}
        self._looked, self._stepped = _Asked(ground, _LOOKED), _Asked(ground, [_NEXT])
        self._last: tuple[State, list[Atom]] | None = None
        self._size = len(ground.rules), len(ground.atoms)

    @property
    def ground_size(self) -> tuple[int, int]:
        """Ground rules with a body, and the atoms in them."""
        return self._size

    def _legal(self, state: State, role: int) -> tuple[Term, ...]:
        return tuple(self._said(state, "legal", role))

    def _terminal(self, state: State) -> bool:
        return Atom("terminal") in self._view(state)

    def _goals(self, state: State, role: int) -> Sequence[int]:
        return goal_values(self.roles[role], self._said(state, "goal", role))

    def _next(self, state: State, moves: tuple[Term, ...]) -> State:
        done = [Atom("does", (role, move)) for role, move in zip(self.roles, moves, strict=True)]
        following = self._ask(self._stepped, [_NEXT], state, done)
        return State(frozenset(atom.arguments[0] for atom in following))

    def _view(self, state: State) -> list[Atom]:
        """What a player asks about a state, sorted by text; that of the last one is kept."""
        if self._last is None or self._last[0] != state:
            self._last = state, sorted(self._ask(self._looked, _LOOKED, state), key=str)
        return self._last[1]

    def _said(self, state: State, name: str, role: int) -> list[Term]:
        """The second arguments of the atoms about a role."""
        return [
            atom.arguments[1]
            for atom in self._view(state)
            if atom.name == name and atom.arguments[0] == self.roles[role]
        ]

    def _ask(
        self, asked: _Asked, queries: Sequence[Predicate], state: State, done: Sequence[Atom] = ()
    ) -> Iterable[Atom]:
        """What holds of the queries: by the ground rules where they know all of the state and the moves."""
        try:
            inputs = [*(self._true[fact] for fact in state.facts), *(self._number[atom] for atom in done)]
        except KeyError:
            facts = [*(Atom("true", (fact,)) for fact in state.facts), *done]
            return least_model(self.sheet, facts, only=queries)
        return asked.answers(inputs)


REASONER = ClingoMachine
