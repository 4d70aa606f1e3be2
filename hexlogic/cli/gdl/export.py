"""`hexlogic gdl export`: a rule set of a connection game as a sheet; `hexlogic gdl show`: a sheet as a program."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import typer
from tabulate import tabulate

from hexlogic.cli import options
from hexlogic.cli.output import say
from hexlogic.errors import HexlogicError
from hexlogic.games import Game
from hexlogic.ggp import read_sheet
from hexlogic.ggp.export import Sheet, export_sheet, find_rules, sheet_rule_sets
from hexlogic.ggp.export.sheet import check_sheet_dialect, family, rules_for, sheet_text
from hexlogic.ggp.propnet.ground_size import Size, measure_kif
from hexlogic.language.analysis.binding import is_legal
from hexlogic.language.dialects import load_dialect, render
from hexlogic.language.passes import Pipeline
from hexlogic.process.call import Stopped, call_isolated
from hexlogic.process.files import write_text
from hexlogic.process.limits import MEGABYTE, Limits


def export(
    size: options.BoardSize,
    rules: Annotated[
        str, options.rules(metavar="NAME|FILE", help="The rule set that decides who has won, or its file.")
    ] = "",
    player: Annotated[
        str | None,
        typer.Option("--for", metavar="prover|propnet|compiled|unknown", help="The best rule set for such a player."),
    ] = None,
    game: Annotated[str, options.game(help="The game.")] = "hex",
    swap: Annotated[bool, typer.Option("--swap", help="Blue may answer the first stone by swapping it.")] = False,
    pipeline: Annotated[str, options.pipeline(help="Passes to apply to the sheet, as prune.")] = "none",
    dialect: Annotated[str, options.dialect(metavar="gdl|hrf", help="KIF, or the infix form.")] = "gdl",
    out: Annotated[Path | None, options.out("-o", metavar="FILE", help="Where to write it. [default: stdout]")] = None,
    report: Annotated[
        bool, typer.Option("--report", help="A table of sizes instead: of each rule set, or of that of --rules.")
    ] = False,
    time_s: Annotated[float, options.time(help="CPU seconds to count a sheet's ground rules.")] = 60,
    memory_mb: Annotated[float, typer.Option("--memory", metavar="MB", help="Memory to count them.")] = 2000,
) -> None:
    """Write a complete sheet of a game, its win decided by a rule set.

    The header says what the sheet is good for, how its cells are named and how large it is when ground. Recursive
    sheets are small; cycle-free ones are for players that cannot take recursion. With --report, --size takes several
    sizes, as 5,7,9.

    \b
    hexlogic gdl export --size 11 --rules follow-line-tabled -o hex.kif
    hexlogic gdl export --size 9 --for prover --swap -o hex.kif
    hexlogic gdl export --game y --size 8 --rules y/follow-line --dialect hrf
    hexlogic gdl export --size 5,7,9 --report
    """
    check_sheet_dialect(dialect)
    passes, limits = Pipeline.parse(pipeline), Limits.of(cpu_s=time_s, memory_mb=memory_mb)
    if player is not None:
        if rules:
            raise HexlogicError("--for chooses the rule set that --rules names", hint="give one of the two")
        rules = rules_for(player, game)
    if report:
        names = (rules,) if rules else sheet_rule_sets(game)
        boards = [options.board_of_size(part, game) for part in size.split(",")]
        text = _size_table(names, boards, game, swap, passes, limits)
    elif not rules:
        raise HexlogicError("--rules is missing", hint=f"or --for; one of {', '.join(sheet_rule_sets(game))}")
    else:
        board = options.board_of_size(size, game)
        sheet = export_sheet(find_rules(rules, game), board, swap=swap, pipeline=passes)
        text = sheet_text(sheet, dialect, _sheet_size(sheet, limits))
    if out is None:
        typer.echo(text, nl=False)
    else:
        write_text(out, text)


def _sheet_size(sheet: Sheet, limits: Limits) -> Size | str:
    """The size of a sheet when ground, or why it was not counted to the end."""
    try:
        return call_isolated(measure_kif, {"text": render(sheet.program, "gdl")}, limits)
    except Stopped as stopped:
        by_memory = stopped.termination == "memory-limit"
        most = f"{limits.memory_bytes / MEGABYTE:g} MB" if by_memory else f"{limits.cpu_s:g} s"
        return f"counting them takes more than {most}"


def _size_table(
    names: Sequence[str], boards: Sequence[Game], game: str, swap: bool, passes: Pipeline, limits: Limits
) -> str:
    """Ground rules and atoms of each rule set on each board, and why there is no sheet where there is none."""
    rows: list[list[str]] = []
    notes: dict[str, None] = {}
    for name in names:
        rules = find_rules(name, game)
        cells: list[str] = []
        families: set[str] = set()
        for board in boards:
            say(f"{name} for {board} ...")
            try:
                sheet = export_sheet(rules, board, swap=swap, pipeline=passes)
                size = _sheet_size(sheet, limits)
            except HexlogicError as error:
                cells.append("-")
                notes[f"{name}: {error}\n"] = None
                continue
            families.add(family(sheet.program, size))
            if isinstance(size, str):
                notes[f"{name} for {board}: {size}\n"] = None
            cells.append("?" if isinstance(size, str) else f"{size.rules:,} / {size.atoms:,}")
        if families:
            rows.append([name, max(families), *cells])
    headers = ["ground rules / atoms", "family", *(board.size_text for board in boards)]
    table = tabulate(rows, headers, tablefmt="simple", colalign=("left", "left", *("right" for _ in boards)))
    return f"{table}\n{''.join(notes)}"


def show(
    file: Annotated[Path, typer.Argument(metavar="FILE.kif", help="A sheet; FILE.hrf is infix.")],
    dialect: Annotated[str, options.dialect(help="asp, gdl (KIF), hrf (infix), prolog or another.")] = "asp",
    pipeline: Annotated[str, options.pipeline(help="Passes to apply, as ground,reorder.")] = "none",
) -> None:
    """Print a sheet as a program in a dialect.

    What a state and a move bring, true and does, are its inputs; legal, next, goal and the like are its queries. For
    engines that go from left to right, tests stand behind what binds their variables.

    \b
    hexlogic gdl show game.kif
    hexlogic gdl show game.kif --dialect hrf > game.hrf
    hexlogic gdl show game.hrf --dialect gdl --pipeline ground,prune
    """
    text = load_dialect(dialect)
    program = Pipeline.parse(pipeline).apply(read_sheet(file))
    if text.keeps_order and not all(map(is_legal, program.rules)):
        program = Pipeline.parse("reorder:textual").apply(program)
    typer.echo(text.render(program), nl=False)
