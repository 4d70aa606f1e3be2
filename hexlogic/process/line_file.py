"""Append lines to a file, one session at a time, so that the file stays readable whatever stops the session.

A line is handed to the system by one `write` to a file opened with O_APPEND: it is there when the process is killed the
moment after. `fsync` puts the file on the disk at the end, with each line that asks for it, and with the first line
that is written more than five seconds after the last time: a machine that loses power loses at most the lines since.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from pathlib import Path
from typing import Final, Generic, Self, TypeVar

from hexlogic.errors import SuiteError
from hexlogic.process.files import reason_of
from hexlogic.process.lock import lock_in

_SYNC_S: Final = 5.0

_Content = TypeVar("_Content")


def complete_lines(content: bytes) -> tuple[list[bytes], bool]:
    """The lines that end with a line end, and whether there is more: a last line that a killed session left torn.

    >>> complete_lines(b"one\\ntwo\\nthr")
    ([b'one', b'two'], True)
    """
    *lines, torn = content.split(b"\n")
    return lines, bool(torn)


class LineFile(Generic[_Content]):
    """Appends lines to `folder/name`, and holds the lock `folder/STEM.lock` meanwhile. A folder that cannot be written,
    or that another session writes to, raises SuiteError at once, and so does one that already holds `what` (the lines,
    in a word), unless `resume` is given.

    Resuming appends to the file after its last complete line. `before` is what `read` finds in the file of a resumed
    session (None in a new one); nothing is changed in it before the first `append`.
    """

    def __init__(
        self, folder: Path, name: str, what: str, read: Callable[[Path], _Content], *, resume: bool = False
    ) -> None:
        self.path = folder / name
        self.before: _Content | None = None
        self._what = what
        self._fd = -1
        self._synced = time.monotonic()
        self._torn = resume
        if resume:
            read(folder)  # a folder without such a file is an error, and is not made
        self._lock = lock_in(folder, self.path.with_suffix(".lock").name, what, SuiteError)
        try:
            if resume:
                self.before = read(folder)
            elif self.path.exists() and self.path.stat().st_size:
                hint = "give another folder with --out, or go on with --resume"
                raise SuiteError(f"{self.path} holds {what} already", hint=hint)
            self._fd = os.open(self.path, os.O_RDWR | os.O_APPEND | os.O_CREAT, 0o644)
        except OSError as error:
            self._lock.release()
            raise self._cannot_write(folder, error) from None
        except BaseException:
            self._lock.release()
            raise

    def append(self, line: bytes, *, sync: bool = False) -> None:
        """Append one line, given without its line end, and hand it to the system; `sync` puts it on the disk too.

        Raises SuiteError when there is no room for it: then nothing of the line is in the file.
        """
        try:
            if self._torn:
                os.ftruncate(self._fd, self.path.read_bytes().rfind(b"\n") + 1)
                self._torn = False
            self._append(line + b"\n")
            if sync or time.monotonic() > self._synced + _SYNC_S:
                os.fsync(self._fd)
                self._synced = time.monotonic()
        except OSError as error:
            raise SuiteError(
                f"cannot write {self._what}: {reason_of(error)}",
                file=str(self.path),
                hint="what was written before is in the file; make room, then go on with --resume",
            ) from None

    def close(self) -> None:
        """Close the file, on the disk as well as in the system, and let other sessions have it."""
        if self._fd < 0:
            return
        fd, self._fd = self._fd, -1
        try:
            os.fsync(fd)
        except OSError as error:
            raise self._cannot_write(self.path, error) from None
        finally:
            os.close(fd)
            self._lock.release()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _append(self, line: bytes) -> None:
        size = os.fstat(self._fd).st_size
        written = os.write(self._fd, line)
        try:
            while written < len(line):  # the disk filled up in the middle: the next write tells why
                written += os.write(self._fd, line[written:])
        except OSError:
            os.ftruncate(self._fd, size)
            raise

    def _cannot_write(self, place: Path, error: OSError) -> SuiteError:
        return SuiteError(
            f"cannot write {self._what} to {place}: {reason_of(error)}", hint="give another folder with --out"
        )
