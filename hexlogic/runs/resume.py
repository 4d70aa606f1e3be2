"""Go on with a session that was cut off: which file, and whether its runs may stand beside new ones."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

from hexlogic.errors import SuiteError
from hexlogic.runs.records import Session
from hexlogic.runs.session import differences
from hexlogic.runs.store import FILE_NAME, default_folder

__all__ = ["check_resumable", "session_folder"]


def session_folder(suite: str, resume: bool) -> Path:
    """Where the records of a session go unless told. Raises SuiteError when there is none to resume."""
    return _last_folder(suite) if resume else default_folder(suite, datetime.now(UTC))


def check_resumable(before: Session, now: Session) -> None:
    """Raise SuiteError when something that decides what is measured has changed since `before`: the two halves of the
    session would not be comparable, and its tables would mix them."""
    if changed := differences(before, now):
        raise SuiteError(f"the session cannot be resumed: {'; '.join(changed)}", hint="start a new one")


def _last_folder(suite: str) -> Path:
    """The newest folder below `results/` with records of this suite. Raises SuiteError when there is none."""
    folders = sorted(path.parent for path in Path("results").glob(f"*-{suite}/{FILE_NAME}"))
    if not folders:
        raise SuiteError(
            f"no session of suite {suite} to resume", file="results", hint="name its folder with --out DIR"
        )
    return folders[-1]
