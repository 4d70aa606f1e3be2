"""The boards of the questions, drawn; only those that are still what they were when they were measured."""

import contextlib

from hexlogic.errors import HexlogicError
from hexlogic.games import NamedBoard, check_player, draw_svg, family_of, load_board, winning_chain
from hexlogic.laboratory.records.types import Run
from hexlogic.laboratory.report.document import Column, Drawing, make_table
from hexlogic.laboratory.report.entries import slug
from hexlogic.laboratory.report.results import PageAnswer, PageQuestion, Results
from hexlogic.laboratory.runs.tasks import make_task


class _Asked:
    """A board that was asked about, with its first run; `board` is None where the board has changed since."""

    def __init__(self, name: str, run: Run) -> None:
        self.name, self.run = name, run
        self.board: NamedBoard | None = None
        with contextlib.suppress(HexlogicError, ValueError):
            task = make_task(name, check_player(run.query[run.query.index("(") + 1 : -1]))
            self.board = load_board(name) if task.facts_hash == run.facts_hash else None


def _asked(results: Results) -> list[_Asked]:
    runs = [run for suite in results.suites for run in suite.runs if run.mode is None]
    first = {run.task: run for run in reversed(runs)}
    return [_Asked(name, run) for name, run in sorted(first.items())]


def hardest_board(results: Results) -> Drawing | None:
    """The first board of no series that is still what it was; else the largest of a series."""
    boards = [(family_of(each.name) is not None, -each.run.rows, each) for each in _asked(results) if each.board]
    _, _, first = min(boards, key=lambda board: board[:2], default=(False, 0, None))
    return None if first is None or first.board is None else draw_board(first.name, first.board)


def draw_board(name: str, board: NamedBoard) -> Drawing:
    """A board with what is known of it."""
    position = board.position
    chain = winning_chain(position, board.expected) if board.expected else None
    won = f"won by {board.expected}" if board.expected else "won by nobody"
    title = f"{name}: {len(position.red)} red and {len(position.blue)} blue stones, {won}"
    return Drawing(f"board-{slug(name.replace('@', '-at-'))}", title, draw_svg(position, chain))


def _answer(results: Results, boards: list[_Asked]) -> PageAnswer:
    single = [asked for asked in boards if family_of(asked.name) is None]
    drawn = [draw_board(asked.name, asked.board) for asked in single or boards[-1:] if asked.board is not None]
    changed = [asked.name for asked in boards if asked.board is None]
    finding = (
        f"{len(boards)} {'board was' if len(boards) == 1 else 'boards were'} asked about. Red owns the left and "
        "the right side, blue the top and the bottom one; blue stones carry a white ring, a chain a yellow line."
    )
    if changed:
        finding += f" Not drawn, for they are not what they were when they were measured: {', '.join(changed)}."
    return PageAnswer(finding, [*drawn, make_table("boards", "The boards", _COLUMNS, boards)])


_COLUMNS: tuple[Column[_Asked], ...] = (
    Column("name", "board"),
    Column("size", "size", lambda a: str(a.board.position.game) if a.board else f"{a.run.rows}x{a.run.columns}"),
    Column("red", "red stones", lambda asked: len(asked.board.position.red) if asked.board else None, numeric=True),
    Column("blue", "blue stones", lambda asked: len(asked.board.position.blue) if asked.board else None, numeric=True),
    Column("winner", "won by", lambda asked: "" if asked.board is None else asked.board.expected or "nobody"),
    Column("idea", "idea", lambda asked: "changed since" if asked.board is None else asked.board.idea),
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
