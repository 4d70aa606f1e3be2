"""SWI-Prolog: SLD resolution, left to right, tabling for recursion; it counts its inferences exactly.

One `swipl` process per session, in the process group of the caller, so that whoever limits a run ends both. A small
driver (`swipl_driver.pl`) reads questions from stdin and writes one line per answer. Inferences are the calls
that the query makes, measuring subtracted: they repeat exactly, from question to question and process to process.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from pathlib import Path

from hexlogic.errors import EngineError
from hexlogic.language import Atom, Program
from hexlogic.language.dialects import render
from hexlogic.language.dialects.prolog import write_atom
from hexlogic.language.engines.base import Answer, FactSession, require_ground
from hexlogic.process.line_process import LineProcess

_DRIVER = Path(__file__).with_name("swipl_driver.pl")
# No user files and no signal handlers (an interrupt ends the process). Both space limits only stop what runs away:
# the default of 1 GB is within reach of all-pairs tables, and a run has a memory limit of its own.
OPTIONS = ("-q", "-f", "none", "--no-packs", "--no-signals", "--stack-limit=4g", "--table-space=4g")


class SwiplSession(FactSession):
    """One swipl process with the program loaded. `extra` is a driver that answers more requests."""

    def __init__(self, program: Program, binary: str, extra: Path | None = None) -> None:
        text = render(program, "prolog")
        begin = time.perf_counter()
        self._process = LineProcess(
            "swipl",
            [binary, *OPTIONS, "-g", "hexlogic_driver:start", "-t", "halt(3)", str(_DRIVER)]
            + ([] if extra is None else [str(extra)]),
        )
        try:
            self._expect("ready")
            self.start_s = time.perf_counter() - begin
            begin = time.perf_counter()
            self._process.send(f"load.\n{text}end_of_file.\n")
            self._expect("loaded")
            self.load_s = time.perf_counter() - begin
        except BaseException:
            self.close()
            raise

    def ask(self, facts: Sequence[Atom], query: Atom) -> Answer:
        """Ask one question; the counter `inferences` is the work of the query call alone.

        An error inside Prolog leaves the session usable; when the process dies, so does the session.
        """
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
        return self._expect(*kinds)

    def kill(self) -> None:
        """End the process from another thread: whoever waits for a reply gets an EngineError."""
        self._process.kill()

    def close(self) -> None:
        """End the process; a second call does nothing."""
        self._process.close()

    def _expect(self, *kinds: str) -> list[str]:
        """The words of the next reply. Raises EngineError for an error reply, and when there is none."""
        line = self._process.receive()
        words = line.split()
        if words[0] == "error":
            raise EngineError(f"swipl: {line.removeprefix('error').strip()}")
        if words[0] not in kinds:
            self.close()
            raise EngineError(f"swipl: unexpected reply {line!r}")
        return words
