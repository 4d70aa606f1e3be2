"""Strategies on a sheet of one's own: `random`, and UCT on the machine that the sheet is compiled to.

These functions run in a child process: a stranger may have written the sheet.
"""

from __future__ import annotations

from typing import Final

from hexlogic.errors import HexlogicError, MoveError
from hexlogic.ggp.language.reading import checked_sheet, read_term
from hexlogic.ggp.machines import StateMachine
from hexlogic.ggp.playing.clock import Clock
from hexlogic.ggp.playing.strategy import choose_strategy
from hexlogic.language.dialects.gdl import write_term
from hexlogic.web.problems import problem_of
from hexlogic.web.sheets import file_of

_SECONDS: Final = 5.0
"""Seconds for a move, at most."""


def choose(
    *,
    text: str,
    moves: list[list[str]],
    players: list[str | None],
    seed: int = 0,
) -> dict[str, object]:
    """By role the move of its strategy, such as `random` or `uct:1000`, after the joint moves; None without one."""
    file = file_of(text)
    try:
        strategies = [None if player is None else choose_strategy(player) for player in players]
        searching = any(choice is not None and choice.name != "random" for choice in strategies)
        sheet = checked_sheet(text, file)
        with StateMachine.from_sheet(sheet, "compiled" if searching else "clingo") as machine:
            if len(strategies) != len(machine.roles):
                raise MoveError(f"{len(strategies)} players for {len(machine.roles)} roles")
            ready = [
                None if choice is None else choice.make(machine, role, seed + role)
                for role, choice in enumerate(strategies)
            ]
            state = machine.initial_state
            for joint in moves:
                read = [read_term(move) for move in joint]
                state = machine.next_state(state, read)
                for strategy in filter(None, ready):
                    strategy.advance(read, state)
            if machine.is_terminal(state):
                raise MoveError("the game is over")
            chosen = [None if one is None else write_term(one.choose(state, Clock(_SECONDS))) for one in ready]
            return {"problem": None, "moves": chosen}
    except HexlogicError as error:
        return problem_of(error, file)
