"""Run a tool that answers each request with one line of text.

The process stays in the process group of the caller, so that whoever limits a run ends both; it is killed when the
caller dies.
"""

from __future__ import annotations

import contextlib
import functools
import os
import re
import signal
import subprocess
import tempfile
import threading
from collections.abc import Iterator, Sequence
from typing import IO

from hexlogic.errors import EngineError
from hexlogic.process.guard import launch
from hexlogic.process.signals import ending

_CLOSING_S = 5.0


class LineProcess:
    """A running tool called `name`. When it dies, or a reply is given up, it is closed for good."""

    def __init__(self, name: str, command: Sequence[str], *, own_group: bool = False) -> None:
        """Start it. Raises EngineError when it cannot be started. With `own_group` it leads a process group of its own,
        which ends as a whole: for commands of a user, which may start others."""
        self._name = name
        self._own_group = own_group
        self._stderr: IO[bytes] = tempfile.TemporaryFile()  # noqa: SIM115 - closed by close()
        try:
            self._process = launch(
                command,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=self._stderr,
                start_new_session=own_group,
            )
        except OSError as error:
            self._stderr.close()
            raise EngineError(f"{name} does not start: {error}") from None

    @property
    def pid(self) -> int:
        """The number of the process."""
        return self._process.pid

    @property
    def returncode(self) -> int | None:
        """How the process ended, as `subprocess` tells it; None while it runs."""
        return self._process.returncode

    def send(self, text: str) -> None:
        """Write a request. Raises EngineError when nobody reads it any more."""
        if self._stderr.closed:
            raise EngineError(f"the {self._name} session is closed")
        assert self._process.stdin is not None
        try:
            self._process.stdin.write(text.encode())
            self._process.stdin.flush()
        except OSError:
            raise self._death() from None
        except BaseException:
            self.close()  # half a request would spoil the next one
            raise

    def receive(self) -> str:
        """The next line, without its end. Raises EngineError when the process ends instead."""
        assert self._process.stdout is not None
        try:
            line = self._process.stdout.readline()
        except BaseException:
            self.close()  # an interrupted question would hand its answer to the next one
            raise
        if not line.endswith(b"\n"):
            raise self._death()
        return line.decode(errors="replace").rstrip("\r\n")

    @contextlib.contextmanager
    def within(self, seconds: float, late: str) -> Iterator[None]:
        """Kill the process when what is done here takes longer: the EngineError that this causes then says `late`.

        After any EngineError the process is closed.
        """
        over = threading.Event()

        def stop() -> None:
            over.set()
            self.kill()

        timer = threading.Timer(seconds, stop)
        timer.daemon = True
        timer.start()
        try:
            yield
        except EngineError:
            self.close()
            if over.is_set():
                raise EngineError(late) from None
            raise
        finally:
            timer.cancel()

    def kill(self) -> None:
        """End the process from another thread: whoever waits for a reply gets an EngineError."""
        if self._own_group:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(self._process.pid, signal.SIGKILL)
        self._process.kill()

    def close(self) -> None:
        """End the process; a second call does nothing."""
        if self._stderr.closed:
            return
        self.kill()
        self._process.wait(_CLOSING_S)
        for stream in (self._process.stdin, self._process.stdout):
            assert stream is not None
            with contextlib.suppress(OSError):  # text that a dead process never read
                stream.close()
        self._stderr.close()

    def _death(self) -> EngineError:
        """What the end of the process looks like: exit code or signal, and its last words."""
        try:
            code = self._process.wait(_CLOSING_S)
        except subprocess.TimeoutExpired:
            code = None
        self._stderr.seek(0)
        last = " ".join(self._stderr.read().decode("utf-8", "replace").split("\n")[-6:]).strip()
        self.close()
        how = "closed its output" if code is None else f"{'was ' if code < 0 else ''}{ending(code)}"
        return EngineError(f"{self._name} {how}" + (f": {last}" if last else ""))


@functools.cache
def tool_version(name: str, binary: str) -> str:
    """The version that `BINARY --version` reports. Raises EngineError."""
    try:
        shown = subprocess.run([binary, "--version"], capture_output=True, text=True, timeout=30, check=True).stdout
    except (OSError, subprocess.SubprocessError) as error:
        raise EngineError(f"{name} --version: {error}") from None
    match = re.search(r"\d+(\.\d+)+", shown)
    if match is None:
        raise EngineError(f"{name} --version: no version in {shown.strip()!r}")
    return match.group()
