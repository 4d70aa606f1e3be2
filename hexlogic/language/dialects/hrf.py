"""GDL in infix form (HRF), the text that Stanford's tools read.

    wins(X) :- true(cell(X,b)), not lost(X), X != r.      wins(X) :-
                                                            true(cell(X,b)) &
                                                            ~lost(X) &
                                                            distinct(X,r)

A word that is no name in this syntax, such as one with a capital, stands in double quotes. What GDL cannot say is as
in the dialect `gdl`; the text reads back to an equal program (`hexlogic.ggp.read_hrf`).
"""

import re

from hexlogic.language.dialects import Dialect
from hexlogic.language.dialects.gdl import Spelling

_PLAIN = re.compile(r"[a-z][A-Za-z0-9_]*|-?[0-9]+")


def _word(word: str) -> str:
    if _PLAIN.fullmatch(word):
        return word
    return '"' + word.replace("\\", "\\\\").replace('"', '\\"') + '"'


HRF = Spelling(
    variable=lambda name: name,
    word=_word,
    compound=lambda word, arguments: f"{word}({','.join(arguments)})",
    negated=lambda literal: f"~{literal}",
    rule=lambda head, body: f"{head} :-\n  " + " &\n  ".join(body),
    comment="%",
)


DIALECT = Dialect(
    "hrf", HRF.program, stones="write them as owns(red,1) owns(blue,2) ...", describes_games=True, keeps_order=False
)
