"""KIF text as expressions (grammar: `kif.lark`)."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from lark import Lark, Token, Transformer
from lark.exceptions import UnexpectedInput, UnexpectedToken

from hexlogic.errors import RuleSyntaxError
from hexlogic.ggp.language.tree import Expression, Word, form


def parse_kif(text: str) -> tuple[Expression, ...]:
    """The expressions of a text, in order. Raises RuleSyntaxError with line and column.

    >>> [item.text for item in parse_kif("terminal ; a comment")]
    ['terminal']
    """
    try:
        expressions: tuple[Expression, ...] = _LARK.parse(text)  # type: ignore[assignment]  # the transformer is built in
    except UnexpectedToken as error:
        raise _unbalanced(error, text) from None
    except UnexpectedInput as error:
        raise RuleSyntaxError("this is no KIF", line=error.line, column=error.column) from None
    return expressions


class _Build(Transformer[Token, Any]):
    """One method per grammar rule; called while the text is read, so that no depth of lists needs a stack."""

    def word(self, parts: Sequence[Token]) -> Word:
        token = parts[0]
        return Word(str(token), token.line or 0, token.column or 0)

    def list(self, parts: Sequence[Any]) -> Expression:
        opening: Token = parts[0]
        return form(tuple(parts[1:]), opening.line or 0, opening.column or 0)

    def start(self, parts: Sequence[Expression]) -> tuple[Expression, ...]:
        return tuple(parts)


_LARK = Lark((Path(__file__).parent / "kif.lark").read_text(encoding="utf-8"), parser="lalr", transformer=_Build())


def _unbalanced(error: UnexpectedToken, text: str) -> RuleSyntaxError:
    """Which parenthesis has no partner.

    One that is missing shows at the end of the text only; a rule that begins inside another tells where to look.
    """
    if error.token.type != "$END":
        return RuleSyntaxError(
            "a closing parenthesis without its opening one",
            line=error.token.line,
            column=error.token.column,
            hint="take it out, or look for one too many before it",
        )
    opened: list[Token] = []
    previous: Token | None = None
    for token in _LARK.lex(text):
        if token == "<=" and previous is not None and previous.type == "OPEN" and len(opened) > 1:
            hint = f"line {token.line} begins another rule inside"
            break
        if token.type == "OPEN":
            opened.append(token)
        elif token.type == "_CLOSE":
            opened.pop()
        previous = token
    else:
        hint = "the text ends inside it"
    return RuleSyntaxError("this parenthesis is never closed", line=opened[0].line, column=opened[0].column, hint=hint)
