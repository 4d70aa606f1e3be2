"""Connection games: boards, positions, notation, drawing, winning chains and the referee."""

from hexlogic.games.boards import (
    Moves,
    NamedBoard,
    all_boards,
    board_names,
    expand_series,
    family_of,
    load_board,
    load_game_record,
    random_moves,
)
from hexlogic.games.chains import chain_length_bound, chordless_chains, winning_sets
from hexlogic.games.drawing import draw_svg, draw_text
from hexlogic.games.game import BLUE, PLAYERS, RED, Game, Player, check_player, column_name, opponent
from hexlogic.games.kinds import game_names, load_game, register_game, rules_of_game, unregister_game
from hexlogic.games.kinds.hex import Hex, as_hex
from hexlogic.games.notation import parse_position
from hexlogic.games.position import Position, groups, has_won, winner, winning_chain

__all__ = [
    "BLUE",
    "PLAYERS",
    "RED",
    "Game",
    "Hex",
    "Moves",
    "NamedBoard",
    "Player",
    "Position",
    "all_boards",
    "as_hex",
    "board_names",
    "chain_length_bound",
    "check_player",
    "chordless_chains",
    "column_name",
    "draw_svg",
    "draw_text",
    "expand_series",
    "family_of",
    "game_names",
    "groups",
    "has_won",
    "load_board",
    "load_game",
    "load_game_record",
    "opponent",
    "parse_position",
    "random_moves",
    "register_game",
    "rules_of_game",
    "unregister_game",
    "winner",
    "winning_chain",
    "winning_sets",
]
