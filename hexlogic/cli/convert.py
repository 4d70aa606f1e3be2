"""`hexlogic convert`: games from one notation to another."""

from __future__ import annotations

from typing import Annotated

import typer

from hexlogic.cli.arguments import OutFile, text_of
from hexlogic.cli.output import put_text
from hexlogic.errors import HexlogicError, PositionError


def convert(
    game: Annotated[str, typer.Argument(metavar="GAME", help="A file, - for stdin, or the text of a game itself.")],
    to: Annotated[
        str, typer.Option("--to", "-t", metavar="FORMAT", help="sgf, little-golem, hexworld, htp, moves or position.")
    ] = "sgf",
    source: Annotated[
        str | None,
        typer.Option("--from", "-f", metavar="FORMAT", help="The format of GAME. [default: what it looks like]"),
    ] = None,
    out: OutFile = None,
) -> None:
    """Convert a game between notations.

    SGF, Little Golem dumps, HexWorld links and HTP commands let the first player, black, join top with bottom; here
    the first player is red and joins left with right. So cells are transposed on the way, and colours keep their turn.

    \b
    hexlogic convert game.sgf --to hexworld
    hexlogic convert "https://hexworld.org/board/#5c1,c2:sa1" --to moves
    hexlogic convert "5x5 red b3, blue swap-pieces" --to htp
    """
    from hexlogic.games.record_formats import format_names, read_games, write_games

    if to not in (*format_names(), "position"):
        raise HexlogicError(f"unknown format {to!r}", file="--to", hint=", ".join((*format_names(), "position")))
    given = text_of(game)
    if given is None and not any(sign in game for sign in " (#;,:"):
        raise PositionError("there is no such file", file=game)
    text, file = given or (game, "<argument>")
    records = read_games(text, source, file=file)
    if to == "position":
        made = "\n".join(record.final_state().position.to_text() for record in records)
    else:
        made = write_games(records, to)
    put_text(made, out)
