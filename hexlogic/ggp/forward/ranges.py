"""The numbers that can stand in a column of a view: fewer than its type has, where what no state changes says so.

    capture(R,U,V,X,Y) :- jump(R,U,V,X,Y), true_cell(U,V,R).      U and X are files: 8 of the 16 files and ranks

Files and ranks have one type where a variable of some rule is either. Tables over all columns of a view then have room
for keys that never come: 2^6 times as many here with six such columns. Facts and moves keep their types, since a state
may be given that rules never reach.
"""

from collections.abc import Mapping
from typing import TypeAlias

from hexlogic.ggp.forward.static_tables import StaticTables
from hexlogic.ggp.language.opened import OpenedSheet
from hexlogic.ggp.language.types import Slot
from hexlogic.language.syntax import Literal, Predicate, Rule, Term, Variable

Span: TypeAlias = tuple[int, int]
"""The least and the greatest number; the least is greater where there is none."""
NOTHING: Span = (0, -1)


def common(left: Span, right: Span) -> Span:
    """The numbers of both."""
    return max(left[0], right[0]), min(left[1], right[1])


def column_ranges(opened: OpenedSheet, statics: StaticTables) -> Mapping[Slot, Span]:
    """The numbers that can stand in the columns of views and of relations that no state changes."""
    ranges: dict[Slot, Span] = {}
    for predicate, rows in statics.tuples.items():
        for column, values in enumerate(rows.T):
            ranges[predicate, column] = (int(values.min()), int(values.max())) if len(values) else NOTHING
    whole = {*opened.inputs, *opened.pairs.values(), *opened.gates.values(), Predicate("goal", 2), *statics.tuples}
    rules = [rule for rule in opened.program.rules if rule.conclusion.predicate not in whole]
    ranges |= {
        (rule.conclusion.predicate, column): NOTHING
        for rule in rules
        for column in range(len(rule.conclusion.arguments))
    }
    changed = True
    while changed:
        changed = False
        for rule in rules:
            head = rule.conclusion
            for column, term in enumerate(head.arguments):
                slot = head.predicate, column
                least, most = _span(rule, term, slot, opened, ranges)
                before = ranges[slot]
                after = (min(before[0], least), max(before[1], most)) if before[0] <= before[1] else (least, most)
                if least <= most and after != before:
                    ranges[slot], changed = after, True
    return ranges


def _span(rule: Rule, term: Term, slot: Slot, opened: OpenedSheet, ranges: Mapping[Slot, Span]) -> Span:
    """The numbers of a term of a rule's head."""
    kind = opened.types.of(slot)
    span = (0, kind.size - 1)
    if not isinstance(term, Variable):
        number = -1 if kind.shapes else kind.number(term)
        return (number, number) if number >= 0 else span
    for item in rule.body:
        if isinstance(item, Literal) and item.positive:
            for column, argument in enumerate(item.atom.arguments):
                if argument == term:
                    span = common(span, ranges.get((item.atom.predicate, column), span))
    return span
