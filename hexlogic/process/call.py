"""Call a function of hexlogic in a child process that can be stopped: gringo cannot be interrupted, a process can.

The child, new or a fork, reads a JSON object from stdin, `{"function": "hexlogic.proofs.referee:compare", "task":
{...}}`. It writes lines of JSON to stdout: `{"progress": ...}` for each value that the function gives to its parameter
`report`, and at the end `{"result": ...}` or, for a HexlogicError and for terms that are nested too deeply, `{"error":
"..."}`. Everything else that is printed goes to stderr.

Python in a browser has no processes: there the function is called here, and who waits can end Python's worker.
"""

from __future__ import annotations

import inspect
import os
import sys
import threading
import time
from collections.abc import Callable, Mapping
from importlib import import_module
from typing import IO, TYPE_CHECKING, Generic, TypeVar, get_args, get_type_hints

import msgspec

from hexlogic.errors import EngineError, HexlogicError
from hexlogic.process.limits import Limits, Termination
from hexlogic.process.signals import interruptible

if TYPE_CHECKING:
    from hexlogic.process.isolate import Start

Result = TypeVar("Result")
COMPILE_FIRST = "HEXLOGIC_COMPILE_FIRST"
"""Set in the environment of a process whose kernels are to be compiled before they run (see `kernels`)."""
_PARENT_S = 1.0  # Seconds between two looks at the parent process
_SAMPLE_S = 0.1
_jobs: list[int] = []  # This process, where it runs a job


class Stopped(Exception):  # noqa: N818
    """The child was stopped: `reason` and `termination` say at which limit, `progress` holds its reports."""

    def __init__(self, reason: str, termination: Termination, progress: tuple[str, ...]) -> None:
        super().__init__(reason)
        self.reason = reason
        self.termination = termination
        self.progress = progress


class Died(EngineError):  # noqa: N818
    """The child ended without a result and at no limit."""


def call_isolated(
    function: Callable[..., Result],
    task: Mapping[str, object],
    limits: Limits,
    *,
    grace_s: float = 0.0,
    report: Callable[..., None] = lambda _: None,
    stop: threading.Event | None = None,
    start: Start | None = None,
) -> Result:
    """The result of `function`, a function of a module, called with the entries of `task` as keyword arguments.

    Arguments and result pass through JSON, and msgspec decodes each as the function annotates it. A function with a
    parameter `report` is given one that calls `report` here. The limits are those of the process tree of the child;
    infinite seconds are no limit. A function that has reported something gets `grace_s` more wall seconds: it looks at
    the clock itself. Setting `stop` (from another thread) ends the child. `start`, such as that of a `ForkServer`,
    starts the child; otherwise it is a new process.

    Raises Stopped at a limit and at `stop`, EngineError for a HexlogicError of the function, Died for a child that ends
    otherwise without a result, and ValueError for a function that no module has under its name.
    """
    name, signature = name_of(function), Signature(function)
    if sys.platform == "emscripten":
        return signature.result(msgspec.to_builtins(signature.call(msgspec.to_builtins(task), report)))
    from hexlogic.process.isolate import run_watched, starting

    deadline = time.monotonic() + limits.wall_s
    pending, has_reported, results, texts, errors = b"", False, list[Result](), list[str](), list[str]()

    def hear(written: bytes) -> bool:
        nonlocal pending, has_reported
        *lines, pending = (pending + written).split(b"\n")
        for message in map(msgspec.json.decode, lines):
            if "result" in message:
                results.append(signature.result(message["result"]))
            elif "error" in message:
                errors.append(message["error"])
            else:
                has_reported = True
                value = signature.reported(message["progress"])
                if isinstance(value, str):
                    texts.append(value)
                report(value)
        return has_reported or time.monotonic() <= deadline

    outcome = run_watched(
        start or starting(command_of(serve_one)),
        msgspec.json.encode({"function": name, "task": task}),
        msgspec.structs.replace(limits, wall_s=limits.wall_s + grace_s),
        stop=stop,
        observe=hear,
        sample_s=_SAMPLE_S,
    )
    if errors:
        raise EngineError(errors[0])
    if results:
        return results[0]
    if outcome.termination != "completed":
        reasons = {
            "memory-limit": f"stopped at {outcome.usage.peak_bytes / 2**30:.1f} GB of memory",
            "interrupted": "stopped on demand",
            "cpu-limit": f"stopped after {limits.cpu_s:g} CPU seconds",
            "wall-limit": f"stopped after {limits.wall_s:g} s",
        }
        raise Stopped(reasons[outcome.termination], outcome.termination, tuple(texts))
    words = outcome.stderr.decode(errors="replace").strip().splitlines() or [outcome.ending]
    raise Died(f"the child process ended without a result: {words[-1]}")


