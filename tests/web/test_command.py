"""`hexlogic play` as a command: what it refuses, other games in the terminal, and a page that is served and ended."""

from __future__ import annotations

import signal
import subprocess
import sys
import urllib.request
from pathlib import Path

import pytest

PLAY = (sys.executable, "-m", "hexlogic", "play")


def test_y_in_the_terminal() -> None:
    done = subprocess.run(
        [*PLAY, "--text", "--game", "y", "--size", "3", "--opponent", "you"],
        input="a2\na1\nb2\na3\nc3\n",
        capture_output=True,
        text=True,
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.splitlines()[-1] == "red has won: a2 b2 c3"


@pytest.mark.takes_seconds(keep=5)
@pytest.mark.parametrize(
    ("options", "words"),
    [
        (["--game", "y", "--opponent", "best:5"], "unknown player 'best:5' (known: random, playouts, uct:100"),
        (["--game", "chess"], "unknown game 'chess'"),
        (["--size", "99"], "'99' is too large (such as 9"),
        (["nothing.sgf"], "nothing.sgf: cannot be read"),
        (["nothing.kif"], "nothing.kif: cannot be read"),
    ],
)
def test_refused_in_one_line(options: list[str], words: str) -> None:
    done = subprocess.run([*PLAY, "--no-open", "--port", "0", *options], capture_output=True, text=True)
    assert (done.returncode, done.stdout) == (2, "")
    assert words in done.stderr
    assert done.stderr.count("\n") == 1


def test_recorded_games_are_served_until_the_command_is_interrupted(record_files: list[Path]) -> None:
    command = [*PLAY, "--no-open", "--port", "0", str(record_files[0])]
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True) as process:
        assert process.stderr is not None
        url = process.stderr.readline().partition(" ")[0]
        assert url.endswith("/viewer.html")
        request = urllib.request.Request(
            url.replace("viewer.html", "api/records"), b"{}", {"Content-Type": "application/json"}
        )
        with urllib.request.urlopen(request, timeout=600) as reply:
            assert b"ann - bob, 3x3, red wins" in reply.read()
        process.send_signal(signal.SIGINT)
        assert "Traceback" not in process.stderr.read()
    assert process.returncode == 0, "Ctrl-C is how a person ends a server"
