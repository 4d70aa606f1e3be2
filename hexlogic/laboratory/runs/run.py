"""Carry out a plan: warm-ups, then repeats, each run a fresh process, each record written when it is made.

Warm-ups run on all cores at once: their times are not counted. The repeats that are counted run alone (`jobs` = 1), in
rounds over all configurations, each round in a seeded random order, so that a slow minute of the machine spreads over
all of them.

A configuration that gets no answer in its warm-up is not repeated: that run is its measurement, and is marked
`counted`; in a series of boards the larger ones are then left out. Without warm-ups it is the first round that goes up
the series. In a first round those that numba compiles nothing for come first, so that figures come soon.

A session that was cut off goes on with the runs it `has`: each is looked up by its key before it is made.
"""

import contextlib
import random
import threading
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from queue import Empty, SimpleQueue
from typing import Any, Final, Literal, TypeAlias

import msgspec

from hexlogic.laboratory.records.store import RecordWriter
from hexlogic.laboratory.records.types import End, Measurement, Resumed, Session
from hexlogic.laboratory.runs import worker
from hexlogic.laboratory.runs.kind import Configuration, Measurer
from hexlogic.laboratory.runs.kinds.floor import measure_floors
from hexlogic.laboratory.runs.plan import Plan, repeats_after
from hexlogic.laboratory.runs.session import iso, new_session, resumed
from hexlogic.process.call import command_of
from hexlogic.process.isolate import Outcome
from hexlogic.process.limits import Limits, cores
from hexlogic.process.meters import DEFAULT_METER, load_meter
from hexlogic.process.process_tree import end_marked
from hexlogic.process.signals import raise_again

WORKER: Sequence[str] = command_of(worker.main, safe_path=True)
"""The command of a measured process."""

SESSION_MARK: Final = "HEXLOGIC_SESSION"
"""The environment variable of a run's processes that holds the name of their session (`Session.session`)."""

_ENVIRONMENT = {"PYTHONHASHSEED": "0"}  # One order of Python's sets in all runs: some engines' work depends on it


def measure(
    configuration: Configuration,
    session: Session,
    *,
    warmup: bool,
    repeat: int,
    stop: threading.Event | None = None,
    run: Callable[[Configuration, Session, threading.Event | None], Outcome | None] | None = None,
) -> Measurement | None:
    """One run of a configuration in a fresh process, as a record; None when `stop` was set while it ran. `run` gives
    the configuration to a process: on this machine unless given."""
    job = configuration.in_repeat(repeat)
    outcome = run_job(job, session.limits, stop, session) if run is None else run(job, session, stop)
    if outcome is None or outcome.termination == "interrupted":
        return None
    return configuration.record(session, outcome, warmup=warmup, repeat=repeat)


def run_job(
    job: Configuration, limits: Limits, stop: threading.Event | None = None, session: Session | None = None
) -> Outcome:
    """Give a configuration to a fresh worker process on this machine, watched by the meter of the session. The
    processes of a session carry its name, by which `end_leftovers` finds them."""
    environment = _ENVIRONMENT if session is None else {**_ENVIRONMENT, SESSION_MARK: session.session}
    meter = load_meter(DEFAULT_METER if session is None else session.meter)
    return meter.run(WORKER, msgspec.json.encode(job), limits, environment, stop)


def end_leftovers(session: str) -> list[str]:
    """End the processes that a killed session left running on this machine; a sentence on each. Only whoever holds the
    lock of the session's records may call it: then no living process measures for it."""
    return [
        f"ended process {number} ({name}), which the killed session had left running"
        for number, name in end_marked(SESSION_MARK, session)
    ]


COLD: Final = Limits.of(cpu_s=900, memory_mb=4000)
"""Limits of a first start, in which numba compiles."""
_LOOK_S = 1.0  # Seconds between two looks for a signal whose exception was lost

_Chain: TypeAlias = Sequence[tuple[Configuration, int]]
"""Runs (a configuration and the number of the repeat) made one after the other, up to the first that gets no answer."""


