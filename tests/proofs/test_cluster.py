"""The matrix of proofs on a cluster is the matrix of proofs here, whatever happens to the workers."""

from __future__ import annotations

import os
import time
from pathlib import Path

import pytest

from hexlogic.cli import run
from hexlogic.games import Hex
from hexlogic.process.cluster import open_cluster
from hexlogic.proofs.matrix import StoredMatrix, prove_all

NAMES = ["clusters", "follow-line-tabled", "power-set", "winning-sets"]


def rows(matrix: StoredMatrix) -> list[object]:
    """What was found, without times and the solver's statistics."""
    examples = (row.outcome and row.outcome.counter_example for row in matrix.rule_sets)
    stones = [example and len(example.position.red) + len(example.position.blue) for example in examples]
    return [(row.name, row.relation, row.pairs, count) for row, count in zip(matrix.rule_sets, stones, strict=True)]


@pytest.mark.takes_seconds
def test_the_same_matrix_on_a_cluster() -> None:
    here = prove_all(Hex.square(3), names=NAMES)
    with open_cluster("dask", 2) as cluster:
        there = prove_all(Hex.square(3), names=NAMES, cluster=cluster)
    assert rows(here) == rows(there)
    assert [row.relation for row in here.rule_sets] == ["equal", "equal", "different", "equal"]


def die_once(mark: str, number: int) -> int:
    """Ends its worker the first time it is asked for number 2."""
    if number == 2:
        try:
            Path(mark).touch(exist_ok=False)
        except FileExistsError:
            return number * number
        os._exit(1)
    time.sleep(0.05)
    return number * number


@pytest.mark.takes_seconds
def test_a_task_outlives_its_worker(tmp_path: Path) -> None:
    with open_cluster("dask", 2) as cluster:
        answers = dict(cluster.stream(die_once, [(str(tmp_path / "died"), number) for number in range(8)]))
    assert answers == {number: number * number for number in range(8)}


def test_executor_is_for_the_matrix(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["prove", "clusters", "follow-line-tabled", "--size", "2", "--executor", "dask"]) == 2
    assert "--executor is for --all" in capsys.readouterr().err
