"""Readings and, above all, misreadings: each error with its exact place."""

from __future__ import annotations

import json

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from hexlogic.errors import PositionError, SizeError
from hexlogic.games import Hex, Position, parse_position

NINE = Hex.square(9)


@pytest.mark.parametrize(
    "text",
    [
        "RR.\n.BR",
        "R R .\n . B R\n",
        "  r r .\n\n. b r",
        "# winner: none\n% a comment\nRR.\n   # another\n.BR",
        "  a b c\n1 R R . 1\n 2 . B R 2\n    a b c\n",
        "a b c\nR R .\n. B R",
        "2x3 red a1, red b1, red c2, blue b2",
        "2X3\nRED A1\nR B1; red c2\nb b2",
        "size 2x3\n# comment\nred a1, red b1, red c2,\nblue b2,",
        '{"game":"hex","rows":2,"columns":3,"red":["a1","b1","c2"],"blue":["b2"]}',
        '{"rows":2,"columns":3,"red":[1, 2, 6],"blue":[5]}',
        '{"rows":2,"columns":3,"moves":["red a1","red b1","Blue b2","red c2"], "idea": "x", "winner": null}',
        '\n\n {"red": ["a1", "b1", "C2"], "columns": 3, "blue": ["b2"], "rows": 2}\n',
    ],
)
def test_readings_of_the_same_position(text: str) -> None:
    assert parse_position(text) == Position.of(Hex(2, 3), red=["a1", "b1", "c2"], blue=["b2"])


@pytest.mark.parametrize(
    ("text", "size"),
    [
        ("f6 e5 d4", 9),
        ("red f6, blue e5, red d4", (9, 9)),
        ("f6,e5\nd4", NINE),
        ("size 9: f6 e5 d4".replace(":", ","), None),
        ("9 f6 e5 d4", None),
        ("red f6\nblue e5\nred d4", 9),
        ('{"red": ["f6", "d4"], "blue": ["e5"]}', 9),
        ('{"size": 9, "moves": ["f6", "e5", "d4"]}', None),
    ],
)
def test_sizes_from_either_place(text: str, size: int | tuple[int, int] | Hex | None) -> None:
    assert parse_position(text, size=size) == Position.of(NINE, red=["f6", "d4"], blue=["e5"])


def test_boards_of_few_signs() -> None:
    assert parse_position("B").blue == {1}
    assert parse_position(".").game == Hex(1, 1)
    assert parse_position("R B").game == Hex(1, 2)
    assert parse_position("r\nb").game == Hex(2, 1)
    assert parse_position("size 3").game == Hex(3, 3)
    assert parse_position("size 1\na1").red == {1}


