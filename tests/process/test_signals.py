"""Programs that were started with signals ignored, and what they end with."""

from __future__ import annotations

import signal

import pytest

from hexlogic.process.signals import Terminated, exit_status
from tests.waiting import HANG_S, Started

WAITER = """
import sys, time
from hexlogic.process.signals import ended_in_order, exit_status, interruptible
interruptible()
try:
    with ended_in_order():
        print("ready", flush=True)
        while True: time.sleep(1000)
except KeyboardInterrupt as end:
    sys.exit(exit_status(end))
"""


def ignore() -> None:
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, signal.SIG_IGN)


@pytest.mark.parametrize("preexec", [None, ignore], ids=["plain", "ignored"])
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_the_exit_status_names_the_signal(start: Started, number: int, preexec: object) -> None:
    process = start(WAITER, preexec_fn=preexec)
    assert process.stdout.readline() == "ready\n"
    process.send_signal(number)
    assert process.wait(HANG_S) == 128 + number


def test_hang_up_ends_a_program_unless_it_is_ignored(start: Started) -> None:
    # As at a terminal, although the tests themselves may run under `nohup`.
    process = start(WAITER, preexec_fn=lambda: signal.signal(signal.SIGHUP, signal.SIG_DFL))
    process.stdout.readline()
    process.send_signal(signal.SIGHUP)
    assert process.wait(HANG_S) == 128 + signal.SIGHUP

    process = start(WAITER, preexec_fn=lambda: signal.signal(signal.SIGHUP, signal.SIG_IGN))
    process.stdout.readline()
    process.send_signal(signal.SIGHUP)
    process.send_signal(signal.SIGTERM)
    assert process.wait(HANG_S) == 128 + signal.SIGTERM


def test_children_of_an_interruptible_program_are_interruptible(start: Started) -> None:
    code = """
    import subprocess, sys
    from hexlogic.process.signals import interruptible
    interruptible()
    code = "import signal; print(signal.getsignal(2) is signal.SIG_IGN)"
    sys.exit(subprocess.run([sys.executable, "-S", "-c", code]).returncode)
    """
    process = start(code, preexec_fn=ignore)
    assert process.communicate()[0].strip() == "False"


def test_the_status_of_what_caused_an_error() -> None:
    abort = RuntimeError()
    abort.__cause__ = Terminated(signal.SIGTERM)
    assert exit_status(abort) == 143
    assert exit_status(RuntimeError()) == exit_status(None) == 130
