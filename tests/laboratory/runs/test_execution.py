"""Plans carried out: with real workers for what they measure, with stand-ins for how runs may end."""

from __future__ import annotations

import json
import signal
import sys
import threading
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

import psutil
import pytest

from hexlogic.laboratory.records.store import RecordFile, RecordWriter, read_records
from hexlogic.laboratory.records.types import Run
from hexlogic.laboratory.runs import run as measuring
from hexlogic.laboratory.runs.kind import Configuration
from hexlogic.laboratory.runs.kinds.question import BELOW_S
from hexlogic.laboratory.runs.plan import Plan, make_plan, parse_suite
from hexlogic.laboratory.runs.run import Listener, Result, execute_plan
from hexlogic.laboratory.runs.session import new_session
from hexlogic.language.engines import load_engine
from tests.waiting import Ready

needs_swipl = pytest.mark.skipif(load_engine("swipl").missing() is not None, reason="SWI-Prolog is not installed")

SUITE = """
name = "small"
boards = ["difficult-1"]
limits = {{ cpu_s = {cpu_s}, memory_mb = 400, wall_s = 3600 }}
repeats = {repeats}
warm_ups = {warm_ups}
[[configurations]]
rule_sets = {rule_sets}
pipelines = {pipelines}
engines = {engines}
"""

STAND_IN = """
import json, os, sys, time
from hexlogic.laboratory.runs.kind import Message, encode_message
job = json.load(sys.stdin)
def reply(**fields): sys.stdout.buffer.write(encode_message(Message(**fields)))
def right(): reply(status="answered", answer=False)
pipeline = job["pipeline"]
"""
"""A worker that does what a test says; the board of the suite has no winner, so "no" is right."""


def make(
    rule_sets: list[str],
    pipelines: list[str],
    engines: list[str],
    *,
    repeats: int = 2,
    warm_ups: int = 1,
    cpu_s: float = 20,
) -> Plan:
    names = {"rule_sets": rule_sets, "pipelines": pipelines, "engines": engines}
    lists = {key: json.dumps(value) for key, value in names.items()}
    return make_plan(parse_suite(SUITE.format(cpu_s=cpu_s, repeats=repeats, warm_ups=warm_ups, **lists), "s"), "s")


def carry_out(
    plan: Plan, folder: Path, listener: Listener | None = None, *, jobs: int = 1, warm_up_jobs: int = 2
) -> tuple[Result, RecordFile]:
    session = new_session(plan, jobs=jobs, warm_up_jobs=warm_up_jobs, command=[], started=datetime.now(UTC))
    with RecordWriter(folder) as writer:
        result = execute_plan(plan, session, writer, listener)
    return result, read_records(result.path)


@pytest.fixture
def stand_in(monkeypatch: pytest.MonkeyPatch) -> Callable[[str], None]:
    """Replaces the worker by the given code."""

    def replace(code: str) -> None:
        monkeypatch.setattr(measuring, "WORKER", (sys.executable, "-c", STAND_IN + code))

    return replace


def count(records: RecordFile, pipeline: str) -> tuple[int, int]:
    """Warm-ups and repeats of a pipeline."""
    runs = [run for run in records.runs if run.pipeline == pipeline]
    return sum(run.warmup for run in runs), sum(not run.warmup for run in runs)


# Real workers


def test_real_runs(tmp_path: Path) -> None:
    plan = make(["clusters"], ["none", "ground,reorder"], ["clingo"])
    result, records = carry_out(plan, tmp_path)
    assert (result.runs, result.wrong, result.interruption) == (6, 0, None)
    assert records.end is not None
    assert (records.end.reason, records.end.runs, records.end.wrong) == ("completed", 6, 0)
    for run in records.runs:
        assert (run.status, run.category, run.answer, run.expected) == ("answered", "correct", False, False)
        assert (run.termination, run.exit.code, run.exit.signal) == ("completed", 0, None)
        assert run.counted is not run.warmup
        phases = run.phases
        for phase in (phases.transform_s, phases.start_s, phases.load_s, phases.ground_s, phases.solve_s):
            assert phase is not None
            assert phase >= 0
        assert run.counters["ground_rules"] > 0
        assert phases.ground_s is not None
        assert phases.solve_s is not None
        # On a busy machine a query may take longer than what is asked again.
        short = phases.ground_s + phases.solve_s < BELOW_S
        assert (run.warm_query_s is not None) is short
        assert (run.warm_queries > 0) is short
        assert run.asked_cpu_s is not None
        assert run.usage.cpu_s is not None
        assert run.usage.cpu_s > run.asked_cpu_s
        assert run.usage.peak_bytes is not None
        assert run.sizes is not None
        assert run.dialect == "asp"
    programs = {(run.pipeline, run.program_hash) for run in records.runs}
    assert len(programs) == 2
    assert len({run.key for run in records.runs}) == 6


