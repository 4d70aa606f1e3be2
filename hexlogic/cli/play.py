"""`hexlogic play`: the board in the browser."""

from __future__ import annotations

import webbrowser
from typing import Annotated
from urllib.parse import urlencode

import typer

from hexlogic.errors import HexlogicError

__all__ = ["play"]


def play(
    size: Annotated[str, typer.Option("--size", "-s", metavar="N|RxC", help="The board.")] = "11",
    opponent: Annotated[str, typer.Option("--opponent", "-o", metavar="PLAYER", help="Who plays blue.")] = "best:5",
    swap: Annotated[bool, typer.Option("--swap", help="Blue may take red's first stone, mirrored.")] = False,
    time: Annotated[float, typer.Option(metavar="S", min=0.05, max=600, help="Seconds for a move, at most.")] = 2.0,
    host: Annotated[str, typer.Option(metavar="ADDRESS", help="The address to listen on.")] = "127.0.0.1",
    port: Annotated[int, typer.Option("--port", "-p", min=0, max=65535, help="The port, 0 for any free one.")] = 9148,
    no_open: Annotated[bool, typer.Option("--no-open", help="Do not open a browser.")] = False,
) -> None:
    """Open a page to play Hex on.

    The page is served to this machine only unless --host says otherwise. `you` as the opponent is for two people.

    \b
    hexlogic play
    hexlogic play --size 7 --opponent best:1 --swap
    """
    from hexlogic.web.game_request import board_of

    board = board_of(size)
    if opponent != "you":
        from hexlogic.players import load_strategy

        load_strategy(opponent).close()
    if swap:
        board.check_swap()
    _serve(board.size_text, opponent, swap, time, host, port, no_open)


def _serve(size: str, opponent: str, swap: bool, time: float, host: str, port: int, no_open: bool) -> None:
    try:
        from hexlogic.web.serve import PageServer
        from hexlogic.web.thinkers import Thinkers
    except ModuleNotFoundError as missing:
        raise HexlogicError(f"{missing.name} is not installed", hint="pip install 'hexlogic[web]'") from None
    more = () if opponent == "you" else (opponent,)
    try:
        server = PageServer(Thinkers(time, more), host, port)
    except OSError as error:
        hint = "another --port or --host"
        raise HexlogicError(f"cannot listen: {error.strerror or error}", file=f"{host}:{port}", hint=hint) from None
    with server:
        values = {"size": size, "red": "you", "blue": opponent, "swap": int(swap)}
        url = f"{server.url}#{urlencode(values, safe=':')}"
        typer.echo(f"{url} (Ctrl-C ends it)", err=True)
        if not no_open:
            webbrowser.open(url)
        server.serve_forever()
