"""Folders of records as a session leaves them, from synthetic runs on the named boards."""

from __future__ import annotations

import csv
from dataclasses import replace
from pathlib import Path

import msgspec

from hexlogic.games.rulesets import load_rule_set
from hexlogic.laboratory.records.store import FILE_NAME
from hexlogic.laboratory.records.types import Floor, Measured, Phases, Run, Session
from hexlogic.laboratory.runs.tasks import make_task
from tests.laboratory.report.records import encoded, records, run, session

PIPELINES = ("none", "ground", "reorder", "ground,reorder")


def stored(folder: Path, runs: list[Run], header: Session | None = None, *, ended: bool = True) -> Path:
    """A folder with these runs, as if they had been measured on the named boards of today."""
    file = records(runs) if ended else records(runs, reason=None)
    file = replace(file, session=header or session())
    folder.mkdir(parents=True)
    lines = [file.session, *floors(), *map(of_today, file.runs), *([file.end] if file.end is not None else [])]
    (folder / FILE_NAME).write_bytes(encoded(lines))
    return folder


def floors() -> list[Floor]:
    """The smallest query takes 0.05 ms on swipl and 0.5 ms on clingo."""
    return [
        Floor(
            engine=engine,
            repeat=0,
            phases=Phases(solve_s=ms / 1000),
            warm_query_s=None,
            warm_queries=0,
            usage=Measured(cpu_s=0.1, wall_s=0.1, peak_bytes=None),
            status="answered",
            category="correct",
            message=None,
        )
        for engine, ms in (("swipl", 0.05), ("clingo", 0.5))
    ]


def of_today(one: Run) -> Run:
    task = make_task(one.task, "red")
    game = task.position.game
    return msgspec.structs.replace(
        one,
        rule_set_hash=load_rule_set(one.rule_set).hash,
        facts_hash=task.facts_hash,
        rows=game.rows,
        columns=game.columns,
    )


def measured() -> list[Run]:
    """Three reformulations on two engines and four pipelines, a timeout and an engine that cannot."""
    runs = []
    for number, pipeline in enumerate(PIPELINES):
        saved = 4**number
        for engine in ("swipl", "clingo"):
            work = 1000 // saved
            runs += [run("clusters", pipeline, engine, ms / saved, work=work) for ms in (8.0, 9.0, 10.0)]
            runs += [run("follow-line-tabled", pipeline, engine, ms / saved, work=work) for ms in (1.0, 1.1, 1.2)]
        if number:
            runs.append(run("power-set", pipeline, "swipl", 20 / saved, work=work, complete=False))
        else:
            runs.append(run("power-set", pipeline, "swipl", status="timeout", complete=False))
        message = "terms grow"
        runs.append(run("follow-line", pipeline, "clingo", status="unsupported", message=message))
    return runs


def series() -> list[Run]:
    """clusters on growing boards: none stops at n = 6, reordering goes on."""
    runs = []
    for size in range(3, 9):
        for pipeline, ms in (("none", 2.0 * 6**size), ("reorder", 0.1 * size**2)):
            late = ms / 1000 > 10
            if not late or ms / 1000 < 60:
                one = run("clusters", pipeline, "swipl", None if late else ms, status="timeout" if late else "answered")
                runs.append(msgspec.structs.replace(one, task=f"difficult-1@{size}"))
    return runs


def other(header: Session, **changes: object) -> Session:
    return msgspec.structs.replace(header, session="another", **changes)


def rows_of(path: Path) -> list[dict[str, str]]:
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))
