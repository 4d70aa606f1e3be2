"""egglog: Datalog with union-find, bottom-up, plans its own joins. Spoken to in its text language.

The compiled module `egglog.bindings` is loaded by its file. The package around it imports a code formatter and a
tracing library to build a Python language of its own: 15 times the start of the engine, for what is not used here.

An e-graph cannot take anything back, so there is a `push` before each fact of a game and a `pop` to undo it; that
stores a copy of the e-graph for each move. Where a stone can make something false (negation of what depends on the
inputs) what followed before is no longer right: such a program is asked anew.
"""

from __future__ import annotations

import importlib.machinery
import importlib.metadata
import importlib.util
import sys
import time
from collections.abc import Iterable, Sequence
from types import ModuleType
from typing import TYPE_CHECKING, cast

from hexlogic.errors import EngineError, HexlogicError
from hexlogic.language import Atom, Predicate, Program
from hexlogic.language.analysis.dependence import dependency_graph, growing_predicates, intensional
from hexlogic.language.dialects import egglog as dialect
from hexlogic.language.engines import Answer, Engine, Follower, Session
from hexlogic.language.engines.base import AskedAnew, StackFollower, leaves_32_bits, require_ground
from hexlogic.language.walk import predicates
from hexlogic.process.extras import installing

if TYPE_CHECKING:
    from egglog.bindings import PrintAllFunctionsSize, RunScheduleOutput

_MODULE = "egglog.bindings"


def _bindings() -> ModuleType:
    """The compiled module, once for the process: it refuses to be initialised twice."""
    if _MODULE in sys.modules:
        return sys.modules[_MODULE]
    package = importlib.util.find_spec("egglog")
    folders = None if package is None else package.submodule_search_locations
    spec = importlib.machinery.PathFinder.find_spec(_MODULE, folders)
    if spec is None or spec.loader is None:
        raise EngineError("the Python package egglog has no compiled module", hint=installing("egglog"))
    module = importlib.util.module_from_spec(spec)
    sys.modules[_MODULE] = module
    try:
        spec.loader.exec_module(module)
    except BaseException:
        del sys.modules[_MODULE]
        raise
    return module


class EgglogSession(Session):
    """One e-graph with the program; each question is asked in a copy that is dropped afterwards (`push`, `pop`)."""

    def __init__(self, program: Program) -> None:
        self._merged = dialect.merged_predicates(program)
        self._derived = {str(predicate) for predicate in intensional(program)}
        self._known = set(predicates(program))
        self._schedule = dialect.schedule(program)
        text = dialect.load_text(program)
        begin = time.perf_counter()
        bindings = _bindings()
        self._graph = bindings.EGraph()
        self._error: type[Exception] = bindings.EggSmolError
        self.start_s = time.perf_counter() - begin
        begin = time.perf_counter()
        self._run(text)
        self.load_s = time.perf_counter() - begin

    def _run(self, text: str) -> list[object]:
        try:
            # Every parsed command holds a copy of its whole text: 3,000 facts in one text take 1,100 MB, line by line
            # 30 MB. No command goes over a line's end.
            parsed = map(self._graph.parse_program, text.split("\n"))
            return [output for commands in parsed for output in self._graph.run_program(*commands)]
        except self._error as error:
            raise EngineError(f"egglog: {' '.join(str(error).split())}") from None
        except BaseException as error:
            # what Rust gives up on reaches Python as a PanicException, which is no Exception
            if type(error).__name__ != "PanicException":
                raise
            raise EngineError(f"egglog gave up: {' '.join(str(error).split())}") from None

    def ask(self, facts: Sequence[Atom], query: Atom) -> Answer:
        """Add the facts, run all strata to their end, check. Counters: rule_matches, derived_facts.

        `rule_matches` counts how often the body of a rule was met, `derived_facts` the rows of the predicates that
        have rules: for an equivalence one row for each element, not for each pair. Adding the facts is not timed.
        """
        if self._graph is None:
            raise EngineError("the egglog session is closed")
        require_ground(facts, query)
        added = self._written(facts)
        new = sorted({atom.predicate for atom in (*facts, query)} - self._known)
        self._run("(push 1)")
        try:
            self._run("\n".join([*map(dialect.declaration, new), added]))
            spent, begin = time.process_time(), time.perf_counter()
            output = cast("RunScheduleOutput", self._run(self._schedule)[0])
            holds = self._holds(query)
            solve_s, spent = time.perf_counter() - begin, time.process_time() - spent
            derived = self.kept()
        finally:
            self._run("(pop 1)")
        matches = sum(output.report.num_matches_per_rule.values())
        return Answer(holds, solve_s, None, {"rule_matches": matches, "derived_facts": derived}, spent)

    def declare(self, given: Iterable[Predicate]) -> None:
        """Add a dialect.declaration for each new one."""
        self._run("\n".join(map(dialect.declaration, sorted({*given} - self._known))))
        self._known.update(given)

    def push(self, fact: Atom) -> None:
        """Put a copy of the e-graph aside, and add the fact."""
        added = self._written([fact])
        self._run("(push 1)")
        try:
            self._run(added)
        except EngineError:
            self._run("(pop 1)")
            raise

    def pop(self) -> None:
        """Take the copy that was put aside last."""
        self._run("(pop 1)")

    def truths(self, queries: Sequence[Atom]) -> int:
        """Run all strata to their end, from what is there, and check."""
        self._run(self._schedule)
        return sum(1 << place for place, query in enumerate(queries) if self._holds(query))

    def kept(self) -> int:
        """The rows of the predicates that have rules: for an equivalence one for each element, not for each pair."""
        output = cast("PrintAllFunctionsSize", self._run("(print-size)")[0])
        return sum(size for name, size in output.sizes if name in self._derived)

    def _written(self, facts: Sequence[Atom]) -> str:
        try:
            return "\n".join(dialect.write_fact(fact, self._merged) for fact in facts)
        except HexlogicError as error:
            raise EngineError(f"egglog: {error}") from None

    def _holds(self, query: Atom) -> bool:
        try:
            self._run(dialect.write_query(query, self._merged))
        except EngineError as error:
            if "Check failed" in str(error):
                return False
            raise
        return True

    def close(self) -> None:
        """Let the e-graph go; a second call does nothing."""
        self._graph = None


class EgglogEngine(Engine):
    """The adapter of the egglog package."""

    name = package = "egglog"
    dialect = "egglog"
    order_sensitive = False

    def supports(self, program: Program) -> str | None:
        """Refuses unstratified programs, terms that grow under recursion and what the printer cannot say. Like
        clingo's, the test for growing terms is syntactic and sufficient for the endless run that it names."""
        try:
            dialect.load_text(program)
        except HexlogicError as error:
            return str(error)
        if growing := min(growing_predicates(program), default=None):
            return f"function terms grow under recursion in {growing}, so saturation does not end"
        return leaves_32_bits(program)

    def open(self, program: Program) -> EgglogSession:
        """Load the program. Raises EngineError when it is refused."""
        self.require(program)
        return EgglogSession(program)

    def follow(self, program: Program, inputs: Sequence[Atom], queries: Sequence[Atom]) -> Follower:
        """One e-graph while more facts never mean fewer (no negation above the inputs); else it is asked anew."""
        changing = dependency_graph(program).above({atom.predicate for atom in inputs})
        if any(
            not item.positive and item.atom.predicate in changing for rule in program.rules for item in rule.literals
        ):
            return StackFollower(lambda: AskedAnew(self.open(program)), inputs, queries)
        return super().follow(program, inputs, queries)


ENGINE = EgglogEngine()
