"""What several commands print: a text or a picture to a file or to stdout, and fields of an object for JSON."""

from __future__ import annotations

from pathlib import Path

import typer

from hexlogic.files import STDIN, write_text

__all__ = ["fields", "put_text"]


def fields(value: object, *names: str) -> dict[str, object]:
    """These attributes by their names, as a JSON object has them."""
    return {name: getattr(value, name) for name in names}


def put_text(text: str, file: Path | str | None, what: str = "") -> None:
    """Write a text to a file and say so, or print it where there is none or it is `-`."""
    if file is None or Path(file) == STDIN:
        typer.echo(text, nl=False)
    else:
        write_text(Path(file), text)
        typer.echo(f"wrote {what}{file}", err=True)
