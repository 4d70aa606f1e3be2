"""The messages of the protocol: written ones read back, and a bad one is one line with its place."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hexlogic.errors import HexlogicError
from hexlogic.ggp import read_kif, read_sheet, read_term
from hexlogic.ggp.playing.protocol import Abort, Info, Play, Preview, Start, Stop, read_message, write_message
from hexlogic.language.dialects import render
from tests.ggp.noise import spoilt
from tests.ggp.sheets import GAMES, IDS

match_ids = st.from_regex(r"[^\s();?][^\s();]*", fullmatch=True)
moves = st.sampled_from(["noop", "(place 2 3)", "(mark A -1)", "(m (f 007) o')"]).map(read_term)
joint = st.one_of(st.none(), st.lists(moves, min_size=1, max_size=3).map(tuple))
messages = st.one_of(
    st.just(Info()), st.builds(Play, match_ids, joint), st.builds(Stop, match_ids, joint), st.builds(Abort, match_ids)
)


@given(messages)
def test_messages_read_back(message):
    assert read_message(write_message(message)) == message


@pytest.mark.parametrize("path", GAMES, ids=IDS)
def test_sheets_read_back_from_messages(path):
    sheet = read_kif(render(read_sheet(path), "gdl"))  # equations are replaced when a sheet is written
    start = Start("m.1", read_term("red"), sheet, 30, 15)
    assert read_message(write_message(start)) == start
    assert read_message(write_message(Preview(sheet, 3))) == Preview(sheet, 3)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("info", Info()),
        (" ( Info ) ", Info()),
        ("(PREVIEW ((role a)))", read_message("( preview ( ( ROLE a ) ) 0 )")),
        ("( PLAY m ( ( place 2 3 ) noop ) )", Play("m", (read_term("(place 2 3)"), read_term("noop")))),
        ("(play m((place 2 3)(noop)))", Play("m", (read_term("(place 2 3)"), read_term("noop")))),
        ("(PLAY M nil)", Play("M", None)),
        ("(stop m ())", Stop("m", None)),
        ("(abort 007)", Abort("007")),
    ],
)
def test_spaces_and_case_do_not_matter(text, message):
    assert read_message(text) == message


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("", "1:1: 0 expressions where one message should be"),
        ("(INFO) (INFO)", "1:1: 2 expressions where one message should be"),
        ("()", "1:1: a message begins with a word (as in (INFO))"),
        ("((INFO))", "1:1: a message begins with a word (as in (INFO))"),
        ("(HELLO)", "1:2: unknown message 'HELLO' (INFO, PREVIEW, START, PLAY, STOP or ABORT)"),
        ("(PLAY m)", "1:2: PLAY with 1 arguments"),
        ("(PLAY (m) NIL)", "1:7: the name of a match should be a word"),
        ("(PLAY m noop)", "1:9: the moves should be a list or NIL"),
        ("(PLAY m (?x))", "1:10: the variable ?x in a term that should be ground"),
        ("(START m a ((role a)) 10 -5)", "1:26: a clock should be a number of seconds"),
        ("(START m a ((role a)) 10 9999999999)", "1:26: a clock should be a number of seconds"),
        ("(START m a rules 10 5)", "1:12: the rules should be a list"),
        ("(START m a\n ((role ?x)) 10 5)", "<message>:2:3: variable X is unsafe in `role(X).`"),
        ("(START m a ((role a)", "1:1: this parenthesis is never closed"),
    ],
)
def test_a_bad_message_is_one_line(text, line):
    with pytest.raises(HexlogicError) as caught:
        read_message(text)
    assert str(caught.value).startswith(line)


@settings(max_examples=500)
@given(st.one_of(st.text(max_size=60), spoilt()))
def test_any_text_is_a_message_or_an_error(text):
    try:
        message = read_message(text)
    except HexlogicError:
        return
    assert read_message(write_message(message)) == message
