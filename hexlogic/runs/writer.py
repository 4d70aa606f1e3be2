"""Write records: JSON lines, append-only, by one session at a time, so that whatever stops us leaves a readable file.

A line is handed to the system by one `write` to a file opened with O_APPEND: it is there when the process is killed the
moment after. `fsync` puts the file on the disk after the header, at the end, and with the first line that is written
more than five seconds after the last time: a machine that loses its power loses at most the lines since.
"""

from __future__ import annotations

import os
import time
from pathlib import Path

import msgspec

from hexlogic.errors import SuiteError
from hexlogic.files import reason_of
from hexlogic.process.lock import lock_in
from hexlogic.runs.records import Line, Session, encode_record
from hexlogic.runs.store import FILE_NAME, RecordFile, read_records

__all__ = ["LOCK_NAME", "RecordWriter"]

LOCK_NAME = "records.lock"
"""Beside the records while a session writes them: who it is, as JSON."""

_SYNC_S = 5.0


class RecordWriter:
    """Appends records to `folder/records.jsonl`, one line each. Open it before the first run: a folder that cannot
    be written, or that another session writes to, raises SuiteError at once, and so does one that already holds
    records, unless `resume` is given.

    Resuming appends to the file, after its last complete line: what a torn last line began is measured again.
    `before` is what the file of a resumed session holds; nothing is changed in it before the first `write`.
    """

    def __init__(self, folder: Path, *, resume: bool = False) -> None:
        self.path = folder / FILE_NAME
        self.before: RecordFile | None = None
        self._session: str | None = None
        self._fd = -1
        self._synced = time.monotonic()
        if resume:
            read_records(folder)  # a folder without records is told as such, and not made
        self._lock = lock_in(folder, LOCK_NAME, "records", SuiteError)
        try:
            if resume:
                self.before = read_records(folder)
                self._session = self.before.session.session
            elif self.path.exists() and self.path.stat().st_size:
                hint = "give another folder with --out, or go on with --resume"
                raise SuiteError(f"{self.path} holds records already", hint=hint)
            self._fd = os.open(self.path, os.O_RDWR | os.O_APPEND | os.O_CREAT, 0o644)
        except OSError as error:
            self._lock.release()
            raise _cannot_write(folder, error) from None
        except BaseException:
            self._lock.release()
            raise
        self._torn = resume

    def write(self, record: Line) -> None:
        """Append one line and hand it to the system; every line says which session wrote it.

        Raises SuiteError when there is no room for it: then nothing of the line is in the file.
        """
        if isinstance(record, Session):
            self._session = record.session
        else:
            record = msgspec.structs.replace(record, session=self._session)
        try:
            if self._torn:
                os.ftruncate(self._fd, self.path.read_bytes().rfind(b"\n") + 1)
                self._torn = False
            self._append(encode_record(record) + b"\n")
            if isinstance(record, Session) or time.monotonic() > self._synced + _SYNC_S:
                os.fsync(self._fd)
                self._synced = time.monotonic()
        except OSError as error:
            raise SuiteError(
                f"cannot write records: {reason_of(error)}",
                file=str(self.path),
                hint="what was measured before is in the file; make room, then go on with --resume",
            ) from None

    def close(self) -> None:
        """Close the file, on the disk as well as in the system, and let other sessions have it."""
        if self._fd < 0:
            return
        fd, self._fd = self._fd, -1
        try:
            os.fsync(fd)
        except OSError as error:
            raise _cannot_write(self.path, error) from None
        finally:
            os.close(fd)
            self._lock.release()

    def __enter__(self) -> RecordWriter:
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


def _cannot_write(place: Path, error: OSError) -> SuiteError:
    return SuiteError(f"cannot write records to {place}: {reason_of(error)}", hint="give another folder with --out")
