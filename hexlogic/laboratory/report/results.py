"""The records of a report, grouped by suite (sessions that must not be compared are refused), and the topics that read
them: modules of `topics`, found by name, with a `QUESTION`: a page, and what `bench` prints."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Generic, TypeVar

from hexlogic.errors import SuiteError
from hexlogic.laboratory.records.agreement import unlike
from hexlogic.laboratory.records.store import RecordFile, read_benchmarks, read_content, read_records, record_files
from hexlogic.laboratory.records.types import ConfigurationRun, PositionsRun, grouped
from hexlogic.laboratory.report.document import Block, Page, Text
from hexlogic.laboratory.report.formatting import listed, pipeline_rank
from hexlogic.laboratory.report.statistics import ConfigurationStats, summarise
from hexlogic.players.evaluation.prediction_file import (
    StoredExplanation,
    StoredPlay,
    StoredPredictions,
    read_explanation,
    read_play,
    read_predictions,
)
from hexlogic.proofs.matrix import StoredMatrix, proof_files, read_matrix
from hexlogic.registry import Registry

if TYPE_CHECKING:
    from hexlogic.proofs.finding.record import StoredSearch


class SuiteRecords:
    """The sessions of one suite, by start, taken together.

    `session` is the header of the first; the others agree with it in what matters, unless `mixed` says in words what
    differs. `earlier` are older sessions, which differ and measured some of the same: they have a history and no page.
    `runs`, `playings` and `positions` are the records of all sessions by kind, `configurations` the statistics
    of the runs in an order that no order of the runs changes, `engines` are in the order of the suite.
    """

    def __init__(self, files: Sequence[RecordFile], mixed: str = "", earlier: Sequence[RecordFile] = ()) -> None:
        self.files = tuple(files)
        self.mixed = mixed
        self.earlier = tuple(earlier)
        self.every = self.earlier + self.files
        self.session = files[0].session
        self.suite = self.session.suite
        self.runs = tuple(run for file in files for run in file.runs)
        self.playings = tuple(run for file in files for run in file.playings)
        self.positions = tuple(run for file in files for run in file.of_type(PositionsRun))
        self.engines = tuple(dict.fromkeys(name for file in files for name in file.session.engines))
        boards = {run.task: (run.rows, run.columns) for run in self.runs}

        def order(config: ConfigurationStats) -> tuple[object, ...]:
            rank = self.engines.index(config.engine), pipeline_rank(config.pipeline)
            return config.rule_set, *rank, boards[config.task], config.task, config.query

        floors = (floor for file in files for floor in file.floors)
        self.configurations = tuple(sorted(summarise(self.runs, floors, self.session), key=order))


@dataclass(frozen=True, slots=True)
class Predictions:
    """The results of predicting winners: models by set, explained clauses, games of players with models; `sources` are
    the files that were read, by name."""

    sets: tuple[StoredPredictions, ...] = ()
    explained: tuple[StoredExplanation, ...] = ()
    played: tuple[StoredPlay, ...] = ()
    sources: Mapping[str, bytes] = field(default_factory=dict)

    def __bool__(self) -> bool:
        return bool(self.sets or self.explained or self.played)


@dataclass(frozen=True, slots=True)
class Results:
    """All measurements and proofs that a report is made of."""

    suites: tuple[SuiteRecords, ...]
    proofs: tuple[StoredMatrix, ...]
    sources: Mapping[str, bytes] = field(default_factory=dict)
    """The lines that were read, by session: what a report hands on."""
    predictions: Predictions = Predictions()
    searches: tuple[StoredSearch, ...] = ()
    """What was found by search, by file name."""

    @property
    def configurations(self) -> list[ConfigurationStats]:
        """The configurations of all suites."""
        return [config for suite in self.suites for config in suite.configurations]


def read_results(folders: Sequence[Path], *, mix: bool = False) -> Results:
    """Read the records and the proofs in some folders, and files of pytest-benchmark (`.json`).

    Raises SuiteError, unless `mix`, for sessions of one suite that differ in host, versions or limits, and always for a
    folder with nothing in it, no records at all, records that cannot be read and a session given twice."""
    from hexlogic.proofs.finding.record import read_search  # which others do without

    files: dict[str, tuple[Path, RecordFile]] = {}
    proofs: dict[Path, StoredMatrix] = {}
    sources: dict[str, bytes] = {}
    stored = {kind: dict[str, Path]() for kind in ("predictions", "explained", "played", "reformulated")}
    for folder in folders:
        paths: Sequence[Path] = (folder,)
        if folder.is_dir():
            paths, matrices = record_files(folder), proof_files(folder)
            here = {kind: {path.name: path for path in sorted(folder.glob(f"{kind}-*.json"))} for kind in stored}
            if not (matrices or paths or any(here.values())):
                raise SuiteError(f"no records in {folder}", hint=f"hexlogic bench --out {folder} makes them")
            proofs |= {path.resolve(): read_matrix(path) for path in matrices}
            for kind, known in stored.items():
                for name in sorted(known.keys() & here[kind].keys()):
                    raise SuiteError(f"two folders hold {name}", hint="give one of them another name")
                known |= here[kind]
        for path in paths:
            records = read_benchmarks(path) if path.suffix == ".json" else read_records(path)
            session = records.session.session
            if session in files:
                raise SuiteError(f"{path} and {files[session][0]} hold the same session", hint="give it once")
            files[session] = folder if len(paths) == 1 else path, records
            if path.suffix != ".json":
                sources[session] = read_content(path)
    ordered = sorted(files.values(), key=lambda pair: (pair[1].session.started, pair[1].session.session))
    suites = grouped(ordered, lambda pair: pair[1].session.suite)
    sets, explained, played, searches = (known.values() for known in stored.values())
    return Results(
        tuple(_together(name, suites[name], mix=mix) for name in sorted(suites)),
        tuple(sorted(proofs.values(), key=lambda matrix: (matrix.game, matrix.rows, matrix.columns, matrix.started))),
        sources,
        Predictions(
            tuple(map(read_predictions, sets)),
            tuple(map(read_explanation, explained)),
            tuple(map(read_play, played)),
            {path.name: path.read_bytes() for path in (*sets, *explained, *played)},
        ),
        tuple(map(read_search, sorted(searches, key=lambda path: path.name))),
    )


def _together(suite: str, sessions: list[tuple[Path, RecordFile]], *, mix: bool) -> SuiteRecords:
    """One suite from its sessions, or the reason why they do not go together."""
    differing = unlike([file.session for _, file in sessions])
    texts = {(run.rule_set, run.rule_set_hash) for _, file in sessions for run in file.runs}
    texts |= {(run.sheet, run.sheet_hash) for _, file in sessions for run in file.playings}
    hashes = Counter(name for name, _ in texts)
    differing += [f"rule texts of {name}" for name in sorted(hashes) if hashes[name] > 1]
    *earlier, newest = [file for _, file in sessions]
    if differing and not mix:
        known = {_measured(run) for run in newest.measurements}
        if all(any(_measured(run) in known for run in file.measurements) for file in earlier):
            return SuiteRecords([newest], earlier=earlier)
        folders = listed([str(folder) for folder, _ in sessions])
        hint = "they share no configuration: report each by itself, or --mix to put them together all the same"
        raise SuiteError(f"{folders} measured the suite {suite} with different {listed(differing)}", hint=hint)
    return SuiteRecords([file for _, file in sessions], listed(differing))


def _measured(run: ConfigurationRun) -> tuple[object, ...]:
    fields = ("rule_set", "sheet", "pipeline", "engine", "reasoner", "method", "task", "query", "rows", "size")
    return tuple(getattr(run, name, None) for name in fields)


Data = TypeVar("Data")


@dataclass(frozen=True, slots=True)
class PageAnswer:
    """The finding, which comes first, and the figures and the table behind it; what is None has nothing to show. What
    `more` holds stands on a page behind, to which the first one leads."""

    finding: str
    blocks: Sequence[Block | None]
    more: Sequence[Block | None] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class PageQuestion(Generic[Data]):
    """A page: `name` is that of its file, `title` stands in the navigation, `text` at its head.

    `find` gives what the records hold on it, and `answer` the page of that; where they hold nothing, `how` is the
    command that makes such records. `blocks` are what a terminal shows of it after a suite was measured, and `legend`
    explains them; in it stand `{runs}` for what a time is made of and `{limits}` for the limits of a run.
    """

    name: str
    title: str
    text: str
    order: int
    find: Callable[[Results], Data]
    answer: Callable[[Results, Data], PageAnswer]
    how: str
    blocks: Callable[[SuiteRecords], Sequence[Block]] = lambda suite: ()
    legend: str = ""

    def pages(self, results: Results) -> Iterator[Page]:
        """The page, and the one behind it; nothing without records."""
        if not (data := self.find(results)):
            return
        answer = self.answer(results, data)
        blocks, more = ([block for block in part if block is not None] for part in (answer.blocks, answer.more))
        name, title = f"{self.name}_tables", f"{self.title}: all tables"
        if more:
            blocks.append(Text(f"All other figures: [tables]({name}.html)."))
        yield Page(self.name, self.title, self.text, answer.finding, tuple(blocks))
        if more:
            yield Page(name, title, f"{self.text} The tables", answer.finding, tuple(more), in_navigation=False)


def questions() -> list[PageQuestion[object]]:
    """All questions, in their order."""
    topics = Registry[PageQuestion[object]]("hexlogic.laboratory.report.topics", "QUESTION", "question")
    return sorted(topics, key=lambda question: question.order)
