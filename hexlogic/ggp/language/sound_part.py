"""What can be played of a sheet with faults: all rules but those that are no rules, unsafe, or recursive through
negation. For a player whose host has such a sheet, and expects legal moves all the same."""

from __future__ import annotations

from collections.abc import Sequence

from hexlogic.errors import HexlogicError, StratificationError
from hexlogic.ggp.language.sheet import INPUTS, build_sheet, read_rules, sheet_of
from hexlogic.ggp.language.tree import Expression
from hexlogic.language.analysis.checks import check
from hexlogic.language.analysis.dependence import sccs
from hexlogic.language.syntax import Program, Rule

_NEEDED = {"role", "legal"}


def sound_part(expressions: Sequence[Expression], file: str) -> tuple[Program, HexlogicError | None]:
    """The sheet without the rules at fault, and the first fault; None for a sound sheet.

    Raises the first fault as `build_sheet` and `check` do where no rule for `role` or `legal` is left.

    >>> from hexlogic.ggp.language.kif import parse_kif
    >>> sheet, fault = sound_part(parse_kif("(role a) (legal a b) (<= (goal a ?x) (role a))"), "<text>")
    >>> print(fault)
    <text>:1:22: variable X is unsafe in `goal(a,X) :- role(a).` (bind it in a positive body literal)
    >>> [rule.head.name for rule in sheet.rules]
    ['role', 'legal']
    """
    try:
        return check(build_sheet(expressions, file)), None
    except HexlogicError as error:
        fault = error
    read = [found for found in read_rules(expressions, file) if not isinstance(found, HexlogicError)]
    sheet = _stratified(sheet_of(rule for rules in read for rule in rules if _is_sound(rule)))
    if not {rule.head.name for rule in sheet.rules if rule.head is not None} >= _NEEDED:
        raise fault
    return sheet, fault


def _is_sound(rule: Rule) -> bool:
    try:
        check(Program((rule,), (), INPUTS))
    except HexlogicError:
        return False
    return True


def _stratified(sheet: Program) -> Program:
    """The sheet without the rules that deny what they derive."""
    try:
        return check(sheet)
    except StratificationError:
        component = {predicate: own for own in sccs(sheet) for predicate in own}

        def denies(rule: Rule) -> bool:
            own = frozenset() if rule.head is None else component[rule.head.predicate]
            return any(not item.positive and item.atom.predicate in own for item in rule.literals)

        return check(sheet.with_rules(tuple(rule for rule in sheet.rules if not denies(rule))))
