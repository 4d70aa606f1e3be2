"""A value that only has to be less than a computed one is asked for by a chain over all bounds: an order encoding.

Before:  :- prec(A,B,D), start(A,TA), start(B,TB), TB < TA+D.
After:   last(Last) :- Last = #max { TB+0 : time(TB) }.
         less(B,TB+1) :- start(B,TB).     less(B,Bound+1) :- less(B,Bound), last(Last), Bound <= Last.
         :- prec(A,B,D), start(A,TA), less(B,Least), last(Last), Least = (TA+D+(Last+1)-|TA+D-(Last+1)|)/2.

`less(B,V)` says that B has a value below V. So the ground constraints are as many as values of A, not pairs of values.
V goes up to one more than the greatest value that the choice of `start` allows, and `Least` is the lesser of that and
the computed term: then all integers are below it. *Preserves* the answer sets: what is no integer is below no computed
term. *Leaves alone* values that anything else mentions, and predicates whose values are not bounded by facts.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from hexlogic.encodings.analysis import Analysis
from hexlogic.encodings.blocks import Block
from hexlogic.encodings.statements import BASE
from hexlogic.encodings.steps.base import Change, Step
from hexlogic.language import Arithmetic, Atom, Comparison, Integer, Literal, Rule, Symbol, Term, Variable
from hexlogic.language.analysis.binding import unsafe_variables
from hexlogic.language.passes.rule_pass import RuleContext
from hexlogic.language.walk import computes, rule_terms, variables

_GAIN = 0.7
_LAST, _BOUND, _LEAST = Variable("Last"), Variable("Bound"), Variable("Least")


def _less(rule: Rule) -> Iterator[tuple[Comparison, Variable, Arithmetic, Literal]]:
    """Each comparison of a value with a greater computed term, and the literal that has the value."""
    counts = Counter(term for term in rule_terms(rule) if isinstance(term, Variable))
    for item in rule.body:
        match item:
            case Comparison("<" | "<=", Variable() as value, Arithmetic() as term) | Comparison(
                ">" | ">=", Arithmetic() as term, Variable() as value
            ) if counts[value] == 2 and value not in variables(term):
                for holder in rule.literals:
                    if holder.positive and value in holder.atom.arguments:
                        yield (
                            item,
                            value,
                            term if "=" not in item.operator else Arithmetic("+", term, Integer(1)),
                            holder,
                        )


class Order(Step):
    """Ask for a bound."""

    def changes(self, rule: Rule, context: RuleContext, block: Block, analysis: Analysis) -> Iterator[Change]:
        """The first comparison whose chain is estimated to pay."""
        for item, value, term, holder in _less(rule):
            kept = tuple(each for each in holder.atom.arguments if each not in (value, Symbol("_")))
            last = analysis.greatest(holder.atom, value) if block.part == BASE else None
            rest = tuple(other for other in rule.body if other not in (item, holder))
            sizes = context.statistics
            chain = sizes.size(holder.atom.predicate) + sizes.answers(rest)
            names = {name.name for name in variables(*rule.body)}
            if last is None or any(map(computes, kept)) or sizes.answers(rule.body) * _GAIN < chain:
                continue
            if names & {"Last", "Bound", "Least"}:
                continue
            bound = Literal(Atom(last.partition(", ")[2] or f"Last = {last}"))
            greatest = context.auxiliary("last", (_LAST,), [bound])
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
                yield Change((Rule(greatest, (bound,)), Rule(less, (holder,)), up, new), "chain")
                return


STEP = Order("order", adds_predicates=True)
