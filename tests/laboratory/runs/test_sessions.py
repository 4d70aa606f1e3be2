"""Sessions as real processes: two on one folder, killed ones and their children, full disks, ignored signals."""

from __future__ import annotations

import json
import os
import re
import resource
import signal
import socket
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import psutil
import pytest

from hexlogic.cli import run
from hexlogic.laboratory.records.store import read_records
from hexlogic.laboratory.runs import run as execution
from hexlogic.laboratory.runs.run import SESSION_MARK
from hexlogic.language.engines import load_engine
from tests.waiting import HANG_S, gone, wait_for, wait_for_line

QUICK = """
name = "tiny"
boards = ["difficult-1@3"]
repeats = {repeats}
limits = {{ cpu_s = 200, memory_mb = 800, wall_s = 3600 }}
[[configurations]]
rule_sets = [{rule_sets}]
pipelines = ["none"]
engines = ["{engine}"]
"""
ENDLESS = QUICK.replace("difficult-1@3", "difficult-1@9").replace("cpu_s = 200", "cpu_s = 3600")
"""With power-set it takes hours."""

Bench = Callable[..., "subprocess.Popen[str]"]


@pytest.fixture
def bench(tmp_path: Path) -> Iterator[Bench]:
    """Starts sessions in a folder of their own; what is left of them at the end is killed."""
    started: list[subprocess.Popen[str]] = []

    def begin(suite: str, *more: str, out: Path | str = "out", **options: object) -> subprocess.Popen[str]:
        (tmp_path / "tiny.toml").write_text(suite, encoding="utf-8")
        command = [sys.executable, "-m", "hexlogic", "bench", "--suite", "tiny.toml", "--out", str(out), *more]
        process = subprocess.Popen(
            command, cwd=tmp_path, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, **options
        )
        started.append(process)
        return process

    yield begin
    for process in started:
        process.kill()
        process.communicate()


def suite(text: str, *rule_sets: str, engine: str = "clingo", repeats: int = 1) -> str:
    return text.format(rule_sets=", ".join(f'"{name}"' for name in rule_sets), engine=engine, repeats=repeats)


def busy(engine: str) -> str:
    return suite(ENDLESS, "clusters", "power-set", engine=engine)


needs_swipl = pytest.mark.skipif(load_engine("swipl").missing() is not None, reason="swipl is not here")
linux = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="the kernel ends children on Linux only")


@pytest.mark.takes_seconds
def test_the_second_session_on_a_folder_is_told_who_holds_it(bench: Bench, tmp_path: Path) -> None:
    # Many short runs: a single long one meets its memory limit while a busy machine starts the second session.
    many = suite(QUICK, "clusters", repeats=100_000)
    first = bench(many)
    path = tmp_path / "out" / "records.jsonl"
    wait_for_line(path, b'"record":"run"', first)
    before = path.read_bytes()
    for more in ([], ["--resume"]):
        second = bench(many, *more)
        out, err = second.communicate(timeout=HANG_S)
        assert (second.returncode, out, err.count("\n")) == (2, "", 1)
        assert f"process {first.pid} on {socket.gethostname()} since 20" in err
        assert "bench --suite tiny.toml" in err
    assert path.read_bytes().startswith(before)
    # Reading does not need the lock.
    assert read_records(path).end is None
    assert read_records(path).warnings == ()
    report = [sys.executable, "-m", "hexlogic", "report", "out", "--out", "page"]
    assert subprocess.run(report, cwd=tmp_path, capture_output=True, check=False).returncode == 0
    first.send_signal(signal.SIGTERM)
    first.communicate(timeout=HANG_S)
    assert first.returncode == 143
    assert not (tmp_path / "out" / "records.lock").exists()


@pytest.mark.takes_seconds
def test_of_sessions_that_start_at_once_one_measures(bench: Bench, tmp_path: Path) -> None:
    sessions = [bench(suite(QUICK, "clusters", "follow-line-tabled", repeats=2)) for _ in range(4)]
    told = [session.communicate(timeout=HANG_S) for session in sessions]
    assert sorted(session.returncode for session in sessions) == [0, 2, 2, 2]
    for session, (_, err) in zip(sessions, told, strict=True):
        if session.returncode:
            assert re.search("is being written to by|holds records already", err), err
    records = read_records(tmp_path / "out")
    assert records.warnings == ()
    assert records.end is not None
    assert records.end.runs == len(records.runs) == 6


@pytest.mark.takes_seconds
@linux
@pytest.mark.parametrize("engine", ["pydatalog", pytest.param("swipl", marks=needs_swipl)])
def test_a_killed_session_leaves_no_busy_child(bench: Bench, tmp_path: Path, engine: str) -> None:
    """The worker computes; of swipl it waits for a process of its own, which computes."""
    session = bench(busy(engine))
    parent = psutil.Process(session.pid)
    wait_for_line(tmp_path / "out" / "records.jsonl", b'"record":"run"', session)

    def at_work() -> list[psutil.Process]:
        found = parent.children(recursive=True)
        names = [child.name() for child in found]
        return found if engine != "swipl" or "swipl" in names else []

    children = wait_for(at_work, session)
    os.kill(session.pid, signal.SIGKILL)
    session.communicate()
    assert gone(children)

    # The lock of a dead session does not block, and what it had measured is there.
    again = bench(busy(engine), "--resume")
    wait_for_line(tmp_path / "out" / "records.jsonl", b'"record":"resumed"', again)
    again.send_signal(signal.SIGTERM)
    assert "already" in again.communicate(timeout=HANG_S)[1]
    assert again.returncode == 143


