"""`hexlogic predict train`: a Tsetlin machine on a set of positions; `sweep`: many of them, with their scores;
`evaluate`: a model beside its baselines."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, TypeVar

import typer

from hexlogic.cli.arguments import JsonOption
from hexlogic.errors import HexlogicError

if TYPE_CHECKING:
    from hexlogic.players.evaluation.prediction_file import Score

Data = Annotated[Path, typer.Argument(metavar="DIR", help="What `predict generate` has written.")]
Model = Annotated[Path, typer.Argument(metavar="MODEL", help="What `predict train` has written.")]
View = Annotated[str, typer.Option(metavar="plain|mover|twins", help="How positions are shown.")]
Literals = Annotated[int | None, typer.Option(metavar="L", help="Most literals of a clause. [any number]")]
Epochs = Annotated[int, typer.Option(metavar="E", help="The best of so many epochs is kept.")]
Peers = Annotated[bool, typer.Option("--peers/--no-peers", help="Train other learners on the same symbols.")]
PeerPositions = Annotated[int, typer.Option(min=10, metavar="N", help="Train positions of other learners at most.")]
SolverPositions = Annotated[
    int, typer.Option(min=0, metavar="N", help="Test positions that the solver is asked about at most.")
]

N = TypeVar("N", int, float)


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
    as_json: JsonOption = False,
) -> None:
    """Train a Tsetlin machine; the epoch that is best on the validation split is kept.

    Parts of symbol sets: occupancy, pairs, inner-pairs, won, sides, to-move, bridges, virtual, circuit,
    lookahead.

    \b
    hexlogic predict train finished --clauses 200 --out finished.model
    hexlogic predict train fair --symbols pairs+occupancy+bridges+to-move --view mover --out fair.model
    """
    from msgspec.structs import asdict

    from hexlogic.cli.output import fields
    from hexlogic.players.evaluation.clause_model import write_model
    from hexlogic.players.evaluation.prediction_file import VIEWS, Settings, one_of
    from hexlogic.players.predict.dataset import read_dataset
    from hexlogic.players.predict.train import train as learn

    settings = Settings(clauses, symbols, one_of("view", view, VIEWS), s, threshold, literals, epochs, seed)
    model, record = learn(read_dataset(data), settings, _say)
    write_model(model, out)
    if as_json:
        curves = {"train": record.train_accuracies, "validation": record.validation_accuracies}
        figures = {"curves": curves, **fields(record, "seconds", "peak_bytes")}
        typer.echo(json.dumps({"model": str(out), **asdict(record.card), **figures}))
        return
    mean = record.literals / max(1, record.clauses)
    typer.echo(
        f"{out}: {record.clauses} clauses with {mean:.1f} literals on average, epoch {record.card.epoch}, validation "
        f"{record.card.validation_accuracy:.2%}, {record.seconds:.1f} s, {record.peak_bytes / 1e6:.0f} MB"
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
    as_json: JsonOption = False,
) -> None:
    """Train a model for each number of clauses, specificity, seed and symbol set; keep what came of each.

    Each model is scored on the test split beside the baselines. The file is written after each, and a second call
    trains only those that it does not have. `hexlogic report FOLDER` makes a page of such files.

    \b
    hexlogic predict sweep finished --name finished-7x7 --s 5,10 --threshold 2x --out records
    hexlogic predict sweep fair --name fair --symbols occupancy+virtual --view mover --seeds 1,2,3 --out records
    """
    from msgspec import to_builtins

    from hexlogic.cli.arguments import split_commas
    from hexlogic.cli.output import notes
    from hexlogic.players.evaluation.prediction_file import VIEWS, Settings, one_of
    from hexlogic.players.predict.dataset import read_dataset
    from hexlogic.players.predict.train import sweep as run

    shown = one_of("view", view, VIEWS)
    points = [
        Settings(number, symbol_set, shown, specificity, _votes(threshold, number), literals, epochs, seed)
        for symbol_set in split_commas(symbols)
        for number in numbers_in(clauses, "--clauses", int, "100,200")
        for specificity in numbers_in(s, "--s", float, "5,10")
        for seed in numbers_in(seeds, "--seeds", int, "1,2")
    ]
    stored = run(
        read_dataset(data),
        points,
        out / f"predictions-{name}.json",
        name,
        peers=peers,
        peer_positions=peer_positions,
        solver_positions=solver_positions,
        models=models,
        note=notes(),
        report=_say,
    )
    if as_json:
        typer.echo(json.dumps(to_builtins(stored)))
        return
    rows = []
    for model in stored.models:
        card, score = model.card, _columns(stored.score(model))[:2]
        rows.append([card.symbols, card.clauses, card.s, card.seed, *score, model.cpu_s, model.peak_bytes // 1_000_000])
    _table(["symbols", "clauses", "s", "seed", "accuracy", "95 % interval", "CPU s", "MB"], rows)


def evaluate(
    model: Model,
    data: Data,
    peers: Peers = True,
    peer_positions: PeerPositions = 10_000,
    solver_positions: SolverPositions = 200,
    as_json: JsonOption = False,
) -> None:
    """Score a model on the test split, beside baselines, and by the number of empty cells.

    Baselines: majority, parity of the stones, nearest neighbour, occupancy only, resistance, and as peers logistic
    regression and gradient boosting on the model's symbols. The solver is the upper bound.

    \b
    hexlogic predict evaluate finished.model finished
    hexlogic predict evaluate fair.model fair --json
    """
    from hexlogic.cli.output import notes
    from hexlogic.players.evaluation.clause_model import read_model
    from hexlogic.players.evaluation.prediction_file import Score
    from hexlogic.players.predict.dataset import read_dataset
    from hexlogic.players.predict.evaluate import Scorer

    read = read_model(model)
    scorer = Scorer(read_dataset(data), peers, peer_positions, solver_positions, notes())
    scored = scorer.score(read)
    if as_json:
        typer.echo(json.dumps({"model": str(model), "data": str(data), **scored.to_json()}))
        return
    answers = (scored.model, *scored.peers)
    apart = {name: f"{only_model} : {only_it}" for name, (only_model, only_it) in scored.apart.items()}
    rows = [[who.name, *_columns(scored.score(who)), apart.get(who.name, "")] for who in answers]
    if scored.solver is not None:
        rows.append(["solver (perfect play)", *_columns(scored.solver), ""])
    _table(["", "accuracy", "95 % interval", "positions", "only the model : only it"], rows)
    typer.echo(f"\n{scored.near_duplicates:.1%} of the test positions are within two cells of a train position")
    typer.echo("\naccuracy by number of empty cells\n")
    _table(
        ["empty", "positions", *(who.name for who in answers)],
        [
            [empties, count, *(f"{Score(who.by_empties[empties], count).accuracy:.1%}" for who in answers)]
            for empties, count in scored.by_empties.items()
        ],
    )


def _say(line: str) -> None:
    """A line of progress."""
    from hexlogic.cli.output import is_quiet

    if not is_quiet():
        typer.echo(line, err=True)


def numbers_in(text: str, option: str, number: type[N], example: str) -> list[N]:
    """The numbers between the commas of an option."""
    from hexlogic.cli.arguments import split_commas

    try:
        return [number(word) for word in split_commas(text)]
    except ValueError:
        what = "whole numbers" if number is int else "numbers"
        raise HexlogicError(f"{text!r} is no list of {what}", file=option, hint=f"such as {example}") from None


def _votes(text: str, clauses: int) -> int:
    """The threshold for so many clauses."""
    try:
        return max(1, round(float(text[:-1]) * clauses)) if text.endswith("x") else int(text)
    except ValueError:
        raise HexlogicError(f"{text!r} is no threshold", file="--threshold", hint="such as 400 or 2x") from None


def _columns(score: Score) -> list[str]:
    low, high = score.interval
    return [f"{score.accuracy:.2%}", f"{low:.2%} to {high:.2%}", str(score.positions)]


def _table(heads: Sequence[str], rows: Sequence[Sequence[object]]) -> None:
    from tabulate import tabulate

    typer.echo(tabulate(rows, headers=heads, disable_numparse=True))
