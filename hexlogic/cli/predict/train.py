"""`hexlogic predict train`: a Tsetlin machine on a set of positions."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated

import typer

__all__ = ["train"]


def train(
    data: Annotated[Path, typer.Argument(metavar="DIR", help="What `predict generate` has written.")],
    out: Annotated[Path, typer.Option("--out", "-o", metavar="MODEL", help="The file to write.")],
    clauses: Annotated[int, typer.Option(metavar="N", help="How many clauses.")] = 200,
    symbols: Annotated[
        str, typer.Option(metavar="SET", help="Parts joined by +, or `study` (pairs+occupancy), or `two-wins`.")
    ] = "study",
    view: Annotated[str, typer.Option(metavar="plain|mover|twins", help="How positions are shown.")] = "plain",
    s: Annotated[float, typer.Option("--s", metavar="S", help="The specificity: more means longer clauses.")] = 10.0,
    threshold: Annotated[int | None, typer.Option(metavar="T", help="Votes that are enough. [the clauses]")] = None,
    literals: Annotated[int | None, typer.Option(metavar="L", help="Most literals of a clause. [any number]")] = None,
    epochs: Annotated[int, typer.Option(metavar="E", help="The best of so many epochs is kept.")] = 20,
    seed: Annotated[int, typer.Option(min=0, metavar="S", help="The same seed gives the same model.")] = 1,
    as_json: Annotated[bool, typer.Option("--json", help="One JSON object instead of text.")] = False,
) -> None:
    """Train a Tsetlin machine; the epoch that is best on the validation split is kept.

    Parts of symbol sets: occupancy, pairs, inner-pairs, won, sides, to-move, bridges, virtual, circuit,
    lookahead.

    \b
    hexlogic predict train finished --clauses 200 --out finished.model
    hexlogic predict train fair --symbols pairs+occupancy+bridges+to-move --view mover --out fair.model
    """
    import time

    from hexlogic.cli.progress import is_quiet
    from hexlogic.players.evaluation.clause_model import write_model
    from hexlogic.predict.dataset import read_dataset
    from hexlogic.predict.train import Settings
    from hexlogic.predict.train import train as learn
    from hexlogic.predict.views import check_view

    settings = Settings(clauses, symbols, check_view(view), s, threshold, literals, epochs, seed)
    begin = time.monotonic()

    def report(epoch: int, whole: int, train_accuracy: float, validation_accuracy: float) -> None:
        if not is_quiet():
            left = (time.monotonic() - begin) / epoch * (whole - epoch)
            accuracies = f"train {train_accuracy:.2%}, validation {validation_accuracy:.2%}"
            typer.echo(f"epoch {epoch} of {whole}: {accuracies}, about {left:.0f} s left", err=True)

    trained = learn(read_dataset(data), settings, report)
    write_model(trained.model, out)
    card = trained.model.card
    if as_json:
        curves = {"train": trained.train_accuracies, "validation": trained.validation_accuracies}
        figures = {"seconds": round(trained.seconds, 2), "peak_bytes": trained.peak_bytes}
        typer.echo(json.dumps({"model": str(out), **card, "curves": curves, **figures}))
        return
    mean = len(trained.model.literals) / max(1, len(trained.model))
    typer.echo(
        f"{out}: {len(trained.model)} clauses with {mean:.1f} literals on average, epoch {card['epoch']}, validation "
        f"{card['validation_accuracy']:.2%}, {trained.seconds:.1f} s, {trained.peak_bytes / 1e6:.0f} MB"
    )
