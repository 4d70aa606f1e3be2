"""Carry out a plan on a cluster: every host its own session, so that no ratio mixes machines.

The configurations are dealt out in groups, all pipelines of a rule set on an engine and a board, since those are what
savings factors compare. A host measures its repeats one at a time, whatever the number of its workers, and warms up on
all of them. A worker that dies in a run is said to be lost and the run is made again on another one of that host; a
host without workers gives its unfinished groups to the others, which begin them anew.
"""

from __future__ import annotations

import contextlib
import threading
import time
import uuid
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from pathlib import Path
from queue import Empty, SimpleQueue
from typing import TypeAlias

from hexlogic.errors import SuiteError
from hexlogic.laboratory.records.store import FILE_NAME, RecordWriter, read_records
from hexlogic.laboratory.records.types import Floor, Measurement, Run, Session
from hexlogic.laboratory.runs.kind import Configuration
from hexlogic.laboratory.runs.kinds.floor import measure_floors
from hexlogic.laboratory.runs.kinds.question import Question
from hexlogic.laboratory.runs.measure import end_leftovers, run_job
from hexlogic.laboratory.runs.plan import Plan, missing_engines
from hexlogic.laboratory.runs.run import Listener, Result, execute_plan
from hexlogic.laboratory.runs.session import code_hash, new_session, resumed
from hexlogic.process.cluster import CallStopped, Cluster, Worker, WorkerLost
from hexlogic.process.isolate import Outcome
from hexlogic.process.limits import Limits

Say: TypeAlias = Callable[[str], None]

_COME_BACK_S = 20.0
"""How long a host may be without any worker: whoever started them may start another."""


def missing_on_cluster(cluster: Cluster, engines: Sequence[str]) -> dict[str, str]:
    """The engines that can run on no host, each with the reason of the first."""
    hosts = {worker.host: worker for worker in cluster.workers()}
    found = [cluster.call(worker, None, missing_engines, list(engines)) for worker in hosts.values()]
    return {name: reason for name, reason in found[0].items() if all(name in missing for missing in found)}


def execute_on_cluster(
    plan: Plan,
    cluster: Cluster,
    out: Path,
    *,
    command: Sequence[str],
    resume: bool = False,
    listener: Callable[[str], Listener] = lambda host: Listener(),
    say: Say = lambda _: None,
) -> list[Result]:
    """Measure all configurations on the hosts of the cluster; the records of each are in `out/HOST`.

    `listener` makes one for each host, by name; `say` hears of lost workers. Raises SuiteError for a host with other
    code than ours, whose programs might differ, and when all workers are lost.
    """
    job = _ClusterJob(plan, cluster, out, list(command), listener, say)
    return job.carry_out(resume)


@dataclass
class _Host:
    """A machine of the cluster: its idle workers, its configurations, and the file of its session."""

    name: str
    idle: SimpleQueue[Worker]
    missing: Mapping[str, str]
    workers: int
    configurations: list[Question] = field(default_factory=list)
    has: tuple[Measurement, ...] = ()
    floors: tuple[Floor, ...] = ()
    session: Session | None = None
    result: Result | None = None
    lost: bool = False


