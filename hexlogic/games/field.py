"""Convert between our convention and that of other Hex programs and sites ("the field").

There the first player is black and joins the top with the bottom; here the first player is red and joins left with
right. So black is our red and white our blue, and a cell there is our cell with row and column exchanged. A board of
C columns and R rows there is our board of C rows and R columns.

Games in SGF are read as the field's programs write them, and as littlegolem.net dumps them. The programs write
`GM[11]`, `SZ[columns:rows]`, `B[c4]`, `swap-pieces`, `resign`; columns after z are aa, ab and so on. The dumps have no
`GM`, cells as two letters (column, row), and `swap` for swap-pieces. They are not well formed: closing parentheses and
escapes are missing, and either colour may begin. The colour of the first move is then the one that joins top with
bottom.
"""

import re
from dataclasses import dataclass, field
from typing import Final

from hexlogic.errors import MoveError, PositionError
from hexlogic.games.game import BLUE, PLAYERS, RED, Player
from hexlogic.games.game_state import PASS, RESIGN, SWAP_PIECES, SWAP_SIDES, Action, GameRecord, GameState
from hexlogic.games.kinds.hex import Hex
from hexlogic.games.source import SourceText, shown

COLOURS: Final[dict[str, Player]] = {"b": RED, "black": RED, "w": BLUE, "white": BLUE}
"""The player that each word for a colour means, in lower case."""
WORDS: Final[dict[str, Action]] = {
    "swap-pieces": SWAP_PIECES,
    "swap": SWAP_PIECES,
    "swap-sides": SWAP_SIDES,
    "resign": RESIGN,
    "pass": PASS,
}
"""What a player may do beside a move to a cell, by the words of the Hex Text Protocol and of SGF."""


def colour_of(player: Player) -> str:
    """The field's colour: `black` or `white`.

    >>> colour_of("red")
    'black'
    """
    return "black" if player == RED else "white"


def field_board(columns: int, rows: int) -> Hex:
    """Our board for one that has so many columns and rows in the field's convention. Raises SizeError.

    >>> field_board(columns=5, rows=3)
    Hex(rows=5, columns=3)
    """
    return Hex(columns, rows)


def field_size(board: Hex) -> tuple[int, int]:
    """Columns and rows of our board in the field's convention."""
    return board.rows, board.columns


def field_name(board: Hex, cell: int) -> str:
    """The name of our cell in the field's convention.

    >>> field_name(Hex(9, 9), Hex(9, 9).parse_cell("c4"))
    'd3'
    """
    return board.transposed.cell_name(board.transpose(cell))


def own_cell(board: Hex, name: str) -> int:
    """Our cell for a name in the field's convention. Raises PositionError.

    >>> Hex(9, 9).cell_name(own_cell(Hex(9, 9), "d3"))
    'c4'
    """
    mirror = board.transposed
    return mirror.transpose(mirror.parse_cell(name))


def read_move(board: Hex, word: str) -> Action:
    """The action that a word of the field means, in upper or lower case. Raises PositionError.

    >>> read_move(Hex(9, 9), "C4"), read_move(Hex(9, 9), "swap-pieces")
    (22, 'swap-pieces')
    """
    return WORDS.get(word.lower()) or own_cell(board, word)


def move_word(board: Hex, action: Action) -> str:
    """The word of the field for an action."""
    return field_name(board, action) if isinstance(action, int) else action


def play_in_field(state: GameState, player: Player, action: Action) -> None:
    """Carry out one turn. Raises MoveError with the field's names and colours.

    >>> state = GameState(Hex(3, 3))
    >>> play_in_field(state, "red", 2)
    >>> play_in_field(state, "blue", 2)
    Traceback (most recent call last):
    hexlogic.errors.MoveError: cell a2 is already black
    """
    if state.winner is not None:
        raise MoveError(f"the game is over: {colour_of(state.winner)} has won")
    if isinstance(action, int) and (sign := state.cells[action - 1]):
        owner = colour_of(PLAYERS[sign - 1])
        raise MoveError(f"cell {field_name(state.board, action)} is already {owner}")
    state.play(player, action)


_VALUE = re.compile(r"\[((?:[^\]\\]|\\.)*)\]", re.DOTALL)
_TOKEN = re.compile(rf"[(;)\[\]]|(?P<name>[A-Za-z]+)\s*(?P<values>(?:{_VALUE.pattern}\s*)*)", re.DOTALL)
_NEW_GAME = re.compile(r"\(\s*;\s*(FF|GM|EV)\[")
"""The beginning of another game where the last one was never closed."""
_SIZE = re.compile(r"\s*(\d{1,3})\s*(?::\s*(\d{1,3})\s*)?")
_LETTERS: Final[dict[Player, str]] = {RED: "B", BLUE: "W"}
_DUMPED_SIZE: Final = "13"
"""The board of a dumped game without a size."""
_LARGEST_DUMPED: Final = 26
_DUMPED_WORDS: Final[dict[str, Action]] = {"swap": SWAP_PIECES, "resign": RESIGN, "pass": PASS}


