"""CPU seconds of a query beside its wall seconds: counted by every engine that is here, absent in old records."""

from __future__ import annotations

import json
import time

import msgspec
import pytest

from hexlogic.laboratory.records.types import GRAIN_S, PART, Phases
from hexlogic.laboratory.runs.kind import read_messages
from hexlogic.laboratory.runs.kinds.floor import EngineFloor
from hexlogic.laboratory.runs.run import run_job
from hexlogic.language.engines import engine_names, load_engine
from hexlogic.process.limits import Limits
from hexlogic.process.process_tree import TreeClock

LIMITS = Limits.of(cpu_s=60, wall_s=3600, memory_mb=4000)


@pytest.mark.takes_seconds(keep=4)
@pytest.mark.parametrize("engine", engine_names())
def test_every_engine_tells_the_cpu_seconds_of_a_query(engine: str) -> None:
    if reason := load_engine(engine).missing():
        pytest.skip(reason)
    outcome = run_job(EngineFloor(engine), LIMITS)
    _, reply = read_messages(outcome.stdout)
    assert reply is not None
    assert reply.phases.query_cpu_s is not None
    assert 0 <= reply.phases.query_cpu_s <= outcome.usage.cpu_s + GRAIN_S


def test_old_records_read_without_the_field() -> None:
    line = json.dumps({"solve_s": 0.5})
    phases = msgspec.json.decode(line, type=Phases)
    assert (phases.query_cpu_s, phases.busy_s, phases.parted) == (None, None, False)


@pytest.mark.parametrize(
    ("wall_s", "cpu_s", "parted"),
    [
        (1.0, 1.0, False),
        (1.0, 1 - PART - 0.01, True),
        (1.0, 1 - PART + 0.01, False),
        (1 - PART - 0.01, 1.0, True),
        (GRAIN_S, 0.0, False),
        (2 * GRAIN_S, 0.0, True),
    ],
)
def test_what_parts(wall_s: float, cpu_s: float, parted: bool) -> None:
    assert Phases(ground_s=wall_s / 2, solve_s=wall_s / 2, query_cpu_s=cpu_s).parted is parted


def test_the_clock_counts_work_and_no_waiting() -> None:
    clock = TreeClock()
    before, own = clock.cpu_s(), time.process_time()
    while time.process_time() - own < 0.05:
        pass
    assert 0.05 <= clock.cpu_s() - before <= time.process_time() - own + GRAIN_S + 0.01
