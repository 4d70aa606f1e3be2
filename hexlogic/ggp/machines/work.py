"""What playing a sheet costs, counted: the same figure every time and on every machine.

A reasoner that grounds a sheet ahead has to do with its ground rules: they are the gates of a propositional network,
and their body literals its wires. Where there are more than can be made in time, they are estimated from the types of
the arguments.
"""

from __future__ import annotations

from dataclasses import dataclass

from hexlogic.errors import EngineError
from hexlogic.ggp.language.opened import open_sheet
from hexlogic.ggp.language.sheet import PLAYED, sheet_of
from hexlogic.ggp.language.static_facts import possible_inputs
from hexlogic.ggp.propnet.possible_sizes import possible_sizes
from hexlogic.language.analysis.dependence import rules_below
from hexlogic.language.ground.program import ground_program
from hexlogic.language.syntax import Program

_GROUND = "ground rules and literals"


@dataclass(frozen=True, slots=True)
class Work:
    """The cost of a sheet: `amount` in units of `unit`; None when it is not known: not within the limit, or nothing
    bounds the states. `estimated` where it was not counted."""

    amount: int | None
    unit: str
    estimated: bool = False

    def __str__(self) -> str:
        """
        >>> print(Work(1234, "inferences"), Work(1234, "rules", estimated=True), Work(None, "inferences"), sep="; ")
        1,234; about 1,200 (estimated); not known
        """
        if self.amount is None:
            return "not known"
        return f"about {float(f'{self.amount:.1e}'):,.0f} (estimated)" if self.estimated else f"{self.amount:,}"

    @property
    def order(self) -> tuple[bool, float]:
        """Less is better: what was counted before what was estimated, and what is known before what is not."""
        return (self.estimated, float(self.amount)) if self.amount is not None else (True, float("inf"))


def ground_work(sheet: Program) -> Work:
    """The ground rules and body literals of a sheet. Raises EngineError for one that cannot be ground."""
    possible = possible_inputs(sheet)
    if possible is None:
        return Work(None, _GROUND)
    ground = ground_program(sheet, possible, wanted=PLAYED)
    return Work(sum(1 + len(rule.body) for rule in ground.rules), _GROUND)


def estimated_work(sheet: Program) -> Work:
    """The same, estimated within a second or two; not known where terms grow."""
    try:
        opened = open_sheet(sheet_of(rules_below(sheet, PLAYED).rules))
        sizes = possible_sizes(opened)
    except EngineError:
        return Work(None, _GROUND)
    found = sum(sizes.answers(rule.body) * (1 + len(rule.body)) for rule in opened.program.rules if rule.body)
    return Work(round(found), _GROUND, estimated=True)
