"""What `bench` and `gdl bench` print of a session of measurements: what it measures, its progress, its tables."""

from __future__ import annotations

import contextlib
import json
import sys
import time
from collections.abc import Iterator, Sequence
from pathlib import Path

import typer
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn, TimeRemainingColumn
from rich.table import Column

from hexlogic.cli.output import is_quiet
from hexlogic.laboratory.records import read_records
from hexlogic.laboratory.records.types import Measurement, Session
from hexlogic.laboratory.report import render_report, report_data
from hexlogic.laboratory.runs.kind import Configuration
from hexlogic.laboratory.runs.plan import Plan
from hexlogic.laboratory.runs.run import Listener, Result, execute_here
from hexlogic.laboratory.runs.session import session_folder
from hexlogic.process.meters import DEFAULT_METER
from hexlogic.process.signals import exit_status


class LineProgress(Listener):
    """One line when a phase begins, and one each time another fifth of it is done."""

    def __init__(self, prefix: str = "") -> None:
        self._prefix = prefix

    def phase(self, name: str, runs: int) -> None:
        """Say how many runs there are."""
        self._name, self._runs, self._done, self._begin = name, runs, 0, time.monotonic()
        if runs:
            typer.echo(f"{self._prefix}{name}: {runs} runs", err=True)

    def end(self, configuration: Configuration, run: Measurement | None) -> None:
        """Say how many runs are done, after each fifth."""
        before, self._done = self._done * 5 // self._runs, self._done + 1
        if self._done * 5 // self._runs > before and not is_quiet():
            seconds = time.monotonic() - self._begin
            typer.echo(f"{self._prefix}{self._name}: {self._done} of {self._runs} after {seconds:.0f} s", err=True)


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
        self._show(0)

    def end(self, configuration: Configuration, run: Measurement | None) -> None:
        """Move the bar on."""
        self._running.pop(configuration, None)
        self._show(1)

    def _show(self, done: int) -> None:
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
        typer.echo(f"{what}; {plan.limits} a run", err=True)
        typer.echo(f"{engines}: {', '.join(present) or 'none'}", err=True)
        if measured:
            typer.echo(f"resumed: {measured} runs are measured already", err=True)
        for name, reason in plan.missing.items():
            typer.echo(f"without {name}: {reason}", err=True)

    return execute_here(
        plan,
        out or session_folder(plan.suite, resume),
        show_progress(),
        command=["hexlogic", *sys.argv[1:]],
        jobs=jobs,
        resume=resume,
        meter=meter,
        announce=announce,
        say=lambda text: typer.echo(text, err=True),
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
        typer.echo("interrupted", err=True)
        raise typer.Exit(exit_status(interrupted[0]))
    if wrong:
        raise typer.Exit(1)
