"""A clause of a model as a rule of the rule language, with what the model's sample says about it."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

import numpy as np

from hexlogic.games import BLUE, RED, Hex, Player
from hexlogic.players.predict.colourings import SymbolLiteral
from hexlogic.players.predict.predictor import Predictor

_CELL: Final = re.compile(r"(?<=,)\d+(?=[,)])")


@dataclass(frozen=True, slots=True)
class Clause:
    """One clause: `literals` (an atom and whether it is to hold), the weight of its vote (positive for red), the share
    of the sample's positions that it covers, and the share of these that its player wins (None where it covers none).
    """

    number: int
    literals: tuple[SymbolLiteral, ...]
    weight: int
    coverage: float
    precision: float | None

    @property
    def player(self) -> Player:
        """Whom the clause votes for."""
        return RED if self.weight > 0 else BLUE

    def rule(self, literals: tuple[SymbolLiteral, ...] | None = None) -> str:
        """The clause, or what is left of its literals, as a rule."""
        body = ", ".join(map(literal_text, self.literals if literals is None else literals))
        return f"clause({self.number}) :- {body}." if body else f"clause({self.number})."


def literal_text(literal: SymbolLiteral) -> str:
    """A literal in the rule language.

    >>> literal_text(("connected(red,1,9)", False))
    'not connected(red,1,9)'
    """
    return literal[0] if literal[1] else f"not {literal[0]}"


def readable(board: Hex, literal: SymbolLiteral) -> str:
    """A literal for people, with cell names in the place of numbers.

    >>> readable(Hex.square(3), ("connected(red,1,9)", False))
    'not connected(red,a1,c3)'
    """
    cells: Callable[[re.Match[str]], str] = lambda found: board.cell_name(int(found.group()))  # noqa: E731
    atom = literal[0]
    if atom.startswith(("connected(", "owns(", "bridge(")):
        atom = _CELL.sub(cells, atom)
    return literal_text((atom, literal[1]))


def clauses_of(predictor: Predictor) -> list[Clause]:
    """The clauses of a model by their weight in the decisions on its sample: the largest |weight| * coverage first."""
    model = predictor.model
    fired, red = model.fired(predictor.sample_truths).astype(bool), predictor.sample_winners == 1
    found = []
    for number in range(len(model)):
        covered = fired[:, number]
        count = int(covered.sum())
        weight = int(model.weights[number])
        right = int(np.count_nonzero(covered & (red == (weight > 0))))
        literals = tuple((model.symbols[literal >> 1], not literal & 1) for literal in model.clause(number))
        precision = right / count if count else None
        found.append(Clause(number, literals, weight, count / max(1, len(fired)), precision))
    return sorted(found, key=lambda clause: (-abs(clause.weight) * clause.coverage, clause.number))
