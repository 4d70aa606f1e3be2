"""`hexlogic predict explain`: the clauses of a model as rules, proved, drawn and exported."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from hexlogic.cli.arguments import JsonOption
from hexlogic.cli.predict.train import Model, numbers_in

if TYPE_CHECKING:
    from hexlogic.players.evaluation.prediction_file import StoredClause
    from hexlogic.players.predict.explain import Explanation


def explain(
    model: Model,
    clauses: Annotated[int, typer.Option(min=1, metavar="N", help="How many clauses, the weightiest first.")] = 5,
    numbers: Annotated[
        str | None, typer.Option("--number", metavar="N,N", help="Clauses by number, in the place of the weightiest.")
    ] = None,
    positions: Annotated[
        str | None,
        typer.Option(metavar="any|turns|open|finished", help="What proofs are about. [the model's]"),
    ] = None,
    count: Annotated[int, typer.Option(min=1, metavar="N", help="Count colourings of a clause up to N.")] = 100,
    rules: Annotated[
        bool, typer.Option("--rules/--no-rules", help="Find the fewest clauses, shrink and compare them.")
    ] = True,
    out: Annotated[
        Path | None,
        typer.Option("--out", "-o", metavar="DIR", help="Write drawings, program and rule set there."),
    ] = None,
    records: Annotated[
        Path | None,
        typer.Option(metavar="FOLDER", help="Keep what is found in explained-MODEL.json there, for reports."),
    ] = None,
    as_json: JsonOption = False,
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
    from msgspec import to_builtins

    from hexlogic.cli.output import TimeLeft
    from hexlogic.laboratory.report.topics.prediction import rules_sentences
    from hexlogic.players.evaluation.clause_model import read_model
    from hexlogic.players.evaluation.prediction_file import one_of
    from hexlogic.players.predict.clauses import KINDS
    from hexlogic.players.predict.explain import explain as find
    from hexlogic.process.files import write_stored

    kind = None if positions is None else one_of("kind of positions", positions, KINDS)
    read = read_model(model)
    chosen = [] if numbers is None else numbers_in(numbers, "--number", int, "3,17")
    explanation = find(
        read, name=model.stem, clauses=clauses, numbers=chosen, kind=kind, most=count, rules=rules, report=TimeLeft()
    )
    stored = explanation.stored
    if out is not None:
        _write(explanation, out)
    if records is not None:
        write_stored(records / f"explained-{model.stem}.json", stored)
    if as_json:
        head = {"schema", "hexlogic", "name", "card", *(["rules"] if stored.rules is None else [])}
        fields = {name: value for name, value in to_builtins(stored).items() if name not in head}
        typer.echo(json.dumps({"model": str(model), **fields}))
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


def _write(explanation: Explanation, out: Path) -> None:
    from hexlogic.games import Hex, Position, draw_svg, parse_position
    from hexlogic.laboratory.report.topics.prediction import marks_of
    from hexlogic.process.files import write_text

    out.mkdir(parents=True, exist_ok=True)
    for clause in explanation.stored.explained:
        name = f"clause-{clause.clause}"
        title = f"clause {clause.clause} for {clause.player}: {', '.join(clause.kept) or 'true'}"
        empty = Position(Hex.square(explanation.stored.size))
        write_text(out / f"{name}.svg", draw_svg(empty, title=title, marks=marks_of(clause.atoms)))
        counter_examples = [("counter-example", statement.counter_example) for statement in clause.soundness]
        for what, text in (("puzzle", clause.puzzle), *counter_examples):
            if text is not None:
                write_text(out / f"{name}-{what}.svg", draw_svg(parse_position(text)))
    for file, text in (("program.lp", explanation.program), ("learned.lp", explanation.rule_set)):
        if text is not None:
            write_text(out / file, text)


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
    from hexlogic.games import draw_text, parse_position

    return "".join(f"    {line}\n" for line in draw_text(parse_position(position)).splitlines())
