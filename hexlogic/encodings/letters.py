"""Letters beyond ASCII outside of comments, strings and scripts: clingo refuses them one byte at a time, in a message
that is no UTF-8 and that its Python module cannot read, which ends the process."""

from __future__ import annotations

import re
from typing import Final

__all__ = ["unreadable_letter"]

_TOKEN: Final = re.compile(
    rb'(?P<block>%\*)|%[^\n]*|"(?:[^"\\\n]|\\.)*"|#script\b.*?#end\b|(?P<letter>[\x80-\xff])', re.DOTALL
)
_NESTED: Final = re.compile(rb"(?P<open>%\*)|\*%")


def unreadable_letter(data: bytes) -> int | None:
    """The first byte of the first such letter; None for none.

    >>> text = '% ö\\n%* ö %* ö *% ö *% p("ö"). #script (lua) ö #end.'.encode()
    >>> unreadable_letter(text), unreadable_letter(b"a. " + text[2:])
    (None, 3)
    """
    place = 0 if not data.isascii() else len(data)
    while found := _TOKEN.search(data, place):
        if found["letter"]:
            return found.start()
        place = _end(data, found.end()) if found["block"] else found.end()
    return None


def _end(data: bytes, begin: int) -> int:
    """The end of a block comment, in which others may be nested."""
    depth = 1
    for found in _NESTED.finditer(data, begin):
        depth += 1 if found["open"] else -1
        if not depth:
            return found.end()
    return len(data)
