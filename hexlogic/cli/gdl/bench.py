"""`hexlogic gdl bench`: random playouts of sheets on the reasoners."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from hexlogic.cli import options
from hexlogic.cli.bench import print_sessions, run_here
from hexlogic.errors import HexlogicError, SizeError
from hexlogic.laboratory.records import read_records
from hexlogic.laboratory.records.agreement import disagreements
from hexlogic.laboratory.runs.kinds.playouts import Amount
from hexlogic.laboratory.runs.playout_plan import board_sheets, file_sheets, make_playout_plan
from hexlogic.process.limits import Limits
from hexlogic.process.signals import ended_in_order


def bench(
    files: Annotated[
        list[Path] | None, typer.Argument(metavar="FILE.kif", help="Sheets; FILE.hrf and FILE.epilog are infix.")
    ] = None,
    sizes: Annotated[
        str | None, typer.Option("--hex", metavar="SIZES", help="Exported sheets of Hex on these boards, as 5,7,9.")
    ] = None,
    rules: Annotated[
        str | None, options.rules(metavar="A,B", help="Rule sets to export.  [default: all that can be]")
    ] = None,
    reasoners: Annotated[
        str | None,
        typer.Option(
            metavar="A,B",
            help="compiled, clingo, swipl, swipl:sld, epilog; for Hex referee, open_spiel. [default: all]",
        ),
    ] = None,
    games: Annotated[
        int | None, typer.Option("--games", "-n", metavar="N", min=1, help="Random games of a run, however long.")
    ] = None,
    seconds: Annotated[float, typer.Option(metavar="S", min=0.01, help="CPU seconds to play, unless --games.")] = 0.25,
    longest: options.Longest = 10_000,
    seed: Annotated[int, typer.Option(metavar="N", help="The seed of the random games.")] = 0,
    limit: Annotated[float, typer.Option(metavar="S", help="CPU seconds for each run, start included.")] = 10,
    memory: Annotated[float, typer.Option(metavar="MB", help="Resident memory for each run.")] = 2000,
    repeats: Annotated[int, typer.Option(metavar="N", min=1, help="Runs of each sheet on each reasoner.")] = 1,
    jobs: Annotated[int, options.jobs(help="Runs at a time; more than one disturbs the times.")] = 1,
    out: Annotated[Path | None, options.out(help="Folder for the records.  [default: results/<time>-sheets]")] = None,
    resume: Annotated[
        bool, typer.Option("--resume", help="Go on with the session in --out, or with the last one of sheets.")
    ] = False,
    as_json: Annotated[bool, typer.Option("--json", help="One JSON object instead of tables.")] = False,
) -> None:
    """Measure random playouts: each sheet on each reasoner, in a process of its own under limits.

    Tells playouts and steps a CPU second, the start (grounding, analysis, compilation), ground rules and memory; and
    whether all who played a game saw the same mean length and mean goals. A rule set goes up the boards until it cannot
    be played in time. `hexlogic report DIR` makes a page of the records. Exit status 1: somebody disagrees.

    \b
    hexlogic gdl bench game.kif
    hexlogic gdl bench --hex 5,7,9
    hexlogic gdl bench --hex 5,9,13,19 --rules follow-line-tabled --reasoners compiled --out results/growth
    """
    if not files and sizes is None:
        raise HexlogicError("nothing to play", hint="give a sheet, or --hex 5,7,9")
    if rules is not None and sizes is None:
        raise HexlogicError("--rules names rule sets to export", hint="give the boards too: --hex 5,7,9")
    try:
        boards = (
            []
            if sizes is None
            else [options.board_of_size(size) for size in dict.fromkeys(options.split_commas(sizes))]
        )
    except SizeError as error:
        error.file = "--hex"
        raise
    sheets = [
        *file_sheets(list(dict.fromkeys(files or []))),
        *board_sheets(boards, None if rules is None else options.split_commas(rules)),
    ]
    plan = make_playout_plan(
        sheets,
        Amount(games, seconds, longest, seed),
        Limits.of(cpu_s=limit, memory_mb=memory),
        players=None if reasoners is None else options.split_commas(reasoners),
        repeats=repeats,
    )
    with ended_in_order():
        what = f"{len(plan.configurations)} sheets on reasoners"
        result = run_here(plan, out, what, "reasoners", jobs=jobs, resume=resume)
    wrong = disagreements(read_records(result.path).playings)
    print_sessions([result], as_json, [f"WRONG: {disagreement}" for disagreement in wrong])
