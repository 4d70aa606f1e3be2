"""Go on with a session that was cut off: which file, and whether its runs may stand beside new ones."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

import msgspec

from hexlogic.errors import SuiteError
from hexlogic.laboratory.records.comparable import differences
from hexlogic.laboratory.records.store import FILE_NAME, default_folder
from hexlogic.laboratory.records.types import Resumed, Session
from hexlogic.laboratory.runs.session import iso
from hexlogic.process.load import load_1m


def session_folder(suite: str, resume: bool) -> Path:
    """Where the records of a session go unless told: a new folder, or the newest one of this suite to resume.

    Raises SuiteError when there is none to resume.
    """
    if not resume:
        return default_folder(suite, datetime.now(UTC))
    folders = sorted(path.parent for path in Path("results").glob(f"*-{suite}/{FILE_NAME}"))
    if not folders:
        raise SuiteError(
            f"no session of suite {suite} to resume", file="results", hint="name its folder with --out DIR"
        )
    return folders[-1]


def resumed(before: Session, now: Session, started: datetime) -> tuple[Session, Resumed]:
    """The header of a session that goes on, under the name it has in its file, and the line that says so.

    Raises SuiteError when something that decides what is measured has changed since `before`: the two halves of the
    session would not be comparable, and its tables would mix them.
    """
    if changed := differences(before, now):
        raise SuiteError(f"the session cannot be resumed: {'; '.join(changed)}", hint="start a new one")
    line = Resumed(at=iso(started), command=now.command, load_1m=load_1m())
    return msgspec.structs.replace(now, session=before.session), line
