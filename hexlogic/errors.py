"""Errors for people: every error knows what is wrong, where, and what would help.

The command line catches `HexlogicError` once, prints `str(error)` on one line and exits with status 2.
"""

from __future__ import annotations


class HexlogicError(Exception):
    """Base of all errors that a user can cause.

    >>> str(HexlogicError("unknown colour 'G'", file="board.txt", line=2, column=5, hint="use R, B or ."))
    "board.txt:2:5: unknown colour 'G' (use R, B or .)"
    >>> str(HexlogicError("no such board"))
    'no such board'
    """

    def __init__(
        self,
        message: str,
        *,
        file: str | None = None,
        line: int | None = None,
        column: int | None = None,
        hint: str | None = None,
    ) -> None:
        super().__init__(message)
        self.message = message
        self.file = file
        self.line = line
        self.column = column
        self.hint = hint

    def __str__(self) -> str:
        place = ":".join(str(part) for part in (self.file, self.line, self.column) if part is not None)
        text = f"{place}: {self.message}" if place else self.message
        return f"{text} ({self.hint})" if self.hint else text

    def at(self, *, file: str | None = None, line: int | None = None, column: int | None = None) -> HexlogicError:
        """Fill in the parts of the place that are still unknown, and return the same error."""
        self.file = self.file if self.file is not None else file
        self.line = self.line if self.line is not None else line
        self.column = self.column if self.column is not None else column
        return self


class RuleSyntaxError(HexlogicError):
    """Rule text that is not in the rule language."""


class ArityError(HexlogicError):
    """A predicate name used with two arities."""


class UnsafeRuleError(HexlogicError):
    """A rule with a variable that no positive body literal can bind."""


class StratificationError(HexlogicError):
    """Recursion through negation."""


class PositionError(HexlogicError):
    """Board text, a move list or JSON that is not a position."""


class MoveError(HexlogicError):
    """A move that cannot be played (cell taken or off the board, game over), or an undo before the first move."""


class SizeError(HexlogicError):
    """A board size that the game or the reformulation cannot take."""


class UnknownNameError(HexlogicError):
    """A name that is in no registry: rule set, engine, pipeline step, board, suite, game."""

    @classmethod
    def among(cls, kind: str, name: str, known: list[str]) -> UnknownNameError:
        """The error for an unknown `name`, with the closest known names (or all of them) as its hint.

        >>> str(UnknownNameError.among("engine", "clingoo", ["clingo", "swipl"]))
        "unknown engine 'clingoo' (did you mean clingo?)"
        """
        import difflib

        close = difflib.get_close_matches(name, known, n=3, cutoff=0.6)
        hint = f"did you mean {' or '.join(close)}?" if close else f"known: {', '.join(known) or 'none'}"
        return cls(f"unknown {kind} {name!r}", hint=hint)


class PipelineError(HexlogicError):
    """A pipeline text that cannot be carried out."""


class EngineError(HexlogicError):
    """An engine that is missing, died or reported an error of its own."""


class GameError(HexlogicError):
    """A game description that breaks the rules of GDL: a state without legal moves or goals, a game without an end."""


class SuiteError(HexlogicError):
    """A suite or a record file that cannot be used."""
