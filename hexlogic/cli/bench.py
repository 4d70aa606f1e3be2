"""`hexlogic bench`: measure a suite and print the tables of what each pass saves; or everything, with the report."""

from __future__ import annotations

import functools
import shlex
import subprocess
import sys
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from types import MappingProxyType
from typing import Annotated

import typer

from hexlogic.cli.arguments import ExecutorOption, JsonOption, split_commas
from hexlogic.cli.sessions import LineProgress, print_sessions, run_here
from hexlogic.errors import SuiteError
from hexlogic.laboratory.records.store import read_records, record_files
from hexlogic.laboratory.report.formatting import duration
from hexlogic.laboratory.runs.on_cluster import execute_on_cluster, missing_on_cluster
from hexlogic.laboratory.runs.plan import Plan, engines_of, estimate_plan, load_suite, make_plan, own_suite
from hexlogic.laboratory.runs.run import Result
from hexlogic.laboratory.runs.session import session_folder
from hexlogic.process.cluster import is_cluster, open_cluster
from hexlogic.process.limits import cores
from hexlogic.process.meters import DEFAULT_METER
from hexlogic.process.signals import ended_in_order
from hexlogic.proofs.matrix_file import proof_files

_FOLDER = Path("results/everything")
_SIZE = "4"
"""The board of the proofs."""


def bench(
    suite: Annotated[
        str | None,
        typer.Option(
            metavar="quick|paper|scaling|games|positions|everything|FILE.toml",
            help="What to measure.  [default: quick]",
        ),
    ] = None,
    rules: Annotated[
        str | None, typer.Option(metavar="A,FILE.lp", help="Instead of a suite: these rule sets, one's own among them.")
    ] = None,
    boards: Annotated[
        str | None, typer.Option(metavar="A,FILE.txt", help="Instead of a suite: these boards.  [default: difficult-1]")
    ] = None,
    games: Annotated[str | None, typer.Option(metavar="A@N", help="Instead of a suite: these recorded games.")] = None,
    pipelines: Annotated[
        str | None,
        typer.Option(metavar="none,A+B", help="Instead of a suite: these passes.  [default: none,ground+reorder]"),
    ] = None,
    modes: Annotated[str | None, typer.Option(metavar="followed,anew", help="How recorded games are replayed.")] = None,
    players: Annotated[
        str | None, typer.Option(metavar="red,blue", help="Whose win is asked for.  [default: red]")
    ] = None,
    positions: Annotated[
        str | None, typer.Option(metavar="N,N", help="Instead of a suite: many random positions of these board sizes.")
    ] = None,
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="List what would be measured, and how long it may take.")
    ] = False,
    out: Annotated[
        Path | None, typer.Option(metavar="DIR", help="Folder for the records.  [default: results/<time>-<suite>]")
    ] = None,
    limit: Annotated[float | None, typer.Option(metavar="S", help="CPU seconds for each run.")] = None,
    memory: Annotated[float | None, typer.Option(metavar="MB", help="Resident memory for each run.")] = None,
    engines: Annotated[
        str | None, typer.Option(metavar="A,B", help="Engines to run on instead of the suite's.")
    ] = None,
    jobs: Annotated[
        int, typer.Option(metavar="N", min=1, help="Measured runs at a time; more than one disturbs the times.")
    ] = 1,
    repeats: Annotated[int | None, typer.Option(metavar="N", help="Measured runs of each configuration.")] = None,
    resume: Annotated[
        bool, typer.Option("--resume", help="Go on with the session in --out, or with the last one of this suite.")
    ] = False,
    executor: ExecutorOption = "local",
    meter: Annotated[
        str, typer.Option(metavar="psutil|benchexec", help="What watches the runs; benchexec needs control groups.")
    ] = "psutil",
    as_json: JsonOption = False,
) -> None:
    """Measure a suite: the paper's tables beside our own, in two minutes.

    Every run is a fresh process under limits. Whatever ends the session leaves a readable record file, and the same
    command with --resume goes on from there. Exit status 1: an answer is wrong.

    The suite `everything` is all suites, playouts and proofs one after the other, and the report of all: a night, or
    what --limit and --repeats make of it; positions and sheets keep limits of their own.

    \b
    hexlogic bench --rules mine.lp,clusters --boards difficult-1,my-board.txt --pipelines none,ground+reorder
    hexlogic bench --suite everything --out results/everything
    """
    instead = {"rules": rules, "boards": boards, "games": games, "pipelines": pipelines, "modes": modes}
    instead |= {"players": players, "positions": positions}
    given = {name: split_commas(text) for name, text in instead.items() if text is not None}
    if suite == "everything":
        others = {"engines": engines, "jobs": jobs > 1, "executor": executor != "local", "json": as_json}
        others |= {"meter": meter != DEFAULT_METER}
        refused = [*given, *(name for name, value in others.items() if value)]
        bounds = {"limit": limit, "memory": memory, "repeats": repeats}
        raise typer.Exit(_measure_everything(out or _FOLDER, refused, bounds, dry_run))
    if suite is not None and given:
        raise SuiteError(f"--suite and --{next(iter(given))} both say what to measure", hint="leave one of them out")
    chosen, file = (own_suite(**given), f"--{next(iter(given))}") if given else load_suite(suite or "quick")
    names = None if engines is None else split_commas(engines)
    make = functools.partial(make_plan, chosen, file, engines=names, cpu_s=limit, memory_mb=memory, repeats=repeats)
    if dry_run:
        _list(make(), jobs)
        return
    with ended_in_order():
        if is_cluster(executor):
            if meter != DEFAULT_METER:
                raise SuiteError(f"the meter {meter} is for this machine alone", hint="--executor local")
            results = _on_cluster(executor, make, names or engines_of(chosen, file), out, resume)
        else:
            plan = make()
            what = f"suite {plan.suite}: {len(plan.configurations)} configurations"
            results = [run_here(plan, out, what, "engines", jobs=jobs, resume=resume, meter=meter)]
    wrong = sum(result.wrong for result in results)
    print_sessions(results, as_json, [f"{wrong} runs gave a wrong answer"] if wrong else [])


