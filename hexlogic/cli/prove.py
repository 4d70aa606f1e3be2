"""`hexlogic prove`: two rule sets are equal on every position, or here is the board on which they differ."""

from __future__ import annotations

import contextlib
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from hexlogic.errors import HexlogicError

if TYPE_CHECKING:
    from hexlogic.games import Game, Player
    from hexlogic.proofs import Outcome
    from hexlogic.proofs.everywhere import Universal

__all__ = ["prove"]

_TIME_S = 600.0
_QUIET_S = 4.0
_THEOREM = "hex-theorem"
# What can be proved of full boards, and the game that the name is about (None: that of --game).
_THEOREMS = {_THEOREM: "hex", "y-theorem": "y", "one-winner": None, "no-draw": None}


def prove(
    names: Annotated[
        list[str] | None, typer.Argument(metavar="[A B | THEOREM]", help="Two rule sets, names or files; or a theorem.")
    ] = None,
    size: Annotated[str | None, typer.Option("--size", "-s", metavar="N|RxC", help="The board.")] = None,
    game: Annotated[
        str | None, typer.Option("--game", "-g", metavar="NAME", help="The game. [default: hex, or that of A]")
    ] = None,
    player: Annotated[str, typer.Option(metavar="red|blue|both", help="Whose win is compared.")] = "both",
    pipeline: Annotated[
        str, typer.Option("--pipeline", "-p", metavar="PASSES", help="Passes to apply to B first.")
    ] = "none",
    every: Annotated[bool, typer.Option("--all", help="All rule sets, as a matrix.")] = False,
    all_sizes: Annotated[bool, typer.Option("--all-sizes", help="For every board at once, by induction.")] = False,
    allow_lemmas: Annotated[
        bool, typer.Option("--allow-lemmas", help="With --all-sizes: exit 0 although lemmas are assumed.")
    ] = False,
    time_s: Annotated[
        float | None,
        typer.Option("--time", metavar="S", min=0.1, help="Stop after so many seconds of wall time. [default: 600]"),
    ] = None,
    svg: Annotated[
        str | None, typer.Option("--svg", metavar="FILE", help="Draw the counter-example to FILE, - for stdout.")
    ] = None,
    out: Annotated[
        Path | None, typer.Option("--out", metavar="DIR", help="With --all: store the matrix there, for reports.")
    ] = None,
    executor: Annotated[
        str, typer.Option(metavar="local|dask|dask:ADDRESS", help="With --all: this process, or a cluster.")
    ] = "local",
    as_json: Annotated[bool, typer.Option("--json", help="One JSON object instead of text.")] = False,
) -> None:
    """Prove two rule sets equal, or show where they differ.

    By default on every position of one board, by one clingo program over all stone sets; a counter-example is one
    with the fewest stones. With --all-sizes on every board, by induction along a bridge. Exit status 0: equal;
    1: refuted, not proved, proved with lemmas that are only assumed (unless --allow-lemmas), or out of time; 2: a rule
    set breaks a condition of the proof, such as to define a predicate of the board.

    A theorem is about full boards: exactly one player has won (hex-theorem, y-theorem, one-winner), or at least one
    has (no-draw). It is asked of the game's reference, or of a rule set named after it.

    \b
    hexlogic prove follow-line-tabled clusters --size 5
    hexlogic prove clusters clusters --size 3 --pipeline ground,reorder,prune
    hexlogic prove --all --size 4 --out results
    hexlogic prove hex-theorem --size 5
    hexlogic prove no-draw --game tic-tac-toe-3d --size 3
    hexlogic prove follow-line-tabled clusters --all-sizes
    """
    from hexlogic.cli.arguments import board_of_size
    from hexlogic.cli.proof_text import print_outcome, print_universal

    wanted = names or []
    if executor != "local" and not every:
        raise HexlogicError("--executor is for --all", hint="one proof runs on one machine")
    if out is not None and not every:
        raise HexlogicError("--out stores what --all proves", hint="hexlogic prove --all --size 4 --out DIR")
    if all_sizes:
        if every or size is not None:
            raise HexlogicError("--all-sizes takes two rule sets, no --size and no --all")
        print_universal(_universal(wanted, game or _game_of(wanted), pipeline), as_json, allow_lemmas)
        return
    if allow_lemmas:
        raise HexlogicError("--allow-lemmas is for --all-sizes", hint="a proof for one size assumes none")
    if size is None:
        raise HexlogicError("prove needs a board", hint="--size 4, or --all-sizes")
    board = board_of_size(size, game or _game_of(wanted))
    players = _players(player)
    if every:
        if wanted or pipeline != "none":
            raise HexlogicError("--all takes no names and no pipeline")
        _matrix(board, players, time_s or _TIME_S, out, as_json, executor)
    else:
        print_outcome(_bounded(wanted, board, players, pipeline, time_s), svg, as_json)


