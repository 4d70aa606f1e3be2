"""Pipelines: passes in order, as text such as `ground,reorder:bound-first,prune`."""

from __future__ import annotations

from dataclasses import dataclass

from hexlogic.errors import PipelineError
from hexlogic.language import Program
from hexlogic.language.passes.base import load_pass


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
    def parse(cls, text: str) -> Pipeline:
        """The pipeline that `text` spells.

        Raises UnknownNameError for an unknown pass, PipelineError for an empty step or an unknown option.
        """
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
    given = option or None
    step.check_option(given)
    return Step(name, None if given == step.default else given)
