"""Both meters see every end of a run alike, and nothing outlives its run. BenchExec needs control groups."""

from __future__ import annotations

import builtins
import gc
import signal
import sys
import threading
from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import psutil
import pytest

from hexlogic.errors import SuiteError, UnknownNameError
from hexlogic.laboratory.records.agreement import differences
from hexlogic.laboratory.records.store import RecordWriter, read_records
from hexlogic.laboratory.runs.kind import Message, classify, encode_message
from hexlogic.laboratory.runs.plan import make_plan, parse_suite
from hexlogic.laboratory.runs.run import execute_plan
from hexlogic.laboratory.runs.session import new_session
from hexlogic.process import meters
from hexlogic.process.isolate import Outcome
from hexlogic.process.limits import Limits
from hexlogic.process.meters import load_meter, missing_benchexec
from hexlogic.process.process_tree import ProcessTree
from tests.waiting import HANG_S, Ready, gone

YES = encode_message(Message(status="answered", answer=True)).decode()

needs_groups = pytest.mark.skipif(missing_benchexec() is not None, reason=f"no BenchExec here: {missing_benchexec()}")
METERS = ["psutil", pytest.param("benchexec", marks=needs_groups)]


def play(
    meter: str,
    code: str,
    *,
    cpu_s: float = 300,
    wall_s: float = HANG_S,
    memory_mb: float = 500,
    stdin: bytes = b"",
    environment: Mapping[str, str] | None = None,
    stop: threading.Event | None = None,
) -> Outcome:
    limits = Limits.of(cpu_s=cpu_s, wall_s=wall_s, memory_mb=memory_mb)
    command: Sequence[str] = [sys.executable, "-S", "-c", f"import os, sys, time\n{code}"]
    return load_meter(meter).run(command, stdin, limits, environment=environment, stop=stop)


@pytest.mark.takes_seconds(keep=4)
@pytest.mark.parametrize("meter", METERS)
@pytest.mark.parametrize(
    ("code", "limits", "termination", "status", "category"),
    [
        (f"sys.stdout.write({YES!r})", {}, "completed", "answered", "correct"),
        (f"sys.stdout.write({YES.replace('true', 'false')!r})", {}, "completed", "answered", "wrong"),
        ("time.sleep(6000)", {"wall_s": 0.4}, "wall-limit", "timeout", "unknown"),
        ("while True: pass", {"cpu_s": 0.4}, "cpu-limit", "timeout", "unknown"),
        (
            "x = []\nwhile True: x.append(bytearray(b'x' * 5_000_000)); time.sleep(0.005)",
            {"memory_mb": 100},
            "memory-limit",
            "out-of-memory",
            "unknown",
        ),
        ("os.abort()", {}, "completed", "crashed", "unknown"),
        ("os.write(1, bytes(range(256)))", {}, "completed", "crashed", "unknown"),
        (f"sys.stdout.write({YES!r}); sys.stdout.flush(); os._exit(3)", {}, "completed", "crashed", "unknown"),
        (
            f"if os.fork() == 0: time.sleep(600)\nsys.stdout.write({YES!r})",
            {},
            "completed",
            "answered",
            "correct",
        ),
    ],
    ids=["right", "wrong", "sleeps", "burns", "allocates", "aborts", "garbage", "exit code", "leaves a child"],
)
def test_every_end(
    meter: str, code: str, limits: Mapping[str, float], termination: str, status: str, category: str
) -> None:
    outcome = play(meter, code, **limits)
    verdict = classify(outcome, expected=True)
    assert (outcome.termination, verdict.status, verdict.category) == (termination, status, category)
    assert outcome.usage.wall_s > 0


@pytest.mark.parametrize("meter", METERS)
def test_what_goes_in_and_what_comes_out(meter: str) -> None:
    code = "print(sys.stdin.read() + os.environ['GIVEN']); print('oh', file=sys.stderr); x = b'x' * 60_000_000\n"
    code += "while time.process_time() < 0.3: pass\ntime.sleep(0.1); sys.exit(4)"
    outcome = play(meter, code, stdin=b"abc ", environment={"GIVEN": "def"})
    assert (outcome.stdout, outcome.stderr, outcome.exit_code) == (b"abc def\n", b"oh\n", 4)
    # What a meter reads by steps of the clock may be some steps short of what the process itself counts.
    assert outcome.usage.cpu_s >= 0.15
    assert outcome.usage.wall_s > outcome.usage.cpu_s
    assert 60_000_000 < outcome.usage.peak_bytes < 200_000_000


DAEMON = """
def until(path):
    while not os.path.exists(path): time.sleep(0.01)
if os.fork() == 0:
    os.setsid()
    if os.fork() == 0:
        os.execve(sys.executable, [sys.executable, '-S', '-c', {forever!r}], {environment})
    until({seen!r})
    os._exit(0)
until({file!r})
until({seen!r})
"""


def daemon(file: Path, seen: Path, environment: str) -> str:
    """Code that leaves a process of its own session behind, whose parent is dead; it writes its number to a file, and
    its parents end when `seen` is there."""
    begun = f"{file}.begun"
    forever = f"import os, time\nwith open({begun!r}, 'w') as f: f.write(str(os.getpid()))\n"
    forever += f"os.rename({begun!r}, {str(file)!r}); time.sleep(6000)"
    return DAEMON.format(forever=forever, environment=environment, file=str(file), seen=str(seen))


