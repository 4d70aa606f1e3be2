"""A value that only has to be less than a computed one is asked for by a chain over all bounds: an order encoding.

Before:  :- prec(A,B,D), start(A,TA), start(B,TB), TB < TA+D.
After:   last(Last) :- Last = #max { TB+0 : time(TB) }.
         less(B,TB+1) :- start(B,TB).     less(B,Bound+1) :- less(B,Bound), last(Last), Bound <= Last.
         :- prec(A,B,D), start(A,TA), less(B,Least), last(Last), Least = (TA+D+(Last+1)-|TA+D-(Last+1)|)/2.

`less(B,V)` says that B has a value below V. So the ground constraints are as many as values of A, not pairs of values.
`TB-TA < D` is written so too. V goes up to one more than the greatest value of `start`; `Least` is the lesser of it
and the term, a computed one or another value: then all integers are below it. The given constraint stays for what is no
integer and compares so all the same, such as `#inf` for TB. *Preserves* the answer sets. *Leaves alone* values that
anything else mentions, predicates whose values are not bounded by facts, and, where values may be no integers, other
bodies than constraints.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from hexlogic.encodings.analysis import Analysis
from hexlogic.encodings.blocks import Block
from hexlogic.encodings.domains import facts_for
from hexlogic.encodings.statements import BASE
from hexlogic.encodings.steps.base import Change, Step, lesser, parts_of, total
from hexlogic.language import Arithmetic, Atom, BodyLiteral, Comparison, Integer, Literal, Rule, Symbol, Term, Variable
from hexlogic.language.analysis.binding import unsafe_variables
from hexlogic.language.passes.rule_pass import RuleContext
from hexlogic.language.walk import computes, ordered_variables, rule_terms, variables

_GAIN = 0.7
_LAST, _BOUND, _LEAST = Variable("Last"), Variable("Bound"), Variable("Least")


def _less(rule: Rule) -> Iterator[tuple[BodyLiteral, Comparison, Literal]]:
    """Each comparison of a value with a greater term, the same with the value alone on its side, and the literal that
    has the value."""
    counts = Counter(term for term in rule_terms(rule) if isinstance(term, Variable))
    for item in rule.body:
        for compared in _alone(item):
            if counts[compared.left] == 2 and compared.left not in variables(compared.right):  # type: ignore[index]
                holders = (each for each in rule.literals if each.positive and compared.left in each.atom.arguments)
                yield from ((item, compared, holder) for holder in holders)


def _alone(item: BodyLiteral) -> Iterator[Comparison]:
    """The comparison with each value of the lesser side, or that the greater side subtracts, alone on its side."""
    match lesser(item):
        case (Variable() as alone, Arithmetic() | Variable() as term, operator):
            yield Comparison(operator, alone, term)
        case (Arithmetic() | Integer() as left, Arithmetic() | Variable() | Integer() as right, operator):
            parts = [*parts_of(left, 1), *parts_of(right, -1)]
            for place, (factor, value) in enumerate(parts):
                if factor > 0 and isinstance(value, Variable):
                    others = [(-sign, each) for sign, each in parts[:place] + parts[place + 1 :]]
                    yield Comparison(operator, value, total([(1, Integer(0)), *others]))


def _beyond(rule: Rule, holder: Literal, compared: Comparison, context: RuleContext) -> list[Rule]:
    """The given constraint for values that are below or above each integer, which an auxiliary predicate has."""
    body = (holder, compared)
    head = context.auxiliary("beyond", ordered_variables(Rule(None, body)), body)
    context.statistics.sizes[head.predicate] = 0.0
    return [Rule(head, body), rule.with_body((Literal(head), *rule.body))]


def _above(rule: Rule, term: Term, context: RuleContext) -> list[Rule] | None:
    """The given constraint for a variable that may be no integer; None where nothing binds it."""
    computed = [variables(each) for each in rule_terms(rule) if isinstance(each, Arithmetic)]
    if not isinstance(term, Variable) or any(term in names for names in computed):
        return []
    holders = [each for each in rule.literals if each.positive and term in each.atom.arguments]
    return _beyond(rule, holders[0], Comparison(">", term, Integer(2**31 - 1)), context) if holders else None


def _greatest(
    analysis: Analysis, atom: Atom, value: Variable, context: RuleContext
) -> tuple[list[Rule], Literal] | None:
    """What binds `Last` to a number that no integer which the variable takes in the atom exceeds, in any instance, with
    auxiliary rules: the greatest of facts `r(X)` that the atom implies, or that it comes from; None without."""
    rules, facts = list[Rule](), list[BodyLiteral]()
    for predicate in sorted(analysis.facts):
        fact = Atom(predicate.name, (value,))
        if predicate.arity == 1 and (predicate == atom.predicate or analysis.guarantees.implies([Literal(atom)], fact)):
            facts.append(Literal(fact))
            break
    else:
        rules, facts = facts_for([atom], frozenset([value]), context, analysis) or ([], [])
    text = f"Last = #max {{ {value}+0 : {', '.join(map(str, facts))} }}"
    return (rules, Literal(Atom(text))) if facts else None


def changes(rule: Rule, context: RuleContext, block: Block, analysis: Analysis) -> Iterator[Change]:
    """The first comparison whose chain is estimated to pay."""
    for item, compared, holder in _less(rule):
        value, term = compared.left, compared.right
        assert isinstance(value, Variable)
        sides = lesser(item)
        assert sides is not None
        if compared.operator == "<=":
            term = Arithmetic("+", term, Integer(1))
        kept = tuple(each for each in holder.atom.arguments if each not in (value, Symbol("_")))
        last = _greatest(analysis, holder.atom, value, context) if block.part == BASE else None
        if last is None or (above := _above(rule, sides[1], context)) is None:
            continue
        rest = tuple(other for other in rule.body if other not in (item, holder))
        sizes = context.statistics
        chain = sizes.size(holder.atom.predicate) + sizes.answers(rest)
        # facts may be #inf, which a sum has not
        lowest = Comparison("<", value, Integer(1 - 2**31))
        others = [*(_beyond(rule, holder, lowest, context) if sides[0] == value else []), *above]
        if others and (block.kind != "constraint" or rule.head is not None or block.kept):
            continue
        if any(map(computes, kept)) or sizes.answers(rule.body) * _GAIN < chain:
            continue
        if variables(*rule.body) & {_LAST, _BOUND, _LEAST}:
            continue
        greatest = context.auxiliary("last", (_LAST,), [last[1]])
        less = context.auxiliary("less", (*kept, Arithmetic("+", value, Integer(1))), [holder])

        def below(bound: Term, less: Atom = less, kept: tuple[Term, ...] = kept) -> Atom:
            return Atom(less.name, (*kept, bound))

        sizes.sizes[less.predicate], sizes.sizes[greatest.predicate] = sizes.size(holder.atom.predicate), 1.0
        up = Rule(
            below(Arithmetic("+", _BOUND, Integer(1))),
            (Literal(below(_BOUND)), Literal(greatest), Comparison("<=", _BOUND, _LAST)),
        )
        end = Arithmetic("+", _LAST, Integer(1))
        distance = Arithmetic("abs", Arithmetic("-", term, end), Integer(0))
        least = Arithmetic("/", Arithmetic("-", Arithmetic("+", term, end), distance), Integer(2))
        new = rule.with_body((*rest, Literal(greatest), Comparison("=", _LEAST, least), Literal(below(_LEAST))))
        if not unsafe_variables(new):
            yield Change((*last[0], Rule(greatest, (last[1],)), Rule(less, (holder,)), up, *others, new), "chain")
            return


STEP = Step("order", changes, adds_predicates=True)
