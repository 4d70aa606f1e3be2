"""A report as Markdown, with its figures beside it."""

from __future__ import annotations

from typing import assert_never

from hexlogic.report.document import (
    Block,
    Bullets,
    Column,
    Command,
    Figure,
    Grid,
    Heading,
    Listing,
    Piece,
    Report,
    Text,
)

__all__ = ["markdown"]

_SIGNS = {"good": "", "late": "", "bad": "**!** ", "absent": "", "": ""}


def markdown(report: Report) -> str:
    """The whole report; figures and tables are linked as `figures/NAME.svg` and `tables/NAME.csv`."""
    lines = [f"# {report.title}", "", report.subtitle, ""]
    lines += [line for alarm in report.alarms for line in (f"> **{alarm}**", "")]
    lines += [line for warning in report.warnings for line in (f"> {warning}", "")]
    for chapter in report.chapters:
        lines += [f"## {chapter.title}", ""]
        for block in chapter.blocks:
            lines += [*_block(block), ""]
    return "\n".join(lines).rstrip("\n") + "\n"


def _block(block: Block) -> list[str]:
    match block:
        case Heading(text=text):
            return [f"### {text}"]
        case Text(text=text, tone=tone):
            return [_SIGNS[tone] + text]
        case Bullets(texts=texts):
            return [f"- {text}" for text in texts]
        case Command(text=text):
            return ["```console", f"$ {text}", "```"]
        case Grid():
            return _grid(block)
        case Figure(name=name, title=title):
            return [f"![{title.replace('[', '(').replace(']', ')')}](figures/{name}.svg)", "", f"*{title}*"]
        case Listing():
            return _listing(block)
        case _:
            assert_never(block)


def _grid(grid: Grid) -> list[str]:
    rows = [_line([_escaped(item.text) for item in row]) for row in grid.rows]
    rule = "|" + "|".join(_rule(column) for column in grid.columns) + "|"
    lines = [
        f"**{grid.title}** ([CSV](tables/{grid.name}.csv))",
        "",
        _line([c.head for c in grid.columns]),
        rule,
        *rows,
    ]
    if grid.notes:
        lines += ["", *(f"[{number}] {note}  " for number, note in enumerate(grid.notes, start=1))]
    return lines


def _rule(column: Column) -> str:
    return "--:" if column.numeric else "---"


def _line(cells: list[str]) -> str:
    return f"| {' | '.join(cells)} |"


def _escaped(text: str) -> str:
    return text.replace("|", "\\|").replace("\n", " ").replace("*", "\\*")


def _listing(listing: Listing) -> list[str]:
    """Lines that stayed, went and came, as a `diff` shows them."""
    lines = [f"**{listing.title}**", ""]
    if listing.note:
        lines += [listing.note, ""]
    lines.append("```diff")
    for before, after in listing.rows:
        if before == after:
            lines.append(f"  {_plain(before)}")
        else:
            lines += [f"- {_plain(before)}"] if before else []
            lines += [f"+ {_plain(after)}"] if after else []
    return [*lines, "```"]


def _plain(pieces: tuple[Piece, ...]) -> str:
    return "".join(piece.text for piece in pieces)
