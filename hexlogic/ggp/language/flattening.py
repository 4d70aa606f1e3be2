"""Flattening: one predicate for each kind of fact and move, with an argument for each part of the compound term.

    true(cell(X,Y,b)), does(R,mark(X,Y))      becomes      true_cell(X,Y,b), does_mark(R,X,Y)

To the passes every argument counts: which of them are bound, and how many values each can have. Nothing is lost, and
`Flattening.sheet` puts everything back. A rule about any fact, as `next(F) :- true(F)`, becomes a rule for each kind.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TypeAlias

from hexlogic.ggp.language.sheet import INPUTS, PLAYED
from hexlogic.language import Atom, Function, Predicate, Program, Rule, Term, Variable
from hexlogic.language.names import fresh_names, fresh_variables
from hexlogic.language.walk import map_atoms, predicates, rule_variables, substitute

_KINDS: tuple[Mapping[str, Predicate], ...] = (
    {"true": Predicate("true", 1), "next": Predicate("next", 1)},
    {"does": Predicate("does", 2), "legal": Predicate("legal", 2)},
)
"""Words of GDL that speak of facts, and those that speak of moves; the fact or the move is the last argument."""
_MOST_KINDS = 12
"""A rule about any fact becomes at most so many."""

_Shape: TypeAlias = tuple[str, int] | Term
"""A functor with its number of arguments, or a constant."""


@dataclass(frozen=True)
class Flattening:
    """A flattened program, and which of its predicates stands for which kind of fact or move."""

    program: Program
    names: Mapping[tuple[str, _Shape], Predicate]

    def atom(self, atom: Atom) -> Atom:
        """The atom, flattened where it speaks of a fact or a move of a known kind."""
        named = None if not atom.arguments else self.names.get((atom.name, _shape(atom.arguments[-1])))
        if named is None:
            return atom
        *others, last = atom.arguments
        return Atom(named.name, (*others, *(last.arguments if isinstance(last, Function) else ())))

    def sheet(self, program: Program) -> tuple[Rule, ...]:
        """The rules of a changed program, in the words of GDL again."""
        back = {predicate: key for key, predicate in self.names.items()}

        def put_back(atom: Atom) -> Atom:
            if atom.predicate not in back:
                return atom
            word, shape = back[atom.predicate]
            before = len(atom.arguments) - (shape[1] if isinstance(shape, tuple) else 0)
            term = Function(shape[0], atom.arguments[before:]) if isinstance(shape, tuple) else shape
            return Atom(word, (*atom.arguments[:before], term))

        return tuple(map_atoms(rule, put_back) for rule in program.rules)


def flatten(rules: Sequence[Rule], possible: Sequence[Atom] | None) -> Flattening:
    """Flatten the rules of a sheet that are about play, given all facts and moves that can come up, where known.

    Facts, or moves, stay as they are when a variable stands for one and there are many kinds, or unknown ones.
    """
    program = Program(tuple(rules), (), INPUTS, PLAYED)
    taken = {predicate.name for predicate in predicates(program)}
    names: dict[tuple[str, _Shape], Predicate] = {}
    spread = list(program.rules)
    for words in _KINDS:
        known = _shapes(spread, possible, words)
        expanded = [list(_expand(rule, words, known, possible is not None)) for rule in spread]
        if not known or not all(expanded):
            continue
        heads = _heads(spread)
        spread = [
            rule
            for alternatives in expanded
            for rule in alternatives
            if len(alternatives) == 1 or all(_may_hold(a, heads) for a in _needed(rule))
        ]
        for (word, predicate), shape in itertools.product(words.items(), known):
            base = f"{word}_{shape[0] if isinstance(shape, tuple) else shape}"
            name = next(iter(fresh_names(base.replace("-", "minus_"), taken)))
            taken.add(name)
            names[word, shape] = Predicate(name, predicate.arity - 1 + (shape[1] if isinstance(shape, tuple) else 0))
    flat = Flattening(program, names)
    opened = tuple(map_atoms(rule, flat.atom) for rule in spread)
    defined = {rule.head.predicate for rule in opened if rule.head is not None}
    inputs = [flat_name for (word, _), flat_name in names.items() if word in ("true", "does")]
    inputs += [predicate for predicate in program.inputs if predicate in predicates(Program(opened))]
    queries = [flat_name for (word, _), flat_name in names.items() if word in ("next", "legal")]
    asked = tuple(query for query in (*queries, *PLAYED) if query in defined)
    return replace(flat, program=Program(opened, (), tuple(inputs), asked))


def _shape(term: Term) -> _Shape:
    return (term.name, len(term.arguments)) if isinstance(term, Function) else term


def _shapes(rules: Iterable[Rule], possible: Sequence[Atom] | None, words: Mapping[str, Predicate]) -> list[_Shape]:
    """The kinds of facts, or of moves, sorted."""
    atoms = itertools.chain(*(rule.atoms for rule in rules), possible or ())
    terms = (atom.arguments[-1] for atom in atoms if words.get(atom.name) == atom.predicate)
    shapes = {_shape(term) for term in terms if not isinstance(term, Variable)}
    return sorted(shapes, key=str)


def _expand(rule: Rule, words: Mapping[str, Predicate], known: Sequence[_Shape], complete: bool) -> Iterator[Rule]:
    """The rule for each kind of fact that a variable in it may stand for; nothing when these are not known."""
    spoken = [atom for atom in rule.atoms if words.get(atom.name) == atom.predicate]
    open_terms = {atom.arguments[-1] for atom in spoken if isinstance(atom.arguments[-1], Variable)}
    if not open_terms:
        yield rule
        return
    sure = {literal.atom for literal in rule.literals if literal.positive} | ({rule.head} if rule.head else set())
    bound = {atom.arguments[-1] for atom in spoken if atom in sure}
    if not complete or not open_terms <= bound or len(known) ** len(open_terms) > _MOST_KINDS:
        return
    ordered = [term for term in sorted(open_terms, key=str) if isinstance(term, Variable)]
    for chosen in itertools.product(known, repeat=len(ordered)):
        fresh = iter(fresh_variables("V", rule_variables(rule)))
        kinds: dict[Variable, Term] = {}
        for variable, shape in zip(ordered, chosen, strict=True):
            kinds[variable] = (
                Function(shape[0], tuple(next(fresh) for _ in range(shape[1]))) if isinstance(shape, tuple) else shape
            )
        yield substitute(rule, kinds)


def _heads(rules: Iterable[Rule]) -> dict[Predicate, list[Atom]]:
    heads: dict[Predicate, list[Atom]] = {}
    for rule in rules:
        if rule.head is not None:
            heads.setdefault(rule.head.predicate, []).append(rule.head)
    return heads


def _needed(rule: Rule) -> Iterator[Atom]:
    """The atoms that must hold for the rule and are not inputs."""
    return (item.atom for item in rule.literals if item.positive and item.atom.name not in ("true", "does"))


def _may_hold(atom: Atom, heads: Mapping[Predicate, Sequence[Atom]]) -> bool:
    """Whether some rule derives an atom of this form."""
    return any(all(map(_alike, atom.arguments, head.arguments)) for head in heads.get(atom.predicate, ()))


def _alike(left: Term, right: Term) -> bool:
    """Whether two terms can be the same, as far as their functors and constants tell."""
    if isinstance(left, Variable) or isinstance(right, Variable):
        return True
    if not (isinstance(left, Function) and isinstance(right, Function)):
        return left == right
    return _shape(left) == _shape(right) and all(map(_alike, left.arguments, right.arguments))
