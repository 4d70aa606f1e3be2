"""Roles by name, and what their goals are."""

from __future__ import annotations

from collections.abc import Iterator

from hexlogic.ggp.check.examined import Examined
from hexlogic.ggp.check.finding import Finding, error, warning
from hexlogic.ggp.check.registry import check
from hexlogic.ggp.check.vocabulary import closest, did_you_mean
from hexlogic.ggp.language.sheet import term_of
from hexlogic.ggp.language.tree import Expression, words
from hexlogic.language.dialects.gdl import write_term
from hexlogic.language.syntax import Integer, Term

_OF_A_ROLE = ("legal", "goal", "does", "input")


@check("roles")
def roles(sheet: Examined) -> Iterator[Finding]:
    """The roles are written out as facts."""
    for rule in sheet.defining("role"):
        if rule.body:
            yield error(rule, "a role is derived by a rule", "players read the roles before they reason: (role ...)")


@check("strangers")
def strangers(sheet: Examined) -> Iterator[Finding]:
    """Who moves and has goals is a role. A player never asks about a stranger, so one is a slip and no more."""
    if any(rule.body for rule in sheet.defining("role")):
        return
    known = {write_term(rule.head.arguments[0]) for rule in sheet.defining("role") if rule.head is not None}
    for mention in sheet.read:
        if known and mention.name in _OF_A_ROLE and (term := _ground(mention.arguments[0])) is not None:
            text = write_term(term)
            if text not in known:
                hint = did_you_mean(closest(text, known)) or f"the roles are {', '.join(sorted(known))}"
                yield warning(mention.arguments[0], f"{text} is no role", hint)


@check("values")
def values(sheet: Examined) -> Iterator[Finding]:
    """A goal is a number from 0 to 100."""
    for mention in sheet.read:
        value = _ground(mention.arguments[1]) if mention.name == "goal" else None
        if value is not None and not (isinstance(value, Integer) and 0 <= value.value <= 100):
            yield error(mention.arguments[1], f"the goal {write_term(value)} is no number from 0 to 100")


def _ground(expression: Expression) -> Term | None:
    """The term, unless there is a variable in it."""
    return None if any(word.text.startswith("?") for word in words(expression)) else term_of(expression)
