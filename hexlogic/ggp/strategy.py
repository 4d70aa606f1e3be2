"""What chooses the moves of one role in one match, and where strategies are found by name.

A strategy is a module of `hexlogic.ggp.strategies` of its name, with a class `Player`.
"""

from __future__ import annotations

import pkgutil
import random
from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from importlib import import_module
from typing import Protocol

from hexlogic.errors import GameError, HexlogicError, UnknownNameError
from hexlogic.gdl.machines import State, StateMachine
from hexlogic.ggp.clock import Clock
from hexlogic.logic.syntax import Term

__all__ = ["Choice", "Maker", "Strategy", "choose_strategy", "strategy_names"]


class Strategy(ABC):
    """One role of one match. `seed` makes what it draws the same every time, `option` is what stood behind its name."""

    def __init__(self, machine: StateMachine, role: int, seed: int, option: str | None = None) -> None:
        self.machine, self.role = machine, role
        self.draw = random.Random(seed)
        self.note = ""
        """What a log may say of the last choice."""

    @classmethod
    def make(cls, machine: StateMachine, role: int, seed: int) -> Strategy:
        """One without an option: so a class of one's own can stand wherever a `Choice` can."""
        return cls(machine, role, seed)

    @classmethod
    def check_option(cls, option: str | None) -> None:
        """Raises HexlogicError for an option that the strategy does not have; by default it has none."""
        if option is not None:
            raise HexlogicError(f"it takes no option, such as {option!r}")

    def get_ready(self, clock: Clock) -> None:
        """What is worth doing before the first move."""
        return

    @abstractmethod
    def choose(self, state: State, clock: Clock) -> Term:
        """A legal move in a state that is not terminal, before the clock is over."""

    def advance(self, moves: Sequence[Term], state: State) -> None:
        """Told of each joint move and of the state after it."""
        return

    def legal_moves(self, state: State) -> tuple[Term, ...]:
        """The moves to choose from, sorted by their text. Raises GameError when there are none."""
        moves = self.machine.legal_moves(state, self.machine.roles[self.role])
        if not moves:
            raise GameError(f"{self.machine.roles[self.role]} has no legal move in a state that is not terminal")
        return moves


class Maker(Protocol):
    """What makes strategies: a `Choice`, or a class of one's own."""

    def make(self, machine: StateMachine, role: int, seed: int) -> Strategy:
        """The strategy, for the role of that number."""


@dataclass(frozen=True, slots=True)
class Choice:
    """A strategy by its name, and its option."""

    name: str
    option: str | None = None

    def __str__(self) -> str:
        return self.name if self.option is None else f"{self.name}:{self.option}"

    def make(self, machine: StateMachine, role: int, seed: int) -> Strategy:
        """The strategy, for the role of that number."""
        return _load(self.name)(machine, role, seed, self.option)


def strategy_names() -> tuple[str, ...]:
    """The names of all strategies, sorted.

    >>> strategy_names()
    ('random', 'uct')
    """
    from hexlogic.ggp import strategies

    return tuple(sorted(module.name for module in pkgutil.iter_modules(strategies.__path__)))


def choose_strategy(text: str) -> Choice:
    """The strategy that text such as `uct:1000` names. Raises UnknownNameError, and HexlogicError for its option.

    >>> choose_strategy("uct:1000")
    Choice(name='uct', option='1000')
    """
    name, colon, option = text.partition(":")
    if name not in strategy_names():
        raise UnknownNameError.among("player", name, list(strategy_names()))
    choice = Choice(name, option if colon else None)
    try:
        _load(name).check_option(choice.option)
    except HexlogicError as error:
        raise error.at(file=f"player {text}") from None
    return choice


def _load(name: str) -> type[Strategy]:
    found: type[Strategy] = import_module(f"hexlogic.ggp.strategies.{name}").Player
    return found
