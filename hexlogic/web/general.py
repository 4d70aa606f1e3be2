"""The general game player on the games of the library: UCT on the compiled machine of a game's sheet.

Nothing here knows a game: the sheet is the exported one, and a position is the facts that are true in it.
"""

from __future__ import annotations

import re
import threading
from functools import lru_cache
from typing import TYPE_CHECKING, Final

from hexlogic.errors import HexlogicError
from hexlogic.games import PLAYERS, Game
from hexlogic.games.game_state import PlainGame
from hexlogic.ggp.playing.clock import Clock

if TYPE_CHECKING:
    from hexlogic.ggp.machines import State
    from hexlogic.ggp.machines.reasoners.compiled import CompiledMachine

UCT: Final = ("uct:100", "uct:1000", "uct:10000", "uct")
"""So many playouts, or what the time allows."""
_PLAYOUTS: Final = re.compile(r"uct(?::(\d+))?")
_machines = threading.Lock()


def choose_by_uct(name: str, game: PlainGame, seed: int, seconds: float) -> tuple[int, str]:
    """An empty cell for the player to move, and what a log may say of it. Raises HexlogicError."""
    from hexlogic.ggp.playing.search import CompiledSearch

    match = _PLAYOUTS.fullmatch(name)
    if match is None:
        raise HexlogicError(f"{name!r} is no player")
    with _machines:  # one at a time: a machine is in one state
        machine = _machine(game.board)
        if machine.compiled is None:
            raise HexlogicError(f"the sheet of {game.board} cannot be compiled")
        search = CompiledSearch(machine.compiled, _state(game), seed, 1)
    playouts = int(match[1]) if match[1] else None
    done = search.search(Clock(seconds), playouts)
    move = search.best(PLAYERS.index(game.to_move))
    return game.board.parse_cell(str(move).removeprefix("place(").removesuffix(")")), f"{done:,} playouts"


@lru_cache(maxsize=4)
def _machine(board: Game) -> CompiledMachine:
    from hexlogic.ggp.export import export_sheet, find_rules
    from hexlogic.ggp.machines.reasoners.compiled import CompiledMachine

    return CompiledMachine(export_sheet(find_rules(board.reference, board.name), board).program)


def _state(game: PlainGame) -> State:
    """The position as the sheet's frame writes it (`rules/gdl/turns.lp`)."""
    from hexlogic.ggp.language.reading import read_term
    from hexlogic.ggp.machines import State

    facts = {read_term(f"(control {game.to_move})")}
    for player in PLAYERS:
        names = map(game.board.cell_name, game.position.stones(player))
        facts |= {read_term(f"(stone {player} {name})") for name in names}
    return State(frozenset(facts))
