"""`hexlogic reformulate`: cheaper programs with the same answers on every board, found and proved."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from hexlogic.cli import options
from hexlogic.cli.output import notes

if TYPE_CHECKING:
    from hexlogic.proofs.finding.reformulations import Cost, Reformulation
    from hexlogic.proofs.finding.worlds import Text, World


def reformulate(
    rules: Annotated[str, typer.Argument(metavar="RULES|FILE.lp", help="A rule set, by name or as a file.")],
    game: options.GameName = "hex",
    time_s: Annotated[float, typer.Option("--time", metavar="S", min=0.1, help="Seconds to search for.")] = 60.0,
    as_json: options.Json = False,
) -> None:
    """Find programs with the same answers on every board that cost less, the cheapest first.

    A query is fused into a recursion: what a rule reads of a large relation gets rules of its own. Each program is
    printed with the bridge that proves it and with what it costs on one position; none is printed without a proof.
    Exit status 0, also where nothing cheaper is found.


    hexlogic reformulate clusters
    hexlogic reformulate mine.lp --time 300 --json
    """
    from hexlogic.proofs.finding.reformulations import Reformulator

    source, world = _read(rules, game)
    search = Reformulator(source, world, limit_s=time_s, report=notes(after_s=0.0))
    given = search.cost(source)
    cheaper = sorted(
        (found for found in search.search() if found.cost.order < given.order), key=lambda found: found.cost.order
    )
    if as_json:
        typer.echo(json.dumps({"given": _cost(given), "found": [_data(found) for found in cheaper]}, indent=2))
        return
    typer.echo(f"% {source.name}: {_words(given)}")
    for found in cheaper:
        typer.echo(f"\n% {found.text.name}: {_words(found.cost)}\n% {found.proof}\n\n{found.text.text}")
        typer.echo("\n".join(f"% {line}".rstrip() for line in found.bridge.splitlines()))
    if not cheaper:
        typer.echo(f"% nothing cheaper was found in {time_s:g} s")


def _read(rules: str, game: str) -> tuple[Text, World]:
    """The text, and where it is compared: on boards if it decides `wins/1`, else on all input facts."""
    from hexlogic.games import RED
    from hexlogic.games.rulesets import find_rule_set, win_query
    from hexlogic.language.parser import parse
    from hexlogic.process.files import read_text
    from hexlogic.proofs.all_inputs import ProgramText
    from hexlogic.proofs.finding.worlds import BoardWorld, InputWorld
    from hexlogic.proofs.smt.lemmas import LemmaProver

    path = Path(rules)
    if path.is_file():
        text = read_text(path)
        if win_query(RED).predicate not in parse(text, path.name).heads:
            source = ProgramText(path.stem, text)
            return source, InputWorld(source, LemmaProver())
    return find_rule_set(rules), BoardWorld(game, LemmaProver())


def _data(found: Reformulation) -> dict[str, object]:
    return {
        "name": found.text.name,
        "text": found.text.text,
        "from": found.parent,
        "move": found.move,
        "words": found.words,
        "bridge": found.bridge,
        "proved": found.proof.proved and not found.proof.assumed,
        "sentence": str(found.proof),
        "cost": _cost(found.cost),
    }


def _cost(cost: Cost) -> dict[str, object]:
    return {"ground_rules": cost.ground_rules, "inferences": cost.inferences}


def _words(cost: Cost) -> str:
    figures = [f"{figure:,}" if isinstance(figure, int) else figure for figure in (cost.inferences, cost.ground_rules)]
    return f"{figures[0]} inferences of SWI-Prolog, {figures[1]} ground rules of clingo"
