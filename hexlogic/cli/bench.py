"""`hexlogic bench`: measure a suite and print the tables of what each pass saves."""

from __future__ import annotations

import functools
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from hexlogic.cli.progress import announce_session, line_progress, show_progress, tell_sessions
from hexlogic.process.signals import ended_in_order

if TYPE_CHECKING:
    from hexlogic.runs.plan import Plan
    from hexlogic.runs.run import Result

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
    from hexlogic.errors import SuiteError
    from hexlogic.process.meters import DEFAULT_METER
    from hexlogic.runs.plan import engines_of, make_plan
    from hexlogic.runs.suite import load_suite

    chosen, file = load_suite(suite)
    names = None if engines is None else [name.strip() for name in engines.split(",")]
    plan = functools.partial(make_plan, chosen, file, engines=names, cpu_s=limit, memory_mb=memory, repeats=repeats)
    with ended_in_order():
        if is_cluster(executor):
            if meter != DEFAULT_METER:
                raise SuiteError(f"the meter {meter} is for this machine alone", hint="--executor local")
            results = _on_cluster(executor, plan, names or engines_of(chosen, file), out, resume)
        else:
            results = [_here(plan(), out, jobs, resume, meter)]
    wrong = sum(result.wrong for result in results)
    tell_sessions(results, as_json, [f"{wrong} runs gave a wrong answer"] if wrong else [])


def _here(plan: Plan, out: Path | None, jobs: int, resume: bool, meter: str) -> Result:
    """One session on this machine."""
    from hexlogic.runs.local import execute_here
    from hexlogic.runs.resume import session_folder

    what = f"suite {plan.suite}: {len(plan.configurations)} configurations"
    return execute_here(
        plan,
        out or session_folder(plan.suite, resume),
        show_progress(),
        command=["hexlogic", *sys.argv[1:]],
        jobs=jobs,
        resume=resume,
        meter=meter,
        announce=announce_session(what, "engines", plan),
        say=lambda text: typer.echo(text, err=True),
    )


def _on_cluster(
    executor: str, make: Callable[..., Plan], engines: Sequence[str], out: Path | None, resume: bool
) -> list[Result]:
    """A session on each host of a cluster."""
    from hexlogic.cluster import open_cluster
    from hexlogic.process.load import cores
    from hexlogic.runs.on_cluster import execute_on_cluster, missing_on_cluster
    from hexlogic.runs.resume import session_folder

    with open_cluster(executor, cores()) as cluster:
        plan = make(missing=missing_on_cluster(cluster, engines))
        hosts = sorted({worker.host for worker in cluster.workers()})
        typer.echo(f"suite {plan.suite}: {len(plan.configurations)} configurations on {', '.join(hosts)}", err=True)
        return execute_on_cluster(
            plan,
            cluster,
            out or session_folder(plan.suite, resume),
            command=["hexlogic", *sys.argv[1:]],
            resume=resume,
            listener=lambda host: line_progress(f"{host}: "),
            say=lambda text: typer.echo(text, err=True),
        )
