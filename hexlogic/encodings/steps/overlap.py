"""Two intervals that overlap share an integer, and what lies between two ends is an integer between them.

Before:  :- on(A,M), on(B,M), A < B, start(A,TA), dur(A,DA), start(B,TB), dur(B,DB), TA < TB+DB, TB < TA+DA.
After:   taken(A,TA..TA+DA-1) :- start(A,TA), dur(A,DA).
         empty(A,TA,DA) :- start(A,TA), dur(A,DA), TA+DA-1 < TA.
         :- empty(A,TA,DA), on(A,M), on(B,M), A < B, start(B,TB), dur(B,DB), TA < TB+DB, TB < TA+DA.  (and for B)
         :- on(A,M), on(B,M), A < B, taken(A,Time), taken(B,Time).

Before:  :- stone(S,X,N), stone(Z,Y,_), S != Z, X <= Y, Y < X+N.
After:   taken(S,X..X+N-1) :- stone(S,X,N).   :- taken(S,Y), stone(Z,Y,_), S != Z.

gringo tries a comparison on each pair, and looks an integer up. Intervals that are not empty overlap when each begins
before the other ends: the given constraint stays for empty ones, with no instance where there is none. Where the rest
of the body is about facts, the interval is written in place. *Preserves* the answer sets: what is computed, or part of
that, is an integer in each instance. *Leaves alone* other ends, and overlaps whose ends are needed for anything else.
"""

from collections.abc import Iterator
from itertools import permutations

from hexlogic.encodings.analysis import Analysis
from hexlogic.encodings.blocks import Block
from hexlogic.encodings.statements import BASE
from hexlogic.encodings.steps.base import Change, Step, lesser
from hexlogic.encodings.steps.key import renaming, side_of
from hexlogic.language import Atom, BodyLiteral, Comparison, Literal, Rule
from hexlogic.language.analysis.binding import unsafe_variables
from hexlogic.language.names import fresh_variables
from hexlogic.language.passes.rule_pass import RuleContext
from hexlogic.language.terms import Arithmetic, Integer, Interval, Term, Variable
from hexlogic.language.walk import head_variables, ordered_variables, rule_terms, rule_variables, variables


def _moved(term: Term, by: int) -> Term:
    return term if not by else Arithmetic("+" if by > 0 else "-", term, Integer(1))


def changes(rule: Rule, context: RuleContext, block: Block, analysis: Analysis) -> Iterator[Change]:
    """Two comparisons that say so, again and again: rectangles overlap in two directions."""
    new = [rule]
    while block.part == BASE and (new := _looked_up(new[-1], context, block)):
        yield Change(tuple(new), "overlap")


def _looked_up(rule: Rule, context: RuleContext, block: Block) -> list[Rule]:
    """The rules for the first two comparisons that say so; empty without."""
    is_whole = block.kind == "constraint" and block.rule.head is None and not block.kept
    compared = [(item, sides) for item in rule.body if (sides := lesser(item)) is not None]
    computed = [variables(term) for term in rule_terms(rule) if isinstance(term, Arithmetic)]
    integers = frozenset[Variable]().union(*computed)
    for (first, (low, high, less)), (second, (begin, end, least)) in permutations(compared, 2):
        rest = [item for item in rule.body if item not in (first, second)]
        known = [isinstance(each, Integer | Arithmetic) or each in integers for each in (low, high, begin, end)]
        new: list[Rule] = []
        if isinstance(high, Variable) and high == begin and known[0] and known[3]:
            interval = Interval(_moved(low, less == "<"), _moved(end, -(least == "<")))
            new = _between(rule, rest, high, interval, context)
        elif isinstance(low, Variable) and isinstance(begin, Variable) and all(known) and is_whole:
            # `high` is the end of the interval that begins with `begin`
            ends = (begin, _moved(high, -(less == "<"))), (low, _moved(end, -(least == "<")))
            new = _both(rule, rest, ends, context)
        if new and not any(map(unsafe_variables, new)):
            return new
    return []


def _take(interval: Interval, body: tuple[BodyLiteral, ...], needed: frozenset[Variable], context: RuleContext) -> Rule:
    """The rule for the integers of an interval, with the variables of its body that are needed."""
    names = (name for name in ordered_variables(Rule(None, body)) if name in needed)
    head = context.auxiliary("taken", (*names, interval), body)
    context.statistics.sizes[head.predicate] = context.statistics.answers(body)
    return Rule(head, body)


def _between(
    rule: Rule, rest: list[BodyLiteral], value: Variable, interval: Interval, context: RuleContext
) -> list[Rule]:
    """The rule with a value between two ends as one of the integers between them."""
    ends = variables(interval.low, interval.high)
    body = side_of(rest, ends)
    others = [item for item in rest if item not in body]
    holders = [item for item in others if isinstance(item, Literal) and item.positive]
    if not body or value in variables(*body) or not any(value in item.atom.arguments for item in holders):
        return []
    if all(item.atom.predicate in context.facts for item in holders):
        return [rule.with_body((*rest, Comparison("=", value, interval)))]
    taken = _take(interval, body, variables(*others) | head_variables(rule), context)
    atom = Atom(taken.conclusion.name, (*taken.conclusion.arguments[:-1], value))
    return [] if ends <= variables(atom) else [taken, rule.with_body((Literal(atom), *others))]


def _both(
    rule: Rule, rest: list[BodyLiteral], ends: tuple[tuple[Variable, Term], tuple[Variable, Term]], context: RuleContext
) -> list[Rule]:
    """The rules for two intervals, each with a begin and an end, that overlap."""
    bodies = [side_of(rest, variables(begin, end)) for begin, end in ends]
    others = [item for item in rest if item not in {*bodies[0], *bodies[1]}]
    needed = variables(*others) | (variables(*bodies[0]) & variables(*bodies[1]))
    if not all(bodies) or {*bodies[0]} & {*bodies[1]} or needed & variables(*ends[0], *ends[1]):
        return []
    twins = renaming(bodies[0], ends[0], bodies[1], ends[1])
    needed |= {name for name, twin in twins.items() if twin in needed}
    time = next(iter(fresh_variables("Time", rule_variables(rule))))
    rules = [_take(Interval(*ends[0]), bodies[0], needed, context)]
    names = rules[0].conclusion.arguments[:-1]
    twin: tuple[Term, ...] = tuple(twins[name] for name in names if isinstance(name, Variable)) if twins else ()
    if not twins:
        rules.append(_take(Interval(*ends[1]), bodies[1], needed, context))
        twin = rules[1].conclusion.arguments[:-1]
    heads = ((rules[0], names), (rules[-1], twin))
    looked_up = [Literal(Atom(each.conclusion.name, (*arguments, time))) for each, arguments in heads]
    constraints: list[Rule] = []
    for (begin, end), body in zip(ends, bodies, strict=True):
        match end:
            case Arithmetic("-", Arithmetic("+", start, Integer(length)), Integer(1)) if start == begin and length > 0:
                continue
        short = (*body, Comparison("<", end, begin))
        empty = context.auxiliary("empty", ordered_variables(Rule(None, body)), short)
        rules.append(Rule(empty, short))
        constraints.append(rule.with_body((Literal(empty), *(item for item in rule.body if item not in body))))
    return [*rules, *constraints, rule.with_body((*looked_up, *others))]


STEP = Step("overlap", changes, adds_predicates=True)
