"""Places that are computed from facts are computed ahead: gringo tries a sum of two variables on each pair of atoms.

Before:  next(X,Y,D,E,X+D,Y+E) :- cell(X,Y), step(D,E), cell(X+D,Y+E).
After:   shift(D,E,X,Y,K,L) :- cell(X,Y), step(D,E), K = X+D, L = Y+E.
         next(X,Y,D,E,X+D,Y+E) :- shift(D,E,X,Y,K,L), cell(K,L).

Before:  near(X,Y,A,B) :- cell(X,Y), cell(A,B), |X-A|+|Y-B| = 1.
After:   offset(U,V) :- U = -1..1, V = -1..1, |U|+|V| = 1.   shift(X,Y,X+U,Y+V) :- cell(X,Y), offset(U,V).
         near(X,Y,A,B) :- cell(X,Y), cell(A,B), shift(X,Y,A,B).

Before:  go(X,Y,D) :- cell(X), cell(Y), step(D,E), E = Y-X.      After:   ... cell(X), cell(Y), step(D,E), Y = X+E.

The first form names a computed argument with two variables or more by a variable of its own, the second one puts A-X in
the place of U: both are undefined for what is no integer, as the given body is. Terms are put in for variables that are
equal to them. *Preserves* the answer sets: the auxiliary predicates are explicit definitions over facts that the rest
of the body implies. *Leaves alone* bounds over 8, and values that no facts bind.
"""

from collections.abc import Iterator, Sequence
from itertools import islice

from hexlogic.encodings.analysis import Analysis
from hexlogic.encodings.blocks import Block
from hexlogic.encodings.domains import facts_for
from hexlogic.encodings.statements import BASE
from hexlogic.encodings.steps.base import Change, Step, apart, put_in
from hexlogic.encodings.steps.distance import bounded, offsets
from hexlogic.language import Arithmetic, Atom, BodyLiteral, Comparison, Literal, Rule, Term, Variable
from hexlogic.language.analysis.binding import bindable, unsafe_variables
from hexlogic.language.names import fresh_variables
from hexlogic.language.passes.rule_pass import RuleContext
from hexlogic.language.walk import rule_variables, subterms, variables
from hexlogic.proofs.rewriting import rewriting_proof


def changes(rule: Rule, context: RuleContext, block: Block, analysis: Analysis) -> Iterator[Change]:
    """One place after the other."""
    while block.part == BASE:
        tried = (_moved(apart(rule), item, context, analysis) for item in apart(rule).body)
        change = next(filter(None, tried), None)
        if change is None:
            return
        yield change
        rule = change.rules[-1]


def _moved(rule: Rule, item: BodyLiteral, context: RuleContext, analysis: Analysis) -> Change | None:
    if isinstance(item, Comparison):
        return _near(rule, item, context, analysis) or _walked(rule, item, context)
    return (_reached(rule, item, context) or _computed(rule, item, context, analysis)) if item.positive else None


def _bound(
    rule: Rule, item: BodyLiteral, wanted: frozenset[Variable], context: RuleContext, analysis: Analysis
) -> tuple[list[Rule], tuple[BodyLiteral, ...], tuple[BodyLiteral, ...]] | None:
    """Rules of domains, facts that bind some variables, and the rest of the body without these facts."""
    rest = [other for other in rule.body if other != item]
    atoms = [other.atom for other in rest if isinstance(other, Literal) and other.positive]
    if (bound := facts_for(atoms, wanted, context, analysis)) is None:
        return None
    facts = tuple(bound[1])
    return bound[0], facts, tuple(other for other in rest if other not in facts)


def _shifted(
    wanted: frozenset[Variable], keys: Sequence[Variable], body: tuple[BodyLiteral, ...], context: RuleContext
) -> Rule:
    """The rule for the places."""
    head = context.auxiliary("shift", (*sorted(wanted, key=str), *keys), body)
    made = Rule(head, body)
    context.statistics.learn(made)
    context.facts.add(head.predicate)
    return made


