"""What does knowledge of Hex buy? A Hex player against a general game player, under the host of general game playing.

Both get the same sheet, clocks and messages; the Hex player reads stones out of the moves and ignores the rules.

On a machine where other work runs, `taskset -c 1` gives both one core.

    python benchmarks/general_player.py [SIZE [GAMES [SECONDS [HEX PLAYER [GENERAL PLAYER]]]]]
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from functools import partial
from typing import cast

from hexlogic.games import Hex
from hexlogic.games.game import Player
from hexlogic.games.game_state import GameState
from hexlogic.ggp import StateMachine, write_term
from hexlogic.ggp.export import export_sheet, find_rules
from hexlogic.ggp.machines import State
from hexlogic.ggp.playing.host import Host, NamedPlayer, enter, play_series, standings
from hexlogic.ggp.playing.strategy import Clock, NamedStrategy, Strategy, choose_strategy
from hexlogic.language.syntax import Term
from hexlogic.players import Budget, load_strategy
from hexlogic.process.limits import cores

_MARGIN_S = 0.2


class Expert(Strategy):
    """A Hex player in the role of red or blue."""

    def __init__(self, machine: StateMachine, role: int, seed: int, name: str, board: Hex) -> None:
        super().__init__(machine, role, seed)
        self._state = GameState(board)
        self._player = load_strategy(name, seed)
        self._player.prepare(board)

    def choose(self, state: State, clock: Clock) -> Term:
        """The Hex player's move, or the only legal one."""
        legal = self.legal_moves(state)
        if len(legal) == 1:
            return legal[0]
        # The general player searches on all cores as well.
        budget = Budget(seconds=max(0.05, clock.left_s - _MARGIN_S), threads=cores())
        cell = self._player.choose(self._state, budget)
        assert isinstance(cell, int)
        wanted = f"(place {self._state.board.cell_name(cell)})"
        return next(move for move in legal if write_term(move) == wanted)

    def advance(self, moves: Sequence[Term], state: State) -> None:
        """Follow the stones: of two moves one is `noop`."""
        for role, move in zip(self.machine.roles, moves, strict=True):
            text = write_term(move)
            if text.startswith("(place "):
                player = cast("Player", write_term(role))
                self._state.play(player, self._state.board.parse_cell(text[7:-1]))


class Experts:
    """Makes the Hex player of that name for each match."""

    def __init__(self, name: str, board: Hex) -> None:
        self._name, self._board = name, board

    def __call__(self, machine: StateMachine, role: int, seed: int) -> Strategy:
        """As `StrategyFactory`. The game of one role that warms a player up is not Hex: there moves are drawn."""
        if len(machine.roles) == 1:
            return choose_strategy("random")(machine, role, seed)
        return Expert(machine, role, seed, self._name, self._board)


def main(size: int = 7, games: int = 4, seconds: int = 2, expert: str = "solver", general: str = "uct") -> None:
    """Play and print the standing."""
    board = Hex(size, size)
    load_strategy(expert).prepare(board)
    sheet = export_sheet(find_rules("follow-line-tabled", "hex"), board).program
    entries = [NamedPlayer(expert, cast("NamedStrategy", Experts(expert, board))), enter(general)]
    make = partial(StateMachine.from_sheet, reasoner="compiled")
    with make(sheet) as machine:
        host = Host(sheet, "hex.kif", machine, make, 60, seconds)
        matches = []
        for played in play_series(host, entries, games, swap=True):
            record = played.record
            print(record.match, record.players, record.goals, f"{len(record.steps)} steps", flush=True)
            for step, fault in record.faults:
                print(f"  step {step}, {record.players[fault.role]}: {fault.kind}, {fault.message}", flush=True)
            matches.append(played)
    for row in standings(entries, matches):
        print(f"{row.player}: {row.wins} of {row.matches}, faults: {row.faults}")


if __name__ == "__main__":
    main(*map(int, sys.argv[1:4]), *sys.argv[4:6])
