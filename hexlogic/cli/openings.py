"""`hexlogic openings`: search for balanced openings, for tournaments."""

from __future__ import annotations

import sys
from typing import Annotated

import typer

from hexlogic.cli.arguments import BoardSize, OutFile
from hexlogic.cli.output import put_text


def openings(
    size: BoardSize = "7",
    count: Annotated[int, typer.Option(metavar="N", min=1, help="How many openings, at most.")] = 20,
    playouts: Annotated[int, typer.Option(metavar="N", min=1, help="Playouts for the value of an opening.")] = 3000,
    games: Annotated[int, typer.Option(metavar="N", min=0, help="Games that check each opening.")] = 6,
    game_playouts: Annotated[int, typer.Option(metavar="N", min=1, help="Playouts of a move in those games.")] = 300,
    seed: Annotated[int, typer.Option(metavar="S", min=0, help="What random choices begin with.")] = 1,
    out: OutFile = None,
) -> None:
    """Find two-stone openings after which both players have about the same chances.

    Red's share of playouts, with red to move, and red's wins in the games that checked it, stand behind each.

    \b
    hexlogic openings --size 7 --count 20 --out openings-7.txt
    hexlogic tournament --players bridge,mcts:1000 --size 7 --openings openings-7.txt
    """
    from hexlogic.players.tournament.openings import Search, find_openings
    from hexlogic.players.tournament.plan import board_of

    board = board_of(size)
    search = Search(count, playouts, games, game_playouts, seed)
    found = find_openings(board, search, lambda text: typer.echo(text, err=True))
    lines = [
        f"# Balanced openings of {board}: red, blue, and red is to move.",
        f"# made by: hexlogic {' '.join(sys.argv[1:])}",
    ]
    for each in found:
        names = " ".join(map(board.cell_name, each.cells))
        lines.append(f"{names}  # {each.share:.3f} of playouts; red won {each.won} of {each.games}")
    put_text("\n".join(lines) + "\n", out, f"{len(found)} openings to ")
