"""Equal distances become equal sums up to a sign: what `key` can join on and `count` can count.

Before:  :- queen(R,C), queen(S,D), R != S, |R-S| = |C-D|.
After:   sign(Sign) :- Sign = (1;-1).
         :- queen(R,C), queen(S,D), R != S, sign(Sign), R-Sign*C = S-Sign*D.

Before:  :- at(P,M,S), at(P,N,T), |S-T| < 3.          :- at(P,S), at(P,T), |S-T| > 6.
After:   :- at(P,M,S), at(P,N,T), S < T+3, T < S+3.   :- at(P,S), at(P,T), T < S-6.

`|a| = |b|` holds when a is b or -b, and `a = |b|` when also a is at least 0. That need not be asked where exchanging
the two sides of a constraint changes nothing else: a is at least 0 in one of two instances of the same literals.
A distance is below a computed bound when each value is below the other one and the bound, and above it in one of two
instances where exchanging the values changes nothing else: `overlap` and `order` look these comparisons up.
*Preserves* the answer sets: both bodies are undefined for the same values. *Leaves alone* any other distance.
"""

from collections.abc import Iterator

from hexlogic.encodings.analysis import Analysis
from hexlogic.encodings.blocks import Block
from hexlogic.encodings.steps.base import CLASSICAL, Change, Step, lesser
from hexlogic.language import Arithmetic, Atom, BodyLiteral, Comparison, Integer, Literal, Rule, Variable
from hexlogic.language.names import fresh_variables
from hexlogic.language.passes.rule_pass import RuleContext
from hexlogic.language.passes.symmetric import exchangeable, unordered
from hexlogic.language.walk import head_variables, rule_variables, substitute, variables


def _distances(rule: Rule) -> Iterator[tuple[BodyLiteral, Arithmetic, Arithmetic, bool]]:
    """The differences a and b of each `|a| = |b|` or `a = |b|`, and whether it is the latter."""
    for item in rule.body:
        if isinstance(item, Comparison) and item.operator == "=":
            for sides in ((item.left, item.right), (item.right, item.left)):
                match sides:
                    case Arithmetic("abs", Arithmetic("-") as a, _), Arithmetic("abs", Arithmetic("-") as b, _):
                        yield item, a, b, False
                    case Arithmetic("-") as a, Arithmetic("abs", Arithmetic("-") as b, _):
                        yield item, a, b, True


class Distance(Step):
    """Join with a sign."""

    def changes(self, rule: Rule, context: RuleContext, block: Block, analysis: Analysis) -> Iterator[Change]:
        """The first equality of distances with a sign."""
        for item, a, b, is_signed in _distances(rule):
            rest = tuple(other for other in rule.body if other != item)
            together = [variables(literal) for literal in rest if isinstance(literal, Literal) and literal.positive]
            near = any(variables(a.left, b.left) <= names for names in together)
            c, d = (b.left, b.right) if near else (b.right, b.left)
            sign = next(iter(fresh_variables("Sign", rule_variables(rule))))
            definition = Literal(Atom(f"{sign} = (1;-1)"))
            head = context.auxiliary("sign", (sign,), [definition])
            context.statistics.sizes[head.predicate] = context.statistics.columns[head.predicate, 0] = 2.0
            sums = [Arithmetic("-", x, Arithmetic("*", sign, y)) for x, y in ((a.left, c), (a.right, d))]
            asked = () if not is_signed or _holds(rest, a, c, d, block) else (Comparison(">=", a, Integer(0)),)
            new = rule.with_body((*rest, Literal(head), Comparison("=", *sums), *asked))
            yield Change((Rule(head, (definition,)), new), "distance")
            return
        for item in rule.body:
            rest = tuple(other for other in rule.body if other != item)
            if items := _compared(item, rest, rule, block):
                yield Change((rule.with_body((*rest, *items)),), "distance")
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


STEP = Distance("distance", adds_predicates=True)
