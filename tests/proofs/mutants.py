"""Every single edit of a rule set's text, of nine kinds.

    reach(P,Y) :- reach(P,X), adjacent(X,Y), owns(P,Y).
    literal dropped      reach(P,Y) :- reach(P,X), owns(P,Y).
    arguments swapped    reach(P,Y) :- reach(P,X), adjacent(Y,X), owns(P,Y).
    other side           first/2 where last/2 was, and the other way round
    other player         reach(P,Y) :- reach(P,X), adjacent(X,Y), owns(Other,Y), opponent(P,Other).
    constant moved       column(X2,2) becomes column(X2,1) and column(X2,3)
    rule dropped
    recursion cut        the recursive literal dropped, or the body of a rule that ends the recursion in its place
    comparison turned    X < Y becomes X <= Y, X > Y, X >= Y, X = Y, X != Y
    negation toggled     reach(P,Y) :- reach(P,X), not adjacent(X,Y), owns(P,Y).

The edits know the predicates of the board (`first/2`, `last/2`, `opponent/2`), and that players are `P` and `Q`.
"""

from __future__ import annotations

import dataclasses
import itertools
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TypeAlias

from hexlogic.games import Game
from hexlogic.games.rulesets import RuleSet
from hexlogic.language import Atom, Comparison, Integer, Literal, Program, Rule, Symbol, Term, Variable
from hexlogic.language.parser import parse
from hexlogic.language.syntax import COMPARISONS
from hexlogic.language.walk import map_terms, rule_variables, substitute

__all__ = ["KINDS", "Mutant", "edits", "mutants_of", "without_declarations"]

KINDS = (
    "literal dropped",
    "arguments swapped",
    "other side",
    "other player",
    "constant moved",
    "rule dropped",
    "recursion cut",
    "comparison turned",
    "negation toggled",
)

_SIDES = {"first": "last", "last": "first"}
_PLAYERS: dict[Term, Term] = {Symbol("red"): Symbol("blue"), Symbol("blue"): Symbol("red")}
_PLAYER_NAMES = ("P", "Q")
_OTHER = Variable("Other")

Edit: TypeAlias = tuple[str, tuple[Rule, ...]]
"""The kind, and what stands in the place of the edited rule: one rule or none."""


@dataclass(frozen=True)
class Mutant:
    """A rule set with one edit: `before` is the edited rule, `after` what stands in its place."""

    kind: str
    before: str
    after: str
    rules: RuleSet

    def __str__(self) -> str:
        return f"{self.rules.name}, {self.kind}: {self.before} -> {self.after or 'nothing'}"


def mutants_of(rules: RuleSet, game: Game) -> list[Mutant]:
    """All different mutants, in text order; a template is written out for `game` first. The names stay."""
    program = parse(rules.expand(game), rules.path.name)
    found: dict[str, Mutant] = {}
    for number, rule in enumerate(program.rules):
        for kind, others in edits(rule, program):
            text = str(program.with_rules((*program.rules[:number], *others, *program.rules[number + 1 :])))
            changed = dataclasses.replace(rules, text=text, path=Path(f"{rules.name}-mutant.lp"))
            found.setdefault(text, Mutant(kind, str(rule), " ".join(map(str, others)), changed))
    found.pop(str(program), None)
    return list(found.values())


def without_declarations(rules: RuleSet) -> RuleSet:
    """The rule set without `%! equivalence`, which ties its rules to an engine's union-find and refuses most edits."""
    lines = rules.text.splitlines(keepends=True)
    return dataclasses.replace(rules, text="".join(line for line in lines if not line.startswith("%!")))


def edits(rule: Rule, program: Program) -> Iterator[Edit]:
    """Every edit of one rule of `program`; some give the rule as it was, or the same rule twice."""
    yield "rule dropped", ()
    for kind, edit in (
        ("recursion cut", lambda: _recursion_cut(rule, program)),
        ("literal dropped", lambda: _dropped(rule)),
        ("arguments swapped", lambda: _swapped(rule)),
        ("other side", lambda: _other_side(rule)),
        ("other player", lambda: _other_player(rule)),
        ("constant moved", lambda: _at_each_term(rule, _moved)),
        ("comparison turned", lambda: _turned(rule)),
        ("negation toggled", lambda: _toggled(rule)),
    ):
        yield from ((kind, (other,)) for other in edit())


