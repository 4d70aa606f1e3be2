"""Ground: replace predicates that depend on no input by their facts.

Before:  cell(1..3).  next(X,Y) :- cell(X), cell(Y), Y = X+1.
After:   cell(1..3).  next(1,2).  next(2,3).

Keeps the whole least model. Leaves alone whatever depends on an input, predicates whose compound terms grow through
recursion (they have infinitely many facts), and predicates given as facts already.
`ground` takes every such predicate; `ground:column+adjacent` only those named. Source: Guru and Weng 2019, section 4.
"""

from __future__ import annotations

from hexlogic.errors import PipelineError
from hexlogic.language import Predicate, Program, Rule
from hexlogic.language.analysis.dependence import intensional, listable_predicates
from hexlogic.language.ground.solving import facts_of
from hexlogic.language.passes import Pass


def groundable(program: Program) -> frozenset[Predicate]:
    """The predicates with rules whose facts can be computed once and for all."""
    return listable_predicates(program) & intensional(program)


class Ground(Pass):
    """Replace predicates that depend on no input by their facts."""

    name = "ground"
    summary = "replace predicates that depend on no input by their facts"

    def check_option(self, option: str | None) -> None:
        """Accept predicate names joined by `+`; whether the program has them is known only at `apply`."""
        if option is not None and not all(option.split("+")):
            raise PipelineError(f"empty name in ground:{option}", hint="for example ground:column+adjacent")

    def apply(self, program: Program, option: str | None = None) -> Program:
        """The program with facts in place of the chosen rules.

        Raises PipelineError when a named predicate does not exist or depends on an input.
        """
        chosen = groundable(program)
        if option is not None:
            chosen = frozenset(_named(program, name, chosen) for name in option.split("+"))
        if not chosen:
            return program
        facts = facts_of(program, chosen)
        rules: list[Rule] = []
        for rule in program.rules:
            if rule.head is None or rule.head.predicate not in chosen:
                rules.append(rule)
            else:
                rules += [Rule(atom) for atom in facts.pop(rule.head.predicate, ())]
        return program.with_rules(tuple(rules))


def _named(program: Program, name: str, chosen: frozenset[Predicate]) -> Predicate:
    for predicate in chosen:
        if predicate.name == name:
            return predicate
    known = sorted(predicate.name for predicate in chosen)
    reason = "is not a predicate that depends on no input"
    raise PipelineError(f"ground: {name!r} {reason}", hint=f"there are: {', '.join(known) or 'none'}")


PASS = Ground()
