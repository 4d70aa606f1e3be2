"""Lock files that name their holder; the lock of a dead process is free.

The lock is `flock` on the file: the kernel releases it when its holder ends, however it ends, and children do not
inherit it. On a network file system `flock` works across machines where the server offers it (NFS 4 does); a file
system without it raises OSError, never a lock that does not lock.
"""

from __future__ import annotations

import contextlib
import errno
import fcntl
import os
import shlex
import socket
import sys
from datetime import UTC, datetime
from pathlib import Path

from hexlogic.errors import HexlogicError
from hexlogic.process.files import reason_of

_LONGEST = 1_000
"""Bytes of a lock file that are read."""


class Held(Exception):  # noqa: N818 - a state, not a mistake
    """Another process holds the lock; the message names its number, host, start (UTC) and command, once it has said."""


class FileLock:
    """Holds the lock of `path` until `release` or the end of the process. Raises Held, and OSError for a file that
    cannot be made or locked."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._fd = _acquire(path)
        since = f"{datetime.now(UTC):%Y-%m-%dT%H:%M:%SZ}"
        holder = f"process {os.getpid()} on {socket.gethostname()} since {since}: {shlex.join(sys.argv)}"
        try:
            os.ftruncate(self._fd, 0)
            os.write(self._fd, holder.encode(errors="replace"))
        except OSError as error:
            self.release()
            raise OSError(error.errno, error.strerror, str(path)) from None

    def release(self) -> None:
        """Remove the file and give the lock up; a second call does nothing."""
        if self._fd < 0:
            return
        with contextlib.suppress(OSError):
            self._path.unlink()  # while it is locked: whoever opened it meanwhile sees that it is gone
        os.close(self._fd)
        self._fd = -1


def lock_in(folder: Path, name: str, what: str, kind: type[HexlogicError] = HexlogicError) -> FileLock:
    """Make a folder and hold the lock of that name in it. Raises an error of this kind when that cannot be: `what` is
    what cannot be written there."""
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


def _acquire(path: Path) -> int:
    while True:
        fd = os.open(path, os.O_RDWR | os.O_CREAT, 0o644)
        try:
            fcntl.flock(fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
            if _is_at(fd, path):
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


def _is_at(fd: int, path: Path) -> bool:
    """Whether the open file is the one at `path`."""
    try:
        return os.path.samestat(os.fstat(fd), path.stat())
    except FileNotFoundError:
        return False
