"""The measured process: `python -m hexlogic.laboratory.runs.worker` carries out one job and ends.

Job on stdin (see `kind`), messages on stdout (see `protocol`), all other output on stderr. What it imports is on every
run's bill, so it imports late, only the kind of its job, and without the garbage collector, which would go through the
same modules again and again.
"""

from __future__ import annotations

import gc
import sys

from hexlogic.process.job import claim_stdout
from hexlogic.process.signals import interruptible


def main() -> None:
    """Read the job, carry it out, write the reply."""
    gc.disable()
    interruptible()
    messages = claim_stdout()

    import msgspec

    from hexlogic.errors import HexlogicError, SizeError
    from hexlogic.laboratory.runs.protocol import Message, Reply, encode_message

    def tell(message: Message) -> None:
        messages.write(encode_message(message))
        messages.flush()

    job = sys.stdin.buffer.read()
    try:
        from hexlogic.laboratory.runs.kinds import KINDS

        kind = KINDS.load(msgspec.json.decode(job)["kind"])
        reply = kind.execute(msgspec.json.decode(job, type=kind.job), tell)
    except MemoryError:
        reply = Reply(status="out-of-memory", text="Python could not get more memory")
    except SizeError as error:
        reply = Reply(status="unsupported", text=str(error))
    except HexlogicError as error:
        reply = Reply(status="error", text=str(error))
    tell(reply)


if __name__ == "__main__":
    main()
