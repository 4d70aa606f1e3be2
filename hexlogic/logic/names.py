"""The one maker of fresh names."""

from __future__ import annotations

import itertools
from collections.abc import Collection, Iterable

from hexlogic.logic.syntax import Atom, Function, Predicate, Program, Symbol, Term, Variable
from hexlogic.logic.walk import body_terms, predicates, subterms

__all__ = ["FreshNames", "fresh_names", "fresh_predicate", "fresh_variables", "internal_name", "names_in"]


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


def fresh_variables(base: str, used: Collection[Variable]) -> Iterable[Variable]:
    """Variables `base`, `base_2`, ... without those in use."""
    return (Variable(name) for name in fresh_names(base, {variable.name for variable in used}))


def names_in(program: Program) -> frozenset[str]:
    """Every name that occurs in the program: of predicates, functors, symbols and `#const`."""
    terms: list[Term] = [value for _, value in program.constants]
    for rule in program.rules:
        terms += [term for item in (*([rule.head] if rule.head else []), *rule.body) for term in body_terms(item)]
    known = (predicate.name for predicate in (*predicates(program), *program.equivalences))
    return frozenset((*known, *(name for name, _ in program.constants), *_names_of(terms)))


class FreshNames:
    """Makes names that none of these programs and atoms has, each name once.

    >>> from hexlogic.logic.parser import parse
    >>> fresh = FreshNames([parse("before_q :- q.")])
    >>> fresh.make("before_q"), fresh.make("before_q"), fresh.make("after_q")
    ('before_q_2', 'before_q_3', 'after_q')
    """

    def __init__(self, programs: Iterable[Program], atoms: Iterable[Atom] = ()) -> None:
        self._used = {name for program in programs for name in names_in(program)}
        for atom in atoms:
            self._used.update((atom.name, *_names_of(atom.arguments)))

    def make(self, base: str) -> str:
        """A name that begins with `base`, and that is taken from now on."""
        name = next(iter(fresh_names(base, self._used)))
        self._used.add(name)
        return name


def _names_of(terms: Iterable[Term]) -> Iterable[str]:
    return (part.name for term in terms for part in subterms(term) if isinstance(part, Symbol | Function))
