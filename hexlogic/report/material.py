"""Folders of records, put together by suite; what must not be compared is refused."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from hexlogic.errors import SuiteError
from hexlogic.proofs.matrix_file import StoredMatrix, proof_files, read_matrix
from hexlogic.report.formatting import listed, pipeline_rank
from hexlogic.report.grouping import grouped
from hexlogic.report.prediction_file import (
    StoredExplanation,
    StoredPlay,
    StoredPredictions,
    prediction_files,
    read_explanation,
    read_play,
    read_predictions,
)
from hexlogic.report.pytest_benchmark import read_benchmarks
from hexlogic.report.statistics import ConfigurationStats, summarise
from hexlogic.runs.comparable import unlike
from hexlogic.runs.files import read_content, record_files
from hexlogic.runs.kinds.positions import PositionsRun
from hexlogic.runs.records import Playing, Run, Session
from hexlogic.runs.store import RecordFile, read_records

__all__ = ["Material", "Predictions", "SuiteRecords", "read_material"]


@dataclass(frozen=True, slots=True)
class SuiteRecords:
    """The sessions of one suite, by start, taken together; `session` is the first of them."""

    suite: str
    files: tuple[RecordFile, ...]
    configurations: tuple[ConfigurationStats, ...]
    mixed: str = ""
    """What differs among the sessions, in words, when they were mixed all the same."""

    @classmethod
    def of(cls, files: Sequence[RecordFile], mixed: str = "") -> SuiteRecords:
        """The sessions with the statistics of their configurations, in an order that no order of the runs changes."""
        runs = [run for file in files for run in file.runs]
        engines = list(dict.fromkeys(name for file in files for name in file.session.engines))
        boards = {run.task: (run.rows, run.columns) for run in runs}
        ordered = sorted(
            (
                replace(one, suite=files[0].session.suite)
                for one in summarise(runs, (floor for file in files for floor in file.floors))
            ),
            key=lambda one: (
                one.rule_set,
                engines.index(one.engine),
                pipeline_rank(one.pipeline),
                boards[one.task],
                one.task,
                one.query,
            ),
        )
        return cls(files[0].session.suite, tuple(files), tuple(ordered), mixed)

    @property
    def session(self) -> Session:
        """The header that speaks for all: they agree in what matters unless mixed."""
        return self.files[0].session

    @property
    def runs(self) -> tuple[Run, ...]:
        """The runs of all sessions."""
        return tuple(run for file in self.files for run in file.runs)

    @property
    def playings(self) -> tuple[Playing, ...]:
        """The playouts of all sessions."""
        return tuple(run for file in self.files for run in file.playings)

    @property
    def judgings(self) -> tuple[PositionsRun, ...]:
        """The runs of all sessions that judged many positions."""
        return tuple(run for file in self.files for run in file.others if isinstance(run, PositionsRun))

    @property
    def engines(self) -> tuple[str, ...]:
        """The engines, in the order of the suite."""
        return tuple(dict.fromkeys(name for file in self.files for name in file.session.engines))


@dataclass(frozen=True, slots=True)
class Predictions:
    """What predicting winners gave: models by set, explained clauses, games of players with models. `sources` are the
    files that were read, by name."""

    sets: tuple[StoredPredictions, ...] = ()
    explained: tuple[StoredExplanation, ...] = ()
    played: tuple[StoredPlay, ...] = ()
    sources: Mapping[str, bytes] = field(default_factory=dict)

    def __bool__(self) -> bool:
        return bool(self.sets or self.explained or self.played)


@dataclass(frozen=True, slots=True)
class Material:
    """All that a report is made of."""

    suites: tuple[SuiteRecords, ...]
    """Those that asked about positions and games."""
    proofs: tuple[StoredMatrix, ...]
    playouts: tuple[SuiteRecords, ...] = ()
    """Those that played sheets at random."""
    sources: Mapping[str, bytes] = field(default_factory=dict)
    """The lines that were read, by session: what a report hands on."""
    predictions: Predictions = Predictions()

    @property
    def every(self) -> tuple[SuiteRecords, ...]:
        """All suites, each once."""
        return (*self.suites, *(one for one in self.playouts if not one.runs))


def read_material(folders: Sequence[Path], *, mix: bool = False) -> Material:
    """Read the records and the proofs in some folders, and files of pytest-benchmark (`.json`).

    Raises SuiteError, unless `mix`, for sessions of one suite that differ in host, versions or limits, and always for a
    folder with nothing in it, no records at all, records that cannot be read and a session given twice."""
    files: dict[str, tuple[Path, RecordFile]] = {}
    proofs: dict[str, StoredMatrix] = {}
    sources: dict[str, bytes] = {}
    predicted = Predictions()
    for folder in folders:
        stored = proof_files(folder) if folder.is_dir() else ()
        paths = record_files(folder) if folder.is_dir() else (folder,)
        predicted = _add_predictions(predicted, folder) if folder.is_dir() else predicted
        if folder.is_dir() and not stored and not paths and not any(map(len, prediction_files(folder))):
            raise SuiteError(f"no records in {folder}", hint=f"hexlogic bench --out {folder} makes them")
        proofs |= {str(path.resolve()): read_matrix(path) for path in stored}
        for path in paths:
            found = read_benchmarks(path).records if path.suffix == ".json" else read_records(path)
            if found.session.session in files:
                raise SuiteError(
                    f"{path} and {files[found.session.session][0]} hold the same session", hint="give it once"
                )
            files[found.session.session] = folder if len(paths) == 1 else path, found
            if path.suffix != ".json":
                sources[found.session.session] = read_content(path)
    if not files and not predicted:
        raise SuiteError("no records, only proofs", hint="hexlogic bench --out DIR makes them")
    ordered = sorted(files.values(), key=lambda pair: (pair[1].session.started, pair[1].session.session))
    suites = grouped(ordered, lambda pair: pair[1].session.suite)
    together = [_together(name, suites[name], mix=mix) for name in sorted(suites)]
    return Material(
        tuple(one for one in together if one.runs or not one.playings),
        tuple(sorted(proofs.values(), key=lambda one: (one.game, one.rows, one.columns, one.started))),
        tuple(one for one in together if one.playings),
        sources,
        predicted,
    )


def _add_predictions(found: Predictions, folder: Path) -> Predictions:
    """What is known of predictions, and what a folder has of them."""
    sets, explained, played = prediction_files(folder)
    sources = {path.name: path.read_bytes() for path in (*sets, *explained, *played)}
    if repeated := sorted(sources.keys() & found.sources.keys()):
        raise SuiteError(f"two folders hold {repeated[0]}", hint="give one of them another name")
    return Predictions(
        (*found.sets, *map(read_predictions, sets)),
        (*found.explained, *map(read_explanation, explained)),
        (*found.played, *map(read_play, played)),
        {**found.sources, **sources},
    )


def _together(suite: str, found: list[tuple[Path, RecordFile]], *, mix: bool) -> SuiteRecords:
    """One suite from its sessions, or the reason why they do not go together."""
    differing = unlike([file.session for _, file in found])
    texts: dict[str, set[str]] = {}
    for _, file in found:
        for run in file.runs:
            texts.setdefault(run.rule_set, set()).add(run.rule_set_hash)
        for one in file.playings:
            texts.setdefault(one.sheet, set()).add(one.sheet_hash)
    differing += [f"rule texts of {name}" for name, hashes in sorted(texts.items()) if len(hashes) > 1]
    if differing and not mix:
        folders = listed([str(folder) for folder, _ in found])
        raise SuiteError(
            f"{folders} measured the suite {suite} with different {listed(differing)}",
            hint="report each by itself, or --mix to put them together all the same",
        )
    return SuiteRecords.of([file for _, file in found], listed(differing))
