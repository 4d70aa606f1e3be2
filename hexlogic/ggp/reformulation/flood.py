"""Fuse a view into a recursion, through the moves of a game as well: what the end reads of a large relation, derived by
each state's rules or carried from state to state, gets rules of its own.

    redpath :- true_connected(K,C), true_connected(K,D), true_owner(K,red), side_a(C), side_i(D).

    linked(D) :- true_cell(D,red), side_a(D).                    found: sound in all sampled states, and enough there
    linked(D) :- linked(C), adjacent(C,D), true_cell(D,red).
    redpath :- linked(D), side_i(D).

The rules are looked for on small instances (`small.py`), where cells are single terms (`pairs.py`), by the search of
`hexlogic.proofs.finding.synthesis`. They stay from state to state where that saves more (`keep.py`).
"""

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import reduce
from typing import Final

from hexlogic.errors import EngineError
from hexlogic.ggp.machines import StateMachine
from hexlogic.ggp.machines.state_machine import PROVERS
from hexlogic.ggp.reformulation.flat_game import FlatGame, Games
from hexlogic.ggp.reformulation.joined import VIEW
from hexlogic.ggp.reformulation.keep import keep_view
from hexlogic.ggp.reformulation.pairs import pairings
from hexlogic.language import Atom, Literal, Predicate, Program, Rule
from hexlogic.language.analysis.dependence import recursive_predicates, rules_below
from hexlogic.language.walk import variables
from hexlogic.proofs.finding.facts import Claim, fact_of
from hexlogic.proofs.finding.samples import Samples
from hexlogic.proofs.finding.synthesis import rules_for
from hexlogic.proofs.finding.worlds import InputWorld

_WIDEST: Final = 3
"""Arguments of a view, and one for its name."""
_STATES: Final = (40, 24)
"""Sampled states of a small instance, and of a larger one."""


@dataclass(frozen=True)
class _States(InputWorld):
    """Sampled states of small instances of a game."""

    boards: Sequence[FlatGame] = ()

    def instances(self, chance: random.Random) -> Iterator[tuple[Program, list[Sequence[Atom]]]]:
        """The static rules of each instance, with the facts of states of random games."""
        for count, game in zip(_STATES, self.boards, strict=False):
            static = [rule for rule in game.program.rules if rule.conclusion.predicate not in game.moving]
            yield Program(tuple(static)), [state for state, _ in sampled(game, count, chance)]


def sampled(game: FlatGame, count: int, chance: random.Random) -> Iterator[tuple[list[Atom], list[Atom]]]:
    """The facts of states of random games with those of a joint move, none where a game is over."""
    with StateMachine.first_of(game.written, PROVERS) as machine:
        state = machine.initial_state
        for _ in range(count):
            facts = sorted((game.flat.atom(Atom("true", (fact,))) for fact in state.facts), key=str)
            moves = [machine.legal_moves(state, role) for role in machine.roles]
            if machine.is_terminal(state) or not all(moves):  # a small board may leave a role without a move
                state = machine.initial_state
                yield facts, []
            else:
                joint = list(map(chance.choice, moves))
                done = zip(machine.roles, joint, strict=True)
                yield facts, [game.flat.atom(Atom("does", (role, move))) for role, move in done]
                state = machine.next_state(state, joint)


def fusions(games: Games) -> Iterator[tuple[Games, str]]:
    """The games with all views fused that can be, and with these kept from state to state."""
    yield from _fused(games, "")
    for paired in zip(*map(pairings, games), strict=False):
        yield from _fused(tuple(game for game, _ in paired), paired[0][1])


def _fused(games: Games, words: str) -> Iterator[tuple[Games, str]]:
    game, *boards = games
    moving = Program(tuple(rule for rule in game.program.rules if rule.conclusion.predicate in game.moving))
    instances = (*boards[1:], game)[: len(_STATES)]
    source = _States(None, boards=instances)  # type: ignore[arg-type]  # only its instances are asked for
    fused, views, names = list(games), list[Predicate](), game.names("linked")
    name = next(names)
    for rule in game.program.rules:
        if not (seen := list(_views(rule, game))):
            continue
        big = {literal.atom.predicate for literal in rule.literals if literal.atom.predicate in game.moving}
        below = replace(rules_below(moving, big), inputs=tuple(game.state))
        try:
            samples = Samples(below, source, len(views))
        except EngineError:  # too large
            break
        for view, test in seen:
            samples.forget(name)
            head = (name, *view.head[0][1:])
            if not samples.define(head, [view.body]):
                continue
            given = (*game.program.heads - game.moving, *game.state)
            known = frozenset(predicate.name for predicate in given if predicate not in big)
            rules = rules_for([Claim((head,), view.body)], below, samples, known)
            if rules is None or all(name not in {item.atom.name for item in found.literals} for found in rules):
                continue
            reading = Rule(rule.head, (Literal(Atom(name, rules[0].conclusion.arguments)), *test))
            meaning = Rule(Atom(f"{VIEW}{name}_{len(game.coupled)}", rules[0].conclusion.arguments), view.rule.body)
            for place, other in enumerate(fused):
                changed = [reading if each == rule else each for each in other.program.rules]
                fused[place] = other.meaning(meaning).with_rules([*changed, *rules])
            views.append(Predicate(name, len(head) - 1))
            name = next(names)
            break
    if views:
        said = f"{len(views)} views are fused into recursions" + (f", where {words}" if words else "")
        yield tuple(fused), said
        for alone in (True, False):
            kept = tuple(
                reduce(lambda game, view: keep_view(game, view, alone=alone) or game, views, other) for other in fused
            )
            if kept[0] is not fused[0]:
                yield kept, f"{said}, and kept from state to state"


def _views(rule: Rule, game: FlatGame) -> Iterator[tuple[Claim, tuple[Literal, ...]]]:
    """What the head of a rule and one test of it read of the rest: the view, and the test; no test where the rest is
    the whole body."""
    literals = list(rule.literals)
    big = recursive_predicates(game.program) | set(game.state)
    if (
        rule.conclusion.predicate in game.state.values()
        or len(literals) != len(rule.body)
        or not all(literal.positive for literal in literals)
        or not any(literal.atom.predicate in big for literal in literals)
    ):
        return
    tests = [literal for literal in literals if literal.atom.predicate not in game.moving and variables(literal)]
    for test in (*((each,) for each in tests), ()):
        rest = [literal for literal in literals if literal not in test]
        rest.sort(key=lambda literal: literal.atom.predicate not in big)
        body, read = tuple(fact_of(literal.atom) for literal in rest), variables(rule.conclusion, *test)
        head = ("view", *(str(variable) for variable in sorted(variables(*rest) & read, key=str)))
        if 1 < len(head) <= _WIDEST:
            yield Claim((head,), body), test
