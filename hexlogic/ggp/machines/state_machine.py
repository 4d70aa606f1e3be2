"""What a game is to a player: states, legal moves, the next state, the end and the goals.

The names are those that general game players use. Facts, roles and moves are terms of the rule language
(`hexlogic.ggp.language.reading` writes and reads them as KIF).
"""

from __future__ import annotations

import random
import time
from collections.abc import Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, ClassVar, Final, NoReturn, Protocol

from hexlogic.errors import EngineError, GameError, MoveError, UnknownNameError
from hexlogic.ggp.language.reading import read_kif, read_term
from hexlogic.ggp.language.static_facts import DEEPEST, growing_rule, initial_facts, roles_of, too_deep
from hexlogic.ggp.propnet.ground_size import Work, ground_work
from hexlogic.language.analysis.checks import check
from hexlogic.language.dialects.gdl import write_term
from hexlogic.language.engines import engine_names
from hexlogic.language.engines.base import Closing
from hexlogic.language.ground.solving import cannot_ground
from hexlogic.language.syntax import Integer, Program, Term
from hexlogic.registry import Registry

if TYPE_CHECKING:
    from hexlogic.ggp.machines.game import SearchStart

LONGEST = 10_000
"""A playout that is not over after so many steps counts as endless, unless a caller says otherwise."""

MANY: Final = 128
"""So many games at least are played in lanes; fewer are played one after the other."""

AT_ONCE = ("clingo", "swipl")
"""Reasoners that start soon; the prover for what clingo cannot run."""
_UNASKED: Final = 200_000
"""What `most_ground` is where no reasoner was named: some 2 s and 200 MB."""
PROVERS = ("swipl", "compiled")
"""Reasoners for which nothing is ground ahead of single questions; the second where swipl is missing."""
FOR_ANY_TERMS = ("swipl", "clingo")
"""Reasoners for sheets whose terms grow: a prover grounds nothing (relations such as that of all lists are asked
for)."""

REASONERS: Registry[type[StateMachine]] = Registry(
    "hexlogic.ggp.machines.reasoners", "REASONER", "reasoner", on_demand=True
)
"""The state machine of each reasoner by its name, loaded when it is asked for."""


def engine_of(reasoner: str) -> str:
    """The name of the engine that a reasoner, or an engine, runs on.

    >>> engine_of("swipl:sld"), engine_of("clingo"), engine_of("egglog")
    ('swipl', 'clingo', 'egglog')
    """
    return reasoner if reasoner in engine_names() else reasoner.partition(":")[0]


@dataclass(frozen=True, slots=True)
class State:
    """What is true in a position: the terms that stand inside `true`. Equal when the same facts are true, whichever
    reasoner they come from."""

    facts: frozenset[Term]


@dataclass(frozen=True, slots=True)
class Playouts:
    """Random games: how many, how many steps in all (None where lengths were not asked for), and the sum of each role's
    goals (0 to 100 a game)."""

    games: int
    steps: int | None
    goals: tuple[int, ...]

    @property
    def mean_steps(self) -> float:
        """Steps a game. Raises GameError where lengths were not asked for."""
        if self.steps is None:
            raise GameError("the lengths of the games were not asked for", hint="playouts(n, seed, lengths=True)")
        return self.steps / self.games

    @property
    def mean_goals(self) -> tuple[float, ...]:
        """The mean goal of each role, from 0 to 100."""
        return tuple(total / self.games for total in self.goals)


class GoalError(GameError):
    """A state does not give each role one number as its goal. `state` is the one in which a random game ended, None
    where it is not known."""

    state: State | None = None


class Answering(Protocol):
    """What answers about states; roles have their numbers."""

    def _legal(self, state: State, role: int) -> tuple[Term, ...]: ...
    def _next(self, state: State, moves: tuple[Term, ...]) -> State: ...
    def _terminal(self, state: State) -> bool: ...
    def _goals(self, state: State, role: int) -> Sequence[int]: ...


