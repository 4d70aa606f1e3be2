"""Adding a thing is one file: each file of `tests/drop_in/` is dropped into a copy of the package, which then knows it.

The copy holds the package and `rules/`, nothing else; no file of the copy is edited.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import pytest

HERE = Path(__file__).parent
CHECKOUT = HERE.parent
LIMIT_S = 600


@dataclass(frozen=True)
class Case:
    """The file to drop in, where it goes, the command that asks for the new thing, and what the command answers, on the
    terminal or in the file that it `writes`."""

    file: str
    to: str
    command: tuple[str, ...]
    answer: str
    status: int = 0
    writes: str = ""


CASES = {
    "engine": Case(
        "toy_engine.py",
        "hexlogic/language/engines/toy.py",
        ("win", "small", "--engine", "toy"),
        "red wins: a4 b3 c2 d2 e1",
    ),
    "pass": Case(
        "toy_pass.py",
        "hexlogic/language/passes/toy.py",
        ("rules", "show", "follow-line-tabled", "--size", "2", "--pipeline", "toy"),
        "reach(P,Y) :- owns(P,Y), adjacent(X,Y), reach(P,X).",
    ),
    "step of encodings": Case(
        "toy_step.py",
        "hexlogic/encodings/steps/toy.py",
        ("optimise", str(HERE / "drop_in" / "toy_encoding.lp"), "--pipeline", "toy"),
        ":- s(X), r(X).",
    ),
    "topic of the report": Case(
        "toy_topic.py",
        "hexlogic/laboratory/report/topics/toy.py",
        ("report", "records", "--out", "page"),
        "A toy counted",
        writes="page/report.md",
    ),
    "move": Case(
        "toy_move.py",
        "hexlogic/proofs/finding/moves/toy.py",
        ("reformulate", str(HERE / "drop_in" / "toy_wide.lp"), "--time", "200", "--json"),
        '"move": "toy"',
    ),
    "dialect": Case(
        "toy_dialect.py",
        "hexlogic/language/dialects/toy.py",
        ("rules", "show", "clusters", "--size", "2", "--dialect", "toy"),
        "-- run: toy FILE\n",
    ),
    "rule set": Case(
        "toy.lp", "rules/toy.lp", ("prove", "toy", "clusters", "--size", "3"), "toy and clusters are equal on 3x3 Hex"
    ),
    "game": Case(
        "toy_game.py",
        "hexlogic/games/kinds/toy.py",
        ("win", "toy 2, red a1, red b1", "--rules", "clusters"),
        "red wins: a1 b1",
    ),
    "reasoner": Case(
        "toy_reasoner.py",
        "hexlogic/ggp/machines/reasoners/toy.py",
        ("gdl", "check", str(HERE / "drop_in" / "one-move.kif"), "--reasoner", "toy"),
        "no findings",
    ),
    "strategy of a general player": Case(
        "toy_strategy.py",
        "hexlogic/ggp/playing/strategies/toy.py",
        ("gdl", "match", str(HERE / "drop_in" / "one-move.kif"), "--player", "toy", "--reasoner", "clingo"),
        "\ntoy  ",
    ),
    "strategy of a Hex player": Case(
        "toy_hex_strategy.py",
        "hexlogic/players/strategies/toy.py",
        ("tournament", "--players", "toy,random", "--size", "2", "--out", "played"),
        "toy",
    ),
    "check of a sheet": Case(
        "toy_check.py",
        "hexlogic/ggp/check/checks/toy.py",
        ("gdl", "check", str(HERE / "drop_in" / "one-move.kif"), "--reasoner", "clingo"),
        "the role is called robot",
    ),
}
RECORDS = "docs/example-report/records/positions.jsonl.gz"
NEEDS = {"game": (("toy_board.lp", "rules/games/toy.lp"),)}
"""A game is its class and the rules of its board."""


@pytest.mark.takes_seconds(keep=4)
@pytest.mark.parametrize("kind", CASES)
def test_a_new_thing_is_one_file(kind: str, tmp_path: Path) -> None:
    case = CASES[kind]
    for name in ("hexlogic", "rules"):
        shutil.copytree(CHECKOUT / name, tmp_path / name, ignore=shutil.ignore_patterns("__pycache__"))
    (tmp_path / "records").mkdir()
    shutil.copy(CHECKOUT / RECORDS, tmp_path / "records")
    before, said = run(tmp_path, case)
    assert case.answer not in said, f"the command must not know the new thing yet: {before.stderr}"
    for source, target in ((case.file, case.to), *NEEDS.get(kind, ())):
        assert not (tmp_path / target).exists()
        shutil.copy(HERE / "drop_in" / source, tmp_path / target)
    after, said = run(tmp_path, case)
    assert case.answer in said, after.stderr
    assert after.returncode == case.status, after.stderr


def run(copy: Path, case: Case) -> tuple[subprocess.CompletedProcess[str], str]:
    """The command, carried out by the copy of the package, and what it said."""
    environment = {**os.environ, "PYTHONPATH": str(copy), "NUMBA_CACHE_DIR": str(copy / "numba")}
    done = subprocess.run(
        [sys.executable, "-P", "-m", "hexlogic", *case.command],
        cwd=copy,
        env=environment,
        capture_output=True,
        text=True,
        timeout=LIMIT_S,
        check=False,
    )
    return done, (copy / case.writes).read_text(encoding="utf-8") if case.writes else done.stdout
