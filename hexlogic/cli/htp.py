"""`hexlogic htp`: a strategy for graphical boards and other programs, by the Hex Text Protocol."""

from __future__ import annotations

import sys
from typing import Annotated

import typer

from hexlogic.cli.arguments import Playouts
from hexlogic.cli.progress import show_compilation


def htp(
    player: Annotated[str, typer.Option("--player", "-p", metavar="NAME", help="The strategy.")] = "best",
    time: Annotated[
        float | None, typer.Option(metavar="S", min=0.05, help="Seconds for a move, at most. [default: 2]")
    ] = None,
    playouts: Playouts = None,
    threads: Annotated[int, typer.Option(metavar="N", min=1, max=64, help="Threads of the search.")] = 2,
    seed: Annotated[int, typer.Option(metavar="N", min=0, help="What random choices begin with.")] = 0,
    swap: Annotated[bool, typer.Option(help="Whether genmove may answer swap-pieces.")] = True,
) -> None:
    """Answer the Hex Text Protocol on stdin and stdout.

    For graphical boards such as HexGui: attach this command as a program. Black joins top with bottom and moves first.
    What the log should say goes to stderr.

    \b
    hexlogic htp --player best
    printf 'boardsize 5\\ngenmove black\\nshowboard\\n' | hexlogic htp --player bridge
    """
    from hexlogic.games.field_convention import field_board
    from hexlogic.players.htp.server import HtpServer, serve
    from hexlogic.players.strategies import load_strategy
    from hexlogic.players.strategy import Budget

    strategy = load_strategy(player, seed)
    with show_compilation():
        strategy.prepare(field_board(11, 11))
    seconds = 2.0 if time is None and playouts is None else time
    try:
        serve(HtpServer(strategy, player, Budget(seconds, playouts, threads), swap=swap), sys.stdin, sys.stdout)
    finally:
        strategy.close()
