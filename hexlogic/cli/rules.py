"""`hexlogic rules`: the registry of rule sets, and the text of each for any size, pipeline and dialect."""

import dataclasses
import json
from typing import Annotated

import typer
from tabulate import SEPARATING_LINE, tabulate

from hexlogic.cli import options
from hexlogic.cli.options import argument, fields, value
from hexlogic.games import Game, Position
from hexlogic.games.rulesets import RuleSet, find_rule_set, load_rule_set, position_facts, rule_set_names
from hexlogic.language import Rule
from hexlogic.language.dialects import load_dialect
from hexlogic.language.passes import Pipeline

_HELP = "The rule sets: one win condition, written in several ways."
app = typer.Typer(no_args_is_help=True, rich_markup_mode=None, help=_HELP)


@app.command("list")
def list_rules(
    game: Annotated[str, options.game(help="The game they are for.")] = "hex", as_json: options.JsonList = False
) -> None:
    """List the rule sets.

    The idea of each, whether it finds every win (complete), whether it is recursive, what it needs of an engine and
    what it is expected to cost.
    """
    rule_sets = [load_rule_set(name) for name in rule_set_names(game)]
    if as_json:
        names = ("name", "idea", "source", "query", "games", "complete", "caveat", "recursive", "needs", "cost", "hash")
        known = [fields(rule_set, *names) for rule_set in rule_sets]
        rows = [row | {"query": str(row["query"]), "caveat": row["caveat"] or None} for row in known]
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
    name: Annotated[str, argument("NAME", "A name from the list, or a rule file.")],
    size: Annotated[str | None, options.size(help="Print the program for a board of this size.")] = None,
    game: Annotated[str | None, options.game(help="The game. [default: hex, or its own]")] = None,
    pipeline: Annotated[str | None, options.pipeline(help="Passes to apply, as ground,reorder.")] = None,
    dialect: Annotated[
        str | None, options.dialect(help="asp, egglog, epilog, gdl, hrf, prolog, pydatalog or souffle.")
    ] = None,
    position: Annotated[str | None, value("POSITION", "Add the stones of a position, as `win` takes it.")] = None,
) -> None:
    """Print a rule set as text that runs.

    The file itself, or the program for a size, a pipeline and an engine's dialect; the header says how to run it.
    Size 9 is taken when a pipeline or a dialect is given without a size.

    \b
    hexlogic rules show clusters
    hexlogic rules show clusters --size 9 --pipeline ground,reorder --dialect prolog
    hexlogic rules show power-set --dialect prolog --position difficult-1 > difficult.pl
    """
    rule_set = find_rule_set(name)
    if all(option is None for option in (size, pipeline, dialect, position)):
        typer.echo(rule_set.text, nl=False)
        return
    game = game or ("hex" if "any" in rule_set.games else rule_set.games[0])
    stones = options.read_board(position, size, game).position if position is not None else None
    board = stones.game if stones is not None else options.board_of_size(size or "9", game)

    typer.echo(listing(rule_set, board, Pipeline.parse(pipeline or "none"), dialect or "asp", stones), nl=False)


def listing(rule_set: RuleSet, board: Game, pipeline: Pipeline, dialect: str, stones: Position | None = None) -> str:
    """The runnable text of a rule set, with a header that names board, pipeline and dialect. Raises HexlogicError.

    >>> from hexlogic.games import Hex
    >>> from hexlogic.language.passes import Pipeline
    >>> from hexlogic.games.rulesets import load_rule_set
    >>> print(listing(load_rule_set("clusters"), Hex(2, 3), Pipeline.parse("ground"), "asp").splitlines()[0])
    % clusters for 2x3 Hex, pipeline ground, dialect asp
    """
    text, stones_file = load_dialect(dialect), ""
    program = pipeline.apply(rule_set.instantiate(board))
    header = [f"{rule_set.name} for {board}, pipeline {pipeline}, dialect {dialect}", f"idea: {rule_set.idea}"]
    if stones is None:
        header.append(f"stones: none yet; {text.stones}")
        stones_file = text.stones_file
    else:
        # the stones are all there is to read, so no input is left: the tool would look for a file
        inputs = () if text.reads_inputs else program.inputs
        rules = program.rules + tuple(map(Rule, position_facts(stones)))
        program = dataclasses.replace(program, rules=rules, inputs=inputs)
        name = f"{stones.name}, " if stones.name else ""
        header.append(f"stones: {name}{len(stones.red)} red and {len(stones.blue)} blue")
    if text.run is not None:
        header.append(f"run: {text.run.format(stones=stones_file)}")
    return "".join(f"{text.comment} {line}\n" for line in header) + "\n" + text.render(program)
