"""SWI-Prolog: SLD resolution, left to right, tabling for recursion; it counts its inferences exactly.

One `swipl` process per session, in the process group of the caller, so that whoever limits a run ends both. A small
driver (`swipl_driver.pl`) reads questions from stdin and writes one line per answer. Inferences are the calls
that the query makes, measuring subtracted: they repeat exactly, from question to question and process to process.
"""

from __future__ import annotations

import contextlib
import functools
import re
import shutil
import signal
import subprocess
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from typing import IO

from hexlogic.engines.base import Answer, Engine, Session, require_ground
from hexlogic.errors import EngineError
from hexlogic.logic import Atom, Program
from hexlogic.logic.binding import first_unbound
from hexlogic.logic.printers import render
from hexlogic.logic.printers.prolog import write_atom

__all__ = ["ENGINE", "SwiplEngine", "SwiplSession"]

_DRIVER = Path(__file__).with_name("swipl_driver.pl")
# No user files and no signal handlers (an interrupt ends the process). Both space limits only stop what runs away:
# the default of 1 GB is within reach of all-pairs tables, and a run has a memory limit of its own.
_OPTIONS = ("-q", "-f", "none", "--no-packs", "--no-signals", "--stack-limit=4g", "--table-space=4g")
_CLOSING_S = 5.0


class SwiplSession(Session):
    """One swipl process with the program loaded."""

    def __init__(self, program: Program, binary: str) -> None:
        text = render(program, "prolog")
        self._stderr: IO[bytes] = tempfile.TemporaryFile()  # noqa: SIM115 - closed by close()
        begin = time.perf_counter()
        try:
            self._process = subprocess.Popen(
                [binary, *_OPTIONS, "-g", "hexlogic_driver:start", "-t", "halt(3)", str(_DRIVER)],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=self._stderr,
                encoding="utf-8",
            )
        except OSError as error:
            self._stderr.close()
            raise EngineError(f"swipl does not start: {error}") from None
        try:
            self._expect("ready")
            self.start_s = time.perf_counter() - begin
            begin = time.perf_counter()
            self._send(f"load.\n{text}end_of_file.\n")
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
        try:
            self._send(f"ask([{','.join(map(write_atom, facts))}],{write_atom(query)}).\n")
            kind, work, seconds = self._expect("yes", "no")
        except EngineError:
            raise
        except BaseException:
            self.close()  # an interrupted question would hand its answer to the next one
            raise
        return Answer(kind == "yes", float(seconds), None, {"inferences": int(work)})

    def close(self) -> None:
        """End the process; a second call does nothing."""
        if self._stderr.closed:
            return
        self._process.kill()
        self._process.wait(_CLOSING_S)
        for stream in (self._process.stdin, self._process.stdout):
            assert stream is not None
            with contextlib.suppress(OSError):  # text that a dead process never read
                stream.close()
        self._stderr.close()

    def _send(self, text: str) -> None:
        if self._stderr.closed:
            raise EngineError("the swipl session is closed")
        assert self._process.stdin is not None
        try:
            self._process.stdin.write(text)
            self._process.stdin.flush()
        except OSError:
            raise self._death() from None

    def _expect(self, *kinds: str) -> list[str]:
        """The words of the next reply. Raises EngineError for an error reply, and when there is none."""
        assert self._process.stdout is not None
        line = self._process.stdout.readline()
        if not line.endswith("\n"):
            raise self._death()
        words = line.split()
        if words[0] == "error":
            raise EngineError(f"swipl: {line.removeprefix('error').strip()}")
        if words[0] not in kinds:
            self.close()
            raise EngineError(f"swipl: unexpected reply {line.strip()!r}")
        return words

    def _death(self) -> EngineError:
        """What the end of the process looks like: exit code or signal, and its last words."""
        try:
            code = self._process.wait(_CLOSING_S)
        except subprocess.TimeoutExpired:
            code = None
        self._stderr.seek(0)
        last = " ".join(self._stderr.read().decode("utf-8", "replace").split("\n")[-6:]).strip()
        self.close()
        if code is None:
            how = "closed its output"
        elif code < 0:
            how = f"was killed by {signal.Signals(-code).name}"
        else:
            how = f"ended with exit code {code}"
        return EngineError(f"swipl {how}" + (f": {last}" if last else ""))


class SwiplEngine(Engine):
    """The adapter of the `swipl` program on the PATH."""

    name = "swipl"
    dialect = "prolog"
    order_sensitive = True

    def missing(self) -> str | None:
        """How to get SWI-Prolog when there is none."""
        if shutil.which("swipl") is None:
            return "swipl is not on the PATH; Debian: apt-get install swi-prolog-nox"
        return None

    def version(self) -> str:
        """The version that `swipl --version` reports. Raises EngineError."""
        return _version(self._binary())

    def supports(self, program: Program) -> str | None:
        """Refuses a body that reaches a negation, a comparison or arithmetic with an unbound variable."""
        for rule in program.rules:
            if rule.head is not None and (item := first_unbound(rule)) is not None:
                return f"`{item}` is reached with an unbound variable in `{rule}`"
        return None

    def open(self, program: Program) -> SwiplSession:
        """Start a process and load the program. Raises EngineError, also for a warning while loading."""
        if reason := self.supports(program):
            raise EngineError(f"swipl: {reason}")
        return SwiplSession(program, self._binary())

    def _binary(self) -> str:
        binary = shutil.which("swipl")
        if binary is None:
            raise EngineError(self.missing() or "swipl is not on the PATH")
        return binary


@functools.cache
def _version(binary: str) -> str:
    try:
        shown = subprocess.run([binary, "--version"], capture_output=True, text=True, timeout=30, check=True).stdout
    except (OSError, subprocess.SubprocessError) as error:
        raise EngineError(f"swipl --version: {error}") from None
    match = re.search(r"\d+(\.\d+)+", shown)
    if match is None:
        raise EngineError(f"swipl --version: no version in {shown.strip()!r}")
    return match.group()


ENGINE = SwiplEngine()
