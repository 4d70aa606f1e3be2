"""`hexlogic win`: answers, warnings, bad input, and what happens when an engine is wrong."""

from __future__ import annotations

import io
import json

import pytest

from hexlogic.games import PLAYERS, board_names, has_won, load_board, load_game, parse_position, winning_chain
from hexlogic.games.rulesets import default_rule_set
from hexlogic.language import Atom, Program
from hexlogic.language.engines import Answer, Engine, Session, installed_engines, load_engine
from hexlogic.process.files import rules_folder


def test_red_wins_with_its_chain_and_a_drawing(cli):
    outcome = cli("win", "size 3, red a2 b2 c1 a1, blue c2 b3 c3")
    assert outcome.status == 2  # every move needs its colour
    outcome = cli("win", "size 3, red a2, red b2, red c1, blue c2, blue b3")
    assert (outcome.status, outcome.err) == (0, "")
    assert outcome.out.startswith("red wins: a2 b2 c1\n\n  a b c\n1 . . R 1\n")


def test_nobody_has_won(cli):
    outcome = cli("win", "difficult-1")
    assert (outcome.status, outcome.err) == (0, "")
    assert outcome.out.startswith("nobody has won\n\n  a b c")


@pytest.mark.takes_seconds(keep=4)
@pytest.mark.parametrize("name", board_names())
def test_named_boards_as_json(cli, name):
    board = load_board(name)
    outcome = cli("win", name, "--json", "--rules", "follow-line-tabled")
    assert (outcome.status, outcome.err) == (0, "")
    chain = winning_chain(board.position, board.expected) if board.expected else ()
    cells = [board.position.game.cell_name(cell) for cell in chain]
    assert outcome.out == json.dumps({"winner": board.expected, "chain": cells}) + "\n"


@pytest.mark.takes_seconds(keep=4)
@pytest.mark.parametrize("engine", [engine.name for engine in installed_engines()])
@pytest.mark.parametrize("pipeline", ["none", "ground,reorder"])
def test_every_engine_answers(cli, engine, pipeline):
    outcome = cli("win", "small", "--engine", engine, "--pipeline", pipeline, "--json")
    assert (outcome.status, json.loads(outcome.out)["winner"]) == (0, "red")


@pytest.mark.parametrize(
    ("game", "size", "rules"),
    [("hex", 14, "clusters"), ("hex", 15, "follow-line-tabled"), ("y", 19, "y/clusters"), ("y", 20, "y/follow-line")],
)
def test_the_rule_set_fits_the_board(game, size, rules):
    assert default_rule_set(load_game(game).of_size(size)).name == rules


