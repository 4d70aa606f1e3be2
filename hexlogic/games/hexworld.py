"""Links to the board of hexworld.org: `#11c1,c2:sa3:rw` is a size, options, moves in turn.

`:s` swaps the pieces, `:p` passes, `:rb` and `:rw` resign for black (who moves first) and white, `:fb` and `:fw`
forfeit. What follows a second comma are moves that the viewer has not shown yet. Cells as in `field_convention`.
"""

from __future__ import annotations

import re

from hexlogic.errors import PositionError
from hexlogic.games.field_convention import COLOURS, field_board, field_name, own_cell
from hexlogic.games.field_play import play_in_field
from hexlogic.games.game_record import GameRecord, in_turn
from hexlogic.games.game_state import PASS, RESIGN, SWAP_PIECES, Action, GameState, Turn
from hexlogic.games.players import RED, Player
from hexlogic.games.source import SourceText, shown

ADDRESS = "https://hexworld.org/board/"

_LINK = re.compile(r"\s*(?:\S*?#)?(\d{1,3})((?:n|r\d+|c\d+|[a-z]\d*)*)(?:,(\S*?))?\s*")
_TOKEN = re.compile(r"[a-z]+\d+|:s|:p|:[rf][bw]|,")
_SHOWN_OPTIONS = "c1"
"""Red and blue stones instead of black and white ones."""


def read_hexworld(text: str, *, file: str | None = None) -> GameRecord:
    """The game of a link, or of the part after its `#`. Raises PositionError with its place.

    >>> game = read_hexworld("https://hexworld.org/board/#5c1,c2:sa1:rw")
    >>> [turn.action for turn in game.turns], game.winner
    ([12, 'swap-pieces', 1, 'resign'], 'red')
    """
    source = SourceText.of(text, file)
    match = _LINK.fullmatch(source.text)
    if match is None:
        raise source.error("this is no link to a HexWorld board", 0, "such as #11c1,a3b4:s")
    size = int(match[1])
    with source.told_at(match.start(1)):
        state = GameState(field_board(size, size))
    at, moves = 0, match[3] or ""
    while at < len(moves):
        token = _TOKEN.match(moves, at)
        place = match.start(3) + at
        if token is None:
            raise source.error(f"{shown(moves[at:])} is no move", place, "a cell such as c4, :s, :p, :rb or :rw")
        with source.told_at(place):
            _play(state, token[0])
        at = token.end()
    return GameRecord(state.board, tuple(state.turns), winner=state.winner)


def write_hexworld(record: GameRecord) -> str:
    """The link to the game. Raises PositionError for what no link can say: another board than a square one, players
    who do not alternate, sides that were exchanged.

    >>> from hexlogic.games.kinds.hex.board import Hex
    >>> write_hexworld(GameRecord(Hex(5, 5), (Turn("red", 12), Turn("blue", "swap-pieces"))))
    'https://hexworld.org/board/#5c1,c2:s'
    """
    board = record.board
    if board.rows != board.columns:
        raise PositionError(f"a HexWorld link needs a square board, not {board.size_text}")
    if not in_turn(record.turns):
        raise PositionError("a HexWorld link needs players who alternate, red first")
    words = "".join(_word(record, turn) for turn in record.turns)
    return f"{ADDRESS}#{board.rows}{_SHOWN_OPTIONS}" + (f",{words}" if words else "")


def _word(record: GameRecord, turn: Turn) -> str:
    if isinstance(turn.action, int):
        return field_name(record.board, turn.action)
    words: dict[Action, str] = {SWAP_PIECES: ":s", PASS: ":p", RESIGN: ":rb" if turn.player == RED else ":rw"}
    if turn.action not in words:
        raise PositionError(f"a HexWorld link has no word for {turn.action}")
    return words[turn.action]


def _play(state: GameState, token: str) -> None:
    player: Player = state.to_move
    action: Action
    match token:
        case ",":
            return
        case ":s":
            action = SWAP_PIECES
        case ":p":
            action = PASS
        case ":rb" | ":rw" | ":fb" | ":fw":
            player, action = COLOURS[token[2]], RESIGN
        case _:
            action = own_cell(state.board, token)
    play_in_field(state, player, action)
