"""Each broken sheet has the findings that it names, good games have none, and nothing breaks the checker."""

from __future__ import annotations

import itertools
import re
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hexlogic.errors import HexlogicError, RuleSyntaxError
from hexlogic.ggp import sheet_of
from hexlogic.ggp.check import Plays, Verdict, all_checks, check_sheet
from hexlogic.ggp.machines import StateMachine
from hexlogic.ggp.machines.reasoners.clingo import ClingoMachine
from hexlogic.language import Atom, Program, Rule
from hexlogic.language.dialects import render
from hexlogic.language.ground.solving import least_model
from tests.ggp.reasoners_here import REASONERS
from tests.ggp.sheets import GAMES, IDS, load

BROKEN = sorted(path for path in (Path(__file__).parent / "broken").iterdir() if path.suffix in (".kif", ".epilog"))
STAGES = {check.name: check.stage for check in all_checks()}
FEW = Plays(games=3, longest=50, reasoner="clingo")
# Recursion over a board is a cycle in the ground rules: that sheet is here because of it.
WARNINGS = {"hex-3": ["cycles"], "counter": ["formulas"] * 2, "tic-tac-toe": ["formulas"] * 2}


def expected(path: Path) -> list[str]:
    """The findings that a broken sheet names: the check, its place and its text."""
    return re.findall(r"^[;%] expect: (.*)$", path.read_text(), re.MULTILINE)


def found(verdict: Verdict) -> list[str]:
    return [f"{finding.check} {str(finding).removeprefix(f'{finding.file}:')}" for finding in verdict.findings]


@pytest.mark.parametrize("path", BROKEN, ids=lambda path: path.stem)
def test_a_broken_sheet_has_exactly_these_findings(path):
    told = []
    verdict = check_sheet(path.read_text(), f"b{path.suffix}", FEW, told.append)
    assert found(verdict) == expected(path) != []
    assert told[-1] == verdict
    unplayable = any(finding.kind == "error" and STAGES[finding.check] == "text" for finding in verdict.findings)
    assert (verdict.games == 0) == unplayable


@pytest.mark.parametrize("check", all_checks(), ids=lambda check: check.name)
def test_every_check_says_what_it_looks_for_and_has_a_broken_sheet(check):
    sheets = [path for path in BROKEN if re.fullmatch(rf"{check.name}(-.*)?", path.stem)]
    named = {finding.split()[0] for path in sheets for finding in expected(path)}
    # An equation is a formula that validators refuse, whatever else is wrong with it.
    assert check.name in named <= {check.name, *(["formulas"] if check.name == "equality" else [])}
    assert check.look.__doc__.strip().split("\n")[0].endswith(".")


@pytest.mark.takes_seconds(keep=4)
@pytest.mark.parametrize("path", GAMES, ids=IDS)
def test_good_games_have_no_finding(path):
    verdict = check_sheet(path.read_text(), path.name)
    assert [finding.check for finding in verdict.findings] == WARNINGS.get(path.stem, [])
    assert verdict.errors == 0
    assert (verdict.games, verdict.rules > 10, verdict.steps >= 10) == (10, True, True)


@pytest.mark.parametrize("path", GAMES, ids=IDS)
def test_infix_sheets_are_checked_too(path):
    plays = Plays(games=2, seed=3, reasoner="clingo")
    kif = check_sheet(path.read_text(), "g.kif", plays)
    hrf = check_sheet(render(load(path.stem), "hrf"), "g.hrf", plays)
    # Formulas are rules of their own when a sheet is written.
    messages = [finding.message for finding in kif.findings if finding.check != "formulas"]
    assert [finding.message for finding in hrf.findings] == messages
    assert (hrf.games, hrf.steps) == (kif.games, kif.steps)


PLAYED = [path for path in BROKEN if any(STAGES[line.split()[0]] != "text" for line in expected(path))]


@pytest.mark.takes_seconds(keep=4)
@pytest.mark.parametrize("reasoner", REASONERS)
def test_every_reasoner_shows_the_same(reasoner):
    """The games are the same too: moves are drawn in the order of their texts."""
    assert len(PLAYED) >= 7
    for path in PLAYED:
        verdict = check_sheet(path.read_text(), "b.kif", replace(FEW, reasoner=reasoner))
        assert verdict == check_sheet(path.read_text(), "b.kif", FEW), path.stem


GROWING = """(role robot) (init (n z)) (legal robot go) (input robot go)
(base (n z)) (base (n (s z))) (base (n (s (s z))))
(<= (next (n (s ?x))) (true (n ?x)))
(<= terminal (true (n (s (s z))))) (goal robot 100)"""


