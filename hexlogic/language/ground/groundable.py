"""Why gringo cannot ground a program: asked by every engine that works on ground programs."""

from __future__ import annotations

from hexlogic.errors import StratificationError
from hexlogic.language import Integer, Program
from hexlogic.language.analysis.dependence import growing_predicates, strata
from hexlogic.language.analysis.equivalence import needs_union_find
from hexlogic.language.walk import rule_terms

_LARGEST = 2**31 - 1


def cannot_ground(program: Program) -> str | None:
    """Refuses equivalences, unstratified programs, function terms that grow and integers beyond 32 bits; None when
    grounding ends.

    The test for growing terms is syntactic and sufficient for the endless grounding it names, so it also refuses
    programs that would end for another reason. A sum that leaves 32 bits at run time wraps around unnoticed.
    """
    if reason := needs_union_find(program):
        return reason
    try:
        strata(program)
    except StratificationError as error:
        return str(error)
    for rule in program.rules:
        for part in rule_terms(rule):
            if isinstance(part, Integer) and abs(part.value) > _LARGEST:
                return f"the integer {part.value} does not fit into clingo's 32 bits"
    growing = min(growing_predicates(program), default=None)
    return f"function terms grow under recursion in {growing}, so grounding does not end" if growing else None
