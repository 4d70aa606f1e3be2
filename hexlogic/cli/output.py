"""What several commands print: a text or a picture to a file or to stdout, and fields of an object for JSON."""

from __future__ import annotations

from pathlib import Path

import typer

from hexlogic.files import write_text

__all__ = ["fields", "put_picture"]


def fields(value: object, *names: str) -> dict[str, object]:
    """These attributes by their names, as a JSON object has them."""
    return {name: getattr(value, name) for name in names}


def put_picture(picture: str, file: str) -> None:
    """Write a picture to a file and say so, or print it for `-`."""
    if file == "-":
        typer.echo(picture, nl=False)
    else:
        write_text(Path(file), picture)
        typer.echo(f"wrote {file}", err=True)
