"""The header of a rule file: `% key: value` lines before the first blank line."""

from __future__ import annotations

import re

from hexlogic.errors import RuleSyntaxError

REQUIRED: tuple[str, ...] = ("name", "idea", "source", "query", "games", "complete", "needs", "cost")
_LINE = re.compile(r"%\s*([a-z]+):\s*(.*?)\s*$")


def read_header(text: str, file: str, required: tuple[str, ...] = REQUIRED) -> dict[str, str]:
    """The header's keys and values.

    Raises RuleSyntaxError with the line when a line of the header is not `% key: value` or a required key is absent.

    >>> read_header("% name: tiny\\n% idea: none\\n\\np.", "tiny.lp", ("name",))
    {'name': 'tiny', 'idea': 'none'}
    """
    found: dict[str, str] = {}
    number = 0
    for number, line in enumerate(text.splitlines(), start=1):
        if not line.strip():
            break
        match = _LINE.match(line)
        if match is None:
            raise RuleSyntaxError("not a header line", file=file, line=number, column=1, hint="% key: value")
        found[match[1]] = match[2]
    absent = [key for key in required if key not in found]
    if absent:
        raise RuleSyntaxError(f"the header lacks {', '.join(absent)}", file=file, line=max(number, 1), column=1)
    return found
