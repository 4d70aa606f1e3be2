"""`hexlogic predict`: a Tsetlin machine that names the winner of Hex positions, and its clauses as rules."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from hexlogic.cli.predict.explain import explain
from hexlogic.cli.predict.generate import generate
from hexlogic.cli.predict.train import evaluate, sweep, train

__all__ = ["app"]

app = typer.Typer(
    no_args_is_help=True,
    rich_markup_mode=None,
    help="Predict winners with a Tsetlin machine, and prove its clauses.",
)
for command in (generate, train, sweep, evaluate, explain):
    app.command()(command)


@app.command()
def run(
    out: Annotated[Path, typer.Option("--out", "-o", metavar="DIR", help="The folder to write.")],
    size: Annotated[int, typer.Option("--size", "-s", min=2, max=64, metavar="N", help="The side.")] = 5,
    games: Annotated[int, typer.Option(min=1, metavar="N", help="How many games are played.")] = 3000,
    seed: Annotated[int, typer.Option(min=0, metavar="S", help="The same seed gives the same files.")] = 1,
    clauses: Annotated[int, typer.Option(metavar="N", help="How many clauses.")] = 60,
    explained: Annotated[int, typer.Option(min=1, metavar="N", help="How many clauses are explained.")] = 3,
) -> None:
    """Generate finished random games, train, evaluate and explain, each with the options for a small board.

    DIR has the set then, `machine.model`, and in `rules` the drawings, the program and the rule set.

    \b
    hexlogic predict run --out small
    """
    model = out / "machine.model"
    generate(out, size=size, games=games, seed=seed)
    train(out, model, clauses=clauses, s=5.0, threshold=2 * clauses, epochs=8, seed=seed)
    evaluate(model, out, solver_positions=50)
    explain(model, clauses=explained, out=out / "rules")
