"""The child process of `call`: `python -m hexlogic.process.job` calls one function of hexlogic and ends.

It reads a JSON object from stdin, `{"function": "hexlogic.proofs.referee:compare", "task": {...}}`, and calls the
function with the entries of the task as keyword arguments and with `report`. It writes lines of JSON to stdout:
`{"progress": ...}` for each value that the function reports, and at the end `{"result": ...}` or, for a HexlogicError
and for terms that are nested too deeply, `{"error": "..."}`. Everything else that is printed goes to stderr.
"""

from __future__ import annotations

import os
import re
import sys
import threading
import time
from collections.abc import Callable
from importlib import import_module
from typing import IO, Any

from hexlogic.process.signals import interruptible

__all__ = ["check_name", "claim_stdout", "function_at", "main"]

_NAME = re.compile(r"hexlogic(\.[a-z][a-z_0-9]*)+:[a-z][a-z_0-9]*")
_PARENT_S = 1.0
"""Seconds between two looks at the parent process."""


def main() -> None:
    """Read the request, call the function, write its result."""
    interruptible()
    messages = claim_stdout()
    threading.Thread(target=_end_with_parent, args=(os.getppid(),), daemon=True).start()

    import msgspec

    from hexlogic.errors import HexlogicError

    def say(**message: object) -> None:
        messages.write(msgspec.json.encode(message) + b"\n")
        messages.flush()

    request = msgspec.json.decode(sys.stdin.buffer.read())
    try:
        say(result=function_at(request["function"])(**request["task"], report=lambda value: say(progress=value)))
    except HexlogicError as error:
        say(error=str(error))
    except RecursionError:
        say(error="what this is about is nested too deeply")
    os._exit(0)  # threads of a solver that was cancelled need not be waited for


def function_at(name: str) -> Callable[..., Any]:
    """The function of that name, `MODULE:FUNCTION`. Raises ValueError for one outside hexlogic."""
    check_name(name)
    module, _, function = name.partition(":")
    found: Callable[..., Any] = getattr(import_module(module), function)
    return found


def check_name(name: str) -> None:
    """Raise ValueError unless the text can name a public function of a module inside hexlogic.

    >>> check_name("os:system")
    Traceback (most recent call last):
    ValueError: 'os:system' does not name a public function of hexlogic
    """
    if _NAME.fullmatch(name) is None:
        raise ValueError(f"{name!r} does not name a public function of hexlogic")


def claim_stdout() -> IO[bytes]:
    """Keep stdout for messages: what Python or C code prints there from now on goes to stderr."""
    messages = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    return messages


def _end_with_parent(parent: int) -> None:
    """End this process when its parent has died, for systems whose kernel cannot be asked to do so (see `guard`)."""
    while os.getppid() == parent:
        time.sleep(_PARENT_S)
    os._exit(1)


if __name__ == "__main__":
    main()
