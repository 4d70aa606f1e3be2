"""`hexlogic predict`: a Tsetlin machine that names the winner of Hex positions, and its clauses as rules.

One module for each command.
"""

from __future__ import annotations

import typer

from hexlogic.cli.predict.evaluate import evaluate
from hexlogic.cli.predict.explain import explain
from hexlogic.cli.predict.generate import generate
from hexlogic.cli.predict.run import run
from hexlogic.cli.predict.sweep import sweep
from hexlogic.cli.predict.train import train

__all__ = ["app"]

_HELP = "Predict winners with a Tsetlin machine, and prove its clauses."

app = typer.Typer(no_args_is_help=True, rich_markup_mode=None, help=_HELP)
app.command()(generate)
app.command()(train)
app.command()(sweep)
app.command()(evaluate)
app.command()(explain)
app.command()(run)
