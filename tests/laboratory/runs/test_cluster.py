"""A real scheduler with real workers on loopback; some of them are killed, and nothing is lost."""

from __future__ import annotations

import contextlib
import json
import os
import signal
import subprocess
import sys
import threading
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import psutil
import pytest

from hexlogic.cli import run
from hexlogic.errors import HexlogicError
from hexlogic.laboratory.records import read_records
from hexlogic.laboratory.records.store import RecordFile
from hexlogic.laboratory.runs import on_cluster
from hexlogic.laboratory.runs import run as execution
from hexlogic.process.cluster import CallStopped, Cluster, NoWorker, is_cluster, open_cluster
from tests.waiting import HANG_S, gone, wait_for

SUITE = """
name = "tiny"
boards = ["difficult-1@3..4"]
repeats = 1
limits = { cpu_s = 30, memory_mb = 800, wall_s = 3600 }
[[configurations]]
rule_sets = ["clusters", "follow-line-tabled"]
pipelines = ["none", "ground,reorder"]
engines = ["clingo", "pydatalog"]
"""

RUNS = 2 * 2 * 2 * 2 * 2

RENAMING = "import os, socket\nsocket.gethostname = lambda name=os.environ.get('TEST_HOST') or 'here': name\n"
"""Read by Python at its start: gives each worker the name of a machine of its own."""


def _address(file: Path) -> str:
    """Of the scheduler, once it has written the whole file."""
    try:
        return str(json.loads(file.read_text())["address"])
    except (OSError, ValueError):
        return ""


