"""Two games as one program about a state of the first and a move: what the second game has of it, and what follows.

true_cell(C,P), does_place(P,C)       the state of the first game and the move, as they are
true_kept_path(C)                     derived: the state of the second game is a function of that of the first one
next_cell(C,P), 'later'path(C)        what is said of a state, said of the next one
'after'next_kept_path(C)              what the second game derives, where its rules are others
'part'0(C) :- true_cell(C,red).       what rules ask of a relation with a constant, so that claims can speak of it
"""

import itertools
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from hexlogic.ggp.language.opened import Flattening
from hexlogic.ggp.language.static_facts import roles_of
from hexlogic.ggp.language.types import Type, Types
from hexlogic.ggp.reformulation.flat_game import ROLE, FlatGame, chain_of
from hexlogic.language import Atom, Literal, Predicate, Program, Rule, Variable
from hexlogic.language.analysis.dependence import dependency_graph, rules_below
from hexlogic.language.ground.solving import facts_of, least_model
from hexlogic.language.names import internal_name
from hexlogic.language.walk import predicates, rename_rule, variables
from hexlogic.proofs.joint import same_definitions

VIEW = internal_name("view")
"""How names of relations begin that say what a view means."""
_PART = internal_name("part")


@dataclass(frozen=True)
class Joined:
    """Both games; `later` names each relation of a state for the next one."""

    before: FlatGame
    program: Program
    static: Mapping[Predicate, Sequence[Atom]]
    chains: Mapping[Predicate, Predicate]
    """For each static relation that is one chain `p(1,2), p(2,3)` the order of its elements."""
    later: Mapping[Predicate, str]
    views: Sequence[Predicate]
    """What is derived of the state for the second game."""
    looks: Sequence[tuple[Predicate, Predicate]]
    """Moves, goals and end in both games."""
    steps: Sequence[tuple[Predicate, Predicate]]
    """The second game's next state: as the function of the first game's next state, and as its own rules say."""

    def parts(self, predicates: Collection[Predicate]) -> Iterator[Predicate]:
        """The parts of these relations that rules ask for by constants."""
        for rule in self.program.rules:
            if _PART in rule.conclusion.name and next(rule.literals).atom.predicate in predicates:
                yield rule.conclusion.predicate

    @cached_property
    def facts(self) -> list[Atom]:
        """The static facts."""
        return [atom for atoms in self.static.values() for atom in atoms]

    @cached_property
    def _types(self) -> Types:
        pairs = [(true, Predicate(name, true.arity)) for true, name in self.later.items()]
        pairs += [*self.looks, *self.steps, *self.before.moves.items(), *self.chains.items()]
        slots = [((one, place), (two, place)) for one, two in pairs for place in range(one.arity)]
        slots += [((does, 0), (ROLE, 0)) for does in self.before.moves]
        slots += [((chain, 0), (chain, 1)) for chain in self.chains]
        return Types((*self.program.rules, *map(Rule, (*self.facts, *sorted(self.before.initial, key=str)))), slots)

    def kinds(self, predicate: Predicate) -> list[Type]:
        """The types of a relation's arguments."""
        return [self._types.of((predicate, place)) for place in range(predicate.arity)]

    def said_later(self, rule: Rule) -> Rule:
        """What is said of a state, said of the next one."""
        return rename_rule(rule, self.later)


