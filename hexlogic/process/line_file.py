"""Append lines to a file, one session at a time, so that the file stays readable whatever stops the session.

A line is handed to the system by one `write` to a file opened with O_APPEND: it is there when the process is killed the
moment after. `fsync` puts the file on the disk at the end, with each line that asks for it, and with the first line
that is written more than five seconds after the last time.

A lock file names its holder. The lock is `flock` on it: the kernel releases it when its holder ends, however it ends.
A file system without `flock` raises OSError, never a lock that does not lock.
"""

import contextlib
import errno
import fcntl
import os
import shlex
import socket
import sys
import time
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Final, Generic, Self, TypeVar

from hexlogic.errors import HexlogicError, SuiteError
from hexlogic.process.files import named, reason_of

_Content = TypeVar("_Content")

_SYNC_S: Final = 5.0
_LONGEST: Final = 1_000  # Bytes of a lock file that are read


class Held(Exception):  # noqa: N818 - a state, not a mistake
    """Another process holds the lock; the message names its number, host, start (UTC) and command, once it has said."""


class FileLock:
    """Holds the lock of `path` until `release` or the end of the process. Raises Held and OSError."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._fd = _acquire(path)
        since = f"{datetime.now(UTC):%Y-%m-%dT%H:%M:%SZ}"
        holder = f"process {os.getpid()} on {socket.gethostname()} since {since}: {shlex.join(sys.argv)}"
        try:
            with named(path):
                os.ftruncate(self._fd, 0)
                os.write(self._fd, holder.encode(errors="replace"))
        except OSError:
            self.release()
            raise

    def release(self) -> None:
        """Remove the file and give the lock up; a second call does nothing."""
        if self._fd < 0:
            return
        with contextlib.suppress(OSError):
            self._path.unlink()  # while it is locked: whoever opened it meanwhile sees that it is gone
        os.close(self._fd)
        self._fd = -1


def lock_in(folder: Path, name: str, what: str, kind: type[HexlogicError] = HexlogicError) -> FileLock:
    """Make a folder and hold a lock in it. Raises `kind` when `what` cannot be written there."""
    another = "give another folder with --out"
    try:
        folder.mkdir(parents=True, exist_ok=True)
        return FileLock(folder / name)
    except FileExistsError:
        raise kind(f"{folder} is not a folder", hint=another) from None
    except Held as held:
        raise kind(f"{folder} is being written to by {held}", hint=f"wait for it, or {another}") from None
    except OSError as error:
        raise kind(f"cannot write {what} to {folder}: {reason_of(error)}", hint=another) from None


@contextlib.contextmanager
def new_file(folder: Path, name: str, what: str) -> Iterator[Path]:
    """The path of a new file in a folder, held for the caller meanwhile. Makes the folder.

    Raises HexlogicError when the file cannot be written, is there already or is held by another process, so that it is
    known before the work begins; `what` is what it is to hold.
    """
    path = folder / name
    lock = lock_in(folder, path.with_suffix(".lock").name, what)
    try:
        if path.exists():
            raise HexlogicError(f"{path} is there already", hint="give another folder with --out")
        yield path
    finally:
        lock.release()


def _acquire(path: Path) -> int:
    while True:
        fd = os.open(path, os.O_RDWR | os.O_CREAT, 0o644)
        try:
            fcntl.flock(fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
            with contextlib.suppress(FileNotFoundError):
                if os.path.samestat(os.fstat(fd), path.stat()):
                    return fd
        except BlockingIOError:
            holder = os.pread(fd, _LONGEST, 0).decode(errors="replace")
            os.close(fd)
            raise Held("".join(filter(str.isprintable, holder)) or "another session") from None
        except OSError as error:
            os.close(fd)
            without = error.errno in (errno.ENOLCK, errno.EOPNOTSUPP, errno.ENOSYS)
            reason = "the file system has no locks" if without else error.strerror
            raise OSError(error.errno, reason, str(path)) from None
        os.close(fd)  # its last holder removed it between opening and locking: take the new one


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
        with contextlib.ExitStack() as on_error, self._writing(folder):
            on_error.callback(self._lock.release)
            if resume:
                self.before = read(folder)
            elif self.path.exists() and self.path.stat().st_size:
                hint = "give another folder with --out, or go on with --resume"
                raise SuiteError(f"{self.path} holds {what} already", hint=hint)
            self._fd = os.open(self.path, os.O_RDWR | os.O_APPEND | os.O_CREAT, 0o644)
            on_error.pop_all()

    def append(self, line: bytes, *, sync: bool = False) -> None:
        """Append one line, given without its line end, and hand it to the system; `sync` puts it on the disk too.
        Raises SuiteError when there is no room for it: then nothing of the line is in the file."""
        try:
            if self._torn:
                os.ftruncate(self._fd, self.path.read_bytes().rfind(b"\n") + 1)
                self._torn = False
            size, rest = os.fstat(self._fd).st_size, line + b"\n"
            try:
                while rest:  # more than once where the disk fills up in the middle: the next write tells why
                    rest = rest[os.write(self._fd, rest) :]
            except OSError:
                os.ftruncate(self._fd, size)
                raise
            if sync or time.monotonic() > self._synced + _SYNC_S:
                os.fsync(self._fd)
                self._synced = time.monotonic()
        except OSError as error:
            what = f"cannot write {self._what}: {reason_of(error)}"
            hint = "what was written before is in the file; make room, then go on with --resume"
            raise SuiteError(what, file=str(self.path), hint=hint) from None

    def close(self) -> None:
        """Close the file, on the disk as well as in the system, and let other sessions have it."""
        if self._fd < 0:
            return
        fd, self._fd = self._fd, -1
        try:
            with self._writing(self.path):
                os.fsync(fd)
        finally:
            os.close(fd)
            self._lock.release()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    @contextlib.contextmanager
    def _writing(self, place: Path) -> Iterator[None]:
        try:
            yield
        except OSError as error:
            hint = "give another folder with --out"
            raise SuiteError(f"cannot write {self._what} to {place}: {reason_of(error)}", hint=hint) from None
