"""Files of records on disk: one in the folder of a session, or several, plain or compressed, that travel together."""

from __future__ import annotations

import gzip
import zlib
from pathlib import Path

from hexlogic.errors import SuiteError
from hexlogic.files import readable

__all__ = ["FILE_NAME", "read_content", "record_files"]

FILE_NAME = "records.jsonl"


def record_files(folder: Path) -> tuple[Path, ...]:
    """The files of records in a folder: that of its session, or every `*.jsonl` and `*.jsonl.gz`, sorted by name."""
    if (folder / FILE_NAME).exists():
        return (folder / FILE_NAME,)
    return tuple(sorted((*folder.glob("*.jsonl"), *folder.glob("*.jsonl.gz"))))


def read_content(path: Path) -> bytes:
    """The lines of a file of records, or of the one in a folder; `.gz` is unpacked.

    Raises SuiteError for a file that cannot be read or unpacked, and for a folder with several.
    """
    file = path
    if path.is_dir():
        found = record_files(path)
        if len(found) > 1:
            raise SuiteError(
                f"{path} holds {len(found)} files of records", hint=f"name one of them, for example {found[0]}"
            )
        file = found[0] if found else path / FILE_NAME
    with readable(file, "records", SuiteError):
        content = file.read_bytes()
    try:
        return gzip.decompress(content) if file.suffix == ".gz" else content
    except (EOFError, zlib.error, gzip.BadGzipFile):
        raise SuiteError("not a complete gzip file", file=str(file)) from None
