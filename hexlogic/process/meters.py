"""Meters watch a run, enforce its limits and report its usage.

`psutil` looks at the process tree from outside every 15 ms and works everywhere. BenchExec puts a run into control
groups of its own, where the kernel counts exactly and nothing can leave; the package is optional, and so is the
permission to make control groups.
"""

import functools
import logging
import os
import tempfile
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Future, wait
from dataclasses import dataclass
from importlib import metadata
from pathlib import Path
from threading import Event
from typing import Any, Final, TypeAlias

from hexlogic.errors import SuiteError, UnknownNameError
from hexlogic.process.children import guarded
from hexlogic.process.extras import installing
from hexlogic.process.isolate import Outcome, run_isolated
from hexlogic.process.limits import Limits, Load, Termination, Usage
from hexlogic.process.threads import in_thread

DEFAULT_METER: Final = "psutil"

RunCommand: TypeAlias = Callable[[Sequence[str], bytes, Limits, Mapping[str, str] | None, Event | None], Outcome]
"""Runs a command under limits, as `run_isolated` does."""


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


def load_meter(title: str) -> Meter:
    """The meter of a name or title. Raises UnknownNameError, and SuiteError where it cannot be used."""
    name = title.partition(" ")[0]
    if name not in METERS:
        raise UnknownNameError.among("meter", name, sorted(METERS))
    if (reason := METERS[name].missing()) is not None:
        raise SuiteError(f"the meter {name} cannot be used here", hint=reason)
    return METERS[name]


_LOOK_S = 0.02

_TERMINATIONS: dict[str, Termination] = {
    "cputime": "cpu-limit",
    "cputime-soft": "cpu-limit",
    "walltime": "wall-limit",
    "memory": "memory-limit",
    "killed": "interrupted",
}
"""BenchExec's words for what it did to a run."""


@functools.cache
def missing_benchexec() -> str | None:
    """Why BenchExec cannot measure here; None when it can, which a run of `true` shows."""
    try:
        import benchexec.runexecutor  # noqa: F401
    except ImportError:
        return f"the Python package benchexec is not installed; {installing('benchexec')}"
    try:
        outcome = run_in_groups(["true"], b"", Limits.of(cpu_s=5, wall_s=20, memory_mb=100))
    except SuiteError as error:
        return f"{error}; see https://github.com/sosy-lab/benchexec/blob/main/doc/INSTALL.md#setting-up-cgroups"
    if outcome.exit_code != 0 or outcome.usage.peak_bytes == 0:
        return "control groups do not count CPU time and memory here"
    return None


def run_in_groups(
    command: Sequence[str],
    stdin: bytes,
    limits: Limits,
    environment: Mapping[str, str] | None = None,
    stop: Event | None = None,
) -> Outcome:
    """As `run_isolated`. Raises SuiteError when there are no control groups to be had. BenchExec looks at the wall
    clock about once a second, so a run that only sleeps ends that much later."""
    with tempfile.TemporaryDirectory(prefix="hexlogic-") as folder, tempfile.TemporaryFile() as source:
        source.write(stdin)
        source.seek(0)
        out, err = Path(folder) / "stdout", Path(folder) / "stderr"
        before = Load.now()
        result = _execute(
            stop,
            args=guarded(command),
            stdin=source,
            output_filename=str(out),
            error_filename=str(err),
            write_header=False,
            hardtimelimit=limits.cpu_s,
            walltimelimit=limits.wall_s,
            memlimit=limits.memory_bytes,
            environments={"newEnv": dict(environment or {})},
            workingDir=str(Path.cwd()),
        )
        reason = result.get("terminationreason")
        if "exitcode" not in result or (reason is not None and reason not in _TERMINATIONS):
            raise SuiteError(f"BenchExec could not run {command[0]}: {reason}")
        usage = Usage(float(result.get("cputime", 0)), float(result["walltime"]), int(result.get("memory", 0)))
        return Outcome(
            termination=usage.late(limits) if reason is None else _TERMINATIONS[reason],
            exit_code=result["exitcode"].value,
            exit_signal=result["exitcode"].signal,
            usage=usage,
            stdout=out.read_bytes(),
            stderr=err.read_bytes(),
            machine=Load.now(since=before),
        )


def _execute(stop: Event | None, **arguments: object) -> dict[str, Any]:
    """BenchExec's result, from a thread that no KeyboardInterrupt hits: this one waits, and tells it to stop."""
    from benchexec.runexecutor import RunExecutor

    # What it has to say is in its result; what it says when it cannot work, in the exit it asks for.
    logging.getLogger().addFilter(_no_benchexec)
    try:
        executor = RunExecutor(use_namespaces=False)
        run: Future[dict[str, Any]] = in_thread(lambda: executor.execute_run(**arguments))
        try:
            while not wait([run], _LOOK_S).done:
                if stop is not None and stop.is_set():
                    executor.stop()
        finally:
            while not wait([run], _LOOK_S).done:  # a KeyboardInterrupt, perhaps just before the process began
                executor.stop()
        return run.result()
    except (Exception, SystemExit) as error:
        raise SuiteError(f"no control groups for BenchExec: {str(error).strip().partition(chr(10))[0]}") from None


def _no_benchexec(record: logging.LogRecord) -> bool:
    return f"{os.sep}benchexec{os.sep}" not in record.pathname


METERS: Final = {
    "benchexec": Meter("benchexec", run_in_groups, missing_benchexec),
    "psutil": Meter("psutil", run_isolated, lambda: None),
}
