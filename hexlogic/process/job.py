"""The child process of `call`: `python -m hexlogic.process.job` calls one function and ends.

It reads a JSON object from stdin, `{"function": "hexlogic.proofs.referee:compare", "task": {...}}`, and calls the
function with the entries of the task as keyword arguments, decoded as it annotates them. It writes lines of JSON to
stdout: `{"progress": ...}` for each value that the function gives to its parameter `report`, and at the end
`{"result": ...}` or, for a HexlogicError and for terms that are nested too deeply, `{"error": "..."}`. Everything else
that is printed goes to stderr.
"""

from __future__ import annotations

import inspect
import os
import sys
import threading
import time
from collections.abc import Callable, Mapping
from importlib import import_module
from typing import IO, Generic, TypeVar, get_args, get_type_hints

import msgspec

from hexlogic.errors import HexlogicError
from hexlogic.process.signals import interruptible

Result = TypeVar("Result")
_PARENT_S = 1.0
"""Seconds between two looks at the parent process."""


def main() -> None:
    """Read the request, call the function, write its result."""
    interruptible()
    messages = claim_stdout()
    threading.Thread(target=_end_with_parent, args=(os.getppid(),), daemon=True).start()

    def say(**message: object) -> None:
        messages.write(msgspec.json.encode(message) + b"\n")
        messages.flush()

    request = msgspec.json.decode(sys.stdin.buffer.read())
    try:
        signature = Signature(function_at(request["function"]))
        say(result=signature.call(request["task"], lambda value: say(progress=value)))
    except HexlogicError as error:
        say(error=str(error))
    except RecursionError:
        say(error="what this is about is nested too deeply")
    os._exit(0)  # threads of a solver that was cancelled need not be waited for


class Signature(Generic[Result]):
    """How the arguments of a function, its reports and its result are decoded from plain JSON, as it annotates them.

    `message` is the structure whose fields are the function's parameters, `report` left out.
    """

    def __init__(self, function: Callable[..., Result]) -> None:
        self._function = function
        self._types = get_type_hints(function)
        self.message: type[msgspec.Struct] = msgspec.defstruct(
            function.__name__,
            [
                (name, self._types[name])
                if parameter.default is parameter.empty
                else (name, self._types[name], parameter.default)
                for name, parameter in inspect.signature(function).parameters.items()
                if name != "report"
            ],
            kw_only=True,
            forbid_unknown_fields=True,
        )

    def call(self, task: Mapping[str, object], report: Callable[..., None]) -> Result:
        """The function's result; it is given `report` where it has a parameter of that name. Raises
        msgspec.ValidationError for a task that does not fit."""
        arguments = arguments_in(msgspec.convert(task, self.message))
        return self._function(**arguments, **({"report": report} if "report" in self._types else {}))

    def reported(self, value: object) -> object:
        """A value that the function gave to `report: Callable[[TYPE], None]`."""
        return msgspec.convert(value, get_args(self._types["report"])[0][0])

    def result(self, value: object) -> Result:
        """The result that was `value` in JSON."""
        decoded: Result = msgspec.convert(value, self._types["return"])
        return decoded


def arguments_in(message: msgspec.Struct) -> dict[str, object]:
    """The fields of a message as keyword arguments."""
    return {name: getattr(message, name) for name in message.__struct_fields__}


def name_of(function: Callable[..., object]) -> str:
    """`MODULE:FUNCTION`, by which another process finds the function. Raises ValueError where it would find none.

    >>> from hexlogic.games import game_names
    >>> name_of(game_names)
    'hexlogic.games.registry:game_names'
    """
    name = f"{function.__module__}:{function.__qualname__}"
    there = getattr(sys.modules.get(function.__module__), function.__qualname__, None)
    if there is not function or function.__module__ == "__main__":
        raise ValueError(f"{name} is not a function of a module that another process can import")
    return name


def function_at(name: str) -> Callable[..., object]:
    """The function that `name_of` names so."""
    module, _, function = name.partition(":")
    found: Callable[..., object] = getattr(import_module(module), function)
    return found


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
