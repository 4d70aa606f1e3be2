"""What several commands print: a text or a picture to a file or to stdout, fields of an object for JSON, errors."""

from __future__ import annotations

from pathlib import Path

import typer

from hexlogic.errors import HexlogicError


def fields(value: object, *names: str) -> dict[str, object]:
    """These attributes by their names, as a JSON object has them."""
    return {name: getattr(value, name) for name in names}


def put_text(text: str, file: Path | str | None, what: str = "") -> None:
    """Write a text to a file and say so, or print it where there is none or it is `-`."""
    from hexlogic.process.files import STDIN, write_text

    if file is None or Path(file) == STDIN:
        typer.echo(text, nl=False)
    else:
        write_text(Path(file), text)
        typer.echo(f"wrote {what}{file}", err=True)


def cannot_listen(host: str, port: int, error: OSError) -> HexlogicError:
    """The error of a server whose address is not to be had."""
    hint = "another --port or --host"
    return HexlogicError(f"cannot listen: {error.strerror or error}", file=f"{host}:{port}", hint=hint)
