"""Outside programs in games and tournaments: good ones play, bad ones lose their game and nothing else."""

from __future__ import annotations

import sys

import pytest

from hexlogic.games import Hex
from hexlogic.players import Budget, load_strategy
from hexlogic.players.htp import OutsideProgram
from hexlogic.players.tournament.records import TournamentSettings
from hexlogic.players.tournament.run import play_game, run_tournament

FRAME = """
import sys, time
def answer(text):
    sys.stdout.write(text)
    sys.stdout.flush()
moves = 0
for line in sys.stdin:
    words = line.split()
    if words[0] == "list_commands":
        answer("= boardsize\\nclear_board\\nplay\\ngenmove\\n\\n")
    elif words[0] == "genmove":
        moves += 1
        {genmove}
    elif words[0] == "quit":
        break
    else:
        answer("= \\n\\n")
"""
BAD = {
    "dies": ("sys.exit(3)", "ended with exit code 3"),
    "dies-by-signal": ("import os; os.kill(os.getpid(), 9)", "was ended by SIGKILL"),
    "hangs": ("time.sleep(1000)", "gives no answer to 'genmove black' in 1 s"),
    "nonsense": ("answer('hello there\\n\\n')", "answers 'hello there' to 'genmove black', which is no HTP"),
    "no-move": ("answer('= somewhere\\n\\n')", "answers 'somewhere' to genmove, which is no move"),
    "illegal": ("answer('= a1\\n\\n')", "cell a1 is already"),
    "off-board": ("answer('= z1\\n\\n')", "answers 'z1' to genmove, which is no move"),
    "passes": ("answer('= pass\\n\\n')", "pass is no move of this game"),
    "refuses": ("answer('? I do not want to\\n\\n')", "refuses 'genmove black': 'I do not want to'"),
    "talks": ("[answer('= x\\n') for _ in range(20000)]", "answers 'genmove black' without an end"),
    "half": ("answer('= a1\\n'); time.sleep(1000)", "gives no answer to 'genmove black' in 1 s"),
}


def command(tmp_path, genmove: str, name: str = "engine.py") -> str:
    file = tmp_path / name
    file.write_text(FRAME.format(genmove=genmove), encoding="utf-8")
    return f"{sys.executable} {file}"


@pytest.mark.takes_seconds(keep=4)
@pytest.mark.parametrize("name", sorted(BAD))
def test_a_bad_program_loses_its_game(name, tmp_path):
    genmove, why = BAD[name]
    program = OutsideProgram(command(tmp_path, genmove), answer_s=1.0)
    try:
        outcome = play_game(Hex(3, 3), (program, load_strategy("random", 1)), Budget())
    finally:
        program.close()
    assert (outcome.winner, outcome.colour) == (1, "blue")
    assert outcome.reason.startswith("red forfeits: ")
    assert why in outcome.reason
    assert "\n" not in outcome.reason


def test_a_refused_clock_is_no_fault(tmp_path):
    text = FRAME.format(genmove="answer('= a%d\\n\\n' % moves)")
    text = text.replace("play\\ngenmove", "play\\ngenmove\\ntime_left")
    text = text.replace(
        '    elif words[0] == "quit"',
        '    elif words[0] == "time_left":\n        answer("? what\\n\\n")\n    elif words[0] == "quit"',
    )
    file = tmp_path / "engine.py"
    file.write_text(text, encoding="utf-8")
    program = OutsideProgram(f"{sys.executable} {file}", answer_s=10.0)
    try:
        limit = Budget(seconds=1.0)
        outcome = play_game(Hex(1, 3), (program, load_strategy("random", 1)), limit)
    finally:
        program.close()
    assert "time_left" not in outcome.reason


def test_a_program_may_resign(tmp_path):
    program = OutsideProgram(command(tmp_path, "answer('= resign\\n\\n')"), answer_s=10.0)
    try:
        outcome = play_game(Hex(3, 3), (program, load_strategy("random", 1)), Budget())
    finally:
        program.close()
    assert (outcome.winner, outcome.reason) == (1, "resignation")


def test_processor_time_of_a_program_is_its_own(tmp_path):
    works = "begin = time.process_time()\n        while time.process_time() < begin + 0.3: pass\n        "
    program = OutsideProgram(command(tmp_path, works + "answer('= resign\\n\\n')"), answer_s=60.0)
    try:
        program.prepare(Hex(3, 3))
        outcome = play_game(Hex(3, 3), (program, load_strategy("random", 1)), Budget(clock="cpu"))
    finally:
        program.close()
    assert outcome.seconds[0] >= 0.29


def test_our_own_server_is_a_good_program():
    program = OutsideProgram(f"{sys.executable} -m hexlogic htp --player bridge --playouts 10", answer_s=60.0)
    try:
        for board in (Hex(4, 4), Hex(3, 5)):
            for seats in ((program, load_strategy("random", 2)), (load_strategy("random", 2), program)):
                outcome = play_game(board, seats, Budget(), swap=True)
                assert outcome.reason == "connection"
    finally:
        program.close()


def test_a_missing_program_and_a_broken_command():
    from hexlogic.errors import EngineError

    with pytest.raises(EngineError, match="is no command"):
        OutsideProgram("'open quote", answer_s=1.0)
    with pytest.raises(EngineError, match="empty"):
        OutsideProgram("", answer_s=1.0)
    program = OutsideProgram("/nowhere/wolve --quiet", answer_s=1.0)
    with pytest.raises(EngineError, match="wolve does not start"):
        program.prepare(Hex(3, 3))


def test_the_tournament_goes_on(tmp_path):
    engines = {name: command(tmp_path, BAD[name][0], f"{name}.py") for name in ("dies", "nonsense", "illegal")}
    engines["missing"] = "/nowhere/engine"
    settings = TournamentSettings(
        players=("random", *engines),
        sizes=("3",),
        games=2,
        seed=1,
        seconds=None,
        playouts=10,
        gauntlet=True,
        swap=False,
        openings={},
        engines=engines,
    )
    file = run_tournament(settings, tmp_path / "out")
    assert len(file.games) == 8
    for line in file.games.values():
        assert line.winner == "random" or "illegal" in line.key
        if line.winner == "random" and "illegal" not in line.key:
            assert "forfeits" in line.reason
    assert file.end is not None
