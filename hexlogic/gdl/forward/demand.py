"""Only what is asked for: the pass `magic` on each question of a sheet, for relations that are large and asked with
bound arguments. Taken where a state would otherwise have too many tuples.

Looks, steps and goals are asked at different times, so each has its own copy of what it narrows. Relations that depend
on no state stay as they are: they are derived once.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from hexlogic.gdl.forward.estimates import guessed
from hexlogic.gdl.forward.opened import OpenedSheet
from hexlogic.gdl.forward.plans import ordered
from hexlogic.gdl.forward.types import Types
from hexlogic.logic.analysis.dependence import rules_below
from hexlogic.logic.names import fresh_names
from hexlogic.logic.syntax import Atom, Predicate, Program, Rule
from hexlogic.logic.walk import map_atoms, predicates
from hexlogic.passes.base import load_pass

__all__ = ["narrowed"]


def narrowed(opened: OpenedSheet) -> OpenedSheet:
    """The sheet with demand predicates; the same where no question binds an argument."""
    sizes = guessed(opened)
    fixed = frozenset[Predicate]().union(*opened.phases[0])
    rules = [rule for rule in opened.program.rules if rule.head is not None and rule.head.predicate in fixed]
    moving = Program(
        tuple(
            rule.with_body(tuple(ordered(rule.body, None, sizes)))
            for rule in opened.program.rules
            if rule.head is not None and rule.head.predicate not in fixed
        )
    )
    used = {predicate.name for predicate in predicates(opened.program)}
    changed = False
    for question, asked in zip(("look", "step", "goal"), opened.asked, strict=True):
        queries = tuple(sorted(asked - fixed))
        below = rules_below(moving, queries)
        whole = replace(below, inputs=(*opened.inputs, *sorted(fixed)), queries=queries)
        found = load_pass("magic").apply(whole)
        changed = changed or found is not whole
        rules += _apart(found.rules, question, frozenset((*whole.inputs, *queries)), used)
    if not changed:
        return opened
    program = opened.program.with_rules(tuple(rules))
    flat = replace(opened.flat, program=program)
    facts = tuple(Rule(opened.atom("true", fact)) for fact in opened.initial)
    return OpenedSheet(flat, Types((*rules, *facts), opened.joined), opened.initial)


def _apart(rules: Sequence[Rule], question: str, kept: frozenset[Predicate], used: set[str]) -> list[Rule]:
    """The rules with names of their own for what they derive, but for the relations that are kept."""
    names: dict[Predicate, str] = {}
    for rule in rules:
        if rule.head is not None and rule.head.predicate not in kept and rule.head.predicate not in names:
            name = next(iter(fresh_names(f"{question}_{rule.head.name}", used)))
            used.add(name)
            names[rule.head.predicate] = name
    return [map_atoms(rule, lambda atom: Atom(names.get(atom.predicate, atom.name), atom.arguments)) for rule in rules]
