"""A section: one topic of a report, with what a page and what a terminal says of it.

Each module of `sections` that defines `SECTION` is one; nothing else names it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from hexlogic.registry import Registry
from hexlogic.report.document import Block, Chapter, Heading, Text
from hexlogic.report.material import Material, SuiteRecords
from hexlogic.runs.records import Session

__all__ = ["Section", "by_suite", "sections"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Section:
    """A topic; sections stand by their `order`.

    `blocks` are those of the page, which leaves out a section without any; `name` is its anchor, and `lead` is said
    first. `terminal` has the blocks that `hexlogic bench` prints for a suite, and `legend` says how to read them.
    """

    name: str
    title: str
    order: int
    blocks: Callable[[Material], Sequence[Block]]
    lead: str = ""
    always: bool = False
    """Whether it stands in a report on playouts alone, in which no rule was asked about a position."""
    terminal: Callable[[SuiteRecords], Sequence[Block]] | None = None
    legend: Callable[[Session], str] | None = None

    def chapter(self, material: Material) -> Chapter | None:
        """The chapter of the page; None when there is nothing to say."""
        blocks = self.blocks(material)
        lead = [Text(self.lead)] if self.lead else []
        return Chapter(self.name, self.title, (*lead, *blocks)) if blocks else None


def sections() -> list[Section]:
    """All sections, in their order."""
    return sorted(Registry[Section]("hexlogic.report.sections", "SECTION", "section"), key=lambda one: one.order)


def by_suite(
    blocks: Callable[[SuiteRecords], Sequence[Block]], *, headings: bool = False
) -> Callable[[Material], Sequence[Block]]:
    """The blocks of one suite after the other; with `headings` each has one where there are several suites."""

    def every(material: Material) -> Sequence[Block]:
        found: list[Block] = []
        for suite in material.suites:
            own = blocks(suite)
            heading = [Heading(f"Suite {suite.suite}")] if own and headings and len(material.suites) > 1 else []
            found += [*heading, *own]
        return found

    return every
