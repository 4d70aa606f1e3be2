"""`hexlogic bench`: measure a suite and print the tables of what each pass saves."""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from hexlogic.cli.progress import line_progress, show_progress, terminated_like_interrupted

if TYPE_CHECKING:
    from hexlogic.runs.plan import Plan
    from hexlogic.runs.records import Session
    from hexlogic.runs.run import Result
    from hexlogic.runs.store import RecordFile
    from hexlogic.runs.suite import Suite

__all__ = ["bench"]


def bench(
    suite: Annotated[
        str | None,
        typer.Option(
            metavar="quick|paper|scaling|games|everything|FILE.toml", help="What to measure.  [default: quick]"
        ),
    ] = None,
    rules: Annotated[
        str | None, typer.Option(metavar="A,FILE.lp", help="Instead of a suite: these rule sets, one's own among them.")
    ] = None,
    boards: Annotated[
        str | None, typer.Option(metavar="A,FILE.txt", help="Instead of a suite: these boards.  [default: difficult-1]")
    ] = None,
    games: Annotated[str | None, typer.Option(metavar="A@N", help="Instead of a suite: these recorded games.")] = None,
    pipelines: Annotated[
        str | None,
        typer.Option(metavar="none,A+B", help="Instead of a suite: these passes.  [default: none,ground+reorder]"),
    ] = None,
    modes: Annotated[str | None, typer.Option(metavar="followed,anew", help="How recorded games are replayed.")] = None,
    players: Annotated[
        str | None, typer.Option(metavar="red,blue", help="Whose win is asked for.  [default: red]")
    ] = None,
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="List what would be measured, and how long it may take.")
    ] = False,
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

    The suite `everything` is all suites, playouts and proofs one after the other, and the report of all: a night.

    \b
    hexlogic bench --rules mine.lp,clusters --boards difficult-1,my-board.txt --pipelines none,ground+reorder
    hexlogic bench --suite everything --out results/everything
    """
    from hexlogic.cluster import is_cluster

    own = {"rules": rules, "boards": boards, "games": games, "pipelines": pipelines, "modes": modes, "players": players}
    given = {name: _words(text) for name, text in own.items() if text is not None}
    if suite == "everything":
        from hexlogic.cli.everything import measure_everything

        raise typer.Exit(measure_everything(out, given, dry_run=dry_run))
    chosen = _chosen(suite, given)

    options = _Options(
        engines=None if engines is None else _words(engines),
        limit=limit,
        memory=memory,
        repeats=repeats,
        jobs=jobs,
        resume=resume,
        meter=meter,
    )
    if dry_run:
        _list(options.plan(*chosen), jobs)
        return
    measure = _on_cluster if is_cluster(executor) else _here
    with terminated_like_interrupted():
        results = measure(chosen, out, options, executor)
    _tell(results, as_json)


def _words(text: str) -> list[str]:
    return [word.strip() for word in text.split(",")]


def _chosen(suite: str | None, given: dict[str, list[str]]) -> tuple[Suite, str]:
    """The suite of that name, or of the words given instead, and the path to say in errors."""
    from hexlogic.errors import SuiteError
    from hexlogic.runs.own_suite import own_suite
    from hexlogic.runs.suite import load_suite

    if not given:
        return load_suite(suite or "quick")
    if suite is not None:
        raise SuiteError(f"--suite and --{next(iter(given))} both say what to measure", hint="leave one of them out")
    return own_suite(**given), "--" + next(iter(given))


def _list(plan: Plan, jobs: int) -> None:
    """Every configuration in a line, and at the end how long they may take."""
    from hexlogic.report.formatting import duration
    from hexlogic.runs.estimate import estimate_plan
    from hexlogic.runs.session import cores

    for chain in plan.chains():
        for cell in chain:
            typer.echo(str(cell))
    span = estimate_plan(plan, jobs, max(jobs, cores()))
    typer.echo(f"{len(plan.cells)} configurations, {duration(span.least)} to {duration(span.most)}", err=True)
    for name, reason in plan.missing.items():
        typer.echo(f"without {name}: {reason}", err=True)


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


def _here(suite: tuple[Suite, str], out: Path | None, options: _Options, executor: str) -> list[Result]:
    """One session on this machine."""
    from hexlogic.runs.local import execute_here

    plan = options.plan(*suite)
    return [
        execute_here(
            plan,
            out or options.folder(plan.suite),
            show_progress(),
            command=["hexlogic", *sys.argv[1:]],
            jobs=options.jobs,
            resume=options.resume,
            meter=options.meter,
            announce=lambda session, found: _announce(plan, session, found),
        )
    ]


def _on_cluster(suite: tuple[Suite, str], out: Path | None, options: _Options, executor: str) -> list[Result]:
    """A session on each host of a cluster."""
    from hexlogic.cluster import open_cluster
    from hexlogic.errors import SuiteError
    from hexlogic.process.meters import DEFAULT_METER
    from hexlogic.runs.on_cluster import execute_on_cluster, missing_on_cluster
    from hexlogic.runs.plan import engines_of
    from hexlogic.runs.session import cores

    if options.meter != DEFAULT_METER:
        raise SuiteError(f"the meter {options.meter} is for this machine alone", hint="--executor local")
    chosen, file = suite
    with open_cluster(executor, cores()) as cluster:
        missing = missing_on_cluster(cluster, options.engines or engines_of(chosen, file))
        plan = options.plan(chosen, file, missing)
        hosts = sorted({worker.host for worker in cluster.workers()})
        typer.echo(f"suite {plan.suite}: {len(plan.cells)} configurations on {', '.join(hosts)}", err=True)
        return execute_on_cluster(
            plan,
            cluster,
            out or options.folder(plan.suite),
            command=["hexlogic", *sys.argv[1:]],
            resume=options.resume,
            listener=lambda host: line_progress(f"{host}: "),
            say=lambda text: typer.echo(text, err=True),
        )


def _tell(results: Sequence[Result], as_json: bool) -> None:
    """The tables of each session, and the exit status that all of them deserve."""
    from hexlogic.runs.store import read_records

    for result in results:
        records = read_records(result.path)
        typer.echo(_as_json(records, result) if as_json else _as_text(records, result))
    if wrong := sum(result.wrong for result in results):
        typer.secho(f"{wrong} runs gave a wrong answer", fg=typer.colors.RED, bold=True, err=True)
    if any(result.interrupted for result in results):
        typer.echo("interrupted", err=True)
        raise typer.Exit(130)
    if wrong:
        raise typer.Exit(1)


def _announce(plan: Plan, session: Session, found: int) -> None:
    present = [f"{name} {info.version or '?'}" for name, info in session.engines.items() if info.missing is None]
    limits = f"{plan.limits.cpu_s:g} s CPU and {plan.limits.memory_bytes / 1e6:,.0f} MB a run"
    typer.echo(f"suite {plan.suite}: {len(plan.cells)} configurations; {limits}", err=True)
    typer.echo(f"engines: {', '.join(present) or 'none'}", err=True)
    if found:
        typer.echo(f"resumed: {found} runs are measured already", err=True)
    for name, reason in plan.missing.items():
        typer.echo(f"without {name}: {reason}", err=True)


def _as_text(records: RecordFile, result: Result) -> str:
    from hexlogic.report import render_report

    return f"{render_report(records)}\nrecords: {result.path}"


def _as_json(records: RecordFile, result: Result) -> str:
    import json

    from hexlogic.report import report_data

    data = {"records": str(result.path), "runs": result.runs, "wrong": result.wrong, "interrupted": result.interrupted}
    return json.dumps({**data, **report_data(records)}, indent=2)
