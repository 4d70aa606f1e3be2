"""Marks beside times that say less than they seem to: too near the engine's floor, varying from run to run, or
taken while wall and CPU time went apart."""

from __future__ import annotations

from collections.abc import Sequence

from hexlogic.report.stats import NEAR, UNSTEADY, CellStats
from hexlogic.report.words import listed, milliseconds

__all__ = ["explain_marks", "marks", "warm_mark"]

_NEAR_FLOOR = "*"
_UNSTEADY = "!"
_PARTED = "#"


def marks(cell: CellStats) -> str:
    """The marks of the cell's time: any of `*`, `!` and `#`."""
    return (
        (_NEAR_FLOOR if cell.near_floor else "")
        + (_UNSTEADY if cell.unsteady else "")
        + (_PARTED if cell.parted else "")
    )


def warm_mark(cell: CellStats) -> str:
    """The mark of the time of the query asked again."""
    return _NEAR_FLOOR if cell.warm_near_floor else ""


def explain_marks(cells: Sequence[CellStats]) -> list[str]:
    """A sentence for each mark in use, with its count."""
    told = []
    near = [cell for cell in cells if cell.near_floor or cell.warm_near_floor]
    if near:
        floors = {cell.engine: _floors(cell) for cell in near}
        told.append(
            f"{_NEAR_FLOOR} in {len(near)} of {_timed(cells)} cells: below {NEAR:.0f} times the smallest query there "
            f"is, one fact asked for ({listed([f'{text} on {engine}' for engine, text in floors.items()])}); most "
            "of that time is what any query costs."
        )
    unsteady = sum(cell.unsteady for cell in cells)
    if unsteady:
        told.append(
            f"{_UNSTEADY} in {unsteady} of {_timed(cells)} cells: the time varies, the middle half of the runs is "
            f"wider than {UNSTEADY * 100:.0f} % of the median."
        )
    parted = sum(bool(cell.parted) for cell in cells)
    if parted:
        told.append(
            f"{_PARTED} in {parted} of {_timed(cells)} cells: wall and CPU seconds of a run part by a fifth or more."
        )
    return told


def _timed(cells: Sequence[CellStats]) -> int:
    return sum(cell.time_s is not None for cell in cells)


def _floors(cell: CellStats) -> str:
    first = "?" if cell.smallest_s is None else milliseconds(cell.smallest_s)
    again = "" if cell.smallest_warm_s is None else f", again {milliseconds(cell.smallest_warm_s)} ms"
    return f"{first} ms{again}"