class Listener:
    """Callbacks for the progress of a plan; override those of interest. `start` is called from several threads."""

    def phase(self, name: str, runs: int) -> None:
        """A phase ("warm-ups", "repeats") of so many runs begins."""

    def start(self, configuration: Configuration) -> None:
        """A run of this configuration begins."""

    def end(self, configuration: Configuration, run: Measurement | None) -> None:
        """A run of this configuration has ended and is written; None when it was not needed any more."""


@dataclass(frozen=True, slots=True)
class Result:
    """What became of a session: the runs in its file, those of them with a wrong answer, and how many it
    began with when it was `resumed`."""

    path: Path
    runs: int
    wrong: int
    interruption: KeyboardInterrupt | None
    """What interrupted it, if anything did."""
    resumed: int = 0


def execute_plan(
    plan: Plan,
    session: Session,
    writer: RecordWriter,
    listener: Listener | None = None,
    *,
    floors: bool = False,
    measurer: Measurer = measure,
    stop: threading.Event | None = None,
) -> Result:
    """Measure all configurations of the plan and write the records, with their header and end.

    A file that holds a session already is gone on with: what is in it is not measured again. A KeyboardInterrupt, or
    `stop` set by another thread, kills what runs, whose record is not written, and ends the file with the reason
    `interrupted`. With `floors`, those of the engines are measured before the first run. `measurer` makes the runs: on
    this machine unless given.
    """
    known: dict[str, Measurement] = {run.key: run for run in writer.before.measurements} if writer.before else {}
    stop = stop or threading.Event()
    return _Execution(plan, session, writer, listener or Listener(), measurer, stop, known).carry_out(floors)


def _compiles(chain: _Chain) -> bool:
    return bool(chain[0][0].first_jobs())


@dataclass
class _Execution:
    plan: Plan
    session: Session
    writer: RecordWriter
    listener: Listener
    measurer: Measurer
    stop: threading.Event
    has: dict[str, Measurement]
    """The runs in the file by their keys, those of an earlier session among them."""
    cpu_s: dict[Configuration, float] = field(default_factory=dict)
    """What the last run of each took."""
    given_up: set[Configuration] = field(default_factory=set)
    """Those that got no answer, and larger boards of their series: their remaining runs are not made."""

    def carry_out(self, floors: bool) -> Result:
        interruption: KeyboardInterrupt | None = None
        begun_with, before, now = len(self.has), self.writer.before, self.session
        going_on = Resumed(at=now.started, command=now.command, load_1m=now.load_1m)
        try:
            self.writer.write(now if before is None else going_on)
            if floors:
                for floor in measure_floors(now, self.measurer, has=() if before is None else before.floors):
                    self.writer.write(floor)
            self._make_runs()
        except KeyboardInterrupt as error:
            interruption = error
            self.stop.set()
        if self.stop.is_set() and interruption is None:  # set by another thread
            interruption = KeyboardInterrupt()
        reason: Literal["completed", "interrupted"] = "completed" if interruption is None else "interrupted"
        runs, wrong = len(self.has), sum(run.category == "wrong" for run in self.has.values())
        self.writer.write(End(finished=iso(datetime.now(UTC)), reason=reason, runs=runs, wrong=wrong))
        return Result(self.writer.path, runs, wrong, interruption, begun_with)

    def _make_runs(self) -> None:
        series = [[(configuration, 0) for configuration in chain] for chain in self.plan.chains()]
        series.sort(key=_compiles)
        for number in range(self.plan.warm_ups):
            chains = [[(configuration, number) for configuration, _ in chain] for chain in series]
            self._phase("warm-ups", chains, self.session.warm_up_jobs, warmup=True)
        left = [configuration for configuration in self.plan.configurations if configuration not in self.given_up]
        repeats = {each: repeats_after(self.cpu_s.get(each, 0.0), self.plan.limits, self.plan.repeats) for each in left}
        chance, rounds = random.Random(self.plan.seed), list[_Chain]()
        for number in range(self.plan.repeats):
            this_round = [[(configuration, number)] for configuration, count in repeats.items() if number < count]
            if number == 0 and not self.plan.warm_ups:
                this_round = series
            chance.shuffle(this_round)
            if this_round is series:
                series.sort(key=_compiles)
            rounds += this_round
        self._phase("repeats", rounds, self.session.jobs, warmup=False)

    def _phase(self, name: str, chains: Sequence[_Chain], jobs: int, *, warmup: bool) -> None:
        """Make the runs of the chains in this order, `jobs` chains at a time, and write each record."""
        runs = sum(map(len, chains))
        self.listener.phase(name, runs)
        ended: SimpleQueue[tuple[Configuration, Measurement | None] | BaseException] = SimpleQueue()

        def work(chain: _Chain) -> None:
            try:
                for place, (configuration, number) in enumerate(chain):
                    run = None
                    if not self.stop.is_set() and configuration not in self.given_up:
                        run = self.has.get(configuration.key(self.session, warmup=warmup, repeat=number))
                        if run is None:
                            self.listener.start(configuration)
                            which = {"warmup": warmup, "repeat": number}
                            run = self.measurer(configuration, self.session, **which, stop=self.stop)
                    if run is not None and not run.is_good:
                        # Here, so that this thread's next run knows.
                        self.given_up.update(larger for larger, _ in chain[place:])
                    ended.put((configuration, run))
            except BaseException as error:  # passed on to the thread that waits, which raises it
                ended.put(error)

        pool = ThreadPoolExecutor(jobs)
        try:
            for chain in chains:
                pool.submit(work, chain)
            for _ in range(runs):
                while True:
                    with contextlib.suppress(Empty):
                        item = ended.get(timeout=_LOOK_S)
                        break
                    raise_again()
                if isinstance(item, BaseException):
                    raise item
                configuration, run = item
                if run is not None:
                    if run.key not in self.has:
                        self.writer.write(run)
                        self.has[run.key] = run
                    self.cpu_s[configuration] = run.usage.cpu_s or 0.0
                self.listener.end(configuration, run)
        except BaseException:
            self.stop.set()  # Ctrl-C, or an error of ours: the watchers kill what runs
            raise
        finally:
            pool.shutdown(wait=True, cancel_futures=True)


