"""`hexlogic predict`: a Tsetlin machine that names the winner of Hex positions, and its clauses as rules."""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, TypeVar, get_args

import msgspec
import numpy as np
import typer

from hexlogic.cli import options
from hexlogic.cli.options import TimeLeft, argument, fields, flag, notes, value
from hexlogic.errors import HexlogicError
from hexlogic.games import PLAYERS, Hex, Position, draw_svg, draw_text, parse_position
from hexlogic.players.evaluation.clause_model import read_model, write_model
from hexlogic.players.evaluation.prediction_file import (
    VIEWS,
    First,
    Recipe,
    Score,
    Settings,
    StoredClause,
    StoredExplanation,
    one_of,
)
from hexlogic.players.predict import generate as generating
from hexlogic.players.predict import train as training
from hexlogic.players.predict.dataset import read_dataset, read_study_csv, write_dataset
from hexlogic.process.files import write_stored, write_text

N = TypeVar("N", int, float)

OutFolder = Annotated[Path, value("DIR", "The folder to write.", "--out", "-o")]
Seed = Annotated[int, value("S", "The same seed gives the same files.", min=0)]
Data = Annotated[Path, argument("DIR", "What `predict generate` has written.")]
Model = Annotated[Path, argument("MODEL", "What `predict train` has written.")]
View = Annotated[str, value("plain|mover|twins", "How positions are shown.")]
Epochs = Annotated[int, value("E", "The best of so many epochs is kept.")]
Peers = Annotated[bool, flag("--peers/--no-peers", "Train other learners on the same symbols.")]
SolverPositions = Annotated[int, value("N", "Test positions for the solver at most.", min=0)]

_HELP = "Predict winners with a Tsetlin machine, and prove its clauses."
app = typer.Typer(no_args_is_help=True, rich_markup_mode=None, help=_HELP)


@app.command()
def generate(
    out: OutFolder,
    size: Annotated[int | None, value("N", "The side. [7]", "--size", "-s", min=2, max=64)] = None,
    games: Annotated[int, value("N", "How many games are played.", min=1)] = 10_000,
    seed: Seed = 1,
    first: Annotated[str, value("red|blue|any", "Who moves first; any: drawn for each game.")] = "blue",
    before: Annotated[int | None, value("K", "Positions K moves before the end. [finished games]", min=0)] = None,
    open_share: Annotated[float, value("S", "At least this share of the cells is empty.", min=0.0, max=1.0)] = 0.0,
    label: Annotated[str, value("game|exact", "The winner of the game, or the winner with perfect play.")] = "game",
    balanced: Annotated[bool, flag("--balanced", "Let the number of stones tell nothing about the winner.")] = False,
    players: Annotated[str | None, value("A,B", "Games between these players. [random games]")] = None,
    opening: Annotated[int, value("K", "Random stones that begin games of players.", min=0)] = 2,
    csv: Annotated[Path | None, value("FILE", "Read games: n x n columns of -1, 0, 1, and the winner.")] = None,
    transpose: Annotated[bool, flag("--transpose", "In the --csv file 1 joins top and bottom.")] = False,
    as_json: Annotated[bool, flag("--json", "The card as JSON instead of text.")] = False,
) -> None:
    """Generate a set of labelled Hex positions, or read one.

    Without more options: random games that stop at the win. Exact labels, for boards of up to 62 cells, come from the
    solver; its first use on a machine compiles for a minute.

    \b
    hexlogic predict generate --size 7 --games 40000 --seed 1 --out finished
    hexlogic predict generate --size 7 --games 40000 --seed 1 --balanced --label exact --out fair
    hexlogic predict generate --size 7 --games 200000 --first any --before 5 --open-share 0.4 --out open
    hexlogic predict generate --csv hex_games.csv --out public
    """
    if label not in ("game", "exact"):
        raise HexlogicError(f"{label!r} is no label", file="--label", hint="game or exact")
    mover, exact = one_of("first mover", first, get_args(First)), label == "exact"
    if csv is not None:
        if size is not None or before is not None or players is not None or balanced or exact:
            raise HexlogicError("a file brings its own size, positions and labels", file="--csv", hint="leave them out")
        data = read_study_csv(csv, seed, mover, transpose)
    else:
        names = options.split_commas(players) if players else ()
        recipe = Recipe(size or 7, games, seed, mover, before, exact, balanced, names, opening, open_share)
        data = generating.generate(recipe, TimeLeft())
    write_dataset(data, out)
    if as_json:
        typer.echo(msgspec.json.encode(data.card))
        return
    card = data.card
    won = ", ".join(f"{player} wins {np.mean(data.winners == sign):.1%}" for sign, player in enumerate(PLAYERS, 1))
    typer.echo(f"{out}: {len(data)} positions of {card.games} games, {won}, {card.stones_mean} stones on average")
    typer.echo(f"label: {card.label}")
    typer.echo(f"the parity of the stones names the winner of {card.parity_names_winner:.1%}")
    for reason, count in card.impossible.items():
        if count:
            typer.echo(f"left out: {count} ({reason})")


