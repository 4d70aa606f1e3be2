"""Write records: JSON lines, append-only, by one session at a time."""

from __future__ import annotations

from pathlib import Path

import msgspec

from hexlogic.process.line_file import LineFile
from hexlogic.runs.records import Line, Session, encode_record
from hexlogic.runs.store import FILE_NAME, RecordFile, read_records

__all__ = ["RecordWriter"]


class RecordWriter(LineFile[RecordFile]):
    """Appends records to `folder/records.jsonl`, one line each. Open it before the first run: for the errors see
    `LineFile`. What a torn last line of a resumed session began is measured again."""

    def __init__(self, folder: Path, *, resume: bool = False) -> None:
        super().__init__(folder, FILE_NAME, "records", read_records, resume=resume)
        self._session = self.before.session.session if self.before else None

    def write(self, record: Line) -> None:
        """Append one line; every line says which session wrote it. Raises SuiteError when there is no room for it."""
        if isinstance(record, Session):
            self._session = record.session
        else:
            record = msgspec.structs.replace(record, session=self._session)
        self.append(encode_record(record), sync=isinstance(record, Session))
