"""How a session proceeds, on stderr, and how it is ended by a signal."""

from __future__ import annotations

import contextlib
import sys
import time
from collections.abc import Iterator
from typing import TYPE_CHECKING

import typer

if TYPE_CHECKING:
    from hexlogic.runs.measure import AnyCell, AnyRun
    from hexlogic.runs.run import Listener

__all__ = ["line_progress", "show_progress", "terminated_like_interrupted"]


@contextlib.contextmanager
def terminated_like_interrupted() -> Iterator[None]:
    """A plain `kill` ends what runs, and the file, as Ctrl-C does."""
    import signal

    def interrupt(*_: object) -> None:
        raise KeyboardInterrupt

    before = signal.signal(signal.SIGTERM, interrupt)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)


@contextlib.contextmanager
def show_progress() -> Iterator[Listener]:
    """A bar on a terminal, a line now and then elsewhere; always on stderr."""
    if sys.stderr.isatty():
        with _bar() as listener:
            yield listener
    else:
        yield line_progress()


def line_progress(prefix: str = "") -> Listener:
    """One line when a phase begins, and one each time another fifth of it is done."""
    from hexlogic.runs.run import Listener

    class Lines(Listener):
        """One line when a phase begins, and one each time another fifth of it is done."""

        def phase(self, name: str, runs: int) -> None:
            self._name, self._runs, self._done, self._begin = name, runs, 0, time.monotonic()
            if runs:
                typer.echo(f"{prefix}{name}: {runs} runs", err=True)

        def end(self, cell: AnyCell, run: AnyRun | None) -> None:
            before, self._done = self._done * 5 // self._runs, self._done + 1
            if self._done * 5 // self._runs > before:
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

    from hexlogic.runs.run import Listener

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
            self._running: dict[AnyCell, None] = {}
            self._task = progress.add_task(name, total=runs, now="", visible=runs > 0)

        def start(self, cell: AnyCell) -> None:
            self._running[cell] = None
            self._show(0)

        def end(self, cell: AnyCell, run: AnyRun | None) -> None:
            self._running.pop(cell, None)
            self._show(1)

        def _show(self, done: int) -> None:
            now = "; ".join(cell.brief for cell in tuple(self._running))
            progress.update(self._task, advance=done, now=now)

    # Four times a second: drawing takes processor time beside the runs.
    console = Console(stderr=True)
    with Progress(*columns, console=console, transient=True, expand=True, refresh_per_second=4) as progress:
        yield Bar()
