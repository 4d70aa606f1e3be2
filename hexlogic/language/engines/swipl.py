"""SWI-Prolog: SLD resolution, left to right, tabling for recursion; it counts its inferences exactly.

One `swipl` process per session, in the process group of the caller, so that whoever limits a run ends both. A small
driver (`swipl_driver.pl`) reads questions from stdin and writes one line per answer. Inferences are the calls
that the query makes, measuring subtracted: they repeat exactly, from question to question and process to process.
"""

import shutil
from collections.abc import Sequence
from pathlib import Path

from hexlogic.errors import EngineError
from hexlogic.language import Atom, Comparison, Literal, Predicate, Program, Rule
from hexlogic.language.analysis.checks import needs_union_find
from hexlogic.language.dialects import render
from hexlogic.language.dialects.prolog import write_atom
from hexlogic.language.engines import Engine
from hexlogic.language.engines.base import Answer, ProcessSession, leaves_32_bits, reached_unbound, require_ground
from hexlogic.language.names import internal_name
from hexlogic.language.walk import general_atom
from hexlogic.process.children import tool_version
from hexlogic.process.threads import stopped_after

_DRIVER = Path(__file__).with_name("swipl_driver.pl")
# No user files and no signal handlers (an interrupt ends the process). Both space limits only stop what runs away:
# the default of 1 GB is within reach of all-pairs tables, and a run has a memory limit of its own.
OPTIONS = ("-q", "-f", "none", "--no-packs", "--no-signals", "--stack-limit=4g", "--table-space=4g")


class SwiplSession(ProcessSession):
    """One swipl process with the program loaded. `extra` is a driver that answers more requests."""

    def __init__(self, program: Program, binary: str, extra: Path | None = None) -> None:
        files = [str(file) for file in (_DRIVER, extra) if file is not None]
        command = [binary, *OPTIONS, "-g", "hexlogic_driver:start", "-t", "halt(3)", *files]
        super().__init__("swipl", command, f"load.\n{render(program, 'prolog')}end_of_file.\n")

    def ask(self, facts: Sequence[Atom], query: Atom) -> Answer:
        """Ask one question; the counter `inferences` is the work of the query call alone. An error inside Prolog leaves
        the session usable; when the process dies, so does the session."""
        require_ground(facts, query)
        asked = f"ask([{','.join(map(write_atom, facts))}],{write_atom(query)})"
        kind, work, seconds, cpu_s = self.request(asked, "yes", "no")
        return Answer(kind == "yes", float(seconds), None, {"inferences": int(work)}, float(cpu_s))

    def push(self, fact: Atom) -> None:
        """Assert the fact."""
        self.request(f"set({write_atom(fact)})", "done")

    def pop(self) -> None:
        """Erase the fact."""
        self.request("unset", "done")

    def truths(self, queries: Sequence[Atom]) -> int:
        """Ask for all at once; the tables are dropped at the end, since the next fact makes them wrong."""
        return int(self.request(f"look([{','.join(map(write_atom, queries))}])", "truths")[1])

    def request(self, text: str, *kinds: str) -> list[str]:
        """Send a request, a term, perhaps of an extra driver; the words of its reply, which is of one of these kinds.
        Raises EngineError, also when the reply says that there was an error."""
        self._process.send(f"{text}.\n")
        return self._receive(*kinds)

    def _receive(self, *kinds: str) -> list[str]:
        line = self._process.receive()
        words = line.split()
        if words[0] == "error":
            raise EngineError(f"swipl: {line.removeprefix('error').strip()}")
        if words[0] not in kinds:
            self.close()
            raise EngineError(f"swipl: unexpected reply {line!r}")
        return words


class SwiplEngine(Engine):
    """The adapter of the `swipl` program on the PATH."""

    name = "swipl"
    dialect = "prolog"
    order_sensitive = True
    options = OPTIONS

    def missing(self) -> str | None:
        """How to get SWI-Prolog when there is none."""
        if shutil.which("swipl") is None:
            return "swipl is not on the PATH; Debian: apt-get install swi-prolog-nox"
        return None

    def version(self) -> str:
        """The version that `swipl --version` reports. Raises EngineError."""
        return tool_version("swipl", self._binary())

    def supports(self, program: Program) -> str | None:
        """Refuses equivalences, large integers, bodies that reach a negation, a comparison or arithmetic unbound."""
        return needs_union_find(program) or reached_unbound(program) or leaves_32_bits(program)

    def open(self, program: Program, extra: Path | None = None) -> SwiplSession:
        """Start a process and load the program. Raises EngineError, also for a warning while loading."""
        self.require(program)
        return SwiplSession(program, self._binary(), extra)

    def _binary(self) -> str:
        binary = shutil.which("swipl")
        if binary is None:
            raise EngineError(self.missing() or "swipl is not on the PATH")
        return binary


ENGINE = SwiplEngine()


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