@pytest.mark.takes_seconds(keep=4)
@pytest.mark.parametrize("meter", METERS)
@pytest.mark.parametrize("environment", ["os.environ", "{}"], ids=["keeps its mark", "wipes its mark"])
def test_daemon_does_not_outlive_its_run(
    meter: str, tmp_path: Path, environment: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Forked twice into a session of its own: neither parent nor group leads to it any more."""
    file, seen = tmp_path / "pid", tmp_path / "seen"
    code = daemon(file, seen, environment)
    if environment == "{}" and meter == "psutil":  # without a mark, it must have been seen while its parents lived
        discover = ProcessTree._discover

        def note(tree: ProcessTree) -> None:
            discover(tree)
            if file.exists() and int(file.read_text()) in {process.pid for process in tree._seen}:
                seen.touch()

        monkeypatch.setattr(ProcessTree, "_discover", note)
    else:
        seen.touch()
    outcome = play(meter, code)
    assert outcome.termination == "completed"
    pid = int(file.read_text())
    assert gone([pid])


@pytest.mark.parametrize("meter", METERS)
def test_stop_from_another_thread(meter: str, ready: Ready) -> None:
    stop = threading.Event()
    say = ready(stop.set)
    assert play(meter, f"{say}; time.sleep(6000)", stop=stop).termination == "interrupted"


@pytest.mark.filterwarnings("ignore:unclosed file:ResourceWarning")
@pytest.mark.parametrize("meter", METERS)
def test_ctrl_c_leaves_nothing_behind(meter: str, tmp_path: Path, ready: Ready) -> None:
    file, before = tmp_path / "pid", set(psutil.Process().children(recursive=True))
    main = threading.main_thread().ident
    assert main is not None
    say = ready(lambda: signal.pthread_kill(main, signal.SIGINT))
    with pytest.raises(KeyboardInterrupt):
        play(meter, f"with open({str(file)!r}, 'w') as f: f.write(str(os.getpid()))\n{say}; time.sleep(6000)")
    gc.collect()  # a file of /proc that psutil had open when the signal came
    assert not psutil.pid_exists(int(file.read_text()))
    assert not set(psutil.Process().children(recursive=True)) - before


SUITE = """
name = "small"
boards = ["difficult-1@3"]
limits = { cpu_s = 20, memory_mb = 800, wall_s = 3600 }
repeats = 2
[[configurations]]
rule_sets = ["clusters"]
pipelines = ["none", "ground"]
engines = ["clingo"]
"""


@pytest.mark.takes_seconds
@needs_groups
def test_session_in_control_groups_says_so(tmp_path: Path) -> None:
    plan = make_plan(parse_suite(SUITE, "s"), "s")
    now = datetime.now(UTC)
    session = new_session(plan, jobs=1, warm_up_jobs=2, command=[], started=now, meter="benchexec")
    assert session.meter == meters.METERS["benchexec"].title
    with RecordWriter(tmp_path) as writer:
        execute_plan(plan, session, writer, floors=True)
    records = read_records(tmp_path)
    assert records.session.meter == session.meter
    assert {run.status for run in records.runs} == {"answered"}
    assert len(records.runs) == 6
    assert {floor.status for floor in records.floors} == {"answered"}
    for run in records.runs:
        assert run.usage.cpu_s is not None
        assert run.asked_cpu_s is not None
        # Two clocks: the control group does not count what its process did before it was put there.
        assert run.usage.cpu_s > 0.8 * run.asked_cpu_s
        assert run.usage.peak_bytes is not None
        assert run.usage.peak_bytes > 5_000_000
    # Other runs, by key, than those of the other meter; and no resumption of one by the other.
    plain = new_session(plan, jobs=1, warm_up_jobs=2, command=[], started=now)
    assert differences(plain, session) == [f"meter psutil, now {session.meter}"]
    cell = plan.configurations[0]
    assert cell.key(plain, warmup=False, repeat=0) != cell.key(session, warmup=False, repeat=0)


def test_meters_are_known_by_name() -> None:
    assert list(meters.METERS) == ["benchexec", "psutil"]
    assert load_meter("psutil").title == "psutil"
    with pytest.raises(UnknownNameError, match="stopwatch"):
        load_meter("stopwatch 3")


def test_without_the_package_it_says_how_to_get_it(monkeypatch: pytest.MonkeyPatch) -> None:
    real = builtins.__import__

    def without(name: str, *arguments: Any, **options: Any) -> Any:
        if name.startswith("benchexec"):
            raise ImportError(name)
        return real(name, *arguments, **options)

    monkeypatch.setattr(builtins, "__import__", without)
    asked_anew = replace(meters.METERS["benchexec"], missing=missing_benchexec.__wrapped__)
    monkeypatch.setitem(meters.METERS, "benchexec", asked_anew)
    with pytest.raises(SuiteError, match=r"cannot be used here \(.*not installed; pip install 'hexlogic\[benchexec\]'"):
        load_meter("benchexec")


def test_without_control_groups_it_says_why(monkeypatch: pytest.MonkeyPatch) -> None:
    runexecutor = pytest.importorskip("benchexec.runexecutor")

    def refuse(**_: object) -> None:
        sys.exit("Required cgroups are not available.\nMore words")

    monkeypatch.setattr(runexecutor, "RunExecutor", refuse)
    reason = missing_benchexec.__wrapped__()
    assert reason is not None
    assert reason.startswith("no control groups for BenchExec: Required cgroups are not available.; see https://")