@dataclass
class _ClusterJob:
    plan: Plan
    cluster: Cluster
    out: Path
    command: list[str]
    listener: Callable[[str], Listener]
    say: Say
    stop: threading.Event = field(default_factory=threading.Event)
    interruption: KeyboardInterrupt | None = None
    token: str = field(default_factory=lambda: uuid.uuid4().hex)
    """Names this job to the workers, which stop its runs and no others."""
    known: set[Worker] = field(default_factory=set)
    hosts: dict[str, _Host] = field(default_factory=dict)
    lock: threading.Lock = field(default_factory=threading.Lock)

    def carry_out(self, resume: bool) -> list[Result]:
        self._welcome()
        waiting = _groups(
            [configuration for configuration in self.plan.configurations if isinstance(configuration, Question)]
        )
        if resume:
            self._remember()
        while waiting:
            living = [host for host in self.hosts.values() if not host.lost]
            if not living:
                raise SuiteError("all workers of the cluster are lost", hint="what was measured is in the records")
            self._deal(waiting, living)
            with ThreadPoolExecutor(len(living)) as pool:
                futures = [pool.submit(self._on_host, host) for host in living if host.configurations]
                try:
                    for future in futures:
                        future.result()
                except KeyboardInterrupt as error:
                    self.interruption = error
                    self.stop.set()
                    self.cluster.tell_all(_stop_runs, self.token)
            if self.stop.is_set():
                break
            waiting = _groups([one for host in living if host.lost for one in self._unfinished(host)])
        results = [host.result for host in self.hosts.values() if host.result is not None]
        if self.interruption is None:
            return results
        return [replace(result, interruption=self.interruption) for result in results]

    def _welcome(self) -> None:
        """Look up the hosts and their workers; hosts with other code are refused."""
        ours = code_hash()
        for worker in self.cluster.workers():
            if worker.host not in self.hosts:
                theirs, missing = self.cluster.call(worker, None, _look_around, list(self.plan.engines))
                if theirs != ours:
                    raise SuiteError(
                        f"the worker on {worker.host} has other code than this ({theirs}, not {ours})",
                        hint="install the same hexlogic there",
                    )
                self.hosts[worker.host] = _Host(worker.host, SimpleQueue(), missing, 0)
        self._greet()

    def _greet(self) -> None:
        """Put workers not seen before among the idle ones of their host."""
        with self.lock:
            for worker in self.cluster.workers():
                if worker not in self.known and worker.host in self.hosts:
                    self.known.add(worker)
                    self.hosts[worker.host].idle.put(worker)
                    self.hosts[worker.host].workers += 1

    def _remember(self) -> None:
        """The runs that the files of an earlier session have, each host its own."""
        for host in self.hosts.values():
            if (self.out / host.name / FILE_NAME).exists():
                records = read_records(self.out / host.name)
                host.has, host.floors, host.session = records.measurements, records.floors, records.session
        if not any(host.session for host in self.hosts.values()):
            raise SuiteError(f"no session to resume in {self.out}", hint="start one without --resume")

    def _deal(self, groups: list[tuple[Question, ...]], hosts: list[_Host]) -> None:
        """Each group to the host that has begun it, or else to the one with least to do for its workers."""
        for host in hosts:
            host.configurations = []
        for group in groups:
            able = [host for host in hosts if group[0].engine not in host.missing]
            if not able:
                self.say(f"no host left that has {group[0].engine}: {group[0].rule_set.name} is left out")
                continue
            names = {(one.rule_set.name, one.engine, one.task.name) for one in group}
            begun = [
                host
                for host in able
                if any((run.rule_set, run.engine, run.task) in names for run in host.has if isinstance(run, Run))
            ]
            chosen = min(begun or able, key=lambda host: (len(host.configurations) / max(host.workers, 1), host.name))
            chosen.configurations += group

    def _on_host(self, host: _Host) -> None:
        """One host's session: new, or going on with what it has."""
        plan = replace(self.plan, configurations=tuple(host.configurations), missing=dict(host.missing))
        started = datetime.now(UTC)
        folder = self.out / host.name
        try:
            worker = self._take(host)
            session = self.cluster.call(worker, self.stop, _describe, plan, host.workers, self.command, started)
            host.idle.put(worker)
        except (WorkerLost, _HostLost, CallStopped):
            host.lost = True
            return
        again = None
        if host.session is not None:
            session, again = resumed(host.session, session, started)
        with RecordWriter(folder, resume=again is not None) as writer:
            if writer.before is not None and host.result is None:  # not merely dealt to again
                self._end_leftovers(host, session)
            host.session = session
            measurer = _RemoteMeasurer(self, host)
            host.result = execute_plan(
                plan,
                session,
                writer,
                self.listener(host.name),
                has=host.has,
                resumed=again,
                floors=measure_floors(session, measurer, has=host.floors),
                measurer=measurer,
                stop=measurer.stop,
            )
        records = read_records(folder)
        host.has, host.floors = records.measurements, records.floors
        host.lost = measurer.lost

    def _end_leftovers(self, host: _Host, session: Session) -> None:
        """What an earlier session left running on the host."""
        with contextlib.suppress(WorkerLost, _HostLost, CallStopped):
            worker = self._take(host)
            for words in self.cluster.call(worker, self.stop, _ended_leftovers, session.session):
                self.say(f"{host.name}: {words}")
            host.idle.put(worker)

    def _unfinished(self, host: _Host) -> list[Question]:
        """The configurations of a lost host's groups that did not get all their runs."""
        assert host.session is not None or not host.has
        done = {run.key for run in host.has}
        session = host.session

        def complete(configuration: Question) -> bool:
            return session is not None and all(
                configuration.key(session, warmup=False, repeat=number) in done for number in range(self.plan.repeats)
            )

        groups = _groups(host.configurations)
        return [configuration for group in groups if not all(map(complete, group)) for configuration in group]

    def _take(self, host: _Host, stop: threading.Event | None = None) -> Worker:
        """An idle worker of the host, waiting for one. Raises _HostLost when it has none any more, Stopped, also by
        the event `stop` of a session."""
        until = time.monotonic() + _COME_BACK_S
        while not self.stop.is_set() and not (stop is not None and stop.is_set()):
            try:
                return host.idle.get(timeout=0.2)
            except Empty:
                self._greet()
                if host.workers > 0:
                    until = time.monotonic() + _COME_BACK_S
                elif time.monotonic() > until:
                    raise _HostLost from None
        raise CallStopped

    def outcome(
        self, host: _Host, job: Configuration, limits: Limits, session: Session, what: str, stop: threading.Event
    ) -> Outcome:
        """Make a run on some worker of the host, on another one when it is lost. Raises _HostLost and Stopped."""
        while True:
            worker = self._take(host, stop)
            try:
                outcome = self.cluster.call(worker, self.stop, _run, job, limits, session, self.token)
            except WorkerLost:
                with self.lock:
                    host.workers -= 1
                self.say(f"worker {worker.address} on {host.name} is lost; its run is made again: {what}")
                continue
            except BaseException:
                host.idle.put(worker)
                raise
            host.idle.put(worker)
            return outcome