class Scheduler:
    """A scheduler, and workers by name of their pretended machine."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        (folder / "site").mkdir()
        (folder / "site" / "sitecustomize.py").write_text(RENAMING)
        self._processes: list[subprocess.Popen[bytes]] = []
        self._start("scheduler", "--host", "127.0.0.1", "--port", "0", "--no-dashboard", "--scheduler-file", "at.json")
        self.address: str = wait_for(lambda: _address(folder / "at.json"))

    def worker(self, host: str) -> subprocess.Popen[bytes]:
        """A new worker that will be there soon."""
        return self._start(
            "worker", self.address, "--host", "127.0.0.1", "--nthreads", "1", "--no-nanny", "--no-dashboard", host=host
        )

    def _start(self, *arguments: str, host: str = "") -> subprocess.Popen[bytes]:
        paths = [str(self._folder / "site"), *filter(None, [os.environ.get("PYTHONPATH")])]
        environment = {**os.environ, "TEST_HOST": host, "PYTHONPATH": os.pathsep.join(paths)}
        process = subprocess.Popen(
            [sys.executable, "-m", "dask", *arguments],
            cwd=self._folder,
            env=environment,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )
        self._processes.append(process)
        return process

    def wait_for(self, number: int) -> None:
        """Until so many workers are there."""
        with open_cluster(f"dask:{self.address}", 0) as cluster:
            wait_for(lambda: sum(map(len, cluster.hosts().values())) >= number)

    def close(self) -> None:
        """Kill everything."""
        for process in reversed(self._processes):
            with contextlib.suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)
            process.wait()


@pytest.fixture
def scheduler(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Scheduler]:
    """A scheduler without workers, and the suite in the current folder."""
    monkeypatch.chdir(tmp_path)
    Path("tiny.toml").write_text(SUITE)
    made = Scheduler(tmp_path)
    yield made
    made.close()


def bench(scheduler: Scheduler, *more: str) -> list[str]:
    return ["bench", "--suite", "tiny.toml", "--executor", f"dask:{scheduler.address}", "--out", "out", *more]


def killer(process: subprocess.Popen[bytes], path: Path, lines: int) -> threading.Thread:
    """Kills a worker, without warning, as soon as so many records are there."""

    def watch() -> None:
        wait_for(lambda: path.exists() and path.read_bytes().count(b"\n") >= lines)
        os.killpg(process.pid, signal.SIGKILL)

    thread = threading.Thread(target=watch)
    thread.start()
    return thread


def is_whole(records: RecordFile) -> bool:
    assert records.end is not None
    keys = Counter(one.key for one in records.runs)
    return records.end.reason == "completed" and max(keys.values()) == 1


@pytest.mark.takes_seconds
def test_a_killed_worker_loses_nothing(scheduler: Scheduler, capsys: pytest.CaptureFixture[str]) -> None:
    first, _ = scheduler.worker("one"), scheduler.worker("one")
    scheduler.wait_for(2)
    thread = killer(first, Path("out/one/records.jsonl"), 6)
    assert run(bench(scheduler)) == 0
    thread.join()
    out, _ = capsys.readouterr()
    assert "records: out/one/records.jsonl" in out
    records = read_records(Path("out/one"))
    assert is_whole(records)
    assert len(records.runs) == RUNS
    assert all(one.category == "correct" for one in records.runs)


class Answer:
    """What `submit` gives: each time that the result is asked for, the next of these things happens."""

    def __init__(self, *things: object, status: str = "pending") -> None:
        self._things = list(things)
        self.status = status
        self.cancelled = False

    def done(self) -> bool:
        return True

    def result(self, timeout: float) -> object:
        thing = self._things.pop(0) if len(self._things) > 1 else self._things[0]
        if isinstance(thing, BaseException):
            raise thing
        return thing

    def cancel(self, force: bool) -> None:
        self.cancelled = True


class FewWorkers:
    """A client of a cluster that has one worker, or none any more."""

    def __init__(self, answer: Answer, workers: int) -> None:
        self.answer, self.workers = answer, workers

    def submit(self, *_: object, **__: object) -> Answer:
        return self.answer

    def nthreads(self) -> dict[str, int]:
        return {"tcp://here": 1} if self.workers else {}

    def run(self, *_: object, **__: object) -> dict[str, str]:
        return {"tcp://here": "one"}

    def scheduler_info(self) -> dict[str, str]:
        return {"address": "tcp://there"}


def ask(answer: Answer, workers: int = 1) -> object:
    try:
        return Cluster(FewWorkers(answer, workers)).call("one", None, len, [])  # type: ignore[arg-type]
    finally:
        assert answer.cancelled or not workers


def test_an_answer_that_could_not_be_fetched_is_asked_for_again(monkeypatch: pytest.MonkeyPatch) -> None:
    """distributed fails in itself when a worker dies in the moment in which its answer is fetched."""
    monkeypatch.setattr("hexlogic.process.cluster._LOOK_S", 0.0)
    monkeypatch.setattr("hexlogic.process.cluster._COME_BACK_S", 0.0)
    trouble = UnboundLocalError("of distributed")
    assert ask(Answer(trouble, trouble, 7)) == 7
    with pytest.raises(NoWorker, match="no worker is left on one"):
        ask(Answer(trouble), workers=0)
    with pytest.raises(KeyError, match="of the function"):
        ask(Answer(KeyError("of the function"), 7, status="error"))


@pytest.mark.takes_seconds
def test_an_error_of_one_run_ends_the_session(
    scheduler: Scheduler, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Nobody goes on waiting for the worker that it happened on."""
    scheduler.worker("one")
    scheduler.wait_for(1)
    real = Cluster.call

    def call(self: Cluster, host: str, stop: threading.Event | None, function: object, *args: object) -> object:
        if function is on_cluster._run:
            raise RuntimeError("out of order")
        return real(self, host, stop, function, *args)  # type: ignore[arg-type]

    monkeypatch.setattr(execution, "measure_floors", lambda *_, **__: ())
    monkeypatch.setattr(Cluster, "call", call)
    assert run(bench(scheduler)) not in (0, 2)
    assert "internal error: RuntimeError: out of order" in capsys.readouterr().err
    records = read_records(Path("out/one"))
    assert (records.runs, records.end) == ((), None)


