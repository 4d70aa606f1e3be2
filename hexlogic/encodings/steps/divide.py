"""A test of divisibility becomes a join with the multiples of the divisors.

Before:  num(2..n).   composite(X) :- num(X), num(Y), X\\Y = 0, X != Y.
After:   span(Low,High) :- Low = #min { X+0 : num(X) }, High = #max { X+0 : num(X) }.
         multiple(Y,Y*(Low/Y..High/Y;High/Y..Low/Y)) :- num(Y), span(Low,High).
         composite(X) :- num(X), num(Y), multiple(Y,X), X != Y.

gringo tries the test on each pair of n numbers; n numbers have about n ln n multiples up to n. A multiple of Y between
the least and the greatest integer of `num` is Y times an integer between their quotients, in whichever order these are,
and `X+0` is no value where X is no integer, as the test is none there. *Preserves* the answer sets. *Leaves alone*
predicates that are not all facts.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence

from hexlogic.encodings.blocks import Block
from hexlogic.encodings.statements import BASE
from hexlogic.encodings.steps.base import Step
from hexlogic.language import Arithmetic, Atom, BodyLiteral, Comparison, Integer, Literal, Rule, Symbol, Variable
from hexlogic.language.passes.rule_pass import RuleContext
from hexlogic.language.walk import variables
from hexlogic.proofs.rewriting import division_proof


def division(item: BodyLiteral) -> tuple[Variable, Variable] | None:
    """The dividend and the divisor of a test that a remainder is 0."""
    match item:
        case Comparison("=", Arithmetic("\\", Variable() as dividend, Variable() as divisor), Integer(0)) | Comparison(
            "=", Integer(0), Arithmetic("\\", Variable() as dividend, Variable() as divisor)
        ) if dividend != divisor and not {dividend.name, divisor.name} & {"Low", "High"}:
            return dividend, divisor
        case _:
            return None


def _only(atom: Atom, name: Variable) -> Atom:
    """The atom with `_` for every argument but the variable."""

    arguments = (term if term == name or not variables(term) else Symbol("_") for term in atom.arguments)
    return Atom(atom.name, tuple(arguments))


class Divide(Step):
    """Join with the multiples of the divisors."""

    def suits(self, block: Block, once: Collection[str]) -> bool:
        """Only in `base`."""
        return block.part == BASE

    def rewrite(self, rule: Rule, context: RuleContext) -> list[Rule]:
        """The auxiliary rules for the first test of divisibility, then the rule; the rule alone without one."""
        for item in rule.body:
            test = division(item)
            if test is None:
                continue
            dividend, divisor = test
            facts = [item.atom for item in rule.literals if item.positive and item.atom.predicate in context.facts]
            given, other = (next((atom for atom in facts if name in atom.arguments), None) for name in test)
            if given is None or other is None:
                continue
            bounds = ", ".join(
                f"{bound} = #{which} {{ {dividend}+0 : {_only(given, dividend)} }}"
                for bound, which in (("Low", "min"), ("High", "max"))
            )
            quotients = f"Low/{divisor}..High/{divisor};High/{divisor}..Low/{divisor}"
            ends = Literal(Atom(bounds))
            span = context.auxiliary("span", (Variable("Low"), Variable("High")), [ends])
            # as text, in which `anonymous` finds no variables: they stand in the quotients, which are text as well
            body = (Literal(_only(other, divisor)), Literal(Atom(str(span))))
            multiple = context.auxiliary("multiple", (divisor, Symbol(f"{divisor}*({quotients})")), body)
            product = Literal(Atom(multiple.name, (divisor, dividend)))
            new = rule.with_body(tuple(product if other_item == item else other_item for other_item in rule.body))
            return [Rule(span, (ends,)), Rule(multiple, body), new]
        return [rule]

    def proof(self, rule: Rule, rules: Sequence[Rule], context: RuleContext) -> str | None:
        """*division*, where that argument holds."""
        return "division" if division_proof(rule, rules, context) else None


STEP = Divide("divide", adds_predicates=True)
