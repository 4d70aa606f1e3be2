"""`hexlogic gdl export`: a rule set of a connection game as a sheet for general game players."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

__all__ = ["export"]


def export(
    rules: Annotated[str, typer.Option("--rules", "-r", metavar="NAME", help="The rule set that decides who has won.")],
    size: Annotated[str, typer.Option("--size", "-s", metavar="N|RxC", help="The board.")],
    game: Annotated[str, typer.Option("--game", "-g", metavar="NAME", help="The game.")] = "hex",
    dialect: Annotated[str, typer.Option("--dialect", "-d", metavar="gdl|hrf", help="KIF, or the infix form.")] = "gdl",
    out: Annotated[
        Path | None, typer.Option("--out", "-o", metavar="FILE", help="Where to write it. [default: stdout]")
    ] = None,
) -> None:
    """Write a complete sheet of a game, its win decided by a rule set.

    \b
    hexlogic gdl export --size 11 --rules follow-line-tabled -o hex.kif
    """
    from hexlogic.cli.arguments import board_of_size, find_rule_set
    from hexlogic.errors import HexlogicError, UnknownNameError
    from hexlogic.gdl.exporting import export_sheet
    from hexlogic.logic.printers import render

    if dialect not in ("gdl", "hrf"):
        raise UnknownNameError.among("dialect of sheets", dialect, ["gdl", "hrf"])
    sheet = export_sheet(find_rule_set(rules), board_of_size(size, game))
    text = render(sheet.program, dialect)
    if out is None:
        typer.echo(text, nl=False)
        return
    try:
        out.write_text(text, encoding="utf-8")
    except OSError as error:
        raise HexlogicError(f"cannot be written: {error.strerror}", file=str(out)) from None
