"""Who reads records loads no engine, no kernel and no state machine; nor does a report made of them."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from hexlogic.language.engines import engine_names
from tests.checkout import CHECKOUT

RECORDS = CHECKOUT / "docs" / "example-report" / "records"
READ = """
import pathlib, sys
from hexlogic.laboratory.records import read_records
for path in pathlib.Path(sys.argv[1]).glob("*.jsonl.gz"): assert read_records(path).session.schema
print(*sys.modules)
"""
REPORT = """
import pathlib, sys
from hexlogic.laboratory.report.build import build_report
build_report([pathlib.Path(sys.argv[1])], pathlib.Path(sys.argv[1]) / "report")
print(*sys.modules)
"""


def modules_loaded(code: str, folder: Path) -> set[str]:
    done = subprocess.run([sys.executable, "-c", code, str(folder)], capture_output=True, text=True, check=True)
    return set(done.stdout.split())


def test_reading_records_loads_the_records_and_files_alone() -> None:
    loaded = {name for name in modules_loaded(READ, RECORDS) if name.startswith("hexlogic.")}
    rooms = {name.split(".")[1] for name in loaded}
    assert rooms == {"errors", "laboratory", "process", "registry"}
    laboratory = {name for name in loaded if name.startswith("hexlogic.laboratory.")}
    assert all(name.startswith("hexlogic.laboratory.records") for name in laboratory)
    assert len(loaded) <= 16


@pytest.mark.takes_seconds
def test_a_report_loads_nothing_that_executes(tmp_path: Path) -> None:
    for name in ("quick-2.jsonl.gz", "positions.jsonl.gz", "predictions-fair-1.json", "proofs-hex-4x4.json"):
        shutil.copy(RECORDS / name, tmp_path / name)
    loaded = modules_loaded(REPORT, tmp_path)
    assert (tmp_path / "report" / "index.html").exists()
    engines = {f"hexlogic.language.engines.{name}" for name in engine_names()}
    assert not loaded & {"numba", "hexlogic.ggp", "hexlogic.laboratory.runs.kinds", *engines}
