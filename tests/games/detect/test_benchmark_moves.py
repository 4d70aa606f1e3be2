"""The pieces of `benchmarks/moves.py`: judges that are right, games in processes of their own, rows of its table."""

from __future__ import annotations

import importlib.util
import json
import sys
from collections.abc import Callable
from types import ModuleType

import pytest

from hexlogic.games import Hex, Position, has_won, random_moves
from tests.checkout import CHECKOUT


def load_moves() -> ModuleType:
    path = CHECKOUT / "benchmarks" / "moves.py"
    spec = importlib.util.spec_from_file_location("benchmark_moves", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


moves = load_moves()


@pytest.mark.parametrize(
    "configuration",
    [
        "anew clusters clingo ground,reorder",
        "kept clusters-merging multi-shot",
        "kept clusters-merging step",
        "kept clusters-as-printed step",
    ],
)
def test_judges_agree_with_the_referee(configuration: str) -> None:
    game = Hex.square(4)
    judge, states = moves.prepare(configuration, game)
    position, line = Position(game), random_moves(game, 3)
    for player, cell in line:
        position = position.play(player, cell)
        assert judge(position, player, cell) == has_won(position, player)
    assert (states is None) == configuration.startswith("anew")
    if states is not None:
        assert {fact.name for fact in states.facts()} >= {"cluster"}


def test_every_configuration_can_be_prepared() -> None:
    for configuration in {one for suite in moves.SUITES.values() for one in suite if "swipl" not in one}:
        judge, _ = moves.prepare(configuration, Hex.square(3))
        assert not judge(Position(Hex.square(3)).play("red", 5), "red", 5)


def test_a_game_tells_of_each_move(capsys: pytest.CaptureFixture[str]) -> None:
    moves.one_game("kept clusters-merging step", 3, 1)
    *plies, last = map(json.loads, capsys.readouterr().out.splitlines())
    line = random_moves(Hex.square(3), 1)
    assert [(ply["ply"], ply["of"]) for ply in plies] == [(place, len(line)) for place in range(1, len(line) + 1)]
    assert all(ply["s"] > 0 for ply in plies)
    grown = [ply["bytes"] for ply in plies]
    assert grown == sorted(grown)
    # A stone is one fact cluster(name,cell,player).
    assert last == {"facts": len(line), "text": len(line) * len("cluster(1,1,red).\n") + blue_letters(line)}


def blue_letters(line: list[tuple[str, int]]) -> int:
    """What `blue` has more than `red`."""
    return sum(len(player) - len("red") for player, _ in line)


def test_a_game_in_a_process_is_cut_at_its_limit() -> None:
    lines = moves.measure("kept clusters-merging step", 3, 1, 60.0, 4000)
    assert len(lines) == len(random_moves(Hex.square(3), 1)) + 1
    assert lines[-1]["facts"] == len(lines) - 1
    assert moves.measure("kept clusters-merging step", 19, 1, 0.05, 4000) == []


Lines = list[dict[str, float]]


def rows(monkeypatch: pytest.MonkeyPatch, games: Callable[[int], Lines], configuration: str) -> list[object]:
    monkeypatch.setattr(moves, "measure", lambda _configuration, _size, seed, _limit, _memory: games(seed))
    return list(moves.row(configuration, 5, range(3), 1.0, 100))


def plies(count: int, seconds: float, facts: int) -> Lines:
    told: Lines = [{"ply": ply, "of": count, "s": seconds, "bytes": ply << 20} for ply in range(1, count + 1)]
    return [*told, {"facts": facts, "text": 1000 * facts}]


def test_a_row_has_the_medians_of_the_games(monkeypatch: pytest.MonkeyPatch) -> None:
    row = rows(monkeypatch, lambda seed: plies(12, 0.001 * (seed + 1), 7 + seed), "kept some rules")
    assert row == ["kept some rules", "5x5", "12", "24", "2.00", "2.00", "8", "8.0", "12.0"]
    row = rows(monkeypatch, lambda seed: plies(12, 0.001 * (seed + 1), 7 + seed), "anew some rules")
    assert row[-3:] == ["-", "-", "12.0"]


def test_a_row_tells_how_far_games_came_that_did_not_end(monkeypatch: pytest.MonkeyPatch) -> None:
    def games(seed: int) -> Lines:
        return [plies(12, 0.001, 7), plies(12, 0.001, 7)[:4], []][seed]

    assert rows(monkeypatch, games, "kept some rules")[2] == "ended 1 of 3: 12/12 4/12"


def test_the_table_has_a_row_for_each_configuration_and_size(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(moves, "measure", lambda *_: plies(12, 0.001, 7))
    monkeypatch.setattr(sys, "argv", ["moves.py", "merging", "--sizes", "5,7", "--seeds", "1"])
    moves.main()
    out = capsys.readouterr().out.splitlines()
    assert out[0].startswith("| configuration ")
    assert len(out) == 2 + 2 * len(moves.SUITES["merging"])
    assert sum("| 7x7 " in line for line in out) == len(moves.SUITES["merging"])
