"""`hexlogic gdl bench`: random playouts of sheets on the reasoners."""

import json
from pathlib import Path
from typing import Annotated

import typer
from tabulate import tabulate

from hexlogic.cli import options
from hexlogic.cli.bench import print_sessions, run_here
from hexlogic.cli.options import argument, flag, say_progress, value
from hexlogic.errors import HexlogicError
from hexlogic.ggp.language.reading import read_kif, read_sheet
from hexlogic.laboratory.records import read_records
from hexlogic.laboratory.records.agreement import disagreements
from hexlogic.laboratory.runs.kinds.playouts import SMALL_GAMES, Amount
from hexlogic.laboratory.runs.playout_plan import board_sheets, file_sheets, make_playout_plan
from hexlogic.laboratory.runs.run import COLD
from hexlogic.process.call import Stopped, call_isolated
from hexlogic.process.limits import Limits
from hexlogic.process.signals import ended_in_order

_EXPLAINED = 100  # Random games that are explained, unless --games
_HEADS = ("looked at", "made", "kept", "line", "rule")


def profile(file: str | None, amount: Amount) -> tuple[int, list[tuple[float, float, str, int | None, str]]] | None:
    """The states of random games and, by rule, the tuples that forward chaining looks at and makes in each. None where
    numba would compile, which it does without a file, for a small game."""
    from hexlogic.ggp.machines.game import is_compiled  # loads numba, and this is a child
    from hexlogic.ggp.machines.reasoners.compiled import CompiledMachine

    if file is not None and not is_compiled():
        return None
    with CompiledMachine(read_kif(SMALL_GAMES[1]) if file is None else read_sheet(Path(file))) as machine:
        states = machine.states
        if states is None or not states.enter(machine.initial_state):
            raise HexlogicError(machine.analysis, file=file)
        count, totals = states.profile(amount.games or _EXPLAINED, amount.seed, amount.longest)
        kept = {rule for rule in totals if rule.conclusion.predicate in states.evaluator.opened.kept}
    return count, [
        (looked_at / count, made / count, "kept" * (rule in kept), rule.place.line if rule.place else None, str(rule))
        for rule, (looked_at, made) in sorted(totals.items(), key=lambda item: (-sum(item[1]), str(item[0])))
    ]


def print_profile(file: Path, amount: Amount, limits: Limits, *, as_json: bool) -> None:
    """Print the profile of a sheet, which is made in a child."""
    task = {"file": str(file), "amount": amount}
    try:
        if (profiled := call_isolated(profile, task, limits)) is None:
            say_progress("numba compiles, the first time")
            call_isolated(profile, {**task, "file": None}, COLD)
            profiled = call_isolated(profile, task, limits)
    except Stopped as stopped:
        reason = f"this takes more than {limits.text_of(stopped.termination)}"
        raise HexlogicError(reason, file=str(file), hint=f"--limit {6 * limits.cpu_s:g}") from None
    assert profiled is not None
    count, rows = profiled
    if as_json:
        data = {"sheet": str(file), "states": count, "rules": [dict(zip(_HEADS, row, strict=True)) for row in rows]}
        typer.echo(json.dumps(data, indent=2))
        return
    typer.echo(f"{file}: tuples in each of {count:,} states, by rule as it is evaluated (kept: by what a step changes)")
    typer.echo(tabulate(rows, _HEADS, tablefmt="simple", floatfmt=".2f", maxcolwidths=[*[None] * 4, 90]))


def bench(
    files: Annotated[list[Path] | None, argument("FILE.kif", "Sheets; FILE.hrf and FILE.epilog are infix.")] = None,
    sizes: Annotated[str | None, value("SIZES", "Exported sheets of Hex on these boards, as 5,7,9.", "--hex")] = None,
    rules: Annotated[str | None, options.rules(metavar="A,B", help="Rule sets to export.  [all that can be]")] = None,
    reasoners: Annotated[
        str | None,
        value("A,B", "compiled, clingo, swipl, swipl:sld, epilog; for Hex referee, open_spiel. [default: all]"),
    ] = None,
    games: Annotated[int | None, value("N", "Random games of a run, however long.", "--games", "-n", min=1)] = None,
    seconds: Annotated[float, value("S", "CPU seconds to play, unless --games.", min=0.01)] = 0.25,
    longest: options.Longest = 10_000,
    seed: Annotated[int, value("N", "The seed of the random games.")] = 0,
    limit: Annotated[float, value("S", "CPU seconds for each run, start included.")] = 10,
    memory: Annotated[float, value("MB", "Resident memory for each run.")] = 2000,
    repeats: Annotated[int, value("N", "Runs of each sheet on each reasoner.", min=1)] = 1,
    jobs: Annotated[int, options.jobs(help="Runs at a time; more than one disturbs the times.")] = 1,
    out: Annotated[Path | None, options.out(help="Folder for the records.  [default: results/<time>-sheets]")] = None,
    resume: Annotated[bool, flag("--resume", "Go on with the session in --out, or the last one of sheets.")] = False,
    as_json: Annotated[bool, flag("--json", "One JSON object instead of tables.")] = False,
    explain: Annotated[bool, flag("--explain", "What forward chaining does for each rule, in 100 games.")] = False,
) -> None:
    """Measure random playouts: each sheet on each reasoner, in a process of its own under limits.

    Tells playouts and steps a CPU second, the start (grounding, analysis, compilation), ground rules and memory; and
    whether all who played a game saw the same mean length and mean goals. A rule set goes up the boards until it cannot
    be played in time. `hexlogic report DIR` makes a page of the records. Exit status 1: somebody disagrees.

    \b
    hexlogic gdl bench game.kif
    hexlogic gdl bench game.kif --explain
    hexlogic gdl bench --hex 5,7,9
    hexlogic gdl bench --hex 5,9,13,19 --rules follow-line-tabled --reasoners compiled --out results/growth
    """
    if not files and sizes is None:
        raise HexlogicError("nothing to play", hint="give a sheet, or --hex 5,7,9")
    if rules is not None and sizes is None:
        raise HexlogicError("--rules names rule sets to export", hint="give the boards too: --hex 5,7,9")
    if explain:
        if sizes is not None or files is None or len(files) > 1:
            raise HexlogicError("--explain is about one sheet", hint="hexlogic gdl bench FILE.kif --explain")
        limits = Limits.of(cpu_s=limit, memory_mb=memory)
        print_profile(files[0], Amount(games or _EXPLAINED, seconds, longest, seed), limits, as_json=as_json)
        return
    asked = () if sizes is None else dict.fromkeys(options.split_commas(sizes))
    boards = [options.board_of_size(size, option="--hex") for size in asked]
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
