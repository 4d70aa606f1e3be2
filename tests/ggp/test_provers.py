"""Sheets for provers: what `--for` chooses is a sheet of the game, and it saves a prover without tables its work."""

from __future__ import annotations

import pytest

from hexlogic.errors import HexlogicError, UnknownNameError
from hexlogic.games import Hex, load_game
from hexlogic.ggp.export import export_sheet, find_rules
from hexlogic.ggp.export.sheet import PLAYER_KINDS, reasoner_for, rules_for
from hexlogic.ggp.machines import REASONERS
from hexlogic.ggp.machines.reasoners.swipl__sld import SldMachine
from tests.ggp.reasoners_here import SWIPL


def inferences(name: str, size: int) -> int:
    with SldMachine(export_sheet(find_rules(name, "hex"), Hex.square(size)).program) as machine:
        machine.playouts(1, seed=3)
        return machine.inferences


@SWIPL
def test_a_prover_does_a_fifth_of_the_work_of_the_published_formulation():
    assert 5 * inferences("clusters-by-side", 9) <= inferences("components-by-step", 9)


CYCLE_FREE = ("epilog", "propnet", "unknown")
CASES = [
    (kind, game)
    for game in ("hex", "y", "tic-tac-toe-3d", "havannah")
    for kind in PLAYER_KINDS
    if game != "havannah" or kind not in CYCLE_FREE
]


@pytest.mark.takes_seconds(keep=4)
@pytest.mark.parametrize(("audience", "game"), CASES)
def test_what_is_chosen_is_a_sheet_of_the_right_kind(audience, game):
    sheet = export_sheet(find_rules(rules_for(audience, game), game), load_game(game).of_size(3))
    if audience in CYCLE_FREE:
        assert not sheet.size.cyclic


@pytest.mark.parametrize("audience", CYCLE_FREE)
def test_a_game_without_a_cycle_free_sheet(audience):
    with pytest.raises(HexlogicError, match="havannah has no sheet for"):
        rules_for(audience, "havannah")


def test_a_kind_of_player_that_is_not_known():
    with pytest.raises(UnknownNameError, match=r"unknown kind of player 'provr' .*did you mean prover"):
        rules_for("provr", "hex")
    with pytest.raises(UnknownNameError, match="kind of player"):
        reasoner_for("unknown")
    assert {reasoner_for(kind) for kind in ("prover", "propnet", "swipl", "compiled")} <= set(REASONERS.names())
