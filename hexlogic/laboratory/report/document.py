"""What a report is made of: pages of plain blocks, which are rendered as text, Markdown or HTML."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Generic, Literal, Never, TypeAlias, TypeVar

from tabulate import tabulate

T = TypeVar("T")
T_contra = TypeVar("T_contra", contravariant=True)

Value: TypeAlias = str | int | float | bool | None
"""A raw value: SI units, None for what is missing. It goes into CSV files and decides the order of rows."""

Tone: TypeAlias = Literal["", "good", "late", "bad", "absent"]
"""How an entry is tinted; its text says the same in words."""


@dataclass(frozen=True, slots=True)
class Entry:
    """One entry of a table: what people read, and the raw value behind it.

    `link` is a page of the report, with or without a place in it. A `command` is copied by a button and not shown.
    """

    text: str
    value: Value
    tone: Tone = ""
    link: str = ""
    command: bool = False


def plain(text: str) -> Entry:
    """An entry whose text is its value."""
    return Entry(text, text)


def number(value: float | None, text: Callable[[float], str] | str = ",") -> Entry:
    """An entry of a number, shown by a function or a format; empty for None.

    >>> [(one.text, one.value) for one in (number(1234), number(None))]
    [('1,234', 1234), ('', None)]
    >>> number(0.5, ".2f").text
    '0.50'
    """
    if value is None:
        return Entry("", None)
    return Entry(format(value, text) if isinstance(text, str) else text(value), value)


@dataclass(frozen=True, slots=True)
class Column(Generic[T_contra]):
    """A column: `key` with its unit heads the CSV file, `head` the printed table.

    `entry` makes the entry from the object of a row: a whole one, a text, or a number to be shown with separators.
    Where it is None the entry is the object's attribute `key`.

    A terminal shows the entries of `group` columns once for adjacent rows that agree in all of them.
    """

    key: str
    head: str
    entry: Callable[[T_contra], Entry | str | float | None] | None = None
    numeric: bool = False
    group: bool = False

    def of(self, row: T_contra) -> Entry:
        """The entry of this column in the row of an object."""
        entry = getattr(row, self.key) if self.entry is None else self.entry(row)
        match entry:
            case Entry():
                return entry
            case str():
                return plain(entry)
            case _:
                return number(entry)


@dataclass(frozen=True, slots=True)
class Table:
    """A table. `name` is that of its CSV file; `notes` are numbered from 1."""

    name: str
    title: str
    columns: tuple[Column[Never], ...]
    rows: tuple[tuple[Entry, ...], ...]
    notes: tuple[str, ...] = ()

    def _repr_html_(self) -> str:
        """What a notebook shows: the entries, without the columns of commands."""
        shown = [place for place in range(len(self.columns)) if not any(row[place].command for row in self.rows)]
        rows = [[row[place].text for place in shown] for row in self.rows]
        heads = [self.columns[place].head for place in shown]
        return str(tabulate(rows, heads, tablefmt="html", disable_numparse=True))


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


def make_table(
    name: str, title: str, columns: Sequence[Column[T]], objects: Iterable[T], notes: Notes | None = None
) -> Table:
    """A table with a row for each object; `notes` are those that the columns have filled."""
    rows = tuple(tuple(column.of(row) for column in columns) for row in objects)
    return Table(name, title, tuple(columns), rows, tuple(notes.texts) if notes else ())


@dataclass(frozen=True, slots=True)
class Figure:
    """A chart with the data it shows. `title` says its finding and `caption` how to read it.

    `spec` is a Vega-Lite specification that any renderer of Vega can show; `columns` and `rows` are its CSV file.
    """

    name: str
    title: str
    caption: str
    spec: dict[str, object]
    columns: tuple[str, ...]
    rows: tuple[tuple[Value, ...], ...]


@dataclass(frozen=True, slots=True)
class Drawing:
    """A board, drawn: `svg` is one element."""

    name: str
    title: str
    svg: str


@dataclass(frozen=True, slots=True)
class Heading:
    """A heading inside a page."""

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


Block: TypeAlias = Heading | Text | Bullets | Command | Table | Figure | Drawing


@dataclass(frozen=True, slots=True)
class Page:
    """A page that answers one question: `finding` is said first. `name` is that of its file."""

    name: str
    title: str
    question: str
    finding: str
    blocks: tuple[Block, ...]
