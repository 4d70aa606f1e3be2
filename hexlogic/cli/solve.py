"""`hexlogic solve`: who wins with best play, and a certificate of it; `hexlogic analyse`: the connections, and why."""

import json
from pathlib import Path
from typing import Annotated, TypeAlias

import typer

from hexlogic.cli import options
from hexlogic.cli.options import notes, value
from hexlogic.errors import HexlogicError
from hexlogic.games import PLAYERS, Hex, Player, Position, as_hex, check_player, draw_text
from hexlogic.players.connections import Connection, Connections, edge_name
from hexlogic.players.solver import SearchedOpening, Solver, make_certificate, player_to_move, solve_openings
from hexlogic.players.solver.checker import Refused, check_certificate, claim, has_turn, read_certificate
from hexlogic.process.files import read_text, readable, write_text

_EDGES = {"left", "right", "top", "bottom"}
Answer: TypeAlias = tuple[object, str, bool]
"""What is said to programs and to people, and whether it is what was asked for."""


def solve(
    position: options.OptionalPosition = None,
    size: options.Size = None,
    openings: Annotated[str | None, value("N|RxC", "Solve every first move of red on that board.")] = None,
    to_move: options.ToMove = None,
    certificate: Annotated[Path | None, value("FILE", "Write the winner's strategy there, as JSON.")] = None,
    check: Annotated[Path | None, value("FILE", "Check a certificate; solve nothing.")] = None,
    jobs: Annotated[int | None, options.jobs("-j", help="Processes for --openings. [2 from 6x6]")] = None,
    positions: Annotated[int | None, value("N", "Give up after expanding N, for each opening. [never]", min=1)] = None,
    as_json: options.Json = False,
) -> None:
    """Solve a Hex position, or all openings of a board.

    Depth-first proof-number search with connections, with up to 62 empty cells. With --check, exit status 1 means
    that the certificate is refused. The first use on a machine compiles first.

    \b
    hexlogic solve "red c3, blue b2" --size 5
    hexlogic solve "red c3" --size 5 --certificate c3.json
    hexlogic solve --check c3.json
    hexlogic solve --openings 5
    """
    if sum(given is not None for given in (position, openings, check)) != 1:
        raise HexlogicError("solve takes a position, --openings or --check", hint="one of the three")
    if check is not None:
        data, text, succeeded = _checked(check)
    elif openings is not None:
        data, text, succeeded = _openings(as_hex(options.board_of_size(openings, option="--openings")), jobs, positions)
    else:
        assert position is not None
        stones, player = _position(position, size, to_move)
        data, text, succeeded = _solved(stones, player, certificate, positions)
    typer.echo(json.dumps(data) if as_json else text)
    if not succeeded:
        raise typer.Exit(1)


def _position(text: str, size: str | None, to_move: str | None) -> tuple[Position, Player]:
    position = options.read_board(text, size).position
    as_hex(position.game)
    return position, check_player(to_move) if to_move else player_to_move(position)


def _checked(path: Path) -> Answer:
    with readable(path):
        text = read_text(path)
    try:
        certificate = read_certificate(text)
        needed = check_certificate(certificate)
    except Refused as refusal:
        return {"accepted": False, "reason": str(refusal)}, f"refused: {refusal}", False
    except json.JSONDecodeError as error:
        raise HexlogicError(error.msg, file=str(path), line=error.lineno, column=error.colno) from None
    except ValueError as error:
        raise HexlogicError(f"no JSON that can be read: {error}", file=str(path)) from None
    board = Hex(certificate["rows"], certificate["columns"])
    cells = {player: board.cell_names(certificate[player]) for player in PLAYERS} | {"needed": board.cell_names(needed)}
    claimed = {key: certificate[key] for key in ("rows", "columns", "to_move", "winner")}
    accepted = f"accepted: {claim(certificate)}; with {len(needed)} empty cells"
    return {"accepted": True, "reason": None, **claimed, **cells}, accepted, True


