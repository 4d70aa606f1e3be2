"""A ground program with the kernel that suits it: inputs are set and taken back, some atoms are watched."""

from collections.abc import Iterable, Sequence

import numpy as np
from numpy.typing import NDArray

from hexlogic.language import Atom, Predicate, Program
from hexlogic.language.ground.program import Layout, ground_program


class Propagator:
    """The least model of a ground program while inputs change.

    `set` takes the number of an input; the answer is a bit for each watched atom, the first one lowest. Both kernels
    give the same answers; `monotone` is the faster one, for programs without negation.
    """

    def __init__(self, layout: Layout, watch: Sequence[Atom]) -> None:
        from hexlogic.language.propagation import delete_rederive, monotone

        self.layout, self.watch = layout, tuple(watch)
        count = len(layout.atoms)
        # A fact, which may have a number as an input, is always true, and an atom without a number never: the kernels
        # have a number for each of these.
        numbers = [count + 1 if atom in layout.facts else layout.number.get(atom, count) for atom in watch]
        if layout.grows:
            self._insert, self._retract = monotone.insert, monotone.retract
            self.memory = monotone.monotone_memory(layout, numbers)
        else:
            self._insert = self._retract = delete_rederive.flip
            self.memory = delete_rederive.delete_rederive_memory(layout, numbers)
        self._inputs: list[int] = []  # The inputs that are set, in their order

    def copy(self) -> "Propagator":
        """Another propagator in the same state."""
        other = object.__new__(Propagator)
        other.__dict__ |= self.__dict__ | {"memory": self.memory.copy(), "_inputs": self._inputs.copy()}
        return other

    def reset(self) -> None:
        """Take back everything."""
        while self._inputs:
            self.undo()

    def set(self, number: int) -> int:
        """Make an input true that is false; the watched atoms that are true then."""
        self._inputs.append(number)
        return int(self._insert(self.memory, number))

    def undo(self) -> int:
        """Take back the last `set`; the watched atoms that are true then."""
        return int(self._retract(self.memory, self._inputs.pop()))

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
        """The truth of each numbered atom, int32[A]: the first part of the memory."""
        return self.memory[self.memory[0] : self.memory[0] + len(self.layout.atoms)]


def build_propagator(
    program: Program, inputs: Iterable[Atom], watch: Sequence[Atom], wanted: Sequence[Predicate] = ()
) -> Propagator:
    """The propagator of a stratified program over these possible inputs, which are numbered in their order.

    It holds what the queries, the watched atoms and the other `wanted` predicates depend on.

    Raises EngineError when clingo cannot ground it and StratificationError for recursion through negation.
    """
    needed = (*program.queries, *(atom.predicate for atom in watch), *wanted)
    return Propagator(Layout(ground_program(program, inputs, wanted=needed)), watch)
