"""Answer the workbench in the page without a server: the same routes, each a function of JSON text."""

import sys
from collections.abc import Callable
from typing import Final

import msgspec

from hexlogic.errors import HexlogicError, MoveError
from hexlogic.process.call import Signature
from hexlogic.process.files import decode_json
from hexlogic.web import game_request, rule_text
from hexlogic.web.game_request import Fields, Moves, choose_by_playouts, played, word_of
from hexlogic.web.in_page.clingo_module import Run, clingo_module


def begin(run: Run) -> None:
    """Let clingo be what `run` runs: what it gives may be a list of JavaScript."""
    sys.modules["clingo"] = clingo_module(run)


PLAYERS: Final = ("random", "playouts")
"""The players that the page can carry; `playouts` gives hints, and plays unless another is named."""
_MOVE_S: Final = 2.0


def board(size: str, game: str = "hex") -> Fields:
    """The board, and who plays on it here."""
    return {**game_request.describe_board(size, game), "players": list(PLAYERS), "usual": PLAYERS[-1]}


def move(
    size: str, moves: Moves = (), game: str = "hex", player: str | None = None, seed: int = 0, swap: bool = False
) -> Fields:
    """A move for the player whose turn it is. Raises MoveError when the game is over."""
    state = played(size, moves, game)
    if state.winner is not None or not state.empty:
        raise MoveError("the game is over")
    action, note = choose_by_playouts(state, seed, 0 if player == "random" else _MOVE_S)
    return {"action": word_of(state.board, action), "note": note}


_ROUTES: Final[dict[str, Callable[..., Fields]]] = {
    "board": board,
    "state": game_request.state_of,
    "move": move,
    "write": game_request.write_game,
    "read": game_request.read_game,
    "facts": rule_text.facts,
    "rules": rule_text.rules,
    "evaluate": rule_text.evaluate,
    "difference": rule_text.difference,
    "prove": rule_text.prove,
}


def answer(route: str, message: str, report: Callable[[str], None] = lambda text: None) -> str:
    """The answer to a message, as JSON: `{"answer": ...}`, or `{"error": ...}` with the `line` and `column`. What long
    work reports goes to `report`, as JSON. Raises nothing for what a person got wrong."""
    signature = Signature(_ROUTES[route])
    try:
        asked = msgspec.to_builtins(decode_json(message, signature.message))
        return _json({"answer": signature.call(asked, lambda value: report(_json(value)))})
    except HexlogicError as error:
        return _json({"error": str(error), "line": error.line, "column": error.column})
    except RecursionError:
        return _json({"error": "what this is about is nested too deeply"})
    except msgspec.DecodeError as error:
        return _json({"error": f"this is no message of the page: {error}"})


def _json(value: object) -> str:
    return msgspec.json.encode(value).decode()
