"""`hexlogic profile` and `hexlogic ground`; files in Latin-1."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys

import pytest

from hexlogic.encodings.reading import read_encoding
from tests.encodings.test_profile import PRECEDENCE

AT = ":- at(X,C), at(Y,C), X != Y.\n"


def test_the_command_in_its_forms(cli, tmp_path) -> None:
    file, page = tmp_path / "p.lp", tmp_path / "p.html"
    file.write_text(PRECEDENCE)
    told = cli("profile", str(file))
    assert re.match(r"[\d,]+ ground rules in \d\.\d{3} CPU s\n *\d+% +\d[\d,]*  .*p\.lp:4:1  :- prec\(", told.out)
    assert "first look, at 1/8 of the facts:" in told.err
    assert json.loads(cli("profile", str(file), "--json").out)["statements"][0]["line"] == 4
    found = json.loads(cli("profile", str(file), "--sarif").out)["runs"][0]["results"][0]
    assert found["locations"][0]["physicalLocation"]["region"]["startLine"] == 4
    cli("profile", str(file), "--html", str(page))
    assert "TB &lt; TA+D" in page.read_text()


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("{a}. p(X) :- q(Y).", "x.lp:1:6: unsafe variables in: "),
        ("{a} :- ", "x.lp:2:1: syntax error"),
        ("#script (python)\n#end.\n", "x.lp: a program with scripts is not profiled"),
        ("n(1..3000). {p(X,Y,Z)} :- n(X), n(Y), n(Z).\n", "--limit S allows more time"),
    ],
)
def test_bad_input_is_one_line(cli, tmp_path, text, line) -> None:
    file = tmp_path / "x.lp"
    file.write_text(text)
    for command in ("profile", "ground"):
        if command == "profile" or not ("limit" in line or "script" in line):
            limit = ["--limit", "3"] if "limit" in line else []
            assert (line if command == "profile" else "x.lp") in cli(command, str(file), *limit).refused()


def test_latin_1_is_written_back_byte_for_byte(cli, tmp_path) -> None:
    file, out = tmp_path / "l.lp", tmp_path / "o.lp"
    head = b'n("caf\xe9"). % \xfc\n{ at(1..20,1..5) }.\n'
    file.write_bytes(head + AT.encode())
    assert read_encoding([file]).charset == "latin-1"
    assert cli("optimise", str(file), "-o", str(out)).status == 0
    assert out.read_bytes().startswith(head + b":- at(_,C), #count")


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
