"""The meters: what watches a run, keeps its limits and says what it used.

`psutil` looks at the process tree from outside every 15 ms and works everywhere. `benchexec` puts the run into control
groups of its own, where the kernel counts exactly and nothing can leave; it needs the package and the permission.
"""

from __future__ import annotations

import threading
from collections.abc import Mapping, Sequence
from importlib import metadata
from typing import Protocol

from hexlogic.errors import SuiteError, UnknownNameError
from hexlogic.process.isolate import Outcome, run_isolated
from hexlogic.process.limits import Limits

__all__ = [
    "DEFAULT_METER",
    "RunCommand",
    "check_meter",
    "load_meter",
    "meter_names",
    "meter_title",
    "meter_version",
    "missing_meter",
]

DEFAULT_METER = "psutil"

_BENCHEXEC = "benchexec"


class RunCommand(Protocol):
    """Runs a command under limits, as `run_isolated` does."""

    def __call__(
        self,
        command: Sequence[str],
        stdin: bytes,
        limits: Limits,
        *,
        environment: Mapping[str, str] | None = None,
        stop: threading.Event | None = None,
    ) -> Outcome:
        """How it ended and what it used."""


def meter_names() -> tuple[str, ...]:
    """Every meter, usable here or not, the one for everywhere first."""
    return (DEFAULT_METER, _BENCHEXEC)


def missing_meter(name: str) -> str | None:
    """Why a meter cannot be used here and how to get it; None when it can. Raises UnknownNameError."""
    _check(name)
    if name == DEFAULT_METER:
        return None
    from hexlogic.process.control_groups import missing

    return missing()


def check_meter(name: str) -> None:
    """Raise SuiteError for a meter that cannot be used here, with the reason; UnknownNameError."""
    if (reason := missing_meter(name)) is not None:
        raise SuiteError(f"the meter {name} cannot be used here", hint=reason)


def meter_title(name: str) -> str:
    """A meter as a session header names it, with the version of a tool. Raises SuiteError when it cannot be used here.

    >>> meter_title("psutil")
    'psutil'
    """
    check_meter(name)
    return name if name == DEFAULT_METER else f"{name} {meter_version(name)}"


def meter_version(name: str) -> str:
    """The version of the package behind a meter that can be used here."""
    return metadata.version(name)


def load_meter(title: str) -> RunCommand:
    """The meter of a name or of a title in a session header. Raises UnknownNameError."""
    name = title.partition(" ")[0]
    _check(name)
    if name == DEFAULT_METER:
        return run_isolated
    from hexlogic.process.control_groups import run_in_groups

    return run_in_groups


def _check(name: str) -> None:
    if name not in meter_names():
        raise UnknownNameError.among("meter", name, list(meter_names()))
