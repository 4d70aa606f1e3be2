"""clingo: gringo grounds bottom-up and plans its own joins, clasp solves. The reference semantics.

Every question grounds afresh: that is the work a stand-alone question costs. A game is followed with externals, which
ground once.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from typing import TYPE_CHECKING

from hexlogic.errors import EngineError
from hexlogic.language import Atom, Program
from hexlogic.language.dialects import render
from hexlogic.language.engines.base import Answer, Follower, Session, require_ground
from hexlogic.language.engines.clingo.incremental import ClingoFollower
from hexlogic.language.engines.engine import Engine
from hexlogic.language.ground.groundable import cannot_ground
from hexlogic.language.ground.program import ground_program

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
        self._control([])
        self.load_s = time.perf_counter() - begin

    def _control(self, messages: list[str]) -> clingo.Control:
        """A control with the program parsed; messages of the tool are appended to `messages`."""

        def log(_: object, message: str) -> None:
            messages.append(" ".join(message.split()))

        control = self._clingo.Control(list(_OPTIONS), log, 20)
        try:
            control.add("base", [], self._text)
        except RuntimeError as error:
            raise EngineError(f"clingo: {'; '.join(messages) or error}") from None
        return control

    def ask(self, facts: Sequence[Atom], query: Atom) -> Answer:
        """Ground the program with the facts and solve. Counters: ground_rules, atoms, choices, conflicts."""
        if self._closed:
            raise EngineError("the clingo session is closed")
        require_ground(facts, query)
        messages: list[str] = []
        control = self._control(messages)
        try:
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
        except RuntimeError as error:
            raise EngineError(f"clingo: {'; '.join(messages) or error}") from None
        if not complete:
            raise EngineError("clingo found no stable model", hint="is the program stratified?")
        return Answer(holds, solved - grounded, grounded - begin, _counters(control), spent)

    def close(self) -> None:
        """Nothing outlives a question; the session only stops answering."""
        self._closed = True


def _counters(control: clingo.Control) -> dict[str, int]:
    program = control.statistics["problem"]["lp"]
    solver = control.statistics["solving"]["solvers"]
    return {
        "ground_rules": int(program["rules"]),
        "atoms": int(program["atoms"]),
        "choices": int(solver["choices"]),
        "conflicts": int(solver["conflicts"]),
    }


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
        if reason := self.missing() or self.supports(program):
            raise EngineError(f"clingo: {reason}")
        require_ground(inputs, *queries)
        ground = ground_program(program, inputs, wanted=[query.predicate for query in queries])
        return ClingoFollower(ground, inputs, queries)


ENGINE = ClingoEngine()
