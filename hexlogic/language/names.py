"""Fresh names for predicates and variables: every generated name comes from this module.

internal    'not'reach                       no text of the rule language can spell it: for what is only computed with
reserved    _hexlogic_reach_stage_0a1b2c3d   legal in every language: for texts that people get and complete later
fresh       reach_2                          a given text does not use it: for variables, and for texts that are closed

Sheets are closed: there a reserved name loses its underscore.

A reserved name ends with a hash of what it is defined by, so that the same input gives the same bytes and two texts
that were optimised apart share a name only with its definition. clingo hides atoms whose names begin with an underscore
under `--out-hide-aux`.
"""

import hashlib
import itertools
import re
from collections.abc import Collection, Iterable
from typing import Final

from hexlogic.language.syntax import Predicate, Program, Variable
from hexlogic.language.walk import predicates, rename_rule

RESERVED: Final = "_hexlogic_"
"""What reserved names begin with."""
_HASH: Final = re.compile(rf"(?<={RESERVED})(\w+)_[0-9a-f]{{8}}(?:_\d+)?")


def internal_name(kind: str, name: str = "") -> str:
    """A name that no text of the rule language can spell and that clingo takes, different for each pair of arguments.

    It begins with an apostrophe, which the parser refuses there. `kind` is a word of letters without apostrophe, so
    the second apostrophe ends it. It names a predicate, a function or a constant.

    >>> internal_name("not", "reach"), internal_name("not", "not'reach"), internal_name("contradiction")
    ("'not'reach", "'not'not'reach", "'contradiction'")
    """
    assert kind.isalpha()
    return f"'{kind}'{name}"


def reserved_name(base: str, definition: str, used: Collection[str]) -> str:
    """A reserved name for a predicate with that definition, which is none of `used`.

    >>> reserved_name("reach_stage", "(X) :- edge(X,Y).", ())
    '_hexlogic_reach_stage_576e342a'
    >>> reserved_name("_hexlogic_reach_stage_576e342a_split", "(X) :- edge(X,Y).", ())
    '_hexlogic_reach_stage_split_576e342a'
    """
    readable = _HASH.sub(r"\1", base).removeprefix(RESERVED).lstrip("-_'").rstrip("_'")
    digest = hashlib.sha256(definition.encode()).hexdigest()[:8]
    return next(iter(fresh_names(f"{RESERVED}{readable}_{digest}", used)))


def is_reserved(name: str) -> bool:
    """Whether the name of a predicate, classically negated or not, is a reserved one."""
    return name.lstrip("-").startswith(RESERVED)


def closed_names(program: Program) -> Program:
    """A closed program: reserved names lose their underscore, which some players take for a variable's."""
    used = {predicate.name for predicate in predicates(program)}
    new: dict[Predicate, str] = {}
    for predicate in sorted(predicates(program)):
        if is_reserved(predicate.name):
            new[predicate] = taken_name(predicate.name.lstrip("_"), used)
    return program.with_rules(tuple(rename_rule(rule, new) for rule in program.rules)) if new else program


def fresh_names(base: str, used: Collection[str]) -> Iterable[str]:
    """`base`, `base_2`, `base_3`, ... without those in use.

    >>> names = iter(fresh_names("reach", {"reach"}))
    >>> next(names), next(names)
    ('reach_2', 'reach_3')
    """
    candidates = itertools.chain([base], (f"{base}_{number}" for number in itertools.count(2)))
    return (name for name in candidates if name not in used)


def taken_name(base: str, used: set[str]) -> str:
    """The first of `fresh_names`, which is in use from now on."""
    name = next(iter(fresh_names(base, used)))
    used.add(name)
    return name


def fresh_predicate(program: Program, base: str, arity: int) -> Predicate:
    """A predicate whose name begins with `base` and occurs nowhere in the program."""
    used = {predicate.name for predicate in predicates(program)}
    return Predicate(next(iter(fresh_names(base, used))), arity)


def fresh_copies(variables: Iterable[Variable], used: Collection[Variable]) -> dict[Variable, Variable]:
    """A new variable for each, with a name that begins with its own; none is in use."""
    taken = {variable.name for variable in used}
    return {variable: Variable(taken_name(variable.name, taken)) for variable in sorted(variables)}


def fresh_variables(base: str, used: Collection[Variable]) -> Iterable[Variable]:
    """Variables `base`, `base_2`, ... without those in use."""
    return (Variable(name) for name in fresh_names(base, {variable.name for variable in used}))
