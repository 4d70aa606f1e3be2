"""`hexlogic play`: the board in the browser; `hexlogic htp`: a strategy for other boards, by the Hex Text Protocol."""

import sys
import webbrowser
from contextlib import closing, suppress
from pathlib import Path
from typing import Annotated
from urllib.parse import quote, urlencode

import typer

from hexlogic.cli import options
from hexlogic.cli.options import argument, flag, say, value
from hexlogic.errors import SizeError, UnknownNameError
from hexlogic.games import BLUE, RED, Hex
from hexlogic.games.field import field_board
from hexlogic.players.htp import HtpServer, serve
from hexlogic.players.strategies import load_strategy
from hexlogic.players.strategy import Budget

_SIZES = {"y": "8", "havannah": "5", "tic-tac-toe-3d": "3"}  # The default sizes of games beside Hex
_LONGEST = 300  # The longest address that is printed whole, in characters


def play(
    file: Annotated[
        Path | None, argument("FILE", "Recorded games to look at, or a sheet (.kif, .hrf, .epilog) to play. [optional]")
    ] = None,
    game: Annotated[str, typer.Option("--game", "-g", help="hex, y, havannah or tic-tac-toe-3d.")] = "hex",
    size: Annotated[str | None, options.size(help="The board. [default: 11 in Hex]")] = None,
    opponent: Annotated[str | None, value("PLAYER", "Who plays blue. [best:5 in Hex]", "--opponent", "-o")] = None,
    swap: Annotated[bool, flag("--swap", "Blue may take red's first stone.")] = False,
    clock: Annotated[int, value("MIN", "Minutes a player has for the game.", min=0, max=600)] = 0,
    time: Annotated[float, options.time(min=0.05, max=600, help="Seconds for a move, at most.")] = 2.0,
    sheet: Annotated[Path | None, value("FILE", "The sheet of recorded matches. [default: beside them]")] = None,
    host: Annotated[str, value("ADDRESS", "The address to listen on.")] = "127.0.0.1",
    port: options.Port = 9148,
    text: Annotated[bool, flag("--text", "Play in the terminal.")] = False,
    no_open: Annotated[bool, flag("--no-open", "Do not open a browser.")] = False,
    static: Annotated[Path | None, value("DIR", "Write the workbench as files for any web server, and end.")] = None,
) -> None:
    """Open a page to play Hex and other games on, or play in the terminal.

    The page is served to this machine only unless --host says otherwise. `you` as the opponent is for two people.
    FILE is a sheet, or games: SGF and what else `convert` reads, a zip of them, tournament.jsonl, matches.jsonl.

    \b
    hexlogic play
    hexlogic play --size 7 --opponent best:1 --swap
    hexlogic play --game havannah --size 5
    hexlogic play --text --size 5 --opponent bridge
    hexlogic play results/tournament/tournament.jsonl
    hexlogic play lights.kif
    hexlogic play --static site/workbench
    """
    if static is not None:
        from hexlogic.web.in_page.building import build_workbench

        build_workbench(static)
        typer.echo(static / "index.html")
        return
    from hexlogic.web.game_request import board_of
    from hexlogic.web.thinkers import ANYWHERE_HINTS, YOU, Thinkers, play_text

    board = board_of(size or _SIZES.get(game, "11"), game)
    if swap:
        board.check_swap()
    if opponent is None:
        opponent = "best:5" if isinstance(board, Hex) else ANYWHERE_HINTS
    thinkers = Thinkers(time, () if opponent == YOU or not isinstance(board, Hex) else (opponent,))
    if opponent not in (YOU, *thinkers.names_for(board)):
        raise UnknownNameError.among("player", opponent, list(thinkers.names_for(board)))
    if isinstance(board, Hex) and opponent != YOU:
        thinkers.check(opponent)
    if text:
        with closing(thinkers):
            play_text(board, {RED: YOU, BLUE: opponent}, thinkers, swap, sys.stdin, typer.echo)
        return
    from hexlogic.ggp.language.reading import text_of
    from hexlogic.web.app import PageServer
    from hexlogic.web.records import load_records

    values = {"game": board.name, "size": board.size_text, "red": YOU, "blue": opponent, "swap": int(swap)}
    page = "#" + urlencode({**values, "clock": clock} if clock else values, safe=":")
    is_sheet = file is not None and file.suffix.lower() in (".kif", ".hrf", ".epilog")
    records = load_records(file, sheet) if file is not None and not is_sheet else ()
    if file is not None:
        page = "sheets.html#" + urlencode({"text": text_of(file)}, quote_via=quote) if is_sheet else "viewer.html"
    with PageServer(thinkers, host, port, records) as server:
        url = f"{server.url}/{page}"
        shown = url if len(url) <= _LONGEST else f"{server.url}/{page.partition('#')[0]}"
        say(f"{shown} (Ctrl-C ends it)")
        if not no_open:
            webbrowser.open(url)
        server.serve_forever()


def htp(
    player: Annotated[str, options.player(help="The strategy.")] = "best",
    time: Annotated[float | None, options.time(min=0.05, help="Seconds for a move, at most. [default: 2]")] = None,
    playouts: options.Playouts = None,
    threads: Annotated[int, value("N", "Threads of the search.", min=1, max=64)] = 2,
    seed: Annotated[int, value("N", "What random choices begin with.", min=0)] = 0,
    swap: Annotated[bool, typer.Option(help="Whether genmove may answer swap-pieces.")] = True,
) -> None:
    """Answer the Hex Text Protocol on stdin and stdout.

    For graphical boards such as HexGui: attach this command as a program. Black joins top with bottom and moves first.
    What the log should say goes to stderr.

    \b
    hexlogic htp --player best
    printf 'boardsize 5\\ngenmove black\\nshowboard\\n' | hexlogic htp --player bridge
    """
    strategy = load_strategy(player, seed)
    with suppress(SizeError):  # a network for another size; the board comes later
        strategy.prepare(field_board(11, 11))
    seconds = 2.0 if time is None and playouts is None else time
    try:
        serve(HtpServer(strategy, player, Budget(seconds, playouts, threads), swap=swap), sys.stdin, sys.stdout)
    finally:
        strategy.close()
