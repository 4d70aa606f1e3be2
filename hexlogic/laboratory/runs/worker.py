"""The measured process carries out one configuration and ends.

Configuration on stdin (see `kind`), messages on stdout, all other output on stderr. What it imports is
on every run's bill, so it imports late, only the kind of its configuration, and without the garbage collector, which
would go through the same modules again and again.
"""

import gc
import os
import sys

from hexlogic.process.call import COMPILE_FIRST, claim_stdout
from hexlogic.process.signals import interruptible


def main() -> None:
    """Read the configuration, carry it out, write the reply."""
    gc.disable()
    os.environ[COMPILE_FIRST] = "1"
    interruptible()
    messages = claim_stdout()

    import msgspec

    from hexlogic.laboratory.runs.kind import Message, carry_out, encode_message
    from hexlogic.laboratory.runs.kinds import KINDS

    def tell(message: Message) -> None:
        messages.write(encode_message(message))
        messages.flush()

    job = sys.stdin.buffer.read()
    kind = KINDS.load(msgspec.json.decode(job)["kind"])
    tell(carry_out(msgspec.json.decode(job, type=kind), tell))
