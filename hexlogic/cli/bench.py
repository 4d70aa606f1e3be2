"""`hexlogic bench`: measure a suite and print the tables of what each pass saves; or everything, with the report."""

import contextlib
import functools
import json
import shlex
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from types import MappingProxyType
from typing import Annotated

import typer
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn, TimeRemainingColumn
from rich.table import Column

from hexlogic.cli import options
from hexlogic.cli.options import TimeLeft, flag, is_quiet, say, say_progress, value
from hexlogic.errors import HexlogicError, SuiteError
from hexlogic.laboratory.records.store import FILE_NAME, read_records, record_files
from hexlogic.laboratory.records.types import Measurement, Session
from hexlogic.laboratory.report import render_report, report_data
from hexlogic.laboratory.report.formatting import duration
from hexlogic.laboratory.runs.kind import Configuration
from hexlogic.laboratory.runs.on_cluster import ClusterJob, missing_on_cluster
from hexlogic.laboratory.runs.plan import Plan, chosen_suite, engines_of, estimate_plan, load_suite, make_plan
from hexlogic.laboratory.runs.run import Listener, Result, execute_here
from hexlogic.laboratory.runs.session import folder_in, session_folder
from hexlogic.process.cluster import SchedulerLost, is_cluster, open_cluster
from hexlogic.process.limits import cores
from hexlogic.process.meters import DEFAULT_METER
from hexlogic.process.signals import ended_in_order, exit_status
from hexlogic.proofs.matrix import proof_files

_FOLDER = Path("results/everything")
_SIZE = "4"  # The board of the proofs


