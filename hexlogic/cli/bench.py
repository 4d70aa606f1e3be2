"""`hexlogic bench`: measure a suite and print the tables of what each pass saves."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from hexlogic.cli.progress import announce_session, line_progress, show_progress, tell_sessions
from hexlogic.process.signals import ended_in_order

if TYPE_CHECKING:
    from hexlogic.runs.plan import Plan
    from hexlogic.runs.run import Result
    from hexlogic.runs.suite import Suite

__all__ = ["bench"]


def bench(
    suite: Annotated[
        str, typer.Option(metavar="quick|paper|scaling|games|FILE.toml", help="What to measure.")
    ] = "quick",
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
    executor: Annotated[
        str,
        typer.Option(metavar="local|dask|dask:ADDRESS", help="This machine, or each host of a cluster."),
    ] = "local",
    meter: Annotated[
        str, typer.Option(metavar="psutil|benchexec", help="What watches the runs; benchexec needs control groups.")
    ] = "psutil",
    as_json: Annotated[bool, typer.Option("--json", help="One JSON object instead of tables.")] = False,
) -> None:
    """Measure a suite: the paper's tables beside our own, in under three minutes.

    Every run is a fresh process under limits. Whatever ends the session leaves a readable record file, and the same
    command with --resume goes on from there. Exit status 1: an answer is wrong.
    """
    from hexlogic.cluster import is_cluster

    options = _Options(
        engines=None if engines is None else [name.strip() for name in engines.split(",")],
        limit=limit,
        memory=memory,
        repeats=repeats,
        jobs=jobs,
        resume=resume,
        meter=meter,
    )
    measure = _on_cluster if is_cluster(executor) else _here
    with ended_in_order():
        results = measure(suite, out, options, executor)
    wrong = sum(result.wrong for result in results)
    tell_sessions(results, as_json, [f"{wrong} runs gave a wrong answer"] if wrong else [])


@dataclass(frozen=True)
class _Options:
    """What the command line says about a session."""

    engines: list[str] | None
    limit: float | None
    memory: float | None
    repeats: int | None
    jobs: int
    resume: bool
    meter: str

    def plan(self, suite: Suite, file: str, missing: Mapping[str, str] | None = None) -> Plan:
        """The plan of a suite with these options."""
        from hexlogic.runs.plan import make_plan

        return make_plan(
            suite,
            file,
            engines=self.engines,
            cpu_s=self.limit,
            memory_mb=self.memory,
            repeats=self.repeats,
            missing=missing,
        )

    def folder(self, suite: str) -> Path:
        """Where the records go unless told."""
        from datetime import UTC, datetime

        from hexlogic.runs.resume import last_folder
        from hexlogic.runs.store import default_folder

        return last_folder(suite) if self.resume else default_folder(suite, datetime.now(UTC))


def _here(suite: str, out: Path | None, options: _Options, executor: str) -> list[Result]:
    """One session on this machine."""
    from hexlogic.runs.local import execute_here
    from hexlogic.runs.suite import load_suite

    plan = options.plan(*load_suite(suite))
    what = f"suite {plan.suite}: {len(plan.configurations)} configurations"
    return [
        execute_here(
            plan,
            out or options.folder(plan.suite),
            show_progress(),
            command=["hexlogic", *sys.argv[1:]],
            jobs=options.jobs,
            resume=options.resume,
            meter=options.meter,
            announce=announce_session(what, "engines", plan),
            say=lambda text: typer.echo(text, err=True),
        )
    ]


def _on_cluster(suite: str, out: Path | None, options: _Options, executor: str) -> list[Result]:
    """A session on each host of a cluster."""
    from hexlogic.cluster import open_cluster
    from hexlogic.errors import SuiteError
    from hexlogic.process.load import cores
    from hexlogic.process.meters import DEFAULT_METER
    from hexlogic.runs.on_cluster import execute_on_cluster, missing_on_cluster
    from hexlogic.runs.plan import engines_of
    from hexlogic.runs.suite import load_suite

    if options.meter != DEFAULT_METER:
        raise SuiteError(f"the meter {options.meter} is for this machine alone", hint="--executor local")
    chosen, file = load_suite(suite)
    with open_cluster(executor, cores()) as cluster:
        missing = missing_on_cluster(cluster, options.engines or engines_of(chosen, file))
        plan = options.plan(chosen, file, missing)
        hosts = sorted({worker.host for worker in cluster.workers()})
        typer.echo(f"suite {plan.suite}: {len(plan.configurations)} configurations on {', '.join(hosts)}", err=True)
        return execute_on_cluster(
            plan,
            cluster,
            out or options.folder(plan.suite),
            command=["hexlogic", *sys.argv[1:]],
            resume=options.resume,
            listener=lambda host: line_progress(f"{host}: "),
            say=lambda text: typer.echo(text, err=True),
        )
