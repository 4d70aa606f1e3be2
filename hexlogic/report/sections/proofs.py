"""Which reformulations were proved equal, and the boards that refute the others."""

from __future__ import annotations

from collections.abc import Sequence

from hexlogic.games import Position, check_player, draw_svg, load_game, winning_chain
from hexlogic.proofs.matrix_file import CounterExample, StoredFinding, StoredMatrix, StoredOutcome, StoredRow
from hexlogic.report.document import (
    Block,
    Bullets,
    Column,
    Command,
    Entry,
    Figure,
    Heading,
    Text,
    make_table,
    number,
    plain,
)
from hexlogic.report.figures import relation_matrix
from hexlogic.report.material import Material
from hexlogic.report.section import Section
from hexlogic.report.sections.common import slug

__all__ = ["SECTION"]

_LEAD = (
    "Times compare only what means the same. Each reformulation was compared with a reference on every position of "
    "a board at once; the other pairs follow from that. A refutation is a position, with as few stones as possible."
)


def _blocks(material: Material) -> list[Block]:
    """The stored proofs; without any, how to get them."""
    if not material.proofs:
        told = Text(
            "No proofs were given to this report. This command proves every pair of reformulations equal, or finds the "
            "smallest board on which they differ, and stores the result where `hexlogic report` finds it:"
        )
        return [told, Command("hexlogic prove --all --size 4 --out DIR")]
    return [Text(_LEAD), *(block for matrix in material.proofs for block in _matrix(matrix))]


def _matrix(matrix: StoredMatrix) -> list[Block]:
    board = load_game(matrix.game).of_extent(matrix.rows, matrix.columns)
    names = [row.name for row in matrix.rule_sets]
    relations = {(row.name, other): row.pairs[other] for row in matrix.rule_sets for other in names}
    title = f"All pairs on {board}"
    file = f"proofs-{matrix.game}-{matrix.rows}x{matrix.columns}"
    data = tuple((one, other, relations[one, other]) for one in names for other in names)
    head = ("rule_set", "other", "relation")
    figure = Figure(file, title, relation_matrix(title, names, relations), head, data)
    table = make_table(file, f"Against {matrix.reference} on {board}", _FIELDS, matrix.rule_sets)
    outcome = "Every reformulation is as it is declared." if matrix.as_declared else "NOT every one is as declared."
    blocks: list[Block] = [Heading(str(board)), Text(outcome, "good" if matrix.as_declared else "bad")]
    blocks += [figure, table, Bullets(tuple(f"{row.summary}." for row in matrix.rule_sets))]
    for row in matrix.rule_sets:
        if row.outcome is not None and row.outcome.counter_example is not None:
            blocks.append(_counter_example(file, row.outcome, row.outcome.counter_example))
    blocks.append(Command(" ".join(matrix.command)))
    return blocks


def _relation(row: StoredRow) -> Entry:
    return Entry(row.relation, row.relation, "late" if row.relation in ("different", "unknown") else "")


def _findings(row: StoredRow) -> Sequence[StoredFinding]:
    return () if row.outcome is None else row.outcome.findings


def _positions(row: StoredRow) -> Entry:
    return number(max((one.positions for one in _findings(row) if one.positions is not None), default=None))


def _conflicts(row: StoredRow) -> Entry:
    counted = [one.conflicts for one in _findings(row) if one.conflicts is not None]
    return number(sum(counted) if counted else None)


def _seconds(row: StoredRow) -> Entry:
    return number(sum(one.ground_s + one.solve_s for one in _findings(row)), ".2f")


_FIELDS: tuple[Column[StoredRow], ...] = (
    Column("rule_set", "reformulation", lambda row: row.name),
    Column("complete", "declared", lambda row: "complete" if row.complete else "incomplete", choices=True),
    Column("relation", "found", _relation, choices=True),
    Column(
        "as_declared",
        "as declared",
        lambda row: Entry("yes" if row.as_declared else "NO", row.as_declared, "" if row.as_declared else "bad"),
        choices=True,
    ),
    Column("positions", "positions", _positions, numeric=True),
    Column("conflicts", "conflicts", _conflicts, numeric=True),
    Column("seconds", "time (s)", _seconds, numeric=True),
    Column(
        "method",
        "how",
        lambda row: plain(row.refusal or "; ".join(dict.fromkeys(one.method for one in _findings(row)))),
    ),
)


def _counter_example(file: str, outcome: StoredOutcome, example: CounterExample) -> Figure:
    stored = example.position
    position = Position.of(load_game(stored.game).of_extent(stored.rows, stored.columns), stored.red, stored.blue)
    player = check_player(example.player)
    chain = winning_chain(position, player) if example.referee else None
    yes, no = (outcome.left, outcome.right) if example.left else (outcome.right, outcome.left)
    stones = len(stored.red) + len(stored.blue)
    least = ", and no position with fewer stones does that" if example.smallest else ""
    title = f"{yes} says that {player} has won and {no} does not; the referee: {'' if example.referee else 'not '}won"
    data = (*((cell, "red") for cell in stored.red), *((cell, "blue") for cell in stored.blue))
    picture = draw_svg(position, chain, title=title)
    return Figure(
        f"{file}-{slug(outcome.right)}", f"{title} ({stones} stones{least})", picture, ("cell", "player"), data
    )


SECTION = Section(name="proofs", title="Proofs", order=110, blocks=_blocks)
