"""Help, versions, usage errors, and how the command line ends when something else goes wrong."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
import typer

import hexlogic.cli
from hexlogic.cli import app, run

COMMANDS = ["bench", "report", "compare", "rules", "boards", "win", "solve", "analyse", "prove", "optimise"]
COMMANDS += [
    "profile",
    "ground",
    "reformulate",
    "gdl",
    "play",
    "tournament",
    "openings",
    "htp",
    "convert",
    "predict",
    "doctor",
]


def test_help_lists_every_command(cli):
    outcome = cli("--help")
    assert outcome.status == 0
    listed = [line.split()[0] for line in outcome.out.split("Commands:")[1].splitlines() if line.strip()]
    assert listed[: len(COMMANDS)] == COMMANDS
    assert "..." not in outcome.out.split("Commands:")[1]


@pytest.mark.parametrize(
    "command", [["rules", "show"], ["rules", "list"], ["boards", "show"], ["win"], ["bench"], ["gdl", "show"]]
)
def test_every_command_has_help(cli, command):
    outcome = cli(*command, "--help")
    assert outcome.status == 0
    assert outcome.out.startswith(f"Usage: hexlogic {' '.join(command)}")


def test_version(cli):
    assert cli("--version").out.startswith("hexlogic ")


@pytest.mark.parametrize("arguments", [[], ["rules"], ["boards"], ["gdl"]])
def test_a_group_alone_shows_its_help_as_a_usage_error(cli, arguments):
    outcome = cli(*arguments)
    assert (outcome.status, outcome.out) == (2, "")
    assert outcome.err.startswith("Usage: hexlogic")


@pytest.mark.parametrize(
    ("arguments", "line"),
    [
        (["nope"], "No such command 'nope' (try: hexlogic --help)"),
        (["win"], "Missing argument 'POSITION' (try: hexlogic win --help)"),
        (["win", "snake", "--bogus"], "No such option: --bogus (try: hexlogic win --help)"),
        (["win", "snake", "--rules"], "Option '--rules' requires an argument (try: hexlogic"),
        (["rules", "show"], "Missing argument 'NAME' (try: hexlogic rules show --help)"),
    ],
)
def test_usage_errors_are_one_line(cli, arguments, line):
    assert line in cli(*arguments).refused()


def fail_with(error: BaseException, monkeypatch: pytest.MonkeyPatch) -> None:
    def command() -> None:
        raise error

    broken = typer.Typer()
    broken.command()(command)
    monkeypatch.setattr(hexlogic.cli, "app", broken)


@pytest.mark.parametrize(
    ("error", "status", "line"),
    [
        (KeyboardInterrupt(), 130, None),
        (PermissionError(13, "Permission denied", "out.svg"), 2, "out.svg: Permission denied"),
        (ValueError("two\nlines"), 1, "internal error: ValueError: two lines (please report it; "),
        (RecursionError("too deep"), 1, "internal error: RecursionError: too deep (please report it; "),
    ],
)
def test_no_traceback_reaches_a_user(cli, monkeypatch, error, status, line):
    monkeypatch.delenv("HEXLOGIC_TRACEBACK", raising=False)
    fail_with(error, monkeypatch)
    outcome = cli()
    assert outcome.status == status
    assert outcome.err.count("\n") <= 1
    if line:
        assert outcome.err.startswith(line)


def test_kernels_of_an_older_version_are_removed(cli, monkeypatch, tmp_path):
    package = tmp_path / "hexlogic"
    (package / "players" / "__pycache__").mkdir(parents=True)
    kernels = [package / "players" / "__pycache__" / name for name in ("search.prove-1.nbi", "search.prove-1.1.nbc")]
    source = package / "players" / "search.py"
    for file in (*kernels, source):
        file.write_text("")
    monkeypatch.setattr("hexlogic.process.extras.PACKAGE", package)
    fail_with(ModuleNotFoundError("No module named 'hexlogic.players.gone'", name="hexlogic.players.gone"), monkeypatch)
    outcome = cli()
    assert (outcome.status, [file.exists() for file in (*kernels, source)]) == (1, [False, False, True])
    assert "run it again" in outcome.err


def test_who_asks_for_the_traceback_gets_it(monkeypatch):
    monkeypatch.setenv("HEXLOGIC_TRACEBACK", "1")
    fail_with(ValueError("here"), monkeypatch)
    with pytest.raises(ValueError, match="here"):
        run([])


def test_a_reader_who_leaves_is_no_error():
    command = f'"{sys.executable}" -m hexlogic rules show clusters --size 20 --pipeline ground | head -n 1'
    done = subprocess.run(command, shell=True, capture_output=True, text=True, check=True)
    assert done.stdout.startswith("% clusters for 20x20 Hex")
    assert done.stderr == ""


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no file here that is always full")
def test_a_full_disk_is_named():
    def said(*arguments, **options):
        command = [sys.executable, "-m", "hexlogic", *arguments]
        done = subprocess.run(command, stderr=subprocess.PIPE, text=True, check=False, **options)
        return done.returncode, done.stderr

    with Path("/dev/full").open("w") as full:
        assert said("rules", "show", "clusters", stdout=full) == (2, "standard output: No space left on device\n")
    drawn = said("boards", "show", "difficult-1", "--svg", "/dev/full", stdout=subprocess.DEVNULL)
    assert drawn == (2, "/dev/full: No space left on device\n")


def test_help_loads_no_parser_solver_or_array_library():
    code = "import sys, hexlogic.cli; print(*sys.modules)"
    environment = {**os.environ, "PYTHONPATH": ""}
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, env=environment)
    heavy = {"clingo", "lark", "numpy", "networkx", "pyDatalog", "rich", "tabulate", "jinja2", "msgspec", "psutil"}
    assert not heavy & set(done.stdout.split())


def test_python_dash_m_is_the_same_command():
    done = subprocess.run([sys.executable, "-m", "hexlogic", "win", "nope"], capture_output=True, text=True)
    assert done.returncode == 2
    assert done.stderr.startswith("unknown board 'nope'")


def test_commands_are_registered_once():
    names = [command.name or command.callback.__name__ for command in app.registered_commands]
    assert len(names) == len(set(names))
