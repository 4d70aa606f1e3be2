"""Equal distances become equal sums up to a sign: what `key` can join on and `count` can count.

Before:  :- queen(R,C), queen(S,D), R != S, |R-S| = |C-D|.
After:   sign(Sign) :- Sign = (1;-1).
         :- queen(R,C), queen(S,D), R != S, sign(Sign), R-Sign*C = S-Sign*D.

Before:  edge(X,Y,A,B) :- cell(X,Y), cell(A,B), D = X-A, E = Y-B, |D+E| = 1.
After:   offset(Offset) :- Offset = -1..1, |Offset| = 1.
         edge(X,Y,A,B) :- cell(X,Y), cell(A,B), offset(Offset), X+Y = A+B+Offset.

Before:  :- at(P,M,S), at(P,N,T), |S-T| < 3.          :- at(P,S), at(P,T), |S-T| > 6.
After:   :- at(P,M,S), at(P,N,T), S < T+3, T < S+3.   :- at(P,S), at(P,T), T < S-6.

Terms are put in for variables that are equal to them. `|a| = |b|` holds when a is b or -b, and `a = |b|` when also a is
at least 0. That need not be asked where exchanging the two sides of a constraint changes nothing else: a is at least 0
in one of two instances of the same literals.
A distance is below a computed bound when each value is below the other one and the bound, and above it in one of two
instances where exchanging the values changes nothing else: `overlap` and `order` look these comparisons up.
*Preserves* the answer sets: both bodies are undefined for the same values. *Leaves alone* any other distance.
"""

from collections.abc import Iterator
from itertools import islice
from typing import Final

from hexlogic.encodings.analysis import Analysis
from hexlogic.encodings.blocks import Block
from hexlogic.encodings.steps.base import CLASSICAL, Change, Step, apart, lesser, parts_of, put_in, total
from hexlogic.language import Arithmetic, Atom, BodyLiteral, Comparison, Integer, Literal, Rule, Term, Variable
from hexlogic.language.analysis.binding import bindable, unsafe_variables
from hexlogic.language.names import fresh_variables
from hexlogic.language.passes.rule_pass import RuleContext
from hexlogic.language.passes.symmetric import exchangeable, unordered
from hexlogic.language.walk import head_variables, rule_variables, substitute, variables

FARTHEST: Final = 8
"""The greatest distance whose offsets are written."""


def _distances(item: Comparison) -> Iterator[tuple[Arithmetic, Arithmetic, bool]]:
    """The differences a and b of `|a| = |b|` or `a = |b|`, and whether it is the latter."""
    for sides in ((item.left, item.right), (item.right, item.left)) if item.operator == "=" else ():
        match sides:
            case Arithmetic("abs", Arithmetic("-") as a, _), Arithmetic("abs", Arithmetic("-") as b, _):
                yield a, b, False
            case Arithmetic("-") as a, Arithmetic("abs", Arithmetic("-") as b, _):
                yield a, b, True


def bounded(item: Comparison) -> tuple[Term, int, str] | None:
    """A term that is equal to a number of at most 8, or below it, the number and the operator."""
    left, right, operator = lesser(item) or (item.left, item.right, item.operator)
    if operator == "=" and isinstance(left, Integer):
        left, right = right, left
    if operator == "!=" or not isinstance(right, Integer) or not 0 <= right.value <= FARTHEST:
        return None
    return left, right.value, operator


def offsets(rule: Rule, bound: tuple[Term, int, str], count: int, context: RuleContext) -> tuple[Rule, list[Variable]]:
    """The rule for `offset`: so many numbers whose absolute values have a bounded sum; the numbers."""
    _, farthest, operator = bound
    moves = list(islice(fresh_variables("Offset", rule_variables(rule)), count))
    ranges = ", ".join(f"{move} = -{farthest}..{farthest}" for move in moves)
    text = Literal(Atom(f"{ranges}, {'+'.join(f'|{move}|' for move in moves)} {operator} {farthest}"))
    head = context.auxiliary("offset", moves, [text])
    context.facts.add(head.predicate)
    context.statistics.sizes[head.predicate] = float((2 * farthest + 1) ** count)
    return Rule(head, (text,)), moves