BAD = [
    # text, size, line, column, part of the message
    ("", None, 1, 1, "no position here"),
    ("  \n# only a comment\n", None, 1, 1, "no position here"),
    ("y\u2003", None, 1, 1, "no position here"),
    ("RR.\n.XR", None, 2, 2, "'X' is no stone"),
    ("# c\n R R .\n  . é R", None, 3, 5, "'é' is no stone"),
    ("R1.\n...", None, 1, 2, "'1' is no stone"),
    ("RR.\n.B", None, 2, 3, "row 2 has 2 cells, other rows have 3"),
    ("R R .\n . B . R\n", None, 2, 8, "row 2 has 4 cells, other rows have 3"),
    ("RR\n...\n...", None, 1, 3, "row 1 has 2 cells, other rows have 3"),
    ("..\n..", 3, 1, 1, "2x2, but the size asked for is 3x3"),
    ("." * 99, None, 1, 1, "cannot have 99 columns"),
    ("red f6", None, 1, 1, "needs the size"),
    ("# x\n red f6", None, 2, 2, "needs the size"),
    ("size", None, 1, 5, "number after 'size' is missing"),
    ("size nine f6", None, 1, 6, "'nine' is not a size"),
    ("size 9x f6", None, 1, 6, "'9x' is not a size"),
    ("0x9 a1", None, 1, 1, "cannot have 0 rows"),
    ("size 0\na1", None, 1, 6, "cannot have 0 rows"),
    ("size 99999999999999 a1", None, 1, 6, "is not a size"),
    ("size 9, red f6", 5, 1, 6, "9x9, but the size asked for is 5x5"),
    ("size 9\nred f6, green e5", None, 2, 9, "unknown colour 'green'"),
    ("green e5", 9, 1, 1, "unknown colour 'green'"),
    ("red f6,\n blue f6", 9, 2, 7, "cell f6 is given twice"),
    ("red f6, red F6", 9, 1, 13, "cell f6 is given twice"),
    ("red f6, blue j1", 9, 1, 14, "cell j1 is off the 9x9 board"),
    ("f6 e5 a10", 9, 1, 7, "cell a10 is off the 9x9 board"),
    ("red f6, e5", 9, 1, 9, "has no colour"),
    ("f6, blue e5", 9, 1, 5, "begins with a colour"),
    ("red f6, blue", 9, 1, 13, "no cell after 'blue'"),
    ("red f6, blue 5e", 9, 1, 14, "'5e' is not a cell"),
    ("f6 " + "q" * 500 + "7", 9, 1, 4, "is not a cell of this board"),
    ('{"size": 9,\n "red": ["a1",]}', None, 2, 15, "broken JSON"),
    ('{"size": 9', None, 1, 11, "broken JSON"),
    ("[" * 100_000, None, 1, 1, "broken JSON"),
    ('{"size": ' + "9" * 9999 + "}", None, 1, 1, "broken JSON"),
    ("[1, 2]", None, 1, 1, "not an object"),
    ('{"size": 9,\n "rde": []}', None, 2, 2, "unknown key 'rde'"),
    ('{"size": 9, "game": "go"}', None, 1, 21, "unknown game 'go'"),
    ('{"red": []}', None, 1, 1, "'size' is missing"),
    ('{"rows": 3}', None, 1, 1, "'columns' is missing"),
    ('{"columns": 3}', 3, 1, 1, "'rows' is missing"),
    ('{"size": "9"}', None, 1, 10, "size must be a whole number"),
    ('{"size": true}', None, 1, 10, "size must be a whole number"),
    ('{"size": 0}', None, 1, 10, "cannot have 0 rows"),
    ('{"size": 9, "rows": 8}', None, 1, 10, "disagree"),
    ('{"size": 9}', 8, 1, 10, "9x9, but the size asked for is 8x8"),
    ('{"size": 9, "red": "a1"}', None, 1, 20, "red must be a list"),
    ('{"size": 9,\n"red": ["a1", "z9"]}', None, 2, 15, "cell z9 is off the 9x9 board"),
    ('{"size": 9, "red": ["a1"],\n"blue": ["b1", "a1"]}', None, 2, 16, "cell a1 is given twice"),
    ('{"size": 9, "red": [82]}', None, 1, 21, "cell '82' is off"),
    ('{"size": 9, "red": [[1], null]}', None, 1, 21, "is not a cell"),
    ('{"size": 9, "red": [1, null]}', None, 1, 24, "'null' is not a cell"),
    ('{"size": 9, "moves": ["a1", "red b1"]}', None, 1, 29, "begins with a colour"),
    ('{"size": 9, "moves": ["red a1", "b1"]}', None, 1, 33, "has no colour"),
    ('{"size": 9, "moves": ["tan a1"]}', None, 1, 23, "unknown colour 'tan'"),
    ('{"size": 9, "moves": ["a1 b1 c1"]}', None, 1, 23, "is not a move"),
    ('{"size": 9, "moves": [""]}', None, 1, 23, "is not a move"),
    ('{"size": 9, "red": [], "red": [1]}', None, 1, 24, "a key is given twice"),
    ('{"name": {"x": ["}", {}]}, "size": 3, "red": ["d1"]}', None, 1, 47, "cell d1 is off"),
]


@pytest.mark.parametrize(("text", "size", "line", "column", "message"), BAD, ids=range(len(BAD)))
def test_bad_input_names_its_place(text: str, size: int | None, line: int, column: int, message: str) -> None:
    with pytest.raises(PositionError) as caught:
        parse_position(text, file="my board.txt", size=size)
    error = caught.value
    assert message in error.message
    assert (error.file, error.line, error.column) == ("my board.txt", line, column)
    assert error.hint
    assert "\n" not in str(error)
    assert len(str(error)) < 300
    with pytest.raises(PositionError, match=r"^<text>:"):
        parse_position(text, size=size)


def test_size_argument_that_no_board_has() -> None:
    with pytest.raises(SizeError):
        parse_position("red a1", size=0)


def assert_read_or_refused(text: str) -> None:
    """A position, or an error that has a place: nothing else may come out of a reader."""
    refused = None
    try:
        parse_position(text)
    except PositionError as error:
        refused = error
    assert refused is None or (refused.line is not None and refused.column is not None)


@example("a\n1")
@example("a b\n1 RB\n2\n")
@given(st.text(alphabet='RrBb. \n\t\r#{}[]":,a1x90size\\', max_size=60))
def test_any_text_is_a_position_or_a_position_error(text: str) -> None:
    assert_read_or_refused(text)


@given(
    st.recursive(
        st.none()
        | st.booleans()
        | st.integers()
        | st.floats()
        | st.text(max_size=5)
        | st.sampled_from(["a1", "red b1"]),
        lambda inner: (
            st.lists(inner, max_size=3)
            | st.dictionaries(
                st.sampled_from(["game", "size", "rows", "columns", "red", "blue", "moves", "name", "x"]),
                inner,
                max_size=5,
            )
        ),
        max_leaves=12,
    )
)
def test_any_json_is_a_position_or_a_position_error(value: object) -> None:
    for text in (json.dumps(value), json.dumps({"size": 5, "red": value}), json.dumps({"size": 2, "moves": value})):
        assert_read_or_refused(text)