@pytest.mark.parametrize("reasoner", REASONERS)
def test_a_state_that_could_grow_for_ever_is_checked_within_its_base(reasoner):
    verdict = check_sheet(GROWING, plays=replace(FEW, reasoner=reasoner))
    assert [(finding.kind, finding.check, finding.line) for finding in verdict.findings] == [("warning", "base", 3)]
    assert "(n (s (s (s z))))" in verdict.findings[0].message
    assert (verdict.games, verdict.steps) == (3, 6)


RECURSIVE = "(q a b) (r b) (t (f a)) (p a) (e a a) "


@pytest.mark.parametrize(
    ("rule", "fine"),
    [
        ("(<= (p ?y) (p ?x) (q ?x ?y))", True),  # bound beside it
        ("(<= (p ?y) (q ?x ?y) (p ?x))", True),  # order does not matter
        ("(<= (p ?x) (p ?x))", True),  # an argument of the head
        ("(<= (p (f ?x)) (p (f ?x)) (r ?x))", True),  # a compound one too
        ("(<= (p ?x) (p a) (r ?x))", True),  # ground
        ("(<= (p (f ?x)) (p ?x))", False),  # inside an argument of the head
        ("(<= (p ?x) (p (f ?x)) (r ?x))", False),  # the compound term itself is nowhere
        ("(<= (p ?y) (p ?x) (t (f ?x)) (r ?y))", False),  # inside an argument of a literal
        ("(<= (p ?y) (p ?x) (true (pair ?x ?y)))", False),  # the state is no exception
        ("(<= (p ?y) (p ?x) (not (q ?x ?y)) (r ?y))", False),  # a negation binds nothing
        ("(<= (e ?x ?z) (e ?x ?y) (e ?y ?z))", False),  # doubly recursive
        ("(<= (e ?x ?y) (m ?x ?z) (q ?z ?y)) (<= (m ?x ?y) (e ?x ?z) (q ?z ?y))", True),  # in turns
        ("(<= (e ?x ?y) (m ?x ?z) (r ?y)) (<= (m ?x ?y) (e ?x ?y))", False),
        ("(<= (p ?y) (r ?y) (or (q ?y a) (and (p ?x) (q ?x ?y))))", True),
        ("(<= (p ?y) (r ?y) (or (q ?y a) (p ?x)))", False),
    ],
)
def test_the_recursion_restriction(rule, fine):
    verdict = check_sheet(RECURSIVE + rule, plays=FEW)
    assert not any(finding.check in ("safety", "stratification", "arity", "syntax") for finding in verdict.findings)
    assert fine == all(finding.check != "recursion" for finding in verdict.findings)


@pytest.mark.parametrize(
    ("text", "meant"),
    [
        ("(<= termnal (true (at 3)))", "terminal"),
        ("(<= (legel robot step) (true (at 3)))", "legal"),
        ("(gaol robot 100)", "goal"),
        ("(roel robot)", "role"),
        ("(inpt robot step)", "input"),
        ("(init (at 1)) (int (at 2))", "init"),
        ("(init (at 1)) (int 0) (int 1)", None),  # numbers, a relation of its own
        ("(init (at 1)) (input robot step) (int 0) (int 1)", None),
        ("(init (at 1)) (input robot step) (int 0 1)", None),
        ("(role robot) (rule one)", None),  # unlike enough where there are roles
        ("(<= (legal robot step) (nto (true (at 3))))", "not"),
        ("(<= (legal robot step) (tru (at 3)))", "true"),
        ("(<= (legal robot step) (trap 3)) (traps 3)", None),  # more like another relation
        ("(<= (legal robot step) (goals 3)) (<= (goals ?n) (true (at ?n)))", None),  # a name that is used is no slip
    ],
)
def test_slips_in_words_of_gdl(text, meant):
    hints = [finding.hint for finding in check_sheet(text, plays=FEW).findings if finding.check == "misspelt"]
    assert hints == ([f"did you mean `{meant}`?"] if meant else [])


def test_all_findings_come_and_not_only_the_first():
    texts = [path.read_text() for path in BROKEN if path.stem in ("safety", "moves", "values", "heads", "constants")]
    checks = {finding.check for finding in check_sheet("\n".join(texts), plays=FEW).findings}
    assert {"safety", "moves", "values", "heads", "constants"} <= checks


def test_a_text_whose_parentheses_do_not_match_is_refused():
    with pytest.raises(RuleSyntaxError, match=r"^g\.kif:1:1: this parenthesis is never closed"):
        check_sheet("(role a", "g.kif")


SMALL = [path for path in GAMES if path.stem in ("lights", "counter", "nim", "rock-paper-scissors", "pursuit")]


