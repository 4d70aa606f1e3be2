"""`hexlogic bench --suite everything`: all suites, playouts and proofs in one go, and their report."""

from __future__ import annotations

import shlex
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from types import MappingProxyType

import typer

_FOLDER = Path("results/everything")
_SIZE = "4"
"""The board of the proofs."""


def steps(out: Path, bounds: Mapping[str, float | None] = MappingProxyType({})) -> dict[str, list[str]]:
    """The arguments of each command after `hexlogic`, by the folder in `out` that it writes.

    `bounds` are options of all that is measured: `limit` (CPU seconds of a question or a game; positions and
    sheets keep theirs), `memory` (MB), `repeats`; None leaves what the suite says.
    """
    given = {name: number for name, number in bounds.items() if number is not None}
    options = {name: [f"--{name}", f"{number:g}"] for name, number in given.items()}
    bounded = [word for option in options.values() for word in option]
    suites = {name: ["bench", "--suite", name, *bounded] for name in ("quick", "paper", "scaling", "games")}
    # A limit that suits questions would end sheets before they start, and leave one repeat of runs over many positions.
    unlimited = [word for name, option in options.items() if name != "limit" for word in option]
    suites["positions"] = ["bench", "--suite", "positions", *unlimited]
    repeats = [] if "repeats" in given else ["--repeats", "3"]
    commands = {
        **suites,
        "sheets": ["gdl", "bench", "--hex", "5,9,13", *repeats, *unlimited],
        "proofs": ["prove", "--all", "--size", _SIZE],
    }
    return {name: [*command, "--out", str(out / name)] for name, command in commands.items()}


def measure_everything(
    out: Path | None, given: Mapping[str, object], bounds: Mapping[str, float | None], *, dry_run: bool
) -> int:
    """Run each step that has not been completed, then the report; the exit status is the worst of them.

    What was cut off goes on: a folder with records is resumed. Raises SuiteError when something is `given` that not
    all steps know, and for a bound of nothing, before the first step.
    """
    from hexlogic.errors import SuiteError

    if given:
        raise SuiteError(
            f"--suite everything does not take --{next(iter(given))}",
            hint="it takes --out, --limit, --memory, --repeats and --dry-run, and goes on by itself",
        )
    for name, number in bounds.items():
        if number is not None and number <= 0:
            raise SuiteError(f"--{name} {number:g} measures nothing", hint="give more than 0")
    folder = out or _FOLDER
    worst = 0
    for name, command in steps(folder, bounds).items():
        again = _again(folder / name)
        if again is None:
            continue
        worst = max(worst, _run([*command, *again], dry_run))
    folders = [str(folder / name) for name in steps(folder)]
    return max(worst, _run(["report", *folders, "--out", str(folder / "report")], dry_run))


def _again(folder: Path) -> list[str] | None:
    """What to add to the command of a step that was begun; None for one that was completed."""
    from hexlogic.laboratory.records.store import read_records, record_files
    from hexlogic.proofs.matrix_file import proof_files

    if proof_files(folder):
        return None
    if not record_files(folder):
        return []
    end = read_records(folder).end
    return None if end is not None and end.reason == "completed" else ["--resume"]


def _run(command: Sequence[str], dry_run: bool) -> int:
    typer.echo(f"$ {shlex.join(['hexlogic', *command])}", err=not dry_run)
    if dry_run:
        return 0
    return subprocess.run([sys.executable, "-m", "hexlogic", *command]).returncode
