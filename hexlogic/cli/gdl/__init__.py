"""`hexlogic gdl`: sheets in GDL, the language of game descriptions for general game players."""

from __future__ import annotations

import typer

from hexlogic.cli.gdl.bench import bench
from hexlogic.cli.gdl.check import check
from hexlogic.cli.gdl.export import export, show
from hexlogic.cli.gdl.match import match, serve

__all__ = ["app"]

app = typer.Typer(no_args_is_help=True, rich_markup_mode=None, help="Sheets for general game players.")


app.command()(show)
app.command()(export)
app.command()(check)
app.command()(bench)
app.command()(serve)
app.command()(match)
