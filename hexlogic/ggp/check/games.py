"""Random games, played until they are over or something is wrong with them, and states held against a second
reasoner."""

from __future__ import annotations

import random
from dataclasses import dataclass

from hexlogic.errors import GameError
from hexlogic.ggp.machines import State, StateMachine
from hexlogic.ggp.machines.side_by_side import Difference, SideBySide
from hexlogic.language.dialects.gdl import write_term
from hexlogic.language.syntax import Program, Term

LONGEST = 2_000
"""Steps after which a random game counts as endless, unless a caller says otherwise."""
REASONER = "forward"
"""It starts at once: few random games are not worth grounding a sheet."""


@dataclass(frozen=True, slots=True)
class Plays:
    """How many random games are played, from which seed, by which reasoner, and how long each may be."""

    games: int = 10
    seed: int = 0
    reasoner: str = REASONER
    longest: int = LONGEST
    against: str | None = None
    """A second reasoner, asked the same in each state of such games."""


@dataclass(frozen=True, slots=True)
class RandomGame:
    """A random game: its joint moves, the roles without a legal move in its last state, whether that state is
    terminal, and then what is wrong with the goals there."""

    moves: tuple[tuple[Term, ...], ...]
    stuck: tuple[Term, ...]
    over: bool
    wrong_goals: tuple[GameError, ...]


@dataclass(frozen=True, slots=True)
class SeenGames:
    """The games, the facts that were true in a state of one, and the moves that were legal, each with its role."""

    games: tuple[RandomGame, ...]
    facts: frozenset[Term]
    legal: frozenset[tuple[Term, Term]]
    difference: Difference | None = None
    """The first state in which the two reasoners differ."""
    agreeing: int = 0
    """The states in which they agree."""

    @property
    def steps(self) -> int:
        """Steps in all games."""
        return sum(len(game.moves) for game in self.games)


def play(sheet: Program, plays: Plays) -> SeenGames:
    """Play random games; none follows one that does not end. Without games no machine is made. Then as many are played
    against the second reasoner, unless they differ.

    Raises what StateMachine.from_sheet raises.
    """
    games: list[RandomGame] = []
    facts: set[Term] = set()
    legal: set[tuple[Term, Term]] = set()
    draw = random.Random(plays.seed)
    if not plays.games:
        return SeenGames((), frozenset(), frozenset())
    with StateMachine.from_sheet(sheet, plays.reasoner) as machine:
        for _ in range(plays.games):
            games.append(_game(machine, draw, plays.longest, facts, legal))
            if not games[-1].over and not games[-1].stuck:
                break
        if plays.against is None:
            return SeenGames(tuple(games), frozenset(facts), frozenset(legal))
        with StateMachine.from_sheet(sheet, plays.against) as other:
            pair = SideBySide(machine, other, plays.longest)
            difference = None
            for _ in games:
                difference = difference or pair.play(draw)
    return SeenGames(tuple(games), frozenset(facts), frozenset(legal), difference, len(pair.same))


def _game(
    machine: StateMachine, draw: random.Random, longest: int, facts: set[Term], legal: set[tuple[Term, Term]]
) -> RandomGame:
    """One game; what is true and legal in it is noted."""
    state = machine.initial_state
    moves: list[tuple[Term, ...]] = []
    while True:
        facts |= state.facts
        options = [machine.legal_moves(state, role) for role in machine.roles]
        over = machine.is_terminal(state)
        if over or len(moves) == longest:
            return RandomGame(tuple(moves), (), over, tuple(_wrong_goals(machine, state)) if over else ())
        legal |= {(role, move) for role, choices in zip(machine.roles, options, strict=True) for move in choices}
        if stuck := tuple(role for role, choices in zip(machine.roles, options, strict=True) if not choices):
            return RandomGame(tuple(moves), stuck, False, ())
        moves.append(tuple(map(draw.choice, options)))
        state = machine.next_state(state, moves[-1])


def _wrong_goals(machine: StateMachine, state: State) -> list[GameError]:
    """What is wrong with the goals of a state: each role needs one number from 0 to 100."""
    wrong = []
    for role in machine.roles:
        try:
            value = machine.goal(state, role)
        except GameError as error:
            wrong.append(error)
        else:
            if not 0 <= value <= 100:
                text = f"the goal of {write_term(role)} is {value} in a state"
                wrong.append(GameError(text, hint="a goal is from 0 to 100"))
    return wrong