def _computed(rule: Rule, item: Literal, context: RuleContext, analysis: Analysis) -> Change | None:
    """Variables for computed arguments of a literal."""
    arguments = item.atom.arguments
    places = [
        place
        for place, term in enumerate(arguments)
        if any(isinstance(part, Arithmetic) and len(variables(part)) > 1 for part in subterms(term))
    ]
    terms = [arguments[place] for place in places]
    wanted = variables(*terms)
    bound = _bound(rule, item, wanted, context, analysis) if places else None
    if bound is None:
        return None
    domains, facts, rest = bound
    keys = list(islice(fresh_variables("Key", rule_variables(rule)), len(places)))
    values = tuple(Comparison("=", key, term) for key, term in zip(keys, terms, strict=True))
    made = _shifted(wanted, keys, (*facts, *values), context)
    named: dict[int, Term] = dict(zip(places, keys, strict=True))
    looked_up = Literal(Atom(item.atom.name, tuple(named.get(place, term) for place, term in enumerate(arguments))))
    new = rule.with_body((Literal(made.conclusion), looked_up, *rest))
    before = rule.with_body((*facts, *values, looked_up, *rest))
    proof = None if any(map(unsafe_variables, [made, new])) else rewriting_proof(before, [made, new], context)
    return None if proof is None else Change((*domains, made, new), proof)


def _distances(term: Term) -> list[tuple[Variable, Variable]] | None:
    """The pairs of variables of a sum of distances; None for any other term."""
    match term:
        case Arithmetic("abs", Arithmetic("-", Variable() as left, Variable() as right)) if left != right:
            return [(left, right)]
        case Arithmetic("+", left_term, right_term):
            left_pairs, right_pairs = _distances(left_term), _distances(right_term)
            return None if left_pairs is None or right_pairs is None else left_pairs + right_pairs
        case _:
            return None


def _near(rule: Rule, item: Comparison, context: RuleContext, analysis: Analysis) -> Change | None:
    """A lookup for a comparison of a sum of distances."""
    rule, item = put_in(rule, item)
    most = bounded(item)
    pairs = None if most is None else _distances(most[0])
    if most is None or pairs is None or len(variables(most[0])) < 2 * len(pairs):
        return None
    for holder in (literal for literal in rule.literals if literal.positive):
        names = frozenset[Variable]().union(*map(bindable, holder.atom.arguments))
        near = [name for pair in pairs for name in pair if name in names and not (name == pair[1] and pair[0] in names)]
        bound = _bound(rule, item, frozenset(near), context, analysis) if len(near) == len(pairs) else None
        if bound is not None:
            break
    else:
        return None
    domains, facts, _ = bound
    offset, moves = offsets(rule, most, len(pairs), context)
    far = [pair[0] if name == pair[1] else pair[1] for name, pair in zip(near, pairs, strict=True)]
    sums = [
        Comparison("=", other, Arithmetic("+", name, move)) for other, name, move in zip(far, near, moves, strict=True)
    ]
    made = _shifted(frozenset(near), far, (*facts, Literal(offset.conclusion), *sums), context)
    new = rule.with_body((*(other for other in rule.body if other != item), Literal(made.conclusion)))
    if any(map(unsafe_variables, [made, new])):
        return None
    return Change((*domains, offset, made, new), "distance")


def _reached(rule: Rule, item: Literal, context: RuleContext) -> Change | None:
    """The same for a difference that is an argument: `step(D,E), Y = X+E` for `step(D,Y-X)`."""
    arguments, name = item.atom.arguments, next(iter(fresh_variables("Step", rule_variables(rule))))
    for place, term in enumerate(arguments):
        if isinstance(term, Arithmetic) and term.operator == "-":
            named = Literal(Atom(item.atom.name, (*arguments[:place], name, *arguments[place + 1 :])))
            equal = Comparison("=", name, term)
            body = (*(named if each == item else each for each in rule.body), equal)
            if change := _walked(rule.with_body(body), equal, context):
                return change
    return None


def _walked(rule: Rule, item: Comparison, context: RuleContext) -> Change | None:
    """A place that is reached by a difference which another literal has."""
    for difference, term in ((item.left, item.right), (item.right, item.left)):
        match item.operator, difference, term:
            case "=", Variable(), Arithmetic("-", Variable() as place, Variable() as begin) if place != begin:
                literals = [each for each in rule.literals if each.positive]
                known, reached, left = (
                    [each for each in literals if name in variables(each)] for name in (difference, place, begin)
                )
                is_short = context.statistics.answers(known) <= context.statistics.answers(reached)
                if known and reached and left and is_short and not any(each in reached for each in (*known, *left)):
                    walked = Comparison("=", place, Arithmetic("+", begin, difference))
                    body = tuple(walked if each == item else each for each in rule.body)
                    return Change((rule.with_body(body),), "distance")
    return None


STEP = Step("shift", changes, adds_predicates=True)
