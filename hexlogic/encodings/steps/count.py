"""A body that asks for k different values becomes an aggregate that counts them.

Before:  :- at(X,C), at(Y,C), X != Y, room(C).
After:   :- room(C), #count { X : at(X,C) } > 1.

The ground constraint holds each atom once, where the pairs of n atoms are n(n-1)/2 constraints. Made in constraints and
under heads that are not recursive through the body, for

- a chain `X < Y < ...` of variables that can be exchanged and that no literal mentions together (`symmetric` writes
  `X != Y` as such a chain);
- terms compared by `!=`, or two by `<`, whose sides of the body can be exchanged as a whole, with companions that
  differ between the sides: `:- key(X,C,K), key(Y,D,K), X != Y.` becomes
  `:- key(_,_,K), #count { X : key(X,C,K) } > 1.`

What binds the other variables of the counted literals stays outside: facts that they are among where there are some, so
that an atom propagates as in pairs, else the literals themselves with `_` for the variables of the one side.
*Preserves* the answer sets: k values can be counted exactly when k different ones satisfy the literals, and the two are
strongly equivalent (such an aggregate is the disjunction of its least conjunctions, Ferraris 2005). ngo has the
first form.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations, islice, pairwise
from typing import TypeAlias

from hexlogic.encodings.analysis import Analysis
from hexlogic.encodings.blocks import Block
from hexlogic.encodings.domains import Bound, facts_for
from hexlogic.encodings.statements import BASE
from hexlogic.encodings.steps.base import CLASSICAL, Change, Step, lesser
from hexlogic.language import Atom, BodyLiteral, Comparison, Function, Literal, Rule, Symbol, Term, Variable
from hexlogic.language.analysis.binding import bindable, unsafe_variables
from hexlogic.language.names import fresh_variables
from hexlogic.language.passes.rule_pass import RuleContext
from hexlogic.language.passes.symmetric import exchangeable, unordered
from hexlogic.language.syntax import ComparisonOperator
from hexlogic.language.walk import head_variables, rule_variables, substitute, variables
from hexlogic.proofs.rewriting import counting_proof

Binder: TypeAlias = Callable[[Sequence[Atom], frozenset[Variable]], Bound | None]


@dataclass(frozen=True)
class Counted:
    """A body with one aggregate: what stays outside, the counted term, its condition and the least number of values."""

    rule: Rule
    term: Term
    condition: tuple[BodyLiteral, ...]
    least: int
    operator: ComparisonOperator
    domains: tuple[Rule, ...] = ()
    """Auxiliary rules for what binds the variables outside."""
    implied: tuple[BodyLiteral, ...] = ()
    """What binds them, where the counted literals imply it."""

    def __str__(self) -> str:
        terms = self.term.arguments if isinstance(self.term, Function) and not self.term.name else (self.term,)
        elements = ",".join(map(str, terms)), ", ".join(map(str, self.condition))
        return f"#count {{ {elements[0]} : {elements[1]} }} > {self.least - 1}"

    @property
    def expanded(self) -> Rule:
        """The same body without the aggregate: so many copies of the condition, with their values compared."""
        local = variables(*self.condition) - rule_variables(self.rule)
        rule = Rule(None, (Comparison("=", self.term, self.term), *self.condition))
        used = set(rule_variables(self.rule) | rule_variables(rule))
        copies: list[BodyLiteral] = []
        values: list[Term] = []
        for _ in range(self.least):
            names = list(islice(fresh_variables("Value", used), len(local)))
            used |= set(names)
            value, *copy = substitute(rule, dict(zip(sorted(local, key=str), names, strict=True))).body
            assert isinstance(value, Comparison)
            copies += copy
            values.append(value.left)
        pairs = combinations(values, 2) if self.operator == "!=" else pairwise(values)
        compared = [Comparison(self.operator, *pair) for pair in pairs]
        return self.rule.with_body((*self.rule.body, *copies, *compared))


def counted(rule: Rule, binder: Binder = lambda atoms, wanted: None) -> Counted | None:
    """The body with an aggregate for the first values that it can count; None when there are none. `binder` gives facts
    that atoms imply, see `facts_for`.

    >>> from hexlogic.language.parser import parse_rule
    >>> new = counted(parse_rule(":- at(X,C), at(Y,C), X < Y."))
    >>> print(*new.rule.body, new)
    at(_,C) #count { X : at(X,C) } > 1
    """
    candidates = (_aggregate(rule, *countable, binder) for countable in _countable(rule))
    return next(filter(None, candidates), None)


def _countable(
    rule: Rule,
) -> Iterator[tuple[list[BodyLiteral], Term, list[frozenset[Variable]], ComparisonOperator]]:
    """What may be counted: the body without comparisons, the term for one value, the variables of the literals about
    each value, and how values are compared."""
    for chain in _chains(rule):
        steps = set(pairwise(chain))
        rest = [item for item in rule.body if _ascending(item) not in steps]
        if exchangeable(rest, chain):
            yield rest, chain[0], [frozenset([name]) for name in chain], "<"
    for item in rule.body:
        if isinstance(item, Comparison) and item.operator in ("!=", "<", ">"):
            terms = _clique(rule, item) if item.operator == "!=" else [item.left, item.right]
            apart = [frozenset(pair) for pair in combinations(terms, 2)]
            rest = [other for other in rule.body if other != item and _apart(other) not in apart]
            twins = [_twins(rest, item.left, term) for term in terms[1:]]
            if all(twins):
                sides = [frozenset(twins[0]), *(frozenset(each.values()) for each in twins)]
                if len(frozenset().union(*sides)) == sum(map(len, sides)):
                    yield rest, item.left, sides, item.operator


def _ascending(item: BodyLiteral) -> tuple[Term, Term] | None:
    """The lesser and the greater side of a comparison by `<` or `>`."""
    sides = lesser(item)
    return sides[:2] if sides is not None and sides[2] == "<" else None


def _chains(rule: Rule) -> Iterator[list[Variable]]:
    """Longest chains `X < Y < ...` of comparisons, each variable in one chain."""
    steps = [step for step in map(_ascending, rule.body) if step is not None]
    following = {left: right for left, right in steps if isinstance(left, Variable) and isinstance(right, Variable)}
    for start in (name for name in following if name not in following.values()):
        chain = [start]
        while (name := following.get(chain[-1])) is not None and name not in chain:
            chain.append(name)
        yield chain


def _apart(item: BodyLiteral) -> frozenset[Term]:
    """The sides of a difference; empty for other items."""
    return frozenset([item.left, item.right] if isinstance(item, Comparison) and item.operator == "!=" else [])


def _clique(rule: Rule, item: Comparison) -> list[Term]:
    """The sides of a difference, and other terms that are different from all of them and from each other."""
    apart = set(map(_apart, rule.body))
    terms = [item.left, item.right]
    for term in dict.fromkeys(term for sides in map(_apart, rule.body) for term in sorted(sides, key=str)):
        if term not in terms and all(frozenset([term, other]) in apart for other in terms):
            terms.append(term)
    return terms


def _twins(rest: Sequence[BodyLiteral], left: Term, right: Term) -> dict[Variable, Variable]:
    """Each variable of a term with its twin in another one: exchanging all of them changes nothing else; empty when
    there are no twins."""
    twins = companions(rest, left, right)
    exchanged = substitute(Rule(None, tuple(rest)), twins | {right: left for left, right in twins.items()}).body
    return twins if set(map(unordered, exchanged)) == set(map(unordered, rest)) else {}


def companions(rest: Sequence[BodyLiteral], left: Term, right: Term) -> dict[Variable, Variable]:
    """Each variable of a term with its twin in another one, and companions that join where a literal of one side
    matches one of the other; empty where the terms differ in more than variables, or a variable has two twins."""
    twins: dict[Variable, Variable] = {}
    if not _pair(left, right, twins):
        return {}
    literals = [item for item in rest if isinstance(item, Literal)]
    waiting = list(twins)
    while waiting:
        name = waiting.pop()
        for item in (literal for literal in literals if name in variables(literal)):
            for other in (literal for literal in literals if literal != item and twins[name] in variables(literal)):
                known = dict(twins)
                first, second = (Function(literal.atom.name, literal.atom.arguments) for literal in (item, other))
                if other.positive == item.positive and _pair(first, second, known):
                    waiting += [name for name in known if name not in twins]
                    twins = known
                    break
    return twins if len(twins.keys() | twins.values()) == 2 * len(twins) else {}


def _pair(left: Term, right: Term, twins: dict[Variable, Variable]) -> bool:
    """Add the pairs of variables in which two terms differ; False when they differ in anything else."""
    match left, right:
        case Variable(), Variable():
            return left == right or twins.setdefault(left, right) == right
        case Function(), Function() if left.name == right.name and len(left.arguments) == len(right.arguments):
            return all(_pair(*pair, twins) for pair in zip(left.arguments, right.arguments, strict=True))
        case _:
            return left == right


def _aggregate(
    rule: Rule,
    rest: Sequence[BodyLiteral],
    term: Term,
    sides: Sequence[frozenset[Variable]],
    operator: ComparisonOperator,
    binder: Binder,
) -> Counted | None:
    """Count a term over the items that mention the variables of the first side, in place of all sides; None where an
    item or the head joins what would be counted with something else."""
    needed = head_variables(rule)
    if any(needed & side for side in sides):
        return None
    if any(sum(bool(variables(item) & side) for side in sides) > 1 for item in rest):
        return None
    counted_side = sides[0]
    condition = tuple(item for item in rest if variables(item) & counted_side)
    outside = [item for item in rest if not any(variables(item) & side for side in sides)]
    shared = variables(*condition) - counted_side
    binders = [item for item in condition if _binds(item, counted_side)]
    if unsafe_variables(Rule(Atom("counted", tuple(counted_side)), (*outside, *binders))):
        return None
    head = Atom("counted", tuple(sorted(shared | needed, key=str)))
    domains: Sequence[Rule] = ()
    implied: Sequence[BodyLiteral] = ()
    if unbound := unsafe_variables(Rule(head, tuple(outside))):
        atoms = [item.atom for item in condition if isinstance(item, Literal) and item.positive]
        inner = Rule(None, tuple(item for item in binders if variables(item) & shared))
        domains, implied = binder(atoms, unbound) or ((), ())
        outside += implied or substitute(inner, dict.fromkeys(counted_side, Symbol("_"))).body
    left = Rule(head if head.arguments else None, tuple(dict.fromkeys(outside)), rule.place)
    if unsafe_variables(left):
        return None
    return Counted(left, term, condition, len(sides), operator, tuple(domains), tuple(implied))


def _binds(item: BodyLiteral, names: frozenset[Variable]) -> bool:
    """Whether a positive literal has these variables, and none of them inside arithmetic."""
    if not isinstance(item, Literal) or not item.positive:
        return False
    return all(variables(term) & names <= bindable(term) for term in item.atom.arguments)


def changes(rule: Rule, context: RuleContext, block: Block, analysis: Analysis) -> Iterator[Change]:
    """One aggregate after the other."""

    def binder(atoms: Sequence[Atom], wanted: frozenset[Variable]) -> Bound | None:
        return facts_for(atoms, wanted, context, analysis) if block.part == BASE else None

    asked = frozenset(literal.atom.predicate for literal in rule.literals)
    is_apart = block.kind in CLASSICAL or not asked & frozenset(context.recursive)
    while is_apart and (new := counted(rule, binder)):
        if not counting_proof(rule.with_body((*rule.body, *new.implied)), new.rule, new.expanded):
            return
        is_sure = block.kind == "constraint" and not block.kept
        is_sure &= all(item.atom.predicate in context.facts for item in new.rule.literals)
        yield Change((*new.domains, new.rule), "counting", str(new), propagates=is_sure)
        rule = new.rule


STEP = Step("count", changes, kinds=(*CLASSICAL, "rule", "head", "choice", "disjunction"))
