"""Which reformulations were proved equal, and the boards that refute the others."""

from __future__ import annotations

from hexlogic.games import Position, check_player, draw_svg, load_game, winning_chain
from hexlogic.proofs.stored import CounterExample, StoredMatrix, StoredOutcome, StoredRow
from hexlogic.report.chapters.common import slug
from hexlogic.report.document import Block, Bullets, Chapter, Column, Command, Figure, Grid, Heading, Item, Text, item
from hexlogic.report.figures import relation_matrix
from hexlogic.report.gather import Material

__all__ = ["proofs_chapter"]

_COLUMNS = (
    Column("rule_set", "reformulation"),
    Column("complete", "declared", choices=True),
    Column("relation", "found", choices=True),
    Column("as_declared", "as declared", choices=True),
    Column("positions", "positions", numeric=True),
    Column("conflicts", "conflicts", numeric=True),
    Column("seconds", "time (s)", numeric=True),
    Column("method", "how"),
)


def proofs_chapter(material: Material) -> Chapter:
    """The chapter; without stored proofs it says how to get them."""
    if not material.proofs:
        told = Text(
            "No proofs were given to this report. This command proves every pair of reformulations equal, or finds the "
            "smallest board on which they differ, and stores the result where `hexlogic report` finds it:"
        )
        return Chapter("proofs", "Proofs", (told, Command("hexlogic prove --all --size 4 --out DIR")))
    lead = Text(
        "Times compare only what means the same. Each reformulation was compared with a reference on every position of "
        "a board at once; the other pairs follow from that. A refutation is a position, with as few stones as possible."
    )
    blocks: list[Block] = [lead]
    for matrix in material.proofs:
        blocks += _matrix(matrix)
    return Chapter("proofs", "Proofs", tuple(blocks))


def _matrix(matrix: StoredMatrix) -> list[Block]:
    board = load_game(matrix.game).of_extent(matrix.rows, matrix.columns)
    names = [row.name for row in matrix.rule_sets]
    relations = {(row.name, other): row.pairs[other] for row in matrix.rule_sets for other in names}
    title = f"All pairs on {board}"
    file = f"proofs-{matrix.game}-{matrix.rows}x{matrix.columns}"
    data = tuple((one, other, relations[one, other]) for one in names for other in names)
    head = ("rule_set", "other", "relation")
    figure = Figure(file, title, relation_matrix(title, names, relations), head, data)
    grid = Grid(file, f"Against {matrix.reference} on {board}", _COLUMNS, tuple(map(_row, matrix.rule_sets)))
    verdict = "Every reformulation is as it is declared." if matrix.as_declared else "NOT every one is as declared."
    blocks: list[Block] = [Heading(str(board)), Text(verdict, "good" if matrix.as_declared else "bad")]
    blocks += [figure, grid, Bullets(tuple(f"{row.summary}." for row in matrix.rule_sets))]
    for row in matrix.rule_sets:
        if row.outcome is not None and row.outcome.counter_example is not None:
            blocks.append(_counter_example(file, row.outcome, row.outcome.counter_example))
    blocks.append(Command(" ".join(matrix.command)))
    return blocks


def _row(row: StoredRow) -> tuple[Item, ...]:
    found = () if row.outcome is None else row.outcome.findings
    counted = [finding.positions for finding in found if finding.positions is not None]
    conflicts = [finding.conflicts for finding in found if finding.conflicts is not None]
    seconds = sum(finding.ground_s + finding.solve_s for finding in found)
    methods = list(dict.fromkeys(finding.method for finding in found))
    declared = "complete" if row.complete else "incomplete"
    return (
        item(row.name),
        item(declared),
        Item(row.relation, row.relation, "late" if row.relation in ("different", "unknown") else ""),
        Item("yes" if row.as_declared else "NO", row.as_declared, "" if row.as_declared else "bad"),
        Item(f"{max(counted):,}", max(counted)) if counted else Item("", None),
        Item(f"{sum(conflicts):,}", sum(conflicts)) if conflicts else Item("", None),
        Item(f"{seconds:.2f}", seconds),
        item(row.refusal or "; ".join(methods)),
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
