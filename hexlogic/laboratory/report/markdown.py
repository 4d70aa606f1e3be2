"""A report as a whole, and as Markdown with its figures beside it.

Names and messages come from records, and could be anything: what they hold is text, never markup. Prose keeps two
kinds of markup of its own, words between backticks and words between asterisks, as on the page.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import assert_never

from hexlogic.laboratory.report.document import (
    Block,
    Bullets,
    Command,
    Drawing,
    Entry,
    Figure,
    Heading,
    Page,
    Table,
    Text,
)

_SIGNS = {"good": "", "late": "", "bad": "**!** ", "absent": "", "": ""}


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


def markdown(pages: Sequence[Page], alarms: Sequence[str], footer: str) -> str:
    """The pages, the first one with the highest heading; pictures and tables are linked as `figures/NAME.svg` and
    `tables/NAME.csv`."""
    lines = [line for alarm in alarms for line in (f"> **{_plain_text(alarm)}**", "")]
    for place, page in enumerate(pages):
        lines += [f"{'##' if place else '#'} {_plain_text(page.question)}", "", _prose(page.finding), ""]
        lines += [line for block in page.blocks for line in (*_block(block), "")]
    return "\n".join([*lines, _prose(footer)]).rstrip("\n") + "\n"


def _block(block: Block) -> list[str]:
    match block:
        case Heading(text=text):
            return [f"### {_plain_text(text)}"]
        case Text(text=text, tone=tone):
            return [_SIGNS[tone] + _prose(text)]
        case Bullets(texts=texts):
            return [f"- {_prose(text)}" for text in texts]
        case Command(text=text):
            # A fence longer than any run of backticks in the command.
            fence = "`" * max(3, 1 + max(map(len, re.findall("`+", text)), default=0))
            return [f"{fence}console", f"$ {text}", fence]
        case Table():
            return _table(block)
        case Figure(name=name, title=title, caption=caption):
            return [f"**{_plain_text(title)}**", "", _picture(title, name), "", f"*{_plain_text(caption)}*"]
        case Drawing(name=name, title=title):
            return [_picture(title, name), "", f"*{_plain_text(title)}*"]
        case _:
            assert_never(block)


def _picture(title: str, name: str) -> str:
    return f"![{_plain_text(title.replace('[', '(').replace(']', ')'))}](figures/{name}.svg)"


def _table(table: Table) -> list[str]:
    """A table without the columns of commands, which its CSV file holds."""
    shown = [
        place
        for place in range(len(table.columns))
        if not (table.rows and all(row[place].command for row in table.rows))
    ]
    columns = [table.columns[place] for place in shown]
    lines = [
        f"**{_plain_text(table.title)}** ([CSV](tables/{table.name}.csv))",
        "",
        _line([_plain_text(column.head) for column in columns]),
        "|" + "|".join("--:" if column.numeric else "---" for column in columns) + "|",
        *(_line([_entry(row[place]) for place in shown]) for row in table.rows),
    ]
    if table.notes:
        lines += ["", *(f"[{number}] {_plain_text(note)}  " for number, note in enumerate(table.notes, start=1))]
    return lines


def _entry(entry: Entry) -> str:
    shown = _plain_text(entry.text)
    return f"[{shown}]({entry.link})" if entry.link else shown


def _line(entries: list[str]) -> str:
    return f"| {' | '.join(entries)} |"


_MARKUP = re.compile(r"([\\`*_|<&#~]|(?<=\])\(|!(?=\[))")
"""What begins markup in the middle of a line, `|` of a table and HTML among it."""

_BEGINNING = re.compile(r"^(\s*)([-+=>]|\d+[.)](?=\s))")
"""What makes a list or a heading of a line."""


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
