"""`hexlogic profile` and `hexlogic ground`; files in Latin-1."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from hexlogic.encodings.reading import read_encoding
from tests.encodings.test_profile import PRECEDENCE

AT = ":- at(X,C), at(Y,C), X != Y.\n"


def test_the_command_in_its_forms(cli, tmp_path) -> None:
    file, page = tmp_path / "p.lp", tmp_path / "p.html"
    file.write_text(PRECEDENCE)
    told = cli("profile", str(file))
    assert re.match(r"[\d,]+ ground rules in \d\.\d{3} CPU s\n *\d+% +\d[\d,]*  .*p\.lp:4:1  :- prec\(", told.out)
    assert "first look, at 12% of the facts:" in told.err
    assert json.loads(cli("profile", str(file), "--json").out)["statements"][0]["line"] == 4
    found = json.loads(cli("profile", str(file), "--sarif").out)["runs"][0]["results"][0]
    assert found["locations"][0]["physicalLocation"]["region"]["startLine"] == 4
    cli("profile", str(file), "--html", str(page))
    assert "TB &lt; TA+D" in page.read_text()


NOT_THERE = '{a}.\n #include "absent.lp".\n'
ENDLESS = "% numbers\nn(0). n(X+1) :- n(X).\n"


@pytest.mark.parametrize("command", ["profile", "ground", "optimise"])
@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("{a}. p(X) :- q(Y).", "x.lp:1:6: unsafe variables in: "),
        ("{a} :- ", "x.lp:2:1: syntax error"),
        (NOT_THERE, "x.lp:2:2: file could not be opened: absent.lp"),
        ("{a}. b(c.", "x.lp:1:9: syntax error"),
    ],
)
def test_bad_input_is_one_line(cli, tmp_path, command, text, line) -> None:
    file = tmp_path / "x.lp"
    file.write_text(text)
    assert line in cli(command, str(file)).refused()
    assert file.read_text() == text
    assert {each.name for each in tmp_path.iterdir()} <= {"x.lp", "home"}


@pytest.mark.parametrize("command", ["profile", "ground"])
def test_bad_files_and_options_are_one_line(cli, tmp_path, command) -> None:
    (tmp_path / "x.lp").write_text("{a}.")
    absent, file = str(tmp_path / "absent.lp"), str(tmp_path / "x.lp")
    assert cli(command, absent).refused() == f"{absent}: cannot be read: no such file or directory"
    assert cli(command, file, absent).refused() == f"{absent}: cannot be read: no such file or directory"
    assert cli(command, str(tmp_path)).refused() == f"{tmp_path}: cannot be read: is a directory"
    for options, words in (
        (["--limit", "soon"], "'soon' is not a valid float range"),
        (["--limit", "0"], "0.0 is not in the range x>=0.1"),
        (["--aim", "fast"], "No such option: --aim"),
    ):
        assert words in cli(command, file, *options).refused()


def test_a_program_that_cannot_be_profiled_is_one_line(cli, tmp_path) -> None:
    file = tmp_path / "x.lp"
    for text, line in (
        ("#script (python)\n#end.\n", "x.lp: the program has scripts (--allow-scripts lets them run)"),
        ("#const k=2. #const k=3. n(1..k). { a(X) } :- n(X).\n", "redefinition of constant"),
    ):
        file.write_text(text)
        assert line in cli("profile", str(file), "--limit", "4").refused()


@pytest.mark.takes_seconds
@pytest.mark.parametrize("command", ["profile", "ground", "optimise"])
def test_a_rule_without_end_is_named_at_the_limit(cli, tmp_path, command) -> None:
    file = tmp_path / "x.lp"
    for more in ("", "{ q(1..3) }. :- q(X), q(Y), X != Y.\n"):  # the second has a text before anything is measured
        file.write_text(ENDLESS + more)
        if command == "ground" or not more:
            told = cli(command, str(file), "--limit", "5")
            if command == "profile":
                assert re.search(r"x\.lp:2:7  n\(X\+1\).*\n.*n\(X\+1\) may grow without end", told.out)
                continue
            *_, line = told.err.splitlines()
            assert told.status == 2
            assert line.startswith(f"{file}:2:7: ")
            assert line.endswith("(n(X+1) may grow without end; --limit S allows more time)")


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no file here that is always full")
@pytest.mark.parametrize("atoms", ["1..3", "1..60000"])
def test_ground_names_a_full_disk_and_says_nothing_of_a_reader_who_leaves(tmp_path, atoms) -> None:
    (tmp_path / "p.lp").write_text(f"a({atoms}).\nb(X) :- a(X).\n")
    command = [sys.executable, "-m", "hexlogic", "ground", "p.lp"]
    environment = {**os.environ, "XDG_CACHE_HOME": str(tmp_path / "cache")}
    with Path("/dev/full").open("w") as full:
        told = subprocess.run(command, cwd=tmp_path, env=environment, stdout=full, stderr=subprocess.PIPE, text=True)
    assert (told.returncode, told.stderr) == (2, "standard output: No space left on device\n")
    piped = f"{' '.join(command)} | head -n 1"
    told = subprocess.run(piped, shell=True, cwd=tmp_path, env=environment, capture_output=True, text=True, check=True)
    assert (told.stdout, told.stderr) == ("asp 1 0 0\n", "")


def test_ground_keeps_the_letters_of_latin_1(tmp_path) -> None:
    (tmp_path / "l.lp").write_bytes(b'n("caf\xe9"). { a(X) : n(X) }.\n')
    (tmp_path / "u.lp").write_text('n("\u00e9t\u00e9").\n', encoding="utf-8")
    command = [sys.executable, "-m", "hexlogic", "ground", "l.lp", "u.lp"]
    environment = {**os.environ, "XDG_CACHE_HOME": str(tmp_path / "cache")}
    told = subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, check=True)
    assert b'n("caf\xe9")' in told.stdout
    assert 'n("\u00e9t\u00e9")'.encode() in told.stdout


def test_latin_1_is_written_back_byte_for_byte(cli, tmp_path) -> None:
    file, out = tmp_path / "l.lp", tmp_path / "o.lp"
    head = b'n("caf\xe9"). % \xfc\n{ at(1..20,1..5) }.\n'
    file.write_bytes(head + AT.encode())
    assert read_encoding([file]).charset == "latin-1"
    assert cli("optimise", str(file), "-o", str(out)).status == 0
    written = out.read_bytes()
    assert written.startswith(head)
    assert b"#count { X : at(X,C) } > 1." in written


def test_ground_keeps_the_optimised_text(tmp_path) -> None:
    (tmp_path / "p.lp").write_text(AT + "#show at/2.\n")
    command = [sys.executable, "-m", "hexlogic", "ground", "p.lp", "i.lp", "--limit", "30"]
    environment = {**os.environ, "XDG_CACHE_HOME": str(tmp_path / "cache")}
    for facts in ("{ at(1..30,1..9) }.", "{ at(1..30,1..9) }. % another text"):
        (tmp_path / "i.lp").write_text(facts)
        told = subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, text=True, check=True)
        assert told.stdout.startswith("asp 1 0 0")
        (kept,) = (tmp_path / "cache" / "hexlogic" / "ground").iterdir()
        assert "#count" in kept.read_text()


def test_better_texts_are_written_as_they_come(cli, tmp_path) -> None:
    program, output = tmp_path / "p.lp", tmp_path / "new.lp"
    program.write_text("{ at(1..30,1..9) }. :- at(X,C), at(Y,C), X != Y. #show at/2.\n")
    result = cli("optimise", str(program), "--aim", "ground", "--format", "lines", "-o", str(output))
    texts = [json.loads(line) for line in result.out.splitlines()]
    assert [text["before"] for text in texts].index({"unmeasured": "not yet"}) == 0
    assert len(texts) == 2
    assert "X < Y" in texts[0]["program"]
    assert "#count" in texts[1]["program"]
    assert output.read_text() == texts[1]["program"]
