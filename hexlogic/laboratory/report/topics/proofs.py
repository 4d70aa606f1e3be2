"""Which reformulations were proved equal, and the smallest positions that refute the others."""

import shlex
from collections.abc import Sequence

from hexlogic.games import check_player, draw_svg, load_game, winning_chain
from hexlogic.laboratory.records.types import grouped
from hexlogic.laboratory.report.document import Block, Column, Command, Drawing, Entry, make_table, number, plain
from hexlogic.laboratory.report.entries import slug
from hexlogic.laboratory.report.formatting import listed
from hexlogic.laboratory.report.results import PageAnswer, PageQuestion, Results
from hexlogic.proofs.matrix import CounterExample, StoredMatrix, StoredOutcome, StoredRow

_SHOWN = 2  # Counter-examples that are drawn


def _answer(results: Results, proofs: Sequence[StoredMatrix]) -> PageAnswer:
    return PageAnswer(" ".join(map(_finding, proofs)), [block for matrix in proofs for block in _matrix(matrix)])


def _finding(matrix: StoredMatrix) -> str:
    board = load_game(matrix.game).of_extent(matrix.rows, matrix.columns)
    rows = grouped(matrix.rule_sets, lambda row: row.relation)
    kinds = {relation: [row.name for row in same] for relation, same in rows.items()}
    equal = [name for name in kinds.pop("equal", []) if name != matrix.reference]
    clauses = [f"{len(equal)} reformulations mean the same as `{matrix.reference}`"]
    clauses += [f"{listed([f'`{name}`' for name in names])}: {relation}" for relation, names in kinds.items()]
    declared = "all as declared" if matrix.as_declared else "NOT all as declared"
    return f"On every position of {board}: {'; '.join(clauses)} ({declared})."


def _matrix(matrix: StoredMatrix) -> list[Block]:
    board = load_game(matrix.game).of_extent(matrix.rows, matrix.columns)
    file = f"proofs-{matrix.game}-{matrix.rows}x{matrix.columns}"
    blocks: list[Block] = []
    for row in matrix.rule_sets:
        if row.outcome is not None and row.outcome.counter_example is not None and len(blocks) < _SHOWN:
            blocks.append(_counter_example(file, row.outcome, row.outcome.counter_example))
    blocks.append(make_table(file, f"Against {matrix.reference} on {board}", _COLUMNS, matrix.rule_sets))
    return [*blocks, Command(shlex.join(matrix.command))]


def _counter_example(file: str, outcome: StoredOutcome, example: CounterExample) -> Drawing:
    position, player = example.board, check_player(example.player)
    chain = winning_chain(position, player) if example.referee else None
    yes, no = (outcome.left, outcome.right) if example.left else (outcome.right, outcome.left)
    title = f"{yes} says that {player} has won and {no} does not; the referee: {'' if example.referee else 'not '}won"
    return Drawing(f"{file}-{slug(outcome.right)}", title, draw_svg(position, chain, title=title))


def _positions(row: StoredRow) -> Entry:
    findings = () if row.outcome is None else row.outcome.findings
    return number(max((finding.positions for finding in findings if finding.positions is not None), default=None))


def _seconds(row: StoredRow) -> Entry:
    findings = () if row.outcome is None else row.outcome.findings
    return number(sum(finding.ground_s + finding.solve_s for finding in findings), ".2f")


_COLUMNS: Sequence[Column[StoredRow]] = (
    Column("rule_set", "reformulation", lambda row: row.name),
    Column("relation", "found", lambda row: Entry(row.relation, row.relation, "" if row.as_declared else "bad")),
    Column("complete", "declared", lambda row: "finds every win" if row.complete else "misses wins"),
    Column("positions", "positions", _positions, numeric=True),
    Column("seconds", "time (s)", _seconds, numeric=True),
    Column("why", "why not", lambda row: plain(row.refusal or "")),
)

QUESTION = PageQuestion(
    name="proofs",
    title="Proofs",
    text="Do the reformulations mean the same?",
    order=60,
    find=lambda results: results.proofs,
    answer=_answer,
    how="hexlogic prove --all --size 4 --out DIR",
)
