"""What is proved for all boards, tried on some: clingo runs the two texts as they are written and compares `wins`.

No part of a proof is used (`hexlogic/proofs/as_written.py`), not even our parser, so a difference is a fault of
the proof, or of a lemma that it assumes. Texts are run in a child process: a program that has no end can be stopped.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

from hexlogic.errors import EngineError, SizeError
from hexlogic.games import PLAYERS, Position, draw_text, load_game, rules_of_game
from hexlogic.games.game import Kind
from hexlogic.games.registry import kind_path
from hexlogic.process.call import Stopped, call_isolated
from hexlogic.process.files import read_text
from hexlogic.process.limits import Limits
from hexlogic.proofs.as_written import Difference, compare

_WALL_S: Final = 300.0
_MEMORY_BYTES: Final = 2 * 2**30
_NUMBER = re.compile(r"(?<![\w'])\d+\b")


@dataclass(frozen=True, slots=True)
class Tried:
    """What came of it: the boards and the number of positions, and the numbers of the texts that were out of reach.

    `unreached` are no cell, column, row or length of a board that was tried, `too_long` only no length of a chain.
    `problem` says why nothing is proved: a difference, or with `ran` false that clingo could not run the texts. It is
    empty when no difference was found. `drawing` shows the position.
    """

    boards: tuple[str, ...] = ()
    positions: int = 0
    unreached: tuple[int, ...] = ()
    too_long: tuple[int, ...] = ()
    problem: str = ""
    drawing: str = ""
    ran: bool = True

    def __str__(self) -> str:
        if not self.ran:
            return self.problem
        count = f"{self.positions:,} positions of {', '.join(self.boards)}"
        words = (
            f"run by clingo on the texts as they are: {count}: {'a difference' if self.problem else 'no difference'}"
        )
        if self.unreached:
            words += f"\nnumbers out of reach of these boards: {', '.join(map(str, self.unreached))}"
        if self.too_long:
            words += f"\nnumbers that no chain was as long as: {', '.join(map(str, self.too_long))}"
        return words


def board_text(game: str) -> str:
    """The text of the game's board, as it is written."""
    return read_text(rules_of_game(game) / "games" / f"{game}.lp")


def try_on_boards(
    names: Sequence[str],
    sides: Sequence[Sequence[str]],
    game: str,
    numbers_of: Sequence[str],
    statements: Iterable[str],
) -> Tried:
    """Run the sides, each a list of texts that belong together, and compare each with the first.

    Boards are made for the numbers in the texts `numbers_of` and in the `statements` of bridges.
    """
    kind = load_game(game)
    task = {
        "sides": [list(texts) for texts in sides],
        "kind": kind_path(kind),
        "numbers_of": list(numbers_of),
        "numbers": sorted({int(number) for statement in statements for number in _NUMBER.findall(statement)}),
    }
    limits = Limits(cpu_s=_WALL_S, wall_s=_WALL_S, memory_bytes=_MEMORY_BYTES)
    try:
        data = call_isolated(compare, task, limits)
    except Stopped as stopped:
        where = f" on {stopped.progress[-1]}" if stopped.progress else ""
        return Tried(problem=f"clingo cannot run the texts as they are{where}: {stopped.reason}", ran=False)
    except EngineError as error:
        return Tried(problem=f"clingo cannot run the texts as they are: {error}", ran=False)
    done = tuple(data["boards"]), data["positions"], tuple(data["unreached"]), tuple(data["too_long"])
    difference = data["difference"]
    return Tried(*done) if difference is None else Tried(*done, _problem(names, difference), _drawing(kind, difference))


def _problem(names: Sequence[str], difference: Difference) -> str:
    told = (names[0], names[difference["side"]])
    said = (
        f"{name} says {', '.join(atoms) or 'no wins'}" for name, atoms in zip(told, difference["said"], strict=True)
    )
    stones = "; ".join(f"{player} {' '.join(map(str, difference[player]))}" for player in PLAYERS if difference[player])
    return f"on {difference['board']} with the stones {stones or 'of nobody'} {' and '.join(said)}"


def _drawing(kind: Kind, difference: Difference) -> str:
    """The position as text; empty for a board that is too large to be drawn."""
    try:
        board = kind.of_size(*difference["sizes"])
    except SizeError:
        return ""
    return draw_text(Position(board, frozenset(difference["red"]), frozenset(difference["blue"])))
