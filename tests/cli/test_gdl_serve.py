"""`hexlogic gdl serve`: it answers, it ends on Ctrl-C, and one line for what cannot be."""

from __future__ import annotations

import re
import signal
import socket
import subprocess
import sys
import urllib.request
from contextlib import ExitStack, contextmanager

import pytest

from hexlogic.errors import HexlogicError
from hexlogic.ggp.playing import Player
from tests.waiting import HANG_S

INFO = "((name hexlogic) (status available))"


COMMAND = [sys.executable, "-m", "hexlogic", "gdl", "serve", "--port", "0", "--reasoner", "clingo"]


@contextmanager
def serving(**options):
    """The real command and its port; killed at the end if need be."""
    with subprocess.Popen(COMMAND, stderr=subprocess.PIPE, text=True, **options) as server:
        try:
            told = server.stderr.readline()
            port = int(re.fullmatch(r"uct listens on http://127\.0\.0\.1:(\d+) \(Ctrl-C ends it\)\n", told).group(1))
            yield server, port
        finally:
            server.kill()


def post(port, text):
    with urllib.request.urlopen(f"http://127.0.0.1:{port}", text.encode(), timeout=HANG_S) as answer:
        return answer.read().decode()


def ignore_interrupts():
    signal.signal(signal.SIGINT, signal.SIG_IGN)


@pytest.mark.takes_seconds(keep=8)
@pytest.mark.parametrize("preexec_fn", [None, ignore_interrupts], ids=["plain", "SIGINT ignored"])
@pytest.mark.parametrize(("ending", "status"), [(signal.SIGINT, 0), (signal.SIGTERM, 143)])
def test_it_plays_until_it_is_told_to_stop(ending, status, preexec_fn):
    with serving(preexec_fn=preexec_fn) as (server, port):
        assert post(port, "(INFO)") == INFO
        sheet = "(role a) (init s) (legal a b) (<= (next t) (true s)) (<= terminal (true t)) (goal a 100)"
        assert post(port, f"(START m a ({sheet}) 1 1)") == "READY"
        server.send_signal(ending)
        assert server.wait(timeout=HANG_S) == status
        assert re.fullmatch(r"m: a is ready in .* s( \(.*\))?\nstopped\n", server.stderr.read())


def test_it_ends_while_clingo_grounds():
    """gringo cannot be interrupted, and calls back into Python: the interpreter must not end before it. The log says
    that the rules (40^6 of them) are still being ground."""
    variables = " ".join(f"?x{number}" for number in range(6))
    values = " ".join(f"(v ?x{number})" for number in range(6))
    facts = " ".join(f"(v {number})" for number in range(40))
    sheet = (
        f"(role a) (init (n 0)) (base (n 0)) {facts} (<= (legal a (move {variables})) {values})"
        f"(<= (next (n 1)) (does a (move {variables}))) (<= terminal (true (n 1))) (goal a 100)"
    )
    with serving() as (server, port):
        assert post(port, f"(START m a ({sheet}) 1 1)") == "READY"
        assert "still being made" in server.stderr.readline()
        server.send_signal(signal.SIGINT)
        assert server.wait(timeout=HANG_S) == 0
        assert server.stderr.read() == "stopped\n"


def test_five_hundred_connections_do_not_keep_an_honest_one_out():
    """Idle ones, some that drip, some that say a part, some that announce too much: INFO is answered all the same."""
    heads = [
        b"",
        b"P",
        b"POST / HTTP/1.0\r\nContent-Len",
        b"POST / HTTP/1.0\r\nContent-Length: 100\r\n\r\n(PLAY",
        b"POST / HTTP/1.0\r\nContent-Length: 100000000\r\n\r\n(",
    ]
    with serving() as (server, port), ExitStack() as stack:
        for number in range(500):
            connection = stack.enter_context(socket.create_connection(("127.0.0.1", port), timeout=HANG_S))
            connection.sendall(heads[number % len(heads)])
        for _ in range(3):
            assert post(port, "(INFO)") == INFO
        server.send_signal(signal.SIGTERM)
        assert server.wait(timeout=HANG_S) == 143
        assert server.stderr.read() == "stopped\n"


def test_the_port_opens_when_there_is_an_answer(cli, monkeypatch):
    """What takes long, loading and compiling, comes before."""
    found = []

    def warm_up(player):
        with pytest.raises(ConnectionRefusedError):
            socket.create_connection(("127.0.0.1", port), timeout=HANG_S)
        found.append("refused")
        raise HexlogicError("that will do")

    monkeypatch.setattr(Player, "warm_up", warm_up)
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    assert cli("gdl", "serve", "--port", str(port), "--reasoner", "clingo").refused() == "that will do"
    assert found == ["refused"]


def test_what_cannot_be_served_is_one_line(cli):
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = str(taken.getsockname()[1])
        line = cli("gdl", "serve", "--port", port).refused()
    assert line == f"127.0.0.1:{port}: cannot listen: Address already in use (another --port or --host)"
    assert "cannot listen" in cli("gdl", "serve", "--host", "no.such.host.invalid", "--port", "0").refused()
    assert "did you mean uct?" in cli("gdl", "serve", "--player", "uctt").refused()
    assert "unknown reasoner" in cli("gdl", "serve", "--reasoner", "z").refused()
    assert "--port" in cli("gdl", "serve", "--port", "70000").refused()
