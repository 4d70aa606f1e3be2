"""`hexlogic prove`: two rule sets are equal on every position, or here is the board on which they differ."""

from __future__ import annotations

import contextlib
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from hexlogic.cli.arguments import JsonOption, split_commas
from hexlogic.cli.output import notes
from hexlogic.errors import HexlogicError

if TYPE_CHECKING:
    from hexlogic.games import Game, Player
    from hexlogic.language.passes import Pipeline
    from hexlogic.proofs import Outcome
    from hexlogic.proofs.all_boards import Justify, Universal

_TIME_S = 600.0
_SEARCH_S = 60.0
"""Seconds to search for a bridge in."""
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
    bridge: Annotated[
        Path | None, typer.Option("--bridge", metavar="FILE", help="With --all-sizes: a bridge between A and B.")
    ] = None,
    check: Annotated[
        str | None,
        typer.Option("--check", metavar="cvc5,z3", help="With --all-sizes: have these provers prove each step again."),
    ] = None,
    export: Annotated[
        Path | None,
        typer.Option("--export", metavar="DIR", help="With --all-sizes: write each step as SMT-LIB 2 and TPTP to DIR."),
    ] = None,
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
    as_json: JsonOption = False,
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
    hexlogic prove follow-line-tabled clusters --all-sizes --check cvc5,z3
    hexlogic prove mine.lp clusters --all-sizes --bridge mine--clusters.lp --export steps
    """
    from hexlogic.cli.arguments import board_of_size
    from hexlogic.cli.proof_text import print_outcome
    from hexlogic.games import PLAYERS, check_player

    wanted = names or []
    if executor != "local" and not every:
        raise HexlogicError("--executor is for --all", hint="one proof runs on one machine")
    if out is not None and not every:
        raise HexlogicError("--out stores what --all proves", hint="hexlogic prove --all --size 4 --out DIR")
    if all_sizes:
        if every or size is not None:
            raise HexlogicError("--all-sizes takes two rule sets, no --size and no --all")
        _for_all_sizes(wanted, game or _game_of(wanted), pipeline, bridge, check, export, as_json, allow_lemmas, time_s)
        return
    for option, value in (("--bridge", bridge), ("--check", check), ("--export", export)):
        if value is not None:
            raise HexlogicError(f"{option} is for --all-sizes", hint="hexlogic prove A B --all-sizes")
    if allow_lemmas:
        raise HexlogicError("--allow-lemmas is for --all-sizes", hint="a proof for one size assumes none")
    if size is None:
        raise HexlogicError("prove needs a board", hint="--size 4, or --all-sizes")
    board = board_of_size(size, game or _game_of(wanted))
    players = PLAYERS if player == "both" else (check_player(player),)
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
    from hexlogic.cli.proof_text import print_matrix
    from hexlogic.process.cluster import is_cluster, open_cluster
    from hexlogic.process.files import write_stored
    from hexlogic.process.limits import cores
    from hexlogic.proofs.matrix import prove_all
    from hexlogic.proofs.matrix_file import matrix_path

    command = ("hexlogic", *sys.argv[1:])
    with contextlib.ExitStack() as stack:
        path = None if out is None else stack.enter_context(matrix_path(out, board))
        cluster = None
        if is_cluster(executor):
            cluster = stack.enter_context(open_cluster(executor, cores()))
        matrix = prove_all(board, players=players, time_s=time_s, command=command, report=notes(), cluster=cluster)
        if path is not None:
            write_stored(path, matrix)
            typer.echo(f"wrote {path}", err=True)
    print_matrix(matrix, board, as_json)


def _for_all_sizes(
    wanted: list[str],
    game: str,
    pipeline: str,
    bridge: Path | None,
    check: str | None,
    export: Path | None,
    as_json: bool,
    allow_lemmas: bool,
    time_s: float | None,
) -> None:
    """Prove along bridges and print; then export and check what was proved. Exit status 1 when a prover fails."""
    from hexlogic.cli.proof_text import print_universal
    from hexlogic.language.passes import Pipeline
    from hexlogic.proofs.conditions import board_of
    from hexlogic.proofs.smt.export import check_problems, exported, write_problems
    from hexlogic.proofs.smt.lemmas import LemmaProver
    from hexlogic.proofs.smt.models import check_axioms
    from hexlogic.proofs.smt.provers import check_provers

    passes = Pipeline.parse(pipeline)
    provers = check_provers(split_commas(check)) if check is not None else ()
    if passes.steps and (check is not None or export is not None):
        raise HexlogicError("--check and --export are for bridges", hint="leave out --pipeline")
    lemmas = LemmaProver()
    proofs = _universal(wanted, game, passes, bridge, lemmas, time_s or _SEARCH_S)
    if any(proof.assumed for proof in proofs) and lemmas.budget and not as_json:
        typer.echo(lemmas.budget)
    checks, board, asked = [], board_of(game), bool(provers) or export is not None
    problems = tuple(problem for proof in proofs for problem in exported(proof, board, lemmas, steps=asked))
    vacuous = check_axioms(problems, game)
    if export is not None:
        typer.echo(f"wrote {write_problems(export, problems)} problems to {export}", err=True)
    if provers:
        checks = list(check_problems(problems, provers, report=notes()))
    print_universal(proofs, checks, vacuous, as_json, allow_lemmas)


def _universal(
    wanted: list[str], game: str, passes: Pipeline, bridge: Path | None, justify: Justify, search_s: float
) -> list[Universal]:
    """The proofs that the two names ask for: along bridges, and of what passes make of the second.

    Where there is no bridge, one is searched for and told on stderr.
    """
    from hexlogic.games.rulesets import find_rule_set
    from hexlogic.proofs.all_boards import NO_BRIDGE, AllBoards
    from hexlogic.proofs.bridges import load_bridges, read_bridge, read_bridge_file
    from hexlogic.proofs.equality import equal
    from hexlogic.proofs.uniform import prove_pass_for_all_boards

    left, right = map(find_rule_set, _two(wanted))
    bridges = None if bridge is None else (read_bridge_file(bridge), *load_bridges(game))
    proofs = []
    if left.name != right.name or left.text != right.text or not passes.steps:
        proof = equal(left, right, AllBoards(game, bridges, justify))
        if proof.reason == NO_BRIDGE:
            from hexlogic.proofs.finding.bridge_text import NoBridge, find_bridge
            from hexlogic.proofs.finding.worlds import BoardWorld

            found = find_bridge(left, right, BoardWorld(game), limit_s=search_s, report=notes())
            if isinstance(found, NoBridge):
                typer.echo("\n".join(("no bridge was found", *found.lines)), err=True)
            else:
                typer.echo(f"{found}\n{'-' * 20}", err=True)
                bridges = (read_bridge(found, "the bridge that was found"), *load_bridges(game))
                proof = equal(left, right, AllBoards(game, bridges, justify))
        proofs.append(proof)
    if passes.steps:
        if game != "hex":
            raise HexlogicError("--pipeline with --all-sizes is for Hex", hint="--size proves one size")
        proofs.append(prove_pass_for_all_boards(right, passes))
    return proofs


def _game_of(wanted: list[str]) -> str:
    """The game that a theorem is about, or that the first rule set is made for."""
    from hexlogic.games.rulesets import find_rule_set

    if not wanted or wanted[0] in _THEOREMS:
        return (_THEOREMS[wanted[0]] if wanted else None) or "hex"
    games = find_rule_set(wanted[0]).games
    return "hex" if "any" in games else games[0]


def _two(wanted: list[str]) -> tuple[str, str]:
    if len(wanted) != 2:
        raise HexlogicError(f"prove takes two rule sets, not {len(wanted)}", hint=f"or --all, or {_THEOREM}")
    return wanted[0], wanted[1]


def _bounded(
    wanted: list[str], board: Game, players: tuple[Player, ...], pipeline: str, time_s: float | None
) -> Outcome:
    from hexlogic.games.rulesets import find_rule_set
    from hexlogic.language.passes import Pipeline
    from hexlogic.proofs import prove_equivalent
    from hexlogic.proofs.theorem import NO_DRAW, ONE_WINNER, prove_theorem

    passes = Pipeline.parse(pipeline)
    limit = time_s or _TIME_S
    if wanted and wanted[0] in _THEOREMS and len(wanted) <= 2:
        rules = find_rule_set(wanted[1] if len(wanted) == 2 else board.reference)
        theorem = NO_DRAW if wanted[0] == "no-draw" else ONE_WINNER
        return prove_theorem(theorem, rules, board, time_s=limit, report=notes())
    left, right = map(find_rule_set, _two(wanted))
    return prove_equivalent(left, right, board, players=players, pipeline=passes, time_s=limit, report=notes())
