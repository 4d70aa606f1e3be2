"""Every way a run can end, provoked by a real process."""

from __future__ import annotations

import gc
import os
import signal
import sys
import threading

import psutil
import pytest

from hexlogic.process.isolate import Outcome, run_isolated
from hexlogic.process.limits import Limits
from tests.waiting import HANG_S, Ready, gone

ROOMY = Limits.of(cpu_s=300, wall_s=HANG_S, memory_mb=2000)


def python(code: str, limits: Limits = ROOMY, stdin: bytes = b"", stop: threading.Event | None = None) -> Outcome:
    return run_isolated([sys.executable, "-S", "-c", code], stdin, limits, stop=stop)


def test_completes_with_output_and_usage() -> None:
    outcome = python("import sys; print(sys.stdin.read().upper()); print('oh', file=sys.stderr)", stdin=b"abc")
    assert (outcome.termination, outcome.exit_code, outcome.exit_signal) == ("completed", 0, None)
    assert (outcome.stdout, outcome.stderr) == (b"ABC\n", b"oh\n")
    assert 0 < outcome.usage.cpu_s < ROOMY.cpu_s
    assert 0 < outcome.usage.wall_s < ROOMY.wall_s


def test_exit_code_is_kept() -> None:
    assert python("raise SystemExit(7)").exit_code == 7


def test_sleeper_meets_the_wall_limit() -> None:
    outcome = python("import time; time.sleep(6000)", Limits.of(cpu_s=300, wall_s=0.3, memory_mb=500))
    assert outcome.termination == "wall-limit"
    assert outcome.exit_signal == signal.SIGKILL
    assert outcome.usage.cpu_s < 5


def test_burner_meets_the_cpu_limit() -> None:
    outcome = python("while True: pass", Limits.of(cpu_s=0.3, wall_s=HANG_S, memory_mb=500))
    assert outcome.termination == "cpu-limit"
    assert outcome.usage.cpu_s > 0.3


def test_cpu_of_children_counts() -> None:
    code = "import subprocess, sys; subprocess.run([sys.executable, '-S', '-c', 'while True: pass'])"
    assert python(code, Limits.of(cpu_s=0.5, wall_s=HANG_S, memory_mb=500)).termination == "cpu-limit"


def test_cpu_of_finished_children_counts() -> None:
    """Many short children, each far below the limit and gone before the next begins."""
    burn = "import time\nwhile time.process_time() < 0.05: pass"
    code = f"import subprocess, sys\nwhile True: subprocess.run([sys.executable, '-S', '-c', {burn!r}])"
    assert python(code, Limits.of(cpu_s=0.6, wall_s=HANG_S, memory_mb=500)).termination == "cpu-limit"


def test_late_completion_is_late() -> None:
    """Done between two samples, but beyond the limit: the answer does not count."""
    code = "import time\nwhile time.process_time() < 0.2: pass\nprint('done')"
    outcome = python(code, Limits.of(cpu_s=0.1, wall_s=HANG_S, memory_mb=500))
    assert outcome.termination == "cpu-limit"


def test_allocator_meets_the_memory_limit() -> None:
    code = "import time\nhoard = []\nwhile True: hoard.append(bytearray(b'x' * 10_000_000)); time.sleep(0.005)"
    outcome = python(code, Limits.of(cpu_s=30, wall_s=HANG_S, memory_mb=150))
    assert outcome.termination == "memory-limit"
    assert outcome.usage.peak_bytes > 150_000_000


def test_memory_of_children_counts() -> None:
    hoard = "import time; x = bytearray(b'x' * 200_000_000); time.sleep(6000)"
    code = f"import subprocess, sys; subprocess.run([sys.executable, '-S', '-c', {hoard!r}])"
    assert python(code, Limits.of(cpu_s=30, wall_s=HANG_S, memory_mb=150)).termination == "memory-limit"


def test_abort_is_its_own_death() -> None:
    outcome = python("import os; os.abort()")
    assert (outcome.termination, outcome.exit_code, outcome.exit_signal) == ("completed", None, signal.SIGABRT)


@pytest.mark.parametrize("own_session", [False, True], ids=["in the group", "in a session of its own"])
def test_no_child_survives(own_session: bool) -> None:
    code = (
        "import subprocess, sys\n"
        f"child = subprocess.Popen([sys.executable, '-S', '-c', 'import time; time.sleep(600)'],"
        f" start_new_session={own_session})\n"
        "print(child.pid)\n"
    )
    outcome = python(code)
    assert outcome.termination == "completed"
    assert gone([int(outcome.stdout)])


def test_stop_interrupts(ready: Ready) -> None:
    stop = threading.Event()
    say = ready(stop.set)
    outcome = python(f"import os, time; print(os.getpid(), flush=True); {say}; time.sleep(6000)", stop=stop)
    assert outcome.termination == "interrupted"
    assert gone([int(outcome.stdout)])


@pytest.mark.filterwarnings("ignore:unclosed file:ResourceWarning")
def test_exception_leaves_nothing_behind(ready: Ready) -> None:
    """Ctrl-C arrives as an exception in the middle of the wait, perhaps while psutil has a file of /proc open."""
    others = set(psutil.Process(os.getpid()).children())
    main = threading.main_thread().ident
    assert main is not None
    say = ready(lambda: signal.pthread_kill(main, signal.SIGINT))
    with pytest.raises(KeyboardInterrupt):
        python(f"import time; {say}; time.sleep(6000)")
    gc.collect()
    assert not set(psutil.Process(os.getpid()).children()) - others


def test_much_output_does_not_block() -> None:
    assert len(python("print('x' * 3_000_000)").stdout) == 3_000_001
