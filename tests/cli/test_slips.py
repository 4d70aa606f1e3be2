"""Slips of the hand and of the machine: full disks, early Ctrl-C, other encodings, quiet, and JSON where text was."""

from __future__ import annotations

import errno
import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from hexlogic.cli import run
from hexlogic.language.parser import parse
from tests.waiting import HANG_S

BOARD = "% café\n. . .\n. R .\n. . .\n"


@pytest.fixture(scope="module")
def measured(tmp_path_factory):
    """A folder with records."""
    folder = tmp_path_factory.mktemp("measured")
    words = ["bench", "--rules", "clusters", "--boards", "small", "--engines", "clingo", "--repeats", "1"]
    assert run([*words, "--out", str(folder)]) == 0
    return folder


def full(*ignored, **also_ignored):
    raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))


def test_a_full_disk_names_the_file(cli, measured, tmp_path, monkeypatch):
    monkeypatch.setattr("pathlib.Path.write_bytes", full)
    outcome = cli("report", str(measured), "--out", str(tmp_path / "report"))
    assert outcome.status == 2
    assert outcome.err.splitlines()[-1].startswith(str(tmp_path / "report"))
    assert outcome.err.splitlines()[-1].endswith("No space left on device")


def test_the_static_site_on_a_full_disk_names_the_file(cli, tmp_path, monkeypatch):
    from hexlogic.web.in_page import building

    monkeypatch.setattr(building, "_fetch_npm", lambda package, folder: folder.mkdir())
    monkeypatch.setattr(building, "_fetch_wheel", lambda target: target.touch())
    original = building.Path.write_bytes

    def write(path, data):
        return full() if path.is_relative_to(tmp_path) else original(path, data)

    monkeypatch.setattr("pathlib.Path.write_bytes", write)
    said = cli("play", "--static", str(tmp_path / "site")).refused()
    assert said.startswith(str(tmp_path / "site"))
    assert said.endswith("No space left on device")


def test_only_what_is_printed_is_about_standard_output(capsys, monkeypatch):
    class Full:
        encoding = "utf-8"
        write = flush = full

    monkeypatch.setattr("sys.stdout", Full())
    assert run(["rules", "list"]) == 2
    assert capsys.readouterr().err == "standard output: No space left on device\n"
    monkeypatch.undo()
    monkeypatch.setattr("hexlogic.games.load_board", full)
    monkeypatch.setattr("hexlogic.cli.options.read_board", full)
    assert run(["win", "small"]) == 2
    assert capsys.readouterr().err == "No space left on device\n"


@pytest.mark.parametrize("command", ["win", "solve", "analyse", "boards show"])
def test_a_board_file_with_other_letters_in_the_plain_locale(tmp_path, command):
    file = tmp_path / "board.txt"
    file.write_text(BOARD, encoding="utf-8")
    environment = {**os.environ, "LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}
    words = [sys.executable, "-m", "hexlogic", *command.split(), str(file)]
    done = subprocess.run(words, env=environment, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    file.write_text(BOARD.replace(". R", "é R"), encoding="utf-8")
    done = subprocess.run(words, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert done.stderr == f"{file}:3:1: '\\xe9' is no stone (use R, B or . for an empty cell)\n"


def test_quiet_measuring_prints_no_progress(cli, tmp_path, monkeypatch):
    words = ["bench", "--rules", "clusters", "--boards", "small", "--engines", "clingo", "--repeats", "1"]
    monkeypatch.setenv("HEXLOGIC_QUIET", "1")
    outcome = cli(*words, "--out", str(tmp_path / "quiet"))
    assert (outcome.status, outcome.err) == (0, "")
    monkeypatch.delenv("HEXLOGIC_QUIET")
    assert "configurations" in cli(*words, "--out", str(tmp_path / "loud")).err


def test_an_open_parenthesis_is_not_taken_for_a_condition():
    with pytest.raises(Exception, match=r"unexpected ':-'.*closing parenthesis"):
        parse("wins(P :- reach(P,X).")


@pytest.mark.parametrize("entry", [["-m", "hexlogic"], ["-c", "from hexlogic.__main__ import main; main()"]])
def test_ctrl_c_at_any_moment_of_the_start_is_no_traceback(entry):
    """SIGINT comes at each of these imports."""
    hook = (
        "import os, signal, sys\n"
        "class Press:\n"
        "    def find_spec(self, name, path=None, target=None):\n"
        "        if name == os.environ['AT']: os.kill(os.getpid(), signal.SIGINT)\n"
        "sys.meta_path.insert(0, Press())\n"
    )
    rooms = ("hexlogic.process", "hexlogic.process.signals", "hexlogic.cli", "hexlogic.cli.options")
    for module in (*rooms, "typer", "typer.main", "hexlogic.process.extras"):
        code = hook + f"sys.argv = ['hexlogic', '--version']\nimport runpy\n{_started(entry)}"
        environment = {**os.environ, "AT": module}
        command = [sys.executable, "-c", code]
        done = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=HANG_S, check=False)
        assert (done.returncode, done.stderr) == (128 + signal.SIGINT, "interrupted\n"), module


def _started(entry):
    return "runpy.run_module('hexlogic', run_name='__main__')" if entry[0] == "-m" else entry[1]


def test_json_in_the_place_of_text(cli, measured, tmp_path):
    sheet = tmp_path / "game.kif"
    sheet.write_text("(role r) (legal r a) (init (p 0)) (<= terminal (true (p 0))) (goal r 100)")
    shown = json.loads(cli("gdl", "show", str(sheet), "--json").out)
    assert shown["rules"] == sum(not line.startswith("#") for line in shown["text"].splitlines())
    assert {"legal/2", "goal/2"} <= set(shown["queries"])
    game = "5x5 red b3, blue c3"
    converted = json.loads(cli("convert", game, "--to", "moves", "--json").out)
    assert converted == {
        "format": "moves",
        "games": [{"size": "5x5", "text": cli("convert", game, "--to", "moves").out}],
    }
    found = cli("openings", "--size", "3", "--count", "1", "--playouts", "20", "--games", "0", "--json")
    (opening,) = json.loads(found.out)["openings"]
    assert opening["games"] == opening["won"] == 0
    assert len({opening["red"], opening["blue"]}) == 2
    written = json.loads(cli("report", str(measured), "--out", str(tmp_path / "report"), "--json").out)
    assert written["pages"] > 1
    assert Path(written["page"]).exists()
