"""Facts that follow from others are not kept by the compiled machine, where that is proved, and only there."""

from __future__ import annotations

import random

import pytest

from hexlogic.games import Hex
from hexlogic.ggp import StateMachine, read_kif
from hexlogic.ggp.export import export_sheet, find_rules
from hexlogic.ggp.machines.reasoners.compiled import CompiledMachine
from hexlogic.ggp.propnet.encodings import KeptEncoding
from hexlogic.ggp.propnet.ground_sheet import ground_sheet
from hexlogic.ggp.propnet.kept_facts import kept_facts
from hexlogic.language import Program
from hexlogic.language.dialects import render


def kept_sheet(rows: int, columns: int) -> Program:
    return export_sheet(find_rules("follow-line-kept", "hex"), Hex(rows, columns)).program


@pytest.mark.parametrize("size", [(2, 3), (4, 4)])
def test_what_is_kept_follows_from_the_rest_in_every_state(size):
    sheet = kept_sheet(*size)
    ground = ground_sheet(sheet)
    found = kept_facts(ground)
    assert {str(ground.facts[fact]).split("(")[0] for fact in found.kept} == {"linked", "won"}
    draw = random.Random(1)
    with StateMachine.from_sheet(sheet, "clingo") as machine:
        for _ in range(5):
            state = machine.initial_state
            while True:
                true = frozenset(ground.fact_numbers[fact] for fact in state.facts)
                rest = found.without(true)
                assert rest is not None
                assert found.whole(rest) == true
                if machine.is_terminal(state):
                    break
                state = machine.next_state(state, [draw.choice(machine.legal_moves(state, r)) for r in machine.roles])


@pytest.mark.takes_seconds
def test_games_without_the_kept_facts_are_the_games_of_the_sheet():
    sheet = kept_sheet(4, 4)
    with CompiledMachine(sheet) as machine, StateMachine.from_sheet(sheet, "clingo") as other:
        start = machine.compiled.start(machine.initial_state)
        assert isinstance(start.encoding, KeptEncoding)
        assert "follow from the others" in machine.analysis
        played, compared = machine.playouts(20_000, 1), other.playouts(300, 1)
        assert played.mean_steps == pytest.approx(compared.mean_steps, abs=0.6)
        assert played.mean_goals[0] == pytest.approx(compared.mean_goals[0], abs=12)


def test_a_state_whose_kept_facts_do_not_follow_is_played_as_it_is():
    ground = ground_sheet(kept_sheet(3, 3))
    found = kept_facts(ground)
    linked = next(number for number, fact in enumerate(ground.facts) if str(fact) == "linked(red,b2)")
    assert found.without(ground.initial) is not None
    assert found.without(ground.initial | {linked}) is None


def test_a_reading_that_does_not_hold_is_not_taken():
    """Stones that are only linked when they are put beside a linked one do not follow from the stones."""
    rule = "(<= (fresh ?p ?y)\n    (fresh ?p ?x)\n    (adjacent ?x ?y)\n    (true (stone ?p ?y))"
    text = render(kept_sheet(3, 3), "gdl")
    assert rule in text
    weaker = read_kif(text.replace(rule, f"{rule}\n    (first ?p ?y)", 1))
    assert kept_facts(ground_sheet(weaker)) is None
