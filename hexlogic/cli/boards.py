"""`hexlogic boards`: the named boards, any position as a picture, and the search for hard ones."""

from __future__ import annotations

import json
from typing import Annotated

import typer

from hexlogic.cli.arguments import GameOption, JsonListOption, JsonOption, SvgOption, read_board, warn_about
from hexlogic.cli.hardest import hardest
from hexlogic.cli.output import put_text

app = typer.Typer(no_args_is_help=True, rich_markup_mode=None, help="The named boards, and any position as a picture.")
app.command("hardest", short_help="Search for the board with most to look through.")(hardest)


@app.command("list")
def list_boards(
    as_json: JsonListOption = False,
) -> None:
    """List the named boards.

    Size, stones, who has won, and what makes each worth having.
    """
    from tabulate import tabulate

    from hexlogic.games import all_boards

    rows = [
        {
            "name": board.name,
            "rows": board.position.game.rows,
            "columns": board.position.game.columns,
            "red": len(board.position.red),
            "blue": len(board.position.blue),
            "winner": board.expected,
            "idea": board.idea,
        }
        for board in all_boards()
    ]
    if as_json:
        typer.echo(json.dumps(rows, indent=2))
        return
    table = [
        [name, f"{height}x{width}", red, blue, winner or "nobody", idea]
        for name, height, width, red, blue, winner, idea in map(dict.values, rows)
    ]
    headers = ["name", "size", "red", "blue", "won by", "idea"]
    typer.echo(tabulate(table, headers, tablefmt="simple", maxcolwidths=[None, None, None, None, None, 54]))


@app.command("show")
def show(
    board: Annotated[
        str, typer.Argument(metavar="BOARD", help="A name from the list, a file, - for stdin, or a position as text.")
    ],
    svg: SvgOption = None,
    as_json: JsonOption = False,
    labels: Annotated[bool, typer.Option(help="Column letters and row numbers around the board.")] = True,
    size: Annotated[
        str | None, typer.Option(metavar="N|RxC", help="The board's size, for a move list without one.")
    ] = None,
    game: GameOption = "hex",
) -> None:
    """Draw a board.

    The stones of a winning chain stay capital letters, or get a yellow line in the picture.

    \b
    hexlogic boards show snake
    hexlogic boards show snake --svg snake.svg
    hexlogic boards show "size 5, red c3, blue b4"
    hexlogic boards show "y 4, red b3 blue c4"
    """
    from hexlogic.games import draw_svg, draw_text, winning_chain

    named = read_board(board, size, game)
    position = named.position
    warn_about(named)
    chain = None if named.expected is None else winning_chain(position, named.expected)
    if svg is not None:
        put_text(draw_svg(position, chain), svg)
    elif as_json:
        # Keys that `parse_position` accepts as well.
        extra = {"winner": named.expected, "idea": named.idea} if named.idea else {"winner": named.expected}
        typer.echo(json.dumps({**json.loads(position.to_json()), **extra}))
    else:
        title = f"{named.name}: " if named.name else ""
        outcome = f"{named.expected} has won" if named.expected else "nobody has won"
        typer.echo(f"{title}{position.game}, {len(position.red)} red, {len(position.blue)} blue; {outcome}")
        if named.idea:
            typer.echo(named.idea)
        typer.echo()
        typer.echo(draw_text(position, chain, labels=labels), nl=False)