@pytest.mark.takes_seconds
def test_a_full_board_of_40_by_40(cli):
    rows = "\n".join(" ".join("RB"[(row * 7 + column // 3) % 5 % 2] for column in range(40)) for row in range(40))
    truth = [player for player in PLAYERS if has_won(parse_position(rows), player)]
    assert [json.loads(cli("win", rows, "--json").out)["winner"]] == truth


def test_position_from_stdin(cli, monkeypatch):
    monkeypatch.setattr("sys.stdin", io.StringIO("B .\n B R\n"))
    assert cli("win", "-", "--json").out == '{"winner": "blue", "chain": ["a1", "a2"]}\n'


def test_a_file_with_the_name_of_a_board_is_a_file(cli, monkeypatch, tmp_path):
    (tmp_path / "snake").write_text("R\n")
    monkeypatch.chdir(tmp_path)
    assert cli("win", "snake", "--json").out == '{"winner": "red", "chain": ["a1"]}\n'


def test_too_many_stones_of_one_colour_are_a_warning(cli):
    outcome = cli("win", "R R\nR .", "--json")
    assert (outcome.status, json.loads(outcome.out)["winner"]) == (0, "red")
    assert outcome.err == "warning: red has 3 stones and blue 0: no game gets there by turns\n"


def test_an_incomplete_rule_set_is_said_to_be_one(cli):
    outcome = cli("win", "snake", "--rules", "power-set", "--json")
    assert (outcome.status, json.loads(outcome.out)) == (0, {"winner": None, "chain": []})
    assert outcome.err.startswith("warning: the rule set power-set is incomplete: it misses every chain")
    assert outcome.err.endswith("in fact red has won\n")


class LyingSession(Session):
    def ask(self, facts: object, query: Atom) -> Answer:
        return Answer(str(query) == "wins(blue)", 0.0)

    def close(self) -> None:
        pass


class LyingEngine(Engine):
    name, dialect, order_sensitive = "liar", "asp", False

    def missing(self) -> str | None:
        return None

    def version(self) -> str:
        return "0"

    def supports(self, program: Program) -> str | None:
        return None

    def open(self, program: Program) -> Session:
        return LyingSession()


@pytest.mark.parametrize(("board", "truth"), [("small", "red"), ("difficult-1", "nobody")])
@pytest.mark.parametrize("rules", ["clusters", "power-set"])
def test_a_wrong_answer_is_loud_and_exits_with_1(cli, monkeypatch, board, truth, rules):
    monkeypatch.setattr("hexlogic.cli.win.load_engine", lambda name: LyingEngine())
    outcome = cli("win", board, "--engine", "liar", "--rules", rules)
    assert outcome.status == 1
    assert outcome.err.startswith(f"WRONG ANSWER: {rules} on liar with ground,reorder says blue has won, the referee ")
    assert f"says {truth} " in outcome.err


def test_a_missing_engine_says_how_to_get_it(cli, monkeypatch):
    monkeypatch.setattr(type(load_engine("clingo")), "missing", lambda self: "not installed; pip install clingo")
    line = cli("win", "small").refused()
    assert line == "the engine clingo cannot run here: not installed; pip install clingo"


def test_an_engine_that_cannot_run_a_rule_set_says_which_can(cli):
    line = cli("win", "small", "--rules", "follow-line", "--engine", "clingo").refused()
    assert line.startswith("clingo cannot run follow-line: ")
    assert "pydatalog" in line


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("", "FILE:1:1: this is empty: there is no position here (expected rows of R, B and ., "),
        ("R R .\nR R\n. . .\n", "FILE:2:4: row 2 has 2 cells, other rows have 3 (every row needs the same number"),
        ("R R\nR X\n", "FILE:2:3: 'X' is no stone (use R, B or . for an empty cell)"),
        ("red a1, blue b2\n", "FILE:1:1: a move list needs the size of its board (begin with 'size 9' or "),
        ("size 0, a1\n", "FILE:1:6: a Hex board cannot have 0 rows (each side has 1 to 64 cells)"),
        ("size 2, a1 a1\n", "FILE:1:12: cell a1 is given twice (red took it at line 1, column 9)"),
        ('{"size": 2, "red": ["z9"]}\n', "FILE:1:21: "),
    ],
)
def test_a_bad_file_is_named_with_line_and_column(cli, tmp_path, text, line):
    file = tmp_path / "board.txt"
    file.write_text(text)
    assert cli("win", str(file)).refused().startswith(line.replace("FILE", str(file)))


@pytest.mark.parametrize(
    ("arguments", "line"),
    [
        (["nope"], "unknown board 'nope' (known: all-red, "),
        (["nope.txt"], "nope.txt: there is no such file"),
        ([""], "<argument>:1:1: this is empty: there is no position here"),
        (["small", "--rules", "nope"], "unknown rule set 'nope' (known: "),
        (["small", "--engine", "clingoo"], "unknown engine 'clingoo' (did you mean clingo?)"),
        (["small", "--pipeline", "nope"], "unknown pass 'nope' (known: chase, ground, "),
        (["small", "--size", "9"], "--size: the board small is 5x5 Hex, not 9x9 Hex (leave it out)"),
        (["a1 b1", "--size", "abc"], "--size: 'abc' is not a size"),
        (["a1 b1", "--size", "0"], "--size: a Hex board cannot have 0 rows"),
        (["R R\nR"], "<argument>:2:2: row 2 has 1 cells, other rows have 2"),
        (["size 7, a1", "--rules", "winning-sets"], "7x7 Hex has 68,914 minimal winning sets for red, more than "),
    ],
)
def test_bad_input_is_one_line(cli, arguments, line):
    assert cli("win", *arguments).refused().startswith(line)


def test_rules_with_a_byte_order_mark_and_windows_line_ends_are_read(cli, tmp_path):
    rules = tmp_path / "mine.lp"
    flood = (rules_folder() / "follow-line-tabled.lp").read_text(encoding="utf-8").replace("\n", "\r\n")
    rules.write_text(flood, encoding="utf-8-sig", newline="")
    outcome = cli("win", "small", "--rules", str(rules), "--json")
    assert (outcome.status, json.loads(outcome.out)["winner"]) == (0, "red")


def test_a_folder_and_a_binary_file_are_no_positions(cli, tmp_path):
    assert cli("win", str(tmp_path)).refused() == f"{tmp_path}: this is a folder, not a position"
    (tmp_path / "b").write_bytes(b"\xff\xfe\x00")
    assert cli("win", str(tmp_path / "b")).refused() == f"{tmp_path / 'b'}: this is not UTF-8 text"


@pytest.mark.takes_seconds
def test_time_is_enough(cli):
    outcome = cli("win", "snake", "--time", "60", "--json")
    assert (outcome.status, outcome.err) == (0, "")
    assert outcome.out == cli("win", "snake", "--json").out
    assert outcome.out == cli("win", "snake", "--rules", "rules/clusters.lp", "--time", "60", "--json").out
    outcome = cli("win", "docs/examples/y.txt", "--time", "60")
    assert outcome.out.startswith("red wins: ")


def test_time_is_over(cli):
    """Chains of up to 40 stones out of 40 take longer than anybody waits."""
    outcome = cli("win", "snake", "--rules", "power-set-extended", "--pipeline", "none", "--time", "1")
    assert (outcome.status, outcome.out) == (2, "")
    assert outcome.err.startswith("clingo with power-set-extended gave no answer in 1 s (--time gives it more;")


def test_time_does_not_hide_what_is_wrong(cli):
    outcome = cli("win", "snake", "--rules", "follow-line", "--time", "60")
    assert outcome.status == 2
    assert outcome.err == cli("win", "snake", "--rules", "follow-line").err
    assert "clingo cannot run follow-line: function terms grow" in outcome.err
    assert cli("win", "snake", "--time", "0").status == 2
    missed = cli("win", "snake", "--rules", "power-set", "--pipeline", "ground,unfold,reorder", "--time", "60")
    assert missed.status == 0
    assert "is incomplete" in missed.err
