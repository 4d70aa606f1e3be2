"""`hexlogic reformulate`: cheaper programs with the same answers on every board, found and proved."""

from __future__ import annotations

import json
import time
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from hexlogic.cli import options
from hexlogic.cli.output import notes
from hexlogic.process.limits import TimeOverError, time_limit

if TYPE_CHECKING:
    from hexlogic.proofs.finding.reformulations import Reformulation
    from hexlogic.proofs.finding.worlds import Text, World


def reformulate(
    rules: Annotated[str, typer.Argument(metavar="RULES|FILE.lp", help="A rule set, by name or as a file.")],
    game: options.GameName = "hex",
    engine: Annotated[
        str | None,
        typer.Option(metavar="NAME", help="Whose work is the cost; default: swipl, or clingo without a board."),
    ] = None,
    time_s: Annotated[float, typer.Option("--time", metavar="S", min=0.1, help="Seconds for all of it.")] = 60.0,
    keep: Annotated[bool, typer.Option("--keep", help="Rules for the next state after a move instead.")] = False,
    as_json: options.Json = False,
) -> None:
    """Find programs with the same answers on every board that cost less, the cheapest first.

    Moves change a program: a query is fused into a recursion, an argument dropped, a recursion turned round, labels
    put in the place of pairs. What they propose is proved along a bridge that is found as well, and measured on one
    position; nothing is printed without a proof. The cost is what the engine counts, inferences of SWI-Prolog or
    ground rules of clingo. Ctrl-C ends the search and prints what there is. Exit status 0, also where nothing cheaper
    is found.


    hexlogic reformulate clusters
    hexlogic reformulate mine.lp --engine clingo --time 300 --json
    """
    from hexlogic.language.engines import load_engine
    from hexlogic.proofs.all_inputs import ProgramText
    from hexlogic.proofs.finding.reformulations import Reformulation, Reformulator

    begin_s = time.monotonic()
    source, world = _read(rules, game)
    engine = engine or ("clingo" if isinstance(source, ProgramText) else "swipl")
    load_engine(engine)
    if keep:
        _keep(source, world, as_json)
        return
    search = Reformulator(source, world, time_s, notes(after_s=0.0), engine)
    given, cheaper, end = search.given, list[Reformulation](), "everything that the moves propose was tried"

    try:
        with time_limit(begin_s + time_s - time.monotonic()):
            for found in search.search():
                if found.cost.order < given.order:
                    cheaper.append(found)
                    search.report(f"{found.text.name} costs {found.cost}, of {given}: proved")
    except KeyboardInterrupt:
        end = "stopped"
    except TimeOverError:
        end = f"the {time_s:g} s are over"
    cheaper.sort(key=lambda found: found.cost.order)
    if as_json:
        data = [_data(found) for found in cheaper]
        typer.echo(json.dumps({"given": dict(given.figures), "found": data, "end": end}, indent=2))
    elif not cheaper:
        typer.echo(f"% {source.name}: nothing cheaper was found: {end} ({given})")
    else:
        typer.echo(f"% {source.name}: {given}; {end}")
        for found in cheaper:
            typer.echo(f"\n% {found.text.name}: {found.cost}\n% {found.proof}\n\n{found.text.text}")
            typer.echo("\n".join(f"% {line}".rstrip() for line in found.bridge.splitlines()))
    if end == "stopped":
        raise typer.Exit(130)


def _keep(source: Text, world: World, as_json: bool) -> None:
    """Transition rules for `rules/transitions/`, with the proof of each step."""
    from hexlogic.errors import HexlogicError
    from hexlogic.games.rulesets import RuleSet
    from hexlogic.proofs.finding.keeping import kept
    from hexlogic.proofs.finding.worlds import BoardWorld

    if not isinstance(source, RuleSet) or not isinstance(world, BoardWorld):
        raise HexlogicError(f"{source.name} decides no game: --keep is about stones and moves")
    proved = [rules for rules in kept(source, world) if not rules.reason]
    if as_json:
        found = [{"text": rules.text, "bridge": rules.bridge, "proved": True, "cost": {}} for rules in proved]
        typer.echo(json.dumps({"found": found}, indent=2))
    for rules in () if as_json else proved:
        typer.echo(rules.text)
        typer.echo("\n".join(f"% {line}".rstrip() for line in rules.bridge.splitlines()))
    if not proved and not as_json:
        typer.echo(f"% {source.name}: no equivalence over stones was found whose labels could be kept")


def _read(rules: str, game: str) -> tuple[Text, World]:
    """The text, and where it is compared: on boards if it decides `wins/1`, else on all input facts."""
    from hexlogic.errors import HexlogicError
    from hexlogic.games import RED
    from hexlogic.games.rulesets import RuleSet, find_rule_set, win_query
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
        if "% name:" not in text:  # a bare text needs no header
            return RuleSet.from_text(text, path.stem, file=path.name), BoardWorld(game, LemmaProver())
    rule_set = find_rule_set(rules)
    if rule_set.is_template:
        raise HexlogicError(f"{rule_set.name} is written anew for each size: there is no one program to start from")
    return rule_set, BoardWorld(game, LemmaProver())


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
        "cost": dict(found.cost.figures),
    }