class _HostLost(Exception):  # noqa: N818
    """A host has no worker left."""


class _RemoteMeasurer:
    """Makes the runs of one host's session there."""

    def __init__(self, job: _ClusterJob, host: _Host) -> None:
        self._job = job
        self._host = host
        self.lost = False
        self.stop = threading.Event()
        """Set when this host's session must end: it is lost, or everything is stopped."""

    def __call__(
        self, configuration: Configuration, session: Session, *, warmup: bool, repeat: int, stop: threading.Event | None
    ) -> Measurement | None:
        try:
            job = configuration.in_repeat(repeat)
            outcome = self._job.outcome(self._host, job, session.limits, session, str(configuration), self.stop)
        except (CallStopped, _HostLost) as end:
            if isinstance(end, _HostLost) and not self.lost:
                self.lost = True
                self._job.say(f"{self._host.name} has no worker left; others take over what it did not finish")
            self.stop.set()
            return None
        if outcome.termination == "interrupted":
            return None
        return configuration.record(session, outcome, warmup=warmup, repeat=repeat)


def _groups(configurations: Sequence[Question]) -> list[tuple[Question, ...]]:
    """Configurations whose times are compared with each other, and whole series."""
    groups: dict[tuple[str, str, str, str], list[Question]] = {}
    for configuration in configurations:
        key = (
            configuration.rule_set.name,
            configuration.engine,
            configuration.task.family or configuration.task.name,
            configuration.task.player,
        )
        groups.setdefault(key, []).append(configuration)
    return [tuple(group) for group in groups.values()]


# What runs on the workers.

_stops: dict[str, threading.Event] = {}


def _look_around(engines: list[str]) -> tuple[str, dict[str, str]]:
    return code_hash(), missing_engines(engines)


def _describe(plan: Plan, workers: int, command: list[str], started: datetime) -> Session:
    return new_session(plan, jobs=1, warm_up_jobs=workers, command=command, started=started)


def _run(job: Configuration, limits: Limits, session: Session, token: str) -> Outcome:
    stop = _stops.setdefault(token, threading.Event())
    return run_job(job, limits, stop, meter=session.meter, session=session.session)


def _ended_leftovers(session: str) -> list[str]:
    told: list[str] = []
    end_leftovers(session, told.append)
    return told


def _stop_runs(token: str) -> None:
    _stops.setdefault(token, threading.Event()).set()
