"""An equality between computed values of two sides becomes a join: gringo cannot look a computed value up.

Before:  :- queen(R,C), queen(S,D), R != S, C != D, R+C = S+D.
After:   key(R,C,K) :- queen(R,C), K = R+C.
         :- key(R,C,K), key(S,D,K), R != S.

Before:  { queen(R,C) : num(C) } 1 :- num(R).   and the same constraint
After:   key(R,C,K) :- num(R), num(C), K = R+C.
         :- queen(R,C), key(R,C,K), queen(S,D), key(S,D,K), R != S.

Each side is the positive literals that mention a variable of its expression, with the tests that these literals bind.
Where such literals imply facts that bind these variables, the auxiliary predicate is about the facts, and costs the
solver nothing.
Sides that are the same but for the names of variables share one auxiliary predicate. Of two differences that a sum or
a difference makes equivalent one is enough: `R+C = S+D` and `R != S` give `C != D`. *Preserves* the answer sets: each
auxiliary predicate is an explicit definition. *Leaves alone* equalities with a side that computes nothing, whose
variables gringo assigns, and sides that share a literal, but for literals about variables of both expressions.
"""

import itertools
from collections.abc import Collection, Iterator, Sequence

from hexlogic.encodings.analysis import Analysis
from hexlogic.encodings.blocks import Block
from hexlogic.encodings.domains import facts_for
from hexlogic.encodings.statements import BASE
from hexlogic.encodings.steps.base import Change, Step
from hexlogic.language import Atom, BodyLiteral, Comparison, Literal, Rule, Term, Variable
from hexlogic.language.analysis.binding import bindable, unsafe_variables
from hexlogic.language.analysis.functional import implied_differences
from hexlogic.language.names import fresh_variables
from hexlogic.language.passes.rule_pass import RuleContext
from hexlogic.language.passes.symmetric import unordered
from hexlogic.language.walk import head_variables, is_positive, numbered, ordered_variables, rule_variables, variables
from hexlogic.proofs.rewriting import rewriting_proof


def _keyed(
    rule: Rule, equality: Comparison, context: RuleContext, analysis: Analysis | None
) -> tuple[list[Rule], Rule, list[Rule]] | None:
    """Rules of domains, the rule with facts that it implies, and key rules with its new form. With an analysis keys are
    about facts."""
    if not _is_computed(equality):
        return None
    rest = [item for item in rule.body if item != equality]
    shared = variables(equality.left) & variables(equality.right)
    common = [item for item in rest if is_positive(item) and variables(item) and variables(item) <= shared]
    left, right = (side_of(rest, variables(term) - shared) for term in (equality.left, equality.right))
    if not left or not right or set(left) & set(right) or not shared <= variables(*common):
        return None
    domains: list[Rule] = []
    pairs = [(equality.left, equality.right), *_between(rest, (*common, *left), (*common, *right))]
    if analysis is not None:
        wanted = [variables(*terms) - shared for terms in zip(*pairs, strict=True)]
        atoms = [item.atom for item in (*left, *right) if isinstance(item, Literal) and item.positive]
        is_known = all(atom.predicate in context.facts for atom in atoms)
        is_known |= bool(wanted[0] & wanted[1])
        bound = None if is_known else facts_for(atoms, wanted[0] | wanted[1], context, analysis)
        if bound is None:
            return None
        domains = bound[0]
        left, right = (tuple(item for item in bound[1] if variables(item) & each) for each in wanted)
        if set(left) & set(right):
            return None
        rule = rule.with_body((*rule.body, *left, *right))
    left, right = (*common, *left), (*common, *right)
    equalities = {Comparison("=", *sides) for pair in pairs for sides in (pair, pair[::-1])}
    gone = {equality, *left, *right, *(equalities & {*rest})}
    body = _without_implied(rule, [Comparison("=", *pair) for pair in pairs])
    needed = variables(*(item for item in body if item not in gone)) | (variables(*left) & variables(*right))
    needed |= head_variables(rule)
    keys = list(itertools.islice(fresh_variables("Key", rule_variables(rule)), len(pairs)))
    twins = renaming(left, [pair[0] for pair in pairs], right, [pair[1] for pair in pairs])
    names = [name for name in ordered_variables(Rule(None, tuple(left))) if name in needed or twins.get(name) in needed]
    values = ([Comparison("=", key, pair[side]) for key, pair in zip(keys, pairs, strict=True)] for side in (0, 1))
    bodies = [(*side, *computed) for side, computed in zip((left, right), values, strict=True)]
    head = context.auxiliary("key", (*names, *keys), bodies[0])
    made = [Rule(head, bodies[0], rule.place)]
    if twins:
        second = Atom(head.name, (*(twins[name] for name in names), *keys))
    else:
        others = (*(name for name in ordered_variables(Rule(None, tuple(right))) if name in needed), *keys)
        second = context.auxiliary("key", others, bodies[1])
        made.append(Rule(second, bodies[1], rule.place))
    new = rule.with_body((Literal(head), Literal(second), *(item for item in body if item not in gone)))
    if any(map(unsafe_variables, [*made, new])):
        return None
    for auxiliary in made:
        context.statistics.learn(auxiliary)
        if analysis is not None:
            context.facts.add(auxiliary.conclusion.predicate)
    return domains, rule, [*made, new]


