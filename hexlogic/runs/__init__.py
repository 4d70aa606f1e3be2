"""Runs: plan, isolated execution under limits, and records.

This front door names the records and their store, which is all a reader of results needs; `plan`, `run` and `suite`,
which need engines, are imported by their own names.
"""

from hexlogic.process.limits import Limits
from hexlogic.runs.frames import frame
from hexlogic.runs.records import End, Playing, Run, Session
from hexlogic.runs.store import RecordFile, read_records
from hexlogic.runs.writer import RecordWriter

__all__ = ["End", "Limits", "Playing", "RecordFile", "RecordWriter", "Run", "Session", "frame", "read_records"]
