"""Tournaments: pairs of games, records that survive being killed, statistics, SGF and the page."""

from __future__ import annotations

import json
import math
import random
import subprocess
import sys

import pytest

from hexlogic.errors import SuiteError
from hexlogic.games import Hex
from hexlogic.games.game_state import GameRecord, GameState
from hexlogic.games.record_formats import read_games
from hexlogic.players import Budget, load_strategy
from hexlogic.players.strategy import Strategy
from hexlogic.players.tournament.openings import FOLDER, openings_for
from hexlogic.players.tournament.records import (
    FILE_NAME,
    TournamentSettings,
    TournamentWriter,
    game_record,
    plan_games,
    read_tournament,
)
from hexlogic.players.tournament.run import play_game, run_tournament
from hexlogic.players.tournament.standing import (
    rated,
    ratings,
    sign_test,
    standing_data,
    tournament_page,
)


def settings_of(players=("random", "bridge", "two-distance"), **changes) -> TournamentSettings:
    values = {
        "players": tuple(players),
        "sizes": ("3", "3x4"),
        "games": 2,
        "seed": 4,
        "seconds": None,
        "playouts": 20,
        "gauntlet": False,
        "swap": True,
        "openings": {"3": (("a1", "b2"), ("c1",)), "3x4": ((),)},
    }
    return TournamentSettings(**{**values, **changes})


def test_games_come_in_pairs_of_one_opening_with_sides_exchanged():
    plan = plan_games(settings_of(games=4))
    assert len(plan) == 4 * 2 * 3
    assert len({game.key for game in plan}) == len(plan)
    by_key = {game.key: game for game in plan}
    for game in plan:
        head, _, number = game.key.rpartition("#")
        twin = by_key[f"{head}#{int(number) + 1 if int(number) % 2 else int(number) - 1}"]
        assert (game.opening, game.first, game.second) == (twin.opening, twin.second, twin.first)
    openings = {game.opening for game in plan if game.size == "3"}
    assert openings == {("a1", "b2"), ("c1",)}
    assert plan_games(settings_of(games=4)) == plan
    assert plan_games(settings_of(games=4, seed=5))[0].seed != plan[0].seed


def test_a_gauntlet_is_about_the_first_player():
    plan = plan_games(settings_of(gauntlet=True))
    assert {frozenset((game.first, game.second)) for game in plan} == {
        frozenset(("random", other)) for other in ("bridge", "two-distance")
    }


@pytest.mark.parametrize(
    ("players", "message"), [(("random",), "needs two players"), (("random", "bridge", "random"), "is given twice")]
)
def test_impossible_tournaments_are_refused(players, message):
    with pytest.raises(SuiteError, match=message):
        plan_games(settings_of(players=players))


def test_every_game_is_kept_with_its_moves_and_as_sgf(tmp_path):
    said = list[str]()
    file = run_tournament(settings_of(), tmp_path, say=said.append)
    assert len(said) == len(file.games) == 12
    assert len(list((tmp_path / "games").glob("*.sgf"))) == 12
    for path in (tmp_path / "games").glob("*.sgf"):
        (game,) = read_games(path.read_text(encoding="utf-8"), "sgf")
        line = file.games[game.event]
        assert game.turns == game_record(line).turns
        assert {game.red_name, game.blue_name} == {line.first, line.second}
        assert game.winner == line.colour
        assert (game.red_name if game.winner == "red" else game.blue_name) == line.winner
    for line in file.games.values():
        record = game_record(line)
        assert len(line.seconds) == len(record.turns) - len(line.opening)
        assert [record.board.cell_name(turn.action) for turn in record.turns[: len(line.opening)]] == list(line.opening)


def test_the_same_settings_play_the_same_games_on_one_process_and_on_two(tmp_path):
    one = run_tournament(settings_of(), tmp_path / "one")
    two = run_tournament(settings_of(), tmp_path / "two", jobs=2)
    assert {key: line.moves for key, line in one.games.items()} == {key: line.moves for key, line in two.games.items()}


