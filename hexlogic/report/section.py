"""A section of what `hexlogic bench` prints for a suite, found by name: each module of `sections` defines `SECTION`."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from hexlogic.registry import Registry
from hexlogic.report.document import Block
from hexlogic.report.material import SuiteRecords
from hexlogic.runs.records import Session

__all__ = ["Section", "sections"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Section:
    """A topic; sections stand by their `order`. `legend` says how to read the `blocks`."""

    name: str
    order: int
    blocks: Callable[[SuiteRecords], Sequence[Block]]
    legend: Callable[[Session], str]


def sections() -> list[Section]:
    """All sections, in their order."""
    return sorted(Registry[Section]("hexlogic.report.sections", "SECTION", "section"), key=lambda one: one.order)
