"""Write files so that an error names them: `open` does, a write to a full disk does not."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from pathlib import Path

__all__ = ["named", "write_text"]


@contextlib.contextmanager
def named(path: Path) -> Iterator[None]:
    """Let every OSError from here say that it was about `path`, unless it names a file itself."""
    try:
        yield
    except OSError as error:
        if error.filename is None:
            error.filename = str(path)
        raise


def write_text(path: Path, text: str) -> None:
    """Replace the content of a file, in UTF-8 with plain line ends. Raises OSError with the file's name."""
    with named(path):
        path.write_text(text, encoding="utf-8", newline="\n")
