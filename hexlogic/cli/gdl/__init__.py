"""`hexlogic gdl`: sheets in GDL, the language of game descriptions for general game players.

One module for each command but `show`.
"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from hexlogic.cli.gdl.bench import bench
from hexlogic.cli.gdl.check import check
from hexlogic.cli.gdl.export import export
from hexlogic.cli.gdl.match import match, serve

__all__ = ["app"]

app = typer.Typer(no_args_is_help=True, rich_markup_mode=None, help="Sheets for general game players.")


@app.command()
def show(
    file: Annotated[Path, typer.Argument(metavar="FILE.kif", help="A sheet; FILE.hrf is infix.")],
    dialect: Annotated[
        str,
        typer.Option("--dialect", "-d", metavar="DIALECT", help="asp, gdl (KIF), hrf (infix), prolog or another."),
    ] = "asp",
    pipeline: Annotated[
        str, typer.Option("--pipeline", "-p", metavar="PASSES", help="Passes to apply, as ground,reorder.")
    ] = "none",
) -> None:
    """Print a sheet as a program in a dialect.

    What a state and a move bring, true and does, are its inputs; legal, next, goal and the like are its queries. For
    engines that go from left to right, tests stand behind what binds their variables.

    \b
    hexlogic gdl show game.kif
    hexlogic gdl show game.kif --dialect hrf > game.hrf
    hexlogic gdl show game.hrf --dialect gdl --pipeline ground,prune
    """
    from hexlogic.ggp import read_sheet
    from hexlogic.language.analysis.binding import is_legal
    from hexlogic.language.dialects import load_dialect
    from hexlogic.language.passes import Pipeline

    text = load_dialect(dialect)
    program = Pipeline.parse(pipeline).apply(read_sheet(file))
    if text.keeps_order and not all(map(is_legal, program.rules)):
        program = Pipeline.parse("reorder:textual").apply(program)
    typer.echo(text.render(program), nl=False)


app.command()(export)
app.command()(check)
app.command()(bench)
app.command()(serve)
app.command()(match)