@app.command()
def train(
    data: Data,
    out: Annotated[Path, value("MODEL", "The file to write.", "--out", "-o")],
    clauses: Annotated[int, value("N", "How many clauses.")] = 200,
    symbols: Annotated[str, value("SET", "Parts joined by +, or `study` (pairs+occupancy), or `two-wins`.")] = "study",
    view: View = "plain",
    s: Annotated[float, value("S", "The specificity: more means longer clauses.", "--s")] = 10.0,
    threshold: Annotated[int | None, value("T", "Votes that are enough. [the clauses]")] = None,
    epochs: Epochs = 20,
    seed: Seed = 1,
    as_json: options.Json = False,
) -> None:
    """Train a Tsetlin machine; the epoch that is best on the validation split is kept.

    Parts of symbol sets: occupancy, pairs, inner-pairs, won, sides, to-move, bridges, virtual, circuit,
    lookahead.

    \b
    hexlogic predict train finished --clauses 200 --out finished.model
    hexlogic predict train fair --symbols pairs+occupancy+bridges+to-move --view mover --out fair.model
    """
    settings = Settings(clauses, symbols, one_of("view", view, VIEWS), s, threshold, epochs, seed)
    model, record = training.train(read_dataset(data), settings, notes(after_s=0.0))
    write_model(model, out)
    if as_json:
        curves = {"train": record.train_accuracies, "validation": record.validation_accuracies}
        figures = {"curves": curves, **fields(record, "seconds", "peak_bytes")}
        typer.echo(json.dumps({"model": str(out), **msgspec.structs.asdict(record.card), **figures}))
        return
    mean = record.literals / max(1, record.clauses)
    typer.echo(
        f"{out}: {record.clauses} clauses with {mean:.1f} literals on average, epoch {record.card.epoch}, validation "
        f"{record.card.validation_accuracy:.2%}, {record.seconds:.1f} s, {record.peak_bytes / 1e6:.0f} MB"
    )