def reachable(sheet: Program) -> tuple[set[Atom], set[Atom]]:
    """What can be true and what can be legal before the end, found by going everywhere."""
    with StateMachine.from_sheet(sheet, "clingo") as machine:
        states = [machine.initial_state]
        legal: set[Atom] = set()
        for state in states:
            if machine.is_terminal(state):
                continue
            options = [machine.legal_moves(state, role) for role in machine.roles]
            for role, moves in zip(machine.roles, options, strict=True):
                legal |= {Atom("input", (role, move)) for move in moves}
            known = set(states)
            after = {machine.next_state(state, joint) for joint in itertools.product(*options)}
            states += after - known
    return {Atom("base", (fact,)) for state in states for fact in state.facts}, legal


@pytest.mark.takes_seconds(keep=5)
@pytest.mark.parametrize("path", SMALL, ids=lambda path: path.stem)
@pytest.mark.parametrize("declaration", ["base", "input"])
def test_whatever_can_come_and_is_not_declared_is_found(path, declaration):
    """Each declared fact is left out in turn; the oracle is a search through all states."""
    sheet = load(path.stem)
    declared = sorted((atom for atom in least_model(sheet) if atom.name == declaration), key=str)
    can_come = set().union(*reachable(sheet))
    rest = [rule for rule in sheet.rules if rule.head.name != declaration]
    for left_out in declared[:: max(1, len(declared) // 12)]:
        facts = [Rule(atom) for atom in declared if atom != left_out]
        verdict = check_sheet(render(sheet_of([*facts, *rest]), "gdl"), plays=FEW)
        checks = {finding.check for finding in verdict.findings}
        if left_out in can_come:
            assert checks & {"base", "inputs", "never"}, str(left_out)
        else:
            assert verdict.errors == 0, str(left_out)


PIECES = re.compile(r"[()]|[^\s();]+")
WORDS = ["true", "does", "init", "legal", "or", "not", "distinct", "<=", "?x", "()", "1", "(f ?x)", "TRUE", "role"]


@st.composite
def mutants(draw: st.DrawFn) -> str:
    """A good sheet after a few accidents."""
    path = draw(st.sampled_from([path for path in GAMES if path.stem in ("tic-tac-toe", "hex-3")] + SMALL))
    text = re.sub(r";.*", "", path.read_text())
    pieces = PIECES.findall(text)
    names = [place for place, piece in enumerate(pieces) if piece not in "()"]
    for _ in range(draw(st.integers(1, 4))):
        at, other = draw(st.sampled_from(names)), draw(st.sampled_from(names))
        match draw(st.sampled_from(["copy", "double", "drop", "swap", "word", "parenthesis"])):
            case "copy":
                pieces[at] = pieces[other]
            case "double":
                pieces[at] = f"{pieces[at]} {pieces[other]}"
            case "drop":
                pieces[at] = ""
            case "swap":
                pieces[at], pieces[other] = pieces[other], pieces[at]
            case "word":
                pieces[at] = draw(st.sampled_from(WORDS))
            case _:
                pieces[at] = draw(st.sampled_from("()")) * draw(st.integers(0, 1))
    return " ".join(pieces)


def checked(text: str) -> Verdict | HexlogicError:
    try:
        return check_sheet(text, "m.kif", Plays(games=1, longest=10, reasoner="clingo"))
    except HexlogicError as error:
        return error


@settings(max_examples=120, deadline=None)
@given(mutants())
def test_no_accident_breaks_the_checker(text):
    verdict = checked(text)
    if isinstance(verdict, HexlogicError):
        assert (verdict.file, "\n" in str(verdict)) == ("m.kif", False)
        return
    for finding in verdict.findings:
        assert finding.line == 1
        assert 1 <= finding.column <= len(text)
        assert "\n" not in str(finding)


def test_a_second_reasoner_that_differs_is_an_error(monkeypatch):
    """One that knows no legal move but the first; and the same sheet where the two agree."""
    text = GAMES[IDS.index("nim")].read_text()
    plays = Plays(games=2, against="clingo")
    agreeing = check_sheet(text, "nim.kif", plays)
    assert (agreeing.errors, agreeing.games) == (0, 2)
    assert agreeing.agreeing > 4
    whole = ClingoMachine._legal
    monkeypatch.setattr(ClingoMachine, "_legal", lambda self, state, role: whole(self, state, role)[:1])
    (difference,) = (finding for finding in check_sheet(text, "nim.kif", plays).findings if finding.check == "agree")
    assert str(difference).startswith("nim.kif:1:1: clingo does not agree with compiled: after ")
    assert "may move" in difference.message


def test_games_against_a_second_reasoner_are_as_long_as_all_others():
    text = "(role r) (init (n 0)) (legal r go) " + " ".join(
        f"(<= (next (n {step + 1})) (true (n {step})))" for step in range(60)
    )
    text += " (<= terminal (true (n 60))) (goal r 100)"
    plays = Plays(games=1, longest=10, reasoner="clingo", against="compiled")
    assert check_sheet(text, "n.kif", plays).agreeing == 10
    assert check_sheet(text, "n.kif", replace(plays, longest=1_000)).agreeing == 61