def _list(plan: Plan, jobs: int) -> None:
    """Every configuration in a line, and at the end how long they may take."""
    for chain in plan.chains():
        for configuration in chain:
            typer.echo(str(configuration))
    least_s, most_s = estimate_plan(plan, jobs, max(jobs, cores()))
    typer.echo(f"{len(plan.configurations)} configurations, {duration(least_s)} to {duration(most_s)}", err=True)
    for name, reason in plan.missing.items():
        typer.echo(f"without {name}: {reason}", err=True)


def _on_cluster(
    executor: str, make: Callable[..., Plan], engines: Sequence[str], out: Path | None, resume: bool
) -> list[Result]:
    with open_cluster(executor, cores()) as cluster:
        plan = make(missing=missing_on_cluster(cluster, engines))
        hosts = sorted({worker.host for worker in cluster.workers()})
        typer.echo(f"suite {plan.suite}: {len(plan.configurations)} configurations on {', '.join(hosts)}", err=True)
        return execute_on_cluster(
            plan,
            cluster,
            out or session_folder(plan.suite, resume),
            command=["hexlogic", *sys.argv[1:]],
            resume=resume,
            listener=lambda host: LineProgress(f"{host}: "),
            say=lambda text: typer.echo(text, err=True),
        )


def steps(out: Path, bounds: Mapping[str, float | None] = MappingProxyType({})) -> dict[str, list[str]]:
    """The arguments of each command after `hexlogic`, by the folder in `out` that it writes.

    `bounds` are options of all that is measured: `limit` (CPU seconds of a question or a game; positions and
    sheets keep theirs), `memory` (MB), `repeats`; None leaves what the suite says.
    """
    options = {name: [f"--{name}", f"{number:g}"] for name, number in bounds.items() if number is not None}
    bounded = [word for option in options.values() for word in option]
    # A limit that suits questions would end sheets before they start, and leave one repeat of runs over many positions.
    unlimited = [word for name, option in options.items() if name != "limit" for word in option]
    repeats = [] if "repeats" in options else ["--repeats", "3"]
    commands = {
        **{name: ["bench", "--suite", name, *bounded] for name in ("quick", "paper", "scaling", "games")},
        "positions": ["bench", "--suite", "positions", *unlimited],
        "sheets": ["gdl", "bench", "--hex", "5,9,13", *repeats, *unlimited],
        "proofs": ["prove", "--all", "--size", _SIZE],
    }
    return {name: [*command, "--out", str(out / name)] for name, command in commands.items()}


def _measure_everything(folder: Path, refused: Sequence[str], bounds: Mapping[str, float | None], dry_run: bool) -> int:
    """Run each step that has not been completed, then the report; the exit status is the worst of them.

    A step with the records of an unfinished session is resumed. Raises SuiteError for `refused` options, which not all
    steps know, and for a bound of nothing, before the first step.
    """
    if refused:
        raise SuiteError(
            f"--suite everything does not take --{refused[0]}",
            hint="it takes --out, --limit, --memory, --repeats and --dry-run, and goes on by itself",
        )
    for name, number in bounds.items():
        if number is not None and number <= 0:
            raise SuiteError(f"--{name} {number:g} measures nothing", hint="give more than 0")
    worst = 0
    for name, command in steps(folder, bounds).items():
        begun = read_records(folder / name) if record_files(folder / name) else None
        if proof_files(folder / name) or (begun and begun.end and begun.end.reason == "completed"):
            continue
        worst = max(worst, _run([*command, *(["--resume"] if begun else [])], dry_run))
    folders = [str(folder / name) for name in steps(folder)]
    return max(worst, _run(["report", *folders, "--out", str(folder / "report")], dry_run))


def _run(command: Sequence[str], dry_run: bool) -> int:
    typer.echo(f"$ {shlex.join(['hexlogic', *command])}", err=not dry_run)
    return 0 if dry_run else subprocess.run([sys.executable, "-m", "hexlogic", *command]).returncode
