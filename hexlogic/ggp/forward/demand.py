"""Only what is asked for: the pass `magic` on each question of a sheet, for relations that are large and asked with
bound arguments. Taken where a state would otherwise have too many tuples.

Looks, steps and goals are asked at different times, so each has its own copy of what it narrows. Relations that depend
on no state stay as they are: they are derived once. Where even these have too many tuples, all but facts is narrowed.

Demand must not depend on the negation of what it asks for, or magic would leave such relations whole. So all that a
rule negates is asked for at once, where its positive literals hold, unless the rule is recursive:

    h(X) :- p(X,Y), not a(Y), not b(X).     becomes     h_found(X,Y) :- p(X,Y).
                                                        h_refuted(X,Y) :- h_found(X,Y), a(Y).
                                                        h_refuted(X,Y) :- h_found(X,Y), b(X).
                                                        h(X) :- h_found(X,Y), not h_refuted(X,Y).
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from itertools import chain
from typing import Final

from hexlogic.ggp.forward.estimates import guessed, ordered
from hexlogic.ggp.forward.static_tables import StaticTables
from hexlogic.ggp.forward.views import views_on_demand
from hexlogic.ggp.language.opened import OpenedSheet
from hexlogic.ggp.language.types import Types
from hexlogic.language.analysis.dependence import dependency_graph, rules_below
from hexlogic.language.ground.profile import Statistics
from hexlogic.language.names import fresh_names, internal_name
from hexlogic.language.passes.magic import magic
from hexlogic.language.syntax import Atom, Literal, Predicate, Program, Rule, Variable
from hexlogic.language.walk import map_atoms, predicates, variables

_LARGE: Final = 50.0
_SHARE: Final = 0.1
"""Tuples in a state, and the part of those of all views, from which a view is narrowed."""
_SUBSUMPTIVE: Final = "subsumptive"


def narrowed(opened: OpenedSheet, *, also_static: bool = False) -> OpenedSheet:
    """The sheet with demand predicates, with `also_static` for relations that depend on no state as well; the same
    where no question binds an argument."""
    sizes = guessed(opened)
    fixed = frozenset[Predicate]().union(*opened.phases[0])
    if also_static:
        fixed -= {rule.head.predicate for rule in opened.program.rules if rule.head is not None and rule.body}
    used = {predicate.name for predicate in predicates(opened.program)}
    cycles = dependency_graph(opened.program).on_cycles()
    moving = [rule for rule in opened.program.rules if rule.head is not None and rule.head.predicate not in fixed]
    derived = {rule.head.predicate for rule in moving if rule.head is not None}
    together = [each for rule in moving for each in _with_negations_together(rule, derived, cycles, used)]
    return _narrowed(opened, together, fixed, sizes, None, used)


def narrowed_where_large(opened: OpenedSheet, sizes: Statistics, statics: StaticTables) -> OpenedSheet:
    """The sheet with demand predicates for the views that have most of the tuples in a state; the same where none is
    asked for with bound arguments. `sizes` are measured, `statics` are the relations that no state changes."""
    fixed = frozenset[Predicate]().union(*opened.phases[0])
    views = frozenset[Predicate]().union(*chain(*opened.phases[1:3])).difference(*opened.asked)
    views -= views_on_demand(opened, sizes, statics=statics, is_unfolded=False)[1].keys()
    least = max(_LARGE, _SHARE * sum(map(sizes.size, views)))
    large = {view for view in views if sizes.size(view) >= least}
    moving = [rule for rule in opened.program.rules if rule.head is not None and rule.head.predicate not in fixed]
    used = {predicate.name for predicate in predicates(opened.program)}
    return _narrowed(opened, moving, fixed, sizes, large, used) if large else opened


def _narrowed(
    opened: OpenedSheet,
    moving: Sequence[Rule],
    fixed: frozenset[Predicate],
    sizes: Statistics,
    only: Collection[Predicate] | None,
    used: set[str],
) -> OpenedSheet:
    """The sheet whose rules for what is not `fixed` are `moving`, each question narrowed: with `only`, for these
    predicates, and the others are derived once for all questions."""
    rules = [rule for rule in opened.program.rules if rule.head is not None and rule.head.predicate in fixed]
    program = Program(tuple(rule.with_body(tuple(ordered(rule.body, None, sizes))) for rule in moving))
    changed = False
    for question, asked in zip(("look", "step", "goal"), opened.asked[:3], strict=True):
        queries = tuple(sorted(asked - fixed))
        left = program.with_rules(tuple(rule for rule in program.rules if rule.conclusion.predicate not in fixed))
        below = rules_below(left, queries)
        whole = replace(below, inputs=(*opened.inputs, *sorted(fixed)), queries=queries)
        found = magic(whole, (_SUBSUMPTIVE,) if only is not None else (), only)
        changed = changed or found is not whole
        kept = {*whole.inputs, *queries}
        if only is not None:
            kept |= {rule.conclusion.predicate for rule in found.rules} & program.heads
            fixed |= kept - set(opened.inputs)
        rules += _apart(found.rules, question, frozenset(kept), used)
    if not changed:
        return opened
    flat = replace(opened.flat, program=opened.program.with_rules(tuple(rules)))
    facts = tuple(Rule(opened.atom("true", fact)) for fact in opened.initial)
    return OpenedSheet(flat, Types((*rules, *facts), opened.joined), opened.initial)


def _with_negations_together(
    rule: Rule, derived: Collection[Predicate], cycles: Mapping[Predicate, frozenset[Predicate]], used: set[str]
) -> list[Rule]:
    """The rules in place of one that negates derived relations, unless it is recursive (`cycles`: by predicate those
    that depend on each other); `used` are names, and the new ones are added."""
    assert rule.head is not None
    circle = cycles.get(rule.head.predicate, frozenset())
    negated = [
        item for item in rule.body if isinstance(item, Literal) and not item.positive and item.atom.predicate in derived
    ]
    rest = tuple(item for item in rule.body if item not in negated)
    is_recursive = any(item.atom.predicate in circle for item in rule.literals)
    if is_recursive or not negated or not any(isinstance(item, Literal) and item.positive for item in rest):
        return [rule]
    bound = frozenset[Variable]().union(*map(variables, rest))
    needed = variables(rule.head).union(*map(variables, negated)) & bound
    arguments = tuple(sorted(needed, key=lambda variable: variable.name))
    made = []
    for ending in ("found", "refuted"):
        made.append(Atom(next(iter(fresh_names(internal_name(ending, rule.head.name), used))), arguments))
        used.add(made[-1].name)
    found, refuted = made
    return [
        Rule(found, rest, rule.place),
        *(Rule(refuted, (Literal(found), Literal(item.atom)), rule.place) for item in negated),
        rule.with_body((Literal(found), Literal(refuted, positive=False))),
    ]


def _apart(rules: Sequence[Rule], question: str, kept: frozenset[Predicate], used: set[str]) -> list[Rule]:
    """The rules with names of their own for what they derive, but for the relations that are kept."""
    names: dict[Predicate, str] = {}
    for rule in rules:
        if rule.head is not None and rule.head.predicate not in kept and rule.head.predicate not in names:
            name = next(iter(fresh_names(internal_name(question, rule.head.name), used)))
            used.add(name)
            names[rule.head.predicate] = name
    return [map_atoms(rule, lambda atom: Atom(names.get(atom.predicate, atom.name), atom.arguments)) for rule in rules]
