"""pyDatalog: tabled top-down resolution in Python, first literal first.

pyDatalog keeps its clauses in one object per thread (`Logic.tl.logic`). A session owns such an object and puts it in
place for each question, so sessions may live side by side and may be asked from any thread, one at a time.

Two limits of pyDatalog 0.22.4 that no error tells of. Incomplete tables that wait for each other can make it search
forever (seen in a tenth of random cyclic graphs); that takes recursive calls with different arguments, so `supports`
refuses them. And arithmetic on a symbol yields an exception as a value, which equals nothing: the answer is "no" where
the other engines report an error.
"""

from __future__ import annotations

import contextlib
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any

from hexlogic.errors import EngineError
from hexlogic.language import Atom, Function, Integer, Predicate, Program, Symbol, Term
from hexlogic.language.dialects import render
from hexlogic.language.dialects.lowering import lower
from hexlogic.language.dialects.pydatalog import declaration, predicate_name, write_atom
from hexlogic.language.engines.base import Answer, FactSession, require_ground
from hexlogic.language.walk import predicates


class PydatalogSession(FactSession):
    """Clauses of one program, in a `Logic` of their own. A question keeps no table: pyDatalog drops them itself."""

    def __init__(self, program: Program) -> None:
        text = render(program, "pydatalog")
        begin = time.perf_counter()
        from pyDatalog import Logic, pyDatalog

        self._pydatalog = pyDatalog
        self._logic_of_thread = Logic
        self._logic: Any = None
        self._added: list[Atom] = []
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
        require_ground(facts, query)
        new = [fact for fact in dict.fromkeys(facts) if fact not in self._own]
        asked = write_atom(query)
        with self._in_place():
            self._declare(atom.predicate for atom in (*new, query))
            for fact in new:
                self._pydatalog.assert_fact(*_assertion(fact))
            try:
                spent, begin = time.process_time(), time.perf_counter()
                answer = self._pydatalog.ask(asked)
                solve_s, spent = time.perf_counter() - begin, time.process_time() - spent
            finally:
                for fact in new:
                    self._pydatalog.retract_fact(*_assertion(fact))
        return Answer(answer is not None, solve_s, cpu_s=spent)

    def _declare(self, given: Iterable[Predicate]) -> None:
        for predicate in sorted({*given} - self._known):
            self._pydatalog.load(declaration(predicate.name, predicate.arity))
            self._known.add(predicate)

    def declare(self, given: Iterable[Predicate]) -> None:
        """Load a declaration for each new one."""
        with self._in_place():
            self._declare(given)

    def push(self, fact: Atom) -> None:
        """Assert the fact."""
        self._change(fact, self._pydatalog.assert_fact)
        self._added.append(fact)

    def pop(self) -> None:
        """Retract the fact."""
        self._change(self._added[-1], self._pydatalog.retract_fact)
        self._added.pop()

    def _change(self, fact: Atom, change: Callable[..., None]) -> None:
        if fact not in self._own:
            with self._in_place():
                change(*_assertion(fact))

    def truths(self, queries: Sequence[Atom]) -> int:
        """Resolve anew over the facts that stand there: tables last for one question."""
        with self._in_place():
            found = (self._pydatalog.ask(write_atom(query)) is not None for query in queries)
            return sum(1 << place for place, holds in enumerate(found) if holds)

    def close(self) -> None:
        """Let the clauses go; a second call does nothing."""
        self._logic = None


def _assertion(fact: Atom) -> tuple[object, ...]:
    """The predicate's name and the arguments."""
    return predicate_name(fact.name), *map(_value, fact.arguments)


def _value(term: Term) -> object:
    """The Python value that the printed text of a ground term evaluates to."""
    match term:
        case Integer(value):
            return value
        case Symbol(name):
            return name
        case Function(name, arguments):
            return (name, *map(_value, arguments))
        case _:
            raise EngineError(f"the argument {term} has no value", hint="write it as an integer")
