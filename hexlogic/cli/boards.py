"""`hexlogic boards`: the named boards, any position as a picture, and the search for hard ones; `hexlogic convert`:
games from one notation to another."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import TYPE_CHECKING, Annotated

import typer
from tabulate import tabulate

from hexlogic.cli import options
from hexlogic.cli.options import argument, fields, notes, put_text, say, value
from hexlogic.errors import HexlogicError, PositionError
from hexlogic.games import all_boards, as_hex, draw_svg, draw_text, winning_chain
from hexlogic.games.game_state import GameRecord
from hexlogic.games.record_formats import format_names, read_games, write_games

if TYPE_CHECKING:
    from hexlogic.laboratory.hardest import Hardest

_EVERY_S = 2.0  # Seconds between two notes: better boards come in bursts
_LENGTHS = 12  # figures that a line has room for

app = typer.Typer(no_args_is_help=True, rich_markup_mode=None, help="The named boards, and any position as a picture.")


@app.command("list")
def list_boards(as_json: options.JsonList = False) -> None:
    """List the named boards.

    Size, stones, who has won, and what makes each worth having.
    """
    keys = ("name", "rows", "columns", "red", "blue", "winner", "idea")
    rows = []
    for board in all_boards():
        game, stones = board.position.game, map(len, (board.position.red, board.position.blue))
        rows.append((board.name, game.rows, game.columns, *stones, board.expected, board.idea))
    if as_json:
        typer.echo(json.dumps([dict(zip(keys, row, strict=True)) for row in rows], indent=2))
        return
    table = [
        (name, f"{height}x{width}", *stones, won or "nobody", idea) for name, height, width, *stones, won, idea in rows
    ]
    headers = ["name", "size", "red", "blue", "won by", "idea"]
    typer.echo(tabulate(table, headers, tablefmt="simple", maxcolwidths=[None, None, None, None, None, 54]))


@app.command("show")
def show(
    board: Annotated[str, argument("BOARD", "A name from the list, a file, - for stdin, or a position as text.")],
    svg: options.Svg = None,
    as_json: options.Json = False,
    labels: Annotated[bool, typer.Option(help="Column letters and row numbers around the board.")] = True,
    size: Annotated[str | None, value("N|RxC", "The board's size, for a move list without one.")] = None,
    game: options.GameName = "hex",
) -> None:
    """Draw a board.

    The stones of a winning chain stay capital letters, or get a yellow line in the picture.

    \b
    hexlogic boards show snake
    hexlogic boards show snake --svg snake.svg
    hexlogic boards show "size 5, red c3, blue b4"
    hexlogic boards show "y 4, red b3 blue c4"
    """
    named = options.read_board(board, size, game)
    position = named.position
    options.warn_about(named)
    chain = None if named.expected is None else winning_chain(position, named.expected)
    if svg is not None:
        put_text(draw_svg(position, chain), svg)
    elif as_json:
        # Keys that `parse_position` accepts as well.
        extra = {"winner": named.expected} | ({"idea": named.idea} if named.idea else {})
        typer.echo(json.dumps({**json.loads(position.to_json()), **extra}))
    else:
        title = f"{named.name}: " if named.name else ""
        outcome = f"{named.expected} has won" if named.expected else "nobody has won"
        typer.echo(f"{title}{position.game}, {len(position.red)} red, {len(position.blue)} blue; {outcome}")
        idea = f"{named.idea}\n" if named.idea else ""
        typer.echo(f"{idea}\n{draw_text(position, chain, labels=labels)}", nl=False)


@app.command("hardest", short_help="Search for the board with most to look through.")
def hardest(
    size: options.BoardSize,
    stones: Annotated[int, value("K", "How many red stones.", "--stones", "-k")],
    time_s: Annotated[float, options.time(min=0.1, help="Stop after so many seconds of wall time.")] = 60.0,
    svg: options.Svg = None,
    as_json: options.Json = False,
) -> None:
    """Search for the hardest board: K red stones, no win for red, and as many partial chains as possible.

    clingo searches. A partial chain of length k is one red stone in each of columns 1 to k, consecutive ones adjacent.
    With paths(x) = 1 in column 1, and else the sum of paths over x's red neighbours one column to the left, a board
    counts the sum of paths(x) over its red stones.

    The output says whether optimality was proved. An interrupt or --time ends the search and prints the best board
    so far.

    \b
    hexlogic boards hardest --size 9 --stones 17
    """
    from hexlogic.laboratory.hardest import hardest_board

    note = notes(_EVERY_S, _EVERY_S)
    result = hardest_board(as_hex(options.board_of_size(size)), stones, time_s=time_s, report=note)
    position = result.position
    if as_json:
        data = {
            **fields(result, "figure", "bound", "chains", "search", "interrupted"),
            "proved": bool(result.proof),
            "proof": result.proof or None,
            "position": json.loads(position.to_json()),
        }
        typer.echo(json.dumps(data))
    elif svg != "-":
        typer.echo(f"{position.game}, {len(position.red)} red, {len(position.blue)} blue; red has not won")
        typer.echo("\n".join((*_figures(result), result.search, "", draw_text(position))), nl=False)
    if svg is not None:
        put_text(draw_svg(position), svg)
    if result.interrupted:
        say("interrupted")
        raise typer.Exit(130)


def _figures(result: Hardest) -> Iterator[str]:
    counts = [count for count in result.chains if count]
    parts = f" = {' + '.join(map(str, counts))}, by length" if 1 < len(counts) <= _LENGTHS else ""
    yield f"{result.figure:,} partial chain{'' if result.figure == 1 else 's'}{parts}"
    bound = "" if result.bound is None else f"; no board has more than {result.bound:,} partial chains"
    yield f"proved: {result.proof}" if result.proof else f"best found, optimality not proved{bound}"


def convert(
    game: Annotated[str, argument("GAME", "A file, - for stdin, or the text of a game itself.")],
    to: Annotated[str, value("FORMAT", "sgf, little-golem, hexworld, htp, moves or position.", "--to", "-t")] = "sgf",
    source: Annotated[str | None, value("FORMAT", "The format of GAME. [what it looks like]", "--from", "-f")] = None,
    out: options.OutFile = None,
    as_json: options.Json = False,
) -> None:
    """Convert a game between notations.

    SGF, Little Golem dumps, HexWorld links and HTP commands let the first player, black, join top with bottom; here
    the first player is red and joins left with right. So cells are transposed on the way, and colours keep their turn.

    \b
    hexlogic convert game.sgf --to hexworld
    hexlogic convert "https://hexworld.org/board/#5c1,c2:sa1" --to moves
    hexlogic convert "5x5 red b3, blue swap-pieces" --to htp
    """
    formats = (*format_names(), "position")
    if to not in formats:
        raise HexlogicError(f"unknown format {to!r}", file="--to", hint=", ".join(formats))
    given = options.text_of(game)
    if given is None and not any(sign in game for sign in " (#;,:"):
        raise PositionError("there is no such file", file=game)
    text, file = given or (game, "<argument>")
    records = read_games(text, source, file=file)
    if as_json:
        games = [{"size": record.board.size_text, "text": _written(record, to)} for record in records]
        put_text(json.dumps({"format": to, "games": games}) + "\n", out)
    else:
        positions = (_written(record, to) for record in records)
        put_text("\n".join(positions) if to == "position" else write_games(records, to), out)


def _written(record: GameRecord, to: str) -> str:
    return record.final_state().position.to_text() if to == "position" else write_games((record,), to)
