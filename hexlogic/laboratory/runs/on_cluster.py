"""Carry out a plan on a cluster: every host its own session, so that no ratio mixes machines.

The configurations are assigned in groups, all pipelines of a rule set on an engine and a board, since those are what
savings factors compare. A host measures its repeats one at a time, whatever the number of its workers, and warms up on
all of them. A worker that dies in a run is said to be lost and the run is made again on another one of that host; a
host without workers gives its unfinished groups to the others, which begin them anew.
"""

from __future__ import annotations

import contextlib
import threading
import time
import uuid
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from queue import Empty, SimpleQueue

from hexlogic.errors import SuiteError
from hexlogic.laboratory.records.store import FILE_NAME, RecordFile, RecordWriter, read_records
from hexlogic.laboratory.records.types import Session, grouped
from hexlogic.laboratory.runs.kind import Configuration
from hexlogic.laboratory.runs.kinds.question import Question
from hexlogic.laboratory.runs.plan import Plan, missing_engines
from hexlogic.laboratory.runs.run import Listener, Result, end_leftovers, execute_plan, measure, run_job
from hexlogic.laboratory.runs.session import code_hash, new_session, resumed
from hexlogic.process.cluster import CallStopped, Cluster, Worker, WorkerLost
from hexlogic.process.isolate import Outcome

_COME_BACK_S = 20.0
"""How long a host may be without any worker: whoever started them may start another."""


def missing_on_cluster(cluster: Cluster, engines: Sequence[str]) -> dict[str, str]:
    """The engines that can run on no host, each with the reason of the first."""
    hosts = {worker.host: worker for worker in cluster.workers()}
    missing = [cluster.call(worker, None, missing_engines, list(engines)) for worker in hosts.values()]
    return {name: reason for name, reason in missing[0].items() if all(name in there for there in missing)}


class _HostLost(Exception):  # noqa: N818
    """A host has no worker left."""


@dataclass
class _Host:
    """A machine of the cluster: its idle workers, its configurations, and the file of its session."""

    name: str
    missing: Mapping[str, str]
    idle: SimpleQueue[Worker] = field(default_factory=SimpleQueue)
    workers: int = 0
    configurations: list[Question] = field(default_factory=list)
    records: RecordFile | None = None
    """What its file holds: of an earlier session, or of this one before it was given more to do."""
    result: Result | None = None
    lost: bool = False

    def began(self, group: Sequence[Question]) -> bool:
        names = {(question.rule_set.name, question.engine, question.task.name) for question in group}
        runs = () if self.records is None else self.records.runs
        return any((run.rule_set, run.engine, run.task) in names for run in runs)

    def unfinished(self, repeats: int) -> list[Question]:
        """The configurations of the groups that did not get all their runs."""
        if self.records is None:
            return self.configurations
        session, keys = self.records.session, {run.key for run in self.records.measurements}
        return [
            question
            for group in _groups(self.configurations)
            if not keys.issuperset(each.key(session, warmup=False, repeat=n) for each in group for n in range(repeats))
            for question in group
        ]


