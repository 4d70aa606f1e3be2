"""`hexlogic rules`: the registry as a table, and runnable text."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys

import pytest

from hexlogic.games.rulesets import load_rule_set, rule_set_names
from hexlogic.language.parser import parse


def test_the_table_names_every_rule_set_and_fits_100_columns(cli):
    outcome = cli("rules", "list")
    assert outcome.status == 0
    assert max(map(len, outcome.out.splitlines())) <= 100
    first_words = {line.split()[0] for line in outcome.out.splitlines() if line and not line[0].isspace()}
    assert set(rule_set_names()) <= first_words


def test_the_list_as_json(cli):
    rows = json.loads(cli("rules", "list", "--json").out)
    assert [row["name"] for row in rows] == list(rule_set_names())
    by_name = {row["name"]: row for row in rows}
    assert by_name["power-set"]["complete"] is False
    assert "misses" in by_name["power-set"]["caveat"]
    assert by_name["clusters"]["recursive"] is True


def test_without_a_size_the_file_itself_is_shown(cli):
    for name in rule_set_names():
        assert cli("rules", "show", name).out == load_rule_set(name).text


def test_the_header_says_how_the_text_came_about(cli):
    out = cli("rules", "show", "clusters", "--size", "2x3", "--pipeline", "ground,reorder").out
    assert out.startswith("% clusters for 2x3 Hex, pipeline ground,reorder, dialect asp\n")
    assert parse(out).rules


def test_size_nine_is_taken_when_only_a_dialect_or_a_pipeline_is_given(cli):
    for option in (["--dialect", "prolog"], ["--pipeline", "ground"]):
        assert " for 9x9 Hex, " in cli("rules", "show", "clusters", *option).out.splitlines()[0]


def test_output_is_the_same_every_time(cli):
    arguments = ["rules", "show", "power-set", "--size", "4", "--pipeline", "ground,reorder", "--dialect", "prolog"]
    assert cli(*arguments).out == cli(*arguments).out


def test_clingo_runs_the_text(cli, tmp_path):
    file = tmp_path / "won.lp"
    file.write_text(cli("rules", "show", "clusters", "--position", "small", "--pipeline", "ground,reorder").out)
    done = subprocess.run([sys.executable, "-m", "clingo", str(file)], capture_output=True, text=True)
    assert "\nwins(red)\n" in done.stdout


def test_pydatalog_runs_the_text_as_its_header_says(cli, tmp_path):
    text = cli("rules", "show", "clusters", "--position", "small", "--dialect", "pydatalog", "-p", "ground,reorder").out
    assert run_as_told(text, tmp_path, "FILE").strip() == "{('red',)}"


@pytest.mark.skipif(shutil.which("swipl") is None, reason="swipl is not installed")
def test_swipl_runs_the_text_as_its_header_says(cli, tmp_path):
    text = cli("rules", "show", "clusters", "--position", "small", "--dialect", "prolog", "-p", "ground,reorder").out
    assert run_as_told(text, tmp_path, "FILE.pl").strip() == "wins(red)"


def test_souffle_reads_the_stones_from_a_file_unless_they_are_in_the_text(cli):
    apart = cli("rules", "show", "clusters", "--size", "3", "--dialect", "souffle").out
    assert ".input owns\n" in apart
    assert "write them to owns.facts" in apart
    together = cli("rules", "show", "clusters", "--position", "small", "--dialect", "souffle").out
    assert ".input" not in together
    assert 'owns("red",' in together
    for text in (apart, together):
        assert text.startswith("// clusters for ")
        assert "\n// run: souffle -F. -D- FILE.dl\n" in text


def test_epilog_text_says_how_to_write_the_stones(cli):
    grounded = cli("rules", "show", "power-set", "--position", "small", "--dialect", "epilog", "-p", "ground").out
    assert "% input: owns_2(s_red or c12, s_red or c12)\n" in grounded
    assert "\nowns_2(s_red,c" in grounded
    computed = cli("rules", "show", "power-set", "--size", "3", "--dialect", "epilog").out
    assert "% input: owns_2(s_red or c12, 12)\n" in computed


def run_as_told(text: str, folder, file: str) -> str:
    """Carry out the `run:` line of the header."""
    (folder / file).write_text(text)
    command = next(line for line in text.splitlines() if "run: " in line).split("run: ")[1]
    command = command.replace("python -c", f'"{sys.executable}" -c')
    return subprocess.run(command, shell=True, capture_output=True, text=True, check=True, cwd=folder).stdout


@pytest.mark.parametrize(
    ("arguments", "line"),
    [
        (["nope"], "unknown rule set 'nope' (known: clusters, "),
        (["cluster"], "unknown rule set 'cluster' (did you mean clusters"),
        (["clusters", "--pipeline", "ground,polish"], "unknown pass 'polish' (known: chase, ground, "),
        (["clusters", "--pipeline", "ground,,prune"], "empty step in the pipeline 'ground,,prune' (for example "),
        (["clusters", "--pipeline", "reorder:best"], "'best'"),
        (["clusters", "--dialect", "latin"], "unknown dialect 'latin' (known: asp, "),
        (["clusters", "--game", "chess", "--size", "8"], "unknown game 'chess' (known: havannah, hex, "),
        (["clusters", "--size", "0"], "--size: a Hex board cannot have 0 rows (each side has 1 to "),
        (["clusters", "--size", "abc"], "--size: 'abc' is not a size (such as 9, or 9x11 for rows x columns)"),
        (["clusters", "--size", "-3"], "--size: '-3' is not a size (such as 9, "),
        (["winning-sets", "--size", "7"], "68,914 minimal winning sets"),
    ],
)
def test_bad_input_is_one_line(cli, arguments, line):
    assert line in cli("rules", "show", *arguments).refused()


HEADER = """% name:     mine
% idea:     for a test
% source:   none
% query:    wins/1
% games:    any
% complete: yes
% needs:    nothing
% cost:     nothing

