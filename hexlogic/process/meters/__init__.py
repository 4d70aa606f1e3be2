"""Meters watch a run, enforce its limits and report its usage; each is one module here that defines `METER`."""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from importlib import metadata
from typing import Final, Protocol

from hexlogic.errors import SuiteError
from hexlogic.process.isolate import Outcome
from hexlogic.process.limits import Limits
from hexlogic.registry import Registry

DEFAULT_METER: Final = "psutil"


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


@dataclass(frozen=True, slots=True)
class Meter:
    """A meter with the name of the package behind it; `missing` says why it cannot be used here and how to get it."""

    name: str
    run: RunCommand
    missing: Callable[[], str | None]

    def version(self) -> str:
        """The version of the package."""
        return metadata.version(self.name)

    @property
    def title(self) -> str:
        """The name in a session header, with the version of the package unless it is the default."""
        return self.name if self.name == DEFAULT_METER else f"{self.name} {self.version()}"


METERS: Final = Registry[Meter](__name__, "METER", "meter")


def load_meter(title: str) -> Meter:
    """The meter of a name or of a title in a session header. Raises UnknownNameError, and SuiteError with the reason
    for one that cannot be used here."""
    meter = METERS.load(title.partition(" ")[0])
    if (reason := meter.missing()) is not None:
        raise SuiteError(f"the meter {meter.name} cannot be used here", hint=reason)
    return meter
