"""Solves Hex positions on small boards, with certificates that a separate checker accepts."""

from hexlogic.players.solver.certificate import make_certificate
from hexlogic.players.solver.checker import Refused, check_certificate, claim, has_turn, read_certificate
from hexlogic.players.solver.openings import Openings, SearchedOpening, solve_openings
from hexlogic.players.solver.solver import MOST_CELLS, Solution, Solver, player_to_move

__all__ = [
    "MOST_CELLS",
    "Openings",
    "Refused",
    "SearchedOpening",
    "Solution",
    "Solver",
    "check_certificate",
    "claim",
    "has_turn",
    "make_certificate",
    "player_to_move",
    "read_certificate",
    "solve_openings",
]
