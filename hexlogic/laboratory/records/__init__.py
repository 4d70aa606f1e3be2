"""Records of measurements: their types, the files that hold them, and what may stand side by side.

Nothing here loads an engine, a kernel or a state machine: whoever reads results needs no more than this package.
"""

from hexlogic.laboratory.records.store import RecordFile, RecordWriter, frame, read_records
from hexlogic.laboratory.records.types import End, Playing, Run, Session
from hexlogic.process.limits import Limits

__all__ = ["End", "Limits", "Playing", "RecordFile", "RecordWriter", "Run", "Session", "frame", "read_records"]
