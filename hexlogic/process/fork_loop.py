"""The fork server's process: `python -m hexlogic.process.fork_loop MODULE:FUNCTION` forks a fresh child for each job.

It calls the function once, which imports and prepares whatever the jobs need, and then reads messages in JSON from the
Unix socket that is its stdin. `{"mark": M, "cpu": [SOFT, HARD]}` comes with three descriptors, which become stdin,
stdout and stderr of a child that runs `job.main`; the answer is `{"pid": N}`. `{"reap": N}` waits for that child, and
answers with its wait status and CPU seconds. It ends when the socket is closed.

A job never runs in this process, and no child runs two jobs: nothing that one job leaves behind can reach another.
This process has one thread, so that a fork copies no lock that somebody else holds.
"""

from __future__ import annotations

import array
import contextlib
import ctypes
import gc
import json
import os
import resource
import signal
import socket
import sys
import traceback
from collections.abc import Sequence
from typing import Any, Final

from hexlogic.process import job
from hexlogic.process.process_tree import MARK

LARGEST_MESSAGE: Final = 4096
"""Bytes of a message."""
_STREAMS: Final = 3
_DEATH_SIGNAL: Final = 1
"""PR_SET_PDEATHSIG of prctl(2)."""


def main() -> None:
    """Prepare, then fork until the socket is closed."""
    with socket.socket(fileno=os.dup(0)) as channel:
        job.function_at(sys.argv[1])()
        gc.collect()
        gc.freeze()  # so that the collectors of children do not copy what they only look at
        while True:
            words, passed, _, _ = channel.recvmsg(LARGEST_MESSAGE, socket.CMSG_SPACE(_STREAMS * 4))
            if not words:
                return
            streams = array.array("i", b"".join(data for _, _, data in passed))
            message = json.loads(words)
            if "reap" in message:
                _, status, spent = os.wait4(message["reap"], 0)
                answer = {"status": status, "cpu_s": spent.ru_utime + spent.ru_stime}
            else:
                answer = {"pid": _fork(channel, streams, message)}
                for stream in streams:
                    os.close(stream)
            channel.send(json.dumps(answer).encode())


def _fork(channel: socket.socket, streams: Sequence[int], message: dict[str, Any]) -> int:
    """The number of a child that leads its own session and process group already."""
    parent = os.getpid()
    ready, tell = os.pipe()
    pid = os.fork()
    if pid == 0:
        try:
            os.setsid()
            _end_with(parent)
            resource.setrlimit(resource.RLIMIT_CPU, tuple(message["cpu"]))
            os.environ[MARK] = message["mark"]  # for processes that the job starts
            for number, stream in enumerate(streams):
                os.dup2(stream, number)
            for used in (*streams, ready, channel.detach()):
                os.close(used)
            os.close(tell)
            job.main()
        except BaseException:
            traceback.print_exc()
        finally:
            with contextlib.suppress(OSError, ValueError):
                sys.stderr.flush()
            os._exit(1)
    os.close(tell)
    os.read(ready, 1)  # the end of the pipe: the group exists, or the child has failed
    os.close(ready)
    return pid


def _end_with(parent: int) -> None:
    """Have the kernel kill this process when its parent dies; what a fork inherits does not include that."""
    ctypes.CDLL(None).prctl(_DEATH_SIGNAL, signal.SIGKILL)
    if os.getppid() != parent:
        os._exit(1)


if __name__ == "__main__":
    main()
