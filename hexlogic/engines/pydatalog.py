"""pyDatalog: tabled top-down resolution in Python, first literal first.

pyDatalog keeps its clauses in one object per thread (`Logic.tl.logic`). A session owns such an object and puts it in
place for each question, so sessions may live side by side and may be asked from any thread, one at a time.
"""

from __future__ import annotations

import contextlib
import importlib.metadata
import time
from collections.abc import Iterator, Sequence
from typing import Any

from hexlogic.engines.base import Answer, Engine, Session
from hexlogic.errors import EngineError, StratificationError
from hexlogic.logic import Atom, Predicate, Program
from hexlogic.logic.analysis import strata
from hexlogic.logic.binding import first_unbound
from hexlogic.logic.printers import render
from hexlogic.logic.printers.lowering import lower
from hexlogic.logic.printers.pydatalog import declaration, write_atom
from hexlogic.logic.walk import is_ground, predicates

__all__ = ["ENGINE", "PydatalogEngine", "PydatalogSession"]


class PydatalogSession(Session):
    """Clauses of one program, in a `Logic` of their own. A question keeps no table: pyDatalog drops them itself."""

    def __init__(self, program: Program) -> None:
        text = render(program, "pydatalog")
        begin = time.perf_counter()
        from pyDatalog import Logic, pyDatalog

        self._pydatalog = pyDatalog
        self._logic_of_thread = Logic
        self._logic: Any = None
        self._known: set[Predicate] = set(predicates(program))
        # asserting a fact of the program again and retracting it afterwards would take it from the program
        self._own = frozenset(rule.head for rule in lower(program).rules if rule.is_fact)
        with self._in_place():
            self._logic = Logic()  # the call empties the thread's place and makes a new object there
        self.start_s = time.perf_counter() - begin
        begin = time.perf_counter()
        with self._in_place():
            pyDatalog.load(text)
        self.load_s = time.perf_counter() - begin

    @contextlib.contextmanager
    def _in_place(self) -> Iterator[None]:
        """Put this session's clauses where pyDatalog looks, and what stood there back; its errors as EngineError."""
        place = self._logic_of_thread.tl
        before = getattr(place, "logic", None)
        if before is None:
            self._logic_of_thread()  # a thread needs this first
        if self._logic is not None:
            place.logic = self._logic
        try:
            yield
        except Exception as error:
            raise EngineError(f"pyDatalog: {type(error).__name__}: {error}") from error
        finally:
            if before is not None:
                place.logic = before

    def ask(self, facts: Sequence[Atom], query: Atom) -> Answer:
        """Assert the facts, ask, retract them. Only the asking is timed."""
        if self._logic is None:
            raise EngineError("the pyDatalog session is closed")
        for atom in (*facts, query):
            if not is_ground(atom):
                raise EngineError(f"{atom} is not ground")
        new = [fact for fact in dict.fromkeys(facts) if fact not in self._own]
        unknown = {atom.predicate for atom in (*new, query)} - self._known
        with self._in_place():
            text = "".join(declaration(predicate.name, predicate.arity) for predicate in sorted(unknown))
            self._load(text + "".join(f"+ {write_atom(fact)}\n" for fact in new))
            self._known |= unknown
            question = write_atom(query)
            begin = time.perf_counter()
            try:
                answer = self._pydatalog.ask(question)
                solve_s = time.perf_counter() - begin
            finally:
                self._load("".join(f"- {write_atom(fact)}\n" for fact in new))
        return Answer(answer is not None, solve_s)

    def _load(self, text: str) -> None:
        if text:
            self._pydatalog.load(text)

    def close(self) -> None:
        """Let the clauses go; a second call does nothing."""
        self._logic = None


class PydatalogEngine(Engine):
    """The adapter of the pyDatalog package."""

    name = "pydatalog"
    dialect = "pydatalog"
    order_sensitive = True

    def missing(self) -> str | None:
        """None: pyDatalog is a dependency of hexlogic."""
        try:
            importlib.metadata.version("pyDatalog")
        except importlib.metadata.PackageNotFoundError:
            return "the Python package pyDatalog is not installed; pip install pyDatalog"
        return None

    def version(self) -> str:
        """The version of the installed package; the module's own `__version__` is wrong."""
        return importlib.metadata.version("pyDatalog")

    def supports(self, program: Program) -> str | None:
        """Refuses unstratified programs and bodies that reach an unbound negation, comparison or arithmetic.

        pyDatalog would answer None to the latter without an error, and look very fast.
        """
        try:
            strata(program)
        except StratificationError as error:
            return str(error)
        for rule in program.rules:
            if rule.head is not None and (item := first_unbound(rule)) is not None:
                return f"`{item}` is reached with an unbound variable in `{rule}`"
        return None

    def open(self, program: Program) -> PydatalogSession:
        """Load the program. Raises EngineError."""
        if reason := self.missing() or self.supports(program):
            raise EngineError(f"pydatalog: {reason}")
        return PydatalogSession(program)


ENGINE = PydatalogEngine()