@pytest.mark.takes_seconds
@needs_swipl
def test_real_counters_repeat_exactly(tmp_path: Path) -> None:
    _, records = carry_out(make(["clusters"], ["ground,reorder"], ["swipl"], repeats=3), tmp_path)
    assert len({run.counters["inferences"] for run in records.runs}) == 1


@pytest.mark.takes_seconds
@needs_swipl
def test_real_timeout_ends_the_engines_process_too(tmp_path: Path) -> None:
    _, records = carry_out(make(["power-set"], ["none"], ["swipl"], cpu_s=6), tmp_path)
    (run,) = records.runs
    assert (run.status, run.termination, run.category, run.answer) == ("timeout", "cpu-limit", "unknown", None)
    assert run.warmup
    assert run.counted
    assert run.phases.load_s is not None
    assert run.phases.solve_s is None
    assert run.asked_cpu_s is not None
    assert not [child for child in psutil.Process().children(recursive=True) if "swipl" in child.name()]


def test_size_that_a_rule_set_cannot_take_is_unsupported(tmp_path: Path) -> None:
    _, records = carry_out(make(["winning-sets"], ["none"], ["clingo"]), tmp_path)
    (run,) = records.runs
    assert (run.status, run.category, run.counted, run.program_hash) == ("unsupported", "unknown", True, None)
    assert run.message is not None
    assert "winning sets" in run.message


def test_program_that_an_engine_cannot_run_is_unsupported(tmp_path: Path) -> None:
    _, records = carry_out(make(["follow-line"], ["none"], ["clingo"]), tmp_path)
    (run,) = records.runs
    assert run.status == "unsupported"
    assert run.message
    assert run.sizes is not None


def test_header_says_what_is_needed_to_believe_it(tmp_path: Path) -> None:
    plan = make(["clusters"], ["none"], ["clingo", "swipl"])
    session = new_session(plan, jobs=1, warm_up_jobs=2, command=["x"], started=datetime(2019, 6, 10, tzinfo=UTC))
    assert session.started == "2019-06-10T00:00:00Z"
    assert session.engines["clingo"].version == load_engine("clingo").version()
    assert not session.engines["clingo"].order_sensitive
    assert session.cores >= 1
    assert session.memory_bytes > 0
    assert (session.commit is None) == (session.dirty is None)


# Stand-ins


def test_repeats_follow_the_warm_up(tmp_path: Path, stand_in: Callable[[str], None]) -> None:
    stand_in("right()")
    _, records = carry_out(make(["clusters"], ["none", "ground"], ["clingo"], repeats=3), tmp_path)
    assert count(records, "none") == count(records, "ground") == (1, 3)
    kinds = [run.warmup for run in records.runs]
    assert kinds == sorted(kinds, reverse=True)
    assert [run.repeat for run in records.runs] == [0, 0, 0, 0, 1, 1, 2, 2]


@pytest.mark.takes_seconds
def test_slow_cell_is_repeated_less(tmp_path: Path, stand_in: Callable[[str], None]) -> None:
    stand_in("while time.process_time() < (6 if pipeline == 'none' else 0): pass\nright()")
    _, records = carry_out(make(["clusters"], ["none", "ground"], ["clingo"], repeats=4, cpu_s=10), tmp_path)
    assert count(records, "none") == (1, 1)
    assert count(records, "ground") == (1, 4)


