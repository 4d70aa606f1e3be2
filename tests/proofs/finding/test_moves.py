"""Each move: what it proposes, that the bridge it states is accepted, and what it leaves alone."""

from __future__ import annotations

import contextlib

import pytest

from hexlogic.errors import HexlogicError
from hexlogic.games.rulesets import RuleSet, load_rule_set
from hexlogic.language import Program
from hexlogic.language.parser import parse
from hexlogic.proofs.all_inputs import ProgramText
from hexlogic.proofs.finding.bridge_text import find_bridge
from hexlogic.proofs.finding.chains import chained_bridge, proposed_bridge
from hexlogic.proofs.finding.moves import MOVES
from hexlogic.proofs.finding.samples import Samples
from hexlogic.proofs.finding.worlds import BoardWorld, InputWorld
from hexlogic.proofs.smt.lemmas import LemmaProver

HEX = BoardWorld("hex", LemmaProver())


def proposals(move, text, world):
    """What a move proposes for a text; a program without end has no models."""
    program = world.program(text)
    samples = Samples(Program() if MOVES.load(move).on_rules else program, world)
    return list(MOVES.load(move).propose(program, samples, world))


def bridge_of(proposal, text, made, world):
    """The bridge of the move, or one that is found where it states none."""
    stated = proposal.hints and proposed_bridge(text, made, world, proposal.hints)
    return stated or find_bridge(text, made, world)


def proved(proposal, text, world):
    """The proof along the bridge of the move."""
    made = world.read("found", proposal.program)
    return world.prove(text, made, bridge_of(proposal, text, made, world))


def rules(text):
    return {str(rule) for rule in parse(text).rules}


def inputs(text):
    source = ProgramText("given", text)
    return source, InputWorld(source)


FLOOD = load_rule_set("follow-line-tabled")
CASES = {
    "drop": (
        load_rule_set("follow-line"),
        """line_2(P,X) :- owns(P,X), first(P,X).
        line_2(P,Y) :- line_2(P,X), adjacent(X,Y), owns(P,Y).
        wins(P) :- line_2(P,X), last(P,X).""",
    ),
    "turn": (
        FLOOD,
        """reach_back(P,X) :- last(P,X), owns(P,X).
        wins(P) :- reach_back(P,X), first(P,X).
        reach_back(P,X) :- reach_back(P,Y), adjacent(Y,X), owns(P,X).""",
    ),
    "inline": (FLOOD, load_rule_set("follow-line-computed").text),
}


@pytest.mark.takes_seconds
@pytest.mark.parametrize("move", CASES)
def test_what_a_move_makes_is_proved(move):
    source, wanted = CASES[move]
    (proposal,) = (each for each in proposals(move, source, HEX) if rules(str(each.program)) == rules(wanted))
    proof = proved(proposal, source, HEX)
    assert proof.proved
    assert not proof.assumed


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("path(X,Z) :- path(X,Y), path(Y,Z).", "path(X,Z) :- path(X,Y), edge(Y,Z)."),
        ("path(X,Z) :- path(X,Y), edge(Y,Z).", "path(X,Z) :- path(X,Middle), path(Middle,Z)."),
        ("path(X,Z) :- edge(X,Y), path(Y,Z).", "path(X,Z) :- path(X,Middle), path(Middle,Z)."),
    ],
)
def test_closures_are_squared_and_made_linear(text, wanted):
    source, world = inputs(f"path(X,Y) :- edge(X,Y). {text} far(X,Y) :- path(X,Y), goal(Y). #show far/2.")
    (proposal,) = proposals("square", source, world)
    assert wanted in rules(str(proposal.program))
    assert proved(proposal, source, world).proved


@pytest.mark.takes_seconds
def test_what_the_other_side_lacks_assumes_the_theorem():
    (proposal,) = proposals("negate", FLOOD, HEX)
    assert "wins(P) :- opponent(P,Q), not wins_open(Q)." in rules(str(proposal.program))
    hints = proposal.hints + "\n%% claim: stones\nowns(P,X) :- reach(P,X).\n"
    proof = world_proof = proved(type(proposal)(proposal.program, "", hints), FLOOD, HEX)
    assert proof.proved
    assert {"no draw", "one winner"} <= set(world_proof.assumed)
    assert proposals("negate", load_rule_set("maker-breaker"), HEX) == []


def test_an_argument_that_matters_is_not_dropped():
    """Of walks with a mark, only those that are marked count."""
    source, world = inputs(
        """walk(X,no) :- start(X). walk(Y,M) :- walk(X,M), edge(X,Y). walk(X,yes) :- walk(X,M), gold(X).
        rich(X) :- walk(X,yes), goal(X). #show rich/1."""
    )
    made = proposals("drop", source, world)
    assert made
    for proposal in made:
        with contextlib.suppress(HexlogicError):  # a bridge that cannot be stated proves nothing either
            assert not proved(proposal, source, world).proved


