"""Optimise files in a child under a limit, from a process that imports no parser and no solver for it."""

import io
import os
import sys
from collections.abc import Callable, Sequence
from dataclasses import asdict, replace
from pathlib import Path

from hexlogic.errors import HexlogicError, UnknownNameError
from hexlogic.language.passes.request import Optimised, Request
from hexlogic.process.call import Stopped, call_isolated
from hexlogic.process.files import STDIN, read_bytes, readable
from hexlogic.process.limits import Limits

_AIMS = ("ground", "solve", "swipl")
_MEMORY_MB = 6_000
_PATHS = ("instance", "output")


def optimise_files(
    files: Sequence[Path], request: Request, tell: Callable[[Optimised], None] = lambda _: None
) -> Optimised:
    """Optimise one program in several files within the limit: CPU seconds of all processes that this starts.

    At the limit and at Ctrl-C the best text so far is the result; `tell` gets each earlier one. Raises HexlogicError
    for what no front end takes, for an option that does not suit the language, and where there is no text so far.
    """
    if request.aim not in (None, *_AIMS):
        raise UnknownNameError.among("aim", request.aim or "", list(_AIMS))
    best: list[Optimised] = []

    def better(outcome: Optimised) -> None:
        best.append(outcome)
        tell(outcome)

    with readable(STDIN):
        stdin = read_bytes(STDIN).decode("latin-1") if STDIN in (*files, request.instance) else ""
    fields = asdict(request) | {name: value and str(value) for name, value in vars(request).items() if name in _PATHS}
    task = {"files": list(map(str, files)), "request": fields, "stdin": stdin}
    try:
        limits = Limits.of(cpu_s=request.limit, memory_mb=_MEMORY_MB)
        return call_isolated(optimise_named, task, limits, report=better)
    except (Stopped, KeyboardInterrupt) as stopped:
        if not best:
            if isinstance(stopped, KeyboardInterrupt):
                raise
            what = f"{files[0]}: nothing was ready when this was {stopped.reason}"
            raise HexlogicError(what, hint="--limit S allows more time") from None
        why = "interrupted" if isinstance(stopped, KeyboardInterrupt) else stopped.reason
        return replace(best[-1], notes=(*best[-1].notes, f"% {why}: the best text so far"))


def optimise_named(
    *, files: list[str], request: dict[str, object], stdin: str, report: Callable[[Optimised], None]
) -> Optimised:
    """The work of the child."""
    from hexlogic.encodings.files import optimise

    sys.stdin = io.TextIOWrapper(io.BytesIO(stdin.encode("latin-1")))
    request["limit"] = max(0.1, float(str(request["limit"])) - sum(os.times()[:4]))
    paths = {name: Path(str(request[name])) for name in _PATHS if request[name] is not None}
    return optimise(list(map(Path, files)), Request(**(request | paths)), report)  # type: ignore[arg-type]
