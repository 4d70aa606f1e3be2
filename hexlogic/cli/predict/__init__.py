"""`hexlogic predict`: a Tsetlin machine that names the winner of Hex positions, and its clauses as rules."""

from __future__ import annotations

import contextlib
from pathlib import Path
from typing import Annotated

import typer

from hexlogic.cli.predict.explain import explain
from hexlogic.cli.predict.train import evaluate, sweep, train
from hexlogic.errors import HexlogicError


def generate(
    out: Annotated[Path, typer.Option("--out", "-o", metavar="DIR", help="The folder to write.")],
    size: Annotated[int | None, typer.Option("--size", "-s", min=2, max=64, metavar="N", help="The side. [7]")] = None,
    games: Annotated[int | None, typer.Option(min=1, metavar="N", help="How many games are played. [10000]")] = None,
    seed: Annotated[int, typer.Option(min=0, metavar="S", help="The same seed gives the same set.")] = 1,
    first: Annotated[str, typer.Option(metavar="red|blue", help="Who moves first.")] = "blue",
    before: Annotated[
        int | None, typer.Option(min=0, metavar="K", help="Positions K moves before the end. [finished games]")
    ] = None,
    label: Annotated[
        str, typer.Option(metavar="game|exact", help="The winner of the game, or the winner with perfect play.")
    ] = "game",
    most_empty: Annotated[
        int | None, typer.Option("--max-empty", metavar="E", help="Most empty cells of an exact label. [20; 5x5: all]")
    ] = None,
    balanced: Annotated[
        bool, typer.Option("--balanced", help="Let the number of stones tell nothing about the winner.")
    ] = False,
    players: Annotated[
        str | None, typer.Option(metavar="A,B", help="Games between these players. [random games]")
    ] = None,
    opening: Annotated[int, typer.Option(min=0, metavar="K", help="Random stones that begin games of players.")] = 2,
    csv: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Read games: n x n columns of -1, 0, 1, and the winner."),
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="The card as JSON instead of text.")] = False,
) -> None:
    """Generate a set of labelled Hex positions, or read one.

    Without more options: random games that stop at the win. Exact labels, for boards of up to 62 cells, come from the
    solver; its first use on a machine compiles for a minute.

    \b
    hexlogic predict generate --size 7 --games 40000 --seed 1 --out finished
    hexlogic predict generate --size 7 --games 40000 --seed 1 --balanced --label exact --out fair
    hexlogic predict generate --csv hex_games.csv --out public
    """
    from msgspec.json import encode

    from hexlogic.cli.arguments import split_commas
    from hexlogic.cli.output import TimeLeft, show_compilation
    from hexlogic.games import check_player
    from hexlogic.players.evaluation.prediction_file import Recipe
    from hexlogic.players.predict.dataset import read_study_csv, write_dataset
    from hexlogic.players.predict.generate import card_text
    from hexlogic.players.predict.generate import generate as make

    if label not in ("game", "exact"):
        raise HexlogicError(f"{label!r} is no label", file="--label", hint="game or exact")
    mover, exact = check_player(first), label == "exact"
    if csv is not None:
        if size is not None or before is not None or players is not None or balanced or exact:
            raise HexlogicError("a file brings its own size, positions and labels", file="--csv", hint="leave them out")
        data = read_study_csv(csv, seed, mover, games)
    else:
        names = split_commas(players) if players else ()
        number = games or 10_000
        recipe = Recipe(size or 7, number, seed, mover, before, exact, balanced, names, opening, most_empty)
        with show_compilation() if exact else contextlib.nullcontext():
            data = make(recipe, TimeLeft())
    write_dataset(data, out)
    typer.echo(encode(data.card).decode() if as_json else f"{out}: {card_text(data)}")


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
