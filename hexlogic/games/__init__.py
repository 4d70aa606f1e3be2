"""Connection games: boards, positions, notation, drawing, winning chains and the referee."""

from hexlogic.games.boards import NamedBoard, all_boards, board_names, load_board
from hexlogic.games.chains import (
    chain_length_bound,
    chordless_chains,
    count_winning_sets,
    longest_chordless_chain,
    one_per_column_chain,
    winning_sets,
)
from hexlogic.games.draw import draw_text
from hexlogic.games.families import expand_series, family_of
from hexlogic.games.hex import BLUE, PLAYERS, RED, Hex, Player, check_player, column_name, opponent
from hexlogic.games.notation import parse_position
from hexlogic.games.oracle import groups, has_won, winner, winning_chain
from hexlogic.games.position import Position
from hexlogic.games.svg import draw_svg

__all__ = [
    "BLUE",
    "PLAYERS",
    "RED",
    "Hex",
    "NamedBoard",
    "Player",
    "Position",
    "all_boards",
    "board_names",
    "chain_length_bound",
    "check_player",
    "chordless_chains",
    "column_name",
    "count_winning_sets",
    "draw_svg",
    "draw_text",
    "expand_series",
    "family_of",
    "groups",
    "has_won",
    "load_board",
    "longest_chordless_chain",
    "one_per_column_chain",
    "opponent",
    "parse_position",
    "winner",
    "winning_chain",
    "winning_sets",
]
