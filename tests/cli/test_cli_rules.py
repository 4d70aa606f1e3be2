"""`hexlogic rules`: the registry as a table, and runnable text."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys

import pytest

from hexlogic.logic.parser import parse
from hexlogic.rulesets import load_rule_set, rule_set_names


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


@pytest.mark.parametrize("flags", [[], ["--source"]])
def test_without_a_size_the_file_itself_is_shown(cli, flags):
    for name in rule_set_names():
        assert cli("rules", "show", name, *flags).out == load_rule_set(name).text


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
        (["clusters", "--pipeline", "ground,polish"], "unknown pass 'polish' (known: ground, "),
        (["clusters", "--pipeline", "ground,,prune"], "empty step in the pipeline 'ground,,prune' (for example "),
        (["clusters", "--pipeline", "reorder:best"], "'best'"),
        (["clusters", "--dialect", "latin"], "unknown dialect 'latin' (known: asp, "),
        (["clusters", "--game", "chess", "--size", "8"], "unknown game 'chess' (known: hex)"),
        (["clusters", "--size", "0"], "--size: a Hex board cannot have 0 rows (each side has 1 to "),
        (["clusters", "--size", "abc"], "--size: 'abc' is not a size (such as 9, or 9x11 for rows x columns)"),
        (["clusters", "--size", "-3"], "--size: '-3' is not a size (such as 9, "),
        (["winning-sets", "--size", "7"], "68,914 minimal winning sets"),
    ],
)
def test_bad_input_is_one_line(cli, arguments, line):
    assert line in cli("rules", "show", *arguments).refused()