def joined(before: FlatGame, after: FlatGame) -> Joined | None:
    """The program; None where a relation would be two. Raises EngineError as clingo does."""
    coupled = Program(after.coupled)
    parts = _asked_parts([*before.program.rules, *after.program.rules, *coupled.rules])
    before, after = (_with_parts(game, parts) for game in (before, after))
    state, new = {*before.state}, {*after.state} - {*before.state}
    loose = [*state, *new, *before.moves, *(head for head in coupled.heads if head.name.startswith(VIEW))]
    moving = before.moving | after.moving | dependency_graph(coupled).above(loose) | {*loose}
    static: dict[Predicate, Sequence[Atom]] = {}
    for program in (before.program, after.program, coupled):
        for predicate, atoms in facts_of(program, program.heads - moving).items():
            if static.setdefault(predicate, atoms) != atoms:
                return None
    static[ROLE] = [Atom(ROLE.name, (role,)) for role in roles_of(before.sheet)]
    views, game = _function(before, coupled, new, {*state, *static}), _moving(before)
    if views is None or static.keys() & moving or {*before.program.inputs} - {*loose}:
        return None
    now = Program(tuple(dict.fromkeys((*game.rules, *views.rules))))
    begun = least_model(now, [*before.initial, *(atom for atoms in static.values() for atom in atoms)])
    if {atom for atom in begun if atom.predicate in after.state} != after.initial:
        return None
    graph = dependency_graph(now)
    steady = now.heads & graph.above(before.state) - graph.above(before.moves) - {*before.state.values()}
    later = {true: following.name for true, following in before.state.items()}
    later |= {each: internal_name("later", each.name) for each in steady}
    same = same_definitions(
        before.program, after.program, (predicates(before.program) & predicates(after.program)) - new
    )
    asked = {*predicates(after.program), *before.program.queries, *after.state.values()}
    other = {
        each: internal_name("after", each.name) for each in asked - same - {*after.state, *after.moves} - static.keys()
    }
    rules = [*now.rules, *(rename_rule(rule, later) for rule in now.rules if rule.conclusion.predicate in steady)]
    rules += [rename_rule(rule, other) for rule in _moving(after).rules]
    looks = {*before.program.queries, *after.program.queries} - {*before.state.values(), *after.state.values()}
    chains = {each: Predicate(internal_name("before", each.name), 2) for each in static if chain_of(static[each])}
    for chain, order in chains.items():
        pairs = itertools.combinations(chain_of(static[chain]), 2)
        static[order] = sorted((Atom(order.name, pair) for pair in pairs), key=str)

    def named(names: Mapping[Predicate, str], predicate: Predicate) -> Predicate:
        return Predicate(names.get(predicate, predicate.name), predicate.arity)

    return Joined(
        before,
        Program(tuple(dict.fromkeys(rules))),
        {each: atoms for each, atoms in static.items() if atoms},
        chains,
        later,
        sorted(views.heads),
        [(each, named(other, each)) for each in sorted(looks)],
        [(named(later, true), named(other, following)) for true, following in sorted(after.state.items())],
    )


def _asked_parts(rules: Iterable[Rule]) -> list[Rule]:
    """The definition of a part for each relation and the constants with which bodies ask for it."""
    asked = set[Atom]()
    for atom in (literal.atom for rule in rules for literal in rule.literals):
        terms = (
            Variable(f"X{place}") if isinstance(term, Variable) else term for place, term in enumerate(atom.arguments)
        )
        asked.add(Atom(atom.name, tuple(terms)))
    chosen = sorted((atom for atom in asked if variables(atom) and not variables(atom) >= {*atom.arguments}), key=str)
    return [
        Rule(Atom(f"{_PART}{number}", tuple(sorted(variables(atom), key=str))), (Literal(atom),))
        for number, atom in enumerate(chosen)
    ]


def _with_parts(game: FlatGame, parts: Iterable[Rule]) -> FlatGame:
    added = [part for part in parts if all(literal.atom.predicate in game.moving for literal in part.literals)]
    program = replace(game.program, rules=(*game.program.rules, *added))
    return replace(game, flat=Flattening(program, game.flat.names))


def _moving(game: FlatGame) -> Program:
    return Program(tuple(rule for rule in game.program.rules if rule.conclusion.predicate in game.moving))


def _function(before: FlatGame, coupled: Program, new: Iterable[Predicate], given: set[Predicate]) -> Program | None:
    """The rules that derive the new state, and what views mean, from the `given` relations; None where they do not, or
    the game has other rules for one."""
    rules = [rule for rule in coupled.rules if rule.conclusion.predicate not in given]
    while True:
        known = given | {rule.conclusion.predicate for rule in rules}
        fewer = [rule for rule in rules if all(item.atom.predicate in known for item in rule.literals)]
        if len(fewer) == len(rules):
            break
        rules = fewer
    derived = Program(tuple(rules))
    hints = {head for head in derived.heads if head.name.startswith(VIEW)}
    needed = rules_below(derived, {*new, *hints})
    both = needed.heads & before.moving
    alike = all({*needed.defining(each)} == {*before.program.defining(each)} for each in both)
    return needed if {*new} <= needed.heads and alike and not needed.heads & {*before.program.inputs} else None
