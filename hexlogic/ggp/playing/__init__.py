"""Playing matches: a general game player behind HTTP, and a host for players.

>>> from hexlogic.ggp import StateMachine, read_kif
>>> sheet = read_kif("(role a) (init s) (legal a b) (<= (next t) (true s)) (<= terminal (true t)) (goal a 100)")
>>> host = Host(sheet, "one-step", StateMachine.from_sheet(sheet), StateMachine.from_sheet)
>>> host.play("one-step.1", [enter("random")], seed=1).goals
[100]
"""

from hexlogic.ggp.playing.host import Host, NamedPlayer, Played, Standing, enter, play_series, standings
from hexlogic.ggp.playing.player import GameServer, Player
from hexlogic.ggp.playing.record import MatchRecord
from hexlogic.ggp.playing.strategy import Clock, NamedStrategy, Strategy, choose_strategy

__all__ = [
    "Clock",
    "GameServer",
    "Host",
    "MatchRecord",
    "NamedPlayer",
    "NamedStrategy",
    "Played",
    "Player",
    "Standing",
    "Strategy",
    "choose_strategy",
    "enter",
    "play_series",
    "standings",
]
