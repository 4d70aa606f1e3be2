"""Text in KIF, or in HRF, its infix form, as words and lists, before it is read as rules (`kif.lark`, `hrf.lark`)."""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partialmethod
from typing import TypeAlias

from lark import Lark, Token, Transformer
from lark.exceptions import UnexpectedCharacters, UnexpectedInput, UnexpectedToken

from hexlogic.errors import RuleSyntaxError
from hexlogic.language.syntax import Place

DEEPEST = 100
"""Lists may stand inside each other this deep."""

_HINTS = {
    ":": "a rule is `head :- body`; a file with operations `act :: condition ==> effects` is named FILE.epilog",
    "=": "say distinct(X,Y) for what differs; a file with operations `==>` is named FILE.epilog",
    ".": "no dot ends a sentence: Epilog takes it as part of the name",
    "!": "say distinct(X,Y)",
    ",": "literals are joined by &",
    ";": "a comment begins with %",
    ")": "a closing parenthesis too many",
}


@dataclass(frozen=True, slots=True)
class Word:
    """A word: a variable when it begins with `?`."""

    text: str
    line: int
    column: int


@dataclass(frozen=True, slots=True)
class Form:
    """A list; `depth` is 1 when there is no list in it."""

    items: tuple[Expression, ...]
    line: int
    column: int
    depth: int


Expression: TypeAlias = Word | Form


def form(items: tuple[Expression, ...], line: int, column: int) -> Form:
    """The list of `items`. Raises RuleSyntaxError for one that is nested too deep."""
    depth = 1 + max((item.depth for item in items if isinstance(item, Form)), default=0)
    if depth > DEEPEST:
        raise RuleSyntaxError(f"lists are nested more than {DEEPEST} deep", line=line, column=column)
    return Form(items, line, column, depth)


def words(expression: Expression) -> Iterator[Word]:
    """Every word, in text order."""
    if isinstance(expression, Word):
        yield expression
    else:
        for item in expression.items:
            yield from words(item)


def wrong(message: str, at: Expression | Place, hint: str | None = None) -> RuleSyntaxError:
    """The error of an expression or a rule, with its place."""
    return RuleSyntaxError(message, line=at.line, column=at.column, hint=hint)


def _word(text: str, token: Token) -> Word:
    return Word(text, token.line or 0, token.column or 0)


def parse_kif(text: str) -> tuple[Expression, ...]:
    """The expressions of a text, in order. Raises RuleSyntaxError with line and column.

    >>> [item.text for item in parse_kif("terminal ; a comment")]
    ['terminal']
    """
    try:
        return _KIF.parse(text)  # type: ignore[return-value]  # the transformer is built in
    except UnexpectedToken as error:
        raise _unbalanced(error, text) from None
    except UnexpectedInput as error:
        raise RuleSyntaxError("this is no KIF", line=error.line, column=error.column) from None


class _Reader(Transformer[Token, object]):
    """One method per grammar rule; called while the text is read, so that no depth of lists needs a stack."""

    def start(self, parts: Sequence[Expression]) -> tuple[Expression, ...]:
        return tuple(parts)


class _Kif(_Reader):
    def word(self, parts: Sequence[Token]) -> Word:
        return _word(str(parts[0]), parts[0])

    def list(self, parts: tuple[Token, *tuple[Expression, ...]]) -> Expression:
        opening, *items = parts
        return form(tuple(items), opening.line or 0, opening.column or 0)


_KIF = Lark.open("kif.lark", rel_to=__file__, parser="lalr", transformer=_Kif())


def _unbalanced(error: UnexpectedToken, text: str) -> RuleSyntaxError:
    """Which parenthesis has no partner. One that is missing shows at the end of the text only; a rule that begins
    inside another tells where to look."""
    if error.token.type != "$END":
        return RuleSyntaxError(
            "a closing parenthesis without its opening one",
            line=error.token.line,
            column=error.token.column,
            hint="take it out, or look for one too many before it",
        )
    opened: list[Token] = []
    previous: Token | None = None
    for token in _KIF.lex(text):
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


