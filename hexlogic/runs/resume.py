"""Go on with a session that was cut off: which file, and whether its runs may stand beside new ones."""

from __future__ import annotations

from pathlib import Path

from hexlogic.errors import SuiteError
from hexlogic.runs.records import Session
from hexlogic.runs.session import differences
from hexlogic.runs.store import FILE_NAME

__all__ = ["check_resumable", "last_folder"]


def last_folder(suite: str) -> Path:
    """The newest folder below `results/` with records of this suite. Raises SuiteError when there is none."""
    folders = sorted(path.parent for path in Path("results").glob(f"*-{suite}/{FILE_NAME}"))
    if not folders:
        raise SuiteError(
            f"no session of suite {suite} to resume", file="results", hint="name its folder with --out DIR"
        )
    return folders[-1]


def check_resumable(before: Session, now: Session) -> None:
    """Raise SuiteError when something that decides what is measured has changed since `before`: the two halves of the
    session would not be comparable, and its tables would mix them."""
    if changed := differences(before, now):
        raise SuiteError(f"the session cannot be resumed: {'; '.join(changed)}", hint="start a new one")
