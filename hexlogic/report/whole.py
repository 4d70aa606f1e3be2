"""A report as a whole: its pages, what is said on each of them, and how a notebook shows it."""

from __future__ import annotations

from dataclasses import dataclass

from hexlogic.report.document import Block, Page
from hexlogic.report.markdown import markdown

__all__ = ["Report"]


@dataclass(frozen=True, slots=True)
class Report:
    """The whole, the front page first. `alarms` are said in red before anything else; `footer` ends each page."""

    title: str
    alarms: tuple[str, ...]
    footer: str
    pages: tuple[Page, ...]

    @property
    def blocks(self) -> tuple[Block, ...]:
        """All blocks, in the order of the pages."""
        return tuple(block for page in self.pages for block in page.blocks)

    def markdown(self) -> str:
        """All pages as Markdown."""
        return markdown(self.pages, self.alarms, self.footer)

    def _repr_markdown_(self) -> str:
        """What a notebook shows: the front page, whose pictures lie in the folder of a written report."""
        return markdown(self.pages[:1], self.alarms, self.footer)