class Signature(Generic[Result]):
    """How the arguments of a function, its reports and its result are decoded from plain JSON, as it annotates them.
    `message` is the structure whose fields are the function's parameters, `report` left out."""

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
        arguments = msgspec.structs.asdict(msgspec.convert(task, self.message))
        return self._function(**arguments, **({"report": report} if "report" in self._types else {}))

    def reported(self, value: object) -> object:
        """A value that the function gave to `report: Callable[[TYPE], None]`."""
        return msgspec.convert(value, get_args(self._types["report"])[0][0])

    def result(self, value: object) -> Result:
        """The result that was `value` in JSON."""
        decoded: Result = msgspec.convert(value, self._types["return"])
        return decoded


def name_of(function: Callable[..., object]) -> str:
    """`MODULE:FUNCTION`, by which another process finds the function. Raises ValueError where it would find none.

    >>> from hexlogic.games import game_names
    >>> name_of(game_names)
    'hexlogic.games.kinds:game_names'
    """
    name = f"{function.__module__}:{function.__qualname__}"
    there = getattr(sys.modules.get(function.__module__), function.__qualname__, None)
    if there is not function or function.__module__ == "__main__":
        raise ValueError(f"{name} is not a function of a module that another process can import")
    return name


def function_at(name: str) -> Callable[..., object]:
    """The function that `name_of` names so."""
    module, _, function = name.partition(":")
    named: Callable[..., object] = getattr(import_module(module), function)
    return named


def command_of(main: Callable[[], None], *arguments: str, safe_path: bool = False) -> list[str]:
    """The command that calls a function of a module in a new Python. `safe_path` keeps files of the current folder out
    of its imports.

    >>> command_of(serve_one, safe_path=True)[1:]
    ['-P', '-c', 'from hexlogic.process.call import serve_one; serve_one()']
    """
    module, _, name = name_of(main).partition(":")
    return [sys.executable, *(["-P"] if safe_path else []), "-c", f"from {module} import {name}; {name}()", *arguments]


def serve_one() -> None:
    """Run as the child: read the request, call the function, write its result and end."""
    interruptible()
    _jobs[:] = [os.getpid()]
    messages = claim_stdout()
    parent = os.getppid()

    def end_with_parent() -> None:
        """For systems whose kernel cannot be asked to do so (see `children`)."""
        while os.getppid() == parent:
            time.sleep(_PARENT_S)
        os._exit(1)

    threading.Thread(target=end_with_parent, daemon=True).start()

    def say(**message: object) -> None:
        messages.write(msgspec.json.encode(message) + b"\n")
        messages.flush()

    with open(0, "rb", closefd=False) as stdin:  # which a fork has got after Python made its own
        request = msgspec.json.decode(stdin.read())
    try:
        signature = Signature(function_at(request["function"]))
        say(result=signature.call(request["task"], lambda value: say(progress=value)))
    except HexlogicError as error:
        say(error=str(error))
    except RecursionError:
        say(error="what this is about is nested too deeply")
    os._exit(0)  # threads of a solver that was cancelled need not be waited for


def is_job() -> bool:
    """Whether this process runs a job, in its first thread; the other one only looks at the parent."""
    return _jobs == [os.getpid()] and threading.active_count() <= 2


def claim_stdout() -> IO[bytes]:
    """Keep stdout for messages: what Python or C code prints there from now on goes to stderr."""
    messages = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    return messages
