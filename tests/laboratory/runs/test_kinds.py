"""A kind of measurement is one file: dropped into a copy of hexlogic, it is planned, measured, recorded and read."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import hexlogic
from hexlogic.laboratory.records.types import Line
from hexlogic.laboratory.runs.kind import Configuration
from hexlogic.laboratory.runs.kinds import KINDS
from hexlogic.laboratory.runs.kinds.playouts import SheetOnReasoner
from hexlogic.laboratory.runs.session import MEASURED_CODE
from tests.checkout import CHECKOUT

SUMS = '''
"""Sums: the measured process adds up numbers."""

from __future__ import annotations

from hexlogic.errors import HexlogicError
from hexlogic.laboratory.runs.kind import Configuration
from hexlogic.laboratory.records.types import ConfigurationRun


class Summed(ConfigurationRun, frozen=True, kw_only=True, forbid_unknown_fields=True, tag="summed"):
    total: int | None
    """What the numbers come to."""


class Sum(Configuration, frozen=True, forbid_unknown_fields=True, tag="sums"):
    record_type = Summed
    floors = False
    numbers: tuple[int, ...]

    def execute(self, measuring):
        if not self.numbers:
            raise HexlogicError("nothing to add")
        return measuring.answered(True, counters={"total": sum(self.numbers)})

    def fields(self, session, verdict):
        return {"total": verdict.said.counters.get("total") if verdict.said else None}


KIND = Sum
'''

SESSION = """
import contextlib, json, pathlib, sys
from hexlogic.process.limits import Limits
from hexlogic.laboratory.runs.kinds.sums import Sum
from hexlogic.laboratory.runs.run import execute_here
from hexlogic.laboratory.runs.plan import Plan
from hexlogic.laboratory.runs.run import Listener
from schemas import record_schema
from hexlogic.laboratory.records.store import read_records

sums = (Sum((1, 2, 3)), Sum(()))
plan = Plan("sums", sums, (), {}, Limits.of(cpu_s=60, wall_s=3600, memory_mb=1000), repeats=2, warm_ups=0, seed=1)
out = pathlib.Path(sys.argv[1])
execute_here(plan, out, contextlib.nullcontext(Listener()), command=[])
again = execute_here(plan, out, contextlib.nullcontext(Listener()), command=[], resume=True)
found = sorted(((one.repeat, one.total, one.status, one.message) for one in read_records(out).records), key=str)
described = json.loads(record_schema())["$defs"]["Summed"]["properties"]["total"]["description"]
print(json.dumps({"found": found, "again": again.resumed, "described": described}))
"""


def test_a_kind_is_one_file(tmp_path: Path) -> None:
    shutil.copytree(Path(hexlogic.__file__).parent, tmp_path / "hexlogic")
    (tmp_path / "hexlogic" / "laboratory" / "runs" / "kinds" / "sums.py").write_text(SUMS, encoding="utf-8")
    environment = {**os.environ, "PYTHONPATH": f"{tmp_path}{os.pathsep}{CHECKOUT / 'docs'}"}
    done = subprocess.run(
        [sys.executable, "-c", SESSION, str(tmp_path / "out")],
        env=environment,
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    told = json.loads(done.stdout)
    # The empty sum gets no answer in the first round and is not asked again.
    assert told["found"] == [
        [0, 6, "answered", None],
        [0, None, "error", "nothing to add"],
        [1, 6, "answered", None],
    ]
    assert told["again"] == 3
    assert told["described"] == "What the numbers come to."


@pytest.mark.parametrize(("name", "more"), [("question", ()), ("replay", ()), ("playouts", SheetOnReasoner.code)])
def test_all_code_that_a_measured_process_imports_is_in_the_hash(name: str, more: tuple[str, ...]) -> None:
    """Records of other code must not stand beside these: a package that moves has to be named again."""
    code = f"""
import sys
import hexlogic.laboratory.runs.kinds.{name}
from hexlogic.language.engines import engine_names, load_engine
for engine in engine_names(): load_engine(engine)
print(*(module.split(".")[1] for module in sys.modules if module.startswith("hexlogic.")))
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    house = {"errors", "laboratory", "process", "registry"}
    assert set(done.stdout.split()) - house <= {*MEASURED_CODE, *more}
    assert all((Path(hexlogic.__file__).parent / package).is_dir() for package in (*MEASURED_CODE, *more))


@pytest.mark.parametrize("name", KINDS.names())
def test_tags_tell_kinds_and_records_apart(name: str) -> None:
    kind = KINDS.load(name)
    assert issubclass(kind, Configuration)
    assert kind.__struct_config__.tag == name
    assert issubclass(kind.record_type, Line)
