"""Blocks as text for a terminal of 100 columns: tables and sentences, without pictures."""

from __future__ import annotations

import textwrap
from collections.abc import Iterable

from tabulate import tabulate

from hexlogic.report.document import Block, Bullets, Command, Drawing, Figure, Heading, Table, Text

__all__ = ["WIDTH", "render_blocks", "wrapped"]

WIDTH = 100


def render_blocks(blocks: Iterable[Block]) -> str:
    """The blocks, with an empty line between any two of them; figures and tables without rows are left out.

    >>> from hexlogic.report.document import Column, plain
    >>> columns = Column("engine", "engine", group=True), Column("time_s", "time (ms)", numeric=True)
    >>> rows = [(plain("swipl"), plain("1.0")), (plain("swipl"), plain("2.0")), (plain("clingo"), plain("> 10 s"))]
    >>> print(render_blocks([Table("file", "title", columns, tuple(rows)), Bullets(("One.", "Two."))]))
    title
    <BLANKLINE>
    engine      time
                (ms)
    --------  ------
    swipl        1.0
                 2.0
    --------  ------
    clingo    > 10 s
    <BLANKLINE>
    One.
    Two.
    """
    return "\n\n".join(text for block in blocks if (text := _block(block)))


def _block(block: Block) -> str:
    match block:
        case Table():
            return _table(block) if block.rows else ""
        case Bullets(texts=texts):
            return "\n".join(map(wrapped, texts))
        case Text(text=text) | Heading(text=text):
            return wrapped(text)
        case Command(text=text):
            return f"$ {text}"
        case Figure() | Drawing():
            return ""


def _table(table: Table) -> str:
    """The title, the table with a rule between groups of rows, and its footnotes."""
    columns = table.columns
    groups = [place for place, column in enumerate(columns) if column.group]
    rows: list[list[str]] = []
    first_rows: list[int] = []
    key: list[str] | None = None
    for row in table.rows:
        own = [row[place].text for place in groups]
        if groups and own != key:
            first_rows.append(len(rows))
        rows.append(["" if place in groups and own == key else entry.text for place, entry in enumerate(row)])
        key = own
    heads = [one.head if "\n" in one.head else one.head.replace(" (", "\n(") for one in columns]
    align = ["right" if column.numeric else "left" for column in columns]
    text = tabulate(rows, headers=heads, tablefmt="simple", colalign=align, disable_numparse=True)
    lines = [line.rstrip() for line in text.splitlines()]
    depth = 1 + max(head.count("\n") for head in heads)
    head, rule, body = lines[:depth], lines[depth], lines[depth + 1 :]
    for place in reversed(first_rows[1:]):
        body.insert(place, rule)
    notes = [wrapped(f"[{place}] {note}", hang=4) for place, note in enumerate(table.notes, start=1)]
    return "\n".join([wrapped(table.title), "", *head, rule, *body, *notes])


def wrapped(text: str, hang: int = 2) -> str:
    """A paragraph in lines of at most `WIDTH`, but for words that are longer."""
    return textwrap.fill(text, WIDTH, subsequent_indent=" " * hang, break_long_words=False, break_on_hyphens=False)
