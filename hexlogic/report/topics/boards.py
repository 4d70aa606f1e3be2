"""The boards of the questions, drawn; only those that are still what they were when they were measured."""

from __future__ import annotations

from dataclasses import dataclass

from hexlogic.errors import HexlogicError
from hexlogic.games import Game, NamedBoard, check_player, draw_svg, family_of, load_board, winning_chain
from hexlogic.report.document import Column, Drawing, make_table
from hexlogic.report.entries import slug
from hexlogic.report.material import Material
from hexlogic.report.topic import PageAnswer, PageQuestion
from hexlogic.runs.records import Run
from hexlogic.runs.tasks import make_task

__all__ = ["QUESTION", "draw_board", "hardest_board"]


@dataclass(frozen=True, slots=True)
class _Asked:
    """A board with the run that was asked about it first; None for one that is not what it was."""

    name: str
    run: Run
    board: NamedBoard | None


def _asked(material: Material) -> list[_Asked]:
    first: dict[str, Run] = {}
    for suite in material.suites:
        for run in suite.runs:
            if run.mode is None:
                first.setdefault(run.task, run)
    return [_Asked(name, run, _as_measured(name, run)) for name, run in sorted(first.items())]


def _as_measured(name: str, run: Run) -> NamedBoard | None:
    try:
        board, task = load_board(name), make_task(name, check_player(run.query[run.query.index("(") + 1 : -1]))
    except (HexlogicError, ValueError):
        return None
    return board if task.facts_hash == run.facts_hash else None


def hardest_board(material: Material) -> Drawing | None:
    """The first board of no series that is still what it was; else the largest of a series."""
    found = [one for one in _asked(material) if one.board is not None]
    found.sort(key=lambda one: (family_of(one.name) is not None, -one.run.rows))
    return None if not found or found[0].board is None else draw_board(found[0].name, found[0].board)


def draw_board(name: str, board: NamedBoard) -> Drawing:
    """A board with what is known of it."""
    position = board.position
    chain = winning_chain(position, board.expected) if board.expected else None
    won = f"won by {board.expected}" if board.expected else "won by nobody"
    title = f"{name}: {len(position.red)} red and {len(position.blue)} blue stones, {won}"
    return Drawing(f"board-{slug(name.replace('@', '-at-'))}", title, draw_svg(position, chain))


def _answer(material: Material, found: list[_Asked]) -> PageAnswer:
    single = [one for one in found if family_of(one.name) is None]
    shown = [one for one in single or found[-1:] if one.board is not None]
    changed = [one.name for one in found if one.board is None]
    finding = (
        f"{len(found)} {'board was' if len(found) == 1 else 'boards were'} asked about. Red owns the left and "
        "the right side, blue the top and the bottom one; blue stones carry a white ring, a chain a yellow line."
    )
    if changed:
        finding += f" Not drawn, for they are not what they were when they were measured: {', '.join(changed)}."
    drawings = [draw_board(one.name, one.board) for one in shown if one.board is not None]
    return PageAnswer(finding, [*drawings, make_table("boards", "The boards", _COLUMNS, found)])


def _of(one: _Asked, attribute: str) -> int | None:
    return None if one.board is None else len(getattr(one.board.position, attribute))


def _size(one: _Asked) -> str:
    game: Game | None = None if one.board is None else one.board.position.game
    return f"{one.run.rows}x{one.run.columns}" if game is None else str(game)


_COLUMNS: tuple[Column[_Asked], ...] = (
    Column("name", "board"),
    Column("size", "size", _size),
    Column("red", "red stones", lambda one: _of(one, "red"), numeric=True),
    Column("blue", "blue stones", lambda one: _of(one, "blue"), numeric=True),
    Column("winner", "won by", lambda one: "" if one.board is None else one.board.expected or "nobody"),
    Column("idea", "idea", lambda one: "changed since" if one.board is None else one.board.idea),
)

QUESTION = PageQuestion(
    name="boards",
    title="Boards",
    text="Which boards were asked about?",
    order=70,
    find=_asked,
    answer=_answer,
    how="hexlogic boards list",
)
