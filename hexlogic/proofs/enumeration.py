"""Equivalence where clingo cannot ground a program over a choice of stones, such as lists of visited cells.

A program of that kind is compared with the referee (`referee.py`). The other one is compared with the referee too
when that covers the board, else with the reference rule set by clingo, and the reference with the referee.
Boards are tried from small to large until the time is over: the largest finished one counts.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import Final

from hexlogic.errors import EngineError
from hexlogic.games import Game, Hex, Player, Position
from hexlogic.games.registry import kind_path
from hexlogic.games.rulesets import load_rule_set
from hexlogic.language import Program
from hexlogic.process.call import Stopped
from hexlogic.proofs.bounded import by_clingo, groundable
from hexlogic.proofs.jobs import run_job
from hexlogic.proofs.outcome import Finding, Outcome, Proof, Refutation, Unfinished
from hexlogic.proofs.referee import compare, cover, engine_for

DEFAULT_S: Final = 60.0
"""Wall seconds for all boards together when no other limit is given."""

Report = Callable[[str], None]


def smaller_boards(game: Game) -> Iterator[Game]:
    """Hex boards of the same shape from small to `game` itself; of another game `game` alone.

    >>> [str(board) for board in smaller_boards(Hex(2, 3))]
    ['1x1 Hex', '2x2 Hex', '2x3 Hex']
    """
    if not isinstance(game, Hex):
        yield game
        return
    for side in range(1, max(game.rows, game.columns) + 1):
        yield Hex(min(side, game.rows), min(side, game.columns))


def by_enumeration(
    names: tuple[str, str],
    at: Callable[[Game], tuple[Program, Program]],
    game: Game,
    players: Sequence[Player],
    boards: Sequence[Game],
    time_s: float | None,
    report: Report,
) -> Outcome:
    """Compare the programs that `at` gives for each of `boards`, in order. See `prove_equivalent`."""
    limit = DEFAULT_S if time_s is None else time_s
    deadline = time.monotonic() + limit
    best: Proof | None = None
    reason, progress = f"stopped after {limit:g} s", []
    for board in boards:
        outcome = _on_board(names, at(board), board, players, deadline, report)
        if isinstance(outcome, Refutation):
            return outcome
        if isinstance(outcome, Unfinished):
            reason = outcome.reason
            progress.append(f"{board}: {', '.join(outcome.progress) or 'nothing asked yet'}")
            break
        best = Proof(*names, game, outcome.findings)
        report(f"{board}: equal")
    return best or Unfinished(*names, game, (), reason, tuple(progress))


def _on_board(
    names: tuple[str, str],
    programs: tuple[Program, Program],
    board: Game,
    players: Sequence[Player],
    deadline: float,
    report: Report,
) -> Outcome:
    findings = []
    for player in players:
        begin = time.perf_counter()
        methods: dict[str, None] = {}
        for name, program in zip(names, programs, strict=True):
            if cover(program, board, player) is None and groundable(program):
                reference = load_rule_set(board.reference).instantiate(board)
                pair = (name, board.reference)
                outcome = by_clingo(pair, (program, reference), board, [player], _left(deadline), report)
                if not isinstance(outcome, Proof):
                    return replace(outcome, left=names[0], right=names[1])  # a refutation against the reference
                methods[f"{name}: equal to {board.reference}, by clingo"] = None
                name, program = board.reference, reference
            asked = _ask_all((name, names), program, board, player, deadline, report)
            if not isinstance(asked, str):
                return asked
            methods[asked] = None
        findings.append(
            Finding(player, board, "; ".join(methods), 2 ** len(board.cells), solve_s=time.perf_counter() - begin)
        )
    return Proof(*names, board, tuple(findings))


def _left(deadline: float) -> float:
    return max(0.5, deadline - time.monotonic())


def _ask_all(
    who: tuple[str, tuple[str, str]], program: Program, board: Game, player: Player, deadline: float, report: Report
) -> str | Refutation | Unfinished:
    """One program against the referee: a sentence about how it was covered, or why not."""
    name, names = who
    engine = engine_for(program)
    if engine is None:
        raise EngineError(f"no installed engine takes {name}", hint="swipl takes lists; see hexlogic doctor")
    how = cover(program, board, player)
    if how is None:
        return Unfinished(*names, board, (), f"too many positions on {board} to ask about each")
    task = {
        "program": str(program),
        "kind": kind_path(type(board)),
        "rows": board.rows,
        "columns": board.columns,
        "player": player,
        "engine": engine,
    }
    try:
        found = run_job(compare, task, time_s=_left(deadline), report=report)
    except Stopped as stopped:
        return Unfinished(*names, board, (), stopped.reason, stopped.progress)
    if found.late:
        return Unfinished(*names, board, (), "out of time", (f"{found.asked:,} of {how[1]:,} positions asked",))
    if (difference := found.difference) is not None:
        position = Position(board, difference.red, difference.blue)
        left_says = difference.says if name == names[0] else difference.truth
        return Refutation(*names, board, (), player, position, left_says, not left_says, difference.truth, False)
    return f"{name}: {how[0]}, on {engine}, and the referee agrees"
