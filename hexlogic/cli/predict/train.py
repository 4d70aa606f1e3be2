"""`hexlogic predict train`: a Tsetlin machine on a set of positions; `sweep`: many of them, with their scores."""

from __future__ import annotations

import json
import time
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from hexlogic.errors import HexlogicError

if TYPE_CHECKING:
    from hexlogic.players.predict.prediction_file import StoredPredictions
    from hexlogic.players.predict.train import Settings

Data = Annotated[Path, typer.Argument(metavar="DIR", help="What `predict generate` has written.")]
View = Annotated[str, typer.Option(metavar="plain|mover|twins", help="How positions are shown.")]
Literals = Annotated[int | None, typer.Option(metavar="L", help="Most literals of a clause. [any number]")]
Epochs = Annotated[int, typer.Option(metavar="E", help="The best of so many epochs is kept.")]
Peers = Annotated[bool, typer.Option("--peers/--no-peers", help="Train other learners on the same symbols.")]
PeerPositions = Annotated[int, typer.Option(min=10, metavar="N", help="Train positions of other learners at most.")]
SolverPositions = Annotated[
    int, typer.Option(min=0, metavar="N", help="Test positions that the solver is asked about at most.")
]


def train(
    data: Data,
    out: Annotated[Path, typer.Option("--out", "-o", metavar="MODEL", help="The file to write.")],
    clauses: Annotated[int, typer.Option(metavar="N", help="How many clauses.")] = 200,
    symbols: Annotated[
        str, typer.Option(metavar="SET", help="Parts joined by +, or `study` (pairs+occupancy), or `two-wins`.")
    ] = "study",
    view: View = "plain",
    s: Annotated[float, typer.Option("--s", metavar="S", help="The specificity: more means longer clauses.")] = 10.0,
    threshold: Annotated[int | None, typer.Option(metavar="T", help="Votes that are enough. [the clauses]")] = None,
    literals: Literals = None,
    epochs: Epochs = 20,
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
    from hexlogic.cli.progress import is_quiet
    from hexlogic.players.evaluation.clause_model import write_model
    from hexlogic.players.predict.dataset import read_dataset
    from hexlogic.players.predict.train import Settings
    from hexlogic.players.predict.train import train as learn
    from hexlogic.players.predict.views import check_view

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


def sweep(
    data: Data,
    out: Annotated[Path, typer.Option("--out", "-o", metavar="FOLDER", help="Where `predictions-NAME.json` goes.")],
    name: Annotated[str, typer.Option(metavar="NAME", help="What the protocol is called.")],
    clauses: Annotated[str, typer.Option(metavar="N,N", help="Numbers of clauses.")] = "100,200,500,1000,2000",
    s: Annotated[str, typer.Option("--s", metavar="S,S", help="Specificities.")] = "10",
    seeds: Annotated[str, typer.Option(metavar="S,S", help="Seeds of the training.")] = "1",
    threshold: Annotated[
        str, typer.Option(metavar="T|Kx", help="Votes that are enough; 2x is twice the clauses.")
    ] = "1x",
    symbols: Annotated[str, typer.Option(metavar="SET,SET", help="Symbol sets, as for `train`.")] = "study",
    view: View = "plain",
    literals: Literals = None,
    epochs: Epochs = 20,
    peers: Peers = True,
    peer_positions: PeerPositions = 10_000,
    solver_positions: SolverPositions = 200,
    models: Annotated[Path | None, typer.Option(metavar="FOLDER", help="Keep the models here.")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="The file as JSON instead of text.")] = False,
) -> None:
    """Train a model for each number of clauses, specificity, seed and symbol set; keep what came of each.

    Each model is scored on the test split beside the baselines. The file is written after each, and a second call
    trains only those that it does not have. `hexlogic report FOLDER` makes a page of such files.

    \b
    hexlogic predict sweep finished --name finished-7x7 --s 5,10 --threshold 2x --out records
    hexlogic predict sweep fair --name fair --symbols occupancy+virtual --view mover --seeds 1,2,3 --out records
    """
    from hexlogic.cli.arguments import split_commas
    from hexlogic.cli.progress import notes
    from hexlogic.players.predict.dataset import read_dataset
    from hexlogic.players.predict.sweep import sweep as run
    from hexlogic.players.predict.train import Settings
    from hexlogic.players.predict.views import check_view

    points = [
        Settings(number, one, check_view(view), specificity, _votes(threshold, number), literals, epochs, seed)
        for one in split_commas(symbols)
        for number in _whole(clauses, "--clauses")
        for specificity in _numbers(s, "--s")
        for seed in _whole(seeds, "--seeds")
    ]
    told = _Progress()
    found = run(
        read_dataset(data),
        points,
        out / f"predictions-{name}.json",
        name,
        peers=peers,
        peer_positions=peer_positions,
        solver_positions=solver_positions,
        models=models,
        note=notes(),
        epoch=told.epoch,
        done=told.done,
    )
    if as_json:
        import msgspec

        typer.echo(json.dumps(msgspec.to_builtins(found)))
    else:
        _print(found)


class _Progress:
    """A line after each epoch and each model."""

    def __init__(self) -> None:
        self._begin = time.monotonic()

    def epoch(self, settings: Settings, epoch: int, whole: int, train: float, validation: float) -> None:
        """After an epoch."""
        from hexlogic.cli.progress import is_quiet

        if not is_quiet():
            what = f"{settings.clauses} clauses, s {settings.s:g}, seed {settings.seed}"
            told = f"{what}: epoch {epoch} of {whole}, train {train:.2%}, validation {validation:.2%}"
            typer.echo(f"{told}, {time.monotonic() - self._begin:.0f} s", err=True)

    def done(self, done: float, whole: float) -> None:
        """After a model: the time left, by the work that is expected of each."""
        from hexlogic.cli.progress import is_quiet

        spent = time.monotonic() - self._begin
        if not is_quiet():
            left = spent / done * (whole - done)
            typer.echo(f"{done / whole:.0%} of the work after {spent:.0f} s, about {left:.0f} s left", err=True)


def _numbers(text: str, option: str) -> list[float]:
    from hexlogic.cli.arguments import split_commas

    try:
        return [float(one) for one in split_commas(text)]
    except ValueError:
        raise HexlogicError(f"{text!r} is no list of numbers", file=option, hint="such as 5,10") from None


def _whole(text: str, option: str) -> list[int]:
    found = _numbers(text, option)
    if any(one != int(one) for one in found):
        raise HexlogicError(f"{text!r} is no list of whole numbers", file=option, hint="such as 100,200")
    return [int(one) for one in found]


def _votes(text: str, clauses: int) -> int:
    """The threshold for so many clauses."""
    try:
        return max(1, round(float(text[:-1]) * clauses)) if text.endswith("x") else int(text)
    except ValueError:
        raise HexlogicError(f"{text!r} is no threshold", file="--threshold", hint="such as 400 or 2x") from None


def _print(found: StoredPredictions) -> None:
    from tabulate import tabulate

    rows = []
    for model in found.models:
        low, high = found.score(model).interval
        card = model.card
        share = f"{found.score(model).accuracy:.2%}"
        rows.append(
            [
                card["symbols"],
                card["clauses"],
                card["s"],
                card["seed"],
                share,
                f"{low:.2%} to {high:.2%}",
                model.cpu_s,
                model.peak_bytes // 1_000_000,
            ]
        )
    heads = ["symbols", "clauses", "s", "seed", "accuracy", "95 % interval", "CPU s", "MB"]
    typer.echo(tabulate(rows, headers=heads, disable_numparse=True))
