"""The boards, drawn; only those that are still what they were when they were measured."""

from __future__ import annotations

from hexlogic.errors import HexlogicError
from hexlogic.games import check_player, draw_svg, family_of, load_board, winning_chain
from hexlogic.report.document import Block, Figure, Text
from hexlogic.report.material import Material
from hexlogic.report.section import Section
from hexlogic.report.sections.common import slug
from hexlogic.runs.records import Run
from hexlogic.runs.tasks import make_task

__all__ = ["SECTION"]

_LEAD = (
    "Red owns the left and the right side, blue the top and the bottom one. Blue stones carry a white ring, "
    "and a winning chain a yellow line."
)
_COLUMNS = ("cell", "player")


def _blocks(material: Material) -> list[Block]:
    """The boards of the questions; of a series of boards the size nearest to 9 stands for all."""
    first: dict[str, Run] = {}
    for suite in material.suites:
        for run in suite.runs:
            if run.mode is None:
                first.setdefault(run.task, run)
    shown: dict[str, Run] = {}
    for name, run in sorted(first.items()):
        member = family_of(name)
        kin = [other for other in first if (found := family_of(other)) and member and found[0] == member[0]]
        if member is None or name == min(kin, key=lambda other: (abs(first[other].rows - 9), other)):
            shown[name] = run
    return [block for name, run in shown.items() for block in _board(name, run)]


def _board(name: str, run: Run) -> list[Block]:
    try:
        board = load_board(name)
        task = make_task(name, check_player(run.query[run.query.index("(") + 1 : -1]))
    except (HexlogicError, ValueError):
        return [Text(f"{name}: this board is not known any more.", "late")]
    if task.facts_hash != run.facts_hash:
        return [Text(f"{name}: the board has changed since it was measured, so it is not drawn.", "late")]
    position = board.position
    chain = winning_chain(position, board.expected) if board.expected else None
    won = f"won by {board.expected}" if board.expected else "won by nobody"
    title = f"{name}: {len(position.red)} red and {len(position.blue)} blue stones, {won}; {board.idea}"
    stones = [(position.game.cell_name(cell), "red") for cell in sorted(position.red)]
    stones += [(position.game.cell_name(cell), "blue") for cell in sorted(position.blue)]
    return [
        Figure(f"board-{slug(name.replace('@', '-at-'))}", title, draw_svg(position, chain), _COLUMNS, tuple(stones))
    ]


SECTION = Section(name="boards", title="The boards", order=90, lead=_LEAD, blocks=_blocks)
