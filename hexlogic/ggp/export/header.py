"""What the text of an exported sheet begins with: comments for the people who read it."""

from __future__ import annotations

from importlib.metadata import version

from hexlogic.errors import UnknownNameError
from hexlogic.games import Game
from hexlogic.ggp.export.sheet import Sheet
from hexlogic.ggp.propnet.ground_size import Size
from hexlogic.language import Program
from hexlogic.language.analysis.dependence import recursive_predicates
from hexlogic.language.dialects import dialects, load_dialect
from hexlogic.language.dialects.gdl import write_term


def check_sheet_dialect(name: str) -> None:
    """Raise UnknownNameError unless game descriptions are written in the dialect."""
    known = [dialect for dialect in dialects() if load_dialect(dialect).describes_games]
    if name not in known:
        raise UnknownNameError.among("dialect of sheets", name, known)


def sheet_text(sheet: Sheet, dialect: str = "gdl", size: Size | str | None = None) -> str:
    """The text of a sheet with its header, in KIF (`gdl`) or infix (`hrf`).

    `size` is what was counted before, or why it was not; None counts now.
    """
    text = load_dialect(dialect)
    head = "".join(f"{text.comment} {line}\n" for line in _lines(sheet, sheet.size if size is None else size))
    return f"{head}\n{text.render(sheet.program)}"


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
        f"aim:    {game.aim}",
        f"cells:  {_cells(game)}",
        "moves:  (place CELL), or noop for the player not to move; red begins",
        f"state:  {_state(sheet.program)}",
    ]
    if sheet.swap:
        lines.append(f"swap:   {game.swap_words}")
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


def _state(program: Program) -> str:
    """The kinds of facts that `base` declares, as the rules write them."""
    terms = [rule.head.arguments[0] for rule in program.rules if rule.head is not None and rule.head.name == "base"]
    return " ".join(dict.fromkeys(map(write_term, terms)))


def _cells(game: Game) -> str:
    """How cells are named, shown on one in the middle."""
    half = len(game.cells) // 2
    middle = max(game.cells, key=lambda cell: (len(game.neighbours(cell)), -abs(cell - half)))
    beside = " ".join(map(game.cell_name, game.neighbours(middle)))
    first, last = game.cell_name(1), game.cell_name(game.cells[-1])
    text = f"{first} (top left) to {last}: {game.axes}"
    return f"{text}; {game.cell_name(middle)} touches {beside}" if 0 < len(beside) <= 40 else text
