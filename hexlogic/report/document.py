"""What a report is made of: chapters of plain blocks, which Markdown and HTML each write in their own way."""

from __future__ import annotations

from dataclasses import dataclass
from html import escape
from typing import Literal, TypeAlias

__all__ = [
    "Block",
    "Bullets",
    "Chapter",
    "Column",
    "Command",
    "Figure",
    "Grid",
    "Heading",
    "Item",
    "Listing",
    "Piece",
    "Report",
    "Text",
    "Tone",
    "Value",
    "item",
]

Value: TypeAlias = str | int | float | bool | None
"""A raw value: SI units, None for what is missing. It goes into CSV files and decides the order of rows."""

Tone: TypeAlias = Literal["", "good", "late", "bad", "absent"]
"""How an item is tinted; its text says the same in words."""


@dataclass(frozen=True, slots=True)
class Item:
    """One cell of a table: what people read, and the raw value behind it."""

    text: str
    value: Value
    tone: Tone = ""


def item(text: str) -> Item:
    """An item that is its own value."""
    return Item(text, text)


@dataclass(frozen=True, slots=True)
class Column:
    """A column: `key` with its unit heads the CSV file, `head` the printed table; `choices` offers its values as a
    filter."""

    key: str
    head: str
    numeric: bool = False
    choices: bool = False


@dataclass(frozen=True, slots=True)
class Grid:
    """A table. `name` is that of its CSV file; `notes` are numbered from 1."""

    name: str
    title: str
    columns: tuple[Column, ...]
    rows: tuple[tuple[Item, ...], ...]
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Figure:
    """A picture with the data it shows. `svg` is one element; `columns` and `rows` are its CSV file."""

    name: str
    title: str
    svg: str
    columns: tuple[str, ...]
    rows: tuple[tuple[Value, ...], ...]

    @property
    def says_title(self) -> bool:
        """Whether the picture itself shows its title."""
        return f">{escape(self.title, quote=False)}</text>" in self.svg


@dataclass(frozen=True, slots=True)
class Heading:
    """A heading inside a chapter."""

    text: str


@dataclass(frozen=True, slots=True)
class Text:
    """A paragraph; words between backticks are code."""

    text: str
    tone: Tone = ""


@dataclass(frozen=True, slots=True)
class Bullets:
    """A list of sentences; words between backticks are code."""

    texts: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Command:
    """A command line, to be copied."""

    text: str


@dataclass(frozen=True, slots=True)
class Piece:
    """A part of a rule: kept as it was, gone, new, or the same literal at another place."""

    text: str
    kind: Literal["same", "gone", "new", "moved"] = "same"


@dataclass(frozen=True, slots=True)
class Listing:
    """Rules before and after, row by row; an empty side has no such rule. `folded` ones are closed at first."""

    title: str
    rows: tuple[tuple[tuple[Piece, ...], tuple[Piece, ...]], ...]
    note: str = ""
    folded: bool = False


Block: TypeAlias = Heading | Text | Bullets | Command | Grid | Figure | Listing


@dataclass(frozen=True, slots=True)
class Chapter:
    """A chapter; `anchor` names it in links."""

    anchor: str
    title: str
    blocks: tuple[Block, ...]


@dataclass(frozen=True, slots=True)
class Report:
    """The whole: `alarms` are said in red before anything else."""

    title: str
    subtitle: str
    alarms: tuple[str, ...]
    warnings: tuple[str, ...]
    chapters: tuple[Chapter, ...]

    @property
    def blocks(self) -> tuple[Block, ...]:
        """All blocks, in the order of the page."""
        return tuple(block for chapter in self.chapters for block in chapter.blocks)
