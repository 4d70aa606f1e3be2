"""HRF text, GDL in infix form, as the expressions that the same sheet has in KIF (grammar: `hrf.lark`)."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from lark import Lark, Token, Transformer
from lark.exceptions import UnexpectedCharacters, UnexpectedInput, UnexpectedToken

from hexlogic.errors import RuleSyntaxError
from hexlogic.ggp.language.tree import Expression, Form, Word, form

_HINTS = {
    ":": "operations `act :: condition ==> effects` are another language; a rule is `head :- body`",
    "=": "operations `act :: condition ==> effects` are another language; say distinct(X,Y) for what differs",
    "!": "say distinct(X,Y)",
    ",": "literals are joined by &",
    ";": "a comment begins with %",
    ")": "a closing parenthesis too many",
}


def parse_hrf(text: str) -> tuple[Expression, ...]:
    """The expressions of a text, in order. Raises RuleSyntaxError with line and column.

    >>> [item.items[0].text for item in parse_hrf("wins(X) :- true(cell(X,b)) & ~lost(X)")]
    ['<=']
    """
    try:
        expressions: tuple[Expression, ...] = _LARK.parse(text)  # type: ignore[assignment]  # the transformer is built in
    except UnexpectedInput as error:
        raise _syntax_error(error, text) from None
    return expressions


class _Build(Transformer[Token, Any]):
    """One method per grammar rule; called while the text is read."""

    def variable(self, parts: Sequence[Token]) -> Word:
        token = parts[0]
        return Word(f"?{token}", token.line or 0, token.column or 0)

    def name(self, parts: Sequence[Token]) -> Word:
        token = parts[0]
        text = str(token)
        if text.startswith('"'):
            text = re.sub(r"\\(.)", r"\1", text[1:-1])
            if text.startswith("?") or re.search(r"[\s();]", text):
                raise RuleSyntaxError(
                    f"{token} is no word of GDL", line=token.line, column=token.column, hint="no spaces or parentheses"
                )
        return Word(text, token.line or 0, token.column or 0)

    def compound(self, parts: Sequence[Expression]) -> Expression:
        return _joined(parts) if len(parts) > 1 else parts[0]

    def negation(self, parts: Sequence[Expression]) -> Form:
        return _joined((_beside("not", parts[0]), *parts))

    def conjunction(self, parts: Sequence[Expression]) -> Expression:
        return parts[0] if len(parts) == 1 else _joined((_beside("and", parts[0]), *parts))

    def disjunction(self, parts: Sequence[Expression]) -> Expression:
        return parts[0] if len(parts) == 1 else _joined((_beside("or", parts[0]), *parts))

    def statement(self, parts: Sequence[Expression]) -> Expression:
        return parts[0] if len(parts) == 1 else _joined((_beside("<=", parts[0]), *parts))

    def start(self, parts: Sequence[Expression]) -> tuple[Expression, ...]:
        return tuple(parts)


def _joined(parts: Sequence[Expression]) -> Form:
    return form(tuple(parts), parts[0].line, parts[0].column)


def _beside(word: str, expression: Expression) -> Word:
    return Word(word, expression.line, expression.column)


_LARK = Lark((Path(__file__).parent / "hrf.lark").read_text(encoding="utf-8"), parser="lalr", transformer=_Build())


def _syntax_error(error: UnexpectedInput, text: str) -> RuleSyntaxError:
    if isinstance(error, UnexpectedToken) and error.token.type != "$END":
        found = str(error.token)
    elif isinstance(error, UnexpectedCharacters):
        found = text[error.pos_in_stream or 0]
    else:
        lines = text.split("\n")
        return RuleSyntaxError("the text ends inside a rule", line=len(lines), column=len(lines[-1]) + 1)
    return RuleSyntaxError(f"unexpected {found!r}", line=error.line, column=error.column, hint=_HINTS.get(found[:1]))
