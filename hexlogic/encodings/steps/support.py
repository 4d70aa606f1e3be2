"""What may stand beside the only value that a predicate has is derived, in place of all pairs that may not.

Before:  { at(T,X) : node(X) } 1 :- time(T).   :- at(T,X), at(T+1,Y), X != Y, not edge(X,Y).
After:   support(T,Y) :- at(T,X), edge(X,Y).   support(T,Y) :- at(T,X), X = Y.
         :- at(T,_), at(T+1,Y), not support(T,Y).

A sparse relation has few pairs, and its complement has many. Made where the other arguments determine the value in
every answer set: then a pair that may not be is one whose second part stands beside no value. *Preserves* the answer
sets. *Leaves alone* other bodies than constraints, and values that anything but negated literals and differences asks
for.
"""

from collections.abc import Iterator

from hexlogic.encodings.analysis import Analysis
from hexlogic.encodings.blocks import Block
from hexlogic.encodings.steps.base import CLASSICAL, Change, Step
from hexlogic.language import BodyLiteral, Comparison, Literal, Rule, Symbol, Variable
from hexlogic.language.analysis.binding import unsafe_variables
from hexlogic.language.passes.rule_pass import RuleContext
from hexlogic.language.walk import computes, head_variables, rule_terms, substitute, variables


def _values(rule: Rule, holder: Literal, context: RuleContext) -> Iterator[frozenset[Variable]]:
    """Variables of a literal that its other arguments determine."""
    arguments = holder.atom.arguments
    known = [each for each in context.answer_set_dependencies if each.predicate == holder.atom.predicate]
    for key in dict.fromkeys(each.key for each in known):
        places = {each.value for each in known if each.key <= key} - key
        others = [term for place, term in enumerate(arguments) if place not in places]
        names = frozenset(arguments[place] for place in places) - variables(*others) - head_variables(rule)
        if not any(arguments[place] == Symbol("_") for place in key):
            yield frozenset(name for name in names if isinstance(name, Variable) and arguments.count(name) == 1)


def _denied(item: BodyLiteral) -> BodyLiteral | None:
    """What a negated literal or a difference denies; None for anything else."""
    match item:
        case Literal(atom, False):
            return Literal(atom)
        case Comparison("!=", left, right):
            return Comparison("=", left, right)
        case _:
            return None


class Support(Step):
    """Derive what may stand beside a value."""

    def changes(self, rule: Rule, context: RuleContext, block: Block, analysis: Analysis) -> Iterator[Change]:
        """The first value with a negated literal."""
        for holder in (item for item in rule.literals if item.positive):
            for values in _values(rule, holder, context):
                rules = self._supported(rule, holder, values, context)
                if rules:
                    yield Change(tuple(rules), "values")
                    return

    @staticmethod
    def _supported(rule: Rule, holder: Literal, values: frozenset[Variable], context: RuleContext) -> list[Rule]:
        """The rules for what stands beside the values, and the new constraint; empty without."""
        around = [item for item in rule.body if item != holder]
        asked = [item for item in around if variables(item) & values]
        denied = [item for item in map(_denied, asked) if item is not None]
        used = values & variables(*asked)
        short = substitute(Rule(holder.atom), dict.fromkeys(used, Symbol("_"))).conclusion
        if len(denied) < len(asked) or not any(isinstance(item, Literal) for item in denied):
            return []
        if not variables(*asked) - used - variables(short) or any(map(computes, rule_terms(Rule(None, tuple(asked))))):
            return []  # what is undefined is not denied
        kept = sorted((variables(short) | variables(*asked)) - used, key=str)
        bodies: list[tuple[BodyLiteral, ...]] = [(holder, item) for item in denied]
        head = context.auxiliary("support", kept, [item for body in bodies for item in body])
        rules = [Rule(head, body) for body in bodies]
        rest = [item for item in around if item not in asked]
        new = rule.with_body((Literal(short), *rest, Literal(head, False)))
        if any(map(unsafe_variables, [*rules, new])):
            return []
        context.statistics.sizes[head.predicate] = sum(context.statistics.answers(body) for body in bodies)
        return [*rules, new]


STEP = Support("support", adds_predicates=True, kinds=CLASSICAL)
