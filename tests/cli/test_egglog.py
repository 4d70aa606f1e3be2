"""egglog and its rule set from the command line."""

from __future__ import annotations

import shlex
import subprocess
import sys
from pathlib import Path


def test_the_printed_text_runs_as_its_header_says(cli, tmp_path):
    for board, winner in (("small", 'wins/1 (Sym "red")'), ("difficult-1", None)):
        text = cli("rules", "show", "clusters-union", "--position", board, "--dialect", "egglog", "-p", "ground").out
        (tmp_path / "FILE").write_text(text)
        run = next(line for line in text.splitlines() if line.startswith("; run: ")).removeprefix("; run: ")
        python, *arguments = shlex.split(run)
        assert python == "python"
        done = subprocess.run([sys.executable, *arguments], cwd=tmp_path, capture_output=True, text=True)
        assert done.returncode == 0, done.stderr
        assert (winner in done.stdout) if winner else ("wins/1" not in done.stdout)


def test_win_by_union_find(cli):
    answer = cli("win", "snake", "--rules", "clusters-union", "--engine", "egglog")
    assert answer.out.startswith("red wins: ")


def test_other_engines_say_why_they_leave_it(cli):
    answer = cli("win", "small", "--rules", "clusters-union", "--engine", "clingo").refused()
    assert "it needs union-find: united/3 is declared an equivalence" in answer
    assert "(egglog can)" in answer


def test_a_rule_file_that_declares_too_much(cli, tmp_path: Path):
    from hexlogic.games.rulesets import load_rule_set

    path = tmp_path / "mine.lp"
    path.write_text(load_rule_set("clusters-union").text.replace("united(P,Y,X) :- united(P,X,Y).\n", ""))
    answer = cli("win", "small", "--rules", str(path), "--engine", "egglog").refused()
    assert "mine.lp:12:1: the equivalence united/3 is not closed by its rules (add united(P1,Y,X) :- " in answer
