"""What the text of an exported sheet begins with: comments for the people who read it."""

from __future__ import annotations

from importlib.metadata import version

from hexlogic.games import Game
from hexlogic.games.kinds.hex.board import column_name
from hexlogic.gdl.export.sheet import Sheet
from hexlogic.gdl.export.size import Size
from hexlogic.logic import Program
from hexlogic.logic.analysis.dependence import recursive_predicates
from hexlogic.logic.dialects import render

__all__ = ["family", "sheet_text"]

_MARKS = {"gdl": ";", "hrf": "%"}
_SWAPS = {
    "hex": "blue may answer the first stone by swap: it becomes blue's, on the mirror cell (column and row exchanged)",
}
_SWAP = "blue may answer the first stone by swap: it becomes blue's where it is"


def sheet_text(sheet: Sheet, dialect: str = "gdl", size: Size | str | None = None) -> str:
    """The text of a sheet with its header, in KIF (`gdl`) or infix (`hrf`).

    `size` is what was counted before, or why it was not; None counts now.
    """
    mark = _MARKS[dialect]
    head = "".join(f"{mark} {line}\n" for line in _lines(sheet, sheet.size if size is None else size))
    return f"{head}\n{render(sheet.program, dialect)}"


def family(program: Program, size: Size | str) -> str:
    """`recursive` or `cycle-free`: whether the ground rules go round in circles. Where they were not counted, whether
    the rules do."""
    if isinstance(size, str):
        return "recursive" if recursive_predicates(program) else "cycle-free"
    return "recursive" if size.cyclic else "cycle-free"


def _lines(sheet: Sheet, size: Size | str) -> list[str]:
    game = sheet.game
    lines = [
        f"{game}, won by the rule set {sheet.rules.name}: {sheet.rules.idea}",
        f"aim:    {_aim(game)}",
        f"cells:  {_cells(game)}",
        "moves:  (place CELL), or noop for the player not to move; red begins",
        "state:  (stone PLAYER CELL) for each stone, (control PLAYER); a free cell has no fact",
    ]
    if sheet.swap:
        lines.append(f"swap:   {_SWAPS.get(game.name, _SWAP)}")
    if family(sheet.program, size) == "recursive":
        lines += [
            "family: recursive. Some players with a propositional network answer wrongly on such sheets",
            "        (both players win): give those a cycle-free one",
        ]
    else:
        lines.append("family: cycle-free: no ground rule depends on itself")
    counted = size if isinstance(size, str) else f"{size.rules:,} ground rules over {size.atoms:,} atoms"
    lines.append(f"size:   {counted}")
    passes = f", after the passes {sheet.pipeline}" if sheet.pipeline.steps else ""
    return [*lines, f"made:   by hexlogic {version('hexlogic')}{passes}"]


def _aim(game: Game) -> str:
    match game.name:
        case "hex":
            last = column_name(game.columns)
            return f"red joins column a with column {last}, blue joins row 1 with row {game.rows}"
        case "y":
            return "a group of stones that touches all three sides wins"
        case "tic-tac-toe-3d":
            return f"{game.size_text} stones in a straight line win"
        case "havannah":
            return "a ring, a bridge between two corners, or a fork of three sides wins"
        case _:
            return "see the rules for wins"


def _cells(game: Game) -> str:
    """How cells are named, shown on one in the middle."""
    half = len(game.cells) // 2
    middle = max(game.cells, key=lambda cell: (len(game.neighbours(cell)), -abs(cell - half)))
    beside = " ".join(map(game.cell_name, game.neighbours(middle)))
    first, last = game.cell_name(1), game.cell_name(game.cells[-1])
    letters = "column, row, layer" if game.name == "tic-tac-toe-3d" else "column, row"
    text = f"{first} (top left) to {last}: {letters}"
    return f"{text}; {game.cell_name(middle)} touches {beside}" if 0 < len(beside) <= 40 else text
