"""Topics, each one module of `topics`, found by name: `QUESTION` is its page in a report, `SECTION` what `bench` prints
of it on a terminal. A topic has either of the two or both."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from hexlogic.registry import Registry
from hexlogic.report.document import Block, Page
from hexlogic.report.material import Material, SuiteRecords
from hexlogic.runs.records import Session

__all__ = ["PageAnswer", "PageQuestion", "Section", "questions", "sections"]

Found = TypeVar("Found")

_TOPICS = "hexlogic.report.topics"


@dataclass(frozen=True, slots=True, kw_only=True)
class Section:
    """What is said of a suite; sections stand by their `order`. `legend` says how to read the `blocks`."""

    name: str
    order: int
    blocks: Callable[[SuiteRecords], Sequence[Block]]
    legend: Callable[[Session], str]


@dataclass(frozen=True, slots=True)
class PageAnswer:
    """The finding, said first, and the figures and the table that it rests on."""

    finding: str
    blocks: Sequence[Block]


@dataclass(frozen=True, slots=True, kw_only=True)
class PageQuestion(Generic[Found]):
    """A page: `name` is that of its file, `title` stands in the navigation, `text` at its head.

    `find` gives what the records say of it, and `answer` tells that; where they say nothing, `how` makes records that
    do.
    """

    name: str
    title: str
    text: str
    order: int
    find: Callable[[Material], Found]
    answer: Callable[[Material, Found], PageAnswer]
    how: str

    def page(self, material: Material) -> Page | None:
        """The page; None when there is nothing to say."""
        if not (found := self.find(material)):
            return None
        told = self.answer(material, found)
        return Page(self.name, self.title, self.text, told.finding, tuple(told.blocks))


def questions() -> list[PageQuestion[Any]]:
    """All questions, in their order."""
    return sorted(Registry[PageQuestion[Any]](_TOPICS, "QUESTION", "question"), key=lambda one: one.order)


def sections() -> list[Section]:
    """All sections, in their order."""
    return sorted(Registry[Section](_TOPICS, "SECTION", "section"), key=lambda one: one.order)
