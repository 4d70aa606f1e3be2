"""The player behind HTTP: answers on loopback, and nothing that is sent to it stops it."""

from __future__ import annotations

import socket
import struct
import threading
from contextlib import ExitStack, closing, contextmanager, suppress

import pytest
from hypothesis import given, settings

from hexlogic.errors import HexlogicError
from hexlogic.ggp import StateMachine, read_term
from hexlogic.ggp.playing import Player, choose_strategy
from hexlogic.ggp.playing.player import LARGEST_BODY, GameServer
from hexlogic.ggp.playing.protocol import Start, write_message
from hexlogic.process import http
from tests.ggp.noise import post, requests, send
from tests.ggp.sheets import load
from tests.waiting import HANG_S, wait_for

HERE = "((name hexlogic) (status available))"


@contextmanager
def serving(**options):
    logged = []
    player = Player(choose_strategy("random"), make=lambda sheet: StateMachine.from_sheet(sheet, "clingo"))
    player.log = logged.append
    with GameServer(player, port=0, **options) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        try:
            yield server, logged
        finally:
            server.shutdown()
            thread.join()
            player.close()


@pytest.fixture(scope="module")
def port():
    with serving() as (server, logged):
        yield server.server_address[1]
        assert not [line for line in logged if "internal" in line]


def test_a_match_over_http(port):
    start = write_message(Start("h", read_term("robot"), load("counter"), 5, 5))
    assert post(port, "(info)") == (200, HERE)
    assert post(port, start) == (200, "READY")
    status, move = post(port, "( PLAY h NIL )")
    assert (status, move in ("WAIT", "press-++", "press-x2")) == (200, True)
    assert post(port, f"(STOP h ({move}))") == (200, "DONE")
    assert post(port, "(PLAY h NIL)") == (200, "busy")


def test_the_answer_is_acl_with_its_length(port):
    head, _, body = send(port, b"POST / HTTP/1.0\r\nContent-Length: 4\r\n\r\nINFO").decode().partition("\r\n\r\n")
    lines = head.lower().split("\r\n")
    assert lines[0] == "http/1.1 200 ok"
    assert "content-type: text/acl; charset=utf-8" in lines
    assert f"content-length: {len(body)}" in lines


@pytest.mark.parametrize(
    ("request_", "status", "text"),
    [
        (b"POST / HTTP/1.0\r\nContent-Length: 5\r\n\r\n(play", 400, "1:1: this parenthesis is never closed"),
        (b"POST / HTTP/1.0\r\nContent-Length: 2\r\n\r\n\xff\xfe", 400, "the message is not UTF-8 text"),
        (b"POST / HTTP/1.0\r\nContent-Length: 9\r\n\r\n(INFO)", 400, "the request is shorter than it says"),
        (b"POST / HTTP/1.0\r\n\r\n(INFO)", 411, "a message needs its Content-Length"),
        (b"POST / HTTP/1.0\r\nContent-Length: -6\r\n\r\n(INFO)", 400, "Invalid HTTP request"),
        (b"GET / HTTP/1.0\r\n\r\n", 405, "this is a general game player"),
        (b"HEAD / HTTP/1.0\r\n\r\n", 405, ""),
        (b"BREW / HTTP/1.0\r\n\r\n", 405, "this is a general game player"),
        (b"\x00\x01\x02\r\n\r\n", 400, "Invalid HTTP request"),
        (b"POST " + b"x" * 70_000 + b" HTTP/1.0\r\n\r\n", 411, "a message needs its Content-Length"),
    ],
)
def test_what_is_no_message_gets_a_line(port, request_, status, text):
    answer = send(port, request_).decode()
    assert f" {status} " in answer.partition("\r\n")[0]
    assert answer.partition("\r\n\r\n")[2].startswith(text)
    assert post(port, "INFO") == (200, HERE)


def test_a_body_that_is_too_large_is_taken_off_the_line_and_refused(port):
    size = LARGEST_BODY + 1
    answer = send(port, f"POST / HTTP/1.0\r\nContent-Length: {size}\r\n\r\n".encode() + b"(" * size)
    assert b" 413 " in answer.partition(b"\r\n")[0]


def test_an_error_of_our_own_is_told_and_the_server_goes_on():
    def broken(sheet):
        raise RuntimeError("out of order")

    with serving() as (server, logged):
        server.player.make = broken
        port = server.server_address[1]
        start = write_message(Start("h", read_term("robot"), load("counter"), 5, 5))
        for _ in range(2):  # and the match is not kept
            assert post(port, start) == (500, "internal error, told in the log of the player")
        assert logged == ["internal error: RuntimeError: out of order"] * 2
        assert post(port, "INFO") == (200, HERE)


@settings(max_examples=300, deadline=None)
@given(requests)
def test_any_bytes_leave_the_server_running(port, data):
    send(port, data)
    assert post(port, "(INFO)")[1].startswith("((name hexlogic)")


def test_a_request_that_does_not_arrive_is_given_up():
    with serving(arrival_s=0.2) as (server, logged):
        address = server.server_address[:2]
        for told in (b"", b"POST / HT", b"POST / HTTP/1.0\r\nContent-Length: 50\r\n\r\n(PLAY"):
            with socket.create_connection(address, timeout=HANG_S) as connection:
                connection.sendall(told)
                assert connection.recv(1000) == b""
        server.arrival_s = HANG_S
        assert post(address[1], "INFO") == (200, HERE)
        assert logged == []


