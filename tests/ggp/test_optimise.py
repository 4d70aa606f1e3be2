"""Sheets made cheaper: still sheets, still the same game, and what finds out when they are not."""

from __future__ import annotations

import importlib
import itertools
from dataclasses import replace
from math import inf
from pathlib import Path

import pytest

from hexlogic.errors import EngineError, GameError, UnknownNameError
from hexlogic.ggp import State, StateMachine, read_kif, read_sheet
from hexlogic.ggp.check.finding import text_findings
from hexlogic.ggp.export.sheet import reasoner_for
from hexlogic.ggp.language.opened import flatten
from hexlogic.ggp.language.sheet import PLAYED
from hexlogic.ggp.language.static_facts import closed_inputs, possible_inputs
from hexlogic.ggp.machines import Work, state_machine
from hexlogic.ggp.machines.side_by_side import SideBySide
from hexlogic.ggp.optimise import GameStates, optimise_sheet, pipelines, rates
from hexlogic.ggp.optimise.pipelines import Prepared, invariants, prepare
from hexlogic.ggp.propnet.ground_size import estimated_work
from hexlogic.language import Atom, Literal, Program, Rule
from hexlogic.language.dialects import render
from hexlogic.language.dialects.gdl import sayable
from hexlogic.language.ground.solving import least_model
from hexlogic.language.passes import Pipeline
from hexlogic.proofs.question import equal
from hexlogic.registry import Registry
from tests.checkout import CHECKOUT
from tests.ggp.oracle import look, walk, walk_of
from tests.ggp.reasoners_here import REASONERS, SWIPL
from tests.ggp.sheets import GAMES, IDS, wrong

pytestmark = pytest.mark.many_cases(keep=3)

EXAMPLES = CHECKOUT / "docs" / "examples"
WIDE = """(role r) (init (n 1)) (<= (wide ?a ?b ?c ?d) (true (n ?a)) (v ?b) (v ?c) (v ?d) (v ?a))
(<= (legal r (go ?x)) (v ?x) (wide ?a ?b ?c ?x)) (<= (next (n ?x)) (does r (go ?x))) (<= terminal (true (n 3)))
(<= (goal r 7) (true (n ?x))) """ + " ".join(f"(v {number})" for number in range(30))
SLOW_HEX = EXAMPLES / "slow-hex.kif"
NIM = read_sheet(GAMES[IDS.index("nim")])
every_game = pytest.mark.parametrize("path", [*GAMES, SLOW_HEX], ids=[*IDS, SLOW_HEX.stem])
PIPELINES = [
    "ground,prune,project",
    "ground,reorder:cost,prune,project",
    "ground,prune,unfold,reorder:cost,prune",
    "ground,reorder:bound-first,prune,magic,project",
    "reorder:naive",
    "magic,stage",
]


def same_on_walks(before: Program, after: Program, walks: list) -> None:
    """Compare by the reference semantics, on states of random games of the sheet before."""
    for seen in itertools.chain.from_iterable(walks):
        assert look(after, seen.state) == (seen.legal, seen.goals, seen.terminal)


@pytest.mark.takes_seconds(keep=8)
@every_game
@pytest.mark.parametrize("pipeline", PIPELINES)
def test_every_pipeline_gives_a_sheet_of_the_same_game(path: Path, pipeline: str):
    sheet = read_sheet(path)
    changed, _ = prepare(sheet).after(Pipeline.parse(pipeline))
    # GDL has no equation: a variable that is equal to a term is replaced by it.
    assert read_kif(render(changed, "gdl")) == replace(changed, rules=tuple(map(sayable, changed.rules)))
    assert least_model(changed, only=sheet.queries[:3]) == least_model(sheet, only=sheet.queries[:3])
    same_on_walks(sheet, changed, [walk_of(path, 0, 12)])
    found = equal(sheet, changed, GameStates(most_states=60, games=2))
    assert found.difference is None, found


