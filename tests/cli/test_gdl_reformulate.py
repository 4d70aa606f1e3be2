"""`hexlogic gdl reformulate`: the sheet that is written, what is said of it, exit statuses."""

from __future__ import annotations

import json
import pickle
import signal
import subprocess
import sys

import pytest

from hexlogic.ggp.optimise.equality import SheetEquality
from hexlogic.ggp.reformulation import search
from hexlogic.ggp.reformulation.search import SameGame
from hexlogic.process.call import Stopped
from tests.checkout import CHECKOUT
from tests.ggp.test_reformulation import LINE, NEEDS_SWIPL, difference, game


@NEEDS_SWIPL
@pytest.mark.takes_seconds
def test_the_command_writes_the_sheet_and_says_what_was_shown(cli, tmp_path):
    given, found = tmp_path / "given.kif", tmp_path / "found.kif"
    given.write_text(LINE)
    outcome = cli("gdl", "reformulate", str(given), "--time", "90", "--json", "-o", str(found))
    data = json.loads(outcome.out)
    assert outcome.status == 0
    assert data["found"][-1]["work"] < data["given"]
    assert data["shown"]
    assert found.read_text() == data["sheet"]
    assert difference(game(LINE), game(found.read_text())) is None


@NEEDS_SWIPL
@pytest.mark.parametrize("name", ["nim", "deep"])  # numbers, and terms in terms
def test_where_nothing_is_cheaper_the_command_says_so(cli, name):
    outcome = cli("gdl", "reformulate", str(CHECKOUT / "tests" / "ggp" / "games" / f"{name}.kif"), "--time", "20")
    assert outcome.status == 0
    assert "nothing cheaper was found" in outcome.out


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("(role a) (legal a b", ":1:10: this parenthesis is never closed"),
        ("(role a) (init (n z)) (<= (next (n (s ?x))) (true (n ?x)))", "terms grow"),
        ("(<= (p ?x) (q ?x))", ": the sheet names no role"),
    ],
)
def test_bad_input_is_one_line_with_the_file(cli, tmp_path, text, words):
    file = tmp_path / "bad.kif"
    file.write_text(text)
    outcome = cli("gdl", "reformulate", str(file))
    assert outcome.status == 2
    assert outcome.err.startswith(str(file))
    assert words in outcome.err


@NEEDS_SWIPL
@pytest.mark.takes_seconds
def test_ctrl_c_ends_the_search_and_loses_nothing(tmp_path):
    given = tmp_path / "given.kif"
    given.write_text(LINE)
    command = [sys.executable, "-m", "hexlogic", "gdl", "reformulate", str(given), "--time", "300"]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    assert process.stderr.readline()  # the first move is tried: the sheet is counted
    process.send_signal(signal.SIGINT)
    out, _ = process.communicate()
    assert process.returncode == 130
    assert out.startswith("; inferences in 2 random games on swipl:sld: ")


@pytest.mark.parametrize("end", [Stopped("60 s", "wall-limit", ()), KeyboardInterrupt()])
def test_a_comparison_that_is_stopped_tells_what_it_knew(monkeypatch, end):
    known = SameGame(SheetEquality(None, 3, 20))

    def stopped(_function, _task, *, time_s, report):
        report(pickle.dumps(known))
        raise end

    games = (game(LINE),)
    whole, interrupted = search.compared([games, games], 60.0)
    assert whole.shown
    assert not interrupted
    monkeypatch.setattr(search, "run_job", stopped)
    assert search.compared([games, games], 60.0) == (known, isinstance(end, KeyboardInterrupt))
