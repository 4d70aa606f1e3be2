"""The tournaments that come with the documentation: whole, legal, and as the pages say."""

from __future__ import annotations

import gzip
import zipfile
from pathlib import Path

import pytest

from hexlogic.games.game_state import GameState
from hexlogic.games.sgf import read_sgf
from hexlogic.players.tournament.page import tournament_page
from hexlogic.players.tournament.plan import board_of, plan_games
from hexlogic.players.tournament.records import game_record
from hexlogic.players.tournament.standing import pairings
from hexlogic.players.tournament.store import FILE_NAME, TournamentFile, read_tournament

HERE = Path(__file__).parent.parent.parent / "docs" / "tournaments"
NAMES = sorted(folder.name for folder in HERE.iterdir() if folder.is_dir())


@pytest.fixture(params=NAMES)
def committed(request, tmp_path) -> tuple[Path, TournamentFile]:
    folder = HERE / request.param
    (tmp_path / FILE_NAME).write_bytes(gzip.decompress((folder / f"{FILE_NAME}.gz").read_bytes()))
    return folder, read_tournament(tmp_path)


def test_no_game_is_missing_or_doubled(committed):
    _, file = committed
    assert file.end is not None
    assert sorted(file.games) == sorted(game.key for game in plan_games(file.opened.settings).games)


def test_every_game_is_legal_and_won_by_its_winner(committed):
    folder, file = committed
    with zipfile.ZipFile(folder / "games.zip") as archive:
        collected = {game.event: game for name in archive.namelist() for game in read_sgf(archive.read(name).decode())}
    assert sorted(collected) == sorted(file.games)
    for key, line in file.games.items():
        board = board_of(line.size)
        record = game_record(line)
        assert collected[key].turns == record.turns
        assert "forfeits" not in line.reason, line.reason
        state = GameState.of_turns(board, record.turns)  # refuses what is no legal move
        assert board.has_won(state.stones(line.colour), line.colour)


def test_the_page_is_that_of_the_games(committed):
    folder, file = committed
    assert (folder / "page.html").read_text(encoding="utf-8") == tournament_page(file)


def results(name: str, tmp_path: Path) -> dict[tuple[str, str], tuple[int, int, float]]:
    """Games won by the first and by the second player of each pairing, and the p-value of the sign test."""
    (tmp_path / FILE_NAME).write_bytes(gzip.decompress((HERE / name / f"{FILE_NAME}.gz").read_bytes()))
    file = read_tournament(tmp_path)
    found = pairings(file.opened.settings, file.games.values())
    return {(each.one, each.two): (each.wins, each.losses, each.p_value) for each in found}