def test_a_request_that_drips_is_given_up():
    """A byte at a time, each of them soon enough: what counts is when the request began."""
    with serving(arrival_s=0.3) as (server, _):
        with socket.create_connection(server.server_address, timeout=HANG_S) as connection:
            connection.setblocking(False)

            def given_up():
                with suppress(BlockingIOError):
                    connection.send(b"x")
                try:
                    return connection.recv(10) == b""
                except BlockingIOError:
                    return False
                except ConnectionError:
                    return True

            assert wait_for(given_up)
        server.arrival_s = HANG_S
        assert post(server.server_address[1], "INFO") == (200, HERE)


def test_a_request_a_byte_at_a_time_is_answered(port):
    with socket.create_connection(("127.0.0.1", port), timeout=HANG_S) as connection:
        connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        for byte in b"POST / HTTP/1.0\r\nContent-Length: 6\r\n\r\n(INFO)":
            connection.sendall(bytes([byte]))
        assert connection.makefile("rb").read().endswith(HERE.encode())


def test_whoever_has_said_everything_may_close_its_half(port):
    """`send` does so after every request; here what is said is not enough, or too much."""
    assert send(port, b"") == b""
    assert send(port, b"POST / HTTP/1.0\r\nContent-Length: 6\r\n\r\n(INFO)(INFO)").endswith(HERE.encode())
    assert b" 400 " in send(port, b"POST / HTTP/1.0\r\nContent-Length: 60\r\n\r\n(INFO)")


def test_who_leaves_without_reading_is_no_error():
    with serving() as (server, logged):
        for _ in range(20):
            with socket.create_connection(server.server_address, timeout=HANG_S) as connection:
                connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))  # leave by a reset
                connection.sendall(b"POST / HTTP/1.0\r\nContent-Length: 6\r\n\r\n(INFO)")
        assert post(server.server_address[1], "INFO") == (200, HERE)
        assert logged == []


def test_of_too_many_connections_the_oldest_is_closed(monkeypatch):
    monkeypatch.setattr(http, "_CONNECTIONS", 3)
    with serving(arrival_s=HANG_S) as (server, _), ExitStack() as stack:
        idle = [stack.enter_context(socket.create_connection(server.server_address, timeout=HANG_S)) for _ in range(5)]
        for connection in idle[:2]:
            assert connection.recv(10) == b""
        assert post(server.server_address[1], "INFO") == (200, HERE)
        assert idle[2].recv(10) == b""  # it made room for that
        idle[4].sendall(b"POST / HTTP/1.0\r\nContent-Length: 6\r\n\r\n(INFO)")
        assert idle[4].makefile("rb").read().endswith(HERE.encode())


def test_of_too_many_unfinished_bytes_the_oldest_is_closed(monkeypatch):
    monkeypatch.setattr(http, "_UNFINISHED", 100_000)
    head = b"POST / HTTP/1.0\r\nContent-Length: 90000\r\n\r\n"
    with serving(arrival_s=HANG_S) as (server, logged), ExitStack() as stack:
        slow = [stack.enter_context(socket.create_connection(server.server_address, timeout=HANG_S)) for _ in range(2)]
        for connection in slow:
            connection.sendall(head + b"(" * 80_000)
        assert _closed(slow[0])
        slow[1].sendall(b"(" * 10_000)
        assert b" 400 " in slow[1].makefile("rb").readline()
        assert post(server.server_address[1], "INFO") == (200, HERE)
        assert not [line for line in logged if "internal" in line]


def _closed(connection):
    try:
        return connection.recv(10) == b""
    except ConnectionError:  # there was more to read
        return True


def test_the_port_is_open_only_when_it_listens():
    player = Player(choose_strategy("random"))
    with closing(GameServer(player, port=0)) as server:
        with pytest.raises(ConnectionRefusedError):
            socket.create_connection(server.server_address, timeout=HANG_S)
        with closing(GameServer(player, port=server.server_address[1])) as rival:
            server.listen()
            socket.create_connection(server.server_address, timeout=HANG_S).close()
            with pytest.raises(HexlogicError, match="in use"):
                rival.listen()
        with pytest.raises(HexlogicError, match="in use"):
            GameServer(player, port=server.server_address[1])


def test_a_server_that_was_shut_down_before_it_began_ends_at_once():
    with GameServer(Player(choose_strategy("random")), port=0) as server:
        server.shutdown()
        server.serve_forever()
        server.shutdown()


def test_a_page_of_another_site_cannot_start_a_match(port):
    start = write_message(Start("h", read_term("robot"), load("counter"), 5, 5))
    for line in ("Host: example.org", f"Host: 127.0.0.1:{port}\r\nOrigin: http://example.org"):
        head = f"POST / HTTP/1.1\r\n{line}\r\nContent-Type: text/plain\r\nContent-Length: {len(start)}\r\n\r\n"
        assert send(port, (head + start).encode()).split()[1] in (b"400", b"403")
    assert post(port, "(info)") == (200, HERE)
