"""The second pair of eyes: clingo on the texts as they are finds what is false although it was proved."""

from __future__ import annotations

import dataclasses
import json
import re

import pytest
from typer.testing import CliRunner

from hexlogic.cli import app
from hexlogic.errors import EngineError, HexlogicError
from hexlogic.games import Hex, load_game
from hexlogic.games.rulesets import load_rule_set, rule_set_names
from hexlogic.language.passes import Pipeline
from hexlogic.process.call import name_of
from hexlogic.proofs import all_boards
from hexlogic.proofs.all_boards import ProofSection, Universal
from hexlogic.proofs.as_written import Tried, answer, answers, compare, numbers_in
from hexlogic.proofs.bridges import load_bridges
from hexlogic.proofs.second_look import board_text, try_on_boards
from hexlogic.proofs.smt.lemmas import LemmaProver
from hexlogic.proofs.trial_boards import LONGEST_CHAIN, MOST_CELLS, all_positions, plan
from hexlogic.proofs.uniform import prove_pass_for_all_boards
from tests.proofs.brute_force import answers as brute_force
from tests.proofs.false_equivalences import FALSE_EQUIVALENCES
from tests.proofs.proving import prove_for_all_boards

HEX = board_text("hex")
CLUSTERS, FLOOD = load_rule_set("clusters"), load_rule_set("follow-line-tabled")
TRIED = Tried(("no board",), 0)


def tried(more: str, *, other: str = "", game: str = "hex") -> Tried:
    """What comes of `clusters` with more rules beside `clusters`, or beside `clusters` with the `other` rules."""
    text = load_rule_set("clusters" if game == "hex" else f"{game}/clusters").text
    board = board_text(game)
    texts = text + more, text + other
    return try_on_boards(("one", "two"), [(board, one) for one in texts], game, texts, [])


@pytest.mark.parametrize("false", FALSE_EQUIVALENCES, ids=lambda false: false.name)
def test_what_was_proved_and_is_false_is_not_proved(false):
    """Refused with its place, or not proved for any other reason; the proofs of the words of the issue."""
    try:
        proof = prove_for_all_boards(
            false.left, false.right, game=false.game, bridges=[false.bridge], justify_lemma=LemmaProver()
        )
    except HexlogicError:
        return
    if false.name == "X*X < 0":  # 46,341 is the first number whose square wraps: on 216x216 and larger
        assert proof.largest == 215
    else:
        assert not proof.proved, str(proof)


def as_if_proved(monkeypatch: pytest.MonkeyPatch, *assumed: str) -> None:
    """Every proof along bridges succeeds."""
    lemmas = tuple(ProofSection("lemma", f"{name}: p.", "", (), all_boards.ASSUMED) for name in assumed)
    monkeypatch.setattr(all_boards, "_by_bridges", lambda left, right, over: Universal("a", "b", over.game, lemmas))


def test_a_difference_is_a_fault_of_the_proof_and_the_position_is_shown(monkeypatch, tmp_path):
    as_if_proved(monkeypatch)
    proof = prove_for_all_boards(CLUSTERS, load_rule_set("maker-breaker"))
    assert proof.proved
    mine = tmp_path / "mine.lp"
    mine.write_text(CLUSTERS.text + "wins(P) :- owns(P,5).\n")
    done = CliRunner().invoke(app, ["prove", "clusters", str(mine), "--all-sizes"])
    assert done.exit_code == 1
    assert "on 2x3 Hex with the stones red 5 a says no wins and b says wins(red)" in done.output
    assert re.search(r"not proved for all boards, the proof has a fault: .*; please report it", done.output)
    assert "1 . . . 1\n 2 . R . 2\n" in done.output
    done = CliRunner().invoke(app, ["prove", "clusters", str(mine), "--all-sizes", "--json"])
    data = json.loads(done.stdout)
    assert (done.exit_code, data["proved"], data["tried"]["boards"]) == (1, False, ["2x3 Hex"])
    assert "red 5" in data["tried"]["problem"]


def test_after_an_assumed_lemma_the_lemma_may_be_false(monkeypatch):
    as_if_proved(monkeypatch, "guess")
    wrong = dataclasses.replace(CLUSTERS, text=f"{CLUSTERS.text}wins(P) :- owns(P,X).\n")
    proof = prove_for_all_boards(CLUSTERS, wrong)
    assert not proof.proved
    assert proof.reason.startswith("an assumed lemma is false or the proof has a fault: on 2x3 Hex")


