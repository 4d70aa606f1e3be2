"""One role of one match, as its player sees it: the state, what was played, and the strategy that chooses."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Literal, TypeAlias

from hexlogic.errors import HexlogicError, MoveError, UnknownNameError
from hexlogic.ggp.machines import StateMachine
from hexlogic.ggp.playing.strategy import Clock, StrategyFactory
from hexlogic.language.dialects.gdl import write_term
from hexlogic.language.syntax import Program, Term

DRAWN = "drawn at random"
"""The beginning of a note on a move that the strategy did not choose."""

Moves: TypeAlias = tuple[Term, ...]
"""A joint move."""

Stage: TypeAlias = Literal["making", "ready", "busy", "failed"]
"""Of a machine in a match: busy while a question that outlasted the clock is not answered."""

MakeMachine: TypeAlias = Callable[[Program], StateMachine]
"""How the machine of a sheet is made."""


class Side:
    """Follows a match by what the host says of it.

    Raises what making the machine raises, and UnknownNameError for a role that the sheet does not name.
    """

    def __init__(self, sheet: Program, role: Term, choice: StrategyFactory, seed: int, make: MakeMachine) -> None:
        self.machine = make(sheet)
        try:
            if role not in self.machine.roles:
                raise UnknownNameError.among("role", write_term(role), list(map(write_term, self.machine.roles)))
            self.role = self.machine.roles.index(role)
            self.state = self.machine.initial_state
            self.strategy = choice.make(self.machine, self.role, seed)
        except HexlogicError:
            self.machine.close()
            raise
        self._heard = 0
        self._last: Moves | None = None

    def catch_up(self, heard: Sequence[Moves | None]) -> None:
        """Follow the joint moves that a host has sent, one for each PLAY; None before the first step.

        A host that hears nothing may say the same again: moves that cannot be played now and are those played last
        change nothing. Raises MoveError for other moves that cannot be played; what came before them is played."""
        while self._heard < len(heard):
            moves = heard[self._heard]
            if moves is None:
                if self._last is not None:
                    raise MoveError("NIL stands for the moves before the first step, which is over")
            else:
                self._follow(moves)
            self._heard += 1

    def choose(self, clock: Clock) -> Term:
        """The move to make now. Raises MoveError when the game is over.

        When the strategy fails it is a legal move drawn at random, and `strategy.note` says why."""
        if self.machine.is_terminal(self.state):
            raise MoveError("no move is wanted: the game is over")
        try:
            return self.strategy.choose(self.state, clock)
        except HexlogicError as error:
            self.strategy.note = f"{DRAWN}: {error}"
            return self.strategy.draw.choice(self.strategy.legal_moves(self.state))

    def _follow(self, moves: Moves) -> None:
        try:
            if self.machine.is_terminal(self.state):
                raise MoveError("the game is over")
            state = self.machine.next_state(self.state, moves)
        except MoveError:
            if moves != self._last:
                raise
            return
        self.state, self._last = state, moves
        self.strategy.advance(moves, state)
