"""The policy of all servers of the house: half-open connections, aborted downloads, foreign names and sites, large
bodies."""

from __future__ import annotations

import http.client
import socket
import struct
import threading
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import FileResponse, PlainTextResponse
from starlette.routing import Route

from hexlogic.process.http import HttpServer, read_body
from tests.waiting import HANG_S

HALF_OPEN = [
    b"",
    b"G",
    b"GET / HTTP/1.1\r\nHost: loc",
    b"POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 50\r\n\r\n(",
]
LARGE = 30_000_000
"""Bytes of a download: more than the buffers of a connection hold."""


async def echo(request: Request) -> PlainTextResponse:
    return PlainTextResponse(await read_body(request, 100))


@pytest.fixture
def server(tmp_path: Path) -> Iterator[HttpServer]:
    large = tmp_path / "large"
    large.write_bytes(b"x" * LARGE)

    async def download(request: Request) -> FileResponse:
        return FileResponse(large)

    app = Starlette(routes=[Route("/", echo, methods=["POST"]), Route("/large", download)])
    with HttpServer(app, end_s=1) as served:
        thread = threading.Thread(target=served.serve_forever)
        thread.start()
        yield served
        served.shutdown()
        thread.join()


def ask(server: HttpServer, body: bytes = b"hello", **headers: str) -> tuple[int, bytes]:
    connection = http.client.HTTPConnection(*server.server_address, timeout=HANG_S)
    try:
        connection.request("POST", "/", body, headers)
        answer = connection.getresponse()
        return answer.status, answer.read()
    finally:
        connection.close()


def test_half_open_connections_print_nothing_and_the_server_answers(
    server: HttpServer, capfd: pytest.CaptureFixture[str]
) -> None:
    with ExitStack() as stack:
        for number in range(200):
            connection = stack.enter_context(socket.create_connection(server.server_address, timeout=HANG_S))
            connection.sendall(HALF_OPEN[number % len(HALF_OPEN)])
            if number % 3 == 0:  # leaves by a reset
                connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
                connection.close()
            elif number % 3 == 1:  # says that no more will come
                connection.shutdown(socket.SHUT_WR)
        assert ask(server) == (200, b"hello")
        server.shutdown()  # with a third of them open
    assert capfd.readouterr() == ("", "")


@pytest.mark.parametrize("leaves", ["by a reset", "by an end"])
def test_an_aborted_download_is_no_error(server: HttpServer, capfd: pytest.CaptureFixture[str], leaves: str) -> None:
    for _ in range(20):
        with socket.create_connection(server.server_address, timeout=HANG_S) as connection:
            connection.sendall(b"GET /large HTTP/1.1\r\nHost: localhost\r\n\r\n")
            assert connection.recv(100).startswith(b"HTTP/1.1 200")
            if leaves == "by a reset":
                connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    assert ask(server) == (200, b"hello")
    server.shutdown()
    assert capfd.readouterr() == ("", "")


def test_requests_of_other_names_and_other_sites_are_refused(server: HttpServer) -> None:
    own = f"127.0.0.1:{server.server_address[1]}"
    assert ask(server, Origin=f"http://{own}")[0] == 200
    assert ask(server, Origin="http://example.org")[0] == 403
    assert ask(server, Origin="null")[0] == 403
    assert ask(server, Host="example.org")[0] == ask(server, Host="[::1].example.org:80")[0] == 400
    assert ask(server, Host="localhost")[0] == ask(server, Host="[::1]:80")[0] == 200


def test_a_body_that_is_too_large_is_refused_and_the_connection_goes_on(server: HttpServer) -> None:
    connection = http.client.HTTPConnection(*server.server_address, timeout=HANG_S)
    for body, status in ((b"x" * 1_000_000, 413), (b"x" * 100, 200), (b"x" * 101, 413)):
        connection.request("POST", "/", body)
        answer = connection.getresponse()
        answer.read()
        assert answer.status == status
    connection.close()
