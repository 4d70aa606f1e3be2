"""Every status, provoked by a real process that plays the worker."""

from __future__ import annotations

import sys

import pytest

from hexlogic.laboratory.records.types import Phases, Sizes
from hexlogic.laboratory.runs.kind import (
    Classification,
    Message,
    classify,
    encode_message,
    read_messages,
)
from hexlogic.process.isolate import run_isolated
from hexlogic.process.limits import Limits

BUILT = {"program_hash": "p", "dialect": "prolog", "sizes": Sizes(rules=1, facts=2, literals=3)}
PHASES = Phases(transform_s=0.1, start_s=0.2, load_s=0.3)
ASKED = encode_message(Message(status="asked", phases=PHASES, asked_cpu_s=0.4, **BUILT)).decode()
YES = encode_message(Message(status="answered", answer=True, **BUILT)).decode()
NO = encode_message(Message(status="answered", answer=False, **BUILT)).decode()


def play(
    code: str,
    *,
    expected: bool = True,
    complete: bool = True,
    cpu_s: float = 30,
    wall_s: float = 60,
    memory_mb: float = 500,
) -> Classification:
    """The verdict on a worker that runs this code; `say(text)` writes to its stdout."""
    limits = Limits.of(cpu_s=cpu_s, wall_s=wall_s, memory_mb=memory_mb)
    prelude = "import os, sys, time\ndef say(text): sys.stdout.write(text); sys.stdout.flush()\n"
    outcome = run_isolated([sys.executable, "-S", "-c", prelude + code], b"", limits)
    return classify(outcome, expected=expected, complete=complete)


def test_right_answer() -> None:
    verdict = play(f"say({ASKED!r}); say({YES!r})")
    assert (verdict.status, verdict.category, verdict.answer, verdict.message) == ("answered", "correct", True, None)


def test_wrong_answer() -> None:
    verdict = play(f"say({YES!r})", expected=False)
    assert (verdict.status, verdict.category, verdict.answer) == ("answered", "wrong", True)
    assert verdict.message == "answered yes, the oracle says no"


def test_incomplete_rule_set_may_miss_a_win() -> None:
    verdict = play(f"say({NO!r})", expected=True, complete=False)
    assert (verdict.status, verdict.category, verdict.answer) == ("answered", "unknown", False)


def test_incomplete_rule_set_may_not_invent_one() -> None:
    assert play(f"say({YES!r})", expected=False, complete=False).category == "wrong"


@pytest.mark.takes_seconds
def test_sleep_is_a_timeout_with_its_phases() -> None:
    verdict = play(f"say({ASKED!r}); time.sleep(6000)", wall_s=10)
    assert (verdict.status, verdict.category, verdict.answer) == ("timeout", "unknown", None)
    assert verdict.message == "wall clock limit reached"
    assert verdict.said is not None
    assert verdict.said.phases.load_s == 0.3


def test_burning_is_a_timeout() -> None:
    verdict = play("while True: pass", cpu_s=0.3)
    assert verdict.status == "timeout"
    assert verdict.message == "CPU limit reached before the query began"


@pytest.mark.takes_seconds
def test_answer_after_the_limit_does_not_count() -> None:
    """The line is complete and right, and the process goes on until it is killed."""
    verdict = play(f"say({YES!r})\nwhile True: pass", cpu_s=2)
    assert (verdict.status, verdict.answer) == ("timeout", None)


def test_allocating_is_out_of_memory() -> None:
    verdict = play("hoard = []\nwhile True: hoard.append(b'x' * 10_000_000); time.sleep(0.005)", memory_mb=150)
    assert (verdict.status, verdict.message) == ("out-of-memory", "memory limit reached before the query began")


def test_python_out_of_memory_says_so() -> None:
    reply = encode_message(Message(status="out-of-memory", text="no more")).decode()
    assert play(f"say({reply!r})").status == "out-of-memory"


def test_abort_is_a_crash() -> None:
    verdict = play(f"say({ASKED!r}); print('stack is broken', file=sys.stderr, flush=True); os.abort()")
    assert (verdict.status, verdict.message) == ("crashed", "ended by SIGABRT: stack is broken")


def test_answer_of_a_crash_does_not_count() -> None:
    verdict = play(f"say({YES!r}); os.abort()")
    assert (verdict.status, verdict.answer, verdict.said) == ("crashed", None, None)


def test_exit_code_is_a_crash() -> None:
    assert play(f"say({YES!r}); sys.exit(3)").message == "ended with exit code 3 before the query began"


@pytest.mark.parametrize(
    "said",
    [
        "",
        "garbage",
        "garbage\n",
        '{"message":"reply"}\n',
        YES[:-1],
        YES[:20] + "\n",
        YES + "Bus error",
        YES + "bye\n",
        ASKED,
    ],
    ids=[
        "nothing",
        "torn garbage",
        "garbage",
        "half a reply",
        "no line end",
        "torn",
        "torn after",
        "last words",
        "asked",
    ],
)
def test_garbage_is_a_crash_though_it_exits_with_0(said: str) -> None:
    verdict = play(f"say({said!r})")
    assert (verdict.status, verdict.answer) == ("crashed", None)
    assert verdict.message is not None
    assert "without a complete answer" in verdict.message


def test_bytes_that_are_no_text() -> None:
    assert read_messages(b"\xff\xfe\n\x00\n") == (None, None)


def test_noise_before_the_reply_is_passed_over() -> None:
    assert play(f"say('loading...\\n'); say({YES!r})").category == "correct"


@pytest.mark.parametrize("status", ["error", "unsupported"])
def test_reasons_are_kept(status: str) -> None:
    reply = YES.replace("answered", status).replace('"text":null', '"text":"too wide"')
    verdict = play(f"say({reply!r})")
    assert (verdict.status, verdict.category, verdict.answer, verdict.message) == (status, "unknown", None, "too wide")


def test_surviving_child_does_not_spoil_the_answer() -> None:
    code = "import subprocess; subprocess.Popen([sys.executable, '-S', '-c', 'import time; time.sleep(600)'])\n"
    assert play(f"{code}say({YES!r})").category == "correct"
