"""`hexlogic gdl`: a sheet in any dialect, and one line for a bad one."""

from __future__ import annotations

import shutil
import subprocess
from dataclasses import replace

import pytest

from hexlogic.ggp import read_hrf, read_kif, read_sheet
from hexlogic.language.dialects import dialects
from hexlogic.language.dialects.gdl import sayable
from hexlogic.language.parser import parse
from tests.checkout import CHECKOUT

GAMES = sorted((CHECKOUT / "tests" / "ggp" / "games").glob("*.kif"))
NIM = next(path for path in GAMES if path.stem == "nim")


@pytest.mark.takes_seconds(keep=4)
@pytest.mark.parametrize("path", GAMES, ids=lambda path: path.stem)
@pytest.mark.parametrize(("dialect", "read"), [("asp", parse), ("gdl", read_kif), ("hrf", read_hrf)])
def test_a_sheet_is_printed_and_reads_back(cli, path, dialect, read):
    outcome = cli("gdl", "show", str(path), "--dialect", dialect)
    assert (outcome.status, outcome.err) == (0, "")
    sheet = read_sheet(path)
    # GDL has no equation: a variable that is equal to a term is replaced by it.
    assert read(outcome.out) == (sheet if dialect == "asp" else replace(sheet, rules=tuple(map(sayable, sheet.rules))))


def test_asp_is_the_default_and_infix_files_are_read_by_their_ending(cli, tmp_path):
    (tmp_path / "nim.hrf").write_text(cli("gdl", "show", str(NIM), "-d", "hrf").out)
    assert cli("gdl", "show", str(tmp_path / "nim.hrf")).out == cli("gdl", "show", str(NIM)).out


def test_passes_are_applied(cli):
    text = cli("gdl", "show", str(NIM), "-d", "gdl", "-p", "ground").out
    assert "(less 0 3)" in text
    assert "(<= (less" not in text


@pytest.mark.skipif(shutil.which("swipl") is None, reason="swipl is not installed")
def test_tests_stand_behind_their_variables_where_the_order_counts(cli, tmp_path):
    (tmp_path / "p.kif").write_text("(q 1) (q 2) (r 2) (<= (goal ?x ?y) (distinct ?x ?y) (not (r ?x)) (q ?x) (q ?y))")
    (tmp_path / "p.pl").write_text(cli("gdl", "show", str(tmp_path / "p.kif"), "-d", "prolog").out)
    goal = "forall(goal(A,B), (print(A-B), nl))"
    done = subprocess.run(["swipl", "-g", goal, "-t", "halt", tmp_path / "p.pl"], capture_output=True, text=True)
    assert done.stdout == "1-2\n"


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("(role a", ":1:1: this parenthesis is never closed (the text ends inside it)"),
        ("(role a)\n(<= (p ?x) (not (q ?x)))", ":2:1: variable X is unsafe in "),
        ("(role a)\n(<= p (not p))", ":2:1: p/0 depends on its own negation"),
    ],
)
def test_a_bad_sheet_is_one_line(cli, tmp_path, text, line):
    (tmp_path / "bad.kif").write_text(text)
    assert cli("gdl", "show", str(tmp_path / "bad.kif")).refused().startswith(f"{tmp_path}/bad.kif{line}")


def test_what_cannot_be_read_or_printed_is_one_line(cli, tmp_path):
    assert "none.kif: cannot be read: no such file or directory" in cli("gdl", "show", "none.kif").refused()
    (tmp_path / "latin.kif").write_bytes(b"(role \xe4)")
    assert cli("gdl", "show", str(tmp_path / "latin.kif")).refused().endswith("latin.kif: this is not UTF-8 text")
    assert "unknown dialect 'kif' (known: asp, " in cli("gdl", "show", str(NIM), "-d", "kif").refused()
    assert {"gdl", "hrf"} <= set(dialects())
