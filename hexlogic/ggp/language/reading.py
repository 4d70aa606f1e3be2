"""Sheets from text and from files."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from hexlogic.errors import HexlogicError, RuleSyntaxError
from hexlogic.ggp.language.hrf import parse_hrf
from hexlogic.ggp.language.kif import parse_kif
from hexlogic.ggp.language.sheet import build_sheet
from hexlogic.ggp.language.tree import Expression
from hexlogic.language.analysis.checks import check
from hexlogic.language.syntax import Program
from hexlogic.process.files import read_text, readable


def read_kif(text: str, file: str = "<text>") -> Program:
    """The sheet that KIF text spells.

    Raises RuleSyntaxError or ArityError with the file, the line and the column. Safety and stratification are
    questions for `hexlogic.language.analysis.checks.check`, which `read_sheet` asks.

    >>> print(read_kif("(<= (LEGAL ?p noop) (role ?p) (not (true (control ?p))))").rules[0])
    legal(P,noop) :- role(P), not true(control(P)).
    """
    return build_sheet(_parsed(parse_kif, text, file), file)


def read_hrf(text: str, file: str = "<text>") -> Program:
    """The sheet that HRF text, GDL in infix form, spells; raises as `read_kif` does.

    >>> print(read_hrf("legal(P,noop) :- role(P) & ~true(control(P))").rules[0])
    legal(P,noop) :- role(P), not true(control(P)).
    """
    return build_sheet(_parsed(parse_hrf, text, file), file)


def read_sheet(path: Path) -> Program:
    """The sheet in a file: HRF when its name ends in `.hrf`, KIF otherwise. Raises HexlogicError with the place.

    Each rule is safe and no relation depends on its own negation, or UnsafeRuleError or StratificationError says where.
    """
    return check(build_sheet(expressions_of(text_of(path), str(path)), str(path)))


def text_of(path: Path) -> str:
    """The text in a file. Raises HexlogicError for a file that cannot be read."""
    with readable(path):
        return read_text(path, "utf-8-sig")


def expressions_of(text: str, file: str) -> tuple[Expression, ...]:
    """The expressions of a text: HRF when the file's name ends in `.hrf`, KIF otherwise. Raises RuleSyntaxError."""
    return _parsed(parse_hrf if file.lower().endswith(".hrf") else parse_kif, text, file)


def _parsed(parse: Callable[[str], tuple[Expression, ...]], text: str, file: str) -> tuple[Expression, ...]:
    if (at := text.find("\0")) >= 0:
        line, column = text.count("\n", 0, at) + 1, at - text.rfind("\n", 0, at)
        raise RuleSyntaxError("a NUL character", file=file, line=line, column=column, hint="is this a text file?")
    try:
        return parse(text)
    except HexlogicError as error:
        raise error.at(file=file) from None