@dataclass
class ClusterJob:
    """Measures all configurations of a plan on the hosts of the cluster; the records of each are in `out/HOST`.

    `listener` makes one for each host, by name; `say` is called for each lost worker.
    """

    plan: Plan
    cluster: Cluster
    out: Path
    command: list[str]
    listener: Callable[[str], Listener]
    say: Callable[[str], None]
    stop: threading.Event = field(default_factory=threading.Event)
    token: str = field(default_factory=lambda: uuid.uuid4().hex)
    """Names this job to the workers, which stop its runs and no others."""
    known: set[Worker] = field(default_factory=set)
    hosts: dict[str, _Host] = field(default_factory=dict)
    lock: threading.Lock = field(default_factory=threading.Lock)

    def carry_out(self, resume: bool) -> list[Result]:
        """The results by host. Raises SuiteError for a host with other code than ours, whose programs might differ, and
        when all workers are lost."""
        expected_hash = code_hash()
        for worker in self.cluster.workers():
            if worker.host not in self.hosts:
                their_hash, missing = self.cluster.call(worker, None, _code_and_missing, list(self.plan.engines))
                if their_hash != expected_hash:
                    raise SuiteError(
                        f"the worker on {worker.host} has other code than this ({their_hash}, not {expected_hash})",
                        hint="install the same hexlogic there",
                    )
                self.hosts[worker.host] = _Host(worker.host, missing)
        self._add_workers()
        for host in self.hosts.values():
            if resume and (self.out / host.name / FILE_NAME).exists():
                host.records = read_records(self.out / host.name)
        if resume and not any(host.records for host in self.hosts.values()):
            raise SuiteError(f"no session to resume in {self.out}", hint="start one without --resume")
        waiting = _groups([question for question in self.plan.configurations if isinstance(question, Question)])
        interruption: KeyboardInterrupt | None = None
        while waiting and interruption is None:
            living = [host for host in self.hosts.values() if not host.lost]
            if not living:
                raise SuiteError("all workers of the cluster are lost", hint="what was measured is in the records")
            self._assign(waiting, living)
            with ThreadPoolExecutor(len(living)) as pool:
                futures = [pool.submit(self._on_host, host) for host in living if host.configurations]
                try:
                    for future in futures:
                        future.result()
                except KeyboardInterrupt as error:
                    interruption = error
                    self.stop.set()
                    self.cluster.tell_all(_stop_runs, self.token)
            left = [question for host in living if host.lost for question in host.unfinished(self.plan.repeats)]
            waiting = _groups(left)
        results = [host.result for host in self.hosts.values() if host.result is not None]
        return [replace(result, interruption=interruption or result.interruption) for result in results]

    def _add_workers(self) -> None:
        """Put workers not seen before among the idle ones of their host."""
        with self.lock:
            for worker in self.cluster.workers():
                if worker not in self.known and worker.host in self.hosts:
                    self.known.add(worker)
                    self.hosts[worker.host].idle.put(worker)
                    self.hosts[worker.host].workers += 1

    def _assign(self, groups: list[tuple[Question, ...]], hosts: list[_Host]) -> None:
        """Assign each group to the host that has begun it, else to the one with the fewest configurations a worker."""
        for host in hosts:
            host.configurations = []
        for group in groups:
            able = [host for host in hosts if group[0].engine not in host.missing]
            if not able:
                self.say(f"no host left that has {group[0].engine}: {group[0].rule_set.name} is left out")
                continue
            begun = [host for host in able if host.began(group)]
            chosen = min(begun or able, key=lambda host: (len(host.configurations) / max(host.workers, 1), host.name))
            chosen.configurations += group

    def _on_host(self, host: _Host) -> None:
        """One host's session: new, or going on with what it has."""
        plan = replace(self.plan, configurations=tuple(host.configurations), missing=dict(host.missing))
        started, folder = datetime.now(UTC), self.out / host.name
        over = threading.Event()  # set when this session must end: the host is lost, or everything is stopped
        describe = partial(new_session, plan, jobs=1, warm_up_jobs=host.workers, command=self.command, started=started)
        try:
            with self._worker(host) as worker:
                session = self.cluster.call(worker, self.stop, describe)
        except (WorkerLost, _HostLost, CallStopped):
            host.lost = True
            return
        if host.records is not None:
            session = resumed(host.records.session, session)

        def run_there(job: Configuration, session: Session, stop: threading.Event | None) -> Outcome | None:
            """Make a run on some worker of the host, on another one when it is lost."""
            while True:
                try:
                    with self._worker(host, over) as worker:
                        return self.cluster.call(worker, self.stop, _run, job, session, self.token)
                except WorkerLost:
                    self.say(f"worker {worker.address} on {host.name} is lost; its run is made again: {job}")
                except (CallStopped, _HostLost) as end:
                    if isinstance(end, _HostLost) and not host.lost:
                        host.lost = True
                        self.say(f"{host.name} has no worker left; others take over what it did not finish")
                    over.set()
                    return None

        measure_there = partial(measure, run=run_there)
        with RecordWriter(folder, resume=host.records is not None) as writer:
            if writer.before is not None and host.result is None:  # not merely given more
                with contextlib.suppress(WorkerLost, _HostLost, CallStopped), self._worker(host) as worker:
                    for words in self.cluster.call(worker, self.stop, end_leftovers, session.session):
                        self.say(f"{host.name}: {words}")
            host.result = execute_plan(
                plan, session, writer, self.listener(host.name), floors=True, measurer=measure_there, stop=over
            )
        host.records = read_records(folder)

    @contextlib.contextmanager
    def _worker(self, host: _Host, stop: threading.Event | None = None) -> Iterator[Worker]:
        """An idle worker of the host, waiting for one; one that is lost does not come back.

        Raises _HostLost when it has none any more, CallStopped when everything or, by `stop`, its session ends.
        """
        until = time.monotonic() + _COME_BACK_S
        worker = None
        while worker is None:
            if self.stop.is_set() or (stop is not None and stop.is_set()):
                raise CallStopped
            try:
                worker = host.idle.get(timeout=0.2)
            except Empty:
                self._add_workers()
                if host.workers > 0:
                    until = time.monotonic() + _COME_BACK_S
                elif time.monotonic() > until:
                    raise _HostLost from None
        try:
            yield worker
        except WorkerLost:
            with self.lock:
                host.workers -= 1
            raise
        except BaseException:
            host.idle.put(worker)
            raise
        host.idle.put(worker)


def _groups(configurations: Sequence[Question]) -> list[tuple[Question, ...]]:
    """Configurations whose times are compared with each other, and whole series."""
    groups = grouped(
        configurations,
        lambda question: (
            question.rule_set.name,
            question.engine,
            question.task.family or question.task.name,
            question.task.player,
        ),
    )
    return [tuple(group) for group in groups.values()]


# What runs on the workers.

_stops: dict[str, threading.Event] = {}


def _code_and_missing(engines: list[str]) -> tuple[str, dict[str, str]]:
    return code_hash(), missing_engines(engines)


def _run(job: Configuration, session: Session, token: str) -> Outcome:
    return run_job(job, session.limits, _stops.setdefault(token, threading.Event()), session)


def _stop_runs(token: str) -> None:
    _stops.setdefault(token, threading.Event()).set()
