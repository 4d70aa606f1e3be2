"""Records as a frame: every run a row with raw values, from plain and from packed files."""

from __future__ import annotations

import gzip
from pathlib import Path

import polars as pl
import pytest

from hexlogic.errors import HexlogicError, SuiteError
from hexlogic.laboratory.records import frame, read_records
from hexlogic.laboratory.records.store import record_files
from hexlogic.laboratory.records.types import PositionsRun
from tests.checkout import CHECKOUT

EXAMPLE = CHECKOUT / "docs" / "example-report" / "records"


def test_every_run_is_a_row_with_its_raw_values() -> None:
    records = read_records(EXAMPLE / "quick-2.jsonl.gz")
    found = frame(records)
    assert found.height == len(records.runs)
    assert found["query_s"].to_list() == [run.phases.query_s for run in records.runs]
    assert found["usage.cpu_s"].to_list() == [run.usage.cpu_s for run in records.runs]
    assert found["counters.inferences"].to_list() == [run.counters.get("inferences") for run in records.runs]
    assert found["cpu_limit_s"].unique().to_list() == [records.session.limits.cpu_s]


def test_sessions_of_several_kinds_stand_together() -> None:
    files = [read_records(path) for path in record_files(EXAMPLE)]
    found = frame(*files)
    assert found.height == sum(len(file.measurements) for file in files)
    assert dict(found.group_by("kind").len().iter_rows()) == {
        "run": sum(len(file.runs) for file in files),
        "playing": sum(len(file.playings) for file in files),
        "positions": sum(len(file.of_type(PositionsRun)) for file in files),
    }
    games = found.filter(pl.col("mode").is_not_null())
    assert games["replayed.plies_s"].dtype == pl.List(pl.Float64)
    assert set(found["suite"]) == {file.session.suite for file in files}


def test_plain_and_packed_are_the_same(tmp_path: Path) -> None:
    packed = EXAMPLE / "games.jsonl.gz"
    (tmp_path / "games.jsonl").write_bytes(gzip.decompress(packed.read_bytes()))
    assert frame(read_records(tmp_path)).equals(frame(read_records(packed)))
    (tmp_path / "more.jsonl.gz").write_bytes(packed.read_bytes())
    with pytest.raises(SuiteError, match="holds 2 files of records"):
        read_records(tmp_path)
    (tmp_path / "more.jsonl.gz").write_bytes(packed.read_bytes()[:100])
    with pytest.raises(SuiteError, match="not a complete gzip file"):
        read_records(tmp_path / "more.jsonl.gz")


def test_without_polars_the_way_to_get_it_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("hexlogic.process.extras.find_spec", lambda name: None)
    with pytest.raises(HexlogicError, match=r"pip install 'hexlogic\[frame\]'"):
        frame(read_records(EXAMPLE / "games.jsonl.gz"))
