"""`hexlogic predict evaluate`: a model beside its baselines."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from hexlogic.cli.predict.train import Data, PeerPositions, Peers, SolverPositions

if TYPE_CHECKING:
    from hexlogic.players.predict.evaluate import Evaluation
    from hexlogic.players.predict.prediction_file import Score


def evaluate(
    model: Annotated[Path, typer.Argument(metavar="MODEL", help="What `predict train` has written.")],
    data: Data,
    peers: Peers = True,
    peer_positions: PeerPositions = 10_000,
    solver_positions: SolverPositions = 200,
    as_json: Annotated[bool, typer.Option("--json", help="One JSON object instead of text.")] = False,
) -> None:
    """Score a model on the test split, beside baselines, and by the number of empty cells.

    Baselines: majority, parity of the stones, nearest neighbour, occupancy only, resistance, and as peers logistic
    regression and gradient boosting on the model's symbols. The solver is the upper bound.

    \b
    hexlogic predict evaluate finished.model finished
    hexlogic predict evaluate fair.model fair --json
    """
    from hexlogic.cli.progress import notes
    from hexlogic.players.evaluation.clause_model import read_model
    from hexlogic.players.predict.dataset import read_dataset
    from hexlogic.players.predict.evaluate import evaluate as score

    found = score(
        read_model(model),
        read_dataset(data),
        peers=peers,
        peer_positions=peer_positions,
        solver_positions=solver_positions,
        report=notes(),
    )
    if as_json:
        typer.echo(json.dumps({"model": str(model), "data": str(data), **found.to_json()}))
    else:
        _print(found)


_HEADS = ["", "accuracy", "95 % interval", "positions", "only the model : only it"]


def _print(found: Evaluation) -> None:
    from tabulate import tabulate

    rows = [["model", *_columns(found.model), ""]]
    rows += [[name, *_columns(score), _apart(*found.apart[name])] for name, score in found.baselines.items()]
    if found.solver is not None:
        rows.append(["solver (perfect play)", *_columns(found.solver), ""])
    typer.echo(tabulate(rows, headers=_HEADS, disable_numparse=True))
    typer.echo(f"\n{found.near:.1%} of the test positions are within two cells of a train position")
    names = ["model", *found.baselines]
    typer.echo("\naccuracy by number of empty cells\n")
    table = [
        [empties, scores["model"].positions, *(f"{scores[name].accuracy:.1%}" for name in names)]
        for empties, scores in sorted(found.by_empties.items())
    ]
    typer.echo(tabulate(table, headers=["empty", "positions", *names], disable_numparse=True))


def _columns(score: Score) -> list[str]:
    low, high = score.interval
    return [f"{score.accuracy:.2%}", f"{low:.2%} to {high:.2%}", str(score.positions)]


def _apart(model: int, baseline: int) -> str:
    return f"{model} : {baseline}"