@pytest.mark.parametrize("cut", [0, 1, 5, 12])
def test_a_killed_session_goes_on_without_loss_or_doubles(tmp_path, cut):
    whole = run_tournament(settings_of(), tmp_path / "whole")
    lines = (tmp_path / "whole" / FILE_NAME).read_bytes().splitlines(keepends=True)
    part = tmp_path / "part"
    part.mkdir()
    # the last line is torn in the middle, as a kill between two writes leaves it
    (part / FILE_NAME).write_bytes(b"".join(lines[: cut + 1]) + lines[cut + 1][:20])
    assert "torn" in read_tournament(part).warnings[0]
    said = list[str]()
    file = run_tournament(settings_of(), part, resume=True, say=said.append)
    assert len(said) == 12 - cut
    assert {key: line.moves for key, line in file.games.items()} == {
        key: line.moves for key, line in whole.games.items()
    }
    assert len(list((part / "games").glob("*.sgf"))) == 12
    run_tournament(settings_of(), part, resume=True, say=said.append)
    assert len(said) == 12 - cut


def test_a_process_that_is_killed_loses_no_finished_game(tmp_path):
    command = [sys.executable, "-m", "hexlogic", "tournament", "-p", "random,bridge", "-s", "4", "-k", "60"]
    process = subprocess.Popen(
        [*command, "--openings", "none", "--out", str(tmp_path)],
        stderr=subprocess.PIPE,
        stdout=subprocess.DEVNULL,
        text=True,
    )
    assert process.stderr is not None
    told = 0
    for text in process.stderr:
        told += text.startswith("[")
        if told == 5:
            break
    process.kill()
    process.wait()
    process.stderr.close()
    kept = read_tournament(tmp_path)
    assert len(kept.games) >= 5
    assert kept.end is None
    settings = kept.opened.settings
    moves = {key: line.moves for key, line in kept.games.items()}
    said = list[str]()
    file = run_tournament(settings, tmp_path, resume=True, say=said.append)
    assert len(file.games) == 60
    assert len(said) == 60 - len(moves)
    assert moves.items() <= {key: line.moves for key, line in file.games.items()}.items()


def test_folders_are_protected(tmp_path):
    run_tournament(settings_of(games=1, sizes=("3",)), tmp_path / "a")
    with pytest.raises(SuiteError, match="holds games already"):
        run_tournament(settings_of(), tmp_path / "a")
    with pytest.raises(SuiteError, match="holds another tournament"):
        run_tournament(settings_of(seed=9), tmp_path / "a", resume=True)
    with pytest.raises(SuiteError, match="cannot read games"):
        run_tournament(settings_of(), tmp_path / "none", resume=True)
    with (
        TournamentWriter(tmp_path / "a", resume=True),
        pytest.raises(SuiteError, match="is being written to by process"),
    ):
        TournamentWriter(tmp_path / "a", resume=True)
    text = (tmp_path / "a" / FILE_NAME).read_text(encoding="utf-8")
    game = next(line for line in text.splitlines(keepends=True) if '"type":"game"' in line)
    (tmp_path / "a" / FILE_NAME).write_text(text + game, encoding="utf-8")
    with pytest.raises(SuiteError, match="is there twice"):
        read_tournament(tmp_path / "a")
    (tmp_path / "a" / FILE_NAME).write_text("{}\n", encoding="utf-8")
    with pytest.raises(SuiteError, match=r"tournament.jsonl:1: not a line of a tournament"):
        read_tournament(tmp_path / "a")


def test_ratings_recover_known_strengths():
    rng = random.Random(2)
    true = {"a": 200.0, "b": 0.0, "c": -200.0}
    wins: dict[tuple[str, str], int] = {}
    for one in true:
        for two in true:
            if one < two:
                for _ in range(2000):
                    first = rng.random() < 1 / (1 + 10 ** ((true[two] - true[one]) / 400))
                    pair = (one, two) if first else (two, one)
                    wins[pair] = wins.get(pair, 0) + 1
    for rating in ratings(list(true), wins):
        assert rating.low < true[rating.player] < rating.high
        assert rating.high - rating.low < 60
    assert [rating.player for rating in ratings(list(true), wins)] == ["a", "b", "c"]


