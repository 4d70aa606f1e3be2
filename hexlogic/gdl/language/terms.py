"""Terms, the roles, moves and facts of a game, as KIF text."""

from __future__ import annotations

from hexlogic.errors import RuleSyntaxError
from hexlogic.gdl.language.kif import parse_kif
from hexlogic.gdl.language.sheet import term_of
from hexlogic.logic.dialects.gdl import write_term
from hexlogic.logic.syntax import Term

__all__ = ["read_term", "write_term"]


def read_term(text: str) -> Term:
    """The ground term that KIF text spells; spaces do not matter. Raises RuleSyntaxError.

    >>> write_term(read_term("( place 2 3 )"))
    '(place 2 3)'
    """
    expressions = parse_kif(text)
    if len(expressions) != 1:
        raise RuleSyntaxError(f"{len(expressions)} terms where one should be", line=1, column=1)
    return term_of(expressions[0])
