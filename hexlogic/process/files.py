"""Read files, `-` being standard input, and write them, so that an error names them: a full disk does not."""

from __future__ import annotations

import contextlib
import errno
import functools
import os
import sys
from collections.abc import Iterator
from pathlib import Path

from hexlogic.errors import HexlogicError

STDIN = Path("-")
"""Standard input, wherever a command takes a file."""


@contextlib.contextmanager
def named(path: Path) -> Iterator[None]:
    """Let every OSError from here say that it was about `path`, unless it names a file itself."""
    try:
        yield
    except OSError as error:
        if error.filename is None:
            error.filename = str(path)
        raise


@contextlib.contextmanager
def readable(path: Path, what: str = "", kind: type[HexlogicError] = HexlogicError) -> Iterator[None]:
    """Let every OSError and UnicodeDecodeError from here be an error of this kind: `FILE: cannot read WHAT: reason`,
    or `FILE: cannot be read: reason` and `FILE: this is not UTF-8 text` where nothing says what it is to be."""
    cannot = f"cannot read {what}: " if what else ""
    try:
        yield
    except UnicodeDecodeError:
        raise kind(f"{cannot}this is not UTF-8 text", file=str(path)) from None
    except OSError as error:
        raise kind(f"{cannot or 'cannot be read: '}{reason_of(error)}", file=str(path)) from None


def reason_of(error: OSError) -> str:
    """What the system says, in small letters."""
    return (error.strerror or str(error)).lower()


def write_text(path: Path, text: str) -> None:
    """Replace the content of a file, in UTF-8 with plain line ends. Raises OSError with the file's name."""
    with named(path):
        path.write_text(text, encoding="utf-8", newline="\n")


def check_writable(path: Path) -> None:
    """Raise OSError, before long work, when a file cannot be written for want of a folder or because it is one."""
    if path.is_dir():
        raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), str(path))
    if not path.parent.is_dir():
        raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT), str(path))


def read_bytes(path: Path) -> bytes:
    """The content of a file; `-` is standard input, read once and then the same. Raises OSError."""
    return _standard_input() if path == STDIN else path.read_bytes()


def read_text(path: Path, encoding: str = "utf-8") -> str:
    """The text of a file, `\\r\\n` as `\\n`; `-` is standard input. Raises OSError and UnicodeDecodeError.

    A `\\r` alone stays: clingo's comments go on behind it.
    """
    return read_bytes(path).decode(encoding).replace("\r\n", "\n")


@functools.cache
def _standard_input() -> bytes:
    return sys.stdin.buffer.read()