@pytest.mark.takes_seconds(keep=20)
@pytest.mark.parametrize("reasoner", [pytest.param("swipl", marks=SWIPL), "clingo"])
@every_game
def test_the_best_for_a_reasoner_is_valid_equal_and_no_more_work(path: Path, reasoner: str):
    sheet = read_sheet(path)
    done = optimise_sheet(sheet, reasoner)
    assert done.after.amount <= done.before.amount
    assert done.after == state_machine.REASONERS.load(reasoner).work(done.sheet, 10)
    assert not done.errors
    before, after = ({f.check for f in text_findings(render(each, "gdl"))} for each in (sheet, done.sheet))
    assert after <= before
    assert equal(sheet, done.sheet, GameStates(most_states=50, games=2)).proved


def test_a_wide_rule_is_split_for_a_network_and_by_compiled_itself():
    """A walk of four steps over roads that come and go: 6^5 instances of one rule fall to some hundreds."""
    walk = " ".join(f"(true (road ?{a} ?{b}))" for a, b in itertools.pairwise("abcdx"))
    sheet = read_kif(
        f"(role r) (init (at 1)) (<= (legal r (go ?x)) (true (at ?a)) {walk}) (<= (next (at ?x)) (does r (go ?x)))"
        "(<= (init (road ?x ?y)) (v ?x) (v ?y)) (<= terminal (true (at 3))) (<= (goal r 7) (true (at ?x)))"
        "(<= (next (road ?x ?y)) (true (road ?x ?y)) (not (true (at ?x))))"
        + " ".join(f"(v {number})" for number in range(6))
    )
    done = optimise_sheet(sheet, reasoner_for("propnet"))
    assert "split" in str(done.pipeline)
    assert done.after.amount * 5 < done.before.amount
    compiled = state_machine.REASONERS.load("compiled").work(sheet, 10)
    assert compiled.amount * 5 < done.before.amount
    assert optimise_sheet(sheet, "compiled").before == compiled


@every_game
def test_estimated_work_is_of_the_size_of_what_is_counted(path: Path):
    sheet = read_sheet(path)
    counted, estimated = state_machine.REASONERS.load("clingo").work(sheet, 10), estimated_work(sheet)
    assert estimated == estimated_work(read_sheet(path))
    assert counted.amount / 5 < estimated.amount < counted.amount * 10
    assert counted.order < estimated.order < Work(None, counted.unit).order


@SWIPL
def test_the_badly_ordered_sheet_is_put_in_order():
    """The counter that stands behind the speed: fewer than a twentieth of the inferences."""
    done = optimise_sheet(read_sheet(SLOW_HEX), "swipl")
    assert done.before.amount > 20 * done.after.amount
    (last,) = [rule for rule in done.sheet.rules if rule.head and rule.head.name == "reach" and len(rule.body) == 3]
    assert last.body[0].atom.name == "reach"  # provers are slow where the recursive literal comes late
    assert state_machine.REASONERS.load("swipl").work(done.sheet, 10) == done.after


@pytest.mark.takes_seconds
def test_pairs_become_places_for_whoever_grounds():
    text = (EXAMPLES / "slow-hex.kif").read_text()
    pairs = text.replace("(<= (reach ?p ?c ?r) (first ?p ?c ?r) (stone ?p ?c ?r))", "").split("(<= (reach ?p ?d ?s)")
    sheet = read_kif(
        pairs[0]
        + """
        (<= (joined ?p ?c ?r ?c ?r) (stone ?p ?c ?r))
        (<= (joined ?p ?a ?b ?d ?s) (joined ?p ?a ?b ?c ?r) (adjacent ?c ?r ?d ?s) (stone ?p ?d ?s))
        (<= (wins ?p) (first ?p ?a ?b) (joined ?p ?a ?b ?c ?r) (last ?p ?c ?r))
        (<= terminal (wins ?p)) (<= (goal ?p 100) (wins ?p)) (<= (goal ?p 0) (role ?p) (not (wins ?p)))
        """
    )
    done = optimise_sheet(sheet, "clingo")
    assert done.before.amount > 3 * done.after.amount
    assert equal(sheet, done.sheet, GameStates(most_states=100, games=2)).difference is None