def read_sgf(source: SourceText) -> tuple[GameRecord, ...]:
    """The games of a collection, the main line of each. Raises PositionError with its place.

    >>> (game,) = read_sgf(SourceText("(;GM[11]SZ[5];B[c2];W[swap-pieces];B[a1])", "x"))
    >>> [game.board.cell_name(turn.action) for turn in game.turns[::2]]
    ['b3', 'a1']
    """
    return tuple(_game(source, nodes) for nodes in main_lines(source))


def write_sgf(record: GameRecord) -> str:
    """The game as SGF text, one line for the header and one for ten moves; ends with a line end.

    >>> from hexlogic.games.game_state import Turn
    >>> print(write_sgf(GameRecord(Hex(3, 5), (Turn("red", 2), Turn("blue", 1)))), end="")
    (;FF[4]CA[UTF-8]AP[hexlogic]GM[11]SZ[3:5]
    ;B[a2];W[a1])
    """
    columns, rows = field_size(record.board)
    size = f"{columns}" if columns == rows else f"{columns}:{rows}"
    header = f"(;FF[4]CA[UTF-8]AP[hexlogic]GM[11]SZ[{size}]{_names(record)}"
    if record.comment:
        header += f"GC[{escape(record.comment)}]"
    if record.winner is not None:
        is_resigned = bool(record.turns) and record.turns[-1].action == RESIGN
        header += f"RE[{_LETTERS[record.winner]}+{'Resign' if is_resigned else ''}]"
    words = [f";{_LETTERS[turn.player]}[{move_word(record.board, turn.action)}]" for turn in record.turns]
    lines = ["".join(words[begin : begin + 10]) for begin in range(0, len(words), 10)]
    return "\n".join([header, *lines]) + ")\n"


def read_little_golem(source: SourceText) -> tuple[GameRecord, ...]:
    """The games of a dump. Raises PositionError with its place.

    >>> (game,) = read_little_golem(SourceText("(;FF[4]PB[eve]PW[bob]SZ[13];W[ab];B[swap];W[cc];B[resign]", "x"))
    >>> [turn.action for turn in game.turns], game.red_name, game.winner
    ([2, 'swap-pieces', 29, 'resign'], 'bob', 'red')
    """
    return tuple(_game(source, nodes, dumped=True) for nodes in main_lines(source, lenient=True))


def write_little_golem(record: GameRecord) -> str:
    """The game as in a dump, black first. Raises PositionError for boards that dumps have no names for."""
    board = record.board
    if board.rows != board.columns or board.rows > _LARGEST_DUMPED:
        what = f"a Little Golem dump needs a square board of at most {_LARGEST_DUMPED}"
        raise PositionError(f"{what}, not {board.size_text}")
    header = f"(;FF[4]{_names(record)}SZ[{board.rows}]"
    if record.winner is not None:
        header += f"RE[{_LETTERS[record.winner]}]"
    words = [f";{_LETTERS[turn.player]}[{_dumped_word(board, turn.action)}]" for turn in record.turns]
    return f"{header}{''.join(words)})\n"


def _names(record: GameRecord) -> str:
    names = (("EV", record.event), ("PB", record.red_name), ("PW", record.blue_name))
    return "".join(f"{name}[{escape(text)}]" for name, text in names if text)


def _dumped_word(board: Hex, action: Action) -> str:
    if isinstance(action, int):
        # Column and row there are row and column here.
        return "".join(chr(ord("a") + place - 1) for place in board.place(action))
    if action not in _DUMPED_WORDS.values():
        raise PositionError(f"a Little Golem dump has no word for {action}")
    return action.removesuffix("-pieces")


