"""The rule language: syntax tree, parser, printers, analyses, ground programs, passes and engines."""

from hexlogic.language.syntax import Atom, BodyLiteral, Comparison, Literal, Place, Predicate, Program, Rule
from hexlogic.language.terms import Arithmetic, Function, Integer, Interval, Symbol, Term, Variable

__all__ = [
    "Arithmetic",
    "Atom",
    "BodyLiteral",
    "Comparison",
    "Function",
    "Integer",
    "Interval",
    "Literal",
    "Place",
    "Predicate",
    "Program",
    "Rule",
    "Symbol",
    "Term",
    "Variable",
]
