"""Rulesheets of Epilog, read and written, held against an engine that plays their text: the stand-in, and the real
`epilog.js` where `HEXLOGIC_EPILOG_JS` names one."""

from __future__ import annotations

import os
import random
import shutil
from pathlib import Path

import pytest

from hexlogic.errors import EngineError, HexlogicError
from hexlogic.games import load_game
from hexlogic.ggp import StateMachine, read_sheet
from hexlogic.ggp.check import check_sheet
from hexlogic.ggp.export import export_sheet, find_rules
from hexlogic.ggp.language.expressions import parse_epilog
from hexlogic.ggp.language.reading import checked_sheet
from hexlogic.ggp.machines.reasoners.epilog import term_of_words
from hexlogic.language import Program
from hexlogic.language.dialects import render
from hexlogic.language.dialects.epilog_sheet import Rulesheet
from hexlogic.language.engines.epilog import ENGINE
from hexlogic.language.passes import Pipeline

STAND_IN = Path(__file__).parents[2] / "language" / "engines" / "epilog_stand_in.js"
ENGINES = [STAND_IN, *filter(None, [os.environ.get("HEXLOGIC_EPILOG_JS")])]
SHEETS = sorted((Path(__file__).parent / "sheets").glob("*.epilog"))
GROWING = {"path.epilog": "swipl"}
"""Sheets whose lists grow in a recursion: no reasoner that grounds takes them."""
CARRIED = ("clusters-by-side", "clusters-merging", "clusters-with-sides", "components-by-step", "winning-sets")
pytestmark = pytest.mark.skipif(shutil.which("node") is None, reason="node is not on the PATH; .ci/run installs it")


