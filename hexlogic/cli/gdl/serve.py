"""`hexlogic gdl serve`: a general game player that hosts reach over HTTP."""

from __future__ import annotations

import signal
from contextlib import closing
from types import FrameType
from typing import Annotated

import typer

from hexlogic.cli.arguments import ReasonerOption
from hexlogic.cli.output import cannot_listen


def serve(
    port: Annotated[int, typer.Option(metavar="N", min=0, max=65535, help="Port to listen on; 0 takes a free one.")] = (
        9147
    ),
    host: Annotated[str, typer.Option(metavar="ADDRESS", help="Address to listen on; 0.0.0.0 is all.")] = "127.0.0.1",
    player: Annotated[
        str, typer.Option("--player", "-p", metavar="NAME", help="Strategy: uct, uct:1000 (playouts a move), random.")
    ] = "uct",
    reasoner: ReasonerOption = "compiled",
    margin: Annotated[
        float, typer.Option(metavar="S", min=0, help="Seconds of each clock that are left for the way back.")
    ] = 0.5,
    matches: Annotated[int, typer.Option(metavar="N", min=1, help="Matches at a time.")] = 4,
    seed: Annotated[int, typer.Option(metavar="N", help="Of what the strategy draws.")] = 0,
) -> None:
    """Play for hosts of general game playing: INFO, PREVIEW, START, PLAY, STOP and ABORT over HTTP.

    Thinks until the clock is over, less the margin. Nothing waits for grounding: a machine that starts at once plays
    until the compiled one, made in a process of its own, takes over, or to the end where that is never ready.
    A line on stderr for each message of a match; Ctrl-C ends it. It listens when it can answer: where numba has to
    compile first, that takes half a minute.

    \b
    hexlogic gdl serve
    hexlogic gdl serve --port 9148 --player uct:1000 --host 0.0.0.0
    """
    from hexlogic.ggp import StateMachine
    from hexlogic.ggp.machines import check_reasoner
    from hexlogic.ggp.playing import Player, choose_strategy
    from hexlogic.ggp.playing.player import GameServer
    from hexlogic.process.signals import ended_in_order

    check_reasoner(reasoner)
    hands_over = reasoner == "compiled"  # the others start at once
    general_player = Player(
        choose_strategy(player),
        seed=seed,
        make=StateMachine.quick if hands_over else lambda sheet: StateMachine.from_sheet(sheet, reasoner),
        prepare=reasoner if hands_over else None,
        most_matches=matches,
        margin_s=margin,
        log=lambda line: typer.echo(line, err=True),
    )
    try:
        server = GameServer(general_player, host, port)  # takes the address; the port is opened when there is an answer
    except OSError as error:
        raise cannot_listen(host, port, error) from None
    received: list[int] = []

    def end(number: int, frame: FrameType | None) -> None:
        received.append(number)
        server.shutdown()

    with closing(server):
        with ended_in_order():
            general_player.warm_up()
        try:
            server.listen()
        except OSError as error:  # another one was quicker
            raise cannot_listen(host, port, error) from None
        for ending in (signal.SIGINT, signal.SIGTERM):
            signal.signal(ending, end)
        typer.echo(f"{general_player.choice} listens on {server.url} (Ctrl-C ends it)", err=True)
        server.serve_forever()
    general_player.close()
    typer.echo("stopped", err=True)
    if received[0] != signal.SIGINT:  # which is how a person ends it
        raise typer.Exit(128 + received[0])