@app.command()
def sweep(
    data: Data,
    out: Annotated[Path, value("FOLDER", "Where `predictions-NAME.json` goes.", "--out", "-o")],
    name: Annotated[str, value("NAME", "What the protocol is called.")],
    clauses: Annotated[str, value("N,N", "Numbers of clauses.")] = "100,200,500,1000,2000",
    s: Annotated[str, value("S,S", "Specificities.", "--s")] = "10",
    seeds: Annotated[str, value("S,S", "Seeds of the training.")] = "1",
    threshold: Annotated[str, value("T|Kx", "Votes that are enough; 2x is twice the clauses.")] = "1x",
    symbols: Annotated[str, value("SET,SET", "Symbol sets, as for `train`.")] = "study",
    view: View = "plain",
    epochs: Epochs = 20,
    peers: Peers = True,
    solver_positions: SolverPositions = 200,
    models: Annotated[Path | None, value("FOLDER", "Keep the models here.")] = None,
    as_json: options.Json = False,
) -> None:
    """Train a model for each number of clauses, specificity, seed and symbol set; keep what came of each.

    Each model is scored on the test split beside the baselines. The file is written after each, and a second call
    trains only those that it does not have. `hexlogic report FOLDER` makes a page of such files.

    \b
    hexlogic predict sweep finished --name finished-7x7 --s 5,10 --threshold 2x --out records
    hexlogic predict sweep fair --name fair --symbols occupancy+virtual --view mover --seeds 1,2,3 --out records
    """
    shown = one_of("view", view, VIEWS)
    points = [
        Settings(number, symbol_set, shown, specificity, _votes(threshold, number), epochs, seed)
        for symbol_set in options.split_commas(symbols)
        for number in _numbers(clauses, "--clauses", int, "100,200")
        for specificity in _numbers(s, "--s", float, "5,10")
        for seed in _numbers(seeds, "--seeds", int, "1,2")
    ]
    scorer = training.Scorer(read_dataset(data), peers, solver_positions, report=notes())
    stored = training.sweep(scorer, points, out / f"predictions-{name}.json", name, models, notes(after_s=0.0))
    if as_json:
        typer.echo(msgspec.json.encode(stored))
        return
    rows = []
    for model in stored.models:
        card, score = model.card, _columns(stored.score(model))[:2]
        rows.append([card.symbols, card.clauses, card.s, card.seed, *score, model.cpu_s, model.peak_bytes // 1_000_000])
    _table(["symbols", "clauses", "s", "seed", "accuracy", "95 % interval", "CPU s", "MB"], rows)


@app.command()
def evaluate(
    model: Model,
    data: Data,
    peers: Peers = True,
    solver_positions: SolverPositions = 200,
    as_json: options.Json = False,
) -> None:
    """Score a model on the test split, beside baselines, and by the number of empty cells.

    Baselines: majority, parity of the stones, nearest neighbour, occupancy only, resistance, and as peers logistic
    regression and gradient boosting on the model's symbols. The solver is the upper bound.

    \b
    hexlogic predict evaluate finished.model finished
    hexlogic predict evaluate fair.model fair --json
    """
    read = read_model(model)
    scored = training.Scorer(read_dataset(data), peers, solver_positions, report=notes()).score(read)
    if as_json:
        typer.echo(json.dumps({"model": str(model), "data": str(data), **scored.to_json()}))
        return
    answers = (scored.model, *scored.peers)
    apart = {name: f"{only_model} : {only_it}" for name, (only_model, only_it) in scored.apart.items()}
    rows = [[answer.name, *_columns(scored.score(answer)), apart.get(answer.name, "")] for answer in answers]
    if scored.solver is not None:
        rows.append(["solver (perfect play)", *_columns(scored.solver), ""])
    _table(["", "accuracy", "95 % interval", "positions", "only the model : only it"], rows)
    typer.echo(f"\n{scored.near_duplicates:.1%} of the test positions are within two cells of a train position")
    typer.echo("\naccuracy by number of empty cells\n")
    shares = [
        [empties, scored.by_empties[empties], *(f"{score.accuracy:.1%}" for score in scores.values())]
        for empties, scores in scored.scores_by_empties.items()
    ]
    _table(["empty", "positions", *(answer.name for answer in answers)], shares)


@app.command()
def explain(
    model: Model,
    clauses: Annotated[int, value("N", "How many clauses, the weightiest first.", min=1)] = 5,
    numbers: Annotated[str | None, value("N,N", "Clauses by number, in place of the weightiest.", "--number")] = None,
    rules: Annotated[bool, flag("--rules/--no-rules", "Find the fewest clauses, shrink and compare them.")] = True,
    out: Annotated[Path | None, value("DIR", "Write drawings, program and rule set there.", "--out", "-o")] = None,
    records: Annotated[Path | None, value("FOLDER", "Keep what is found in explained-MODEL.json there.")] = None,
    as_json: options.Json = False,
) -> None:
    """Explain a model: each clause as a rule, with what can be proved of it.

    Redundant literals follow from the others on every position with the stone counts of a game. The puzzle is a
    position that fulfils the clause. A sound clause implies the win; a counter-example refutes it. With --rules, the
    fewest clauses with the same decisions on the model's sample are written as a program for clingo.

    \b
    hexlogic predict explain finished.model
    hexlogic predict explain finished.model --json
    hexlogic predict explain small.model --out small && hexlogic prove small/learned.lp clusters --size 3
    """
    from hexlogic.laboratory.report.topics.prediction import rules_sentences
    from hexlogic.players.predict.explain import explain as find

    read = read_model(model)
    chosen = [] if numbers is None else _numbers(numbers, "--number", int, "3,17")
    stored, files = find(read, name=model.stem, clauses=clauses, numbers=chosen, rules=rules, report=TimeLeft())
    if out is not None:
        _write(stored, files, out)
    if records is not None:
        write_stored(records / f"explained-{model.stem}.json", stored)
    if as_json:
        head = {"schema", "hexlogic", "name", "card", *(["rules"] if stored.rules is None else [])}
        shown = {name: value for name, value in msgspec.to_builtins(stored).items() if name not in head}
        typer.echo(json.dumps({"model": str(model), **shown}))
        return
    typer.echo(f"{stored.clauses} clauses; statements are about {stored.positions} positions of {read.board}\n")
    for clause in stored.explained:
        _print_clause(clause)
    if stored.rules is not None:
        typer.echo("\n".join(rules_sentences(stored.rules)))
        if stored.rules.counter_example is not None:
            typer.echo(f"A won position that they decide wrongly:\n{_drawn(stored.rules.counter_example)}")
        elif stored.rules.decides_all_won_positions:
            typer.echo("They name the winner of every won position.")


@app.command()
def run(
    out: OutFolder,
    size: Annotated[int, value("N", "The side.", "--size", "-s", min=2, max=64)] = 5,
    games: Annotated[int, value("N", "How many games are played.", min=1)] = 3000,
    seed: Seed = 1,
    clauses: Annotated[int, value("N", "How many clauses.")] = 60,
    explained: Annotated[int, value("N", "How many clauses are explained.", min=1)] = 3,
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


def _write(stored: StoredExplanation, files: dict[str, str], out: Path) -> None:
    from hexlogic.laboratory.report.topics.prediction import marks_of

    empty = Position(Hex.square(stored.size))
    for clause in stored.explained:
        name = f"clause-{clause.clause}"
        title = f"clause {clause.clause} for {clause.player}: {', '.join(clause.kept) or 'true'}"
        files[f"{name}.svg"] = draw_svg(empty, title=title, marks=marks_of(clause.atoms))
        counter_examples = [("counter-example", statement.counter_example) for statement in clause.soundness]
        for what, text in (("puzzle", clause.puzzle), *counter_examples):
            if text is not None:
                files[f"{name}-{what}.svg"] = draw_svg(parse_position(text))
    out.mkdir(parents=True, exist_ok=True)
    for name, content in files.items():
        write_text(out / name, content)


def _print_clause(clause: StoredClause) -> None:
    from hexlogic.laboratory.report.topics.prediction import clause_sentences

    typer.echo(f"clause {clause.clause}: {abs(clause.weight)} votes for {clause.player}")
    typer.echo(f"  {clause.rule}")
    typer.echo(f"  needed:    {', '.join(clause.kept) or 'nothing'}")
    typer.echo(f"  redundant: {', '.join(clause.redundant) or 'nothing'}")
    for sentence in clause_sentences(clause, literals=False):
        typer.echo(f"  {sentence}")
    for statement in clause.soundness:
        if statement.counter_example is not None:
            typer.echo(f"  counter-example: {statement.about}\n{_drawn(statement.counter_example)}")
    typer.echo("" if clause.puzzle is None else f"  a position that fulfils it:\n{_drawn(clause.puzzle)}")


def _drawn(position: str) -> str:
    return "".join(f"    {line}\n" for line in draw_text(parse_position(position)).splitlines())


def _numbers(text: str, option: str, number: type[N], example: str) -> list[N]:
    try:
        return [number(word) for word in options.split_commas(text)]
    except ValueError:
        what = "whole numbers" if number is int else "numbers"
        raise HexlogicError(f"{text!r} is no list of {what}", file=option, hint=f"such as {example}") from None


def _votes(text: str, clauses: int) -> int:
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