@pytest.fixture(params=ENGINES, ids=lambda file: "stand-in" if file == STAND_IN else "epilog.js")
def engine(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    """Each engine there is, in the place of the user's file."""
    monkeypatch.setenv("HEXLOGIC_EPILOG_JS", str(request.param))
    return str(request.param)


def played_as_written(path: Path, reasoner: str, games: int, seed: int) -> int:
    """Random games on the text of a sheet in the engine, each state held against the sheet as it is read."""
    text, sheet, draw, states = path.read_text(encoding="utf-8"), read_sheet(path), random.Random(seed), 0
    with (
        ENGINE.open_game(text, len(parse_epilog(text))) as session,
        StateMachine.from_sheet(sheet, reasoner) as machine,
    ):
        start: dict[str, list[object]] = session.play(state=None)[0]  # type: ignore[assignment]
        assert set(map(term_of_words, start["initial"])) == machine.initial_state.facts
        assert set(map(term_of_words, start["roles"])) == set(machine.roles)
        for _ in range(games):
            state, facts = machine.initial_state, start["initial"]
            for _ in range(60):
                states += 1
                seen: dict[str, list[object]] = session.play(state=facts)[0]  # type: ignore[assignment]
                assert seen["terminal"] == machine.is_terminal(state), facts
                for words, values in seen["goals"]:  # type: ignore[misc]
                    goals = machine.goals(state, term_of_words(words))
                    assert sorted(map(str, map(term_of_words, values))) == sorted(map(str, goals)), (words, facts)
                (control,) = map(term_of_words, seen["control"])
                assert set(map(term_of_words, seen["legal"])) == set(machine.legal_moves(state, control)), facts
                if seen["terminal"]:
                    break
                move = draw.choice(seen["legal"])
                facts = session.play(state=facts, move=move)[0]  # type: ignore[assignment]
                done = {control: term_of_words(move)}
                joint = [done.get(role) or machine.legal_moves(state, role)[0] for role in machine.roles]
                state = machine.next_state(state, joint)
                assert set(map(term_of_words, facts)) == state.facts, move
    return states


def played_side_by_side(sheet: Program, games: int, seed: int, reasoner: str = "clingo") -> int:
    """Random games on a sheet in GDL: the engine plays the rulesheet that is written from it."""
    draw, states = random.Random(seed), 0
    with StateMachine.from_sheet(sheet, "epilog") as epilog, StateMachine.from_sheet(sheet, reasoner) as machine:
        assert epilog.initial_state == machine.initial_state
        for _ in range(games):
            state = machine.initial_state
            for _ in range(200):
                states += 1
                assert epilog.is_terminal(state) == machine.is_terminal(state)
                for role in machine.roles:
                    assert epilog.goals(state, role) == machine.goals(state, role)
                if machine.is_terminal(state):
                    break
                legal = [machine.legal_moves(state, role) for role in machine.roles]
                assert legal == [epilog.legal_moves(state, role) for role in machine.roles]
                joint = [draw.choice(moves) for moves in legal]
                following = machine.next_state(state, joint)
                assert epilog.next_state(state, joint) == following
                state = following
    return states


@pytest.mark.takes_seconds
@pytest.mark.parametrize("path", SHEETS, ids=lambda path: path.stem)
def test_course_sheets_mean_what_the_engine_plays(path: Path, engine: str) -> None:
    assert played_as_written(path, GROWING.get(path.name, "clingo"), games=3, seed=1) > 3


@pytest.mark.parametrize("path", SHEETS, ids=lambda path: path.stem)
def test_course_sheets_are_written_back_as_the_same_game(path: Path) -> None:
    sheet = read_sheet(path)
    written = Rulesheet(sheet)
    again = checked_sheet(written.text, "again.epilog")
    reasoner = GROWING.get(path.name, "clingo")
    with StateMachine.from_sheet(sheet, reasoner) as first, StateMachine.from_sheet(again, reasoner) as second:
        draw = random.Random(3)
        state, other = first.initial_state, second.initial_state
        while not first.is_terminal(state):
            legal = [first.legal_moves(state, role) for role in first.roles]
            assert [len(second.legal_moves(other, role)) for role in first.roles] == list(map(len, legal))
            joint = [draw.choice(moves) for moves in legal]
            renamed = [written.renamed("move", move) for move in joint]
            state, other = (
                first.next_state(state, joint),
                second.next_state(
                    other,
                    [
                        move if move in second.legal_moves(other, role) else second.legal_moves(other, role)[0]
                        for move, role in zip(renamed, second.roles, strict=True)
                    ],
                ),
            )
            assert second.is_terminal(other) == first.is_terminal(state)
            assert len(other.facts) == len(state.facts)
        assert [second.goals(other, role) for role in first.roles] == [first.goals(state, role) for role in first.roles]


@pytest.mark.parametrize("name", CARRIED)
def test_exported_games_are_played_as_their_rules_say(name: str, engine: str) -> None:
    sheet = export_sheet(find_rules(name, "hex"), load_game("hex").of_extent(3, 3))
    assert played_side_by_side(sheet.program, games=2, seed=5) > 10


@pytest.mark.slow
@pytest.mark.takes_seconds
def test_fifty_sheets_and_five_thousand_states(engine: str) -> None:
    states = [played_as_written(path, GROWING.get(path.name, "clingo"), games=20, seed=7) for path in SHEETS]
    for game, sizes in (("hex", (2, 3, 4)), ("y", (3,)), ("havannah", (2,)), ("tic-tac-toe-3d", (2,))):
        for name in CARRIED:
            for size in sizes:
                for pipeline in ("none", "ground,reorder:bound-first,prune"):
                    for swap in (False, True):
                        try:
                            board = load_game(game).of_extent(size, size)
                            rules = find_rules(name, game)
                            sheet = export_sheet(rules, board, swap=swap, pipeline=Pipeline.parse(pipeline))
                        except HexlogicError:
                            continue  # the rules are not for this game
                        states.append(played_side_by_side(sheet.program, games=8, seed=size))
    assert len(states) >= 50, len(states)
    assert sum(states) >= 5000, sum(states)


def test_a_sheet_is_played_compiled_and_optimised(tmp_path: Path) -> None:
    path = next(path for path in SHEETS if path.stem == "tictactoe")
    sheet = read_sheet(path)
    with StateMachine.from_sheet(sheet, "compiled") as machine:
        assert 5 < machine.playouts(200, 1).mean_steps < 9
    changed = Pipeline.parse("ground,prune,reorder:bound-first").apply(sheet)
    assert played_side_by_side(changed, 1, 1, "compiled") if "HEXLOGIC_EPILOG_JS" in os.environ else changed != sheet


MINIMAL = """role(r) init(control(r)) init(p(1)) legal(go(X)) :- q(X)
q(1) q(2) go(X) :: p(Y) ==> ~p(Y) & p(X)
terminal :- p(2) goal(r,100) :- p(2) goal(r,0) :- ~p(2)
"""


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("go(X) ::", "stay(X) ::", "1:37: the move `go` has no operation: Epilog would add the move itself"),
        ("q(1)", "q(1) stay :: p(1)", "2:6: the operation `stay` is without effect: it belongs to no move"),
        ("~p(Y) & p(X)", "~p(Y) & p(Z)", "2:37: variable Z is unsafe"),
        ("~p(2)", "~first(2)", "3:52: `first` is built into Epilog and takes more arguments"),
        ("q(1)", "first(1) q(1)", "2:1: `first` is built into Epilog, so these rules are never asked (rename it)"),
        ("q(1)", "p(3) q(1)", "2:1: `p` is a fact of the state and has rules"),
        ("terminal :- p(2)", "", "1:1: the sheet has no `terminal`"),
        ("p(Y) ==>", "p(Y) ==> same(X,Y) &", "2:29: a condition where an effect should be"),
        (":- q(X)", ":- q(X).", "1:57: unexpected '.' (no dot ends a sentence"),
        ("q(2)", "q(2) big(N) :- ~q(N) & p(N)", "2:11: a goal of `big(N)"),
        ("p(Y) ==> ~p(Y)", "p(Y) & evaluate(plus(Y,1),Z) ==> ~p(Y) & p(Z)", "a number or a list may grow without end"),
        ("q(2)", "q(-1.5)", "2:8: Epilog reads -1.5 without its decimals"),
        ("q(2)", "q(2) z(L) :- evaluate(setofall(X,q(X)),L)", "`setofall` has no translation here"),
        ("role(r)", "role(r) role(s) init(control(s))", "2 roles are in control"),
    ],
)
def test_bad_sheets_are_told_in_one_line_with_the_place(old: str, new: str, message: str) -> None:
    assert old in MINIMAL
    with pytest.raises(HexlogicError) as caught:
        checked_sheet(MINIMAL.replace(old, new), "bad.epilog")
    assert message in str(caught.value)
    assert str(caught.value).startswith("bad.epilog:")
    assert "\n" not in str(caught.value)