def test_ratings_of_a_player_who_lost_everything_are_finite():
    found = ratings(["a", "b"], {("a", "b"): 10})
    assert found[0].player == "a"
    assert all(math.isfinite(value) for rating in found for value in (rating.elo, rating.low, rating.high))


def test_the_sign_test_is_the_binomial_one():
    for won in range(8):
        for lost in range(8):
            total = won + lost
            tail = sum(math.comb(total, k) for k in range(total + 1) if math.comb(total, k) <= math.comb(total, won))
            assert sign_test(won, lost) == pytest.approx(tail / 2**total)


def test_the_data_adds_up(tmp_path):
    file = run_tournament(settings_of(), tmp_path)
    data = json.loads(json.dumps(standing_data(file)))
    assert sum(each["games"] for each in data["results"]) == len(data["games"]) == 12
    assert sum(each["wins"] for each in data["ratings"]) == 12
    assert [each["player"] for each in data["ratings"]] == [
        rating.player for rating in rated(file.opened.settings, file.games.values())
    ]
    for each in data["results"]:
        wins = [
            game["winner"] for game in data["games"] if {game["first"], game["second"]} == {each["one"], each["two"]}
        ]
        assert (wins.count(each["one"]), wins.count(each["two"])) == (each["wins"], each["losses"])
    for game, line in zip(data["games"], file.games.values(), strict=True):
        assert game["moves"] == len(game_record(line).turns)


def test_the_page_needs_no_other_file(tmp_path):
    file = run_tournament(settings_of(players=("random", "bridge")), tmp_path)
    page = tournament_page(file)
    assert page == tournament_page(read_tournament(tmp_path))
    assert "http" not in page.replace("http-equiv", "")
    assert "src=" not in page
    for key in file.games:
        assert json.dumps(key) in page


class Swapper(Strategy):
    """Always swaps, then plays the first empty cell."""

    def choose(self, state, budget):
        return state.empty[0]

    def swaps(self, state, budget):
        return True


@pytest.mark.parametrize("board", [Hex(4, 4), Hex(3, 5)], ids=lambda board: board.size_text)
def test_swap_gives_the_opening_to_the_second_player(board):
    outcome = play_game(board, (load_strategy("bridge"), Swapper()), Budget(), swap=True)
    state = GameRecord(board, outcome.turns).final_state()
    assert outcome.turns[1].action == ("swap-pieces" if board.rows == board.columns else "swap-sides")
    assert state.winner == outcome.colour
    # the builder of bridges wins against first empty cells, with the colour that the swap left to it
    assert outcome.winner == 0
    assert outcome.colour == ("red" if board.rows == board.columns else "blue")


def test_openings_are_files(tmp_path):
    file = tmp_path / "openings.txt"
    file.write_text("# found by hand\na1 b2\n\nc3, a2  # even\n")
    assert openings_for(str(file), "3") == (("a1", "b2"), ("c3", "a2"))
    for text, message in (
        ("a1 a1\n", "openings.txt:1: a cell is given twice"),
        ("a1\nz9\n", "openings.txt:2: cell z9"),
    ):
        file.write_text(text)
        with pytest.raises(Exception, match=message):
            openings_for(str(file), "3")
    file.write_text("# nothing\n")
    with pytest.raises(Exception, match="there is no opening in this file"):
        openings_for(str(file), "3")
    with pytest.raises(Exception, match="cannot read openings"):
        openings_for(str(tmp_path / "none.txt"), "3")


def test_committed_openings_have_two_stones():
    for file in FOLDER.glob("*.txt"):
        openings = openings_for("balanced", file.stem)
        assert len(openings) >= 4
        assert len(set(openings)) == len(openings)
        for opening in openings:
            state = GameState(Hex.of_text(file.stem))
            for name in opening:
                state.play(state.to_move, state.board.parse_cell(name))
            assert len(state.turns) == 2
