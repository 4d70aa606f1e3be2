"""Stage: force the order of a body on engines that plan their own joins, by one auxiliary predicate for each prefix.

Before:  wins :- first(X), adjacent(X,Y), owns(Y), adjacent(Y,Z), last(Z).
After:   wins_stage(Y) :- first(X), adjacent(X,Y), owns(Y).
         wins :- wins_stage(Y), adjacent(Y,Z), last(Z).

A stage ends before each literal that binds something new or asks a derived predicate, and hands on only the variables
that are needed later, so an intermediate result that would be repeated is stored once. Rules that begin in the same way
share their stages. Keeps the least model of all predicates that were there; an engine can only join a stage with the
next literal. Leaves alone constraints, rules with fewer than three such literals, and rules whose order is not legal
(see `reorder`).
Source: the chain of supplementary predicates of Beeri and Ramakrishnan 1991, without the magic.
"""

from collections.abc import Collection, Sequence

from hexlogic.language import Atom, BodyLiteral, Literal, Predicate, Program, Rule, Term, Variable
from hexlogic.language.analysis.binding import is_legal
from hexlogic.language.analysis.dependence import intensional
from hexlogic.language.names import reserved_name
from hexlogic.language.passes import Pass
from hexlogic.language.walk import is_positive, ordered_variables, predicates, rule_variables, substitute, variables

_FEWEST = 3


def stage(program: Program) -> Program:
    """The program with stages; the same object when every body is short."""
    used = {predicate.name for predicate in predicates(program)}
    known: dict[Rule, str] = {}
    """The auxiliary predicate for each prefix, whatever its variables are called."""
    derived = intensional(program)
    rules: list[Rule] = []
    for rule in program.rules:
        groups = groups_of(rule.body, derived)
        if rule.head is None or len(groups) < _FEWEST or not is_legal(rule):
            rules.append(rule)
            continue
        waiting = groups[0]
        for number, group in enumerate(groups[1:-1], start=1):
            prefix = (*waiting, *group)
            needed = rule_variables(Rule(rule.head, tuple(item for later in groups[number + 1 :] for item in later)))
            order = ordered_variables(Rule(None, prefix))
            names = tuple(name for name in order if name in needed)
            plain: dict[Variable, Term] = {name: Variable(f"V{place}") for place, name in enumerate(order)}
            key = substitute(Rule(Atom("stage", names), prefix), plain)
            if key not in known:
                known[key] = reserved_name(f"{rule.head.name}_stage", str(key), used)
                used.add(known[key])
                rules.append(Rule(Atom(known[key], names), prefix, rule.place))
            waiting = (Literal(Atom(known[key], names)),)
        rules.append(rule.with_body((*waiting, *groups[-1])))
    return program.with_rules(tuple(rules)) if len(rules) > len(program.rules) else program


def groups_of(body: Sequence[BodyLiteral], derived: Collection[Predicate]) -> list[tuple[BodyLiteral, ...]]:
    """The body cut before each positive literal that binds something new or asks a derived predicate."""
    groups: list[list[BodyLiteral]] = []
    bound: frozenset[Variable] = frozenset()
    for item in body:
        chooses = is_positive(item) and (not variables(item) <= bound or item.atom.predicate in derived)
        if chooses and any(is_positive(other) for group in groups[-1:] for other in group):
            groups.append([item])
        else:
            groups[-1:] = [[*(groups[-1] if groups else []), item]]
        bound |= variables(item)
    return [tuple(group) for group in groups]


PASS = Pass(
    "stage", "force the order of a body on engines that plan their own joins: one predicate for each prefix", stage
)
