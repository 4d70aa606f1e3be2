"""What commands print about their progress, on stderr, and what came of a session."""

from __future__ import annotations

import contextlib
import json
import os
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import typer

if TYPE_CHECKING:
    from hexlogic.laboratory.records.types import Measurement, Session
    from hexlogic.laboratory.runs.kind import Configuration
    from hexlogic.laboratory.runs.plan import Plan
    from hexlogic.laboratory.runs.run import Listener, Result

_NOTES_AFTER_S = 4.0
_FIRST_AFTER_S = 5.0


def is_quiet() -> bool:
    """Whether the user asked for no progress: HEXLOGIC_QUIET is set. Results and errors are said all the same."""
    return bool(os.environ.get("HEXLOGIC_QUIET"))


def notes(after_s: float = _NOTES_AFTER_S, every_s: float = 0.0) -> Callable[[str], None]:
    """Says what is done now, as lines on stderr, once it takes so long that somebody may wonder, and not too often."""
    next_s = time.monotonic() + after_s

    def note(text: str) -> None:
        nonlocal next_s
        if not is_quiet() and time.monotonic() > next_s:
            next_s = time.monotonic() + every_s if every_s else next_s
            typer.echo(text, err=True)

    return note


class TimeLeft:
    """Says how far something is, first after five seconds and then after ever longer pauses."""

    def __init__(self) -> None:
        self._what = ""
        self._begin = self._next = 0.0

    def __call__(self, what: str, done: int, whole: int) -> None:
        """`done` of `whole` are done."""
        now = time.monotonic()
        if what != self._what:
            self._what, self._begin, self._next = what, now, now + _FIRST_AFTER_S
        elif now >= self._next and 0 < done < whole and not is_quiet():
            spent = now - self._begin
            left = spent / done * (whole - done)
            typer.echo(f"{what}: {done} of {whole} after {spent:.0f} s, about {left:.0f} s left", err=True)
            self._next = now + max(_FIRST_AFTER_S, spent)


@contextlib.contextmanager
def compilation_told() -> Iterator[None]:
    """Within: one line when numba begins to compile, one line with the seconds it took when all is over.

    Nothing is said when the user asked for no progress.
    """
    if is_quiet():
        yield
        return
    from numba.core import event

    class CompileTime(event.Listener):  # type: ignore[misc]
        """Counts the time in which anything is compiled; a function may compile others on the way."""

        def __init__(self) -> None:
            self.depth, self.begin, self.total_s = 0, 0.0, 0.0

        def on_start(self, event: object) -> None:
            if self.depth == 0:
                self.begin = time.monotonic()
                if self.total_s == 0.0:
                    print("compiling, once on this machine ...", file=sys.stderr, flush=True)
            self.depth += 1

        def on_end(self, event: object) -> None:
            self.depth -= 1
            if self.depth == 0:
                self.total_s += time.monotonic() - self.begin

    compiled = CompileTime()
    try:
        with event.install_listener("numba:compile", compiled):
            yield
    finally:
        if compiled.total_s:
            print(f"compiled in {compiled.total_s:.0f} s", file=sys.stderr, flush=True)


@contextlib.contextmanager
def show_progress() -> Iterator[Listener]:
    """A bar on a terminal, a line now and then elsewhere; always on stderr."""
    if sys.stderr.isatty() and not is_quiet():
        with _bar() as listener:
            yield listener
    else:
        yield line_progress()


def line_progress(prefix: str = "") -> Listener:
    """One line when a phase begins, and one each time another fifth of it is done."""
    from hexlogic.laboratory.runs.run import Listener

    class Lines(Listener):
        """One line when a phase begins, and one each time another fifth of it is done."""

        def phase(self, name: str, runs: int) -> None:
            self._name, self._runs, self._done, self._begin = name, runs, 0, time.monotonic()
            if runs:
                typer.echo(f"{prefix}{name}: {runs} runs", err=True)

        def end(self, configuration: Configuration, run: Measurement | None) -> None:
            before, self._done = self._done * 5 // self._runs, self._done + 1
            if self._done * 5 // self._runs > before and not is_quiet():
                seconds = time.monotonic() - self._begin
                typer.echo(f"{prefix}{self._name}: {self._done} of {self._runs} after {seconds:.0f} s", err=True)

    return Lines()