def test_nobody_can_say_proved_without_real_boards():
    """The one way to `proved` goes by `on_boards`, in every function that makes such a value."""
    assert not Universal("a", "b", "hex", ()).proved
    assert str(Universal("a", "b", "hex", ())) == "a and b: not proved for all boards, never run on a board"
    assert Universal("a", "b", "hex", (), tried=TRIED).proved
    assert not Universal("a", "b", "hex", (), tried=dataclasses.replace(TRIED, problem="differs")).proved
    assert prove_for_all_boards(CLUSTERS, CLUSTERS).tried
    assert prove_pass_for_all_boards(CLUSTERS, Pipeline.parse("reorder,prune")).tried


def test_what_a_pass_writes_is_run_on_boards(monkeypatch):
    """A pass that is believed whatever it writes is found out."""
    monkeypatch.setattr("hexlogic.proofs.uniform.uniformly_contained", lambda *_: ())
    lost = Pipeline.parse("prune")
    monkeypatch.setattr(
        type(lost),
        "apply",
        lambda _, program: program.with_rules(
            tuple(rule for rule in program.rules if "same_cluster(P,X,Z)" not in str(rule))
        ),
    )
    proof = prove_pass_for_all_boards(CLUSTERS, lost)
    assert "the proof has a fault: on 2x3 Hex" in proof.reason


SMALL = {"wins(P) :- owns(P,X), rows = 4, columns = 4, X = 7, not first(P,X), not last(P,X).": "4x4"}
FAR = {
    "wins(P) :- owns(P,X), X*33000000 < 0.": "6x11",
    "wins(P) :- owns(P,X), X = 66.": "6x11",
    "wins(P) :- owns(P,X), X+2147483583 < 0.": "6x11",
    "wins(P) :- owns(P,X), X+2147483505 < 0.": "143",
    "wins(P) :- owns(P,X), X > 1000.": "1001",
    "wins(P) :- owns(P,X), column(X,C), C > 70.": "71",
    "wins(P) :- owns(P,X), row(X,R), R = 70.": "70",
    "#const far = 7*100. wins(P) :- owns(P,X), X > far+1.": "702",
    "wins(P) :- owns(P,X), rows > 20, columns > 20.": "21x21",
    "wins(P) :- owns(P,X), cell(4000).": "4000",
    "wins(P) :- owns(P,X), columns = 50.": "50",
}


@pytest.mark.parametrize(("rule", "board"), [*SMALL.items(), *FAR.items()])
def test_a_difference_at_a_number_of_the_text_is_found(rule, board):
    problem = tried(rule).problem
    assert re.search(rf"^on (\w+x)?{board}(x\w+)? Hex", problem), problem


@pytest.mark.parametrize("rule", ["not held(Y)", "held(Y)"])
@pytest.mark.parametrize("cell", [17, 40, 90])
def test_a_condition_on_winning_stones_is_found(rule, cell):
    """`held` is about one cell that a chain may have, or not."""
    assert "wins(P) :- same_cluster(P,X,Y), starts(P,X), last(P,Y)." in CLUSTERS.text
    text = (
        CLUSTERS.text.replace("last(P,Y).", f"last(P,Y), {rule}.")
        + f"held(Y) :- cell(Y), Y {'!=' if rule == 'held(Y)' else '='} {cell}.\n"
    )
    problem = try_on_boards(("one", "two"), [(HEX, CLUSTERS.text), (HEX, text)], "hex", [text], []).problem
    assert problem.startswith("on ")


def test_numbers_out_of_reach_are_named():
    done = tried(f"idle(X) :- cell(X), X > {MOST_CELLS + 1}, X > 2000000000, X > 300.")
    assert (done.problem, done.unreached, done.too_long) == ("", (MOST_CELLS + 1, 2000000000), (300,))
    assert f"numbers out of reach of these boards: {MOST_CELLS + 1}, 2000000000" in str(done)
    assert LONGEST_CHAIN < 300
    many = tried(" ".join(f"idle({number})." for number in range(5, 30)))
    assert many.unreached


