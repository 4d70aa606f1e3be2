"""clingo: gringo grounds bottom-up and plans its own joins, clasp solves. The reference semantics.

Every question grounds afresh: that is the work a stand-alone question costs. A game is ground once, with the inputs as
externals: a move is an assignment and a solve.
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from hexlogic.errors import EngineError
from hexlogic.language.dialects import render
from hexlogic.language.engines import Engine
from hexlogic.language.engines.base import Answer, FactStack, Follower, Session, StackFollower, require_ground
from hexlogic.language.ground.program import GroundProgram, ground_program
from hexlogic.language.ground.solving import cannot_ground, parsed, refused
from hexlogic.language.syntax import Atom, Program

if TYPE_CHECKING:
    import clingo

_OPTIONS = ("--warn=no-atom-undefined", "--stats")


class ClingoSession(Session):
    """Holds the text; each question has a `clingo.Control` of its own, so none can leave a trace."""

    def __init__(self, program: Program) -> None:
        begin = time.perf_counter()
        import clingo

        self.start_s = time.perf_counter() - begin
        # a violated integrity constraint would take the model away; constraints declare, they derive nothing
        deriving = program.without_constraints()
        self._text = render(deriving, "asp")
        self._clingo = clingo
        self._closed = False
        begin = time.perf_counter()
        parsed(self._text, *_OPTIONS)
        self.load_s = time.perf_counter() - begin

    def ask(self, facts: Sequence[Atom], query: Atom) -> Answer:
        """Ground the program with the facts and solve. Counters: ground_rules, atoms, choices, conflicts."""
        if self._closed:
            raise EngineError("the clingo session is closed")
        require_ground(facts, query)
        control, messages = parsed(self._text, *_OPTIONS)
        with refused(messages):
            control.add("base", [], "".join(f"{fact}.\n" for fact in facts))
            spent, begin = time.process_time(), time.perf_counter()
            control.ground([("base", [])])
            grounded = time.perf_counter()
            if messages:
                # gringo drops the rule instances with undefined arithmetic; the other engines stop, so this one does
                raise EngineError(f"clingo: {'; '.join(messages)}")
            symbol = self._clingo.parse_term(str(query))
            with control.solve(yield_=True) as handle:
                model = handle.model()
                holds = model is not None and model.contains(symbol)
                complete = model is not None and handle.get().satisfiable is True
            solved, spent = time.perf_counter(), time.process_time() - spent
        if not complete:
            raise _no_model()
        return Answer(holds, solved - grounded, grounded - begin, _counters(control), spent)

    def close(self) -> None:
        """Nothing outlives a question; the session only stops answering."""
        self._closed = True


def _counters(control: clingo.Control) -> dict[str, int]:
    program, solver = control.statistics["problem"]["lp"], control.statistics["solving"]["solvers"]
    counters = {"ground_rules": program["rules"], "atoms": program["atoms"]}
    counters |= {name: solver[name] for name in ("choices", "conflicts")}
    return {name: int(count) for name, count in counters.items()}


def _no_model() -> EngineError:
    return EngineError("clingo found no stable model", hint="is the program stratified?")


class Externals:
    """The ground rules that some atoms depend on, in a control where the inputs among their atoms are externals, at
    first false. Atoms are known by their numbers in the ground program.

    owns(red,1)                      #external a1.
    reach(red,1) :- owns(red,1).     a9 :- a1.
    """

    def __init__(self, ground: GroundProgram, atoms: Iterable[int]) -> None:
        import clingo

        wanted = tuple(atoms)
        # The unique model needs no heuristic: no choice is ever wrong.
        self._control = clingo.Control(["--warn=none", "--heuristic=None"])
        self._control.enable_cleanup = False
        used = sorted(ground.below(wanted))
        with self._control.backend() as backend:
            atom = {number: backend.add_atom() for number in used}
            self.inputs = {number: atom[number] for number in used if number < ground.inputs}
            """The inputs on which the atoms depend."""
            for external in self.inputs.values():
                backend.add_external(external)
            for rule in (rule for rule in ground.rules if rule.head in atom):
                body = [*(atom[part] for part in rule.positive), *(-atom[part] for part in rule.negative)]
                backend.add_rule([atom[rule.head]], body)
        self._wanted = [(number, atom[number]) for number in wanted]
        self._true: list[int] = []

    def assign(self, number: int, value: bool) -> None:
        """Make one of `inputs` true or false."""
        self._control.assign_external(self.inputs[number], value)

    def true(self) -> list[int]:
        """Those of the atoms that are in the model, in their order. Raises EngineError when there is no model."""
        if not self._control.solve(on_model=self._read).satisfiable:
            raise _no_model()
        return self._true

    def _read(self, model: clingo.Model) -> None:
        self._true = [number for number, atom in self._wanted if model.is_true(atom)]


class ClingoStack(FactStack):
    """The inputs of a game as externals: a copy has controls of its own and grounds nothing anew.

    Each query has a control of its own, with the rules that it depends on: a red stone that cannot change `wins(blue)`
    costs one solve, over half of the rules.
    """

    def __init__(self, ground: GroundProgram, inputs: Sequence[Atom], queries: Sequence[Atom]) -> None:
        numbers = ground.number
        self._number = {atom: number for number, atom in enumerate(inputs)}
        self._true: list[int] = []
        self._bits = sum(1 << place for place, query in enumerate(queries) if query in ground.facts)
        self._queries = {
            place: Externals(ground, [numbers[query]])
            for place, query in enumerate(queries)
            if query in numbers and query not in ground.facts
        }
        self._changed = dict.fromkeys(self._queries)
        """The queries one of whose inputs has changed since they were asked last."""

    def close(self) -> None:
        """Let the controls go."""
        self._queries = {}

    def push(self, fact: Atom) -> None:
        """Make the external true."""
        self._true.append(self._number[fact])
        self._assign(self._true[-1], True)

    def pop(self) -> None:
        """Make the external false."""
        self._assign(self._true.pop(), False)

    def _assign(self, number: int, value: bool) -> None:
        for place, query in self._queries.items():
            if number in query.inputs:
                query.assign(number, value)
                self._changed[place] = None

    def truths(self, queries: Sequence[Atom]) -> int:
        """Solve for the queries that may have changed; they are those that were named at first."""
        for place in list(self._changed):
            bit = 1 << place
            self._bits = self._bits | bit if self._queries[place].true() else self._bits & ~bit
            del self._changed[place]
        return self._bits


class ClingoEngine(Engine):
    """The adapter of the clingo Python module."""

    name = package = "clingo"
    dialect = "asp"
    order_sensitive = False
    options = _OPTIONS

    def supports(self, program: Program) -> str | None:
        """What gringo cannot ground."""
        return cannot_ground(program)

    def open(self, program: Program) -> ClingoSession:
        """A session of `program`. Raises EngineError when clingo refuses the text."""
        if reason := self.missing():
            raise EngineError(reason)
        return ClingoSession(program)

    def follow(self, program: Program, inputs: Sequence[Atom], queries: Sequence[Atom]) -> Follower:
        """Ground once, with the inputs as externals."""
        self.require(program)
        require_ground(inputs, *queries)
        ground = ground_program(program, inputs, wanted=[query.predicate for query in queries])
        return StackFollower(lambda: ClingoStack(ground, inputs, queries), inputs, queries)


ENGINE = ClingoEngine()
