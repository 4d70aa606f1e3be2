"""Two games with different states are the same game by induction over `next`: one question to clingo about one move.

The new state is a function of the old one: `FlatGame.coupled` are the rules that derive it. In each state that obeys
the invariants, and for each legal joint move, both games must have the same moves, goals and end, and the new game's
next state must be what the function makes of the old game's. What holds in the first state then holds in all.

An invariant is "all other arguments of this relation determine that one": `on(X,Y,P)` has one P for each X and Y. Those
are kept that hold at first and after each move from a state that obeys all (Flanagan and Leino 2001).
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Final

from hexlogic.ggp.language.static_facts import closed_inputs
from hexlogic.ggp.reformulation.flat_game import FlatGame
from hexlogic.language import Atom, BodyLiteral, Comparison, Literal, Predicate, Program, Rule, Variable
from hexlogic.language.ground.solving import has_stable_model, least_model
from hexlogic.language.names import internal_name
from hexlogic.language.walk import general_atom, rename_rule
from hexlogic.proofs.joint import miter

_BROKEN: Final = Predicate(internal_name("broken"), 0)


def proved_by_induction(before: FlatGame, after: FlatGame, until: float) -> int | None:
    """How many facts and moves there are, where the games are the same by induction; None where that is not known.

    `until` is a time of the monotonic clock; grounding is not interrupted. Raises EngineError as clingo does.
    """
    possible = closed_inputs(before.sheet)
    begun = {*before.initial, *least_model(Program(after.coupled), sorted(before.initial, key=str))}
    heads = {rule.conclusion.predicate for rule in after.coupled}
    if possible is None or heads & {*before.program.inputs} or not _is_of(begun, after):
        return None
    tuples = [before.flat.atom(atom) for atom in possible]
    following = {true: Predicate(internal_name("after", true.name), true.arity) for true in after.state}
    looks = [query for query in before.program.queries if query not in before.state.values()]
    queries = (*looks, *following.values())
    invariants = _invariants(before, tuples, until)
    left = [*before.program.rules, *_legal(before), *invariants]
    left += _function(after, "later", {**{true.name: name.name for true, name in before.state.items()}}, following)
    right = [*after.program.rules, *_function(after, "now", {}, {})]
    for program, game in ((left, before), (right, after)):
        program += [
            Rule(Atom(after_name.name, general_atom(true).arguments), (Literal(general_atom(game.state[true])),))
            for true, after_name in following.items()
            if true in game.state and (game is after or true in before.state)
        ]
    sides = [Program(tuple(rules), (), before.program.inputs, queries) for rules in (left, right)]
    return len(tuples) if has_stable_model(miter(*sides, tuples), until) is False else None


def _is_of(facts: Iterable[Atom], game: FlatGame) -> bool:
    """Whether the game begins with those of the facts that are of its state."""
    return {atom for atom in facts if atom.predicate in game.state} == game.initial


def _function(
    game: FlatGame, word: str, states: Mapping[str, str], following: Mapping[Predicate, Predicate]
) -> Iterator[Rule]:
    """The rules that derive the new state, of the next state where `states` and `following` rename the relations."""
    heads = {rule.conclusion.predicate for rule in game.coupled}
    names = {head: internal_name(word, head.name) for head in heads if head not in game.state}
    names |= {true: name.name for true, name in following.items() if true in heads}
    for rule in game.coupled:
        given = {atom.predicate: states[atom.name] for atom in rule.atoms if atom.name in states}
        yield rename_rule(rule, {**{each: name for each, name in given.items() if each not in heads}, **names})


def _legal(game: FlatGame) -> Iterator[Rule]:
    """What is done is legal, and each role does one thing."""
    moves = {name: game.flat.names["legal", shape] for (word, shape), name in game.flat.names.items() if word == "does"}
    for does, legal in moves.items():
        move = general_atom(does)
        yield Rule(None, (Literal(move), Literal(Atom(legal.name, move.arguments), False)))
        yield from (Rule(None, two) for place in range(1, does.arity) for two in _two(does, place, 1))
    for first, second in itertools.combinations(moves, 2):
        one, other = general_atom(first), _apart(second)
        yield Rule(None, (Literal(one), Literal(Atom(other.name, (one.arguments[0], *other.arguments[1:])))))


def _apart(predicate: Predicate) -> Atom:
    return Atom(predicate.name, tuple(Variable(f"Y{place}") for place in range(predicate.arity)))


def _two(predicate: Predicate, place: int, same: int | None = None) -> Iterator[tuple[BodyLiteral, ...]]:
    """Two atoms that differ in one argument; they agree in the first `same` ones, in all others where it is None."""
    one, other = general_atom(predicate), list(_apart(predicate).arguments)
    for number, term in enumerate(one.arguments):
        if number < same if same is not None else number != place:
            other[number] = term
    yield Literal(one), Literal(Atom(one.name, tuple(other))), Comparison("!=", one.arguments[place], other[place])


def _invariants(game: FlatGame, tuples: Sequence[Atom], until: float) -> list[Rule]:
    """The dependencies between arguments that each legal move keeps."""
    candidates = [
        (Rule(None, two), Rule(Atom(_BROKEN.name), after))
        for true, following in sorted(game.state.items())
        for place in range(true.arity)
        for two, after in zip(_two(true, place), _two(following, place), strict=True)
        if not least_model(Program((Rule(Atom(_BROKEN.name), two),)), sorted(game.initial, key=str), only=(_BROKEN,))
    ]
    while True:
        assumed = [now for now, _ in candidates]
        kept = [each for each in candidates if _keeps(game, [*assumed, *_legal(game)], each[1], tuples, until)]
        if len(kept) == len(candidates):
            return assumed
        candidates = kept


def _keeps(game: FlatGame, given: Iterable[Rule], broken: Rule, tuples: Sequence[Atom], until: float) -> bool:
    rules = (*game.program.rules, *given, broken)
    left = replace(game.program, rules=rules, queries=(_BROKEN,))
    return has_stable_model(miter(left, Program((), (), left.inputs, (_BROKEN,)), tuples), until) is False