@pytest.mark.takes_seconds
def test_resuming_ends_what_the_old_session_left_running(bench: Bench, tmp_path: Path) -> None:
    text = suite(QUICK, "clusters")
    session = bench(text)
    session.communicate(timeout=HANG_S)
    assert session.returncode == 0
    name = read_records(tmp_path / "out").session.session
    code = "import os, sys; os.setsid(); print('on', flush=True); sys.stdin.read()"
    with (
        _left_over(code, {SESSION_MARK: name}) as left,
        _left_over(code, {SESSION_MARK: "another"}) as other,
    ):
        again = bench(text, "--resume")
        _, err = again.communicate(timeout=HANG_S)
        assert again.returncode == 0
        assert f"ended process {left.pid} (" in err
        assert left.wait(HANG_S) == -signal.SIGKILL
        assert str(other.pid) not in err
        assert other.poll() is None
        other.kill()


def _left_over(code: str, variables: dict[str, str]) -> subprocess.Popen[str]:
    process = subprocess.Popen(
        [sys.executable, "-S", "-c", code],
        env={**os.environ, **variables},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    assert process.stdout is not None
    assert process.stdout.readline() == "on\n"
    return process


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_before_the_first_record_is_told_by_the_exit_status(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], number: int
) -> None:
    """While the versions of the engines are asked, say: there is nothing to close then."""

    def raised(*_: object, **__: object) -> None:
        signal.raise_signal(number)

    monkeypatch.setattr(execution, "new_session", raised)
    (tmp_path / "tiny.toml").write_text(suite(QUICK, "clusters"), encoding="utf-8")
    assert run(["bench", "--suite", str(tmp_path / "tiny.toml"), "--out", str(tmp_path / "out")]) == 128 + number
    assert capsys.readouterr().err == "interrupted\n"
    assert not (tmp_path / "out" / "records.lock").exists()


def ignore_interrupts() -> None:
    """As the background of a script does; under `nohup` the tests themselves ignore SIGHUP, which sessions respect."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGHUP, signal.SIG_DFL)


@pytest.mark.takes_seconds
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_a_session_started_with_signals_ignored_can_be_ended(bench: Bench, tmp_path: Path, number: int) -> None:
    session = bench(busy("pydatalog"), preexec_fn=ignore_interrupts)
    path = tmp_path / "out" / "records.jsonl"
    wait_for_line(path, b'"record":"run"', session)
    children = psutil.Process(session.pid).children(recursive=True)
    session.send_signal(number)
    _, err = session.communicate(timeout=HANG_S)
    assert session.returncode == 128 + number
    assert err.splitlines()[-1] == "interrupted"
    assert gone(children)
    records = read_records(path)
    assert records.end is not None
    assert records.end.reason == "interrupted"
    assert not (tmp_path / "out" / "records.lock").exists()


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    """A file system with room for a few records."""
    place = tmp_path / "disk"
    place.mkdir()
    mounted = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", "size=16k", "none", str(place)], capture_output=True, check=False
    )
    if mounted.returncode:
        pytest.skip(f"cannot mount a small file system: {mounted.stderr.decode().strip()}")
    yield place
    subprocess.run(["umount", "-l", str(place)], check=True)


@pytest.mark.takes_seconds
def test_a_full_disk_is_named_and_what_is_there_stays(bench: Bench, small_disk: Path) -> None:
    text = suite(QUICK, "clusters", "follow-line-tabled", "maker-breaker", repeats=5)
    session = bench(text, out=small_disk / "out")
    _, err = session.communicate(timeout=HANG_S)
    path = small_disk / "out" / "records.jsonl"
    assert session.returncode == 2
    assert "Traceback" not in err
    assert err.splitlines()[-1].startswith(f"{path}: cannot write records: no space left on device (")
    records = read_records(path)
    assert records.warnings == ()
    assert len(records.runs) >= 1
    assert records.end is None

    # With room again it goes on to the end, and no run is made twice.
    subprocess.run(["mount", "-o", "remount,size=4m", str(small_disk)], check=True)
    again = bench(text, "--resume", out=small_disk / "out")
    again.communicate(timeout=HANG_S)
    assert again.returncode == 0
    whole = read_records(path)
    assert whole.runs[: len(records.runs)] == records.runs
    assert whole.warnings == ()
    assert whole.end is not None
    assert whole.end.runs == len(whole.runs) == 18


@pytest.mark.takes_seconds
def test_a_file_that_may_not_grow_is_named(bench: Bench, tmp_path: Path) -> None:
    """The same without a file system of its own; a line that fits in part is taken back."""

    def limit() -> None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (6_000, 6_000))

    session = bench(suite(QUICK, "clusters", "follow-line-tabled", repeats=5), preexec_fn=limit)
    _, err = session.communicate(timeout=HANG_S)
    path = tmp_path / "out" / "records.jsonl"
    assert session.returncode == 2
    assert err.splitlines()[-1].startswith("out/records.jsonl: cannot write records: file too large (")
    content = path.read_bytes()
    assert content.endswith(b"\n")
    assert json.loads(content.splitlines()[0])["record"] == "session"
    assert read_records(path).warnings == ()
