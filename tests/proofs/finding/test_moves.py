"""Each move: what it proposes, that the bridge it states is accepted, and what it leaves alone."""

from __future__ import annotations

import contextlib

import pytest

from hexlogic.errors import HexlogicError
from hexlogic.games.rulesets import RuleSet, load_rule_set
from hexlogic.language import Program
from hexlogic.language.analysis.dependence import recursive_predicates
from hexlogic.language.parser import parse
from hexlogic.proofs.all_inputs import ProgramText
from hexlogic.proofs.finding.bridge_text import find_bridge
from hexlogic.proofs.finding.chains import chained_bridge, proposed_bridges
from hexlogic.proofs.finding.moves import MOVES
from hexlogic.proofs.finding.samples import Samples
from hexlogic.proofs.finding.worlds import BoardWorld, InputWorld
from hexlogic.proofs.smt.lemmas import LemmaProver
from tests.proofs.finding.variants import plain

HEX = BoardWorld("hex", LemmaProver())


def proposals(move, text, world):
    """What a move proposes for a text; a program without end has no models."""
    program = world.program(text)
    samples = Samples(Program() if MOVES.load(move).on_rules else program, world)
    return list(MOVES.load(move).propose(program, samples, world))


def bridge_of(proposal, text, made, world):
    """The bridge that the move states, or one that is found where that proves nothing."""
    stated = [*proposed_bridges(text, made, world, proposal.hints)] if proposal.hints else []
    for bridge in stated:
        if world.prove(text, made, bridge).proved:
            return bridge
    bridge = find_bridge(text, made, world, hints=proposal.hints)
    return bridge if isinstance(bridge, str) else stated[-1]


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
    ("move", "text", "wanted"),
    [
        ("fuse", "path(X,Z) :- path(X,Y), path(Y,Z).", "path(X,Y) :- path(X,Z), edge(Z,Y)."),
        ("square", "path(X,Z) :- path(X,Y), edge(Y,Z).", "path(X,Z) :- path(X,Middle), path(Middle,Z)."),
        ("square", "path(X,Z) :- edge(X,Y), path(Y,Z).", "path(X,Z) :- path(X,Middle), path(Middle,Z)."),
    ],
)
def test_closures_are_squared_and_made_linear(move, text, wanted):
    source, world = inputs(f"path(X,Y) :- edge(X,Y). {text} far(X,Y) :- path(X,Y), goal(Y). #show far/2.")
    (proposal,) = (each for each in proposals(move, source, world) if wanted in rules(str(each.program)))
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
        ("tc(X,Y) :- e(X,Y). tc(X,Z) :- tc(X,Y), tc(Y,Z). q(Y) :- tc(1,X), tc(X,Y), good(X). #show q/1.", "tc_bf/2"),
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
    bridges = [*proposed_bridges(FLOOD, wrong, HEX, proposal.hints)]
    assert bridges
    assert not any(HEX.prove(FLOOD, wrong, bridge).proved for bridge in bridges)


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