def _summed(rule: Rule, item: Comparison, context: RuleContext) -> list[Rule]:
    """The rules for a bounded distance of sums, each of what literals have: `|X-A+Y-B| = 1`; empty for others."""
    bound = bounded(item)
    match bound:
        case (Arithmetic("abs", Arithmetic("+" | "-") as term, _), _, operator):
            parts = parts_of(term, 1)
        case _:
            return []
    names = [part for _, part in parts if isinstance(part, Variable)]
    if len(names) + sum(isinstance(part, Integer) for _, part in parts) < len(parts) or len(set(names)) < len(names):
        return []
    for holder in (each for each in rule.literals if each.positive):
        here = [part for part in parts if part[1] in frozenset[Variable]().union(*map(bindable, holder.atom.arguments))]
        there = [(-sign, part) for sign, part in parts if (sign, part) not in here]
        if here and len(here) < len(names) and (operator == "=" or len(names) > 2):
            made, [move] = offsets(rule, bound, 1, context)
            sums = Comparison("=", total(here), total([*there, (1, move)]))
            new = rule.with_body((*(each for each in rule.body if each != item), Literal(made.conclusion), sums))
            return [] if unsafe_variables(new) else [made, new]
    return []


def changes(rule: Rule, context: RuleContext, block: Block, analysis: Analysis) -> Iterator[Change]:
    """The first equality of distances with a sign."""
    whole = apart(rule)
    compared = [put_in(whole, item) for item in whole.body if isinstance(item, Comparison)]
    for whole, item, (a, b, is_signed) in ((*each, sides) for each in compared for sides in _distances(each[1])):
        rest = tuple(other for other in whole.body if other != item)
        together = [variables(literal) for literal in rest if isinstance(literal, Literal) and literal.positive]
        near = any(variables(a.left, b.left) <= names for names in together)
        c, d = (b.left, b.right) if near else (b.right, b.left)
        sign = next(iter(fresh_variables("Sign", rule_variables(whole))))
        definition = Literal(Atom(f"{sign} = (1;-1)"))
        head = context.auxiliary("sign", (sign,), [definition])
        context.statistics.sizes[head.predicate] = context.statistics.columns[head.predicate, 0] = 2.0
        sums = [Arithmetic("-", x, Arithmetic("*", sign, y)) for x, y in ((a.left, c), (a.right, d))]
        asked = () if not is_signed or _holds(rest, a, c, d, block) else (Comparison(">=", a, Integer(0)),)
        new = whole.with_body((*rest, Literal(head), Comparison("=", *sums), *asked))
        yield Change((Rule(head, (definition,)), new), "distance")
        return
    for whole, item in compared:
        rest = tuple(other for other in whole.body if other != item)
        items = _compared(item, rest, whole, block)
        if rules := [whole.with_body((*rest, *items))] if items else _summed(whole, item, context):
            yield Change(tuple(rules), "distance")
            return


def _compared(item: BodyLiteral, rest: tuple[BodyLiteral, ...], rule: Rule, block: Block) -> list[Comparison]:
    """The comparisons of two values that say that their distance is below or above a bound."""
    left, right, operator = lesser(item) or (None, None, "<")
    match (left, right):
        case (Arithmetic("abs", Arithmetic("-", Variable() as a, Variable() as b)), Integer() | Arithmetic() as bound):
            return [Comparison(operator, x, Arithmetic("+", y, bound)) for x, y in ((a, b), (b, a))]
        case (Integer() | Arithmetic() as bound, Arithmetic("abs", Arithmetic("-", Variable() as a, Variable() as b))):
            is_needed = bool({a, b} & (head_variables(rule) | variables(bound))) or block.kind not in CLASSICAL
            same = not is_needed and exchangeable(rest, [a, b])
            return [Comparison(operator, b, Arithmetic("-", a, bound))] if same else []
        case _:
            return []


def _holds(rest: tuple[BodyLiteral, ...], a: Arithmetic, c: object, d: object, block: Block) -> bool:
    """Whether a need not be compared with 0: the rest says that it is at least 0, or exchanging the sides changes
    nothing else."""
    said = set(map(unordered, rest))
    if said & {(operator, a.right, a.left) for operator in ("<", "<=")}:
        return True
    pairs = {a.left: a.right, c: d, a.right: a.left, d: c}
    if block.kind not in CLASSICAL or block.rule.head is not None or len(pairs) != len({a.left, a.right, c, d}):
        return False
    names = {left: right for left, right in pairs.items() if isinstance(left, Variable)}
    both = substitute(Rule(None, rest), names).body  # type: ignore[arg-type]  # a term for each variable
    return len(names) == len(pairs) and set(map(unordered, both)) == said


STEP = Step("distance", changes, adds_predicates=True)
