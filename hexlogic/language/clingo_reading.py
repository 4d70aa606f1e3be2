"""Check that clingo reads the same statements in a text as our parser; comments as clingo's lexer finds them.

clingo parses the text, and the printed statements of our parser: its syntax trees (`clingo.ast`) must be equal, one by
one, comments apart. In a page without a server clingo is a program without syntax trees: there a text is not compared.

`%* ... *%` may hold both kinds of comments, and a line comment in it hides a `*%` on its line. Letters beyond ASCII may
stand in comments, strings and scripts only: of others clingo says so in a message that is no UTF-8, which ends the
process in its Python module.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import zip_longest
from typing import TYPE_CHECKING, Final

from hexlogic.errors import RuleSyntaxError

if TYPE_CHECKING:
    from clingo.ast import AST

_TOKEN: Final = re.compile(
    r'(?P<block>%\*)|%[^\n]*|"(?:[^"\\\n]|\\.)*"|#script\b.*?#end\b|(?P<letter>[^\x00-\x7f])', re.DOTALL
)
_IN_BLOCK: Final = re.compile(r"(?P<open>%\*)|(?P<close>\*%)|%[^\n]*")


def unreadable_letter(text: str) -> int | None:
    """The index of the first letter that clingo cannot read; None for none.

    >>> text = '% ö\\n%* ö %* ö *% %ö *%\\n *% p("ö"). #script (lua) ö #end.'
    >>> unreadable_letter(text), unreadable_letter("a. " + text[2:])
    (None, 3)
    """
    if text.isascii():
        return None
    return next((token.start() for token, _ in _tokens(text) if token["letter"]), None)


def without_block_comments(text: str) -> str:
    """The text with blanks in the place of block comments, line ends kept. One that nothing ends is kept too.

    >>> without_block_comments("a.%* %* *% % *%\\n b. *% c.")
    'a.             \\n       c.'
    """
    if "%*" not in text:
        return text
    parts, place = [], 0
    for token, end in _tokens(text):
        if token["block"] and end is not None:
            parts += [text[place : token.start()], re.sub(r"[^\n]", " ", text[token.start() : end])]
            place = end
    return "".join(parts) + text[place:]


def _tokens(text: str) -> Iterator[tuple[re.Match[str], int | None]]:
    """Comments, strings, scripts and letters beyond ASCII, each with its end; None for a block that nothing ends."""
    place = 0
    while match := _TOKEN.search(text, place):
        depth, end = 0, None
        for token in _IN_BLOCK.finditer(text, match.start()) if match["block"] else [match]:
            depth += bool(match["block"]) and bool(token["open"]) - bool(token["close"])
            if not depth:
                end = token.end()
                break
        yield match, end
        place = len(text) if end is None else end


_PLACE: Final = re.compile(
    r"^(?P<file>.*?):(?P<line>\d+):(?P<column>\d+)(?:-[\d:]+)?: (?:error: )?(?P<what>.*)$", re.DOTALL
)
_TEXT: Final = "<string>"  # What clingo calls a text that is no file


def check_reading(text: str, statements: Sequence[str]) -> None:
    """Raise RuleSyntaxError, with line and column, unless clingo reads in the text the given statements and no others.

    >>> check_reading("p(1). %* p(2). *%", ["p(1)."])
    >>> check_reading("p(1). %* p(2). *%", ["p(1).", "p(2)."])
    Traceback (most recent call last):
    hexlogic.errors.RuleSyntaxError: 1:18: clingo reads nothing here, and hexlogic `p(2).`
    """
    import clingo

    if not hasattr(clingo, "__path__"):
        return
    if (index := unreadable_letter(text)) is not None:
        what = f"clingo cannot read {text[index]!r} outside of a comment"
        line, column = place_of(text, index)
        raise RuleSyntaxError(what, line=line, column=column)
    nodes = _read(text)
    theirs, ours = (list(map(str, read)) for read in (nodes, _read("\n".join(statements))))
    if theirs == ours:
        return
    number = next(number for number, (their, our) in enumerate(zip_longest(theirs, ours)) if their != our)
    their, our = (f"`{among[number]}`" if number < len(among) else "nothing" for among in (theirs, ours))
    line, column = place_of(text, len(text.rstrip()))
    if number < len(nodes):
        begin = nodes[number].location.begin
        line, column = begin.line, begin.column
    raise RuleSyntaxError(f"clingo reads {their} here, and hexlogic {our}", line=line, column=column)


def place_of(text: str, index: int) -> tuple[int, int]:
    """The line and the column of a letter, from 1."""
    return text.count("\n", 0, index) + 1, index - text.rfind("\n", 0, index)


def _read(text: str) -> list[AST]:
    """The statements that clingo reads, comments apart. Raises RuleSyntaxError."""
    from clingo.ast import ASTType, parse_string

    nodes: list[AST] = []
    messages: list[str] = []
    try:
        parse_string(text, nodes.append, logger=lambda code, message: messages.append(f"{code.name} {message}"))
    except RuntimeError as error:
        refused = clingo_error(messages, str(error))
        refused.file = None if refused.file == _TEXT else refused.file
        raise refused from None
    return [node for node in nodes if node.ast_type != ASTType.Comment]


def clingo_error(messages: Sequence[str], otherwise: str) -> RuleSyntaxError:
    """What clingo said first, with its place."""
    said = [message for message in messages if "error:" in message] or list(messages) or [f"x {otherwise}"]
    text = " ".join(said[0].partition(" ")[2].split()).replace("[#inc_base];", "").replace(":-[#inc_base].", ".")
    place = _PLACE.match(text)
    if place is None:
        return RuleSyntaxError(text)
    return RuleSyntaxError(place["what"], file=place["file"], line=int(place["line"]), column=int(place["column"]))
