"""`hexlogic gdl serve`: it answers, it ends on Ctrl-C, and one line for what cannot be."""

from __future__ import annotations

import re
import signal
import socket
import subprocess
import sys
import urllib.request

import pytest


@pytest.mark.parametrize("ending", [signal.SIGINT, signal.SIGTERM])
def test_it_plays_until_it_is_told_to_stop(ending):
    command = [sys.executable, "-m", "hexlogic", "gdl", "serve", "--port", "0", "--reasoner", "clingo"]
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True) as server:
        try:
            told = server.stderr.readline()
            url = re.fullmatch(r"uct listens on (http://127\.0\.0\.1:\d+) \(Ctrl-C ends it\)\n", told).group(1)

            def post(text):
                with urllib.request.urlopen(url, text.encode(), timeout=60) as answer:
                    return answer.read().decode()

            assert post("(INFO)") == "((name hexlogic) (status available))"
            sheet = "(role a) (init s) (legal a b) (<= (next t) (true s)) (<= terminal (true t)) (goal a 100)"
            assert post(f"(START m a ({sheet}) 1 1)") == "READY"
            server.send_signal(ending)
            assert server.wait(timeout=60) == 0
            assert re.fullmatch(r"m: a is ready in .* s\nstopped\n", server.stderr.read())
        finally:
            server.kill()


def test_what_cannot_be_served_is_one_line(cli):
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = str(taken.getsockname()[1])
        line = cli("gdl", "serve", "--port", port).refused()
    assert line == f"127.0.0.1:{port}: cannot listen: Address already in use (another --port or --host)"
    assert "cannot listen" in cli("gdl", "serve", "--host", "no.such.host.invalid", "--port", "0").refused()
    assert "did you mean uct?" in cli("gdl", "serve", "--player", "uctt").refused()
    assert "unknown reasoner" in cli("gdl", "serve", "--reasoner", "z").refused()
    assert "--port" in cli("gdl", "serve", "--port", "70000").refused()
