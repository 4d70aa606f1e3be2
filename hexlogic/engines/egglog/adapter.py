"""The adapter of egglog: what it takes, and how it is opened (`session`) and follows a game (`incremental`)."""

from __future__ import annotations

import importlib.machinery
import importlib.metadata
import importlib.util
from collections.abc import Sequence

from hexlogic.engines.base import Follower
from hexlogic.engines.egglog.incremental import EgglogFollower, only_grows
from hexlogic.engines.egglog.session import EgglogSession
from hexlogic.engines.engine import Engine
from hexlogic.errors import EngineError, HexlogicError
from hexlogic.extras import installing
from hexlogic.logic import Atom, Program
from hexlogic.logic.analysis.dependence import growing_predicates
from hexlogic.logic.dialects.egglog import (
    load_text,
)

__all__ = ["ENGINE", "EgglogEngine"]


class EgglogEngine(Engine):
    """The adapter of the egglog package."""

    name = "egglog"
    dialect = "egglog"
    order_sensitive = False

    def missing(self) -> str | None:
        """Whether the extra is installed."""
        try:
            importlib.metadata.version("egglog")
        except importlib.metadata.PackageNotFoundError:
            return f"the Python package egglog is not installed; {installing('egglog')}"
        return None

    def version(self) -> str:
        """The version of the installed package; the compiled module does not tell its own."""
        return importlib.metadata.version("egglog")

    def supports(self, program: Program) -> str | None:
        """Refuses unstratified programs, terms that grow under recursion and what the printer cannot say.

        Like clingo's, the test for growing terms is syntactic and sufficient for the endless run that it names.
        """
        try:
            load_text(program)
        except HexlogicError as error:
            return str(error)
        growing = min(growing_predicates(program), default=None)
        return f"function terms grow under recursion in {growing}, so saturation does not end" if growing else None

    def open(self, program: Program) -> EgglogSession:
        """Load the program. Raises EngineError when it is refused."""
        if reason := self.missing() or self.supports(program):
            raise EngineError(f"egglog: {reason}")
        return EgglogSession(program)

    def follow(self, program: Program, inputs: Sequence[Atom], queries: Sequence[Atom]) -> Follower:
        """Facts are added to one e-graph where the program only grows; otherwise it is asked anew."""
        if not only_grows(program, inputs):
            return super().follow(program, inputs, queries)
        return EgglogFollower(lambda: self.open(program), inputs, queries)


ENGINE = EgglogEngine()
