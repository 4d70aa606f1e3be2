"""`base` and `input` name everything that can come."""

from __future__ import annotations

from collections.abc import Collection, Iterator

from hexlogic.gdl.check.examined import Examined
from hexlogic.gdl.check.finding import Finding, error, warning
from hexlogic.gdl.check.registry import check
from hexlogic.logic.dialects.gdl import write_term
from hexlogic.logic.syntax import Term

__all__ = ["base", "inputs"]


@check("base", "ground")
def base(sheet: Examined) -> Iterator[Finding]:
    """`base` names every fact that a state may have."""
    yield from _uncovered(sheet, "base", {(fact,) for fact in sheet.games.facts})


@check("inputs", "ground")
def inputs(sheet: Examined) -> Iterator[Finding]:
    """`input` names every move that may be legal."""
    yield from _uncovered(sheet, "input", sheet.games.legal)


def _uncovered(sheet: Examined, declaration: str, seen: Collection[tuple[Term, ...]]) -> Iterator[Finding]:
    """One finding for each rule that leads out of what is declared: an error when a game went there, otherwise a
    warning, since the rules alone do not tell which facts come together."""
    if not {"base", "input"} <= sheet.defined:
        return
    for found in sheet.undeclared:
        if found.declaration != declaration:
            continue
        played = [terms for terms in found.beyond if terms in seen]
        shown = " ".join(map(write_term, (played or found.beyond)[0]))
        more = f" and {len(found.beyond) - 1} more" if len(found.beyond) > 1 else ""
        if played:
            yield error(found.rule, f"`{declaration}` does not name {shown}{more}", "it came up in a random game")
        else:
            hint = "no random game came there, and perhaps none can"
            yield warning(found.rule, f"`{declaration}` does not name {shown}{more}, which this rule may bring", hint)
