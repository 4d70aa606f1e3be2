"""Ground: replace predicates that depend on no input by their facts.

Before:  cell(1..3).  next(X,Y) :- cell(X), cell(Y), Y = X+1.
After:   cell(1..3).  next(1,2).  next(2,3).

Keeps the whole least model. Leaves alone whatever depends on an input, predicates whose compound terms grow through
recursion (they have infinitely many facts), and predicates given as facts already.
`ground` takes every such predicate; `ground:column+adjacent` only those named. Source: Guru and Weng 2019, section 4.
"""

import functools

from hexlogic.errors import PipelineError
from hexlogic.language import Predicate, Program, Rule
from hexlogic.language.analysis.dependence import intensional, listable_predicates
from hexlogic.language.ground.solving import facts_of
from hexlogic.language.passes import Pass, Transformation


def groundable(program: Program) -> frozenset[Predicate]:
    """The predicates with rules whose facts can be computed once and for all."""
    return listable_predicates(program) & intensional(program)


def ground(program: Program, names: tuple[str, ...] | None = None) -> Program:
    """The program with facts for the rules of all such predicates, or of `names`. Raises PipelineError."""
    chosen = groundable(program)
    if names is not None:
        known = {predicate.name: predicate for predicate in sorted(chosen)}
        if (name := next((name for name in names if name not in known), None)) is not None:
            what = f"ground: {name!r} is not a predicate that depends on no input"
            raise PipelineError(what, hint=f"there are: {', '.join(known) or 'none'}")
        chosen = frozenset(known[name] for name in names)
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


def _named(option: str) -> Transformation:
    """`column+adjacent`; whether a program has such predicates is known only when it comes."""
    if not all(option.split("+")):
        raise PipelineError(f"empty name in ground:{option}", hint="for example ground:column+adjacent")
    return functools.partial(ground, names=tuple(option.split("+")))


PASS = Pass("ground", "replace predicates that depend on no input by their facts", ground, _named)