def _with_item(rule: Rule, place: int, *items: Literal | Comparison) -> Rule:
    return rule.with_body((*rule.body[:place], *items, *rule.body[place + 1 :]))


def _dropped(rule: Rule) -> Iterator[Rule]:
    return (_with_item(rule, place) for place in range(len(rule.body)))


def _recursion_cut(rule: Rule, program: Program) -> Iterator[Rule]:
    assert rule.head is not None
    own = rule.head.predicate
    for place, item in enumerate(rule.body):
        if isinstance(item, Literal) and item.atom.predicate == own:
            yield _with_item(rule, place)
            for base in program.defining(own):
                if all(literal.atom.predicate != own for literal in base.literals):
                    yield _with_item(rule, place, *_written_out(item.atom, base))


def _written_out(atom: Atom, base: Rule) -> Iterable[Literal | Comparison]:
    """The body of `base` with variables of its own, and its head's arguments made equal to those of `atom`."""
    own = substitute(base, {one: Variable(f"{one}_base") for one in rule_variables(base)})
    assert own.head is not None
    pairs = zip(atom.arguments, own.head.arguments, strict=True)
    return (*own.body, *(Comparison("=", left, right) for left, right in pairs))


def _atoms_changed(rule: Rule, change: Callable[[Atom], Iterable[Atom]]) -> Iterator[Rule]:
    """The rule with one atom, of head or body, replaced by each of the atoms that `change` gives for it."""
    assert rule.head is not None
    yield from (dataclasses.replace(rule, head=head) for head in change(rule.head))
    for place, item in enumerate(rule.body):
        if isinstance(item, Literal):
            yield from (_with_item(rule, place, Literal(atom, item.positive)) for atom in change(item.atom))


def _swapped(rule: Rule) -> Iterator[Rule]:
    def change(atom: Atom) -> Iterator[Atom]:
        for one, other in itertools.combinations(range(len(atom.arguments)), 2):
            arguments = list(atom.arguments)
            arguments[one], arguments[other] = arguments[other], arguments[one]
            yield Atom(atom.name, tuple(arguments))

    return _atoms_changed(rule, change)


def _other_side(rule: Rule) -> Iterator[Rule]:
    return _atoms_changed(rule, lambda a: [Atom(_SIDES[a.name], a.arguments)] if a.name in _SIDES else [])


def _other_player(rule: Rule) -> Iterator[Rule]:
    yield from _at_each_term(
        rule, lambda term: [_PLAYERS[term]] if isinstance(term, Symbol) and term in _PLAYERS else []
    )
    for name in _PLAYER_NAMES:
        opponent = Literal(Atom("opponent", (Variable(name), _OTHER)))
        for other in _at_each_term(rule, lambda term, name=name: [_OTHER] if term == Variable(name) else []):
            yield other.with_body((*other.body, opponent))


def _moved(term: Term) -> Iterator[Term]:
    if isinstance(term, Integer):
        yield from (Integer(term.value - 1), Integer(term.value + 1))


def _turned(rule: Rule) -> Iterator[Rule]:
    for place, item in enumerate(rule.body):
        if isinstance(item, Comparison):
            for operator in COMPARISONS:
                yield _with_item(rule, place, dataclasses.replace(item, operator=operator))


def _toggled(rule: Rule) -> Iterator[Rule]:
    for place, item in enumerate(rule.body):
        if isinstance(item, Literal):
            yield _with_item(rule, place, Literal(item.atom, not item.positive))


def _at_each_term(rule: Rule, change: Callable[[Term], Iterable[Term]]) -> Iterator[Rule]:
    """The rule with one term, wherever it stands, replaced by each of the terms that `change` gives for it."""
    seen: list[Term] = []

    def note(term: Term) -> Term:
        seen.append(term)
        return term

    map_terms(rule, note)
    for place, term in enumerate(seen):
        for other in change(term):
            count = itertools.count()
            yield map_terms(
                rule, lambda term, other=other, place=place, count=count: other if next(count) == place else term
            )
