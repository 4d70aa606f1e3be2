"""The measured process carries out one configuration and ends.

Configuration on stdin (see `kind`), messages on stdout (see `verdict`), all other output on stderr. What it imports is
on every run's bill, so it imports late, only the kind of its configuration, and without the garbage collector, which
would go through the same modules again and again.
"""

from __future__ import annotations

import gc
import sys

from hexlogic.process.call import claim_stdout
from hexlogic.process.signals import interruptible


def main() -> None:
    """Read the configuration, carry it out, write the reply."""
    gc.disable()
    interruptible()
    messages = claim_stdout()

    import msgspec

    from hexlogic.laboratory.runs.kind import carry_out
    from hexlogic.laboratory.runs.kinds import KINDS
    from hexlogic.laboratory.runs.verdict import Message, encode_message

    def tell(message: Message) -> None:
        messages.write(encode_message(message))
        messages.flush()

    job = sys.stdin.buffer.read()
    kind = KINDS.load(msgspec.json.decode(job)["kind"])
    tell(carry_out(msgspec.json.decode(job, type=kind), tell))
