"""What a pass is, and the registry: every module of this package that defines `PASS`."""

from __future__ import annotations

from abc import ABC, abstractmethod

from hexlogic.errors import PipelineError
from hexlogic.language import Program
from hexlogic.registry import Registry


class Pass(ABC):
    """One transformation. The input program is untouched; the answers to its queries stay the same."""

    name: str
    summary: str
    """One sentence for the table of passes."""
    default: str = ""
    """The option that the name alone means; empty where there is none."""

    def check_option(self, option: str | None) -> None:
        """Raise PipelineError when `option` (the text after the colon) is not one of this pass's."""
        if option is not None:
            raise PipelineError(f"the pass {self.name} takes no option, found {option!r}")

    @abstractmethod
    def apply(self, program: Program, option: str | None = None) -> Program:
        """The transformed program; the same object when there is nothing to do."""


_PASSES: Registry[Pass] = Registry("hexlogic.language.passes", "PASS", "pass")


def pass_names() -> tuple[str, ...]:
    """The names of all passes, sorted."""
    return _PASSES.names()


def load_pass(name: str) -> Pass:
    """The pass of that name. Raises UnknownNameError."""
    return _PASSES.load(name)
