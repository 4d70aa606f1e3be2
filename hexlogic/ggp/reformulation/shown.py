"""What is shown of two games with different states: that the same moves lead to the same moves, goals and end.

By induction over `next` where that succeeds, one question to clingo about one move. The new state is a function of the
old one: `FlatGame.coupled` are the rules that derive it. In each state that obeys the invariants, and for each legal
joint move, both games must have the same moves, goals and end, and the new game's next state must be what the function
makes of the old game's. What holds in the first state then holds in all. An invariant is "all other arguments of this
relation determine that one": `on(X,Y,P)` has one P for each X and Y. Those are kept that hold at first and after each
move from a state that obeys all (Flanagan and Leino 2001).

Before that the games as they are given are played at random, and all states of small instances are visited, as far as
time allows: that is what is known where the induction does not succeed.
"""

import contextlib
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

from hexlogic.errors import EngineError
from hexlogic.ggp.language.static_facts import closed_inputs
from hexlogic.ggp.optimise.equality import GameStates, SheetEquality
from hexlogic.ggp.propnet.ground_size import has_wide_rules
from hexlogic.ggp.reformulation.flat_game import FlatGame, Games
from hexlogic.language import Atom, BodyLiteral, Comparison, Literal, Predicate, Program, Rule, Term, Variable
from hexlogic.language.ground.solving import has_stable_model, least_model
from hexlogic.language.names import internal_name
from hexlogic.language.walk import general_atom, rename_rule
from hexlogic.proofs.joint import miter

_BROKEN: Final = Predicate(internal_name("broken"), 0)
_MOST: Final = 20_000
"""States of an instance, at most."""


@dataclass(frozen=True, slots=True)
class SameGame:
    """How far two games were compared: the sheet as it is given, and in all `states` of so many small `boards`."""

    given: SheetEquality
    boards: int = 0
    states: int = 0

    @property
    def shown(self) -> bool:
        """Whether no difference was found in what was compared, and something was."""
        return self.given.equal

    def __str__(self) -> str:
        small = f"; in all {self.states:,} states of {self.boards} small boards" if self.boards else ""
        return f"the same moves, goals and ends: {self.given}{small}"


def same_game(
    before: Games,
    after: Games,
    limit_s: float,
    seed: int = 0,
    report: Callable[[SameGame], None] = lambda _: None,
) -> SameGame:
    """Compare two games for about `limit_s` seconds: in random games, on small instances, by induction. `report` hears
    what is known so far. Raises EngineError where one cannot be run."""
    pairs = [(old.written(), new.written()) for old, new in zip(before, after, strict=True)]
    small, share = pairs[1:3], limit_s / (2 + len(pairs[1:3]))

    def hear(verdict: SheetEquality) -> None:
        report(SameGame(verdict))

    played = GameStates(0 if small else _MOST, seed=seed, limit_s=share, apart=True, report=hear)
    given, visited = played.compare(before[0].sheet, pairs[0][1]), list[int]()
    if given.difference is not None or given.visited:
        return SameGame(given)
    for pair in small:
        each = GameStates(_MOST, 1, seed, share, apart=True).compare(*pair)
        if each.difference is not None:
            return SameGame(each)
        visited += [each.states] if each.visited else []
        report(SameGame(given, len(visited), sum(visited)))
    with contextlib.suppress(EngineError):
        given = replace(given, facts=proved_by_induction(before[0], after[0], time.monotonic() + share))
    return SameGame(given, len(visited), sum(visited))


def proved_by_induction(before: FlatGame, after: FlatGame, until: float) -> int | None:
    """How many facts and moves there are, where the games are the same by induction; None where that is not known.
    `until` is a time of the monotonic clock; grounding is not interrupted. Raises EngineError as clingo does."""
    possible = None if any(has_wide_rules(game.written()) for game in (before, after)) else closed_inputs(before.sheet)
    begun = {*before.initial, *least_model(Program(after.coupled), sorted(before.initial, key=str))}
    begun = {atom for atom in begun if atom.predicate in after.state}
    heads = {rule.conclusion.predicate for rule in after.coupled}
    if possible is None or heads & {*before.program.inputs} or begun != after.initial:
        return None
    tuples = [before.flat.atom(atom) for atom in possible]
    following = {true: Predicate(internal_name("after", true.name), true.arity) for true in after.state}
    looks = [query for query in before.program.queries if query not in before.state.values()]
    queries = (*looks, *following.values())
    invariants = _invariants(before, tuples, until)
    left = [*before.program.rules, *_legal(before), *invariants]
    left += _function(after, "later", {true.name: name.name for true, name in before.state.items()}, following)
    right = [*after.program.rules, *_function(after, "now", {}, {})]
    for program, game in ((left, before), (right, after)):
        program += [
            Rule(Atom(after_name.name, general_atom(true).arguments), (Literal(general_atom(game.state[true])),))
            for true, after_name in following.items()
            if true in game.state and (game is after or true in before.state)
        ]
    old, new = (Program(tuple(rules), (), before.program.inputs, queries) for rules in (left, right))
    return len(tuples) if has_stable_model(miter(old, new, tuples), until) is False else None


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
    """What is done is legal, and no role does two things of one kind."""
    for does, legal in game.moves.items():
        move = general_atom(does)
        yield Rule(None, (Literal(move), Literal(Atom(legal.name, move.arguments), False)))
        yield from (Rule(None, two) for place in range(1, does.arity) for two in _two(does, place, 1))


def _two(predicate: Predicate, place: int, same: int | None = None) -> Iterator[tuple[BodyLiteral, ...]]:
    """Two atoms that differ in one argument; they agree in the first `same` ones, in all others where it is None."""
    one, other = general_atom(predicate), list[Term]()
    for number, term in enumerate(one.arguments):
        agrees = number < same if same is not None else number != place
        other.append(term if agrees else Variable(f"Y{number}"))
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
