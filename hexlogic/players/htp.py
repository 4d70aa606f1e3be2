"""The Hex Text Protocol, in the dialect of the field's programs: a strategy behind it, and programs as strategies.

It has GTP's grammar; black joins top with bottom and is our red.

1 boardsize 11 11      ->  =1            an empty line ends each answer
play black c4          ->  =
genmove white          ->  = swap-pieces
play black c4          ->  ? cell c4 is already red
"""

import contextlib
import re
import shlex
from collections.abc import Callable, Iterator, Sequence
from typing import IO, Final

import hexlogic
from hexlogic.errors import EngineError, HexlogicError, MoveError, PositionError
from hexlogic.games.drawing import draw_text
from hexlogic.games.field import COLOURS, colour_of, field_board, field_size, move_word, play_in_field, read_move
from hexlogic.games.game import RED, Player
from hexlogic.games.game_state import RESIGN, SWAP_PIECES, Action, GameState, Turn
from hexlogic.games.kinds.hex import Hex
from hexlogic.players.strategy import Budget, Strategy
from hexlogic.process.children import LineProcess

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
        self._commands: dict[str, Callable[[Sequence[str]], object]] = {
            "name": lambda words: f"hexlogic {self._name}",
            "version": lambda words: hexlogic.__version__,
            "protocol_version": lambda words: "2",
            "list_commands": lambda words: "\n".join(self._commands),
            "known_command": lambda words: str(_exactly(words, "known_command", "NAME")[0] in self._commands).lower(),
            "boardsize": self._boardsize,
            "clear_board": lambda words: self._begin(self._state.board),
            "play": self._play,
            "genmove": self._genmove,
            "reg_genmove": self._reg_genmove,
            "undo": lambda words: self._state.undo(),
            "showboard": self._showboard,
            "time_settings": self._time_settings,
            "time_left": self._time_left,
            "final_score": self._final_score,
            "swap": lambda words: play_in_field(self._state, self._state.to_move, self._state.swap_action),
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
            answer = command(words)
        except HexlogicError as error:
            return f"?{number} {' '.join(str(error).split())}\n\n"
        return f"={number} {answer if isinstance(answer, str) else ''}\n\n"

    def _boardsize(self, words: Sequence[str]) -> None:
        if not 1 <= len(words) <= 2 or not all(word.isdigit() and len(word) < 5 for word in words):
            raise MoveError("boardsize needs one or two numbers", hint="columns and rows, such as boardsize 11 11")
        self._begin(field_board(int(words[0]), int(words[-1])))

    def _begin(self, board: Hex) -> None:
        self._state, self._left = GameState(board), {}
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