def execute_here(
    plan: Plan,
    out: Path,
    listener: AbstractContextManager[Listener],
    *,
    command: Sequence[str],
    jobs: int = 1,
    resume: bool = False,
    meter: str = DEFAULT_METER,
    announce: Callable[[Session, int], None] = lambda session, measured: None,
    say: Callable[[str], None] = lambda text: None,
) -> Result:
    """Measure all configurations, `jobs` at a time and watched by a meter, with the records in the folder `out`.

    `announce` gets the header and the number of runs that are there already; then the listener's context is entered.
    `say` gets a line on each process that a killed session has left running, which is ended before anything is
    measured, and one where caches will be filled: by the first jobs of a configuration, before its first run.
    Raises SuiteError for a meter that cannot be used and for a folder that cannot be written or resumed, before
    anything is measured.
    """
    load_meter(meter)
    started = datetime.now(UTC)
    # Looked for before the versions are asked and long before the first run: can the records be written?
    with RecordWriter(out, resume=resume) as writer:
        session = new_session(
            plan, jobs=jobs, warm_up_jobs=max(jobs, cores()), command=command, started=started, meter=meter
        )
        measured = 0
        if writer.before is not None:
            session, measured = resumed(writer.before.session, session), len(writer.before.measurements)
            for text in end_leftovers(session.session):
                say(text)
        announce(session, measured)
        if any(configuration.first_jobs() for configuration in plan.configurations):
            say("numba loads its cache, or compiles where there is none")
        begun, compiling = set[Configuration](), threading.Lock()

        def measure_warm(
            configuration: Configuration, session: Session, *, stop: threading.Event | None, **which: Any
        ) -> Measurement | None:
            with compiling:
                for job in configuration.first_jobs():
                    if job not in begun and not (stop and stop.is_set()):
                        begun.add(job)
                        # What fails here fails again, and is recorded, when it is measured.
                        run_job(job, COLD, stop)
            return measure(configuration, session, stop=stop, **which)

        with listener as entered:
            return execute_plan(plan, session, writer, entered, floors=plan.floors, measurer=measure_warm)
