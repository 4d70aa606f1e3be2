"""Terms, the roles, moves and facts of a game, as KIF text."""

from __future__ import annotations

from hexlogic.errors import RuleSyntaxError
from hexlogic.ggp.language.kif import parse_kif
from hexlogic.ggp.language.sheet import term_of
from hexlogic.language.syntax import Term


def read_term(text: str) -> Term:
    """The ground term that KIF text spells; spaces do not matter. Raises RuleSyntaxError.

    >>> str(read_term("( place 2 3 )"))
    'place(2,3)'
    """
    expressions = parse_kif(text)
    if len(expressions) != 1:
        raise RuleSyntaxError(f"{len(expressions)} terms where one should be", line=1, column=1)
    return term_of(expressions[0])
