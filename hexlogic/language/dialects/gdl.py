"""GDL in KIF, the prefix text that general game players read.

    wins(X) :- true(cell(X,b)), not lost(X), X != r.      (<= (wins ?x)
                                                              (true (cell ?x b))
                                                              (not (lost ?x))
                                                              (distinct ?x r))
    terminal.                                             terminal

The text is canonical: a fact on a line, a rule with one literal on a line, an empty line where the head changes its
predicate. It reads back to an equal program (`hexlogic.ggp.read_kif`). `=` is `(not (distinct ...))`. GDL has no
arithmetic and no order: a program with them has no text here until `ground` has computed them. Integrity constraints
derive nothing and become comments.
"""

from __future__ import annotations

from hexlogic.language.dialects import Dialect
from hexlogic.language.dialects.gdl_text import Spelling, variable_word
from hexlogic.language.syntax import Program, Term

_KIF = Spelling(
    variable=variable_word,
    word=lambda word: word,
    compound=lambda word, arguments: f"({' '.join([word, *arguments])})",
    negated=lambda literal: f"(not {literal})",
    rule=lambda head, body: f"(<= {head}" + "".join(f"\n    {literal}" for literal in body) + ")",
    comment=";",
)


def render(program: Program) -> str:
    """The KIF text of a program. Raises HexlogicError for what GDL cannot say, with the place of the rule."""
    return _KIF.program(program)


def write_term(term: Term) -> str:
    """A term as KIF.

    >>> from hexlogic.language import Function, Integer, Symbol, Variable
    >>> write_term(Function("cell", (Integer(1), Variable("Y"), Symbol("b"))))
    '(cell 1 ?y b)'
    """
    return _KIF.term(term)


DIALECT = Dialect(
    "gdl",
    render,
    comment=";",
    stones="write them as (owns red 1) (owns blue 2) ...",
    describes_games=True,
    keeps_order=False,
)
