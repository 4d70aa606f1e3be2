"""Comments as clingo's lexer reads them: `% ...` ends with its line, and `%* ... *%` may hold both kinds.

A line comment inside a block comment hides a `*%` that stands on its line. Letters beyond ASCII may stand in comments,
strings and scripts only: clingo refuses others one byte at a time, in a message that is no UTF-8 and that its Python
module cannot read, which ends the process.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

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
    return next((found.start() for found, _ in _tokens(text) if found["letter"]), None)


def without_block_comments(text: str) -> str:
    """The text with blanks in the place of block comments, line ends kept. One that nothing ends is kept too.

    >>> without_block_comments("a.%* %* *% % *%\\n b. *% c.")
    'a.             \\n       c.'
    """
    if "%*" not in text:
        return text
    parts, place = [], 0
    for found, end in _tokens(text):
        if found["block"] and end is not None:
            parts += [text[place : found.start()], re.sub(r"[^\n]", " ", text[found.start() : end])]
            place = end
    return "".join(parts) + text[place:]


def _tokens(text: str) -> Iterator[tuple[re.Match[str], int | None]]:
    """Comments, strings, scripts and letters beyond ASCII, each with its end; None for a block that nothing ends."""
    place = 0
    while match := _TOKEN.search(text, place):
        end = _block_end(text, match.end()) if match["block"] else match.end()
        yield match, end
        place = len(text) if end is None else end


def _block_end(text: str, begin: int) -> int | None:
    depth = 1
    for found in _IN_BLOCK.finditer(text, begin):
        depth += bool(found["open"]) - bool(found["close"])
        if not depth:
            return found.end()
    return None