def test_a_list_is_dropped_by_any_name():
    text = """tour(A,stop(A)) :- gate(A). tour(B,more(B,L)) :- tour(A,L), road(A,B), town(B), fresh(B,L).
    fresh(B,stop(A)) :- town(B), town(A), A != B. fresh(B,more(A,L)) :- fresh(B,L), town(A), A != B.
    seen(A) :- tour(A,L), harbour(A). #show seen/1."""
    with pytest.raises(HexlogicError, match="without end"):  # input worlds take no terms that grow; boards do
        assert ProgramText("given", text).program
    board = RuleSet.from_text(
        """tour(P,A,stop(A)) :- owns(P,A), first(P,A).
        tour(P,B,more(B,L)) :- tour(P,A,L), adjacent(A,B), owns(P,B), fresh(B,L).
        fresh(B,stop(A)) :- cell(B), cell(A), A != B. fresh(B,more(A,L)) :- fresh(B,L), cell(A), A != B.
        wins(P) :- tour(P,A,L), last(P,A).""",
        "tours",
    )
    (list_,) = (each for each in proposals("drop", board, HEX) if "argument 3 of tour" in each.words)
    assert proved(list_, board, HEX).proved


@pytest.mark.takes_seconds
def test_the_bridge_of_a_chain_is_proved_as_a_whole():
    texts, bridges = [FLOOD], []
    for move, part in (("turn", "turned"), ("inline", "adjacent")):
        proposal = next(each for each in proposals(move, texts[-1], HEX) if part in each.words)
        texts.append(HEX.read(f"after-{move}", proposal.program))
        bridges.append(bridge_of(proposal, texts[-2], texts[-1], HEX))
    whole = chained_bridge(texts, bridges, HEX)
    assert whole.startswith("% left:   follow-line-tabled\n% right:  after-inline")
    proof = HEX.prove(texts[0], texts[-1], whole)
    assert proof.proved
    assert not proof.assumed


@pytest.mark.takes_seconds
@pytest.mark.parametrize(
    ("text", "view"),
    [
        ("tc(X,Y) :- e(X,Y). tc(X,Z) :- tc(X,Y), tc(Y,Z). q(Y) :- tc(1,X), tc(X,Y), good(X). #show q/1.", "(1,"),
        (  # the fact stands in both programs of the last step
            """sub(X,Y) :- isa(X,Y). sub(X,Y) :- isa(X,Z), sub(Z,Y). has(X,P) :- prop(X,P).
            has(X,P) :- sub(X,Y), prop(Y,P). q(X) :- has(X,wings). #show q/1.""",
            "demand",
        ),
    ],
)
def test_a_chain_leads_through_a_program_with_a_fact(text, view):
    source, world = inputs(text)
    texts, bridges = [source], []
    for move, part in (("rewrite", "magic"), ("fuse", view)):
        proposal = next(each for each in proposals(move, texts[-1], world) if part in each.words)
        texts.append(world.read(f"after-{move}", proposal.program))
        bridges.append(bridge_of(proposal, texts[-2], texts[-1], world))
    assert any(not rule.body for rule in world.program(texts[1]).rules)
    assert world.prove(source, texts[-1], chained_bridge(texts, bridges, world)).proved


def test_a_bridge_with_the_wrong_end_proves_nothing():
    (proposal,) = proposals("turn", FLOOD, HEX)
    wrong = HEX.read("found", parse(str(proposal.program).replace("first", "last")))
    assert not HEX.prove(FLOOD, wrong, proposed_bridge(FLOOD, wrong, HEX, proposal.hints)).proved


@pytest.mark.parametrize(
    "text",
    [
        "p(X,Y) :- e(X,Y). p(X,Z) :- p(X,Y), p(Y,Z). r(Y) :- p(1,Y). #show r/1.",
        "p(S,X,X) :- s(S), at(S,X). p(S,X,Z) :- p(S,X,Y), e(Y,Z). seen(Z) :- p(S,X,Z). #show seen/1.",
        "g(X,Y) :- e(X,Y), not w(Y). g(X,Z) :- g(X,Y), e(Y,Z), not w(Z). o(X) :- g(X,Y), t(Y). #show o/1.",
        "even(X) :- s(X). odd(Y) :- even(X), e(X,Y). even(Y) :- odd(X), e(X,Y). t(X) :- odd(X), g(X). #show t/1.",
        "p(X,Y) :- e(X,Y). p(X,Z) :- p(X,Y), p(Y,Z). cycle(X) :- p(X,X). #show cycle/1.",
        # variables in terms, and terms of several kinds in one argument
        "t(f(X,g(1)),Y) :- e(X,Y). t(f(X,a),Y) :- e(X,Y). t(T,Z) :- t(T,Y), e(Y,Z). q(X) :- t(f(X,a),Y). #show q/1.",
    ],
)
def test_no_move_stumbles_over_a_program_of_another_shape(text):
    source, world = inputs(text)
    for name in MOVES.names():
        assert all(proposal.program.queries for proposal in proposals(name, source, world))


def test_what_a_rule_denies_is_denied_in_the_fused_rules_too():
    source, world = inputs(
        """go(X,Y) :- e(X,Y), not wall(Y). go(X,Z) :- go(X,Y), e(Y,Z), not wall(Z).
        out(X) :- go(X,Y), exit(Y). #show out/1."""
    )
    made = [rules(str(proposal.program)) for proposal in proposals("fuse", source, world)]
    assert {"out(X) :- e(X,Y), not wall(Y), exit(Y).", "out(X) :- out(Y), e(X,Y), not wall(Y)."} in [
        {rule for rule in each if rule.startswith("out")} for each in made
    ]