@pytest.mark.takes_seconds(keep=9)
@pytest.mark.parametrize(
    ("code", "status"),
    [
        ("while True: pass", "timeout"),
        ("os.abort()", "crashed"),
        ("print('oh')", "crashed"),
        ("hoard = []\nwhile True: hoard.append(b'x' * 10_000_000); time.sleep(0.002)", "out-of-memory"),
        ("reply(status='error', text='no')", "error"),
        ("reply(status='unsupported', text='no')", "unsupported"),
    ],
)
def test_no_answer_is_not_repeated_and_counts(
    tmp_path: Path, stand_in: Callable[[str], None], code: str, status: str
) -> None:
    stand_in(f"if pipeline == 'ground': right(); sys.exit(0)\n{code}")
    _, records = carry_out(make(["clusters"], ["none", "ground"], ["clingo"], cpu_s=2), tmp_path)
    (run,) = [run for run in records.runs if run.pipeline == "none"]
    assert (run.status, run.warmup, run.counted) == (status, True, True)
    assert (run.category, run.answer) == ("unknown", None)
    assert count(records, "ground")[0] == 1
    assert count(records, "ground")[1] >= 1


def test_wrong_answer_is_counted_and_not_repeated(tmp_path: Path, stand_in: Callable[[str], None]) -> None:
    stand_in("reply(status='answered', answer=True)")
    result, records = carry_out(make(["clusters"], ["none"], ["clingo"]), tmp_path)
    assert result.wrong == 1
    (run,) = records.runs
    assert (run.status, run.category, run.answer, run.counted) == ("answered", "wrong", True, True)
    assert records.end is not None
    assert records.end.wrong == 1


def test_without_warm_ups_a_timeout_ends_the_repeats(tmp_path: Path, stand_in: Callable[[str], None]) -> None:
    stand_in("while True: pass")
    _, records = carry_out(make(["clusters"], ["none"], ["clingo"], warm_ups=0, repeats=3, cpu_s=0.5), tmp_path)
    assert count(records, "none") == (0, 1)


@pytest.mark.takes_seconds
def test_same_seed_same_order(tmp_path: Path, stand_in: Callable[[str], None]) -> None:
    stand_in("right()")
    plan = make(["clusters"], ["none", "ground", "reorder", "prune"], ["clingo"], repeats=2)
    orders = []
    for name in "ab":
        _, records = carry_out(plan, tmp_path / name)
        orders.append([(run.pipeline, run.repeat) for run in records.runs if not run.warmup])
    assert orders[0] == orders[1]
    assert [repeat for _, repeat in orders[0]] == [0] * 4 + [1] * 4


def test_listener_hears_every_run(tmp_path: Path, stand_in: Callable[[str], None]) -> None:
    heard: list[str] = []

    class Ear(Listener):
        def phase(self, name: str, runs: int) -> None:
            heard.append(f"{name} {runs}")

        def start(self, configuration: Configuration) -> None:
            heard.append("start")

        def end(self, configuration: Configuration, run: Run | None) -> None:
            heard.append("end")

    stand_in("right()")
    carry_out(make(["clusters"], ["none"], ["clingo"], repeats=2), tmp_path, Ear(), warm_up_jobs=1)
    assert heard[:3] == ["warm-ups 1", "start", "end"]
    assert heard[3] == "repeats 2"
    assert sorted(heard[4:]) == ["end", "end", "start", "start"]


@pytest.mark.parametrize("jobs", [1, 2])
def test_interrupt_leaves_a_readable_file_and_no_process(
    tmp_path: Path, stand_in: Callable[[str], None], ready: Ready, jobs: int
) -> None:
    before = set(psutil.Process().children(recursive=True))
    main = threading.main_thread().ident
    assert main is not None
    say = ready(lambda: signal.pthread_kill(main, signal.SIGINT))
    stand_in(f"if pipeline == 'none': right(); sys.exit(0)\nif pipeline == 'ground': {say}\ntime.sleep(6000)")
    # Two sleepers for two jobs; the first pipeline is done before the interrupt or it is not.
    plan = make(["clusters"], ["none", "ground", "reorder"], ["clingo"])
    result, records = carry_out(plan, tmp_path, warm_up_jobs=jobs)
    assert result.interruption is not None
    assert records.end is not None
    assert records.end.reason == "interrupted"
    assert {run.pipeline for run in records.runs} <= {"none"}
    assert all(run.termination != "interrupted" for run in records.runs)
    assert not set(psutil.Process().children(recursive=True)) - before
