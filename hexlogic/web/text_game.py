"""Play a game in the terminal: the board as text, moves typed."""

from __future__ import annotations

from collections.abc import Callable
from typing import IO

from hexlogic.errors import HexlogicError
from hexlogic.games import Game, Hex, Player, draw_text
from hexlogic.games.game_state import PASS, RESIGN, SWAP_PIECES, Action, GameState, PlainGame
from hexlogic.web.game_request import winning_cells, word_of
from hexlogic.web.thinkers import Thinkers, hints_for

YOU = "you"
"""The name of a person among the players."""
_ACTIONS: dict[str, Action] = {PASS: PASS, RESIGN: RESIGN, "swap": SWAP_PIECES}
_HELP = "a cell such as c4, or: swap, undo, hint, resign, quit"


def play_text(
    board: Game, players: dict[Player, str], thinkers: Thinkers, swap: bool, source: IO[str], say: Callable[[str], None]
) -> None:
    """Play until somebody wins, `quit`, or the end of `source`. What cannot be played is said, and asked again."""
    state = GameState(board) if isinstance(board, Hex) else PlainGame(board)
    _show(state, say)
    while state.winner is None and state.position.empty:
        name = players[state.to_move]
        if name != YOU:
            action, note = thinkers.choose(name, state, len(state.turns), swap)
            say(f"{state.to_move} ({name}): {word_of(board, action)}" + (f" ({note})" if note else ""))
            state.play(state.to_move, action)
            _show(state, say)
            continue
        say(f"{state.to_move} to move:")
        line = source.readline()
        word = line.strip().lower()
        if not line or word == "quit":
            return
        try:
            if word == "hint":
                action, _ = thinkers.choose(hints_for(state), state, len(state.turns), swap=False)
                say(f"hint for {state.to_move}: {word_of(board, action)}")
                continue
            if word == "undo":
                state.undo()
                while state.turns and players[state.to_move] != YOU:
                    state.undo()
            elif word == "swap" and not swap:
                raise HexlogicError("this game has no swap rule", hint="--swap begins one that has")
            else:
                state.play(state.to_move, _ACTIONS[word] if word in _ACTIONS else board.parse_cell(word))
            _show(state, say)
        except HexlogicError as error:
            say(f"{error} [{_HELP}]")
    if state.winner is None:
        say("the board is full and nobody has won")
        return
    chain = winning_cells(state)
    say(f"{state.winner} has won" + (": " + " ".join(map(board.cell_name, chain)) if chain else ""))


def _show(state: PlainGame, say: Callable[[str], None]) -> None:
    say(draw_text(state.position, winning_cells(state) or None).rstrip("\n"))
