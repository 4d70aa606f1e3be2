"""Strategies: each chooses the moves of one role in one match before a clock is over, and is found by its name.

A strategy is a module of `hexlogic.ggp.playing.strategies` of its name, which defines its class as `STRATEGY`.
"""

from __future__ import annotations

import random
import threading
from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from time import monotonic
from typing import TypeAlias

from hexlogic.errors import GameError, HexlogicError, MoveError, UnknownNameError
from hexlogic.ggp.machines import State, StateMachine
from hexlogic.language.dialects.gdl import write_term
from hexlogic.language.syntax import Program, Term
from hexlogic.registry import Registry


class Clock:
    """A deadline, some seconds from now. Another thread may end it early with `stop`, or by setting `stopped`.

    >>> clock = Clock(60)
    >>> clock.over, clock.less(60).over
    (False, True)
    >>> clock.stop()
    >>> clock.over, clock.left_s
    (True, 0.0)
    """

    def __init__(self, seconds: float, stopped: threading.Event | None = None) -> None:
        self._until, self._stopped = monotonic() + seconds, stopped or threading.Event()

    def less(self, seconds: float) -> Clock:
        """A clock that is over `seconds` earlier, and when this one is stopped."""
        return Clock(self._until - monotonic() - seconds, self._stopped)

    @property
    def left_s(self) -> float:
        """The seconds left, 0 when it is over."""
        return 0.0 if self._stopped.is_set() else max(0.0, self._until - monotonic())

    @property
    def over(self) -> bool:
        """Whether the time is up."""
        return self.left_s == 0

    def stop(self) -> None:
        """End it now."""
        self._stopped.set()


class Strategy(ABC):
    """One role of one match. `seed` makes what it draws the same every time, `option` is what stood behind its name."""

    def __init__(self, machine: StateMachine, role: int, seed: int, option: str | None = None) -> None:
        self.machine, self.role = machine, role
        self.draw = random.Random(seed)
        self.note = ""
        """A note for the log on the last choice."""

    @classmethod
    def check_option(cls, option: str | None) -> None:
        """Raises HexlogicError for an option that the strategy does not have; by default it has none."""
        if option is not None:
            raise HexlogicError(f"it takes no option, such as {option!r}")

    def get_ready(self, clock: Clock) -> None:
        """Prepare before the first move."""
        return

    @abstractmethod
    def choose(self, state: State, clock: Clock) -> Term:
        """A legal move in a state that is not terminal, before the clock is over."""

    def best_so_far(self) -> Term | None:
        """The move to make without more time, asked while another thread is in `choose`; None where it knows none."""
        return None

    def advance(self, moves: Sequence[Term], state: State) -> None:
        """Called after each joint move, with the state after it."""
        return

    def legal_moves(self, state: State) -> tuple[Term, ...]:
        """The moves to choose from, sorted by their text. Raises GameError when there are none."""
        moves = self.machine.legal_moves(state, self.machine.roles[self.role])
        if not moves:
            raise GameError(f"{self.machine.roles[self.role]} has no legal move in a state that is not terminal")
        return moves


StrategyFactory: TypeAlias = Callable[[StateMachine, int, int], Strategy]
"""Makes the strategy of a role by its number, with a seed: a `NamedStrategy`, or a class of strategies."""

_STRATEGIES: Registry[type[Strategy]] = Registry(
    "hexlogic.ggp.playing.strategies", "STRATEGY", "player", on_demand=True
)


@dataclass(frozen=True, slots=True)
class NamedStrategy:
    """A strategy by its name, and its option."""

    name: str
    option: str | None = None

    def __str__(self) -> str:
        return self.name if self.option is None else f"{self.name}:{self.option}"

    def __call__(self, machine: StateMachine, role: int, seed: int) -> Strategy:
        """The strategy, for the role of that number."""
        return _STRATEGIES.load(self.name)(machine, role, seed, self.option)


def choose_strategy(text: str) -> NamedStrategy:
    """The strategy that text such as `uct:1000` names. Raises UnknownNameError, and HexlogicError for its option.

    >>> choose_strategy("uct:1000")
    NamedStrategy(name='uct', option='1000')
    """
    name, colon, option = text.partition(":")
    strategy = _STRATEGIES.load(name)
    choice = NamedStrategy(name, option if colon else None)
    try:
        strategy.check_option(choice.option)
    except HexlogicError as error:
        raise error.at(file=f"player {text}") from None
    return choice


DRAWN = "drawn at random"
"""The beginning of a note on a move that the strategy did not choose."""

Moves: TypeAlias = tuple[Term, ...]
"""A joint move."""

MakeMachine: TypeAlias = Callable[[Program], StateMachine]
"""How the machine of a sheet is made."""


class RolePlayer:
    """Follows a match as the host tells it. Raises as `make` does, and UnknownNameError for an unknown role."""

    def __init__(self, sheet: Program, role: Term, choice: StrategyFactory, seed: int, make: MakeMachine) -> None:
        self.machine = make(sheet)
        try:
            if role not in self.machine.roles:
                raise UnknownNameError.among("role", write_term(role), list(map(write_term, self.machine.roles)))
            self.role = self.machine.roles.index(role)
            self.state = self.machine.initial_state
            self.strategy = choice(self.machine, self.role, seed)
        except HexlogicError:
            self.machine.close()
            raise
        self._heard = 0
        self._last: Moves | None = None

    def catch_up(self, heard: Sequence[Moves | None]) -> None:
        """Follow the joint moves that a host has sent, one for each PLAY; None before the first step.

        A host that hears nothing may say the same again: moves that cannot be played now and are those played last
        change nothing. Raises MoveError for other moves that cannot be played; what came before them is played."""
        for moves in heard[self._heard :]:
            if moves is not None:
                try:
                    if self.machine.is_terminal(self.state):
                        raise MoveError("the game is over")
                    state = self.machine.next_state(self.state, moves)
                except MoveError:
                    if moves != self._last:
                        raise
                else:
                    self.state, self._last = state, moves
                    self.strategy.advance(moves, state)
            elif self._last is not None:
                raise MoveError("NIL stands for the moves before the first step, which is over")
            self._heard += 1

    def choose(self, clock: Clock) -> Term:
        """The move to make now; drawn at random, with a note, when the strategy fails. Raises MoveError at the end."""
        if self.machine.is_terminal(self.state):
            raise MoveError("no move is wanted: the game is over")
        try:
            return self.strategy.choose(self.state, clock)
        except HexlogicError as error:
            self.strategy.note = f"{DRAWN}: {error}"
            return self.strategy.draw.choice(self.strategy.legal_moves(self.state))