def _matrix(
    board: Game, players: tuple[Player, ...], time_s: float, out: Path | None, as_json: bool, executor: str
) -> None:
    """The whole matrix, printed and, for `out`, stored; where it will be stored is tried before the proofs begin."""
    from datetime import UTC, datetime

    from hexlogic.cli.proof_text import print_matrix
    from hexlogic.cluster import is_cluster, open_cluster
    from hexlogic.proofs.matrix import prove_all
    from hexlogic.proofs.stored import matrix_path, stored_matrix, write_matrix
    from hexlogic.runs.session import cores

    path = None if out is None else matrix_path(out, board)
    started = datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
    with contextlib.ExitStack() as stack:
        cluster = None
        if is_cluster(executor):
            cluster = stack.enter_context(open_cluster(executor, cores()))
        matrix = prove_all(board, players=players, time_s=time_s, report=_notes(), cluster=cluster)
    stored = stored_matrix(matrix, started=started, command=("hexlogic", *sys.argv[1:]))
    if path is not None:
        write_matrix(path, stored)
        typer.echo(f"wrote {path}", err=True)
    print_matrix(matrix, stored if as_json else None)


def _universal(wanted: list[str], game: str, pipeline: str) -> list[Universal]:
    """The proofs that the two names ask for: along bridges, and of what passes make of the second."""
    from hexlogic.games import load_game
    from hexlogic.passes import Pipeline
    from hexlogic.proofs.everywhere import prove_for_all_boards
    from hexlogic.proofs.uniform import prove_pass_for_all_boards
    from hexlogic.rulesets import find_rule_set

    if load_game(game).name != "hex":
        raise HexlogicError("--all-sizes is for Hex so far", hint="--size proves one size")
    left, right = map(find_rule_set, _two(wanted))
    passes = Pipeline.parse(pipeline)
    proofs = []
    if left.name != right.name or left.text != right.text or not passes.steps:
        proofs.append(prove_for_all_boards(left, right, game=game))
    if passes.steps:
        proofs.append(prove_pass_for_all_boards(right, passes))
    return proofs


def _game_of(wanted: list[str]) -> str:
    """The game that a theorem is about, or that the first rule set is made for."""
    from hexlogic.rulesets import find_rule_set

    if not wanted or wanted[0] in _THEOREMS:
        return (_THEOREMS[wanted[0]] if wanted else None) or "hex"
    games = find_rule_set(wanted[0]).games
    return "hex" if "any" in games else games[0]


def _two(wanted: list[str]) -> tuple[str, str]:
    if len(wanted) != 2:
        raise HexlogicError(f"prove takes two rule sets, not {len(wanted)}", hint=f"or --all, or {_THEOREM}")
    return wanted[0], wanted[1]


def _players(text: str) -> tuple[Player, ...]:
    from hexlogic.games import PLAYERS, check_player

    return PLAYERS if text == "both" else (check_player(text),)


def _bounded(
    wanted: list[str], board: Game, players: tuple[Player, ...], pipeline: str, time_s: float | None
) -> Outcome:
    from hexlogic.passes import Pipeline
    from hexlogic.proofs import prove_equivalent
    from hexlogic.proofs.theorem import prove_no_draw, prove_one_winner
    from hexlogic.rulesets import find_rule_set

    passes = Pipeline.parse(pipeline)
    limit = time_s or _TIME_S
    if wanted and wanted[0] in _THEOREMS and len(wanted) <= 2:
        rules = find_rule_set(wanted[1] if len(wanted) == 2 else board.reference)
        prove_theorem = prove_no_draw if wanted[0] == "no-draw" else prove_one_winner
        return prove_theorem(rules, board, time_s=limit, report=_notes())
    left, right = map(find_rule_set, _two(wanted))
    return prove_equivalent(left, right, board, players=players, pipeline=passes, time_s=limit, report=_notes())


def _notes() -> Callable[[str], None]:
    """Progress for stderr, once a proof takes so long that somebody may wonder."""
    begin = time.monotonic()

    def note(text: str) -> None:
        if time.monotonic() - begin > _QUIET_S:
            typer.echo(text, err=True)

    return note
