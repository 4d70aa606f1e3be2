"""Small and odd results: subsets of the records of the example report, by kind of measurement, and with what a careless
session leaves out."""

from __future__ import annotations

import functools
import itertools
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import msgspec

from hexlogic.laboratory.records.store import RecordFile
from hexlogic.laboratory.records.types import ConfigurationRun, Measurement, Playing, PositionsRun, Run
from hexlogic.laboratory.report.results import Predictions, Results, SuiteRecords, read_results

RECORDS = Path(__file__).parents[3] / "docs" / "example-report" / "records"

Keep = Callable[[Measurement], bool]


@functools.cache
def everything() -> Results:
    """All records of the example."""
    return read_results([RECORDS])


def _is_run(record: Measurement, of: Callable[[Run], bool]) -> bool:
    return isinstance(record, Run) and of(record)


KINDS: dict[str, Keep] = {
    "single boards": lambda record: _is_run(record, lambda run: run.mode is None and "@" not in run.task),
    "series": lambda record: _is_run(record, lambda run: run.mode is None and "@" in run.task),
    "games": lambda record: _is_run(record, lambda run: run.mode is not None),
    "playouts": lambda record: isinstance(record, Playing),
    "positions": lambda record: isinstance(record, PositionsRun),
}


def chosen(keep: Keep, edit: Callable[[RecordFile], RecordFile] = lambda file: file) -> Results:
    """The example's records that are to be kept, without proofs and predictions; suites without any are left out."""
    suites = []
    for suite in everything().suites:
        files = [edit(replace(file, records=tuple(filter(keep, file.records)))) for file in suite.files]
        files = [file for file in files if file.measurements]
        suites += [SuiteRecords(files)] if files else []
    return Results(tuple(suites), ())


def _late(file: RecordFile) -> RecordFile:
    """The same session, if no run had ended in time."""

    def late(run: Measurement) -> Measurement:
        fields: dict[str, object] = {"status": "timeout", "category": "unknown", "message": "CPU limit reached"}
        fields |= {"termination": "cpu-limit"}
        fields |= {"answer": None, "counters": {}} if isinstance(run, Run) else {}
        fields |= {"played": None} if isinstance(run, Playing) else {}
        return msgspec.structs.replace(run, **fields) if isinstance(run, ConfigurationRun) else run

    return replace(file, records=tuple(map(late, file.records)))


def _once(file: RecordFile) -> RecordFile:
    """The same session with one repeat of each configuration."""
    kept: dict[tuple[object, ...], Measurement] = {}
    for run in file.records:
        if not isinstance(run, ConfigurationRun) or run.counted:
            kept.setdefault(_named(run), run)
    return replace(file, records=tuple(kept.values()))


def _named(run: Measurement) -> tuple[object, ...]:
    match run:
        case Run():
            return run.rule_set, run.pipeline, run.engine, run.task, run.query
        case Playing():
            return run.sheet, run.reasoner, run.rows
        case PositionsRun():
            return run.rule_set, run.size, run.method
        case _:
            return type(run), run.repeat, id(run)


def _y(file: RecordFile) -> RecordFile:
    """The same session, as if it had been of another game."""

    def moved(run: Measurement) -> Measurement:
        if isinstance(run, Run) and run.mode is None:
            return msgspec.structs.replace(run, game="y", task=f"y/{run.task}", rule_set=f"y/{run.rule_set}")
        return run

    return replace(file, records=tuple(map(moved, file.records)))


def _cut_off(file: RecordFile) -> RecordFile:
    """The first fifth of the session."""
    return replace(file, records=file.records[: len(file.records) // 5], end=None)


def odd_results() -> Iterator[tuple[str, Results]]:
    """Every case by its name."""
    yield "everything", everything()
    for count in (1, 2):
        for names in itertools.combinations(KINDS, count):
            yield " and ".join(names), chosen(lambda record, names=names: any(KINDS[name](record) for name in names))
    yield "proofs", Results((), everything().proofs)
    yield "predictions", replace(Results((), ()), predictions=everything().predictions)
    some = replace(everything().predictions, sets=everything().predictions.sets[:1], explained=(), played=())
    yield "one set of predictions", replace(Results((), ()), predictions=some)
    yield "predictions played", Results((), (), {}, Predictions(played=everything().predictions.played))
    questions = KINDS["single boards"], KINDS["series"]

    def asked(of: Callable[[Run], bool]) -> Keep:
        return lambda record: any(kind(record) for kind in questions) and _is_run(record, of)

    yield "one rule set", chosen(asked(lambda run: run.rule_set == "clusters"))
    yield "one incomplete rule set", chosen(asked(lambda run: run.rule_set == "power-set"))
    for engine in ("swipl", "clingo", "egglog", "pydatalog"):
        yield f"one engine, {engine}", chosen(asked(lambda run, engine=engine: run.engine == engine))
    yield "as written", chosen(asked(lambda run: run.pipeline == "none"))
    yield "one pipeline", chosen(asked(lambda run: run.pipeline == "ground,reorder"))
    yield "one board", chosen(asked(lambda run: run.task == "difficult-1"))
    yield "one board of a series", chosen(asked(lambda run: run.task == "difficult-1@9"))
    yield "two boards of a series", chosen(asked(lambda run: run.task in ("difficult-1@9", "difficult-1@11")))
    for rule_set in ("clusters", "follow-line-tabled", "power-set-extended", "winning-sets"):
        one = asked(lambda run, name=rule_set: (run.rule_set, run.task, run.engine) == (name, "difficult-1", "swipl"))
        yield f"one rule set, engine and board: {rule_set}", chosen(one)
    for pipeline in ("none", "ground,reorder"):
        one = asked(
            lambda run, name=pipeline: (run.rule_set, run.task, run.pipeline) == ("clusters", "difficult-1", name)
        )
        yield f"clusters on a board after {pipeline}", chosen(one)
    for name, keep in KINDS.items():
        yield f"{name}, no answer", chosen(keep, _late)
        yield f"{name}, measured once", chosen(keep, _once)
        yield f"{name}, cut off", chosen(keep, _cut_off)
    yield "another game", chosen(KINDS["single boards"], _y)
    yield "another game in series", chosen(KINDS["series"], _y)
    yield "one sheet", chosen(lambda record: isinstance(record, Playing) and record.sheet == "follow-line-tabled")
    yield "one reasoner", chosen(lambda record: isinstance(record, Playing) and record.reasoner == "swipl")
    yield "followed games", chosen(lambda record: _is_run(record, lambda run: run.mode == "followed"))
    yield "games asked anew", chosen(lambda record: _is_run(record, lambda run: run.mode == "anew"))
    yield (
        "positions asked one by one",
        chosen(lambda record: isinstance(record, PositionsRun) and record.method == "asked"),
    )
