"""Carry out a plan: warm-ups, then repeats, each run a fresh process, each record written when it is made.

Warm-ups run on all cores at once: their times are not counted, and a limit counts CPU seconds, which waiting does not
add to. The repeats that are counted run alone (`jobs` = 1), in rounds over all cells, each round in a seeded random
order, so that a slow minute of the machine spreads over all of them.

A cell that gets no answer in its warm-up (timeout, crash, unsupported, ...) is not repeated: that run is its
measurement, and is marked `counted`. All repeats of a slow cell together get about half the CPU limit of one run.
"""

from __future__ import annotations

import random
import threading
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Literal

from hexlogic.runs.measure import is_good, measure
from hexlogic.runs.plan import Cell, Plan, repeats_after
from hexlogic.runs.records import End, Run, Session
from hexlogic.runs.session import iso
from hexlogic.runs.store import RecordWriter

__all__ = ["Listener", "Result", "execute_plan"]


class Listener:
    """Hears how a plan proceeds; override what is of interest. `start` is called from several threads."""

    def phase(self, name: str, runs: int) -> None:
        """A phase ("warm-ups", "repeats") of so many runs begins."""

    def start(self, cell: Cell) -> None:
        """A run of this cell begins."""

    def end(self, cell: Cell, run: Run | None) -> None:
        """A run of this cell has ended and is written; None when it was not needed any more."""


@dataclass(frozen=True, slots=True)
class Result:
    """What became of a session."""

    path: Path
    runs: int
    wrong: int
    interrupted: bool


def execute_plan(plan: Plan, session: Session, writer: RecordWriter, listener: Listener | None = None) -> Result:
    """Measure all cells of the plan and write the records, with their header and end.

    A KeyboardInterrupt kills what runs, whose record is not written, and ends the file with the reason `interrupted`.
    """
    return _Execution(plan, session, writer, listener or Listener()).carry_out()


class _Execution:
    def __init__(self, plan: Plan, session: Session, writer: RecordWriter, listener: Listener) -> None:
        self._plan = plan
        self._session = session
        self._writer = writer
        self._listener = listener
        self._runs = self._wrong = 0
        self._stop = threading.Event()
        self._given_up: set[Cell] = set()
        """Cells that got no answer: their remaining runs are not made."""

    def carry_out(self) -> Result:
        reason: Literal["completed", "interrupted"] = "completed"
        self._writer.write(self._session)
        try:
            self._repeat(self._warm_up())
        except KeyboardInterrupt:
            reason = "interrupted"
        self._writer.write(End(finished=iso(datetime.now(UTC)), reason=reason, runs=self._runs, wrong=self._wrong))
        return Result(self._writer.path, self._runs, self._wrong, reason == "interrupted")

    def _warm_up(self) -> dict[Cell, int]:
        """Warm every cell up; how often to repeat each."""
        repeats = dict.fromkeys(self._plan.cells, self._plan.repeats)

        def learn(cell: Cell, run: Run) -> None:
            if run.usage.cpu_s is not None:
                repeats[cell] = repeats_after(run.usage.cpu_s, self._plan.limits, self._plan.repeats)

        for number in range(self._plan.warm_ups):
            runs = [(cell, number) for cell in self._plan.cells if cell not in self._given_up]
            self._phase("warm-ups", runs, self._session.warm_up_jobs, learn, warmup=True)
        return {cell: count for cell, count in repeats.items() if cell not in self._given_up}

    def _repeat(self, repeats: dict[Cell, int]) -> None:
        chance = random.Random(self._plan.seed)
        runs = []
        for number in range(self._plan.repeats):
            this_round = [(cell, number) for cell, count in repeats.items() if number < count]
            chance.shuffle(this_round)
            runs += this_round
        self._phase("repeats", runs, self._session.jobs, lambda cell, run: None, warmup=False)

    def _phase(
        self,
        name: str,
        runs: Sequence[tuple[Cell, int]],
        jobs: int,
        learn: Callable[[Cell, Run], None],
        *,
        warmup: bool,
    ) -> None:
        """Make the runs in this order, `jobs` at a time; write each record, then pass it to `learn`."""
        self._listener.phase(name, len(runs))

        def work(cell: Cell, number: int) -> Run | None:
            if self._stop.is_set() or cell in self._given_up:
                return None
            self._listener.start(cell)
            run = measure(cell, self._plan, self._session, warmup=warmup, repeat=number, stop=self._stop)
            if run is not None and not is_good(run):
                self._given_up.add(cell)  # here, so that this thread's next run knows
            return run

        pool = ThreadPoolExecutor(jobs)
        try:
            futures = {pool.submit(work, cell, number): cell for cell, number in runs}
            for future in as_completed(futures):
                cell, run = futures.pop(future), future.result()
                if run is not None:
                    self._keep(run)
                    learn(cell, run)
                self._listener.end(cell, run)
        except BaseException:
            self._stop.set()  # Ctrl-C, or an error of ours: the watchers kill what runs
            raise
        finally:
            pool.shutdown(wait=True, cancel_futures=True)

    def _keep(self, run: Run) -> None:
        self._writer.write(run)
        self._runs += 1
        self._wrong += run.category == "wrong"
