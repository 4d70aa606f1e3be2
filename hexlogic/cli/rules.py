"""`hexlogic rules`: the registry of rule sets, and the text of each for any size, pipeline and dialect."""

from __future__ import annotations

from typing import Annotated

import typer

__all__ = ["app"]

app = typer.Typer(
    no_args_is_help=True, rich_markup_mode=None, help="The rule sets: one win condition, written in several ways."
)


@app.command("list")
def list_rules(
    game: Annotated[str, typer.Option("--game", "-g", metavar="NAME", help="The game they are for.")] = "hex",
    as_json: Annotated[bool, typer.Option("--json", help="One JSON list instead of a table.")] = False,
) -> None:
    """List the rule sets.

    The idea of each, whether it finds every win (complete), whether it is recursive, what it needs of an engine and
    what it is expected to cost.
    """
    import json

    from tabulate import SEPARATING_LINE, tabulate

    from hexlogic.rulesets import load_rule_set, rule_set_names

    rule_sets = [load_rule_set(name) for name in rule_set_names(game)]
    if as_json:
        rows = [
            {
                "name": rule_set.name,
                "idea": rule_set.idea,
                "source": rule_set.source,
                "query": f"{rule_set.query.name}/{rule_set.query.arity}",
                "games": list(rule_set.games),
                "complete": rule_set.complete,
                "caveat": rule_set.caveat or None,
                "recursive": rule_set.recursive,
                "needs": rule_set.needs,
                "cost": rule_set.cost,
                "hash": rule_set.hash,
            }
            for rule_set in rule_sets
        ]
        typer.echo(json.dumps(rows, indent=2))
        return
    table: list[list[str] | str] = []
    for rule_set in rule_sets:
        flags = ["yes" if flag else "no" for flag in (rule_set.complete, rule_set.recursive)]
        table += [[rule_set.name, rule_set.idea, *flags, rule_set.needs, rule_set.cost], SEPARATING_LINE]
    headers = ["name", "idea", "com-\nplete", "recur-\nsive", "needs", "cost"]
    # 100 columns: 20 for the names, 7 and 8 for yes and no, 10 between the columns, 55 for the words.
    typer.echo(tabulate(table[:-1], headers, tablefmt="simple", maxcolwidths=[None, 22, None, None, 15, 18]))


@app.command("show")
def show(
    name: Annotated[str, typer.Argument(metavar="NAME", help="A name from the list, or a rule file.")],
    size: Annotated[
        str | None, typer.Option("--size", "-s", metavar="N|RxC", help="Print the program for a board of this size.")
    ] = None,
    game: Annotated[
        str | None, typer.Option("--game", "-g", metavar="NAME", help="The game. [default: hex, or its own]")
    ] = None,
    pipeline: Annotated[
        str | None, typer.Option("--pipeline", "-p", metavar="PASSES", help="Passes to apply, as ground,reorder.")
    ] = None,
    dialect: Annotated[
        str | None,
        typer.Option(
            "--dialect", "-d", metavar="DIALECT", help="asp, egglog, epilog, gdl, hrf, prolog, pydatalog or souffle."
        ),
    ] = None,
    position: Annotated[
        str | None,
        typer.Option("--position", metavar="POSITION", help="Add the stones of a position, as `win` takes it."),
    ] = None,
    source: Annotated[bool, typer.Option("--source", help="The rule file as it stands, which is the default.")] = False,
) -> None:
    """Print a rule set as text that runs.

    The file itself, or the program for a size, a pipeline and an engine's dialect; the header says how to run it.
    Size 9 is taken when a pipeline or a dialect is given without a size.

    \b
    hexlogic rules show clusters
    hexlogic rules show clusters --size 9 --pipeline ground,reorder --dialect prolog
    hexlogic rules show power-set --dialect prolog --position difficult-1 > difficult.pl
    """
    from hexlogic.cli.arguments import board_of_size, read_board
    from hexlogic.rulesets import find_rule_set

    rule_set = find_rule_set(name)
    options = {"--size": size, "--pipeline": pipeline, "--dialect": dialect, "--position": position}
    given = [option for option, value in options.items() if value is not None]
    if source and given:
        raise typer.BadParameter(f"--source prints the file as it stands and takes no {given[0]}")
    if not given:
        typer.echo(rule_set.text, nl=False)
        return
    game = game or ("hex" if "any" in rule_set.games else rule_set.games[0])
    stones = read_board(position, size, game).position if position is not None else None
    board = stones.game if stones is not None else board_of_size(size or "9", game)
    from hexlogic.cli.listing import listing
    from hexlogic.passes import Pipeline

    typer.echo(listing(rule_set, board, Pipeline.parse(pipeline or "none"), dialect or "asp", stones), nl=False)