def parse_hrf(text: str) -> tuple[Expression, ...]:
    """The expressions of a text, in order. Raises RuleSyntaxError with line and column.

    >>> [item.items[0].text for item in parse_hrf("wins(X) :- true(cell(X,b)) & ~lost(X)")]
    ['<=']
    """
    try:
        return _HRF.parse(text)  # type: ignore[return-value]  # the transformer is built in
    except UnexpectedInput as error:
        raise _syntax_error(error, text) from None


class _Hrf(_Reader):
    def variable(self, parts: Sequence[Token]) -> Word:
        return _word(f"?{parts[0]}", parts[0])

    def name(self, parts: Sequence[Token]) -> Word:
        token = parts[0]
        text = str(token)
        if text.startswith('"'):
            text = re.sub(r"\\(.)", r"\1", text[1:-1])
            if text.startswith("?") or re.search(r"[\s();]", text):
                raise RuleSyntaxError(
                    f"{token} is no word of GDL", line=token.line, column=token.column, hint="no spaces or parentheses"
                )
        return _word(text, token)

    def compound(self, parts: Sequence[Expression]) -> Expression:
        return _joined(parts) if len(parts) > 1 else parts[0]

    def negation(self, parts: Sequence[Expression]) -> Form:
        return _joined((_beside("not", parts[0]), *parts))

    def _operation(self, word: str, parts: Sequence[Expression]) -> Expression:
        return parts[0] if len(parts) == 1 else _joined((_beside(word, parts[0]), *parts))

    conjunction = partialmethod(_operation, "and")
    disjunction = partialmethod(_operation, "or")
    statement = partialmethod(_operation, "<=")


class _Epilog(_Hrf):
    """As for HRF; operations and transitions are lists that begin with `::` and `==>`."""

    def __init__(self) -> None:
        super().__init__()
        self._unnamed = itertools.count()

    def variable(self, parts: Sequence[Token]) -> Word:
        name = f"Unnamed_{next(self._unnamed)}" if parts[0] == "_" else parts[0]
        return _word(f"?{name}", parts[0])

    def name(self, parts: Sequence[Token]) -> Word:
        if re.match(r"-[0-9]+\.", parts[0]):
            raise wrong(
                f"Epilog reads {parts[0]} without its decimals", _word(parts[0], parts[0]), "compute it by minus"
            )
        return super().name(parts)

    def list(self, parts: Sequence[Expression]) -> Expression:
        tail: Expression = Word("nil", *((parts[-1].line, parts[-1].column) if parts else (1, 1)))
        for part in reversed(parts):
            tail = self.pair((part, tail))
        return tail

    def pair(self, parts: Sequence[Expression]) -> Form:
        return _joined((_beside("cons", parts[0]), *parts))

    operation = partialmethod(_Hrf._operation, "::")
    transition = partialmethod(_Hrf._operation, "==>")


def parse_epilog(text: str) -> tuple[Expression, ...]:
    """The sentences of a rulesheet, in order; raises as `parse_hrf` does.

    >>> [item.items[0].text for item in parse_epilog("free(a) go(X) :: free(X) ==> ~free(X)") if isinstance(item, Form)]
    ['free', '::']
    """
    try:
        grammar = Lark.open("epilog.lark", rel_to=__file__, parser="lalr", transformer=_Epilog())
        return grammar.parse(text)  # type: ignore[return-value]  # as above
    except UnexpectedInput as error:
        raise _syntax_error(error, text) from None


def _joined(parts: Sequence[Expression]) -> Form:
    return form(tuple(parts), parts[0].line, parts[0].column)


def _beside(word: str, expression: Expression) -> Word:
    return Word(word, expression.line, expression.column)


_HRF = Lark.open("hrf.lark", rel_to=__file__, parser="lalr", transformer=_Hrf())


def _syntax_error(error: UnexpectedInput, text: str) -> RuleSyntaxError:
    if isinstance(error, UnexpectedToken) and error.token.type != "$END":
        unexpected = str(error.token)
    elif isinstance(error, UnexpectedCharacters):
        unexpected = text[error.pos_in_stream or 0]
    else:
        lines = text.split("\n")
        return RuleSyntaxError("the text ends inside a rule", line=len(lines), column=len(lines[-1]) + 1)
    hint = _HINTS.get(unexpected[:1])
    return RuleSyntaxError(f"unexpected {unexpected!r}", line=error.line, column=error.column, hint=hint)
