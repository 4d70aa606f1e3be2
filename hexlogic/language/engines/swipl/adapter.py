"""The adapter of swipl: what it takes, and how it is opened (`session`)."""

from __future__ import annotations

import shutil
from collections.abc import Sequence
from pathlib import Path

from hexlogic.errors import EngineError
from hexlogic.language import Atom, Program
from hexlogic.language.analysis.equivalence import needs_union_find
from hexlogic.language.engines.base import Follower, leaves_32_bits, reached_unbound
from hexlogic.language.engines.engine import Engine
from hexlogic.language.engines.incremental import FactFollower
from hexlogic.language.engines.swipl.session import OPTIONS, SwiplSession
from hexlogic.process.line_process import tool_version


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
        if reason := self.supports(program):
            raise EngineError(f"swipl: {reason}")
        return SwiplSession(program, self._binary(), extra)

    def follow(self, program: Program, inputs: Sequence[Atom], queries: Sequence[Atom]) -> Follower:
        """Facts are asserted and erased in one process."""
        return FactFollower(lambda: self.open(program), inputs, queries)

    def _binary(self) -> str:
        binary = shutil.which("swipl")
        if binary is None:
            raise EngineError(self.missing() or "swipl is not on the PATH")
        return binary


ENGINE = SwiplEngine()