@contextlib.contextmanager
def _bar() -> Iterator[Listener]:
    from rich.console import Console
    from rich.progress import (
        BarColumn,
        MofNCompleteColumn,
        Progress,
        TextColumn,
        TimeElapsedColumn,
        TimeRemainingColumn,
    )
    from rich.table import Column

    from hexlogic.laboratory.runs.run import Listener

    columns = (
        TextColumn("{task.description:9}"),
        BarColumn(bar_width=24),
        MofNCompleteColumn(),
        TimeElapsedColumn(),
        TextColumn("left"),
        TimeRemainingColumn(),
        TextColumn("{task.fields[now]}", style="dim", table_column=Column(ratio=1, no_wrap=True, overflow="ellipsis")),
    )

    class Bar(Listener):
        """One bar for each phase, with what runs now behind it."""

        def phase(self, name: str, runs: int) -> None:
            self._running: dict[Configuration, None] = {}
            self._task = progress.add_task(name, total=runs, now="", visible=runs > 0)

        def start(self, configuration: Configuration) -> None:
            self._running[configuration] = None
            self._show(0)

        def end(self, configuration: Configuration, run: Measurement | None) -> None:
            self._running.pop(configuration, None)
            self._show(1)

        def _show(self, done: int) -> None:
            now = "; ".join(configuration.brief for configuration in tuple(self._running))
            progress.update(self._task, advance=done, now=now)

    # Four times a second: drawing takes processor time beside the runs.
    console = Console(stderr=True)
    with Progress(*columns, console=console, transient=True, expand=True, refresh_per_second=4) as progress:
        yield Bar()


def run_here(
    plan: Plan,
    out: Path | None,
    what: str,
    engines: str,
    *,
    jobs: int,
    resume: bool,
    meter: str | None = None,
) -> Result:
    """Measure a plan on this machine, with all that is said of it; `what` there is, on which `engines`."""
    from hexlogic.laboratory.runs.run import execute_here
    from hexlogic.laboratory.runs.session import session_folder
    from hexlogic.process.meter import DEFAULT_METER

    return execute_here(
        plan,
        out or session_folder(plan.suite, resume),
        show_progress(),
        command=["hexlogic", *sys.argv[1:]],
        jobs=jobs,
        resume=resume,
        meter=meter or DEFAULT_METER,
        announce=_announcement(what, engines, plan),
        say=lambda text: typer.echo(text, err=True),
    )


def _announcement(what: str, engines: str, plan: Plan) -> Callable[[Session, int], None]:
    """Says what a session measures and with which `engines`, and how many runs it has already."""

    def announce(session: Session, found: int) -> None:
        present = [f"{name} {info.version or '?'}" for name, info in session.engines.items() if info.missing is None]
        limits = f"{plan.limits.cpu_s:g} s CPU and {plan.limits.memory_bytes / 1e6:,.0f} MB a run"
        typer.echo(f"{what}; {limits}", err=True)
        typer.echo(f"{engines}: {', '.join(present) or 'none'}", err=True)
        if found:
            typer.echo(f"resumed: {found} runs are measured already", err=True)
        for name, reason in plan.missing.items():
            typer.echo(f"without {name}: {reason}", err=True)

    return announce


def tell_sessions(results: Sequence[Result], as_json: bool, wrong: Sequence[str]) -> None:
    """Print the tables of each session, or a JSON object, then what is `wrong`; end with the exit status of it all."""
    from hexlogic.laboratory.records import read_records
    from hexlogic.laboratory.report import render_report, report_data
    from hexlogic.process.signals import exit_status

    for result in results:
        records = read_records(result.path)
        if as_json:
            head = {"records": str(result.path), "runs": result.runs, "wrong": result.wrong}
            data = {**head, "interrupted": result.interrupted, **report_data(records)}
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
