"""Extension of griffe: an example in a docstring (`>>> ...`) is shown as code and not as a quotation."""

from __future__ import annotations

import re
from typing import Any

import griffe

__all__ = ["Doctests"]

_EXAMPLE = re.compile(r"^>>> .*\n?(?:.+\n?)*", re.MULTILINE)


class Doctests(griffe.Extension):
    """Puts every example of a docstring into a fenced block."""

    def on_instance(self, *, obj: griffe.Object, **_: Any) -> None:
        """Called for every object that is read."""
        if obj.docstring is not None:
            text = obj.docstring.value
            obj.docstring.value = _EXAMPLE.sub(lambda match: f"\n```pycon\n{match[0].rstrip()}\n```\n", text)
