"""Jobs in forks: the same as in new processes, each fresh, ended at their limits, and gone with their server."""

from __future__ import annotations

import os
import signal
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

import psutil
import pytest

from hexlogic.errors import EngineError
from hexlogic.process.call import Died, Stopped, call_isolated
from hexlogic.process.fork_server import ForkServer
from hexlogic.process.limits import Limits
from tests.waiting import HANG_S, Started, gone, wait_for, wait_for_line

ROOMY = Limits.of(cpu_s=300, wall_s=HANG_S, memory_mb=2000)
SOLVE = "hexlogic.ground.solving:solve"
SIZE = "hexlogic.gdl.export.size:measure_kif"
PREPARE = "hexlogic.games:game_names"
ENDLESS = "n(0). n(X+1) :- n(X)."

pytestmark = pytest.mark.skipif(not ForkServer.works_here(), reason="forks are watched by what only Linux has")


@pytest.fixture
def forks() -> Iterator[ForkServer]:
    server = ForkServer(PREPARE)
    yield server
    server.close()


def loop_of(forks: ForkServer) -> psutil.Process:
    """The process that forks."""
    forks.begin()
    return wait_for(lambda: next((p for p in psutil.Process().children() if PREPARE in p.cmdline()), None))


def test_results_errors_and_deaths_are_those_of_a_new_process(forks: ForkServer) -> None:
    text = "(role r) (base p) (base q) (<= (next p) (true q)) (<= (next q) (true p))"
    assert call_isolated(SIZE, {"text": text}, ROOMY, forks=forks) == call_isolated(SIZE, {"text": text}, ROOMY)
    with pytest.raises(EngineError, match=r"^clingo: .*syntax error") as raised:
        call_isolated(SOLVE, {"text": "a :- b"}, ROOMY, forks=forks)
    assert not isinstance(raised.value, Died)
    with pytest.raises(Died, match="unexpected keyword argument 'colour'"):
        call_isolated(SOLVE, {"colour": "red"}, ROOMY, forks=forks)


@pytest.mark.parametrize(
    ("limits", "termination"),
    [
        (Limits.of(cpu_s=300, wall_s=1.5, memory_mb=20_000), "wall-limit"),
        (Limits.of(cpu_s=1, wall_s=HANG_S, memory_mb=20_000), "cpu-limit"),
        (Limits.of(cpu_s=300, wall_s=HANG_S, memory_mb=200), "memory-limit"),
    ],
    ids=["wall", "cpu", "memory"],
)
def test_grounding_without_an_end_ends_at_the_limit(forks: ForkServer, limits: Limits, termination: str) -> None:
    with pytest.raises(Stopped) as raised:
        call_isolated(SOLVE, {"text": ENDLESS}, limits, forks=forks)
    assert raised.value.termination == termination
    assert loop_of(forks).children() == []


def test_each_job_is_a_process_of_its_own_and_leaves_none(forks: ForkServer) -> None:
    loop = loop_of(forks)
    stop = threading.Event()
    with ThreadPoolExecutor() as pool:
        running = [
            pool.submit(call_isolated, SOLVE, {"text": ENDLESS}, ROOMY, stop=stop, forks=forks) for _ in range(3)
        ]
        children = wait_for(lambda: found if len(found := loop.children()) == 3 else [])
        assert len({os.getsid(child.pid) for child in children} | {os.getsid(0), os.getsid(loop.pid)}) == 5
        # A short job beside them is not kept waiting.
        assert call_isolated(SOLVE, {"text": "a."}, ROOMY, forks=forks)
        stop.set()
        for job in running:
            with pytest.raises(Stopped, match="on demand"):
                job.result()
    assert gone(children)
    assert loop.children() == []  # and none is left as a zombie


def test_a_fork_server_that_was_killed_is_started_again(forks: ForkServer) -> None:
    call_isolated(SOLVE, {"text": "a."}, ROOMY, forks=forks)
    first = loop_of(forks)
    with ThreadPoolExecutor() as pool:
        running = pool.submit(call_isolated, SOLVE, {"text": ENDLESS}, ROOMY, forks=forks)
        (child,) = wait_for(lambda: [child for child in first.children() if child.cpu_times().user > 0.3])
        first.send_signal(signal.SIGKILL)
        with pytest.raises(Died):
            running.result()
        assert gone([child])
    assert call_isolated(SOLVE, {"text": "a."}, ROOMY, forks=forks)
    assert loop_of(forks).pid != first.pid


def test_nothing_outside_hexlogic_prepares() -> None:
    with pytest.raises(ValueError, match="does not name a public function of hexlogic"):
        ForkServer("os:abort")


def test_what_cannot_prepare_is_said(forks: ForkServer) -> None:
    broken = ForkServer("hexlogic.games:no_such_function")
    with pytest.raises(EngineError, match="does not start"):
        call_isolated(SOLVE, {"text": "a."}, ROOMY, forks=broken)


def test_server_and_children_do_not_outlive_their_caller(start: Started, tmp_path) -> None:
    code = """
        import math, pathlib, sys, threading, time
        import psutil
        from hexlogic.process.call import call_isolated
        from hexlogic.process.fork_server import ForkServer
        from hexlogic.process.limits import Limits

        def tell():
            while not (found := psutil.Process().children(recursive=True))[1:] or found[1].cpu_times().user < 0.2:
                time.sleep(0.02)
            pathlib.Path(sys.argv[1]).write_text(f"children {found[0].pid} {found[1].pid}\\n")

        threading.Thread(target=tell, daemon=True).start()
        limits = Limits(cpu_s=math.inf, wall_s=math.inf, memory_bytes=sys.maxsize)
        call_isolated("hexlogic.ground.solving:solve", {"text": "n(1..9). h(A,B,C,D,E,F,G,H,I) :- n(A), n(B), n(C), "
            "n(D), n(E), n(F), n(G), n(H), n(I)."}, limits, forks=ForkServer("hexlogic.games:game_names"))
    """
    caller = start(code, str(tmp_path / "children"))
    wait_for_line(tmp_path / "children", b"children", caller)
    children = [int(number) for number in (tmp_path / "children").read_text().split()[1:]]
    caller.kill()
    assert gone(children)