@pytest.mark.slow
def test_what_a_lost_machine_left_is_done_by_others_on_demand(
    scheduler: Scheduler, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    first, _ = scheduler.worker("one"), scheduler.worker("two")
    scheduler.wait_for(2)
    monkeypatch.setattr("hexlogic.process.cluster._COME_BACK_S", 1.0)
    thread = killer(first, Path("out/one/records.jsonl"), 4)
    assert run(bench(scheduler)) == 2
    thread.join()
    assert "no worker is left on one" in capsys.readouterr().err
    assert is_whole(read_records(Path("out/two")))
    assert run(bench(scheduler, "--resume")) == 0
    left = read_records(Path("out/two"))
    assert is_whole(left)
    assert len({(one.rule_set, one.pipeline, one.engine, one.task) for one in left.runs}) == 16


@pytest.mark.slow
def test_each_machine_has_its_own_session(scheduler: Scheduler, capsys: pytest.CaptureFixture[str]) -> None:
    for host in ("one", "two", "two"):
        scheduler.worker(host)
    scheduler.wait_for(3)
    assert run(bench(scheduler)) == 0
    capsys.readouterr()
    files = [read_records(Path("out") / host) for host in ("one", "two")]
    groups = [{(one.rule_set, one.engine) for one in file.runs} for file in files]
    assert not groups[0] & groups[1]
    assert len(groups[0] | groups[1]) == 4
    assert [file.session.warm_up_jobs for file in files] == [1, 2]

    # Going on with it: nothing is left to do, and each machine keeps what it had.
    assert run(bench(scheduler, "--resume")) == 0
    assert [read_records(Path("out") / host).runs for host in ("one", "two")] == [file.runs for file in files]


@pytest.mark.takes_seconds
def test_other_code_is_refused(
    scheduler: Scheduler, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    scheduler.worker("one")
    scheduler.wait_for(1)
    monkeypatch.setattr(on_cluster, "code_hash", lambda: "other")
    assert run(bench(scheduler)) == 2
    assert "the worker on one has other code than this" in capsys.readouterr().err


def test_interrupted_on_a_cluster_of_its_own(tmp_path: Path) -> None:
    """`--executor dask` starts its workers itself, and leaves none behind."""
    text = SUITE.replace('"clusters", "follow-line-tabled"', '"power-set"')
    (tmp_path / "tiny.toml").write_text(text.replace("3..4", "9"))
    command = [sys.executable, "-m", "hexlogic", "bench", "--suite", "tiny.toml", "--executor", "dask", "--out", "out"]
    process = subprocess.Popen(
        [*command, "--engines", "pydatalog"], cwd=tmp_path, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True
    )

    def at_work() -> list[psutil.Process]:
        found = psutil.Process(process.pid).children(recursive=True)
        with contextlib.suppress(psutil.Error):
            if any("hexlogic.laboratory.runs.worker" in " ".join(child.cmdline()) for child in found):
                return found
        return []

    workers = wait_for(at_work, process)
    process.send_signal(signal.SIGINT)
    _, err = process.communicate(timeout=HANG_S)
    assert process.returncode == 130, err
    assert "Traceback" not in err
    assert "warn" not in err
    assert gone(workers)
    (path,) = (tmp_path / "out").glob("*/records.jsonl")
    records = read_records(path)
    assert records.end is not None
    assert records.end.reason == "interrupted"


@pytest.mark.takes_seconds
def test_calls_say_how_they_end(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("hexlogic.process.cluster._COME_BACK_S", 1.0)
    with open_cluster("dask", 2) as cluster:
        ((host, workers),) = cluster.hosts().items()
        assert len(workers) == 2
        assert cluster.call(host, None, os.getpid) != os.getpid()
        with pytest.raises(ZeroDivisionError):
            cluster.call(host, None, divmod, 1, 0)
        stop = threading.Event()
        threading.Timer(0.5, stop.set).start()
        with pytest.raises(CallStopped):
            cluster.call(host, stop, time.sleep, 30)
        with pytest.raises(NoWorker):
            cluster.call("nowhere", None, os.getpid)


@pytest.mark.parametrize("text", ["dusk", "dask:", "local:x", ""])
def test_executors_that_mean_nothing(text: str) -> None:
    with pytest.raises(HexlogicError, match="unknown executor"):
        is_cluster(text)


def test_nobody_at_that_address(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    from hexlogic.process import cluster

    monkeypatch.setattr(cluster, "_CONNECT_S", 1.0)
    assert run(["bench", "--executor", "dask:tcp://127.0.0.1:9"]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert err.startswith("no scheduler at tcp://127.0.0.1:9")
    assert err.count("\n") == 1


@pytest.mark.takes_seconds
def test_a_killed_scheduler_is_named_and_its_runs_are_kept(
    scheduler: Scheduler, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    scheduler.worker("one")
    scheduler.wait_for(1)
    thread = killer(scheduler._processes[0], Path("out/one/records.jsonl"), 6)
    assert run(bench(scheduler)) == 2
    thread.join()
    last = capsys.readouterr().err.splitlines()[-1]
    kept = len(read_records(Path("out/one")).measurements)
    assert last == f"the scheduler at {scheduler.address} is gone; {kept} runs are kept in out (--resume goes on)"
    # Without the cluster, what is of this machine goes on; what is of another is named.
    assert run(["bench", "--suite", "tiny.toml", "--out", "out", "--resume"]) == 2
    assert "out: its records are of other machines: one" in capsys.readouterr().err
    monkeypatch.setattr("socket.gethostname", lambda: "one")
    assert run(["bench", "--suite", "tiny.toml", "--out", "out", "--resume"]) == 0
    assert is_whole(read_records(Path("out/one")))
