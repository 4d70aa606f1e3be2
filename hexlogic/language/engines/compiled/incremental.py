"""compiled in a game: one call of the machine's kernel for a move, and one to take it back."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Self

from hexlogic.errors import EngineError
from hexlogic.language import Atom
from hexlogic.language.engines.base import Follower
from hexlogic.language.propagation.propagator import Propagator


class CompiledFollower(Follower):
    """A machine that watches the queries. A copy copies one array."""

    def __init__(self, machine: Propagator, inputs: Sequence[Atom]) -> None:
        super().__init__(inputs, machine.watch)
        self._machine: Propagator | None = machine
        self._found = [sum(1 << place for place, atom in enumerate(machine.watch) if machine.holds(atom))]
        """What held at first and after each input."""

    def holds(self) -> int:
        """What holds now."""
        return self._found[-1]

    def add(self, number: int) -> int:
        """Call the kernel."""
        if self._machine is None:
            raise EngineError("the follower is closed")
        found = self._machine.set(number)
        self._found.append(found)
        return found

    def undo(self) -> int:
        """Call the other one."""
        if self._machine is None:
            raise EngineError("the follower is closed")
        if len(self._found) == 1:
            raise EngineError("no input is true, so none can be taken back")
        self._found.pop()
        return self._machine.undo()

    def kept(self) -> int | None:
        """All atoms of the machine that are true, less the inputs: what was derived that the queries depend on."""
        return None if self._machine is None else self._machine.count_true() - (len(self._found) - 1)

    def copy(self) -> Self:
        """One with a copy of the machine."""
        if self._machine is None:
            raise EngineError("the follower is closed")
        other = object.__new__(type(self))
        other.__dict__ |= self.__dict__ | {"_machine": self._machine.copy(), "_found": self._found.copy()}
        return other

    def close(self) -> None:
        """Let go of the machine."""
        self._machine = None
