"""What several commands print: a text to a file or to stdout, an object as JSON, errors; progress on stderr."""

import os
import time
from collections.abc import Callable, Iterable
from pathlib import Path

import typer


def fields(value: object, *names: str) -> dict[str, object]:
    """These attributes by their names, as a JSON object has them."""
    return {name: getattr(value, name) for name in names}


def sarif(results: Iterable[tuple[str, int, int, str, str]]) -> dict[str, object]:
    """A SARIF 2.1.0 log of results, each with file, line, column, rule and message."""
    entries = [
        {
            "ruleId": rule,
            "level": "note",
            "message": {"text": message},
            "locations": [
                {
                    "physicalLocation": {
                        "artifactLocation": {"uri": file},
                        "region": {"startLine": line, "startColumn": column},
                    }
                }
            ],
        }
        for file, line, column, rule, message in results
    ]
    run = {"tool": {"driver": {"name": "hexlogic", "rules": []}}, "results": entries}
    return {"version": "2.1.0", "$schema": "https://json.schemastore.org/sarif-2.1.0.json", "runs": [run]}


def say(text: str) -> None:
    """Print progress, a warning or what was written, on stderr."""
    typer.echo(text, err=True)


def say_progress(text: str) -> None:
    """Print progress on stderr, unless the user asked for none."""
    if not is_quiet():
        say(text)


def put_text(text: str, file: Path | str | None, what: str = "") -> None:
    """Write a text to a file and note that on stderr; print it when `file` is None or `-`."""
    from hexlogic.process.files import STDIN, write_text

    if file is None or Path(file) == STDIN:
        typer.echo(text, nl=False)
    else:
        write_text(Path(file), text)
        say(f"wrote {what}{file}")


_NOTES_AFTER_S = 4.0
_FIRST_AFTER_S = 5.0


def is_quiet() -> bool:
    """Whether the user asked for no progress: HEXLOGIC_QUIET is set. Results and errors are printed all the same."""
    return bool(os.environ.get("HEXLOGIC_QUIET"))


def notes(after_s: float = _NOTES_AFTER_S, every_s: float = 0.0) -> Callable[[str], None]:
    """A function that prints progress on stderr: from `after_s` seconds on, one line in `every_s` seconds."""
    next_s = time.monotonic() + after_s

    def note(text: str) -> None:
        nonlocal next_s
        if not is_quiet() and time.monotonic() > next_s:
            next_s = time.monotonic() + every_s if every_s else next_s
            say(text)

    return note


class TimeLeft:
    """Prints progress and the time left, first after five seconds and then at growing intervals."""

    def __init__(self) -> None:
        self._what = ""
        self._begin = self._next = 0.0

    def __call__(self, what: str, done: int, whole: int) -> None:
        """`done` of `whole` are done."""
        now = time.monotonic()
        if what != self._what:
            self._what, self._begin, self._next = what, now, now + _FIRST_AFTER_S
        elif now >= self._next and 0 < done < whole and not is_quiet():
            spent = now - self._begin
            left = spent / done * (whole - done)
            say(f"{what}: {done} of {whole} after {spent:.0f} s, about {left:.0f} s left")
            self._next = now + max(_FIRST_AFTER_S, spent)
