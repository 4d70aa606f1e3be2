"""The measured process: `python -m hexlogic.runs.worker` carries out one job and ends.

Job on stdin, messages on stdout (see `protocol`), all other output on stderr. What it imports is on every run's bill,
so it imports late, and without the garbage collector, which would go through the same modules again and again.
"""

from __future__ import annotations

import gc
import os
import sys
from typing import IO

from hexlogic.process.signals import interruptible

__all__ = ["main"]


def main() -> None:
    """Read the job, carry it out, write the reply."""
    gc.disable()
    interruptible()
    messages = _claim_stdout()

    import msgspec

    from hexlogic.errors import HexlogicError
    from hexlogic.runs.protocol import Message, Reply, Work, encode_message

    def tell(message: Message) -> None:
        messages.write(encode_message(message))
        messages.flush()

    job: Work = msgspec.json.decode(sys.stdin.buffer.read(), type=Work)
    try:
        from hexlogic.runs.work import execute

        reply = execute(job, tell)
    except MemoryError:
        reply = Reply(status="out-of-memory", text="Python could not get more memory")
    except HexlogicError as error:
        reply = Reply(status="error", text=str(error))
    tell(reply)


def _claim_stdout() -> IO[bytes]:
    """Keep stdout for messages: whatever an engine prints there, from Python or from C, goes to stderr."""
    messages = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    return messages


if __name__ == "__main__":
    main()
