"""What has to be right for a proof for all boards: the table of the page "Proofs" against the tree."""

from __future__ import annotations

import ast
import re
from pathlib import Path

from tests.checkout import CHECKOUT

PACKAGE = CHECKOUT / "hexlogic"
PAGE = CHECKOUT / "docs" / "proofs.md"
ENTRIES = ("all_boards.py", "uniform.py", "smt/lemmas.py")
NOT_FOR_ALL_BOARDS = {
    "bounded": "checks lemmas on small boards, of which the proof says that they are assumed",
    "deciding": "the same",
    "lemmas": "the same",
    "jobs": "of `bounded`",
}


def table() -> dict[str, tuple[list[Path], int]]:
    """The files of each part with the lines that the page says."""
    text = PAGE.read_text(encoding="utf-8").partition("| part | files | lines |")[2].partition("\n\n")[0]
    rows = [[cell.strip() for cell in line.split("|")[1:-1]] for line in text.splitlines()[2:]]
    return {row[0]: (files(row[1]), int(row[2].replace(",", ""))) for row in rows}


def files(text: str) -> list[Path]:
    """The files of `a/{b,c}.py` and `d.py`."""
    found = []
    for name in re.findall(r"`([^`]+)`", text):
        before, braces, rest = name.partition("{")
        names, _, after = rest.partition("}")
        found += [PACKAGE / f"{before}{one}{after}" for one in names.split(",")] if braces else [PACKAGE / name]
    return found


def imports(path: Path) -> set[Path]:
    """The files of the package that a file imports."""
    nodes = [node for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))) if isinstance(node, ast.ImportFrom)]
    names = {node.module or "" for node in nodes} | {
        f"{node.module}.{each.name}" for node in nodes for each in node.names
    }
    paths = [CHECKOUT / name.replace(".", "/") for name in names]
    return {found for path in paths for found in (path.with_suffix(".py"), path / "__init__.py") if found.is_file()}


def below(entries: list[Path]) -> set[Path]:
    """What the files import inside `hexlogic/proofs`, and so on; themselves included."""
    found, waiting = set[Path](), list(entries)
    while waiting:
        path = waiting.pop()
        if path not in found and path.is_relative_to(PACKAGE / "proofs"):
            found.add(path)
            waiting += imports(path)
    return found


def test_each_file_is_there_once_with_about_the_lines_that_the_page_says():
    parts = table()
    assert len(parts) >= 5
    everything = [path for paths, _ in parts.values() for path in paths]
    assert len(set(everything)) == len(everything)
    for part, (paths, said) in parts.items():
        lines = sum(len(path.read_text(encoding="utf-8").splitlines()) for path in paths)
        assert abs(lines - said) <= max(50, said * 0.15), f"{part}: {lines} lines, the page says {said}"


def test_nothing_that_a_proof_uses_is_left_out():
    said = {path for paths, _ in table().values() for path in paths}
    last = PAGE.read_text(encoding="utf-8").partition("only object.")[0].rpartition("\n\n")[2]
    objecting = set(files(last))
    assert len(objecting) == 4
    left_out = {PACKAGE / "proofs" / f"{name}.py" for name in NOT_FOR_ALL_BOARDS}
    used = below([PACKAGE / "proofs" / name for name in ENTRIES])
    assert len(used) > 15
    assert used <= said | objecting | left_out, sorted(map(str, used - said - objecting - left_out))
    assert not said & objecting


def test_the_second_look_imports_nothing_that_it_looks_at():
    """Neither the chase, SMT, bridges nor our parser: of the logic only the components of a graph."""
    used = set[Path]().union(*(imports(PACKAGE / "proofs" / f"{name}.py") for name in ("as_written", "trial_boards")))
    assert {str(path.relative_to(PACKAGE)) for path in used} == {
        "errors.py",
        "games/__init__.py",
        "games/game.py",
        "games/kinds/__init__.py",
        "proofs/trial_boards.py",
        "language/analysis/graph.py",
    }
