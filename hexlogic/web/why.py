"""Explain the position after some moves to the page: connections, derivations, must-play, current, the solver's answer.

For the errors of the size and the moves see `played_hex`.
"""

from collections.abc import Mapping, Sequence
from typing import Any, Final

import numpy as np

from hexlogic.errors import MoveError
from hexlogic.games import PLAYERS, RED, Player
from hexlogic.games.game_state import GameState
from hexlogic.players.connections import Connection, Connections, edge_name
from hexlogic.players.connections.connections import Derivation
from hexlogic.players.evaluation.kernels import potential
from hexlogic.players.geometry import BLUE_SIGN, EMPTY, RED_SIGN, flat_cells, geometry_of
from hexlogic.players.solver import Solver
from hexlogic.players.solver.certificate import make_certificate
from hexlogic.web.game_request import Fields, played_hex

_SOLVER_ROWS: Final = 1 << 16
_SOLVER_POSITIONS: Final = 400  # Positions that the solver expands for a page: seconds, not minutes
_OWN: Final = 5e-5  # The resistance of an own stone; two of them make the conductance that `potential` takes
_BRIDGE: Final = 10.0


def connections_of(size: str, moves: Sequence[str] = (), game: str = "hex") -> Fields:
    """The connections between stones and edges, for each pair of ends the one with the smallest carrier, those from
    edge to edge first; and the cells that the player to move must play (every empty one where nothing is forced)."""
    state = played_hex(size, moves, game)
    connections = Connections(state.position)
    return {
        "connections": [connection.to_json(state.board) for connection in _shown(connections)],
        "must_play": state.board.cell_names(connections.must_play(state.to_move)),
    }


def derivation_of(size: str, place: int, moves: Sequence[str] = (), game: str = "hex") -> Fields:
    """The tree of rule applications of the connection at that place in `connections_of`. Raises MoveError."""
    state = played_hex(size, moves, game)
    connections = Connections(state.position)
    shown = _shown(connections)
    if not 0 <= place < len(shown):
        raise MoveError(f"there is no connection {place}")
    return _tree(state, shown[place].player, connections.why(shown[place]))


def _shown(connections: Connections) -> list[Connection]:
    """What `connections_of` lists, in its order: the connections whose ends are edges and stones of the player."""
    edges, owner = (0, len(connections.board.cells) + 1), connections.position.owner
    shown: dict[tuple[Player, tuple[int, int]], Connection] = {}
    for player in PLAYERS:
        for connection in (*connections.edge_to_edge(player), *connections.full(player)):
            if all(node in edges or owner(node) == player for node in connection.ends):
                shown.setdefault((player, connection.ends), connection)
    return list(shown.values())


def _tree(state: GameState, player: Player, step: Derivation) -> Fields:
    """The sentence of a step, its carrier and its premises; neighbours are left out, as `hexlogic analyse` does."""
    return {
        "text": next(step.lines(state.board, player)),
        "carrier": state.board.cell_names(step.carrier),
        "premises": [_tree(state, player, premise) for premise in step.premises if premise.rule != "adjacent"],
    }


def current_of(size: str, player: Player, moves: Sequence[str] = (), game: str = "hex") -> Fields:
    """By name of an empty cell, the current through it between the player's sides, as a share of the largest.

    The circuit is that of the evaluation `resistance`: an empty cell has resistance 1, and links lead to neighbours
    and over bridges.
    """
    state = played_hex(size, moves, game)
    board, sign = state.board, RED_SIGN if player == RED else BLUE_SIGN
    cells, tables = flat_cells(state), geometry_of(state.board.rows, state.board.columns)
    volts, _ = potential(cells, tables.neighbours, tables.bridges, tables.rows, tables.columns, sign)
    low, high = (-1, -2) if sign == RED_SIGN else (-3, -4)
    ohms = np.where(cells == sign, _OWN, 1.0)
    flows: dict[str, float] = {}
    for cell in np.flatnonzero(cells == EMPTY):
        flow = 0.0
        for way in range(6):
            other = int(tables.neighbours[cell, way])
            if other >= 0 and cells[other] != 3 - sign:
                flow += abs(volts[cell] - volts[other]) / (ohms[cell] + ohms[other])
            elif other in (low, high):
                flow += abs(volts[cell] - (1.0 if other == low else 0.0)) / (ohms[cell] + _OWN)
            far, left, right = (int(number) for number in tables.bridges[cell, way])
            if far >= 0 and cells[far] != 3 - sign and cells[left] == cells[right] == EMPTY:
                flow += abs(volts[cell] - volts[far]) * min(1 / (ohms[cell] + ohms[far]), _BRIDGE)
        flows[board.cell_name(int(cell) + 1)] = flow / 2
    most = max(flows.values(), default=0.0) or 1.0
    return {"current": {name: round(flow / most, 3) for name, flow in flows.items()}}


def solution_of(size: str, moves: Sequence[str] = (), game: str = "hex") -> Fields:
    """The winner with best play, a winning move and the cells the winner needs; winner None where it takes too long."""
    state = played_hex(size, moves, game)
    solution = Solver(state.board, _SOLVER_ROWS, state.position).solve(state.position, state.to_move, _SOLVER_POSITIONS)
    if solution is None:
        return {"winner": None, "move": None, "proof": [], "positions": _SOLVER_POSITIONS}
    return solution.to_json(state.board) | {"positions": solution.positions}


def certificate_of(size: str, moves: Sequence[str] = (), game: str = "hex") -> Fields:
    """The winner with best play and the strategy by which it wins, as a tree; winner None where it takes too long.

    A node has the cells that are filled in by the way (`red`, `blue`), and one of: a `connection`, the carrier that
    joins the edges, with the `steps` that derive it; a `move` of the winner and the node `then`; or, where the loser is
    to move, `threats`, the carriers that the winner would use next, and `replies`, the nodes after the moves that no
    threat answers.
    """
    state = played_hex(size, moves, game)
    solver = Solver(state.board, _SOLVER_ROWS, state.position)
    solution = solver.solve(state.position, state.to_move, _SOLVER_POSITIONS)
    if solution is None or state.winner is not None:
        return {"winner": state.winner, "tree": None, "positions": _SOLVER_POSITIONS}
    certificate = make_certificate(solver, state.position, state.to_move)
    return {
        "winner": solution.winner,
        "tree": _named_node(state, solution.winner, certificate["tree"]),
        "positions": solution.positions,
    }


def _named_node(state: GameState, winner: Player, node: Mapping[str, Any]) -> Fields:
    board, name, fill = state.board, state.board.cell_name, node.get("fill", ())

    def named(step: Mapping[str, Any]) -> Fields:
        ends = " - ".join(edge_name(board, winner, end) for end in step["ends"])
        return {"text": f"{step['rule']}: {ends}, {step['kind']}", "carrier": board.cell_names(step["carrier"])}

    shown: Fields = {
        player: board.cell_names(cell for owner, *cells in fill if owner == player for cell in cells)
        for player in PLAYERS
    }
    if steps := node.get("connection"):
        shown["connection"] = board.cell_names(steps[-1]["carrier"])
        shown["steps"] = [named(step) for step in steps if step["rule"] != "adjacent"]
    elif "move" in node:
        shown |= {"move": name(node["move"]), "then": _named_node(state, winner, node["then"])}
    else:
        replies = node["replies"].items()
        shown["threats"] = [board.cell_names(threat[-1]["carrier"]) for threat in node["threats"]]
        shown["replies"] = {name(int(cell)): _named_node(state, winner, reply) for cell, reply in replies}
    return shown