def _is_computed(item: BodyLiteral) -> bool:
    """Whether the item is an equality of two computed values, neither of which assigns."""
    if not isinstance(item, Comparison) or item.operator != "=":
        return False
    left, right = variables(item.left), variables(item.right)
    return bindable(item.left) != left and bindable(item.right) != right


def _between(
    rest: Sequence[BodyLiteral], left: Sequence[BodyLiteral], right: Sequence[BodyLiteral]
) -> Iterator[tuple[Term, Term]]:
    """The sides of the other equalities of values that the two sides of the body compute, the left one's first."""
    bound = [variables(*filter(is_positive, side)) for side in (left, right)]
    for item in rest:
        if _is_computed(item) and item not in {*left, *right}:
            assert isinstance(item, Comparison)
            for left_term, right_term in ((item.left, item.right), (item.right, item.left)):
                if variables(left_term) <= bound[0] and variables(right_term) <= bound[1]:
                    yield left_term, right_term
                    break


def side_of(rest: Sequence[BodyLiteral], names: Collection[Variable]) -> tuple[BodyLiteral, ...]:
    """The positive literals that mention one of the variables, and the tests over what these literals bind."""
    joined = [item for item in rest if is_positive(item) and variables(item) & set(names)]
    bound = variables(*joined)
    tests = [item for item in rest if not is_positive(item) and variables(item)]
    return tuple(item for item in rest if item in joined or (item in tests and variables(item) <= bound))


def _without_implied(rule: Rule, equalities: Sequence[Comparison]) -> list[BodyLiteral]:
    """The body without differences that the equalities and an earlier difference imply."""
    body: list[BodyLiteral] = list(rule.body)
    for item in rule.body:
        if isinstance(item, Comparison) and item.operator == "!=" and item in body:
            implied = {unordered(other_item) for other_item in implied_differences([*equalities, item])}
            body = [other_item for other_item in body if other_item == item or unordered(other_item) not in implied]
    return body


def renaming(
    left: Sequence[BodyLiteral], left_terms: Sequence[Term], right: Sequence[BodyLiteral], right_terms: Sequence[Term]
) -> dict[Variable, Variable]:
    """The renaming that takes the left side to the right side, literal by literal; empty when there is none."""
    rules = [
        Rule(None, (*side, *(Comparison("=", term, term) for term in terms)))
        for side, terms in ((left, left_terms), (right, right_terms))
    ]
    if numbered(rules[0]) != numbered(rules[1]):
        return {}
    return dict(zip(*map(ordered_variables, rules), strict=True))


def changes(rule: Rule, context: RuleContext, block: Block, analysis: Analysis) -> Iterator[Change]:
    """The first equality of computed values, with those beside it."""
    compared = [item for item in rule.body if isinstance(item, Comparison)]
    for item, known in itertools.product(compared, [analysis, None] if block.part == BASE else [None]):
        keyed = _keyed(rule, item, context, known)
        if keyed is not None:
            domains, whole, new = keyed
            if (proof := rewriting_proof(whole, new, context)) is not None:
                yield Change((*domains, *new), proof)
            return


STEP = Step("key", changes, adds_predicates=True)
