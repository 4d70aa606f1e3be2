"""The adapter of swipl: what it takes, and how it is opened (`session`)."""

from __future__ import annotations

import shutil
from collections.abc import Sequence
from pathlib import Path

from hexlogic.engines.base import Follower, reached_unbound
from hexlogic.engines.engine import Engine
from hexlogic.engines.incremental import FactFollower
from hexlogic.engines.swipl.session import OPTIONS, SwiplSession
from hexlogic.errors import EngineError
from hexlogic.logic import Atom, Program
from hexlogic.logic.analysis.equivalence import needs_union_find
from hexlogic.process.line_process import tool_version

__all__ = ["ENGINE", "SwiplEngine"]


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
        """Refuses equivalences, and a body that reaches a negation, a comparison or arithmetic unbound."""
        return needs_union_find(program) or reached_unbound(program)

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
