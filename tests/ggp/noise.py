"""Bytes that a player may be sent: noise, broken HTTP, and messages with something wrong in them."""

from __future__ import annotations

import socket

from hypothesis import strategies as st

from tests.waiting import HANG_S

_MESSAGES = [
    "(INFO)",
    "(PREVIEW ((role a)) 1)",
    "(START m a ((role a) (legal a b) (<= (next ?x) (true ?x)) (<= terminal (true x)) (goal a 0)) 0 1)",
    "(START n red ((role red) (role blue) (init 1) (<= (legal ?r x) (role ?r))) 0 0)",
    "(PLAY m NIL)",
    "(PLAY m (b))",
    "( play n ( ( mark 1 1 ) noop ) )",
    "(STOP m (b))",
    "(ABORT n)",
]
_PIECES = ["(", ")", " ", "m", "a", "?x", "NIL", "<=", "not", "or", ";", "\n", "\x00", "é", "START", "PLAY", "9" * 30]


@st.composite
def spoilt(draw: st.DrawFn) -> str:
    """A message with a stretch of it cut out or replaced."""
    text = draw(st.sampled_from(_MESSAGES))
    start = draw(st.integers(0, len(text)))
    end = draw(st.integers(start, min(len(text), start + 12)))
    return text[:start] + draw(st.sampled_from(["", *_PIECES])) + text[end:]


_bodies = st.one_of(
    st.sampled_from(_MESSAGES).map(str.encode),
    spoilt().map(str.encode),
    st.lists(st.sampled_from(_PIECES), max_size=40).map(lambda parts: "".join(parts).encode()),
    st.binary(max_size=200),
)


@st.composite
def _posts(draw: st.DrawFn) -> bytes:
    body = draw(_bodies)
    length = draw(st.sampled_from([len(body)] * 6 + [0, len(body) - 1, -1, 10**30, "x", "+3", "²"]))
    name = draw(st.sampled_from(["Content-Length"] * 8 + ["content-length ", "X"]))
    return f"POST / HTTP/1.{draw(st.sampled_from('01'))}\r\n{name}: {length}\r\n\r\n".encode() + body


requests = st.one_of(
    _posts(),
    st.binary(max_size=300),
    st.builds(
        lambda head, tail: head + tail, st.sampled_from([b"POST ", b"GET / HTTP/1.1\r\n"]), st.binary(max_size=80)
    ),
)


def send(port: int, data: bytes) -> bytes:
    """What the server says to these bytes, until it closes the connection."""
    with socket.create_connection(("127.0.0.1", port), timeout=HANG_S) as connection:
        try:
            connection.sendall(data)
            connection.shutdown(socket.SHUT_WR)
            parts = []
            while part := connection.recv(65536):
                parts.append(part)
        except ConnectionError:
            return b""
        return b"".join(parts)


def post(port: int, text: str) -> tuple[int, str]:
    """The status and the body of the answer to a message."""
    body = text.encode()
    head = f"POST / HTTP/1.0\r\nContent-type: text/acl\r\nContent-length: {len(body)}\r\n\r\n"
    answer = send(port, head.encode() + body).decode()
    top, _, content = answer.partition("\r\n\r\n")
    return int(top.split()[1]), content
