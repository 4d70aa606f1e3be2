"""A ground program with the kernel that suits it: inputs are set and taken back, some atoms are watched."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np
from numpy.typing import NDArray

from hexlogic.language import Atom, Predicate, Program
from hexlogic.language.ground.layout import Layout, lay_out
from hexlogic.language.ground.program import ground_program


class Propagator:
    """The least model of a ground program while inputs change.

    `set` takes the number of an input; the answer is a bit for each watched atom, the first one lowest. Both kernels
    give the same answers; `monotone` is the faster one, for programs without negation.
    """

    def __init__(self, layout: Layout, watch: Sequence[Atom], memory: NDArray[np.int32] | None = None) -> None:
        self.layout = layout
        self.watch = tuple(watch)
        # A watched atom without a number is true always or never.
        self._always = sum(1 << place for place, atom in enumerate(watch) if atom in layout.facts)
        numbered = [(place, layout.number[atom]) for place, atom in enumerate(watch) if atom in layout.number]
        numbers = [number for _, number in numbered]
        self._places = [place for place, _ in numbered]
        self._as_they_are = not self._always and self._places == list(range(len(numbered)))
        """Whether the bits of a kernel are those of the watched atoms."""
        if layout.grows:
            from hexlogic.language.propagation import monotone

            self._insert, self._retract, self._length = monotone.insert, monotone.retract, monotone.LENGTH
            self.memory = monotone.monotone_memory(layout, numbers) if memory is None else memory
            self._true = int(self.memory[monotone.AT.true])
        else:
            from hexlogic.language.propagation import delete_rederive

            self._change = delete_rederive.change
            self.memory = delete_rederive.delete_rederive_memory(layout, numbers) if memory is None else memory
            self._true = int(self.memory[delete_rederive.AT.true])
        self._initial = self.memory.copy()
        self._trail: list[int] = []
        """Inputs set, or how long the trail of the monotone kernel was before each."""

    def copy(self) -> Propagator:
        """Another propagator in the same state."""
        other = Propagator(self.layout, self.watch, self.memory.copy())
        other._initial = self._initial
        other._trail = self._trail.copy()
        return other

    def reset(self) -> None:
        """Take back everything."""
        self.memory[:] = self._initial
        self._trail.clear()

    def set(self, number: int) -> int:
        """Make an input true that is false; the watched atoms that are true then."""
        if self.layout.grows:
            self._trail.append(int(self.memory[self._length]))
            true = self._insert(self.memory, number)
        else:
            self._trail.append(number)
            true = self._change(self.memory, number, 1)
        return true if self._as_they_are else self._spread(true)

    def undo(self) -> int:
        """Take back the last `set`; the watched atoms that are true then."""
        last = self._trail.pop()
        true = self._retract(self.memory, last) if self.layout.grows else self._change(self.memory, last, 0)
        return true if self._as_they_are else self._spread(true)

    def holds(self, atom: Atom) -> bool:
        """Whether an atom is true now."""
        number = self.layout.number.get(atom)
        return atom in self.layout.facts or (number is not None and bool(self._truth()[number]))

    def true_atoms(self) -> frozenset[Atom]:
        """All numbered atoms that are true now."""
        return frozenset(self.layout.atoms[number] for number in self._truth().nonzero()[0])

    def count_true(self) -> int:
        """How many numbered atoms are true now."""
        return int((self._truth() != 0).sum())

    def _truth(self) -> NDArray[np.int32]:
        """The truth of each numbered atom, int32[A]."""
        return self.memory[self._true : self._true + len(self.layout.atoms)]

    def _spread(self, true: int) -> int:
        """Bits of the numbered watched atoms as bits of all."""
        return self._always | sum(1 << place for bit, place in enumerate(self._places) if true >> bit & 1)


def build_propagator(
    program: Program, inputs: Iterable[Atom], watch: Sequence[Atom], wanted: Sequence[Predicate] = ()
) -> Propagator:
    """The propagator of a stratified program over these possible inputs, which are numbered in their order.

    It holds what the queries, the watched atoms and the other `wanted` predicates depend on.

    Raises EngineError when clingo cannot ground it and StratificationError for recursion through negation.
    """
    needed = (*program.queries, *(atom.predicate for atom in watch), *wanted)
    return Propagator(lay_out(ground_program(program, inputs, wanted=needed)), watch)