RECURSIONS = {
    "others stand between the view and the query": (
        """t(X,Y) :- e(X,Y). t(X,Y) :- t(X,Z), t(Z,Y). r(Y) :- s(Y). r(Y) :- s(X), t(X,Y). both(X,Y) :- r(X), r(Y).
        q(X) :- both(X,Y), g(Y). #show q/1.""",
        """t_seen(Y) :- e(X,Y), s(X). t_seen(Y) :- t_seen(X), e(X,Y). r(Y) :- s(Y). r(Y) :- t_seen(Y).
        both(X,Y) :- r(X), r(Y). q(X) :- both(X,Y), g(Y).""",
    ),
    "two predicates become one": (
        """by_bus(X,Y) :- bus(X,Y). by_bus(X,Y) :- by_train(X,Z), bus(Z,Y). by_train(X,Y) :- train(X,Y).
        by_train(X,Y) :- by_bus(X,Z), train(Z,Y). arrive(Y) :- by_train(home,Y). #show arrive/1.""",
        """arrive(Y) :- train(home,Y). arrive(Y) :- bus(home,X), train(X,Y).
        arrive(Y) :- arrive(X), bus(X,Z), train(Z,Y).""",
    ),
    "what is compared": (
        """walk(X,C,Y) :- edge(X,C,Y). walk(X,D,Z) :- walk(X,C,Y), edge(Y,D,Z), C != D.
        found(Y) :- begin(X), walk(X,C,Y). #show found/1.""",
        """found(Y) :- walk_seen_2(X,Y). walk_seen_2(C_2,Y_2) :- edge(X,C_2,Y_2), begin(X).
        walk_seen_2(C_2,Y_2) :- walk_seen_2(X,Y), edge(Y,C_2,Y_2), X != C_2.""",
    ),
    "a constant at the end is left to the rule": (
        "p(X,Y) :- e(X,Y,W). p(X,Z) :- p(X,Y), p(Y,Z). yes :- p(1,2). #show yes/0.",
        "p_seen(Other) :- e(1,Other,X). p_seen(Other) :- p_seen(X), e(X,Other,Y). yes :- p_seen(2).",
    ),
    "equal arguments are left to the rule": (
        """both(X,Y,U,V) :- e(X,U), f(Y,V). both(X,Y,U,V) :- both(X,Y,A,B), e(A,U), f(B,V).
        sync(U) :- init(X), start(Y), both(X,Y,U,U). #show sync/1.""",
        """both_seen(Other,U) :- e(X,Other), f(Y,U), init(X), start(Y). sync(U) :- both_seen(U,U).
        both_seen(Other,U) :- both_seen(X,Y), e(X,Other), f(Y,U).""",
    ),
    "three atoms, against the direction of the rules": (
        """comp(P,Q) :- sub(P,Q,N). comp(P,R) :- comp(P,Q), sub(Q,R,N).
        late(P) :- comp(P,Q), supplier(Q,S), delayed(S). #show late/1.""",
        "late(P) :- sub(P,X,Y), supplier(X,Z), delayed(Z). late(P) :- late(X), sub(P,X,Y).",
    ),
    "what is denied beside it": (
        """calls(F,G) :- call(F,G). calls(F,H) :- calls(F,G), calls(G,H).
        hidden(F) :- calls(F,G), native(G), not trusted(G). #show hidden/1.""",
        "hidden(F) :- call(F,X), native(X), not trusted(X). hidden(F) :- hidden(X), call(F,X).",
    ),
    "nothing is left of a bounded recursion": (
        "buys(X,Y) :- likes(X,Y). buys(X,Y) :- trendy(X), buys(Z,Y). #show buys/2.",
        "buys(X,Y) :- likes(X,Y). buys(X,Y) :- likes(Z,Y), trendy(X).",
    ),
    "two predicates that call each other twice": (
        """odd(X,Y) :- e(X,Y). odd(X,Y) :- e(Y,X). even(X,Z) :- odd(X,Y), odd(Y,Z).
        odd(X,Z) :- even(X,Y), odd(Y,Z). bad(Y) :- odd(1,Y), even(1,Y). #show bad/1.""",
        """odd_seen(Y) :- e(1,Y). odd_seen(Y) :- e(Y,1). odd_seen(Y) :- e(X,Y), odd_seen_2(X).
        odd_seen(Y) :- e(Y,X), odd_seen_2(X). odd_seen_2(Y_2) :- e(X,Y_2), odd_seen(X).
        odd_seen_2(Y_2) :- e(Y_2,X), odd_seen(X). bad(Y) :- odd_seen(Y), odd_seen_2(Y).""",
    ),
}


@pytest.mark.parametrize("name", RECURSIONS)
def test_the_move_states_why(name):
    """The bridge that a fusion states is accepted as it is, and no other program is proved by it."""
    text, wanted = RECURSIONS[name]
    source, world = inputs(text)
    (proposal,) = (each for each in proposals("fuse", source, world) if plain(each.program) == plain(wanted))
    made = world.read("found", proposal.program)
    *_, bridge = proposed_bridges(source, made, world, proposal.hints)
    assert world.prove(source, made, bridge).proved
    for number in range(len(proposal.program.rules)):
        kept = proposal.program.rules[:number] + proposal.program.rules[number + 1 :]
        with contextlib.suppress(HexlogicError):  # without its only rule a predicate is not defined
            assert not world.prove(source, world.read("less", proposal.program.with_rules(kept)), bridge).proved


@pytest.mark.parametrize(
    "text",
    [
        "eq(X,Y) :- a(X,Y). eq(X,Y) :- eq(Y,X). eq(X,Y) :- eq(X,Z), eq(Z,Y). bad :- eq(X,Y), neq(X,Y). #show bad/0.",
        """conn(X,Y) :- link(X,Y). conn(X,Y) :- conn(Y,X). conn(X,Z) :- conn(X,Y), conn(Y,Z).
        q(X) :- conn(X,Y), site(X), site(Y), X != Y. #show q/1.""",
    ],
)
def test_labels_name_the_classes_that_pairs_generate(text):
    source, world = inputs(text)
    (proposal,) = proposals("label", source, world)
    assert "member(X) :- " in str(proposal.program)
    assert proved(proposal, source, InputWorld(source, LemmaProver())).proved


