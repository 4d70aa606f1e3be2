"""What is no rule: the errors that the reader finds, all of them and not the first one only."""

from __future__ import annotations

from collections.abc import Iterator

from hexlogic.errors import ArityError, HexlogicError
from hexlogic.gdl.check.examined import Examined
from hexlogic.gdl.check.finding import Finding
from hexlogic.gdl.check.registry import check

__all__ = ["arity", "syntax"]


@check("syntax")
def syntax(sheet: Examined) -> Iterator[Finding]:
    """Each expression is a fact or a rule, and words of GDL have their arguments."""
    return (_finding(error) for error in sheet.refused if not isinstance(error, ArityError))


@check("arity")
def arity(sheet: Examined) -> Iterator[Finding]:
    """A relation has one arity."""
    return (_finding(error) for error in sheet.refused if isinstance(error, ArityError))


def _finding(error: HexlogicError) -> Finding:
    return Finding("error", error.line or 1, error.column or 1, error.message, error.hint)
