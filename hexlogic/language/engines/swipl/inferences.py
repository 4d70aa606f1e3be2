"""The inferences that SWI-Prolog needs for all answers to all queries of a program."""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Callable, Iterator, Sequence

from hexlogic.errors import EngineError
from hexlogic.language import Atom, Comparison, Literal, Predicate, Program, Rule
from hexlogic.language.engines.swipl.adapter import ENGINE
from hexlogic.language.names import internal_name
from hexlogic.language.walk import general_atom


def inferences(program: Program, facts: Sequence[Atom], limit_s: float) -> int | str:
    """Inferences that SWI-Prolog needs for all answers to all queries; in words, why there is no such number."""
    if reason := ENGINE.missing():
        return reason
    if ENGINE.supports(program):
        return "not left to right"
    asked = Predicate(internal_name("enumerate"), 0)
    rules = []
    for query in program.queries:
        call = general_atom(query)
        # the comparison is false for every answer, so that Prolog looks for all of them
        never = tuple(Comparison("!=", variable, variable) for variable in call.arguments[:1])
        rules.append(Rule(Atom(asked.name), (Literal(call), *never)))
    whole = Program((*program.rules, *rules), program.constants, program.inputs, (*program.queries, asked))
    with ENGINE.open(whole) as session, stopped_after(limit_s, session.close) as late:
        try:
            return session.ask(facts, Atom(asked.name)).counters["inferences"]
        except (EngineError, ValueError, OSError) as error:
            return f"more than {limit_s:g} s" if late.is_set() else str(error)


@contextlib.contextmanager
def stopped_after(limit_s: float, stop: Callable[[], None]) -> Iterator[threading.Event]:
    """Call `stop`, which ends the process that is being waited for, after so many wall seconds.

    The event is set before `stop` is called, so that the error that follows can be told from others.
    """
    late = threading.Event()

    def end() -> None:
        late.set()
        stop()

    timer = threading.Timer(limit_s, end)
    timer.start()
    try:
        yield late
    finally:
        timer.cancel()
