"""Suites of one's own: every key of a file has a default, and a few words are enough."""

from __future__ import annotations

from pathlib import Path

import pytest

from hexlogic.errors import HexlogicError, SuiteError
from hexlogic.games.rulesets import find_rule_set, load_rule_set, rule_set_names
from hexlogic.laboratory.runs.plan import chosen_suite, estimate_plan, load_suite, make_plan, parse_suite

HERE = ("swipl", "pydatalog", "clingo")


def mine(folder: Path, name: str = "mine", body: str = "follow-line-tabled") -> Path:
    """A rule set of one's own, copied from a shipped one."""
    path = folder / "mine.lp"
    path.write_text(load_rule_set(body).text.replace(body, name))
    return path


def test_an_empty_suite_is_the_papers_question() -> None:
    suite = parse_suite("", "my-suite.toml")
    assert (suite.name, suite.asked_boards, suite.players, suite.repeats) == ("my-suite", ["difficult-1"], ("red",), 5)
    assert (suite.limits.cpu_s, suite.limits.memory_mb) == (10, 2000)
    plan = make_plan(suite, "my-suite.toml", missing={})
    assert len({str(cell) for chain in plan.chains() for cell in chain}) == 2 * 2 * 3


def test_five_lines_are_a_suite(tmp_path: Path) -> None:
    path = mine(tmp_path)
    file = tmp_path / "five.toml"
    file.write_text(
        f'boards = ["snake"]\n[limits]\ncpu_s = 3\n[[configurations]]\nrule_sets = ["{path}", "clusters"]\n'
    )
    suite, place = load_suite(str(file))
    plan = make_plan(suite, place, missing={})
    assert {cell.rule_set.name for chain in plan.chains() for cell in chain} == {"mine", "clusters"}
    assert (plan.suite, plan.limits.cpu_s) == ("five", 3)


def test_words_are_a_suite(tmp_path: Path) -> None:
    board = tmp_path / "my-board.txt"
    board.write_text("R R\nB .\n")
    suite = chosen_suite(rules=[str(mine(tmp_path)), "clusters"], boards=["difficult-1", str(board)])
    plan = make_plan(suite, "--rules", missing={})
    cells = [cell for chain in plan.chains() for cell in chain]
    assert {cell.task.name for cell in cells} == {"difficult-1", str(board)}
    (small,) = {cell.task.expected for cell in cells if cell.task.name == str(board)}
    assert small is True
    rules = next(cell for cell in cells if cell.rule_set.name == "mine").rule_set
    assert find_rule_set(rules.reference).hash == rules.hash
    assert next(cell for cell in cells if cell.rule_set.name == "clusters").rule_set.reference == "clusters"


def test_shipped_rule_sets_are_found_by_name() -> None:
    for name in rule_set_names():
        assert load_rule_set(name).reference == name


def test_games_alone_ask_about_no_board() -> None:
    assert chosen_suite(games=["random-1@5"]).asked_boards == []
    assert chosen_suite(pipelines=["none", "ground+reorder"]).configurations[0].pipelines == ("none", "ground,reorder")


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ({"modes": ["backwards"]}, "--modes: invalid enum value 'backwards'"),
        ({"players": ["green"]}, "--players: invalid enum value 'green'"),
    ],
)
def test_a_slip_is_named(words: dict[str, list[str]], said: str) -> None:
    with pytest.raises(SuiteError, match=said):
        chosen_suite(**words)


def test_two_texts_of_one_name_are_refused(tmp_path: Path) -> None:
    path = mine(tmp_path, name="clusters")
    with pytest.raises(SuiteError, match="are both named clusters"):
        make_plan(chosen_suite(rules=["clusters", str(path)]), "--rules", missing={})
    # Alone it is only another text of that name.
    assert make_plan(chosen_suite(rules=[str(path)]), "--rules", missing={}).suite == "own"


@pytest.mark.parametrize(
    ("text", "said"),
    [(None, "cannot read the board: no such file"), ("R x\n", "board.txt:1:3"), ("", "board.txt:1")],
)
def test_a_board_that_is_none_is_named_with_its_place(tmp_path: Path, text: str | None, said: str) -> None:
    board = tmp_path / "board.txt"
    if text is not None:
        board.write_text(text)
    with pytest.raises(HexlogicError, match=said):
        make_plan(chosen_suite(boards=[str(board)]), "--boards", missing={})


def test_an_estimate_grows_with_the_plan() -> None:
    small = estimate_plan(make_plan(chosen_suite(rules=["clusters"]), "", missing={}), 1, 2)
    large = estimate_plan(make_plan(chosen_suite(), "", missing={}), 1, 2)
    assert 0 < small[0] < small[1]
    assert large == (pytest.approx(2 * small[0]), pytest.approx(2 * small[1]))
    short = estimate_plan(make_plan(chosen_suite(), "", cpu_s=1, missing={}), 1, 2)
    assert short[1] < large[1]
