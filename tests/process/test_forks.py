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
from hexlogic.games import game_names
from hexlogic.ggp.propnet.ground_size import measure_kif
from hexlogic.language.ground.solving import solve
from hexlogic.process.call import Died, Stopped, call_isolated, name_of
from hexlogic.process.forks import ForkServer
from hexlogic.process.limits import Limits
from tests.waiting import HANG_S, Started, gone, wait_for, wait_for_line

ROOMY = Limits.of(cpu_s=300, wall_s=HANG_S, memory_mb=2000)
ENDLESS = "n(0). n(X+1) :- n(X)."

pytestmark = pytest.mark.skipif(not ForkServer.works_here(), reason="forks are watched by what only Linux has")


@pytest.fixture
def forks() -> Iterator[ForkServer]:
    server = ForkServer(game_names)
    yield server
    server.close()


def loop_of(forks: ForkServer) -> psutil.Process:
    """The process that forks."""
    forks.begin()

    def found() -> psutil.Process | None:
        running = (p for p in psutil.Process().children() if p.status() != psutil.STATUS_ZOMBIE)
        return next((p for p in running if name_of(game_names) in p.cmdline()), None)

    return wait_for(found)


def test_results_errors_and_deaths_are_those_of_a_new_process(forks: ForkServer) -> None:
    text = "(role r) (base p) (base q) (<= (next p) (true q)) (<= (next q) (true p))"
    assert call_isolated(measure_kif, {"text": text}, ROOMY, start=forks.start) == call_isolated(
        measure_kif, {"text": text}, ROOMY
    )
    with pytest.raises(EngineError, match=r"^clingo: .*syntax error") as raised:
        call_isolated(solve, {"text": "a :- b"}, ROOMY, start=forks.start)
    assert not isinstance(raised.value, Died)
    with pytest.raises(Died, match="unknown field `colour`"):
        call_isolated(solve, {"colour": "red"}, ROOMY, start=forks.start)


@pytest.mark.takes_seconds(keep=5)
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
        call_isolated(solve, {"text": ENDLESS}, limits, start=forks.start)
    assert raised.value.termination == termination
    assert loop_of(forks).children() == []


def test_each_job_is_a_process_of_its_own_and_leaves_none(forks: ForkServer) -> None:
    loop = loop_of(forks)
    stop = threading.Event()
    with ThreadPoolExecutor() as pool:
        running = [
            pool.submit(call_isolated, solve, {"text": ENDLESS}, ROOMY, stop=stop, start=forks.start) for _ in range(3)
        ]

        def sessions() -> set[int]:
            """Those of the children; a child that was just forked is in that of its parent yet."""
            return {os.getsid(child.pid) for child in loop.children()} - {os.getsid(0), os.getsid(loop.pid)}

        wait_for(lambda: len(sessions()) == 3)
        children = loop.children()
        assert len(children) == 3
        # A short job beside them is not kept waiting.
        assert call_isolated(solve, {"text": "a."}, ROOMY, start=forks.start)
        stop.set()
        for job in running:
            with pytest.raises(Stopped, match="on demand"):
                job.result()
    assert gone(children)
    assert loop.children() == []  # and none is left as a zombie


def test_a_fork_server_that_was_killed_is_started_again(forks: ForkServer) -> None:
    call_isolated(solve, {"text": "a."}, ROOMY, start=forks.start)
    first = loop_of(forks)
    with ThreadPoolExecutor() as pool:
        running = pool.submit(call_isolated, solve, {"text": ENDLESS}, ROOMY, start=forks.start)
        (child,) = wait_for(lambda: [child for child in first.children() if child.cpu_times().user > 0.3])
        first.send_signal(signal.SIGKILL)
        with pytest.raises(Died):
            running.result()
        assert gone([child])
    assert call_isolated(solve, {"text": "a."}, ROOMY, start=forks.start)
    assert loop_of(forks).pid != first.pid


def test_what_no_process_can_import_is_refused() -> None:
    with pytest.raises(ValueError, match="is not a function of a module that another process can import"):
        ForkServer(lambda: None)


def test_what_cannot_prepare_is_said() -> None:
    broken = ForkServer(os.abort)
    with pytest.raises(EngineError, match="does not start"):
        call_isolated(solve, {"text": "a."}, ROOMY, start=broken.start)


def test_server_and_children_do_not_outlive_their_caller(start: Started, tmp_path) -> None:
    code = """
        import math, pathlib, sys, threading, time
        import psutil
        from hexlogic.games import game_names
        from hexlogic.language.ground.solving import solve
        from hexlogic.process.call import call_isolated
        from hexlogic.process.forks import ForkServer
        from hexlogic.process.limits import Limits

        def tell():
            while not (found := psutil.Process().children(recursive=True))[1:] or found[1].cpu_times().user < 0.2:
                time.sleep(0.02)
            pathlib.Path(sys.argv[1]).write_text(f"children {found[0].pid} {found[1].pid}\\n")

        threading.Thread(target=tell, daemon=True).start()
        limits = Limits(cpu_s=math.inf, wall_s=math.inf, memory_bytes=sys.maxsize)
        call_isolated(solve, {
            "text": "n(1..9). h(A,B,C,D,E,F,G,H,I) :- n(A), n(B), n(C), "
            "n(D), n(E), n(F), n(G), n(H), n(I)."}, limits, start=ForkServer(game_names).start)
    """
    caller = start(code, str(tmp_path / "children"))
    wait_for_line(tmp_path / "children", b"children", caller)
    children = [int(number) for number in (tmp_path / "children").read_text().split()[1:]]
    caller.kill()
    assert gone(children)


SEEN: list[int] = []


def seen() -> list[int]:
    """What a process before this one has left in memory, and this one."""
    return [*SEEN, os.getpid()]


def seen_of_both() -> list[int]:
    """The same of a job of this job."""
    SEEN.append(os.getpid())
    server = ForkServer(game_names, inside=True)
    try:
        return call_isolated(seen, {}, ROOMY, start=server.start)
    finally:
        server.close()


def test_inside_a_job_a_fork_of_it_starts_others(forks: ForkServer) -> None:
    loop = loop_of(forks)
    outer, inner = call_isolated(seen_of_both, {}, ROOMY, start=forks.start)
    assert len({os.getpid(), loop.pid, outer, inner}) == 4
    assert gone([outer, inner])
    assert loop.is_running()
