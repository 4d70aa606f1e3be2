"""What `hexlogic optimise` is asked and answers, for all its languages."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from hexlogic.errors import HexlogicError


@dataclass(frozen=True, kw_only=True)
class Request:
    """The options of `hexlogic optimise`, by their names there; None where the user said nothing."""

    query: str | None = None
    inputs: str | None = None
    pipeline: str | None = None
    reasoner: str | None = None
    player_kind: str | None = None
    measure: str | None = None
    instance: Path | None = None
    constants: list[str] | None = None
    last_step: int | None = None
    aim: str | None = None
    output: Path | None = None
    explain: bool = False
    check: bool = False
    allow_scripts: bool = False
    seed: int = 0
    limit: float = 10.0

    def refuse(self, file: Path, what: str, *names: str) -> None:
        """Raise HexlogicError for an option (by its field) that was given and does not suit the kind of the file."""
        for name in names:
            if getattr(self, name):
                option = {"player_kind": "for", "constants": "const", "last_step": "steps"}.get(name, name)
                raise HexlogicError(f"--{option} {what}", file=str(file))


@dataclass(frozen=True)
class Optimised:
    """A new text with a report: what changed and why, what it costs, how it was compared with the old text."""

    text: str
    notes: tuple[str, ...]
    """Lines for a person, as comments of the language or of a diff."""
    fields: Mapping[str, object] = field(default_factory=dict)
    """The same for a program, as JSON."""
    is_same: bool = True
    """Whether no comparison found another meaning."""
    changed: bool = True
    charset: str = "utf-8"
    """The character set of the text."""
