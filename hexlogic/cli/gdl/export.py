"""`hexlogic gdl export`: a rule set of a connection game as a sheet for general game players."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from hexlogic.games import Game
    from hexlogic.passes import Pipeline

__all__ = ["export"]


def export(
    size: Annotated[str, typer.Option("--size", "-s", metavar="N|RxC", help="The board.")],
    rules: Annotated[
        str, typer.Option("--rules", "-r", metavar="NAME", help="The rule set that decides who has won.")
    ] = "",
    game: Annotated[str, typer.Option("--game", "-g", metavar="NAME", help="The game.")] = "hex",
    swap: Annotated[bool, typer.Option("--swap", help="Blue may answer the first stone by swapping it.")] = False,
    pipeline: Annotated[
        str, typer.Option("--pipeline", "-p", metavar="PASSES", help="Passes to apply to the sheet, as prune.")
    ] = "none",
    dialect: Annotated[str, typer.Option("--dialect", "-d", metavar="gdl|hrf", help="KIF, or the infix form.")] = "gdl",
    out: Annotated[
        Path | None, typer.Option("--out", "-o", metavar="FILE", help="Where to write it. [default: stdout]")
    ] = None,
    report: Annotated[
        bool, typer.Option("--report", help="A table of sizes instead: of each rule set, or of that of --rules.")
    ] = False,
) -> None:
    """Write a complete sheet of a game, its win decided by a rule set.

    The header says what the sheet is good for, how its cells are named and how large it is when ground. Recursive
    sheets are small; cycle-free ones are for players that cannot take recursion. With --report, --size takes several
    sizes, as 5,7,9.

    \b
    hexlogic gdl export --size 11 --rules follow-line-tabled -o hex.kif
    hexlogic gdl export --size 9 --rules follow-line-sweeps --swap -o hex.kif
    hexlogic gdl export --game y --size 8 --rules y/follow-line --dialect hrf
    hexlogic gdl export --size 5,7,9 --report
    """
    from hexlogic.cli.arguments import board_of_size
    from hexlogic.errors import HexlogicError, UnknownNameError
    from hexlogic.gdl.exporting import export_sheet, find_rules, sheet_rule_sets
    from hexlogic.gdl.exporting.header import sheet_text
    from hexlogic.passes import Pipeline

    if dialect not in ("gdl", "hrf"):
        raise UnknownNameError.among("dialect of sheets", dialect, ["gdl", "hrf"])
    passes = Pipeline.parse(pipeline)
    if report:
        names = (rules,) if rules else sheet_rule_sets(game)
        boards = [board_of_size(part, game) for part in size.split(",")]
        text = _table(names, boards, game, swap, passes)
    else:
        if not rules:
            raise HexlogicError("--rules is missing", hint=f"one of {', '.join(sheet_rule_sets(game))}")
        board = board_of_size(size, game)
        text = sheet_text(export_sheet(find_rules(rules, game), board, swap=swap, pipeline=passes), dialect)
    if out is None:
        typer.echo(text, nl=False)
        return
    try:
        out.write_text(text, encoding="utf-8")
    except OSError as error:
        raise HexlogicError(f"cannot be written: {error.strerror}", file=str(out)) from None


def _table(names: Sequence[str], boards: Sequence[Game], game: str, swap: bool, passes: Pipeline) -> str:
    """Ground rules and atoms of each rule set on each board, and why there is no sheet where there is none."""
    from tabulate import tabulate

    from hexlogic.errors import HexlogicError
    from hexlogic.gdl.exporting import export_sheet, find_rules
    from hexlogic.gdl.exporting.header import family

    rows: list[list[str]] = []
    refused: list[str] = []
    for name in names:
        rules = find_rules(name, game)
        cells: list[str] = []
        kind = ""
        for board in boards:
            typer.echo(f"{name} for {board} ...", err=True)
            try:
                sheet = export_sheet(rules, board, swap=swap, pipeline=passes)
            except HexlogicError as error:
                cells.append("-")
                refused.append(f"{name}: {error}")
                continue
            kind = family(sheet)
            cells.append(f"{sheet.size.rules:,} / {sheet.size.atoms:,}")
        if kind:
            rows.append([name, kind, *cells])
    headers = ["rule set", "family", *(board.size_text for board in boards)]
    table = tabulate(rows, headers, tablefmt="simple", colalign=("left", "left", *("right" for _ in boards)))
    notes = "".join(f"{line}\n" for line in dict.fromkeys(refused))
    return f"ground rules / atoms\n{table}\n{notes}"
