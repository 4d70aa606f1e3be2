"""What a report is made of: pages of plain blocks. Here they become Markdown, in `terminal` text, in `build` HTML.

Names and messages come from records, and could be anything: what they hold is text, never markup. Prose keeps two
kinds of markup of its own, words between backticks and words between asterisks, as on the page.
"""

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import compress
from pathlib import Path
from typing import Final, Generic, Literal, Never, TypeAlias, TypeVar

from tabulate import tabulate

from hexlogic.laboratory.report.claims.relations import Counter, Relation
from hexlogic.laboratory.report.claims.sentences import entry as factor_text
from hexlogic.process.files import load_template

TEMPLATES: Final = Path(__file__).with_name("templates")

T = TypeVar("T")
T_contra = TypeVar("T_contra", contravariant=True)

Value: TypeAlias = str | int | float | bool | None
"""A raw value: SI units, None for what is missing. It goes into CSV files and decides the order of rows."""

Tone: TypeAlias = Literal["", "good", "late", "bad", "absent"]
"""How an entry is tinted; its text says the same in words."""


@dataclass(frozen=True, slots=True)
class Entry:
    """One entry of a table: what people read, and the raw value behind it. `link` is a page of the report, with or
    without a place in it. A `command` is copied by a button and not shown."""

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

    >>> [(entry.text, entry.value) for entry in (number(1234), number(None))]
    [('1,234', 1234), ('', None)]
    >>> number(0.5, ".2f").text
    '0.50'
    """
    if value is None:
        return Entry("", None)
    return Entry(format(value, text) if isinstance(text, str) else text(value), value)


Shown: TypeAlias = Entry | str | float | Relation | Counter | None
"""What a column makes an entry of."""


@dataclass(frozen=True, slots=True)
class Column(Generic[T_contra]):
    """A column: `key` with its unit heads the CSV file, `head` the printed table.

    `entry` makes the entry from the object of a row: a whole one, a text, a number to be shown with separators, a
    factor to be shown with its interval, or a count. Where it is None the entry is the object's attribute `key`.

    A terminal shows the entries of `group` columns once for adjacent rows that agree in all of them.
    """

    key: str
    head: str
    entry: Callable[[T_contra], Shown] | None = None
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
            case Relation():
                return Entry(factor_text(entry), entry.value)
            case Counter():
                return number(entry.value)
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

    def without_commands(self) -> tuple[list[Column[Never]], list[list[Entry]]]:
        """The columns and the rows that are read, without the columns of commands."""
        read = [not (self.rows and all(row[place].command for row in self.rows)) for place in range(len(self.columns))]
        return list(compress(self.columns, read)), [list(compress(row, read)) for row in self.rows]

    def _repr_html_(self) -> str:
        """What a notebook shows: the entries, without the columns of commands."""
        columns, rows = self.without_commands()
        texts = [[entry.text for entry in row] for row in rows]
        return str(tabulate(texts, [column.head for column in columns], tablefmt="html", disable_numparse=True))


def make_table(
    name: str, title: str, columns: Sequence[Column[T]], objects: Iterable[T], notes: Sequence[str] = ()
) -> Table:
    """A table with a row for each object; `notes` are those that the columns have filled by `marked`."""
    rows = tuple(tuple(column.of(row) for column in columns) for row in objects)
    return Table(name, title, tuple(columns), rows, tuple(notes))


def marked(notes: list[str], text: str | None) -> str:
    """` [n]` for the footnote with this text, which is said once; nothing for None."""
    if text is None:
        return ""
    if text not in notes:
        notes.append(text)
    return f" [{notes.index(text) + 1}]"


@dataclass(frozen=True, slots=True)
class Figure:
    """A chart with the data it shows. `title` says its finding and `caption` how to read it. `spec` is a Vega-Lite
    specification that any renderer of Vega can show; `columns` and `rows` are its CSV file."""

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


@dataclass(frozen=True, slots=True)
class Listing:
    """Rule text. Each of its lines begins with a sign: `+` and `-` for what passes added and removed, else a space.
    Where it is `long`, the text report names it only."""

    name: str
    title: str
    caption: str
    lines: tuple[str, ...]
    long: bool = False


Block: TypeAlias = Heading | Text | Bullets | Command | Table | Figure | Drawing | Listing


@dataclass(frozen=True, slots=True)
class Page:
    """A page that answers one question: `finding` is said first. `name` is that of its file. The navigation does not
    name the page of an answer, to which the front page leads."""

    name: str
    title: str
    question: str
    finding: str
    blocks: tuple[Block, ...]
    in_navigation: bool = True


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
        """All pages, the first one with the highest heading; pictures and tables are linked as `figures/NAME.svg` and
        `tables/NAME.csv`."""
        filters: dict[str, Callable[..., object]] = {"kind": kind_of, "plain": _plain_text}
        filters |= {"prose": _prose, "fenced": _fenced}
        return load_template(TEMPLATES / "report.md.j2", filters).render(report=self)

    def _repr_markdown_(self) -> str:
        """What a notebook shows: the front page, whose pictures lie in the folder of a written report."""
        return replace(self, pages=self.pages[:1]).markdown()


def kind_of(block: Block) -> str:
    """The name of a block's type, for templates."""
    return type(block).__name__


def _fenced(text: str, kind: str) -> str:
    """A text between fences that are longer than any run of backticks in it."""
    fence = "`" * max(3, 1 + max(map(len, re.findall("`+", text)), default=0))
    return f"{fence}{kind}\n{text}\n{fence}"


_MARKUP = re.compile(r"([\\`*_|<&#~]|(?<=\])\(|!(?=\[))")
"""What begins markup in the middle of a line, `|` of a table and HTML among it."""

_BEGINNING = re.compile(r"^(\s*)([-+=>]|\d+[.)](?=\s))")  # What makes a list or a heading of a line


def _plain_text(text: str) -> str:
    """Escape a text of one line, so that Markdown shows each character as it is.

    >>> print(_plain_text("a|b `c` <b> *d*"))
    a\\|b \\`c\\` &lt;b> \\*d\\*
    """
    return _BEGINNING.sub(r"\1\\\2", _MARKUP.sub(_as_letter, " ".join(text.split())))


def _as_letter(match: re.Match[str]) -> str:
    letter = match[0]
    around = match.string[max(0, match.start() - 1) : match.end() + 1]
    if letter == "_" and len(around) == 3 and around[0].isalnum() and around[2].isalnum():
        return letter  # inside a word it begins no emphasis
    return {"<": "&lt;", "&": "&amp;"}.get(letter, f"\\{letter}")


def _prose(text: str) -> str:
    """Prose of one line: code between backticks and emphasis between asterisks stay, all else is text.

    >>> print(_prose("take `clusters` *here* <b>"))
    take `clusters` *here* &lt;b>
    """
    parts = re.split(r"(`[^`]+`|\[\w+\]\(\w+\.html\)|(?<![\w*])\*[^*<>]+\*(?![\w*]))", " ".join(text.split()))
    text = "".join(part if number % 2 else _MARKUP.sub(_as_letter, part) for number, part in enumerate(parts))
    return _BEGINNING.sub(r"\1\\\2", text)
