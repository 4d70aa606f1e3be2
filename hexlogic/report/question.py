"""A question that a page of the report answers: each module of `pages` that defines `QUESTION` is one."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from hexlogic.registry import Registry
from hexlogic.report.document import Block, Page
from hexlogic.report.material import Material

__all__ = ["PageAnswer", "PageQuestion", "questions"]


@dataclass(frozen=True, slots=True)
class PageAnswer:
    """The finding, said first, and the figures and the table that it rests on."""

    finding: str
    blocks: Sequence[Block]


@dataclass(frozen=True, slots=True, kw_only=True)
class PageQuestion:
    """A page: `name` is that of its file, `title` stands in the navigation, `text` at its head.

    `answer` is None where the records say nothing of it; `how` then makes records that do.
    """

    name: str
    title: str
    text: str
    order: int
    answer: Callable[[Material], PageAnswer | None]
    how: str

    def page(self, material: Material) -> Page | None:
        """The page; None when there is nothing to say."""
        found = self.answer(material)
        return None if found is None else Page(self.name, self.title, self.text, found.finding, tuple(found.blocks))


def questions() -> list[PageQuestion]:
    """All questions, in their order."""
    return sorted(Registry[PageQuestion]("hexlogic.report.pages", "QUESTION", "question"), key=lambda one: one.order)
