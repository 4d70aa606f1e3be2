"""Processes are found by a mark in their environment, wherever they went."""

from __future__ import annotations

import os
import uuid

import psutil

from hexlogic.process.process_tree import end_marked, find_marked
from tests.waiting import Started, gone

NAME = "HEXLOGIC_TEST_MARK"
DAEMON = """
import os, sys, time
if os.fork() == 0:  # a grandchild in a session of its own, whose parent is gone
    os.setsid()
    if os.fork() == 0:
        print(os.getpid(), flush=True)
        time.sleep(1000)
    os._exit(0)
"""


def test_a_daemon_is_found_and_ended(start: Started) -> None:
    mark = uuid.uuid4().hex
    parent = start(DAEMON, env={**os.environ, NAME: mark})
    pid = int(parent.stdout.readline())
    assert parent.wait() == 0
    assert [process.pid for process in find_marked(NAME, mark)] == [pid]
    assert find_marked(NAME, mark, without=[pid]) == []
    assert find_marked(NAME, mark, started_after=psutil.Process(pid).create_time() + 1) == []
    assert [number for number, _ in end_marked(NAME, mark)] == [pid]
    assert gone([pid])
    assert end_marked(NAME, mark) == []


def test_others_are_left_alone(start: Started) -> None:
    other = start("import sys; print('on', flush=True); sys.stdin.read()", env={**os.environ, NAME: "another"})
    assert other.stdout.readline() == "on\n"
    assert end_marked(NAME, uuid.uuid4().hex) == []
    assert other.poll() is None
