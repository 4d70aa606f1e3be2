"""Certificates: what the solver found, as a strategy that `checker.py` can follow without it.

A node of the tree holds the fill-in of its position and one of: a connection that wins, a winning move, or, for the
loser's turn, threats (connections that the winner would use next) and replies to the moves that no threat answers.
"""

from collections.abc import Iterable
from typing import Any

from hexlogic.errors import HexlogicError
from hexlogic.games import PLAYERS, Player, Position
from hexlogic.players.connections import Connection, Connections
from hexlogic.players.connections.connections import derive
from hexlogic.players.solver.checker import FORMAT
from hexlogic.players.solver.memory import SOLVED
from hexlogic.players.solver.solver import FULL_LIMIT, SEMI_LIMIT, Solver, cells_of_mask, mask_of, player_to_move


def make_certificate(solver: Solver, position: Position, to_move: Player | None = None) -> dict[str, Any]:
    """The certificate of a position as JSON data, a position, the winner, and the tree of nodes, solving whatever is
    not solved yet. Raises HexlogicError when the memory does not suffice, PositionError when nobody can tell who is to
    move."""
    to_move = to_move or player_to_move(position)
    solution = solver.solve(position, to_move)
    if solution is None:
        raise HexlogicError("the memory of the solver is full")
    builder = _TreeBuilder(solver, solution.winner)
    tree, _ = builder.node(mask_of(position.red), mask_of(position.blue), PLAYERS.index(to_move))
    return {
        "format": FORMAT,
        "rows": solver.board.rows,
        "columns": solver.board.columns,
        "red": sorted(position.red),
        "blue": sorted(position.blue),
        "to_move": to_move,
        "winner": solution.winner,
        "tree": tree,
    }


class _TreeBuilder:
    """Makes the nodes of one certificate."""

    def __init__(self, solver: Solver, winner: Player) -> None:
        self.solver, self.winner = solver, winner

    def node(self, red: int, blue: int, turn: int) -> tuple[dict[str, object], int]:
        """The node of a position with these stones (masks), and the mask of the cells that the winner needs."""
        filled, needed = [red, blue], 0
        steps = self.solver.fill(red, blue)
        node: dict[str, object] = {"fill": [[owner, *cells] for owner, cells in steps]} if steps else {}
        for owner, cells in steps:
            mask = mask_of(frozenset(cells))
            filled[PLAYERS.index(owner)] |= mask
            needed |= mask if owner == self.winner and len(cells) == 2 else 0
        stones = [frozenset(cells_of_mask(mask)) for mask in filled]
        position = Position(self.solver.board, stones[0], stones[1])
        # The winner's connections that decide, full ones first, as the solver finds them.
        known = Connections(position, FULL_LIMIT, SEMI_LIMIT, players=(self.winner,))
        connections = known.edge_to_edge(self.winner)
        mine = turn == PLAYERS.index(self.winner)
        for connection in connections:
            if connection.kind == "full" or mine:
                node["connection"], used = self._derivation(position, connection)
                return node, needed | used
        row = self.solver.row(red, blue, turn)
        if not self.solver.solve_row(row):
            raise HexlogicError("the memory of the solver is full")
        if mine:
            move = self.solver.winning_move(row)
            filled[turn] |= 1 << move
            node["move"] = move
            node["then"], used = self.node(filled[0], filled[1], 1 - turn)
            return node, needed | used | 1 << move
        return self._answers(node, needed, position, connections, turn)

    def _answers(
        self, node: dict[str, object], needed: int, position: Position, connections: Iterable[Connection], turn: int
    ) -> tuple[dict[str, object], int]:
        """Threats and replies until they have no cell in common."""
        open_cells = mask_of(position.empty)
        threats: list[list[dict[str, object]]] = []
        replies: dict[str, object] = {}
        for connection in connections:
            if open_cells & ~mask_of(connection.carrier):
                steps, used = self._derivation(position, connection)
                threats.append(steps)
                open_cells &= used
                needed |= used
        masks = (mask_of(position.red), mask_of(position.blue))
        while open_cells:
            cell = self._cheapest(masks, open_cells, turn)
            after = list(masks)
            after[turn] |= 1 << cell
            replies[str(cell)], used = self.node(after[0], after[1], 1 - turn)
            open_cells &= used & ~(1 << cell)
            needed |= used
        node["threats"], node["replies"] = threats, replies
        return node, needed

    def _cheapest(self, masks: tuple[int, int], open_cells: int, turn: int) -> int:
        """The open cell whose solved position leaves the fewest cells open; any one when none is solved."""
        left = dict[int, int]()
        for cell in cells_of_mask(open_cells):
            after = list(masks)
            after[turn] |= 1 << cell
            row = self.solver.row(after[0], after[1], 1 - turn)
            if self.solver.table.state[row] == SOLVED:
                left[cell] = (self.solver.proof(row) & open_cells).bit_count()
        return min(left, key=left.__getitem__, default=cells_of_mask(open_cells)[0])

    def _derivation(self, position: Position, connection: Connection) -> tuple[list[dict[str, object]], int]:
        derivation = derive(position, connection)
        return derivation.to_json(), mask_of(derivation.carrier)