@pytest.mark.parametrize(
    ("head", "change", "told"),
    [
        ("legal", lambda rule: [], "after no moves: Second may move noop only before, nothing only after; true there"),
        ("terminal", lambda rule: [], "noop (reduce right 0): terminal before only; true there: (control First) "),
        ("next", lambda rule: [], "leads to (control Second) only before, nothing only after"),
        ("goal", lambda rule: [rule.with_body(rule.body[:1])], "the goal of First is 0 before, 0 and 100 after; "),
        ("less", lambda rule: [], "First may move (reduce left 0) (reduce right 0) (reduce right 1) only before, "),
        ("role", lambda rule: [], "only before: (role Second); only after: nothing"),
        ("base", lambda rule: [], "only before: (base (control First)) (base (control Second)); only after: "),
        ("terminal", lambda rule: [rule, rule.with_body((*rule.body, Literal(Atom("no"), False)))], None),
    ],
)  # fmt: skip
def test_another_game_is_told_with_the_position(head: str, change, told: str | None):
    other = wrong(NIM, head, change)
    for states, games in ((1000, 0), (1, 60)):  # found by exploring, and by random games
        found = equal(NIM, other, GameStates(most_states=states, games=games))
        if told is None:
            assert found.difference is None
        else:
            assert found.difference is not None
            assert not found.proved
            assert str(found).startswith("DIFFERENT ")
            if states > 1:
                assert told in str(found)


def test_the_position_of_a_difference_is_one_where_the_sheets_differ():
    other = wrong(NIM, "terminal", lambda rule: [])
    with StateMachine.from_sheet(NIM, "clingo") as old, StateMachine.from_sheet(other, "clingo") as new:
        found, _ = SideBySide(old, new).explore(1000, inf)
    assert found is not None
    assert found.state is not None
    assert equal(NIM, other, GameStates(games=0)).difference == str(found)
    assert look(NIM, found.state)[2] != look(other, found.state)[2]
    with StateMachine.from_sheet(NIM, "clingo") as machine:
        state = machine.initial_state
        for joint in found.moves:
            state = machine.next_state(state, joint)
        assert state == found.state
    assert len(found.moves) == 2  # breadth first: both heaps taken whole
    assert str(found).startswith("after (reduce ")


@every_game
def test_laid_open_and_put_back(path: Path):
    sheet = read_sheet(path)
    flat = flatten(sheet.rules, closed_inputs(sheet))
    assert {"true", "does"} & {predicate.name for predicate in flat.program.inputs} == set()
    back = sheet.with_rules(flat.sheet(flat.program))
    seen = walk_of(path, 0, 12)
    same_on_walks(sheet, back, [seen])
    for item in seen:
        facts = [Atom("true", (fact,)) for fact in item.state.facts]
        opened = least_model(flat.program, map(flat.atom, facts), only=flat.program.queries)
        known = least_model(sheet, facts, only=PLAYED)
        assert {flat.atom(atom) for atom in known} == opened


def test_what_cannot_be_laid_open_stays():
    unknown = (
        "(role r) (init (at z)) (legal r up) (<= (next (at (s ?x))) (true (at ?x))) (<= (next ?f) (true ?f) (k ?f))"
    )
    sheet = read_kif(unknown + "(k a) (<= terminal (true (at (s (s z)))))")
    assert closed_inputs(sheet) is None
    flat = flatten(sheet.rules, None)
    assert "true" in {predicate.name for predicate in flat.program.inputs}
    assert "does" not in {predicate.name for predicate in flat.program.inputs}
    negated = read_kif("(role r) (init a) (legal r go) (<= (next b) (kind ?f) (not (true ?f))) (kind a) (kind b)")
    flat = flatten(negated.rules, closed_inputs(negated))
    assert "true" in {predicate.name for predicate in flat.program.inputs}
    changed, _ = prepare(negated).after(Pipeline.parse("ground,reorder:cost,prune,magic"))
    same_on_walks(negated, changed, [walk(negated, 0, 4)])


