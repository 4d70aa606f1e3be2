"""The how-to includes the files of the game that lives in the tests; the commands know the other games."""

from __future__ import annotations

from pathlib import Path

import pytest

from hexlogic.cli import run

HERE = Path(__file__).parent
PAGE = (HERE.parents[2] / "docs" / "other-games.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("file", ["crossing.py", "rules/games/crossing.lp", "rules/crossing/backwards.lp"])
def test_the_howto_includes_the_files(file: str) -> None:
    assert (HERE / file).is_file()
    assert f'--8<-- "tests/games/other/{file}"\n' in PAGE


@pytest.mark.takes_seconds(keep=4)
@pytest.mark.parametrize(
    ("command", "status", "said"),
    [
        (["win", "y 2, red a1 blue b2 red a2"], 0, "red wins: a1 a2"),
        (["win", "red a1 red b1", "--game", "havannah", "--size", "2", "-r", "havannah/follow-line"], 0, "red wins"),
        (["win", '{"game": "tic-tac-toe-3d", "size": 2, "red": ["a11"]}'], 0, "nobody has won"),
        (["win", "crossing\nRR\nB.", "-r", "clusters"], 0, "red wins: a1 b1"),
        (["rules", "list", "--game", "crossing"], 0, "crossing/backwards"),
        (["rules", "show", "y/clusters", "--size", "3", "-p", "ground"], 0, "adjacent(1,2)."),
        (["prove", "crossing/backwards", "follow-line-tabled", "--size", "3"], 0, "are equal on size 3 Crossing"),
        (["prove", "y-theorem", "--size", "3"], 0, "exactly one player has won"),
        (["prove", "one-winner", "--game", "crossing", "--size", "2"], 1, "neither player has won"),
        (["boards", "show", "y 3 red b3", "--svg", "-"], 0, "<svg"),
    ],
)
def test_commands_take_other_games(
    command: list[str], status: int, said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(command) == status
    assert said in capsys.readouterr().out


@pytest.mark.parametrize(
    ("command", "said"),
    [
        (["prove", "y/clusters", "clusters", "--size", "3"], "clusters does not fit the game y"),
        (["prove", "y/clusters", "clusters", "--all-sizes"], "clusters.lp:13:1: nobody defines first/2"),
        (["win", "y 3, red d3"], "<argument>:1:10: cell d3 is off the board of size 3 Y (cells run from a1 to c3)"),
        (["win", "y 3x4 red a1"], "<argument>:1:3: a Y board has one size, not 2 (such as 5)"),
        (["win", "y\nR\n. B R"], "<argument>:2:1: no Y board has 2 rows of up to 3 cells"),
        (["win", "havannah\n..\n..R\n..X"], "<argument>:4:3: 'X' is no stone"),
        (["win", "havannah\n..\n..R\n..."], "row 3 has 3 cells, on size 2 Havannah it has 2"),
        (["win", "y 3 red a1", "--game", "y", "--size", "4"], "the position is 3, but the size asked for is 4"),
        (["win", '{"game": "chess", "size": 3}'], "unknown game 'chess' (known: crossing, havannah, hex"),
        (["boards", "show", "red a1", "--game", "havannah", "--size", "1"], "no Havannah board of size 1"),
    ],
)
def test_bad_input_is_one_line(command: list[str], said: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(command) == 2
    message = capsys.readouterr().err
    assert said in message
    assert message.count("\n") == 1
