"""toy: an engine that asks the reference semantics."""

from __future__ import annotations

from collections.abc import Sequence

from hexlogic.language import Atom, Program
from hexlogic.language.engines import Engine
from hexlogic.language.engines.base import Answer, Session
from hexlogic.language.ground.solving import least_model


class ToySession(Session):
    """Holds the program; a question computes its least model."""

    def __init__(self, program: Program) -> None:
        self._program = program

    def ask(self, facts: Sequence[Atom], query: Atom) -> Answer:
        """Whether the query is in the least model."""
        return Answer(query in least_model(self._program, facts), solve_s=0.0)

    def close(self) -> None:
        """Nothing to release."""


class ToyEngine(Engine):
    """The adapter."""

    name = "toy"
    dialect = "asp"
    order_sensitive = False

    def missing(self) -> str | None:
        """None: it is always there."""
        return None

    def version(self) -> str:
        """The only version there is."""
        return "1"

    def supports(self, program: Program) -> str | None:
        """Whatever clingo can ground."""
        return None

    def open(self, program: Program) -> ToySession:
        """A session."""
        return ToySession(program)


ENGINE = ToyEngine()
