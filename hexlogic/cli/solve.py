"""`hexlogic solve`: who wins with best play, and a certificate that a separate checker accepts."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from hexlogic.cli.arguments import JsonOption, OptionalPosition, SizeOption, ToMoveOption, board_of_size, read_board
from hexlogic.cli.output import notes, show_compilation
from hexlogic.errors import HexlogicError

if TYPE_CHECKING:
    from hexlogic.games import Player, Position
    from hexlogic.players.solver import Solution


def solve(
    position: OptionalPosition = None,
    size: SizeOption = None,
    openings: Annotated[
        str | None, typer.Option(metavar="N|RxC", help="Solve every first move of red on that board.")
    ] = None,
    to_move: ToMoveOption = None,
    certificate: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Write the winner's strategy there, as JSON.")
    ] = None,
    check: Annotated[Path | None, typer.Option(metavar="FILE", help="Check a certificate; solve nothing.")] = None,
    jobs: Annotated[
        int | None,
        typer.Option("--jobs", "-j", min=1, metavar="N", help="Processes for --openings. [2 from 6x6]"),
    ] = None,
    positions: Annotated[
        int | None,
        typer.Option(min=1, metavar="N", help="Give up after expanding N, for each opening. [default: never]"),
    ] = None,
    as_json: JsonOption = False,
) -> None:
    """Solve a Hex position, or all openings of a board.

    Depth-first proof-number search with connections, on boards of up to 62 cells. With --check, exit status 1 means
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
        _check(check, as_json)
    elif openings is not None:
        _openings(openings, jobs, positions, as_json)
    else:
        assert position is not None
        _position(position, size, to_move, certificate, positions, as_json)


def _check(path: Path, as_json: bool) -> None:
    from hexlogic.games import PLAYERS, Hex
    from hexlogic.players.solver import Refused, check_certificate, claim, read_certificate
    from hexlogic.process.files import read_text, readable

    with readable(path):
        text = read_text(path)
    try:
        certificate = read_certificate(text)
        needed = check_certificate(certificate)
    except Refused as refusal:
        typer.echo(json.dumps({"accepted": False, "reason": str(refusal)}) if as_json else f"refused: {refusal}")
        raise typer.Exit(1) from None
    except json.JSONDecodeError as error:
        raise HexlogicError(error.msg, file=str(path), line=error.lineno, column=error.colno) from None
    except ValueError as error:
        raise HexlogicError(f"no JSON that can be read: {error}", file=str(path)) from None
    if as_json:
        names = Hex(certificate["rows"], certificate["columns"]).cell_name
        cells = {player: list(map(names, sorted(certificate[player]))) for player in PLAYERS}
        claimed = {key: certificate[key] for key in ("rows", "columns", "to_move", "winner")}
        typer.echo(
            json.dumps(
                {"accepted": True, "reason": None, **claimed, **cells, "needed": list(map(names, sorted(needed)))}
            )
        )
    else:
        typer.echo(f"accepted: {claim(certificate)}; with {len(needed)} empty cells")


def _openings(size: str, jobs: int | None, positions: int | None, as_json: bool) -> None:
    from hexlogic.games import PLAYERS, as_hex, draw_text
    from hexlogic.games.position import Position
    from hexlogic.players.solver import SearchedOpening, solve_openings

    board = as_hex(board_of_size(size))
    note = notes()

    def report(opening: SearchedOpening) -> None:
        winner = f"{opening.winner} wins" if opening.winner else "not solved"
        note(f"{board.cell_name(opening.cell)}: {winner}, {opening.positions:,} positions, {opening.cpu_s:.1f} s")

    with show_compilation():
        jobs = jobs or (2 if board.rows * board.columns >= 36 else 1)
        solved = solve_openings(board, jobs, most=positions, report=report)
    if as_json:
        winners = {board.cell_name(cell): solved.winners.get(cell) for cell in board.cells}
        searched = {
            board.cell_name(opening.cell): {"positions": opening.positions, "cpu_s": round(opening.cpu_s, 3)}
            for opening in solved.searched
        }
        typer.echo(json.dumps({"size": board.size or board.size_text, "openings": winners, "searched": searched}))
    else:
        red, blue = (frozenset(c for c, winner in solved.winners.items() if winner == player) for player in PLAYERS)
        known = "" if solved.is_complete else f", {len(blue)} for blue, {len(board.cells) - len(red | blue)} not solved"
        typer.echo(f"{len(red)} of {len(board.cells)} openings win for red{known} ({solved.positions} positions):\n")
        typer.echo(draw_text(Position(board, red, blue)), nl=False)
    if not solved.is_complete:
        raise typer.Exit(1)


def _position(
    text: str, size: str | None, to_move: str | None, certificate: Path | None, positions: int | None, as_json: bool
) -> None:
    from hexlogic.games import as_hex, check_player
    from hexlogic.players.solver import Solver, has_turn, make_certificate, player_to_move

    position = read_board(text, size).position
    board = as_hex(position.game)
    player: Player = check_player(to_move) if to_move else player_to_move(position)
    counts = len(position.red), len(position.blue)
    if certificate is not None and not has_turn(player, *counts):
        raise HexlogicError(
            f"a certificate is about turns: {player} cannot be to move with {counts[0]} red and "
            f"{counts[1]} blue stones",
            hint="leave out --certificate",
        )
    solver = Solver(board)
    with show_compilation():
        solution = solver.solve(position, player, positions)
        if solution is not None and certificate is not None:
            made = make_certificate(solver, position, player)
            certificate.write_text(json.dumps(made) + "\n", encoding="utf-8")
    if solution is None:
        why = "the memory is full" if solver.is_full else "that is the limit"
        why_not = f"not solved: {solver.visited:,} positions were expanded and {why}"
        typer.echo(json.dumps({"winner": None, "move": None, "proof": []}) if as_json else why_not)
        raise typer.Exit(1)
    _print_solution(position, solution, as_json)


def _print_solution(position: Position, solution: Solution, as_json: bool) -> None:
    from hexlogic.games import draw_text

    board, mover = position.game, solution.to_move
    if as_json:
        typer.echo(json.dumps(solution.to_json(board)))
        return
    how = (
        f"whatever {mover} plays"
        if solution.move is None
        else f"{mover} to move plays {board.cell_name(solution.move)}"
    )
    typer.echo(f"{solution.winner} wins, {how} ({solution.positions} positions)")
    typer.echo(f"cells needed: {' '.join(map(board.cell_name, sorted(solution.proof))) or 'none'}\n")
    typer.echo(draw_text(position), nl=False)