"""


@pytest.mark.parametrize(
    ("rules", "line"),
    [
        ("wins(P) :- owns(P,X)", "mine.lp:11:1: the text ends inside a rule (a rule ends with a dot)"),
        ("wins(P) :- owns(P,X), first(P,X)) .", "mine.lp:10:33: "),
        ("wins(P) :- not owns(P,1).", "mine.lp:10:1: variable P is unsafe in `wins(P) :- not owns(P,1).` (bind it in "),
        (
            "wins(P) :- owns(P,X), not q(P).\nq(P) :- owns(P,X), not wins(P).",
            "mine.lp:11:1: q/1 depends on its own negation (the cycle is q/1 -> ",
        ),
        ("wins(P) :- owns(P,X), q(X).\nq(1).\nq(1,2).", "mine.lp:12:1: "),
        ("wins(P) :- owns(P).", "mine.lp:10:1: predicate owns/1 is used as owns/2 elsewhere (a name has one arity "),
    ],
    ids=["no final dot", "bracket", "unsafe", "unstratified", "two arities", "two arities across files"],
)
def test_a_wrong_rule_file_is_named_with_line_and_column(cli, tmp_path, rules, line):
    file = tmp_path / "mine.lp"
    file.write_text(f"{HEADER}{rules}\n")
    refusal = cli("rules", "show", str(file), "--size", "3").refused()
    assert refusal.startswith(line), refusal
    assert cli("win", "size 3, a1", "--rules", str(file)).refused() == refusal


def test_a_rule_file_of_ones_own(cli, tmp_path):
    file = tmp_path / "mine.lp"
    file.write_text(HEADER + "wins(P) :- first(P,X), last(P,X), owns(P,X).\n#show wins/1.\n")
    assert cli("rules", "show", str(file), "--size", "1").out.startswith("% mine for 1x1 Hex")
    assert cli("win", "size 1, a1", "--rules", str(file)).out.startswith("red wins: a1\n")
    assert "cannot read the rule set" in cli("rules", "show", str(tmp_path / "no.lp")).refused()
    file.write_text("wins(P) :- owns(P,X).\n")
    assert cli("rules", "show", str(file)).refused() == "mine.lp:1:1: not a header line (% key: value)"