def _openings(board: Hex, jobs: int | None, positions: int | None) -> Answer:
    note, name = notes(), board.cell_name

    def report(opening: SearchedOpening) -> None:
        winner = f"{opening.winner} wins" if opening.winner else "not solved"
        note(f"{name(opening.cell)}: {winner}, {opening.positions:,} positions, {opening.cpu_s:.1f} s")

    jobs = jobs or (2 if board.rows * board.columns >= 36 else 1)
    solved = solve_openings(board, jobs, most=positions, report=report)
    winners = {name(cell): solved.winners.get(cell) for cell in board.cells}
    searched = {
        name(opening.cell): {"positions": opening.positions, "cpu_s": round(opening.cpu_s, 3)}
        for opening in solved.searched
    }
    data = {"size": board.size or board.size_text, "openings": winners, "searched": searched}
    red, blue = (frozenset(cell for cell, winner in solved.winners.items() if winner == player) for player in PLAYERS)
    known = "" if solved.is_complete else f", {len(blue)} for blue, {len(board.cells) - len(red | blue)} not solved"
    head = f"{len(red)} of {len(board.cells)} openings win for red{known} ({solved.positions} positions):"
    return data, f"{head}\n\n{_drawn(Position(board, red, blue))}", solved.is_complete


def _solved(position: Position, player: Player, certificate: Path | None, positions: int | None) -> Answer:
    red, blue = len(position.red), len(position.blue)
    if certificate is not None and not has_turn(player, red, blue):
        what = f"a certificate is about turns: {player} cannot be to move with {red} red and {blue} blue stones"
        raise HexlogicError(what, hint="leave out --certificate")
    board = as_hex(position.game)
    solver = Solver(board, played=position)
    solution = solver.solve(position, player, positions)
    if solution is not None and certificate is not None:
        made = make_certificate(solver, position, player)
        write_text(certificate, json.dumps(made) + "\n")
    if solution is None:
        why = "the memory is full" if solver.is_full else "that is the limit"
        why_not = f"not solved: {solver.visited:,} positions were expanded and {why}"
        return {"winner": None, "move": None, "proof": []}, why_not, False
    move = solution.move
    how = f"whatever {player} plays" if move is None else f"{player} to move plays {board.cell_name(move)}"
    head = f"{solution.winner} wins, {how} ({solution.positions} positions)"
    cells = f"cells needed: {' '.join(board.cell_names(solution.proof)) or 'none'}"
    return solution.to_json(board), f"{head}\n{cells}\n\n{_drawn(position)}", True


def analyse(
    position: options.PositionText,
    size: options.Size = None,
    to_move: options.ToMove = None,
    why: Annotated[str | None, value("END-END", "Derive the connections of two ends: left-b2, top-bottom.")] = None,
    as_json: options.Json = False,
) -> None:
    """Say what both players can join in a Hex position whatever the opponent does.

    A full connection holds when the opponent moves first, a semi-connection when its owner does. Ends are cells (for a
    group its smallest cell) and the edges left, right, top, bottom. The first use on a machine compiles first.

    \b
    hexlogic analyse "red c3, blue b2" --size 5
    hexlogic analyse "red c3" --size 5 --why left-c3
    hexlogic analyse board.txt --json
    """
    stones, player = _position(position, size, to_move)
    connections = Connections(stones)
    board, must = connections.board, connections.board.cell_names(connections.must_play(player))
    listed = [connection for who in PLAYERS for connection in connections.full(who) + connections.semi(who)]
    if why is not None:
        listed = _between(connections, listed, why)
    if as_json:
        records = [connection.to_json(board) for connection in listed]
        if why is not None:
            for record, connection in zip(records, listed, strict=True):
                record["derivation"] = connections.why(connection).to_json()
        typer.echo(json.dumps({"connections": records, "must_play": must}))
    elif why is not None:
        for connection in listed:
            typer.echo("\n".join(connections.why(connection).lines(board, connection.player)))
    else:
        for who in PLAYERS:
            full, semi = len(connections.full(who)), len(connections.semi(who))
            typer.echo(f"{who}: {full} full connections, {semi} semi-connections")
            for connection in connections.edge_to_edge(who):
                verdict = "wins" if connection.kind == "full" else "wins when it moves next"
                typer.echo(f"  {who} {verdict}: {' '.join(board.cell_names(connection.carrier)) or 'no cell'}")
        plays = f"must play {' '.join(must)}" if must else "cannot stop the opponent"
        typer.echo(f"{player} to move {plays}\n\n{_drawn(stones)}")


def _between(connections: Connections, listed: list[Connection], ends: str) -> list[Connection]:
    board, names = connections.board, ends.lower().split("-")
    wanted = {end if end in _EDGES else board.cell_name(connections.node(board.parse_cell(end))) for end in names}
    if len(names) != 2 or len(wanted) != 2:
        raise HexlogicError(f"{ends!r} are not two ends", file="--why", hint="such as left-b2 or a1-c2")
    return [
        connection
        for connection in listed
        if {edge_name(board, connection.player, node) for node in connection.ends} == wanted
    ]


def _drawn(position: Position) -> str:
    return draw_text(position).removesuffix("\n")
