"""New names: internal names, which no text can spell, and fresh names, which a given text could spell and does not.

Programs that are only computed with take internal names; programs that people read take fresh ones.
"""

from __future__ import annotations

import itertools
from collections.abc import Collection, Iterable

from hexlogic.logic.syntax import Predicate, Program, Term, Variable
from hexlogic.logic.walk import predicates

__all__ = ["fresh_copies", "fresh_names", "fresh_predicate", "fresh_variables", "internal_name"]


def internal_name(kind: str, name: str = "") -> str:
    """A name that no text of the rule language can spell and that clingo takes, different for each pair of arguments.

    It begins with an apostrophe, which the parser refuses there. `kind` is a word of letters without apostrophe, so
    the second apostrophe ends it. It names a predicate, a function or a constant.

    >>> internal_name("not", "reach"), internal_name("not", "not'reach"), internal_name("contradiction")
    ("'not'reach", "'not'not'reach", "'contradiction'")
    """
    assert kind.isalpha()
    return f"'{kind}'{name}"


def fresh_names(base: str, used: Collection[str]) -> Iterable[str]:
    """`base`, `base_2`, `base_3`, ... without those in use.

    >>> names = iter(fresh_names("reach", {"reach"}))
    >>> next(names), next(names)
    ('reach_2', 'reach_3')
    """
    candidates = itertools.chain([base], (f"{base}_{number}" for number in itertools.count(2)))
    return (name for name in candidates if name not in used)


def fresh_predicate(program: Program, base: str, arity: int) -> Predicate:
    """A predicate whose name begins with `base` and occurs nowhere in the program."""
    used = {predicate.name for predicate in predicates(program)}
    return Predicate(next(iter(fresh_names(base, used))), arity)


def fresh_copies(variables: Iterable[Variable], used: Collection[Variable]) -> dict[Variable, Term]:
    """A new variable for each, with a name that begins with its own; none is in use."""
    taken = {variable.name for variable in used}
    copies: dict[Variable, Term] = {}
    for variable in sorted(variables, key=str):
        name = next(iter(fresh_names(variable.name, taken)))
        taken.add(name)
        copies[variable] = Variable(name)
    return copies


def fresh_variables(base: str, used: Collection[Variable]) -> Iterable[Variable]:
    """Variables `base`, `base_2`, ... without those in use."""
    return (Variable(name) for name in fresh_names(base, {variable.name for variable in used}))