@every_game
def test_games_keep_what_they_promise(path: Path):
    """No state of a random game, with its legal moves, breaks a constraint that pruning relies on."""
    sheet = read_sheet(path)
    possible = closed_inputs(sheet)
    flat = flatten(sheet.rules, possible)
    made = invariants(flat, possible)
    assert made
    broken = [Literal(Atom("broken"))]
    watching = [replace(rule, head=broken[0].atom) for rule in made]
    program = flat.program.with_rules((*flat.program.rules, *watching))
    for item in walk_of(path, 1, 12):
        if item.moves is not None:
            facts = [Atom("true", (fact,)) for fact in item.state.facts]
            facts += [Atom("does", (role, move)) for role, move in zip(machine_roles(sheet), item.moves, strict=True)]
            assert Atom("broken") not in least_model(program, map(flat.atom, facts))


def machine_roles(sheet: Program):
    return [rule.head.arguments[0] for rule in sheet.rules if rule.head and rule.head.name == "role"]


def test_a_pipeline_that_breaks_a_rule_of_gdl_is_not_chosen(monkeypatch):
    """A view of a nested fact is what the recursion restriction asks for; without it there is a finding."""
    sheet = read_sheet(GAMES[IDS.index("hex-3")])
    assert not [finding for finding in text_findings(render(sheet, "gdl")) if finding.kind == "error"]

    def breaking(self, pipeline):
        unsafe = read_kif("(<= (reach ?p ?y) (reach ?q ?y) (true (owns ?p ?q)))").rules
        return sheet.with_rules((*sheet.rules, *unsafe)), ()

    monkeypatch.setattr(Prepared, "after", breaking)
    done = optimise_sheet(sheet, "clingo")
    assert not done.pipeline.steps
    asked = optimise_sheet(sheet, "clingo", Pipeline.parse("ground"))
    assert asked.errors
    assert all(str(error).startswith("new sheet:") for error in asked.errors)


@pytest.mark.parametrize("reasoner", REASONERS)
def test_rates_are_measured_on_both(reasoner: str):
    sheet = read_sheet(GAMES[0])
    found = rates(sheet, sheet, reasoner, 0.2)
    assert found.before is not None
    assert found.after is not None
    assert found.ratio == found.after / found.before


@pytest.mark.takes_seconds
@SWIPL
def test_a_sheet_that_does_not_end_in_time_has_a_bound():
    slow = "(<= (pair ?a ?b) (d ?a) (d ?b)) " + "".join(f"(d {number})" for number in range(60))
    head = "(role r) (init a) (legal r go) (<= (next b) (true a)) (<= terminal (true b)) (goal r 1) "
    never = "(<= never (pair ?a ?b) (pair ?c ?d) (pair ?e ?f) (distinct ?a ?a))"
    before = read_kif(head + slow + never + "(<= (legal r other) never)")
    done = optimise_sheet(before, "swipl", limit_s=1.0)
    assert done.before.amount is None
    assert done.after.amount is not None
    found = rates(before, done.sheet, "swipl", 0.5)
    assert found.before is None
    assert found.after is not None
    assert found.ratio == pytest.approx(found.after * 0.5)


@pytest.mark.parametrize("reasoner", [pytest.param("swipl", marks=SWIPL), "clingo"])
def test_states_without_bound(reasoner: str):
    """Nothing is promised and nothing proved, but games are played."""
    sheet = read_kif(
        "(role r) (init (at z)) (legal r up) (<= (next (at (s ?n))) (role ?p) (true (at ?n)) (does ?p up)) (goal r 1)"
        "(<= terminal (true (at ?n)) (end ?n)) (<= (end (s (s ?n))) (base (at (s (s ?n))))) (base (at (s (s z))))"
    )
    done = optimise_sheet(sheet, reasoner)
    assert (done.before.amount is None) == (reasoner == "clingo" and possible_inputs(sheet) is None)
    found = equal(sheet, done.sheet, GameStates(most_states=1, games=2))
    assert (found.difference, found.facts, found.games) == (None, None, 2)
    assert equal(sheet, done.sheet, GameStates()).visited