@pytest.mark.takes_seconds
@pytest.mark.parametrize("name", ["reserved", "tictactoe"])
def test_the_check_finds_no_error_in_sheets_of_two_roles_and_of_gdls_words(name: str) -> None:
    (path,) = (path for path in SHEETS if path.stem == name)
    verdict = check_sheet(path.read_text(encoding="utf-8"), path.name)
    assert not verdict.errors, [str(finding) for finding in verdict.findings]
    assert verdict.games


def test_the_check_warns_of_recursion_that_fills_the_stack() -> None:
    text = MINIMAL + "way(X) :- p(X) way(Y) :- way(X) & e(X,Y) e(1,2) e(2,1)"
    found = [str(finding) for finding in check_sheet(text, "deep.epilog").findings]
    assert any(
        line.startswith("deep.epilog:4:1: warning: way/1 is recursive and Epilog keeps no table") for line in found
    ), found


def test_overflow_in_the_engine_is_an_error(engine: str) -> None:
    text = (
        MINIMAL.replace("terminal :- p(2)", "terminal :- way(3)")
        + "way(Y) :- way(X) & e(X,Y) way(X) :- p(X) e(1,2) e(2,1)"
    )
    with ENGINE.open_game(text, len(parse_epilog(text))) as session:
        with pytest.raises(HexlogicError, match="Maximum call stack size exceeded"):
            session.play(state=[["p", "1"], ["control", "r"]])
        assert session.play(state=None)[0]


def test_a_sheet_that_fills_the_stack_is_refused_with_its_predicate(engine: str, tmp_path: Path) -> None:
    ways = "way(Y) :- way(X) & e(X,Y) way(X) :- p(X) e(1,2) e(2,1)"
    (tmp_path / "deep.epilog").write_text(MINIMAL.replace("terminal :- p(2)", "terminal :- way(3)") + ways)
    with (
        StateMachine.from_sheet(read_sheet(tmp_path / "deep.epilog"), "epilog") as machine,
        pytest.raises(EngineError, match=r"way/1 is recursive and Epilog keeps no table: .*names the rule"),
    ):
        machine.is_terminal(machine.initial_state)


def test_games_without_turns_are_refused() -> None:
    path = Path(__file__).parents[1] / "games" / "rock-paper-scissors.kif"
    with pytest.raises(HexlogicError, match=r"several roles move at once.*a fact control\(R\)"):
        render(read_sheet(path), "epilog")


def test_an_operation_without_conditions_is_written_bare() -> None:
    """`true ==>` would be a condition on a fact to the students' grounder, which then drops the operation."""
    sheet = export_sheet(find_rules("clusters-with-sides", "hex"), load_game("hex").of_extent(2, 2))
    text = render(sheet.program, "epilog")
    assert "place(Y) :: ~free(Y)\n" in text
    assert "true" not in text


def test_names_that_meet_a_builtin_are_renamed() -> None:
    sheet = export_sheet(find_rules("clusters-merging", "hex"), load_game("hex").of_extent(2, 2))
    text = render(sheet.program, "epilog")
    assert "first_2(" in text
    assert "first(" not in text
