"""`hexlogic gdl`: sheets in GDL, the language of game descriptions for general game players."""

from typing import ClassVar

import typer

from hexlogic.cli.options import LazyGroup

__all__ = ["app"]


class _Commands(LazyGroup):
    listing: ClassVar = {
        "show": ("gdl.sheet", "Print a sheet as a program in a dialect."),
        "export": ("gdl.sheet", "Write a complete sheet of a game, its win decided by a rule set."),
        "check": ("gdl.sheet", "Say what is wrong with a sheet, and where."),
        "reformulate": ("gdl.reformulate", "Find a sheet of the same game that costs a prover less."),
        "bench": ("gdl.bench", "Measure random playouts: each sheet on each reasoner, under limits."),
        "serve": ("gdl.match", "Play for hosts of general game playing, over HTTP."),
        "match": ("gdl.match", "Let players play matches: built-in ones, and any behind a URL."),
    }


app = typer.Typer(no_args_is_help=True, rich_markup_mode=None, help="Sheets for general game players.", cls=_Commands)
