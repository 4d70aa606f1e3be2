"""What a dialect says of itself: its printer, and what people need to know to run the text."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from hexlogic.language.syntax import Program


@dataclass(frozen=True, slots=True)
class Dialect:
    """A text that one tool reads. `render` raises HexlogicError for a program that has no text in the dialect."""

    name: str
    render: Callable[[Program], str]
    comment: str = "%"
    """What begins a comment."""
    run: str | None = None
    """The command that runs the text in FILE and asks for the winner; `{stones}` stands for a second file."""
    stones: str = "write them as owns(red,1). owns(blue,2). ..."
    """How to add the stones to a text without any."""
    stones_file: str = ""
    """The second file of `run`, with a space before it; empty where stones are added to FILE."""
    reads_inputs: bool = False
    """Whether the tool looks for a file of facts for each declared input."""
    describes_games: bool = False
    """Whether game descriptions are written in it."""
    keeps_order: bool = True
    """Whether the tool takes body literals in the order of the text, so that the order must bind each variable."""
