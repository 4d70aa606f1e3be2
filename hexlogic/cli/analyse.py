"""`hexlogic analyse`: the virtual connections of a position, what must be played, and why."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Annotated

import typer

from hexlogic.cli.arguments import JsonOption, PositionText, SizeOption, ToMoveOption, read_board
from hexlogic.cli.output import show_compilation
from hexlogic.errors import HexlogicError

if TYPE_CHECKING:
    from hexlogic.players.connections import Connection, Connections


def analyse(
    position: PositionText,
    size: SizeOption = None,
    to_move: ToMoveOption = None,
    why: Annotated[
        str | None,
        typer.Option(metavar="END-END", help="Derive the connections between two ends: left-b2, top-bottom."),
    ] = None,
    as_json: JsonOption = False,
) -> None:
    """Say what both players can join in a Hex position whatever the opponent does.

    A full connection holds when the opponent moves first, a semi-connection when its owner does. Ends are cells (for a
    group its smallest cell) and the edges left, right, top, bottom. The first use on a machine compiles first.

    \b
    hexlogic analyse "red c3, blue b2" --size 5
    hexlogic analyse "red c3" --size 5 --why left-c3
    hexlogic analyse board.txt --json
    """
    from hexlogic.games import as_hex, check_player
    from hexlogic.players.connections import Connections
    from hexlogic.players.solver import player_to_move

    board_position = read_board(position, size).position
    as_hex(board_position.game)
    player = check_player(to_move) if to_move else player_to_move(board_position)
    with show_compilation():
        connections = Connections.of(board_position)
    connected = [connection for who in ("red", "blue") for connection in connections.full(who) + connections.semi(who)]
    if why is not None:
        connected = _between(connections, connected, why)
    must = [connections.board.cell_name(cell) for cell in sorted(connections.must_play(player))]
    if as_json:
        records = [_record(connections, connection, why) for connection in connected]
        typer.echo(json.dumps({"connections": records, "must_play": must}))
    elif why is not None:
        for connection in connected:
            typer.echo("\n".join(connections.why(connection).lines(connections.board, connection.player)))
    else:
        _print_summary(connections, player, must)


def _record(connections: Connections, connection: Connection, why: str | None) -> dict[str, object]:
    record = connection.to_json(connections.board)
    return record if why is None else {**record, "derivation": connections.why(connection).to_json()}


def _between(connections: Connections, connected: list[Connection], ends: str) -> list[Connection]:
    """The connections between two named ends; a stone stands for its group."""
    from hexlogic.players.connections import edge_name

    board = connections.board
    names = {"left", "right", "top", "bottom"}
    wanted = set()
    for end in ends.lower().split("-"):
        wanted.add(end if end in names else board.cell_name(connections.node(board.parse_cell(end))))
    if len(ends.split("-")) != 2 or len(wanted) != 2:
        raise HexlogicError(f"{ends!r} are not two ends", file="--why", hint="such as left-b2 or a1-c2")

    def joins(connection: Connection) -> bool:
        return {edge_name(board, connection.player, node) for node in connection.ends} == wanted

    return list(filter(joins, connected))


def _print_summary(connections: Connections, player: str, must: list[str]) -> None:
    from hexlogic.games import draw_text

    name = connections.board.cell_name
    for who in ("red", "blue"):
        full, semi = len(connections.full(who)), len(connections.semi(who))
        typer.echo(f"{who}: {full} full connections, {semi} semi-connections")
        for connection in connections.edge_to_edge(who):
            cells = " ".join(name(cell) for cell in sorted(connection.carrier)) or "no cell"
            verdict = "wins" if connection.kind == "full" else "wins when it moves next"
            typer.echo(f"  {who} {verdict}: {cells}")
    typer.echo(f"{player} to move must play {' '.join(must)}" if must else f"{player} to move cannot stop the opponent")
    typer.echo(f"\n{draw_text(connections.position)}", nl=False)
