"""A table as text cells, with its footnotes and findings: what every way of showing it starts from."""

from __future__ import annotations

from dataclasses import dataclass, field

__all__ = ["Notes", "Table"]


@dataclass(slots=True)
class Table:
    """A table as text cells. `groups` are the row numbers before which a rule is drawn; `notes` its footnotes."""

    title: str
    columns: list[str]
    rows: list[list[str]]
    groups: list[int] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    findings: list[str] = field(default_factory=list)
    """What it shows, in sentences."""


class Notes:
    """Footnotes of one table: the same reason is said once."""

    def __init__(self) -> None:
        self.texts: list[str] = []

    def mark(self, text: str | None) -> str:
        """` [n]` for this text, nothing for None."""
        if text is None:
            return ""
        if text not in self.texts:
            self.texts.append(text)
        return f" [{self.texts.index(text) + 1}]"
