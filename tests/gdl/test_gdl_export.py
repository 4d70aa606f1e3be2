"""Exported sheets are games: they read back, and random play over them ends when the referee says so."""

from __future__ import annotations

import random

from hexlogic.games import PLAYERS, Game, Hex, Player
from hexlogic.gdl import StateMachine, read_kif
from hexlogic.gdl.exporting import export_sheet
from hexlogic.logic import Function, Symbol
from hexlogic.logic.printers import render
from hexlogic.rulesets import load_rule_set


def place(game: Game, cell: int) -> Function:
    return Function("place", (Symbol(game.cell_name(cell)),))


def test_a_recursive_sheet_is_played_to_its_end():
    game = Hex(3, 4)
    sheet = export_sheet(load_rule_set("follow-line-tabled"), game).program
    assert read_kif(render(sheet, "gdl")) == sheet
    machine = StateMachine.from_sheet(sheet, "clingo")
    draw = random.Random(1)
    for _ in range(5):
        stones: dict[Player, frozenset[int]] = {"red": frozenset(), "blue": frozenset()}
        state, mover = machine.initial_state, 0
        free = list(game.cells)
        while not machine.is_terminal(state):
            assert not any(game.has_won(stones[player], player) for player in PLAYERS)
            legal = machine.legal_moves(state, PLAYERS[mover])
            assert set(legal) == {place(game, cell) for cell in free}
            assert machine.legal_moves(state, PLAYERS[1 - mover]) == (Symbol("noop"),)
            cell = draw.choice(free)
            free.remove(cell)
            stones[PLAYERS[mover]] |= {cell}
            moves = [Symbol("noop"), Symbol("noop")]
            moves[mover] = place(game, cell)
            state, mover = machine.next_state(state, moves), 1 - mover
        winners = [player for player in PLAYERS if game.has_won(stones[player], player)]
        assert [machine.goal(state, player) for player in PLAYERS] == [100 * (p in winners) for p in PLAYERS]
        assert len(winners) == 1


def test_cells_have_their_names():
    text = render(export_sheet(load_rule_set("follow-line-tabled"), Hex(2, 2)).program, "gdl")
    for fact in ("(adjacent b1 a2)", "(last red b1)", "(first blue b1)", "(cell a2)"):
        assert f"\n{fact}\n" in text