def test_bad_input():
    sheet = read_sheet(GAMES[0])
    with pytest.raises(UnknownNameError, match="unknown reasoner 'ggp'"):
        optimise_sheet(sheet, "ggp")
    growing = read_kif("(role r) (n z) (<= (n (s ?x)) (n ?x)) (<= (legal r go) (n (s (s z))))")
    with pytest.raises(EngineError, match=r"^clingo: function terms grow under recursion in n/1"):
        optimise_sheet(growing, "clingo")
    with pytest.raises(GameError, match="no role"):
        optimise_sheet(read_kif("(init a)"), "clingo")


def test_the_sample_position_is_one_of_the_game():
    sheet = read_sheet(GAMES[IDS.index("tic-tac-toe")])
    prepared = prepare(sheet)
    assert prepare(sheet).position == prepared.position
    put_back = prepared.flat.sheet(Program(tuple(map(_fact, prepared.position))))
    facts = frozenset(rule.head.arguments[0] for rule in put_back if rule.head and rule.head.name == "true")
    legal, _, terminal = look(sheet, State(facts))
    done = {rule.head.arguments for rule in put_back if rule.head and rule.head.name == "does"}
    assert not terminal
    assert done <= {(role, move) for role, moves in legal.items() for move in moves}
    assert len(facts) == 10


def _fact(atom: Atom):
    return Rule(atom)


def test_a_new_reasoner_is_one_file(monkeypatch, tmp_path):
    """Its module says which pipelines it is worth trying and how its work is counted; nothing else names it."""
    (tmp_path / "longhand.py").write_text(
        "from hexlogic.ggp.machines import Work\n"
        "from hexlogic.ggp.machines.reasoners.clingo import ClingoMachine\n\n\n"
        "class LonghandMachine(ClingoMachine):\n"
        "    reasoner = 'longhand'\n"
        "    pipelines = ('none', 'ground', 'prune')\n\n"
        "    @classmethod\n"
        "    def work(cls, sheet, limit_s):\n"
        "        return Work(len(str(sheet)), 'letters')\n\n\n"
        "REASONER = LonghandMachine\n"
    )
    folder = importlib.import_module("hexlogic.ggp.machines.reasoners")
    monkeypatch.setattr(folder, "__path__", [*folder.__path__, str(tmp_path)])
    registry = Registry(folder.__name__, "REASONER", "reasoner", on_demand=True)
    monkeypatch.setitem(vars(state_machine.REASONERS), "_modules", registry._modules)
    done = optimise_sheet(NIM, "longhand")
    assert str(done.pipeline) in ("none", "ground", "prune")
    assert done.before == state_machine.REASONERS.load("longhand").work(NIM, 1.0)
    assert (done.after.unit, done.after.amount) == ("letters", len(str(done.sheet)))
    assert done.after.amount <= done.before.amount
    assert rates(NIM, done.sheet, "longhand", 0.1).after


def test_a_sheet_of_very_many_ground_rules_is_prepared_and_compared_without_grounding_it(monkeypatch):
    """30^4 instances of one rule; what is known of all facts that can come up would take them all."""

    def never(sheet):
        raise AssertionError("the sheet is ground")

    monkeypatch.setattr(pipelines, "closed_inputs", never)
    monkeypatch.setattr("hexlogic.ggp.optimise.equality.AT_ONCE", ())
    sheet = read_kif(WIDE)
    changed, _ = prepare(sheet).after(Pipeline.parse("reorder:cost"))
    found = equal(sheet, changed, GameStates(games=2, most_states=50))
    assert found.difference is None
    assert found.games == 2
