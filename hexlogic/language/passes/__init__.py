"""The passes: `Program -> Program` transformations that keep the answers, and pipelines of them.

A new pass is one module of this folder that defines `PASS`, such as `PASS = Pass("prune", "drop ...", prune)`.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeAlias

from hexlogic.errors import PipelineError
from hexlogic.language import Program
from hexlogic.registry import Registry

__all__ = ["Pass", "Pipeline", "Step", "load_pass", "pass_names"]


Transformation: TypeAlias = Callable[[Program], Program]
"""It gives the same object when there is nothing to do. The answers to the program's queries stay the same."""


@dataclass
class Pass:
    """A transformation by its name."""

    name: str
    summary: str
    """One sentence for the table of passes."""
    transform: Transformation
    """What the name alone means."""
    variant: Callable[[str], Transformation] | None = None
    """The transformation for an option, the text after the colon. Raises HexlogicError for another text."""
    default: str = ""
    """The option that the name alone means; empty where there is none."""

    def chosen(self, option: str | None) -> Transformation:
        """The transformation for an option. Raises HexlogicError when it is not one of this pass's."""
        if option is None:
            return self.transform
        if self.variant is None:
            raise PipelineError(f"the pass {self.name} takes no option, found {option!r}")
        return self.variant(option)

    def apply(self, program: Program, option: str | None = None) -> Program:
        """The transformed program; the same object when there is nothing to do. Raises HexlogicError."""
        return self.chosen(option)(program)


_PASSES: Registry[Pass] = Registry("hexlogic.language.passes", "PASS", "pass")


def pass_names() -> tuple[str, ...]:
    """The names of all passes, sorted."""
    return _PASSES.names()


def load_pass(name: str) -> Pass:
    """The pass of that name. Raises UnknownNameError."""
    return _PASSES.load(name)


@dataclass(frozen=True, slots=True)
class Step:
    """One pass with its option (the text after the colon), None for the pass's default."""

    name: str
    option: str | None = None

    def __str__(self) -> str:
        return self.name if self.option is None else f"{self.name}:{self.option}"


@dataclass(frozen=True, slots=True)
class Pipeline:
    """Passes in order. `str(pipeline)` is its canonical text, `none` when there is no pass.

    >>> str(Pipeline.parse("ground, reorder:stepwise ,prune"))
    'ground,reorder,prune'
    >>> str(Pipeline.parse(""))
    'none'
    >>> from hexlogic import parse
    >>> print(Pipeline.parse("prune").apply(parse("s(X) :- p(X,Y), p(X,Z).")), end="")
    s(X) :- p(X,Y).
    """

    steps: tuple[Step, ...] = ()

    @classmethod
    def parse(cls, text: str) -> "Pipeline":
        """The pipeline that `text` spells. Raises UnknownNameError, PipelineError for an empty step or wrong option."""
        if text.strip() in ("", "none"):
            return cls()
        return cls(tuple(_step(part.strip(), text) for part in text.split(",")))

    def apply(self, program: Program) -> Program:
        """The program after every pass, in order."""
        for step in self.steps:
            program = load_pass(step.name).apply(program, step.option)
        return program

    def __str__(self) -> str:
        return ",".join(map(str, self.steps)) or "none"


def _step(text: str, whole: str) -> Step:
    name, colon, option = text.partition(":")
    if not name or (colon and not option):
        raise PipelineError(f"empty step in the pipeline {whole!r}", hint="for example ground,reorder:stepwise,prune")
    step = load_pass(name)
    step.chosen(option or None)
    return Step(name, None if option in ("", step.default) else option)
