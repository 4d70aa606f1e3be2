"""`hexlogic predict explain`: the clauses of a model as rules, proved, drawn and exported."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from hexlogic.cli.output import fields
from hexlogic.errors import HexlogicError

if TYPE_CHECKING:
    from hexlogic.games import Hex, Position
    from hexlogic.predict.clause_proofs import Proved
    from hexlogic.predict.explain import Explanation, Rules

__all__ = ["explain"]


def explain(
    model: Annotated[Path, typer.Argument(metavar="MODEL", help="What `predict train` has written.")],
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
    as_json: Annotated[bool, typer.Option("--json", help="One JSON object instead of text.")] = False,
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
    from hexlogic.cli.progress import TimeLeft
    from hexlogic.players.evaluation.clause_model import read_model
    from hexlogic.predict.colourings import check_kind
    from hexlogic.predict.explain import explain as find

    kind = None if positions is None else check_kind(positions)
    read = read_model(model)
    chosen = _numbers(numbers)
    found = find(read, clauses=clauses, numbers=chosen, kind=kind, most=count, rules=rules, report=TimeLeft())
    if out is not None:
        _write(found, out)
    if records is not None:
        _keep(found, model.stem, read.card, records)
    if as_json:
        typer.echo(json.dumps({"model": str(model), **_record(found)}))
        return
    board = found.setting.board
    typer.echo(f"{found.clauses} clauses; statements are about {found.setting.kind} positions of {board}\n")
    for proof in found.proved:
        _print_clause(board, proof)
    if found.rules is not None:
        _print_rules(found.rules)


def _numbers(text: str | None) -> list[int]:
    from hexlogic.cli.arguments import split_commas

    try:
        return [] if text is None else [int(word) for word in split_commas(text)]
    except ValueError:
        raise HexlogicError(f"{text!r} is no list of clauses", file="--number", hint="such as 3,17") from None


def _text(board: Hex, literals: Any) -> list[str]:
    from hexlogic.predict.clause import readable

    return [readable(board, literal) for literal in literals]


def _board_text(position: Position | bool | None) -> str | None:
    return None if position is None or isinstance(position, bool) else position.to_text()


def _record(found: Explanation) -> dict[str, Any]:
    board = found.setting.board
    return {
        "size": board.size,
        "positions": found.setting.kind,
        "clauses": found.clauses,
        "explained": [_clause_record(board, proof) for proof in found.proved],
        **({} if found.rules is None else {"rules": _rules_record(found.rules)}),
    }


def _clause_record(board: Hex, proof: Proved) -> dict[str, Any]:
    clause = proof.clause
    return {
        "clause": clause.number,
        **fields(clause, "player", "weight"),
        "coverage": round(clause.coverage, 5),
        "precision": None if clause.precision is None else round(clause.precision, 5),
        "rule": clause.rule(),
        "literals": _text(board, clause.literals),
        "redundant": _text(board, proof.redundant),
        "kept": _text(board, proof.kept),
        "atoms": list(proof.kept),
        **fields(proof, "open_literals", "possible"),
        "puzzle": _board_text(proof.puzzle),
        **fields(proof, "colourings", "all_counted"),
        "soundness": [
            {"verdict": one.verdict, "about": one.about, "counter_example": _board_text(one.counter_example)}
            for one in proof.soundness
        ],
    }


def _rules_record(rules: Rules) -> dict[str, Any]:
    return {
        "clauses": [clause.number for clause in rules.clauses],
        "at_least": rules.fewest.at_least,
        "literals_before": rules.literals[0],
        "literals_after": rules.literals[1],
        "compared": rules.agreement.positions,
        "same_decisions": rules.agreement.same,
        "decides_all_won_positions": None if rules.wrong is None else rules.wrong is False,
        "counter_example": _board_text(rules.wrong),
        "sound_clauses": rules.proved[0],
        "rule_set_clauses": rules.proved[1],
        **fields(rules, "covered", "sample"),
    }


def _keep(found: Explanation, name: str, card: dict[str, Any], folder: Path) -> None:
    """Write the file that reports read."""
    from importlib import metadata

    import msgspec

    from hexlogic.report.prediction_file import SCHEMA, StoredExplanation
    from hexlogic.stored import write_stored

    head = {"schema": SCHEMA, "hexlogic": metadata.version("hexlogic"), "name": name, "card": card}
    write_stored(folder / f"explained-{name}.json", msgspec.convert({**head, **_record(found)}, StoredExplanation))


def _write(found: Explanation, out: Path) -> None:
    from hexlogic.files import write_text
    from hexlogic.games import Position, draw_svg
    from hexlogic.report.prediction_clauses import marks_of

    out.mkdir(parents=True, exist_ok=True)
    board = found.setting.board
    for proof in found.proved:
        name = f"clause-{proof.clause.number}"
        title = (
            f"clause {proof.clause.number} for {proof.clause.player}: {', '.join(_text(board, proof.kept)) or 'true'}"
        )
        write_text(out / f"{name}.svg", draw_svg(Position(board), title=title, marks=marks_of(proof.kept)))
        if proof.puzzle is not None:
            write_text(out / f"{name}-puzzle.svg", draw_svg(proof.puzzle))
        for one in proof.soundness:
            if one.counter_example is not None:
                write_text(out / f"{name}-counter-example.svg", draw_svg(one.counter_example))
    if found.rules is not None:
        write_text(out / "program.lp", found.rules.program)
        if found.rules.rule_set is not None:
            write_text(out / "learned.lp", found.rules.rule_set)


def _print_clause(board: Hex, proof: Proved) -> None:
    from hexlogic.games import draw_text

    clause = proof.clause
    precision = "covers nothing" if clause.precision is None else f"{clause.precision:.1%} of these are won"
    typer.echo(
        f"clause {clause.number}: {abs(clause.weight)} votes for {clause.player}, holds on {clause.coverage:.1%}"
    )
    typer.echo(f"  of the sample, {precision}")
    typer.echo(f"  {clause.rule()}")
    typer.echo(f"  needed:    {', '.join(_text(board, proof.kept)) or 'nothing'}")
    typer.echo(f"  redundant: {', '.join(_text(board, proof.redundant)) or 'nothing'}")
    if proof.open_literals:
        typer.echo(f"  not decided: {proof.open_literals} literals, which are kept")
    for one in proof.soundness:
        words = {"sound": "implies the win on", "refuted": "does not imply the win on", "open": "not decided on"}
        typer.echo(f"  {words[one.verdict]} {one.about}")
        if one.counter_example is not None:
            typer.echo(_indented(draw_text(one.counter_example)))
    if proof.puzzle is None:
        typer.echo("  no position fulfils it\n" if proof.possible is False else "  no position found that fulfils it\n")
        return
    many = f"{proof.colourings}" if proof.all_counted else f"more than {proof.colourings}"
    typer.echo(f"  {many} positions fulfil it, such as\n{_indented(draw_text(proof.puzzle))}")


def _indented(text: str) -> str:
    return "".join(f"    {line}\n" for line in text.splitlines())


def _print_rules(rules: Rules) -> None:
    from hexlogic.games import Position, draw_text

    bound = "fewer do not suffice" if rules.fewest.is_minimum else f"at least {rules.fewest.at_least} are needed"
    typer.echo(f"{len(rules.clauses)} clauses decide the sample of {rules.sample} positions like all of them; {bound}")
    typer.echo(f"literals: {rules.literals[0]}, and {rules.literals[1]} without the redundant ones")
    same, positions = rules.agreement.same, rules.agreement.positions
    typer.echo(f"clingo with the program of these rules decides {same} of {positions} positions like the machine")
    if isinstance(rules.wrong, Position):
        typer.echo(f"a won position that they decide wrongly:\n{_indented(draw_text(rules.wrong))}")
    elif rules.wrong is False:
        typer.echo("they name the winner of every won position")
    all_proved, fewest = rules.proved
    typer.echo(
        f"{all_proved} clauses of the model are proved to say that their player has won, wherever the stones lie;"
    )
    typer.echo(f"{fewest} of them hold wherever one of them does: on {rules.covered} of {rules.sample} positions")
