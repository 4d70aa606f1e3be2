"""Every text of `rules/` in the workbench: it answers as hexlogic does elsewhere, or one line says why it cannot."""

from __future__ import annotations

import random
from contextlib import closing

import pytest

from hexlogic.games import PLAYERS, RED, Hex, Position, has_won
from hexlogic.games.game_state import GameState
from hexlogic.games.rulesets.transitions import load_transitions
from hexlogic.players.strategies.rules import RulesStrategy
from hexlogic.players.strategy import Budget
from hexlogic.process.files import rules_folder
from hexlogic.web.rule_text import evaluate, rules, text_of

OFFERED = rules("4", "")
OTHERS = {name for _, names in OFFERED["groups"] for name in names}


def test_all_texts_for_hex_are_offered() -> None:
    folder = rules_folder()
    files = {path.relative_to(folder).as_posix().partition(".")[0] for path in folder.rglob("*.lp*")}
    # What `reformulate --keep` fills in is no text for a board.
    files = {name for name in files if not name.startswith("kept/")}
    foreign = {name for name in files if {"y", "havannah", "tic-tac-toe-3d"} & set(name.split("/"))}
    assert foreign < files
    assert {*OFFERED["names"], *OTHERS} == files - foreign
    for game in ("y", "havannah", "tic-tac-toe-3d"):
        assert rules("3", "", game)["groups"] == [["the board", [f"games/{game}"]]]
        assert text_of(f"games/{game}", "3", game) == (folder / "games" / f"{game}.lp").read_text()


@pytest.mark.parametrize("name", sorted(OTHERS))
def test_each_text_lights_up_cells_or_says_why_not(name: str) -> None:
    found = evaluate(text=text_of(name, "4"), size="4", red=["c3", "b2"], blue=["c2", "a1"])
    if name.startswith("bridges/"):
        assert found["problem"]["message"].startswith("a bridge: ")
    elif name.startswith("gdl/") and "mirror" not in name:
        reason = found["problem"]["message"] if found["problem"] else found["note"]
        assert reason.startswith(("a part of a sheet: ", "no rule and no position gives "))
    else:
        assert found["problem"] is None
        assert any(found["cells"].values())
        pattern = rules("4", name)["pattern"]
        assert not pattern or "no rule and no position" in found["note"] or found["cells"][pattern]


def positions(count: int, most: int = 16) -> list[Position]:
    """Random positions of games: red has as many stones as blue, or one more."""
    draw, board = random.Random(16), Hex.square(4)
    drawn = [draw.sample(board.cells, draw.randrange(4, most)) for _ in range(count)]
    return [Position(board, frozenset(cells[::2]), frozenset(cells[1::2])) for cells in drawn]


def asked(name: str, position: Position) -> dict[str, object]:
    stones = {p: [position.game.cell_name(cell) for cell in position.stones(p)] for p in PLAYERS}
    return evaluate(text=text_of(name, "4"), size="4", red=stones["red"], blue=stones["blue"])


@pytest.mark.takes_seconds(keep=4)
@pytest.mark.parametrize("name", sorted(name for name in OTHERS if name.startswith("transitions/")))
def test_transition_rules_say_who_has_won(name: str) -> None:
    complete = load_transitions(name.partition("/")[2]).rules.complete
    won = 0
    for position in positions(12):
        expected = [player for player in PLAYERS if has_won(position, player)]
        found = asked(name, position)
        assert found["problem"] is None
        assert found["note"] == "the stones were put one after the other, red first"
        assert found["winners"] == expected if complete else set(found["winners"]) <= set(expected)  # type: ignore[call-overload]
        won += bool(expected)
    assert won > 2


def test_the_cells_that_light_up_are_those_that_the_strategy_draws_from() -> None:
    with closing(RulesStrategy("bridge-builder")) as strategy:
        for position in positions(4, 8):
            state = GameState(position.game)
            for red, blue in zip(sorted(position.red), [*sorted(position.blue), 0], strict=False):
                for cell in filter(None, (red, blue)):
                    state.play(state.to_move, cell)
            found = asked("strategy/bridge-builder", position)
            best = found["cells"]["best(_)"]  # type: ignore[index]
            assert found["note"] == f"given beside the stones: turn({state.to_move})"
            assert found["winners"] is None
            assert position.game.cell_name(strategy.choose(state, Budget())) in best
            assert strategy.note == f"{len(best)} best cells"


def test_a_predicate_that_nothing_defines_is_noted() -> None:
    found = evaluate(text="wins(P) :- reech(P,X), last(P,X).\n", size="3", red=["a1"], blue=[])
    assert (found["winners"], found["note"]) == ([], "no rule and no position gives reech/2")
    assert evaluate(text=text_of("clusters", "3"), size="3", red=[], blue=[])["note"] == ""


def test_a_text_of_a_board_is_the_board() -> None:
    text = text_of("games/hex", "3").replace("first(red,X) :- column(X,1)", "first(red,X) :- column(X,2)")
    found = evaluate(text=text, size="3", red=[], blue=[])
    assert found["cells"][f"first({RED},_)"] == ["b1", "b2", "b3"]