def test_what_a_rule_denies_is_denied_in_the_fused_rules_too():
    source, world = inputs(
        """go(X,Y) :- e(X,Y), not wall(Y). go(X,Z) :- go(X,Y), e(Y,Z), not wall(Z).
        out(X) :- go(X,Y), exit(Y). #show out/1."""
    )
    made = [rules(str(proposal.program)) for proposal in proposals("fuse", source, world)]
    assert {"out(X) :- e(X,Y), not wall(Y), exit(Y).", "out(X) :- out(Y), e(X,Y), not wall(Y)."} in [
        {rule for rule in each if rule.startswith("out")} for each in made
    ]


STATED = {
    "magic, from below": (
        "rewrite",
        """t(X,Y) :- e(X,Y), not w(Y). t(X,Z) :- t(X,Y), e(Y,Z). w(X) :- b(X,Y), t2(Y). t2(Y) :- g(Y).
        q(Y) :- t(3,Y), not t(Y,3). #show q/1.""",
        "the pass magic",
    ),
    "facts in the text, by cases": (
        "rewrite",
        """t(X,Y) :- e(X,Y). t(X,Z) :- t(X,Y), e(Y,Z), good(Z,K), e(K,Z). good(1,7). good(2,7).
        q(X) :- t(X,Y), bad(Y,Z), t(X,Z). bad(5,6). #show q/1.""",
        "short definitions",
    ),
    "steps that differ from the beginning": (
        "turn",
        """has(X,Y,K) :- share(X,Y), kind(K).
        has(X,Z,K) :- has(X,Y,K), share(Y,Z), company(Z), open(Z,K), not shut(Z,K).
        q(X) :- has(X,1,K), has(X,2,K). r(X) :- q(X), good(X). #show r/1.""",
        "the steps of has/3",
    ),
    "a recursion that is turned round": (
        "turn",
        """r(P,X) :- s(P,X), o(P,X). r(P,Y) :- r(P,X), e(X,Y), o(P,Y). q(P) :- r(P,X), f(P,X). q(P) :- g(P).
        #show q/1.""",
        "turned round",
    ),
    "a square": (
        "square",
        """t(L,X,Y) :- e(L,X,Y), o(L). t(L,X,Z) :- t(L,X,Y), e(L,Y,Z), o(L). q(X) :- t(1,X,Y), good(Y).
        #show q/1.""",
        "squared",
    ),
}


@pytest.mark.parametrize("name", STATED)
def test_what_a_move_states_is_proof_enough(name):
    """No search; and no program is proved that has a rule less, unless it has the same answers."""
    move, text, words = STATED[name]
    source, world = inputs(text)
    (proposal,) = (
        each for each in proposals(move, source, world) if words in each.words and ":bound" not in each.words
    )
    made = world.read("found", proposal.program)
    *_, bridge = proposed_bridges(source, made, world, proposal.hints)
    assert world.prove(source, made, bridge).proved
    answers = Samples(source.program, world).answers(world.query.name)
    for rule in proposal.program.rules:
        kept = tuple(other for other in proposal.program.rules if other is not rule)
        with contextlib.suppress(HexlogicError):  # without its only rule a predicate is not defined
            less = world.read("less", proposal.program.with_rules(kept))
            if world.prove(source, less, bridge).proved:
                assert Samples(less.program, world).answers(world.query.name) == answers


def test_the_chain_ends_with_a_query_that_calls_itself():
    source, world = inputs(
        """ab(X,Y) :- a(X,Y). ab(X,Z) :- ab(X,Y), b(Y,Z). abc(X,Z) :- ab(X,Y), c(Y,Z). abc(X,Z) :- abc(X,Y), c(Y,Z).
        hit(Z) :- from(X), abc(X,Z). #show hit/1."""
    )
    texts, bridges = [source], []
    for view in ("abc(X,Z), from(X)", "ab(X,Y), from(X)"):
        proposal = next(each for each in proposals("fuse", texts[-1], world) if each.words.endswith(f":- {view}."))
        texts.append(world.read(f"after-{view[:3]}", proposal.program))
        bridges.append(bridge_of(proposal, texts[-2], texts[-1], world))
    assert world.query in recursive_predicates(texts[-1].program)
    assert world.prove(source, texts[-1], chained_bridge(texts, bridges, world)).proved