def _game(source: SourceText, nodes: "list[Node]", *, dumped: bool = False) -> GameRecord:
    """The game of some nodes, written as programs do or as it stands in a dump."""
    root = nodes[0]
    kind, size = root.value("GM"), root.value("SZ")
    if kind and kind.text.strip() != "11" and not dumped:
        raise source.error(f"game number {shown(kind.text)} is not Hex", kind.offset, "Hex is GM[11]")
    if size is None and not dumped:
        raise source.error("the game has no size", root.offset, "such as SZ[11] or SZ[9:11]")
    size = size or Value(_DUMPED_SIZE, root.offset)
    match = _SIZE.fullmatch(size.text)
    if match is None:
        raise source.error(f"{shown(size.text)} is not a size", size.offset, "such as 11, or 9:11")
    with source.errors_at(size.offset):
        state = GameState(field_board(int(match[1]), int(match[2] or match[1])))
    # Stones that are set up (AB, AW) count as placed out of turn.
    names = ("B", "W") if dumped else ("AB", "AW", "B", "W")
    moves = [(name[-1], value) for node in nodes for name in names for value in node.properties.get(name, ())]
    red, blue = ("W", "B") if dumped and moves and moves[0][0] == "W" else ("B", "W")
    players: dict[str, Player] = {red: RED, blue: BLUE}
    for colour, value in moves:
        with source.errors_at(value.offset):
            word = value.text.strip().lower()
            action = _dumped_action(state.board, word) if dumped else read_move(state.board, word or PASS)
            play_in_field(state, players[colour], action)
    winner = players.get(root.text("RE").strip()[:1].upper())
    event, comment = root.text("EV"), root.text("GC").strip()
    turns, people = tuple(state.turns), (root.text(f"P{red}"), root.text(f"P{blue}"))
    return GameRecord(state.board, turns, *people, event, comment, winner)


def _dumped_action(board: Hex, word: str) -> Action:
    if word in _DUMPED_WORDS:
        return _DUMPED_WORDS[word]
    if not re.fullmatch("[a-z]{2}", word):
        raise PositionError(f"{shown(word)} is no move", hint="two letters, swap or resign")
    # Column and row there are row and column here.
    row, column = (ord(letter) - ord("a") + 1 for letter in word)
    if row > board.rows or column > board.columns:
        raise PositionError(f"{word} is off the {board.size_text} board")
    return board.cell(row, column)


@dataclass(frozen=True, slots=True)
class Value:
    """The text of a property value, and where it begins in the source."""

    text: str
    offset: int


@dataclass(frozen=True, slots=True)
class Node:
    """The properties of a node in the order of the text; `offset` is where the node begins."""

    offset: int
    properties: dict[str, list[Value]] = field(default_factory=dict)

    def value(self, name: str) -> Value | None:
        """The first value of a property."""
        return next(iter(self.properties.get(name, ())), None)

    def text(self, name: str) -> str:
        """The text of that value, or an empty text."""
        return value.text if (value := self.value(name)) else ""


def escape(text: str) -> str:
    r"""A text as it stands inside the brackets of a value.

    >>> print(escape("a]b\\"))
    a\]b\\
    """
    return text.replace("\\", "\\\\").replace("]", "\\]")


def main_lines(source: SourceText, *, lenient: bool = False) -> list[list[Node]]:
    """The main line of every game in a collection: of variations, the first one. Raises PositionError. `lenient`
    accepts what old dumps leave out: the last parentheses of a game, and text around the games.

    >>> [[list(node.properties) for node in game] for game in main_lines(SourceText("(;A[1];B[2](;C[])(;D[]))", "x"))]
    [[['A'], ['B'], ['C']]]
    """
    games, end = [], 0
    while (begin := source.text.find("(", end)) >= 0:
        if source.text[begin + 1 :].lstrip()[:1] == ";":
            nodes, end = _main_line(source, begin, lenient)
            games.append(nodes)
        elif lenient:
            end = begin + 1
        else:
            raise source.error("a game needs a node after its parenthesis", begin, "such as (;GM[11]...)")
    if not games:
        raise source.error("there is no game here", 0, "SGF begins with (;")
    return games


def _main_line(source: SourceText, begin: int, lenient: bool) -> tuple[list[Node], int]:
    """The nodes of the game whose parenthesis is at `begin`, and where it ends."""
    nodes: list[Node] = []
    node: Node | None = None
    depth, closed = 0, False
    for token in _TOKEN.finditer(source.text, begin):
        match token[0]:
            case "(":
                if lenient and nodes and _NEW_GAME.match(source.text, token.start()):
                    return nodes, token.start()
                depth, node = depth + 1, None
            case ")":
                # What follows at the same depth is another variation: nothing more is kept.
                depth, node, closed = depth - 1, None, True
                if depth == 0:
                    return nodes, token.end()
            case ";":
                node = Node(token.start())
                if not closed:
                    nodes.append(node)
            case _ if token["name"] and node is not None:
                if not token["values"]:
                    what = "has no end" if source.text[token.end() : token.end() + 1] == "[" else "has no value"
                    raise source.error(f"the property {shown(token['name'])} {what}", token.start(), "such as SZ[11]")
                values = node.properties.setdefault("".join(filter(str.isupper, token["name"])), [])
                for value in _VALUE.finditer(source.text, *token.span("values")):
                    values.append(Value(re.sub(r"\\(.)", r"\1", value[1], flags=re.DOTALL), value.start(1)))
            case text:
                raise source.error(f"{text[0]!r} is out of place", token.start(), "expected (, ) or ;")
    if lenient:
        return nodes, len(source.text)
    raise source.error("the game has no end", begin, "its closing parenthesis is missing")
