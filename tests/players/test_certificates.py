"""Certificates against a checker that shares nothing with the solver: what it accepts is true, and names its claim."""

from __future__ import annotations

import ast
import copy
import json
import random
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from hexlogic.games import Hex, Position, opponent
from hexlogic.players.solver import (
    Refused,
    Solver,
    check_certificate,
    claim,
    make_certificate,
    read_certificate,
)
from hexlogic.players.solver import checker as checker_module
from tests.players.forging import attack, certificates, forgeries_accepted, places, solver_of


def test_forged_certificates_are_refused() -> None:
    assert forgeries_accepted(6, 3_000) == 0


@pytest.mark.slow
def test_many_forged_certificates_are_refused() -> None:
    assert forgeries_accepted(7, 60_000) == 0


def test_what_is_accepted_of_mutants_is_true() -> None:
    judged, accepted = attack(30, 2_000)
    assert judged > 1_500
    assert 20 < accepted < judged / 2


@pytest.mark.slow
def test_what_is_accepted_of_many_mutants_is_true() -> None:
    judged, accepted = attack(31, 60_000)
    assert judged > 50_000
    assert 500 < accepted < judged / 2


def centre(board: Hex) -> dict[str, Any]:
    """A certificate of the board with one red stone."""
    cell = list(board.cells)[len(board.cells) // 2]
    made = make_certificate(solver_of(board), Position(board, frozenset([cell])))
    return json.loads(json.dumps(made))


@pytest.mark.parametrize(
    ("changes", "told"),
    [
        ({"red": [17]}, "a stone off the board"),
        ({"blue": [0]}, "a stone off the board"),
        ({"blue": [-1]}, "no whole number"),
        ({"red": [11.0]}, "no whole number"),
        ({"red": [True]}, "no whole number"),
        ({"red": [9, 9]}, "two stones on a cell"),
        ({"blue": [9]}, "two stones on a cell"),
        ({"red": "11"}, "stones that are no list"),
        ({"red": {"11": 1}}, "stones that are no list"),
        ({"red": [5, 6, 7, 8], "blue": [1, 2, 3]}, "red has won already"),
        ({"red": [2, 6, 10], "blue": [], "winner": "blue"}, "not the turn of blue"),
        ({"to_move": "red"}, "not the turn of red"),
        ({"to_move": "green"}, "unknown player"),
        ({"winner": ["blue"]}, "unknown player"),
        ({"rows": 0}, "no board has this size"),
        ({"columns": 4.0}, "no whole number"),
        ({"rows": 10**12, "columns": 10**12}, "no board has this size"),
        ({"rows": "4"}, "no board has this size"),
        ({"size": 5}, "the keys are not"),
        ({"format": ["x"]}, "not a certificate of this format"),
        ({"tree": None}, "not a certificate"),
        ({"tree": {"connection": []}}, "a derivation without steps"),
    ],
)
def test_a_claim_that_is_no_position_is_refused(changes: dict[str, Any], told: str) -> None:
    certificate = centre(Hex(4, 4))
    assert (certificate["winner"], certificate["to_move"], certificate["red"]) == ("blue", "blue", [9])
    with pytest.raises(Refused, match=told):
        check_certificate(certificate | changes)


def test_cells_of_the_tree_off_the_board_or_on_stones_are_refused() -> None:
    """Every cell of a move, a carrier, a fill-in or a reply, replaced by a stone or by what is off the board."""
    changed = 0
    for board in (Hex(3, 3), Hex(4, 4)):
        certificate = centre(board)
        stone, last = certificate["red"][0], board.rows * board.columns + 1
        steps = {id(part[key]) for part, key in places(certificate["tree"]) if key == "premises"}
        for cell in (stone, 0, -1, last, last + 3):
            for number, (part, key) in enumerate(places(certificate["tree"])):
                in_cells = isinstance(part, list) and isinstance(part[key], int) and id(part) not in steps
                if not (key == "move" or in_cells or (isinstance(key, str) and key.isdecimal())):
                    continue
                spoiled = copy.deepcopy(certificate)
                where, _ = places(spoiled["tree"])[number]
                if in_cells or key == "move":
                    where[key] = cell
                else:
                    where[str(cell)] = where.pop(key)
                try:
                    check_certificate(spoiled)
                except Refused:
                    changed += 1
                else:  # only where the node of a group or of an edge stood is its number right
                    assert where[key] in (stone, 0, last)
    assert changed > 500


def test_replies_are_cells_as_json_writes_them() -> None:
    certificate = next(
        found
        for found in certificates(random.Random(5))
        if found["winner"] != found["to_move"] and found["tree"].get("replies")
    )
    replies = certificate["tree"]["replies"]
    cell = next(iter(replies))
    for odd in (f"0{cell}", f" {cell}", f"+{cell}", "٣", f"{cell}.0"):
        spoiled = copy.deepcopy(certificate)
        spoiled["tree"]["replies"] = replies | {odd: replies[cell]}
        with pytest.raises(Refused):
            check_certificate(spoiled)


def test_keys_that_come_twice_and_text_that_is_no_json() -> None:
    text = json.dumps(centre(Hex(3, 3)))
    assert check_certificate(read_certificate(text))
    for twice in ('{"rows": 3, ' + text[1:], text.replace('"tree": {', '"tree": {"move": 1, "move": 2, ', 1)):
        with pytest.raises(Refused, match="a key is given twice"):
            read_certificate(twice)
    for broken in ("[" * 3_000 + "]" * 3_000, '{"tree":' * 100_000, "1" * 5_000, ""):
        with pytest.raises(ValueError, match=r"nested|digits|Expecting"):
            read_certificate(broken)
    for odd in ("NaN", "Infinity", "-0.0", "1e400"):
        with pytest.raises(Refused, match="no whole number"):
            check_certificate(read_certificate(text.replace('"rows": 3', f'"rows": {odd}')))


def test_the_claim_is_named(tmp_path: Path) -> None:
    """The checker alone says what it accepted: board, side to move, winner and all stones."""
    position = Position.of(Hex(3, 4), red=["b2", "d1"], blue=["a3"])
    certificate = make_certificate(solver_of(position.game), position)
    assert claim(certificate) == f"{certificate['winner']} wins on 3x4, blue to move; red: d1 b2; blue: a3"
    (tmp_path / "c.json").write_text(json.dumps(certificate))
    (tmp_path / "deep.json").write_text("[" * 3_000 + "]" * 3_000)
    run = [sys.executable, str(checker_module.__file__)]
    accepted = subprocess.run([*run, str(tmp_path / "c.json")], capture_output=True, text=True, check=True)
    assert accepted.stdout == f"accepted: {claim(certificate)}\n"
    deep = subprocess.run([*run, str(tmp_path / "deep.json")], capture_output=True, text=True, check=False)
    assert (deep.returncode, deep.stderr) == (1, "refused: nested too deeply\n")


def test_the_wrong_winner_is_refused() -> None:
    board = Hex.square(3)
    solver = Solver(board)
    for cell in board.cells:
        certificate = make_certificate(solver, Position(board, frozenset([cell])))
        false = {**certificate, "winner": opponent(certificate["winner"])}
        with pytest.raises(Refused):
            check_certificate(false)
        with pytest.raises(Refused):
            check_certificate({**certificate, "red": [], "tree": {"threats": [], "replies": {}}})


@pytest.mark.parametrize("nonsense", [{}, {"format": "x"}, {"format": checker_module.FORMAT, "rows": "a"}, [], None])
def test_what_is_no_certificate_is_refused(nonsense: object) -> None:
    with pytest.raises(Refused):
        check_certificate(nonsense)


def test_the_checker_is_small_and_stands_alone() -> None:
    text = Path(checker_module.__file__).read_text()
    assert len(text.splitlines()) < 250
    imported = {
        name.split(".")[0]
        for node in ast.walk(ast.parse(text))
        if isinstance(node, ast.Import | ast.ImportFrom)
        for name in ([node.module or ""] if isinstance(node, ast.ImportFrom) else [alias.name for alias in node.names])
    }
    assert imported == {"json", "pathlib", "sys", "typing"}
