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
from hexlogic.report.comparison import compare, read_side
from hexlogic.report.gather import gather
from hexlogic.report.pytest_benchmark import batches, read_benchmarks
from hexlogic.report.stats import summarise
from hexlogic.report.text import doubts

CHECKOUT = Path(__file__).resolve().parents[2]


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
        command, cwd=CHECKOUT, env=environment, capture_output=True, text=True, check=False, timeout=300
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


def test_queries_are_runs_and_the_rest_is_not(made) -> None:
    found = read_benchmarks(made[0])
    assert {(run.rule_set, run.pipeline, run.engine) for run in found.records.runs} == {
        ("clusters", "none", "clingo"),
        ("clusters", "ground", "clingo"),
    }
    assert sorted(found.others) == [
        "test_programs.py::test_parse[clusters]",
        "test_queries.py::test_load[clusters-none-clingo]",
    ]
    assert all(run.category == "correct" and run.counters["ground_rules"] for run in found.records.runs)


def test_medians_are_those_of_the_rounds(made) -> None:
    rounds = {
        tuple(one["extra_info"]["hexlogic"][key] for key in ("rule_set", "pipeline", "engine")): one["stats"]["data"]
        for one in json.loads(made[0].read_text())["benchmarks"]
        if one["extra_info"]
    }
    cells = summarise(read_benchmarks(made[0]).records.runs)
    for cell in cells:
        data = rounds[cell.rule_set, cell.pipeline, cell.engine]
        assert cell.counted == min(10, len(data))
        assert cell.time_s == statistics.median(batches(data))
        assert min(data) <= cell.time_s <= max(data)


def test_every_round_is_in_one_batch() -> None:
    for count in range(1, 60):
        means = batches([float(number) for number in range(count)])
        assert len(means) == min(10, count)
        assert list(means) == sorted(means)
        assert statistics.fmean(means) == pytest.approx((count - 1) / 2, abs=0.5)


def test_the_session_ends_with_the_tables(made) -> None:
    printed = made[1]
    assert "benchmark 'clusters: query': 2 tests" in printed
    after = printed[printed.index("runtime savings, in process") :]
    assert "clusters (difficult-1, wins(red))" in after
    assert re.search(r"RSF", after)


def test_report_and_compare_take_it(made, tmp_path) -> None:
    (suite,) = gather([made[0]]).suites
    assert (suite.suite, len(suite.cells)) == ("in-process", 2)
    told = " ".join(doubts(suite.files[0]))
    assert "times inside one process, by pytest-benchmark" in told
    assert "cut off" not in told
    again = changed(made, tmp_path, r'"session":"[0-9a-f]{32}"', '"session":"' + "0" * 32 + '"')
    found = compare(read_side(made[0]), read_side(again))
    assert len(found.changes) == 4
    assert not found.having("slower", "faster", "suspect")


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
