"""Topics, each one module of `topics`, found by name: `QUESTION` is its page in a report, `SECTION` what `bench` prints
of it on a terminal. A topic has either of the two or both."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar

from hexlogic.laboratory.records.types import Session
from hexlogic.laboratory.report.document import Block, Page
from hexlogic.laboratory.report.results import Results, SuiteRecords
from hexlogic.registry import Registry

Data = TypeVar("Data")

_TOPICS = "hexlogic.laboratory.report.topics"


@dataclass(frozen=True, slots=True, kw_only=True)
class Section:
    """A part of what a terminal shows of a suite, sorted by `order`; `legend` says how to read the `blocks`."""

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
class PageQuestion(Generic[Data]):
    """A page: `name` is that of its file, `title` stands in the navigation, `text` at its head.

    `find` gives what the records hold on it, and `answer` the page of that; where they hold nothing, `how` is the
    command that makes such records.
    """

    name: str
    title: str
    text: str
    order: int
    find: Callable[[Results], Data]
    answer: Callable[[Results, Data], PageAnswer]
    how: str

    def page(self, results: Results) -> Page | None:
        """The page; None when there is nothing to say."""
        if not (data := self.find(results)):
            return None
        answer = self.answer(results, data)
        return Page(self.name, self.title, self.text, answer.finding, tuple(answer.blocks))


def questions() -> list[PageQuestion[object]]:
    """All questions, in their order."""
    return sorted(Registry[PageQuestion[object]](_TOPICS, "QUESTION", "question"), key=lambda question: question.order)


def sections() -> list[Section]:
    """All sections, in their order."""
    return sorted(Registry[Section](_TOPICS, "SECTION", "section"), key=lambda section: section.order)