class StateMachine(Closing):
    """A sheet that can be played. Made by `from_kif` or `from_sheet`; `close` ends what runs behind it.

    A reasoner implements `_legal`, `_next`, `_terminal` and `_goals`, for arguments that were checked here, or `_for`
    alone, which says who answers about a state.

    >>> from hexlogic import StateMachine
    >>> text = "(role robot) (init (step 1)) (legal robot stay) (<= (next (step 2)) (does robot stay))"
    >>> rules = text + "(<= terminal (true (step 2))) (goal robot 100)"
    >>> with StateMachine.from_kif(rules, "clingo") as machine:
    ...     first = machine.initial_state
    ...     after = machine.next_state(first, machine.legal_moves(first, "robot"))
    ...     machine.is_terminal(after), machine.goal(after, "robot")
    (True, 100)
    """

    reasoner: ClassVar[str]
    pipelines: ClassVar[tuple[str, ...]] = (
        "none",
        "ground,prune,project",
        "ground,split,prune,project",
        "ground,reorder:cost,prune,magic,project",
    )
    """The pipelines that may save the reasoner work. The default suits reasoners that ground the sheet."""

    most_ground = 1_000_000
    """Ground rules and body literals up to which `compiled` grounds a sheet for random games: it does not begin where
    more are estimated, and ends where there are more."""

    def __init__(self, sheet: Program) -> None:
        """Raises EngineError for a sheet or a machine on which the reasoner cannot work."""
        self.sheet = sheet

    @staticmethod
    def from_kif(text: str, reasoner: str | None = None, *, file: str = "<text>") -> StateMachine:
        """The machine of KIF text. Raises HexlogicError with the place of what is wrong; also as `from_sheet` does."""
        return StateMachine.from_sheet(check(read_kif(text, file)), reasoner)

    @staticmethod
    def from_sheet(sheet: Program, reasoner: str | None = None) -> StateMachine:
        """The machine of a sheet that was read: that of the reasoner, or without one `compiled`, a prover where that
        cannot run it.

        Raises UnknownNameError for a reasoner that does not exist, EngineError for one that is not installed or cannot
        run the sheet, GameError for a sheet without roles."""
        if reasoner is None:
            machine = StateMachine.first_of(sheet, ("compiled", *FOR_ANY_TERMS))
            machine.most_ground = _UNASKED
            return machine
        try:
            made = REASONERS.load(reasoner)(sheet)
        except EngineError as error:
            rule = growing_rule(sheet)
            raise error if rule is None or rule.place is None or error.file else rule.at(error) from None
        if not made.roles:
            made.close()
            raise GameError("the sheet names no role", hint="(role red)")
        return made

    @staticmethod
    def first_of(sheet: Program, reasoners: Sequence[str]) -> StateMachine:
        """The machine of the first of these reasoners that can run a sheet. Raises the last EngineError."""
        *others, last = reasoners
        for reasoner in others:
            with suppress(EngineError):
                return StateMachine.from_sheet(sheet, reasoner)
        return StateMachine.from_sheet(sheet, last)

    @property
    def analysis(self) -> str | None:
        """How it plays this game, and why so; None for a reasoner that has one way only."""
        return None

    @property
    def ground_size(self) -> tuple[int, int] | None:
        """Ground rules with a body, and the atoms in them; None where nothing is ground ahead."""
        return None

    @cached_property
    def roles(self) -> tuple[Term, ...]:
        """The roles, in the order in which the sheet names them; joint moves have that order."""
        return roles_of(self.sheet)

    @cached_property
    def initial_state(self) -> State:
        """The state in which the game begins."""
        return State(initial_facts(self.sheet))

    def legal_moves(self, state: State, role: Term | str) -> tuple[Term, ...]:
        """The moves that a role may make, sorted by their text. A role may be given by its KIF text. Raises
        UnknownNameError for what is no role."""
        return self._legal(state, self._role(role))

    def next_state(self, state: State, moves: Sequence[Term]) -> State:
        """The state after a joint move, one move for each role in the order of `roles`. Raises MoveError for a move
        that is not legal, or another number of moves than roles."""
        if len(moves) != len(self.roles):
            raise MoveError(f"{len(moves)} moves for {len(self.roles)} roles", hint="a joint move has one for each")
        for number, move in enumerate(moves):
            if move not in self._legal(state, number):
                raise MoveError(f"{write_term(move)} is no legal move of {write_term(self.roles[number])}")
        return self._followed(state, tuple(moves))

    def is_terminal(self, state: State) -> bool:
        """Whether the game is over."""
        return self._terminal(state)

    def goal(self, state: State, role: Term | str) -> int:
        """What the state is worth to a role, from 0 to 100. Raises UnknownNameError for what is no role, GoalError
        unless the sheet gives it exactly one value here."""
        number = self._role(role)
        try:
            values = self._goals(state, number)
            if len(values) != 1:
                found = " and ".join(map(str, values)) or "no value"
                text = f"the goal of {write_term(self.roles[number])} is {found} in a state"
                raise GoalError(text, hint="each role needs one value")
            return values[0]
        except GoalError as error:
            error.state = state
            raise

    def goals(self, state: State, role: Term | str) -> tuple[int, ...]:
        """All values that the sheet gives a state, sorted: one in a proper game, often none before the end. Raises
        UnknownNameError for what is no role, GoalError for a value that is no number."""
        return tuple(self._goals(state, self._role(role)))

    def playouts(
        self, n: int, seed: int = 0, *, start: State | None = None, longest: int = LONGEST, lengths: bool = True
    ) -> Playouts:
        """Play `n` random games to their ends, from `start` or the beginning; each legal move is equally likely.

        The same seed gives the same games on the same reasoner. Without `lengths` a machine need not find out how long
        they were, which is faster where the order of moves does not matter. Raises GameError when a game does not end
        within `longest` steps and when a role has no legal move before the end, GoalError when a goal at the end is
        not one value.
        """
        return self._playouts(n, seed, self.initial_state if start is None else start, longest, lengths)

    @classmethod
    def ground_form(cls, sheet: Program) -> Program | None:
        """The sheet as the reasoner grounds it ahead; None where it grounds nothing."""
        return sheet

    @classmethod
    def work(cls, sheet: Program, limit_s: float) -> Work:
        """What playing a sheet costs the reasoner, counted for at most `limit_s` wall seconds. The default counts the
        rules and body literals of the ground sheet.

        Raises EngineError when the reasoner cannot run the sheet, GameError for a sheet that is no game."""
        if reason := cannot_ground(sheet):
            raise EngineError(f"{cls.reasoner}: {reason}")
        return ground_work(cls.ground_form(sheet) or sheet)

    def time_playouts(self, n: int, seed: int, limit_s: float) -> float | None:
        """CPU seconds of so many playouts; None when `limit_s` wall seconds were not enough, where the reasoner can be
        stopped: then the machine is of no more use."""
        begin = time.process_time()
        self.playouts(n, seed)
        return time.process_time() - begin

    def start(self, state: State) -> SearchStart | None:
        """The state as a game that numba can search; None where this machine has none."""
        return None

    def close(self) -> None:
        """End what runs behind the machine; it cannot be used any more. Nothing runs unless a reasoner says so."""
        return

    def _role(self, role: Term | str) -> int:
        wanted = read_term(role) if isinstance(role, str) else role
        try:
            return self.roles.index(wanted)
        except ValueError:
            raise UnknownNameError.among("role", write_term(wanted), list(map(write_term, self.roles))) from None

    def _playouts(self, n: int, seed: int, start: State, longest: int, lengths: bool) -> Playouts:
        draw = random.Random(seed)
        steps, goals = 0, [0] * len(self.roles)
        for _ in range(n):
            state = start
            for step in range(longest + 1):
                if self._terminal(state):
                    steps += step
                    break
                moves = [self._legal(state, number) for number in range(len(self.roles))]
                for number, options in enumerate(moves):
                    if not options:
                        raise no_legal_move(self.roles[number])
                state = self._followed(state, tuple(draw.choice(options) for options in moves))
            else:
                raise endless(longest)
            for number, role in enumerate(self.roles):
                goals[number] += self.goal(state, role)
        return Playouts(n, steps if lengths else None, tuple(goals))

    def _raise_fault(self, state: State) -> NoReturn:
        """Raise what is wrong with a state in which a role cannot move, or with the goals of a terminal one."""
        for role in self.roles:
            if self.is_terminal(state):
                self.goal(state, role)
            elif not self.legal_moves(state, role):
                raise no_legal_move(role)
        raise AssertionError("the kernel and the rules tell different things")

    def _followed(self, state: State, moves: tuple[Term, ...]) -> State:
        """The next state. Raises GameError, with the place of a rule, where its terms have grown without end."""
        following = self._next(state, moves)
        rule = growing_rule(self.sheet)
        if rule is not None and too_deep(following.facts):
            error = GameError(
                f"terms grow without end: more than {DEEPEST} of them are inside each other in a state",
                hint="a counter in `base` and `terminal` ends it",
            )
            raise rule.at(error)
        return following

    def _for(self, state: State) -> Answering:
        """Who answers about a state. Only for reasoners that do not implement the methods below."""
        raise NotImplementedError

    def _legal(self, state: State, role: int) -> tuple[Term, ...]:
        return self._for(state)._legal(state, role)

    def _next(self, state: State, moves: tuple[Term, ...]) -> State:
        return self._for(state)._next(state, moves)

    def _terminal(self, state: State) -> bool:
        return self._for(state)._terminal(state)

    def _goals(self, state: State, role: int) -> Sequence[int]:
        return self._for(state)._goals(state, role)


def endless(longest: int) -> GameError:
    """The error of a playout that does not end."""
    return GameError(f"a random game was not over after {longest} steps")


def no_legal_move(role: Term) -> GameError:
    """The error of a role that cannot move."""
    return GameError(f"{write_term(role)} has no legal move in a state that is not terminal")


def goal_values(role: Term, values: Iterable[Term]) -> tuple[int, ...]:
    """The values that a sheet derives for a role, each once, sorted. Raises GoalError for one that is no number."""
    numbers: set[int] = set()
    for value in sorted_by_text(values):
        if not isinstance(value, Integer):
            text = f"the goal of {write_term(role)} is {write_term(value)}, which is no number"
            raise GoalError(text, hint="a goal is from 0 to 100")
        numbers.add(value.value)
    return tuple(sorted(numbers))


def sorted_by_text(terms: Iterable[Term]) -> tuple[Term, ...]:
    """The terms in the order of their texts, so that a seeded draw is the same everywhere."""
    return tuple(sorted(set(terms), key=str))