def bench(
    suite: Annotated[
        str | None,
        value("quick|paper|scaling|games|positions|everything|FILE.toml", "What to measure.  [default: quick]"),
    ] = None,
    rules: Annotated[str | None, value("A,FILE.lp", "Instead of a suite: rule sets, one's own among them.")] = None,
    boards: Annotated[str | None, value("A,FILE.txt", "Instead of a suite: boards.  [difficult-1]")] = None,
    games: Annotated[str | None, value("A@N", "Instead of a suite: these recorded games.")] = None,
    pipelines: Annotated[str | None, value("none,A+B", "Instead of a suite: passes.  [none,ground+reorder]")] = None,
    modes: Annotated[str | None, value("followed,anew", "How recorded games are replayed.")] = None,
    players: Annotated[str | None, value("red,blue", "Whose win is asked for.  [default: red]")] = None,
    positions: Annotated[str | None, value("N,N", "Instead of a suite: random positions of these board sizes.")] = None,
    dry_run: Annotated[bool, flag("--dry-run", "List what would be measured, and how long it may take.")] = False,
    out: Annotated[Path | None, options.out(help="Folder for the records.  [default: results/<time>-<suite>]")] = None,
    limit: Annotated[float | None, value("S", "CPU seconds for each run.")] = None,
    memory: Annotated[float | None, value("MB", "Resident memory for each run.")] = None,
    engines: Annotated[str | None, value("A,B", "Engines to run on instead of the suite's.")] = None,
    jobs: Annotated[int, options.jobs(help="Measured runs at a time; more than one disturbs the times.")] = 1,
    repeats: Annotated[int | None, value("N", "Measured runs of each configuration.")] = None,
    resume: Annotated[bool, flag("--resume", "Go on with the session in --out, or the suite's last one.")] = False,
    executor: options.Executor = "local",
    meter: Annotated[str, value("psutil|benchexec", "What watches runs; benchexec needs control groups.")] = "psutil",
    as_json: options.Json = False,
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
    given = {name: options.split_commas(text) for name, text in instead.items() if text is not None}
    if suite == "everything":
        others = {"engines": engines, "jobs": jobs > 1, "executor": executor != "local", "json": as_json}
        others |= {"meter": meter != DEFAULT_METER}
        refused = [*given, *(name for name, value in others.items() if value)]
        bounds = {"limit": limit, "memory": memory, "repeats": repeats}
        raise typer.Exit(_measure_everything(out or _FOLDER, refused, bounds, dry_run))
    if suite is not None and given:
        raise SuiteError(f"--suite and --{next(iter(given))} both say what to measure", hint="leave one of them out")
    chosen, file = (chosen_suite(**given), f"--{next(iter(given))}") if given else load_suite(suite or "quick")
    names = None if engines is None else options.split_commas(engines)
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
    for chain in plan.chains():
        for configuration in chain:
            typer.echo(str(configuration))
    least_s, most_s = estimate_plan(plan, jobs, max(jobs, cores()))
    say(f"{len(plan.configurations)} configurations, {duration(least_s)} to {duration(most_s)}")
    for name, reason in plan.missing.items():
        say(f"without {name}: {reason}")


def _on_cluster(
    executor: str, make: Callable[..., Plan], engines: Sequence[str], out: Path | None, resume: bool
) -> list[Result]:
    with open_cluster(executor, cores()) as cluster:
        plan = make(missing=missing_on_cluster(cluster, engines))
        say_progress(f"suite {plan.suite}: {len(plan.configurations)} configurations on {', '.join(cluster.hosts())}")
        folder, command = out or session_folder(plan.suite, resume), ["hexlogic", *sys.argv[1:]]
        job = ClusterJob(plan, cluster, folder, command, lambda host: LineProgress(f"{host}: "), say)
        try:
            return job.carry_out(resume)
        except SchedulerLost as lost:
            kept = sum(len(read_records(path.parent).measurements) for path in folder.glob(f"*/{FILE_NAME}"))
            raise HexlogicError(f"{lost}; {kept} runs are kept in {folder}", hint="--resume goes on") from None


def steps(out: Path, bounds: Mapping[str, float | None] = MappingProxyType({})) -> dict[str, list[str]]:
    """The arguments of each command after `hexlogic`, by the folder in `out` that it writes.

    `bounds` are options of all that is measured: `limit` (CPU seconds of a question or a game; positions and
    sheets keep theirs), `memory` (MB), `repeats`; None leaves what the suite says.
    """
    flags = {name: [f"--{name}", f"{number:g}"] for name, number in bounds.items() if number is not None}
    bounded = [word for words in flags.values() for word in words]
    # A limit that suits questions would end sheets before they start, and leave one repeat of runs over many positions.
    unlimited = [word for name, words in flags.items() if name != "limit" for word in words]
    repeats = [] if "repeats" in flags else ["--repeats", "3"]
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
        hint = "it takes --out, --limit, --memory, --repeats and --dry-run, and goes on by itself"
        raise SuiteError(f"--suite everything does not take --{refused[0]}", hint=hint)
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


class LineProgress(Listener):
    """One line when a phase begins, and now and then how much of it is done and how long the rest may take."""

    def __init__(self, prefix: str = "") -> None:
        self._prefix, self._tell = prefix, TimeLeft()

    def phase(self, name: str, runs: int) -> None:
        """Say how many runs there are."""
        self._name, self._runs, self._done = f"{self._prefix}{name}", runs, 0
        self._tell(self._name, 0, runs)
        if runs:
            say_progress(f"{self._name}: {runs} runs")

    def end(self, configuration: Configuration, run: Measurement | None) -> None:
        """Say what a run has shown, or now and then how many runs are done."""
        self._done += 1
        if (text := _result_line(configuration, run)) is None:
            self._tell(self._name, self._done, self._runs)
        else:
            say_progress(f"{self._prefix}{text} ({self._done} of {self._runs})")


def _result_line(configuration: Configuration, run: Measurement | None) -> str | None:
    figure = None if run is None else configuration.figure(run)
    return None if figure is None else f"{configuration}: {figure}"


class BarProgress(Listener):
    """One bar for each phase, with what runs now behind it."""

    def __init__(self, progress: Progress) -> None:
        self._progress = progress

    def phase(self, name: str, runs: int) -> None:
        """Begin a bar."""
        self._running: dict[Configuration, None] = {}
        self._task = self._progress.add_task(name, total=runs, now="", visible=runs > 0)

    def start(self, configuration: Configuration) -> None:
        """Show a run."""
        self._running[configuration] = None
        self._show()

    def end(self, configuration: Configuration, run: Measurement | None) -> None:
        """Move the bar on; what the run has shown stands above it."""
        self._running.pop(configuration, None)
        if (text := _result_line(configuration, run)) is not None:
            self._progress.console.print(text, markup=False, highlight=False)
        self._show(1)

    def _show(self, done: int = 0) -> None:
        now = "; ".join(map(str, tuple(self._running)))
        self._progress.update(self._task, advance=done, now=now)


@contextlib.contextmanager
def show_progress() -> Iterator[Listener]:
    """A bar on a terminal, a line now and then elsewhere; always on stderr."""
    if is_quiet() or not sys.stderr.isatty():
        yield LineProgress()
        return
    now = TextColumn("{task.fields[now]}", style="dim", table_column=Column(ratio=1, no_wrap=True, overflow="ellipsis"))
    columns = BarColumn(bar_width=24), MofNCompleteColumn(), TimeElapsedColumn(), "left", TimeRemainingColumn(), now
    # Four times a second: drawing takes processor time beside the runs.
    console = Console(stderr=True)
    with Progress(
        "{task.description:9}", *columns, console=console, transient=True, expand=True, refresh_per_second=4
    ) as progress:
        yield BarProgress(progress)


def run_here(
    plan: Plan, out: Path | None, what: str, engines: str, *, jobs: int, resume: bool, meter: str = DEFAULT_METER
) -> Result:
    """Measure a plan on this machine and print its progress; `what` and `engines` head the announcement."""

    def announce(session: Session, measured: int) -> None:
        present = [f"{name} {info.version or '?'}" for name, info in session.engines.items() if info.missing is None]
        say_progress(f"{what}; {plan.limits} a run")
        say_progress(f"{engines}: {', '.join(present) or 'none'}")
        if measured:
            say_progress(f"resumed: {measured} runs are measured already")
        for name, reason in plan.missing.items():
            say(f"without {name}: {reason}")

    return execute_here(
        plan,
        folder_in(out or session_folder(plan.suite, resume), resume),
        show_progress(),
        command=["hexlogic", *sys.argv[1:]],
        jobs=jobs,
        resume=resume,
        meter=meter,
        announce=announce,
        say=say_progress,
    )


def print_sessions(results: Sequence[Result], as_json: bool, wrong: Sequence[str]) -> None:
    """Print the tables of each session, or a JSON object, then what is `wrong`; end with the exit status of it all."""
    for result in results:
        records = read_records(result.path)
        if as_json:
            head = {"records": str(result.path), "runs": result.runs, "wrong": result.wrong}
            data = {**head, "interrupted": result.interruption is not None, **report_data(records)}
            typer.echo(json.dumps(data, indent=2))
        else:
            typer.echo(f"{render_report(records)}\nrecords: {result.path}")
    for text in wrong:
        typer.secho(text, fg=typer.colors.RED, bold=True, err=True)
    if interrupted := [result.interruption for result in results if result.interruption is not None]:
        say("interrupted")
        raise typer.Exit(exit_status(interrupted[0]))
    if wrong:
        raise typer.Exit(1)
