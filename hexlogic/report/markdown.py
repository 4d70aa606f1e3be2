"""A report as Markdown, with its figures beside it.

Names and messages come from records, and could be anything: what they hold is text, never markup. Prose keeps two
kinds of markup of its own, words between backticks and words between asterisks, as on the page.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any, assert_never

from hexlogic.report.document import (
    Block,
    Bullets,
    Column,
    Command,
    Drawing,
    Entry,
    Figure,
    Heading,
    Page,
    Table,
    Text,
)

__all__ = ["markdown"]

_SIGNS = {"good": "", "late": "", "bad": "**!** ", "absent": "", "": ""}


def markdown(pages: Sequence[Page], alarms: Sequence[str], footer: str) -> str:
    """The pages, the first one with the highest heading; pictures and tables are linked as `figures/NAME.svg` and
    `tables/NAME.csv`."""
    lines = [line for alarm in alarms for line in (f"> **{_plain_text(alarm)}**", "")]
    for place, page in enumerate(pages):
        lines += _page(page, "##" if place else "#")
    return "\n".join([*lines, _prose(footer)]).rstrip("\n") + "\n"


def _page(page: Page, sign: str) -> list[str]:
    lines = [f"{sign} {_plain_text(page.question)}", "", _prose(page.finding), ""]
    for block in page.blocks:
        lines += [*_block(block), ""]
    return lines


def _block(block: Block) -> list[str]:
    match block:
        case Heading(text=text):
            return [f"### {_plain_text(text)}"]
        case Text(text=text, tone=tone):
            return [_SIGNS[tone] + _prose(text)]
        case Bullets(texts=texts):
            return [f"- {_prose(text)}" for text in texts]
        case Command(text=text):
            return _fenced("console", [f"$ {text}"])
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
    rows = [_line([_entry(row[place]) for place in shown]) for row in table.rows]
    rule = "|" + "|".join(_rule(table.columns[place]) for place in shown) + "|"
    lines = [
        f"**{_plain_text(table.title)}** ([CSV](tables/{table.name}.csv))",
        "",
        _line([_plain_text(table.columns[place].head) for place in shown]),
        rule,
        *rows,
    ]
    if table.notes:
        lines += ["", *(f"[{number}] {_plain_text(note)}  " for number, note in enumerate(table.notes, start=1))]
    return lines


def _entry(entry: Entry) -> str:
    shown = _plain_text(entry.text)
    return f"[{shown}]({entry.link})" if entry.link else shown


def _rule(column: Column[Any]) -> str:
    return "--:" if column.numeric else "---"


def _line(entries: list[str]) -> str:
    return f"| {' | '.join(entries)} |"


_MARKUP = re.compile(r"([\\`*_|<&#~]|(?<=\])\(|!(?=\[))")
"""What begins markup in the middle of a line, `|` of a table and HTML among it."""

_BEGINNING = re.compile(r"^(\s*)([-+=>]|\d+[.)](?=\s))")
"""What makes a list or a heading of a line."""


def _plain_text(text: str) -> str:
    """Text of one line that shows its letters as they are.

    >>> print(_plain_text("a|b `c` <b> *d*"))
    a\\|b \\`c\\` &lt;b> \\*d\\*
    """
    return _BEGINNING.sub(r"\1\\\2", _MARKUP.sub(_as_letter, " ".join(text.split())))


def _as_letter(found: re.Match[str]) -> str:
    letter = found[0]
    if letter == "_" and _inside_word(found):
        return letter
    return {"<": "&lt;", "&": "&amp;"}.get(letter, f"\\{letter}")


def _inside_word(found: re.Match[str]) -> bool:
    """An underscore inside a word begins no emphasis."""
    around = found.string[max(0, found.start() - 1) : found.end() + 1]
    return len(around) == 3 and around[0].isalnum() and around[2].isalnum()


def _prose(text: str) -> str:
    """Prose of one line: code between backticks and emphasis between asterisks stay, all else is text.

    >>> print(_prose("take `clusters` *here* <b>"))
    take `clusters` *here* &lt;b>
    """
    parts = re.split(r"(`[^`]+`|\[\w+\]\(\w+\.html\)|(?<![\w*])\*[^*<>]+\*(?![\w*]))", " ".join(text.split()))
    text = "".join(part if number % 2 else _MARKUP.sub(_as_letter, part) for number, part in enumerate(parts))
    return _BEGINNING.sub(r"\1\\\2", text)


def _fenced(language: str, lines: list[str]) -> list[str]:
    """Lines as they are, in a fence longer than any run of backticks in them."""
    longest = max((len(found) for line in lines for found in re.findall("`+", line)), default=0)
    fence = "`" * max(3, longest + 1)
    return [f"{fence}{language}", *lines, fence]
