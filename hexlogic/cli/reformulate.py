"""`hexlogic reformulate`: cheaper programs with the same answers on every board, found and proved."""

from __future__ import annotations

import contextlib
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from hexlogic.cli import options
from hexlogic.cli.options import argument, flag, notes, say, value

if TYPE_CHECKING:
    from hexlogic.proofs.finding.worlds import Text, World


def reformulate(
    rules: Annotated[str, argument("RULES|FILE.lp", "A rule set, by name or as a file.")],
    game: Annotated[str | None, value("GAME", "Default: that of the rule set.")] = None,
    engine: Annotated[str | None, value("NAME", "Whose work is the cost. [swipl, or clingo without a board]")] = None,
    time_s: Annotated[float, value("S", "Seconds for all of it.", "--time", min=0.1)] = 60.0,
    keep: Annotated[bool, flag("--keep", "Rules for the next state after a move instead.")] = False,
    out: Annotated[Path | None, value("DIR", "Store what is found there, for a report.", "--out", "-o")] = None,
    as_json: options.Json = False,
) -> None:
    """Find programs with the same answers on every board that cost less, the cheapest first.

    Moves change a program: a query is fused into a recursion, an argument dropped, a recursion turned round, labels
    put in the place of pairs. What they propose is proved along a bridge that is found as well, and measured on one
    position; nothing is printed without a proof. The cost is what the engine counts, inferences of SWI-Prolog or
    ground rules of clingo. Ctrl-C ends the search and prints what there is. Exit status 0, also where nothing cheaper
    is found.

    \b
    hexlogic reformulate clusters
    hexlogic reformulate mine.lp --engine clingo --time 300 --json
    hexlogic reformulate clusters --out found
    """
    from hexlogic.errors import HexlogicError
    from hexlogic.games.rulesets import RuleSet
    from hexlogic.language.engines import load_engine
    from hexlogic.process.files import indented
    from hexlogic.proofs.finding.record import find_source, run_search, search_file
    from hexlogic.proofs.finding.reformulations import Cost

    source, world = find_source(rules, game)
    if isinstance(source, RuleSet) and source.is_template:
        raise HexlogicError(f"{source.name} is written anew for each size: there is no one program to start from")
    if keep:
        if out is not None:
            raise HexlogicError("--out stores programs that cost less, and --keep finds transition rules")
        _keep(source, world, as_json)
        return
    if engine is not None:
        load_engine(engine)
    with contextlib.ExitStack() as stack:
        store = (lambda _: None) if out is None else stack.enter_context(search_file(out, source, engine))
        search = run_search(source, world, time_s, engine, notes(after_s=0.0), store)
        store(search)
    if out is not None:
        say(f"wrote {out / search.file}")
    given = Cost(search.given)
    if as_json:
        typer.echo(indented(search), nl=False)
    elif not search.found:
        typer.echo(f"% {source.name}: nothing cheaper was found: {search.end} ({given})")
    else:
        typer.echo(f"% {source.name}: {given}; {search.end}")
        for program in search.found:
            typer.echo(f"\n% {program.name}: {Cost(program.cost)}\n% {program.sentence}\n\n{program.text}")
            typer.echo(_commented(program.bridge))
    if search.end == "stopped":
        raise typer.Exit(130)


def _keep(source: Text, world: World, as_json: bool) -> None:
    """Transition rules for `rules/transitions/`, with the proof of each step."""
    import json

    from hexlogic.errors import HexlogicError
    from hexlogic.games.rulesets import RuleSet
    from hexlogic.proofs.finding.keeping import kept
    from hexlogic.proofs.finding.worlds import BoardWorld

    if not isinstance(source, RuleSet) or not isinstance(world, BoardWorld):
        raise HexlogicError(f"{source.name} decides no game: --keep is about stones and moves")
    proved = [rules for rules in kept(source, world) if not rules.reason]
    if as_json:
        programs = [{"text": rules.text, "bridge": rules.bridge, "proved": True, "cost": {}} for rules in proved]
        typer.echo(json.dumps({"found": programs}, indent=2))
    for rules in () if as_json else proved:
        typer.echo(rules.text)
        typer.echo(_commented(rules.bridge))
    if not proved and not as_json:
        typer.echo(f"% {source.name}: no equivalence over stones was found whose labels could be kept")


def _commented(text: str) -> str:
    return "\n".join(f"% {line}".rstrip() for line in text.splitlines())
