"""Carry out a plan on a cluster: every host its own session, so that no ratio mixes machines.

The configurations are assigned in groups, all pipelines of a rule set on an engine and a board, since those are what
savings factors compare. A host measures its repeats one at a time, whatever the number of its workers, and warms up on
all of them. The run of a worker that dies is made again by another one of that host.
"""

import threading
import uuid
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor, wait
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from functools import partial
from pathlib import Path

from hexlogic.errors import SuiteError
from hexlogic.laboratory.records.store import FILE_NAME, RecordFile, RecordWriter, read_records
from hexlogic.laboratory.records.types import Session, grouped
from hexlogic.laboratory.runs.kind import Configuration
from hexlogic.laboratory.runs.kinds.question import Question
from hexlogic.laboratory.runs.plan import Plan, missing_engines
from hexlogic.laboratory.runs.run import Listener, Result, end_leftovers, execute_plan, measure, run_job
from hexlogic.laboratory.runs.session import code_hash, new_session, resumed
from hexlogic.process.cluster import CallStopped, Cluster
from hexlogic.process.isolate import Outcome


def missing_on_cluster(cluster: Cluster, engines: Sequence[str]) -> dict[str, str]:
    """The engines that can run on no host, each with the reason of the first."""
    missing = [cluster.call(host, None, missing_engines, list(engines)) for host in cluster.hosts()]
    return {name: reason for name, reason in missing[0].items() if all(name in there for there in missing)}


@dataclass
class ClusterJob:
    """Measures all configurations of a plan on the hosts of the cluster; the records of each are in `out/HOST`.
    `listener` makes one for each host, by name; `say` is called for what a killed session left running."""

    plan: Plan
    cluster: Cluster
    out: Path
    command: list[str]
    listener: Callable[[str], Listener]
    say: Callable[[str], None]
    stop: threading.Event = field(default_factory=threading.Event)
    token: str = field(default_factory=lambda: uuid.uuid4().hex)
    """Names this job to the workers, which stop its runs and no others."""

    def carry_out(self, resume: bool) -> list[Result]:
        """The results by host. Raises SuiteError for a host with other code than ours, whose programs might differ, and
        NoWorker when a host has no worker left, after the others have done their part."""
        hosts, expected_hash = {host: len(there) for host, there in self.cluster.hosts().items()}, code_hash()
        missing: dict[str, dict[str, str]] = {}
        for host in hosts:
            their_hash, missing[host] = self.cluster.call(host, None, _code_and_missing, list(self.plan.engines))
            if their_hash != expected_hash:
                what = f"the worker on {host} has other code than this ({their_hash}, not {expected_hash})"
                raise SuiteError(what, hint="install the same hexlogic there")
        begun = {host: self.out / host for host in hosts if resume and (self.out / host / FILE_NAME).exists()}
        if resume and not begun:
            raise SuiteError(f"no session to resume in {self.out}", hint="start one without --resume")
        shares = self._shares(hosts, missing, {host: read_records(folder) for host, folder in begun.items()})
        interruption: KeyboardInterrupt | None = None
        with ThreadPoolExecutor(len(shares)) as pool:
            futures = [
                pool.submit(self._on_host, host, hosts[host], share, missing[host], host in begun)
                for host, share in shares.items()
            ]
            try:
                wait(futures)
            except KeyboardInterrupt as error:
                interruption = error
                self.stop.set()
                self.cluster.tell_all(_stop_runs, self.token)
        results = [result for future in futures if (result := future.result()) is not None]
        if interruption is not None and not results:
            raise interruption
        return [replace(result, interruption=interruption or result.interruption) for result in results]

    def _shares(
        self, hosts: Mapping[str, int], missing: Mapping[str, Mapping[str, str]], begun: Mapping[str, RecordFile]
    ) -> dict[str, list[Question]]:
        """The configurations of each host: a group goes to the one that has begun it, else to the one with the fewest
        configurations a worker. `hosts` are their numbers of workers."""
        shares: dict[str, list[Question]] = {}
        measured = {host: {(run.rule_set, run.engine, run.task) for run in file.runs} for host, file in begun.items()}
        questions = [question for question in self.plan.configurations if isinstance(question, Question)]
        # Together: configurations whose times are compared with each other, and whole series.
        groups = grouped(questions, lambda q: (q.rule_set.name, q.engine, q.task.family or q.task.name, q.task.player))
        for group in groups.values():
            able = [host for host in hosts if group[0].engine not in missing[host]]
            names = {(question.rule_set.name, question.engine, question.task.name) for question in group}
            mine = [host for host in able if names & measured.get(host, set())]
            least = min(mine or able, key=lambda host: (len(shares.get(host, ())) / hosts[host], host))
            shares.setdefault(least, []).extend(group)
        return shares

    def _on_host(
        self, host: str, workers: int, share: Sequence[Question], missing: Mapping[str, str], resume: bool
    ) -> Result | None:
        plan, started = replace(self.plan, configurations=tuple(share), missing=dict(missing)), datetime.now(UTC)
        describe = partial(new_session, plan, jobs=1, warm_up_jobs=workers, command=self.command, started=started)
        try:
            session = self.cluster.call(host, self.stop, describe)
        except CallStopped:
            return None

        def run_there(job: Configuration, session: Session, stop: threading.Event | None) -> Outcome | None:
            try:
                return self.cluster.call(host, self.stop, _run, job, session, self.token)
            except CallStopped:
                return None

        with RecordWriter(self.out / host, resume=resume) as writer:
            if writer.before is not None:
                session = resumed(writer.before.session, session)
                for words in self.cluster.call(host, self.stop, end_leftovers, session.session):
                    self.say(f"{host}: {words}")
            measure_there = partial(measure, run=run_there)
            listener = self.listener(host)
            return execute_plan(plan, session, writer, listener, floors=True, measurer=measure_there, stop=self.stop)


# What runs on the workers.

_stops: dict[str, threading.Event] = {}


def _code_and_missing(engines: list[str]) -> tuple[str, dict[str, str]]:
    return code_hash(), missing_engines(engines)


def _run(job: Configuration, session: Session, token: str) -> Outcome:
    return run_job(job, session.limits, _stops.setdefault(token, threading.Event()), session)


def _stop_runs(token: str) -> None:
    _stops.setdefault(token, threading.Event()).set()
