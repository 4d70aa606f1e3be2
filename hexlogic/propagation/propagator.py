"""A ground program that runs: inputs are set, and the truth of some atoms is told after each."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from hexlogic.ground.layout import Layout, lay_out
from hexlogic.ground.program import ground_program
from hexlogic.logic import Atom, Predicate, Program

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

__all__ = ["Machine", "build_machine"]


class Machine:
    """The state of one ground program, with the kernel that suits it.

    `set` takes the number of an input; the answer is a bit for each watched atom, the first one lowest. Both kernels
    agree on what they answer: `growing` is the faster one, where inputs are only taken back in the order of `set`.
    """

    def __init__(self, layout: Layout, watch: Sequence[Atom], memory: NDArray[np.int32] | None = None) -> None:
        self.layout = layout
        self.watch = tuple(watch)
        # A watched atom without a number is true always or never.
        self._always = sum(1 << place for place, atom in enumerate(watch) if atom in layout.facts)
        numbered = [(place, layout.number[atom]) for place, atom in enumerate(watch) if atom in layout.number]
        self._places = [place for place, _ in numbered]
        self._plain = self._places == list(range(len(numbered)))
        if layout.grows:
            from hexlogic.propagation import monotone as growing

            self._insert, self._retract = growing.insert, growing.retract
            self._length = growing.LENGTH
            self.memory = growing.growing_memory(layout, [n for _, n in numbered]) if memory is None else memory
        else:
            from hexlogic.propagation import delete_rederive as changing

            self._change = changing.change
            self.memory = changing.changing_memory(layout, [n for _, n in numbered]) if memory is None else memory
        self._at_first = self.memory.copy()
        self._trail: list[int] = []
        """Inputs set, or where the growing kernel's trail ended before each."""

    def copy(self) -> Machine:
        """Another machine in the same state."""
        other = Machine(self.layout, self.watch, self.memory.copy())
        other._at_first = self._at_first
        other._trail = self._trail.copy()
        return other

    def reset(self) -> None:
        """Take back everything."""
        self.memory[:] = self._at_first
        self._trail.clear()

    def set(self, number: int) -> int:
        """Make an input true that is false; the watched atoms that are true then."""
        if self.layout.grows:
            self._trail.append(int(self.memory[self._length]))
            found = self._insert(self.memory, number)
        else:
            self._trail.append(number)
            found = self._change(self.memory, number, 1)
        return found if self._plain and not self._always else self._spread(found)

    def undo(self) -> int:
        """Take back the last `set`; the watched atoms that are true then."""
        last = self._trail.pop()
        found = self._retract(self.memory, last) if self.layout.grows else self._change(self.memory, last, 0)
        return found if self._plain and not self._always else self._spread(found)

    def holds(self, atom: Atom) -> bool:
        """Whether an atom is true now."""
        number = self.layout.number.get(atom)
        true = number is not None and bool(self.memory[int(self.memory[0]) + number])
        return true or atom in self.layout.facts

    def true_atoms(self) -> frozenset[Atom]:
        """All numbered atoms that are true now."""
        begin = int(self.memory[0])
        return frozenset(atom for number, atom in enumerate(self.layout.atoms) if self.memory[begin + number])

    def count_true(self) -> int:
        """How many numbered atoms are true now."""
        begin = int(self.memory[0])
        return int((self.memory[begin : begin + len(self.layout.atoms)] != 0).sum())

    def _spread(self, found: int) -> int:
        """Bits of the numbered watched atoms as bits of all."""
        return self._always | sum(1 << place for bit, place in enumerate(self._places) if found >> bit & 1)


def build_machine(
    program: Program, inputs: Iterable[Atom], watch: Sequence[Atom], wanted: Sequence[Predicate] = ()
) -> Machine:
    """The machine of a stratified program over these possible inputs, which are numbered in their order.

    It holds what the queries, the watched atoms and the other `wanted` predicates depend on.

    Raises EngineError when clingo cannot ground it and StratificationError for recursion through negation.
    """
    needed = (*program.queries, *(atom.predicate for atom in watch), *wanted)
    return Machine(lay_out(ground_program(program, inputs, wanted=needed)), watch)