def test_numbers_are_those_that_clingo_sees():
    text = "% 99\n#const n = 3*4. %* 98 *%\np(1..n+1) :- q(X,0x10), X > 65536*65536/65536, X < -7. r(X+5,1/0)."
    assert numbers_in(text) == {0, 1, 3, 4, 5, 7, 12, 13, 16, 65536}
    with pytest.raises(EngineError, match="clingo"):
        numbers_in("p(")


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("p(", "syntax error"),
        ("a :- not b. b :- not a.", "its own negation"),
        ("a :- not a.", "its own negation"),
        ("{a}. wins(red) :- a.", ""),
        ("a ; b :- owns(P,X).", "no single atom"),
        (":- owns(red,1).", "positions without an answer set"),
        ("#const red = blue.", "does not read owns(red,1) as a stone"),
        ("owns(red,1).", "does not read owns(red,1) as a stone"),
        ("owns(P,X) :- first(P,X), owns(Q,X).", "does not read owns(red,1) as a stone"),
    ],
)
def test_a_text_that_clingo_reads_otherwise_is_not_run(text, words):
    done = tried(text)
    assert words in done.problem
    assert bool(done.problem)
    if words:
        assert not done.ran


def test_a_text_that_kills_clingo_is_not_run():
    """clingo 5.8 solves `X*65536*65536 = 0` for X with the factor 0, and ends with a signal."""
    done = tried("odd(X) :- cell(X), X*65536*65536 = 0.")
    assert (done.ran, done.problem[:60]) == (False, "clingo cannot run the texts as they are: the child process e")


def test_a_program_without_end_is_stopped(monkeypatch):
    monkeypatch.setattr("hexlogic.proofs.second_look._MEMORY_BYTES", 200 * 2**20)
    done = tried("num(1). num(X+1) :- num(X).")
    assert re.fullmatch(r"clingo cannot run the texts as they are on 2x3 Hex: stopped at .* GB of memory", done.problem)


@pytest.mark.parametrize(
    "name", [name for name in rule_set_names("hex") if not load_rule_set(name).is_template and name != "follow-line"]
)
@pytest.mark.parametrize("shape", [(2, 3), (3, 2)])
def test_all_answers_of_a_board_are_those_of_brute_force(name, shape):
    """Two ways to the same: sets of positions over the ground program, here and in the tests."""
    game, rules = Hex(*shape), load_rule_set(name)
    count, stones = all_positions(6)
    mine = answers((HEX, rules.text), (("rows", game.rows), ("columns", game.columns)), stones, count)
    assert {player: mine.get(f"wins({player})", 0) for player in ("red", "blue")} == brute_force(
        rules.instantiate(game), game
    )


@pytest.mark.parametrize("name", ["clusters-labelled", "maker-breaker"])
def test_all_answers_of_a_board_are_clingos_on_each_position(name):
    text, sizes = load_rule_set(name).text, (("rows", 4), ("columns", 4))
    count, stones = all_positions(16)
    mine = answers((HEX, text), sizes, stones, count)
    for place in range(0, count, count // 97):
        there = {
            player: frozenset(c for c, bits in cells.items() if bits >> place & 1) for player, cells in stones.items()
        }
        assert not there["red"] & there["blue"]
        assert answer((HEX, text), sizes, there) == {atom for atom, bits in mine.items() if bits >> place & 1}


def test_every_position_of_the_small_boards_is_there():
    count, stones = all_positions(6)
    seen = {tuple(bits >> place & 1 for cells in stones.values() for bits in cells.values()) for place in range(count)}
    assert len(seen) == count == 3**6
    count, stones = all_positions(10)
    places = [[bits >> place & 1 for cells in stones.values() for bits in cells.values()] for place in range(count)]
    alone = {tuple(one[:10]) for one in places if not any(one[10:])}
    full = {tuple(one[:10]) for one in places if sum(one) == 10}
    assert len(alone) == 2**10
    assert len(full) >= 2**10


@pytest.mark.parametrize(
    ("left", "right", "game"),
    [(one.left, one.right, game) for game in ("hex", "y", "tic-tac-toe-3d") for one in load_bridges(game)],
)
def test_the_shipped_pairs_have_no_difference(left, right, game):
    sides = [(board_text(game), load_rule_set(name).text) for name in (left, right)]
    done = compare(names=("one", "two"), sides=sides, kind=name_of(load_game(game)), numbers_of=[])
    assert not done.problem
    assert done.positions > 10_000


@pytest.mark.parametrize("game", ["hex", "y", "havannah", "tic-tac-toe-3d"])
def test_small_boards_and_one_of_more_than_64_cells_are_tried_of_every_game(game):
    cells = [board.cells for board, _ in plan(load_game(game), [])]
    assert min(cells) <= 8
    assert max(cells) > 64
