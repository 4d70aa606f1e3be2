"""What is wrong with a text, as the pages show it: a message, and its place in the text."""

from __future__ import annotations

from hexlogic.errors import HexlogicError


def problem_of(error: HexlogicError, file: str) -> dict[str, object]:
    """An error as the page shows it; a place in another file, such as the board's, is no place in the text."""
    mine = error.file == file
    return problem(str(error), error.line if mine else None, error.column if mine else None)


def problem(message: str, line: int | None = None, column: int | None = None) -> dict[str, object]:
    """A message where an answer would stand."""
    return {"problem": {"message": message, "line": line, "column": column}}
