"""Toy: reverse each body.

Before:  q(X) :- r(X), s(X).
After:   q(X) :- s(X), r(X).
"""

from __future__ import annotations

from hexlogic.language import Program
from hexlogic.language.passes import Pass


def toy(program: Program) -> Program:
    """The program with each body reversed."""
    return program.with_rules(tuple(rule.with_body(rule.body[::-1]) for rule in program.rules))


PASS = Pass("toy", "reverse each body", toy)
