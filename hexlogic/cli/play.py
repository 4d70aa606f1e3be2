"""`hexlogic play`: the board in the browser."""

from __future__ import annotations

import sys
import webbrowser
from contextlib import closing
from typing import TYPE_CHECKING, Annotated
from urllib.parse import urlencode

import typer

from hexlogic.errors import HexlogicError
from hexlogic.extras import need

if TYPE_CHECKING:
    from hexlogic.web.thinkers import Thinkers

__all__ = ["play"]


def play(
    size: Annotated[str, typer.Option("--size", "-s", metavar="N|RxC", help="The board.")] = "11",
    opponent: Annotated[str, typer.Option("--opponent", "-o", metavar="PLAYER", help="Who plays blue.")] = "best:5",
    swap: Annotated[bool, typer.Option("--swap", help="Blue may take red's first stone, mirrored.")] = False,
    time: Annotated[float, typer.Option(metavar="S", min=0.05, max=600, help="Seconds for a move, at most.")] = 2.0,
    host: Annotated[str, typer.Option(metavar="ADDRESS", help="The address to listen on.")] = "127.0.0.1",
    port: Annotated[int, typer.Option("--port", "-p", min=0, max=65535, help="The port, 0 for any free one.")] = 9148,
    text: Annotated[bool, typer.Option("--text", help="Play in the terminal.")] = False,
    no_open: Annotated[bool, typer.Option("--no-open", help="Do not open a browser.")] = False,
) -> None:
    """Open a page to play Hex on, or play in the terminal.

    The page is served to this machine only unless --host says otherwise. `you` as the opponent is for two people.

    \b
    hexlogic play
    hexlogic play --size 7 --opponent best:1 --swap
    hexlogic play --text --size 5 --opponent bridge
    """
    from hexlogic.games import BLUE, RED
    from hexlogic.web.game_request import board_of
    from hexlogic.web.text_game import YOU, play_text
    from hexlogic.web.thinkers import Thinkers

    board = board_of(size)
    if swap:
        board.check_swap()
    thinkers = Thinkers(time, () if opponent == YOU else (opponent,))
    if opponent != YOU:
        thinkers.check(opponent)
    if text:
        with closing(thinkers):
            play_text(board, {RED: YOU, BLUE: opponent}, thinkers, swap, sys.stdin, typer.echo)
        return
    values = {"size": board.size_text, "red": YOU, "blue": opponent, "swap": int(swap)}
    _serve(thinkers, urlencode(values, safe=":"), host, port, no_open)


def _serve(thinkers: Thinkers, game: str, host: str, port: int, no_open: bool) -> None:
    need("web")
    from hexlogic.web.serve import PageServer

    try:
        server = PageServer(thinkers, host, port)
    except OSError as error:
        hint = "another --port or --host"
        raise HexlogicError(f"cannot listen: {error.strerror or error}", file=f"{host}:{port}", hint=hint) from None
    with server:
        url = f"{server.url}#{game}"
        typer.echo(f"{url} (Ctrl-C ends it)", err=True)
        if not no_open:
            webbrowser.open(url)
        server.serve_forever()
