"""Files of pytest-benchmark: read as runs, and refused in one line when they are not what they should be.

The file is one that benchmarks/ really wrote, made here once by a tiny selection of them.
"""

from __future__ import annotations

import json
import os
import re
import statistics
import subprocess
import sys
from pathlib import Path

import pytest

from hexlogic.errors import SuiteError
from hexlogic.laboratory.records.store import read_benchmarks
from hexlogic.laboratory.report.comparison import SuiteComparison, read_side
from hexlogic.laboratory.report.comparison_text import render_comparison
from hexlogic.laboratory.report.quality import doubts
from hexlogic.laboratory.report.results import read_results
from hexlogic.laboratory.report.statistics import summarise
from tests.checkout import CHECKOUT


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, str]:
    """The JSON file and what pytest printed: clusters on clingo, and one benchmark that is no query."""
    file = tmp_path_factory.mktemp("benchmarks") / "benchmarks.json"
    chosen = (
        "(clusters-none-clingo or clusters-ground-clingo or test_parse and clusters) and not labelled and not union"
    )
    command = [sys.executable, "-m", "pytest", "benchmarks", "-k", chosen, "-p", "no:cacheprovider", "-p", "no:xdist"]
    command += [
        "--benchmark-only",
        "--benchmark-min-rounds=12",
        "--benchmark-max-time=0.01",
        f"--benchmark-json={file}",
    ]
    # Inside a worker of xdist, pytest-benchmark would take the new pytest for another one and measure nothing.
    environment = {name: value for name, value in os.environ.items() if not name.startswith("PYTEST_XDIST")}
    done = subprocess.run(
        command, cwd=CHECKOUT, env=environment, capture_output=True, text=True, check=False, timeout=600
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return file, done.stdout


def changed(made: tuple[Path, str], tmp_path: Path, old: str, new: str, count: int = 0) -> Path:
    """The file with a part of its text replaced."""
    text = json.dumps(json.loads(made[0].read_text()), separators=(",", ":"))
    path = tmp_path / "changed.json"
    path.write_text(re.sub(old, new, text, count=count))
    assert path.read_text() != text
    return path


@pytest.mark.takes_seconds
def test_queries_are_runs_and_the_rest_is_not(made) -> None:
    found = read_benchmarks(made[0])
    assert {(run.rule_set, run.pipeline, run.engine) for run in found.runs} == {
        ("clusters", "none", "clingo"),
        ("clusters", "ground", "clingo"),
    }
    assert sorted(found.others) == [
        "test_programs.py::test_parse[clusters]",
        "test_queries.py::test_load[clusters-none-clingo]",
    ]
    assert all(run.category == "correct" and run.counters["ground_rules"] for run in found.runs)


def test_medians_are_those_of_the_rounds(made) -> None:
    rounds = {
        tuple(one["extra_info"]["hexlogic"][key] for key in ("rule_set", "pipeline", "engine")): one["stats"]["data"]
        for one in json.loads(made[0].read_text())["benchmarks"]
        if one["extra_info"]
    }
    cells = summarise(read_benchmarks(made[0]).runs)
    for cell in cells:
        data = rounds[cell.rule_set, cell.pipeline, cell.engine]
        # Rounds of one process are one repeat.
        assert cell.counted == 1
        assert cell.time_s == statistics.median(data)


def test_the_session_ends_with_the_tables(made) -> None:
    printed = made[1]
    assert "benchmark 'clusters: query': 2 tests" in printed
    after = printed[printed.index("runtime savings, in process") :]
    assert "clusters (difficult-1, wins(red))" in after
    assert re.search(r"RSF", after)


@pytest.mark.takes_seconds
def test_report_and_compare_take_it(made, tmp_path) -> None:
    (suite,) = read_results([made[0]]).suites
    assert (suite.suite, len(suite.configurations)) == ("in-process", 2)
    told = " ".join(doubts(suite.files[0]))
    assert "times inside one process, by pytest-benchmark" in told
    assert "cut off" not in told
    again = changed(made, tmp_path, r'"session":"[0-9a-f]{32}"', '"session":"' + "0" * 32 + '"')
    found = SuiteComparison(read_side(made[0]), read_side(again))
    assert len(found.changes) == 4
    assert {change.verdict for change in found.changes} == {"unknown"}
    assert found.pools == []
    assert "4 cells cannot be told apart: one process only." in " ".join(render_comparison(found).split())


def test_one_process_says_nothing_however_different_its_rounds(made, tmp_path) -> None:
    """All times ten times longer: one process may be slow as a whole, and its rounds do not tell."""
    text = json.loads(made[0].read_text())
    text["hexlogic"]["session"]["session"] = "0" * 32
    for one in text["benchmarks"]:
        one["stats"]["data"] = [10 * value for value in one["stats"]["data"]]
    slow = tmp_path / "slow.json"
    slow.write_text(json.dumps(text))
    found = SuiteComparison(read_side(made[0]), read_side(slow))
    assert not found.worse
    assert {change.verdict for change in found.changes} == {"unknown"}


def test_a_folder_of_files_is_one_repeat_per_process(made, tmp_path) -> None:
    def folder(name: str, factors: list[float]) -> Path:
        (tmp_path / name).mkdir()
        for number, factor in enumerate(factors):
            text = json.loads(made[0].read_text())
            text["hexlogic"]["session"]["session"] = f"{name}{number}"
            for one in text["benchmarks"]:
                one["stats"]["data"] = [factor * value for value in one["stats"]["data"]]
            (tmp_path / name / f"{number}.json").write_text(json.dumps(text))
        return tmp_path / name

    old, new = folder("old", [1.0, 1.01, 0.99, 1.02]), folder("new", [10.0, 10.1, 9.9, 10.2])
    found = SuiteComparison(read_side(old), read_side(new))
    assert {change.verdict for change in found.changes} == {"slower"}
    assert {len(change.old.times) for change in found.changes} == {4}
    again = SuiteComparison(read_side(old), read_side(folder("again", [0.99, 1.0, 1.01, 1.0])))
    assert not again.having("slower", "faster", "suspect")
    twice = tmp_path / "twice"
    twice.mkdir()
    for number in range(2):
        (twice / f"{number}.json").write_bytes(made[0].read_bytes())
    with pytest.raises(SuiteError, match="the same session as"):
        read_side(twice)


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        (r"^\{", "{,", "not benchmarks of hexlogic: JSON is malformed"),
        (r'"benchmarks":', '"marks":', "missing required field `benchmarks`"),
        (r',"hexlogic":\{"session":\{.*\}', "}", "none of hexlogic's: no session header"),
        (r'"data":\[[^]]*\],', "", "has no rounds"),
        (r'"data":\[[^]]*\],', '"data":[],', "length >= 1 - at `$.benchmarks"),
        (r'"data":\[[^]]*\],', '"data":[0.1,-1.0],', "`float` > 0.0 - at `$.benchmarks"),
        (r'"schema":\d+', '"schema":1', "records of schema 1, not"),
        (r'"rule_set_hash"', '"hash"', "unknown field `hash`"),
    ],
)
def test_what_is_not_understood_is_refused_with_the_file(made, tmp_path, old, new, said) -> None:
    path = changed(made, tmp_path, old, new)
    with pytest.raises(SuiteError) as caught:
        read_benchmarks(path)
    assert str(caught.value).startswith(f"{path}: ")
    assert said in str(caught.value)
    assert "\n" not in str(caught.value)


def test_a_missing_file_is_refused(tmp_path) -> None:
    with pytest.raises(SuiteError, match=r"none\.json: cannot read benchmarks: no such file"):
        read_benchmarks(tmp_path / "none.json")
