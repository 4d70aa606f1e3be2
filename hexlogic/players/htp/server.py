"""A strategy behind the Hex Text Protocol: GTP's grammar, black joins top with bottom and is our red.

1 boardsize 11 11      ->  =1            an empty line ends each answer
play black c4          ->  =
genmove white          ->  = swap-pieces
play black c4          ->  ? cell c4 is already red
"""

from __future__ import annotations

import contextlib
import re
from collections.abc import Callable, Sequence
from typing import IO, Final

import hexlogic
from hexlogic.errors import HexlogicError, MoveError
from hexlogic.games.drawing import draw_text
from hexlogic.games.field_convention import COLOURS, colour_of, field_board, move_word, play_in_field, read_move
from hexlogic.games.game import RED, Player
from hexlogic.games.game_state import RESIGN, GameState
from hexlogic.players.strategy import Budget, Strategy

_COMMAND = re.compile(r"\s*(\d+)?\s*(.*?)\s*")
_SHARE: Final = 20.0
"""A move gets this part of the time that is left, as long as nothing says how many stones the time is for."""
_RESERVE_S: Final = 0.1


class HtpServer:
    """The state of one conversation. `ended` is set by `quit`."""

    def __init__(self, strategy: Strategy, name: str, budget: Budget, *, swap: bool = True) -> None:
        self._strategy, self._name, self._budget, self._swap = strategy, name, budget, swap
        self._state = GameState(field_board(11, 11))
        self._prepared: set[object] = set()
        self._left: dict[Player, float] = {}
        self._fixed_s: float | None = None
        self.ended = False
        self._commands: dict[str, Callable[[Sequence[str]], str | None]] = {
            "name": lambda words: f"hexlogic {self._name}",
            "version": lambda words: hexlogic.__version__,
            "protocol_version": lambda words: "2",
            "list_commands": lambda words: "\n".join(self._commands),
            "known_command": self._known_command,
            "boardsize": self._boardsize,
            "clear_board": self._clear_board,
            "play": self._play,
            "genmove": self._genmove,
            "reg_genmove": self._reg_genmove,
            "undo": self._undo,
            "showboard": self._showboard,
            "time_settings": self._time_settings,
            "time_left": self._time_left,
            "final_score": self._final_score,
            "swap": self._swap_command,
            "hexgui-analyze_commands": lambda words: None,
            "quit": self._quit,
        }

    def answer(self, line: str) -> str:
        """The answer to a line, with the empty line that ends it; nothing to a blank line or a comment."""
        line = re.sub(r"[\x00-\x08\x0b-\x1f\x7f]", "", line.partition("#")[0].replace("\t", " "))
        match = _COMMAND.fullmatch(line)
        assert match is not None
        number, text = match[1] or "", match[2]
        if not text:
            return f"?{number} there is no command\n\n" if number else ""
        name, *words = text.split()
        command = self._commands.get(name.lower())
        if command is None:
            return f"?{number} unknown command: {name}\n\n"
        try:
            text = command(words)
        except HexlogicError as error:
            return f"?{number} {' '.join(str(error).split())}\n\n"
        return f"={number} {text or ''}\n\n"

    def _known_command(self, words: Sequence[str]) -> str:
        (name,) = _exactly(words, "known_command", "NAME")
        return "true" if name in self._commands else "false"

    def _boardsize(self, words: Sequence[str]) -> None:
        if not 1 <= len(words) <= 2 or not all(word.isdigit() and len(word) < 5 for word in words):
            raise MoveError("boardsize needs one or two numbers", hint="columns and rows, such as boardsize 11 11")
        self._begin(GameState(field_board(int(words[0]), int(words[-1]))))

    def _clear_board(self, words: Sequence[str]) -> None:
        self._begin(GameState(self._state.board))

    def _begin(self, state: GameState) -> None:
        self._state = state
        self._left = {}
        self._strategy.reset(self._strategy.draw.getrandbits(32))

    def _play(self, words: Sequence[str]) -> None:
        colour, move = _exactly(words, "play", "COLOUR MOVE")
        play_in_field(self._state, _player(colour), read_move(self._state.board, move))

    def _genmove(self, words: Sequence[str]) -> str:
        player = self._mover(words)
        word = self._reg_genmove(words)
        play_in_field(self._state, player, read_move(self._state.board, word))
        return word

    def _reg_genmove(self, words: Sequence[str]) -> str:
        """The move, without playing it."""
        state, player = self._state, self._mover(words)
        if state.winner is not None:
            raise MoveError(f"the game is over: {colour_of(state.winner)} has won")
        if not state.empty:
            raise MoveError("the board is full")
        if state.board not in self._prepared:
            self._strategy.prepare(state.board)
            self._prepared.add(state.board)
        budget = self._budget_of(player)
        square = state.board.rows == state.board.columns
        if self._swap and square and state.can_swap and player != RED and self._strategy.swaps(state, budget):
            return state.swap_action
        before, state.to_move = state.to_move, player  # programs may ask for either colour
        try:
            action = self._strategy.choose(state, budget)
        finally:
            state.to_move = before
        return move_word(state.board, action)

    def _mover(self, words: Sequence[str]) -> Player:
        return _player(words[0]) if words else self._state.to_move

    def _budget_of(self, player: Player) -> Budget:
        seconds = self._fixed_s
        if player in self._left:
            seconds = max(_RESERVE_S, self._left[player] / _SHARE - _RESERVE_S)
        if seconds is None:
            return self._budget
        if self._budget.seconds is not None:
            seconds = min(seconds, self._budget.seconds)
        return Budget(seconds, self._budget.playouts, self._budget.threads)

    def _undo(self, words: Sequence[str]) -> None:
        self._state.undo()

    def _showboard(self, words: Sequence[str]) -> str:
        # The board as others draw it: rows and columns exchanged, so that black joins top with bottom.
        drawing = draw_text(self._state.position.transposed(), None)
        return f"\n{drawing.translate(_SIGNS).rstrip()}\nB black joins top and bottom, W white left and right"

    def _time_settings(self, words: Sequence[str]) -> None:
        main, extra, stones = (_seconds(word) for word in _exactly(words, "time_settings", "MAIN EXTRA STONES"))
        self._left = {}
        self._fixed_s = None
        if main > 0:
            self._fixed_s = main / _SHARE
        elif stones > 0:
            self._fixed_s = max(_RESERVE_S, extra / stones - _RESERVE_S)

    def _time_left(self, words: Sequence[str]) -> None:
        if len(words) == 2:  # as some programs say it
            words = [*words, "0"]
        colour, seconds, stones = _exactly(words, "time_left", "COLOUR SECONDS STONES")
        share = _seconds(stones)
        self._left[_player(colour)] = _seconds(seconds) * (_SHARE / share if share else 1.0)

    def _final_score(self, words: Sequence[str]) -> str:
        winner = self._state.winner
        if winner is None:
            raise MoveError("cannot score: nobody has won yet")
        resigned = bool(self._state.turns) and self._state.turns[-1].action == RESIGN
        return f"{'B' if winner == RED else 'W'}+{'R' if resigned else ''}"

    def _swap_command(self, words: Sequence[str]) -> None:
        play_in_field(self._state, self._state.to_move, self._state.swap_action)

    def _quit(self, words: Sequence[str]) -> None:
        self.ended = True


def serve(server: HtpServer, source: IO[str], target: IO[str]) -> None:
    """Answer every line of `source` until `quit` or its end."""
    for line in source:
        if answer := server.answer(line):
            target.write(answer)
            target.flush()
        if server.ended:
            return


_SIGNS: Final = str.maketrans({"R": "W", "r": "w", "B": "B"})
"""On the mirrored board our blue joins top with bottom and is drawn as black, red as white."""


def _exactly(words: Sequence[str], name: str, form: str) -> Sequence[str]:
    if len(words) != len(form.split()):
        raise MoveError(f"{name} takes {len(form.split())} arguments, not {len(words)}", hint=f"{name} {form}")
    return words


def _player(word: str) -> Player:
    player = COLOURS.get(word.lower())
    if player is None:
        raise MoveError(f"unknown colour {word[:20]!r}", hint="black or white")
    return player


def _seconds(word: str) -> float:
    with contextlib.suppress(ValueError):
        if 0 <= (seconds := float(word)) < 1e9:
            return seconds
    raise MoveError(f"{word[:20]!r} is no number of seconds")
