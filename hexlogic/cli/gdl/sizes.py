"""How large sheets are, counted under limits, and the table of them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import typer

from hexlogic.errors import HexlogicError

if TYPE_CHECKING:
    from hexlogic.games import Game
    from hexlogic.gdl.export import Sheet
    from hexlogic.gdl.export.size import Size
    from hexlogic.passes import Pipeline
    from hexlogic.process.limits import Limits

__all__ = ["sheet_size", "size_table"]


def sheet_size(sheet: Sheet, limits: Limits) -> Size | str:
    """The size of a sheet when ground, or why it was not counted to the end."""
    from hexlogic.gdl.export.size import Size
    from hexlogic.logic.dialects import render
    from hexlogic.process.call import Stopped, call_isolated
    from hexlogic.process.limits import MEGABYTE

    task = {"text": render(sheet.program, "gdl")}
    try:
        return Size(**call_isolated("hexlogic.gdl.export.size:measure_kif", task, limits))
    except Stopped as stopped:
        by_memory = stopped.termination == "memory-limit"
        most = f"{limits.memory_bytes / MEGABYTE:g} MB" if by_memory else f"{limits.cpu_s:g} s"
        return f"counting them takes more than {most}"


def size_table(
    names: Sequence[str], boards: Sequence[Game], game: str, swap: bool, passes: Pipeline, limits: Limits
) -> str:
    """Ground rules and atoms of each rule set on each board, and why there is no sheet where there is none."""
    from tabulate import tabulate

    from hexlogic.gdl.export import export_sheet, find_rules
    from hexlogic.gdl.export.header import family

    rows: list[list[str]] = []
    notes: list[str] = []
    for name in names:
        rules = find_rules(name, game)
        cells: list[str] = []
        kinds: set[str] = set()
        for board in boards:
            typer.echo(f"{name} for {board} ...", err=True)
            try:
                sheet = export_sheet(rules, board, swap=swap, pipeline=passes)
                size = sheet_size(sheet, limits)
            except HexlogicError as error:
                cells.append("-")
                notes.append(f"{name}: {error}")
                continue
            kinds.add(family(sheet.program, size))
            if isinstance(size, str):
                notes.append(f"{name} for {board}: {size}")
            cells.append("?" if isinstance(size, str) else f"{size.rules:,} / {size.atoms:,}")
        if kinds:
            rows.append([name, max(kinds), *cells])
    headers = ["ground rules / atoms", "family", *(board.size_text for board in boards)]
    table = tabulate(rows, headers, tablefmt="simple", colalign=("left", "left", *("right" for _ in boards)))
    return f"{table}\n" + "".join(f"{line}\n" for line in dict.fromkeys(notes))
