"""A program that speaks HTP as a player. One that dies, hangs or talks nonsense raises EngineError."""

from __future__ import annotations

import contextlib
import shlex
from collections.abc import Iterator
from typing import Final

from hexlogic.errors import EngineError, HexlogicError, PositionError
from hexlogic.games.field_convention import colour_of, field_size, move_word, read_move
from hexlogic.games.game_state import SWAP_PIECES, Action, GameState, Turn
from hexlogic.games.kinds.hex import Hex
from hexlogic.players.strategy import Budget, Strategy
from hexlogic.process.children import LineProcess

_MOST_LINES: Final = 10_000
_SHOWN: Final = 60


class _RefusedError(EngineError):
    """The program answered a command with an error."""


class OutsideProgram(Strategy):
    """The program that `command` starts, on the first use. Each of its answers may take `answer_s` seconds."""

    def __init__(self, command: str, *, answer_s: float) -> None:
        """Raises EngineError for a command that is none."""
        super().__init__()
        try:
            self._command = shlex.split(command)
        except ValueError as error:
            raise EngineError(f"{command!r} is no command: {error}") from None
        if not self._command:
            raise EngineError("the command of an engine is empty", hint="--engine 'wolve --quiet'")
        self.name = self._command[0].rpartition("/")[2]
        self._answer_s = answer_s
        self._process: LineProcess | None = None
        self._board: Hex | None = None
        self._sent: list[Turn] = []
        self._knows: frozenset[str] = frozenset()
        self._pending: Action | None = None

    def prepare(self, board: Hex) -> None:
        """Start the program and set the board. Raises EngineError."""
        self._begin(board)

    def choose(self, state: GameState, budget: Budget) -> Action:
        """The move that the program answers to genmove. Raises EngineError."""
        if self._pending is not None and state.turns == self._sent[:-1]:
            pending, self._pending = self._pending, None
            return pending
        self._pending = None
        self._bring_up_to_date(state, budget)
        player = state.to_move
        word = self._ask(f"genmove {colour_of(player)}").strip()
        try:
            action = read_move(state.board, word)
        except PositionError:
            raise EngineError(f"{self.name} answers {_shown(word)} to genmove, which is no move") from None
        self._sent.append(Turn(player, action))
        return action

    def swaps(self, state: GameState, budget: Budget) -> bool:
        """Whether the program answers genmove with a swap; another answer is kept for `choose`."""
        if state.swap_action != SWAP_PIECES:
            return False
        action = self.choose(state, budget)
        if action == SWAP_PIECES:
            return True
        self._pending = action
        return False

    def close(self) -> None:
        """End the program."""
        if self._process is not None:
            with contextlib.suppress(HexlogicError):
                self._process.send("quit\n")
            self._process.close()
            self._process = None

    def _bring_up_to_date(self, state: GameState, budget: Budget) -> None:
        if self._process is None or self._board != state.board:
            self._begin(state.board)
        if self._sent != state.turns[: len(self._sent)]:
            self._ask("clear_board")
            self._sent = []
        for turn in state.turns[len(self._sent) :]:
            self._ask(f"play {colour_of(turn.player)} {move_word(state.board, turn.action)}")
            self._sent.append(turn)
        if budget.seconds is not None and "time_left" in self._knows:
            try:
                self._ask(f"time_left {colour_of(state.to_move)} {budget.seconds:g} 1")
            except _RefusedError:  # dialects differ here, and a clock is no part of the game
                self._knows -= {"time_left"}

    def _begin(self, board: Hex) -> None:
        if self._process is None:
            self._process = LineProcess(self.name, self._command, own_group=True)
            self._knows = frozenset(self._ask("list_commands").split())
        columns, rows = field_size(board)
        self._ask(f"boardsize {columns} {rows}")
        if "clear_board" in self._knows:
            self._ask("clear_board")
        self._board, self._sent = board, []

    def _ask(self, command: str) -> str:
        """The answer to a command. Raises EngineError when it is an error, late, or none."""
        process = self._process
        assert process is not None
        try:
            with process.within(self._answer_s, f"{self.name} gives no answer to {command!r} in {self._answer_s:g} s"):
                process.send(command + "\n")
                lines = list(self._answer_lines(process, command))
        except EngineError:
            self._process = None
            raise
        head = lines[0]
        text = "\n".join([head[1:].lstrip("0123456789").strip(), *lines[1:]]).strip()
        if head.startswith("?"):
            raise _RefusedError(f"{self.name} refuses {command!r}: {_shown(text)}")
        return text

    def _answer_lines(self, process: LineProcess, command: str) -> Iterator[str]:
        """The lines of an answer up to the empty one that ends it; empty lines before it are passed over."""
        begun = False
        for _ in range(_MOST_LINES):
            line = process.receive().rstrip("\r")
            if not line.strip():
                if begun:
                    return
                continue
            if not begun and line[0] not in "=?":
                process.close()
                raise EngineError(f"{self.name} answers {_shown(line)} to {command!r}, which is no HTP")
            begun = True
            yield line
        process.close()
        raise EngineError(f"{self.name} answers {command!r} without an end")


def _shown(text: str) -> str:
    return repr(text if len(text) <= _SHOWN else text[:_SHOWN] + "...")
