"""What people are used to: `-` is standard input, NO_COLOR, completion, objects that show themselves."""

from __future__ import annotations

import io
import sys
from types import SimpleNamespace

import pytest
import typer

from hexlogic.cli import run
from hexlogic.games import Player, Position, draw_svg, load_board, parse_position, winning_chain
from hexlogic.laboratory.report.document import Column, Entry, make_table
from hexlogic.language.parser import parse
from hexlogic.process import files
from tests.checkout import CHECKOUT

ROOT = CHECKOUT
_COMMAND = Entry("", "hexlogic bench", command=True)


@pytest.fixture
def piped(monkeypatch: pytest.MonkeyPatch):
    """Give a command the content of a file as its standard input."""

    def give(path: str) -> None:
        files._standard_input.cache_clear()
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO((ROOT / path).read_bytes())))

    yield give
    files._standard_input.cache_clear()


@pytest.mark.takes_seconds(keep=4)
@pytest.mark.parametrize(
    ("path", "command", "said"),
    [
        ("rules/clusters.lp", ["win", "small", "--rules", "-"], "red wins: a4"),
        ("rules/clusters.lp", ["rules", "show", "-", "--size", "2"], "% clusters for 2x2 Hex"),
        ("rules/clusters.lp", ["prove", "-", "follow-line-tabled", "--size", "2"], "are equal on 2x2 Hex"),
        ("docs/examples/lights.kif", ["gdl", "show", "-"], "role(robot)"),
        ("docs/examples/lights.kif", ["gdl", "check", "-"], "no findings"),
        ("benchmarks/suites/quick.toml", ["bench", "--suite", "-", "--dry-run"], "clusters none swipl difficult-1 red"),
        ("benchmarks/programs/paths.lp", ["optimise", "-", "--limit", "5"], "path"),
        ("docs/examples/board.txt", ["boards", "show", "-"], "5x5 Hex"),
    ],
    ids=lambda value: value.replace("/", ".") if isinstance(value, str) else value[0],
)
def test_a_dash_is_standard_input(path, command, said, piped, capsys):
    piped(path)
    assert run(command) == 0
    assert said in capsys.readouterr().out


def test_an_empty_position_is_said_to_be_empty(capsys):
    assert run(["win", "/dev/null"]) == 2
    assert capsys.readouterr().err.startswith("/dev/null:1:1: this is empty")


@pytest.mark.parametrize(("value", "colours"), [("1", False), ("", True)])
def test_no_color_switches_colours_off(value, colours, monkeypatch, capsys):
    monkeypatch.setenv("NO_COLOR", value)
    found: list[bool | None] = []

    def chain(position: Position, player: Player) -> tuple[int, ...] | None:
        found.append(typer_colour())
        return winning_chain(position, player)

    monkeypatch.setattr("hexlogic.cli.win.winning_chain", chain)
    assert run(["win", "small", "--json"]) == 0
    assert found == [None if colours else False]


def typer_colour() -> bool | None:
    """What a command would decide about colours; None: whether the stream is a terminal."""
    module = sys.modules[typer.Context.__mro__[1].__module__].__package__
    import importlib

    return importlib.import_module(f"{module}.globals").resolve_color_default()


def test_shells_can_complete(capsys, monkeypatch):
    # Without a shell among the parents of the tests (a container that runs `make test`) none would be detected.
    monkeypatch.setattr("shellingham.detect_shell", lambda: ("bash", "/bin/bash"))
    assert run(["--show-completion"]) == 0
    assert "_hexlogic_completion" in capsys.readouterr().out


def test_a_position_prints_as_a_board_and_shows_as_a_picture():
    position = load_board("small").position
    assert str(position).splitlines()[1] == "1 . b . b R 1"
    assert parse_position(str(position)) == position
    assert "<line" in position._repr_svg_() or "<poly" in position._repr_svg_()
    unfinished = Position.of(position.game, red=["a1"])
    assert unfinished._repr_svg_() == draw_svg(unfinished)


def test_a_table_shows_in_a_notebook():
    columns = [Column("name", "a <b>"), Column("size", "n", numeric=True), Column("repeat", "", lambda one: _COMMAND)]
    table = make_table("t", "Boards", columns, [SimpleNamespace(name="x & y", size=1234)])
    shown = table._repr_html_()
    assert shown.startswith("<table>")
    assert "a &lt;b&gt;" in shown
    assert "x &amp; y" in shown
    assert "1,234" in shown
    assert "hexlogic bench" not in shown
    assert make_table("t", "Nothing", columns, [])._repr_html_().startswith("<table>")


def test_a_program_shows_as_code():
    program = parse("p(X) :- q(X).")
    assert program._repr_markdown_() == f"```prolog\n{program}```"
