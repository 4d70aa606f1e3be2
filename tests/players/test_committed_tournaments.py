"""The tournaments that come with the documentation: whole, legal, and as the pages say."""

from __future__ import annotations

import gzip
import zipfile
from pathlib import Path

import pytest

from hexlogic.games import Hex
from hexlogic.games.game_state import GameRecord
from hexlogic.games.record_formats import read_games
from hexlogic.players.tournament.records import (
    FILE_NAME,
    TournamentFile,
    game_record,
    plan_games,
    read_tournament,
)
from hexlogic.players.tournament.standing import pairings, tournament_page
from tests.checkout import CHECKOUT

HERE = CHECKOUT / "docs" / "tournaments"
NAMES = sorted(folder.name for folder in HERE.iterdir() if folder.is_dir())


@pytest.fixture(params=NAMES)
def committed(request, tmp_path) -> tuple[Path, TournamentFile]:
    folder = HERE / request.param
    (tmp_path / FILE_NAME).write_bytes(gzip.decompress((folder / f"{FILE_NAME}.gz").read_bytes()))
    return folder, read_tournament(tmp_path)


def test_no_game_is_missing_or_doubled(committed):
    """A tournament that was stopped holds a part of its plan; a key is there once, or reading fails."""
    _, file = committed
    planned = {game.key for game in plan_games(file.opened.settings)}
    assert set(file.games) <= planned
    assert (file.end is None) == (set(file.games) < planned)


def test_every_game_is_legal_and_won_by_its_winner(committed):
    folder, file = committed
    with zipfile.ZipFile(folder / "games.zip") as archive:
        texts = [archive.read(name).decode() for name in archive.namelist()]
    collected = {game.event: game for text in texts for game in read_games(text, "sgf")}
    assert sorted(collected) == sorted(file.games)
    for key, line in file.games.items():
        board = Hex.of_text(line.size)
        record = game_record(line)
        assert collected[key].turns == record.turns
        assert "forfeits" not in line.reason, line.reason
        state = GameRecord(board, record.turns).final_state()  # refuses what is no legal move
        last = record.turns[-1]
        assert board.has_won(state.stones(line.colour), line.colour) is (line.reason != "resignation")
        assert (last.action == "resign") is (line.reason == "resignation")
        assert (last.player == line.colour) is (last.action != "resign")


def test_the_page_is_that_of_the_games(committed):
    folder, file = committed
    assert (folder / "page.html").read_text(encoding="utf-8") == tournament_page(file)


def games_of(name: str, tmp_path: Path) -> TournamentFile:
    (tmp_path / FILE_NAME).write_bytes(gzip.decompress((HERE / name / f"{FILE_NAME}.gz").read_bytes()))
    return read_tournament(tmp_path)


def won(file: TournamentFile, one: str, two: str, size: str | None = None) -> tuple[int, int]:
    """Games that the first player won against the second, and games between them, on one size or all."""
    games = [
        line for line in file.games.values() if {line.first, line.second} == {one, two} and size in (None, line.size)
    ]
    return sum(line.winner == one for line in games), len(games)


@pytest.mark.parametrize("player", ["vc-shallow", "bridge"])
@pytest.mark.parametrize("name", ["7x7", "9x9", "11x11", "connections"])
def test_connections_and_bridges_win_every_game_against_random(name, player, tmp_path):
    wins, games = won(games_of(name, tmp_path), player, "random")
    assert wins == games > 0


def test_connections_beat_bridges(tmp_path):
    file = games_of("connections", tmp_path)
    found = next(each for each in pairings(file.opened.settings, file.games.values()) if each.two == "bridge")
    assert (found.one, found.p_value < 0.05) == ("vc-shallow", True)
    assert found.pairs_won > found.pairs_lost


def test_connections_help_monte_carlo_search(tmp_path):
    file = games_of("mcts", tmp_path)
    (found,) = pairings(file.opened.settings, file.games.values())
    assert (found.one, found.two) == ("mcts-vc", "mcts")
    assert found.pairs_won > found.pairs_lost
    assert found.p_value < 0.05


@pytest.mark.parametrize("size", ["7", "9"])
def test_the_best_player_beats_that_of_openspiel(size, tmp_path):
    file = games_of("best-openspiel", tmp_path)
    assert file.opened.settings.seconds == 2
    wins, games = won(file, "best", "openspiel:1000", size)
    assert games == 20
    assert wins >= 18
