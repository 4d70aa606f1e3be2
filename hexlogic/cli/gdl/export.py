"""`hexlogic gdl export`: a rule set of a connection game as a sheet for general game players."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

__all__ = ["export"]


def export(
    size: Annotated[str, typer.Option("--size", "-s", metavar="N|RxC", help="The board.")],
    rules: Annotated[
        str,
        typer.Option("--rules", "-r", metavar="NAME|FILE", help="The rule set that decides who has won, or its file."),
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
    time_s: Annotated[
        float, typer.Option("--time", metavar="S", help="CPU seconds to count a sheet's ground rules.")
    ] = 60,
    memory_mb: Annotated[float, typer.Option("--memory", metavar="MB", help="Memory to count them.")] = 2000,
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
    from hexlogic.cli.gdl.sizes import sheet_size, size_table
    from hexlogic.errors import HexlogicError
    from hexlogic.gdl.export import export_sheet, find_rules, sheet_rule_sets
    from hexlogic.gdl.export.header import check_sheet_dialect, sheet_text
    from hexlogic.passes import Pipeline
    from hexlogic.process.limits import Limits

    check_sheet_dialect(dialect)
    passes, limits = Pipeline.parse(pipeline), Limits.of(cpu_s=time_s, memory_mb=memory_mb)
    if report:
        names = (rules,) if rules else sheet_rule_sets(game)
        boards = [board_of_size(part, game) for part in size.split(",")]
        text = size_table(names, boards, game, swap, passes, limits)
    else:
        if not rules:
            raise HexlogicError("--rules is missing", hint=f"one of {', '.join(sheet_rule_sets(game))}")
        board = board_of_size(size, game)
        sheet = export_sheet(find_rules(rules, game), board, swap=swap, pipeline=passes)
        text = sheet_text(sheet, dialect, sheet_size(sheet, limits))
    if out is None:
        typer.echo(text, nl=False)
        return
    try:
        out.write_text(text, encoding="utf-8")
    except OSError as error:
        raise HexlogicError(f"cannot be written: {error.strerror}", file=str(out)) from None
