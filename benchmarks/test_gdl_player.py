"""The general game player: it beats a random one, its search is not much slower than random games, and a minute of
noise does not stop its server.

pytest benchmarks/test_gdl_player.py -s
"""

from __future__ import annotations

import threading
import time
from pathlib import Path

import noise
import pytest
from hypothesis import HealthCheck, given, settings

from hexlogic.games import Hex
from hexlogic.games.rulesets import load_rule_set
from hexlogic.ggp import StateMachine, read_sheet
from hexlogic.ggp.export import export_sheet
from hexlogic.ggp.machines.reasoners.compiled import CompiledMachine
from hexlogic.ggp.playing import Clock, Player, choose_strategy
from hexlogic.ggp.playing.host import Host, enter, play_series, standings
from hexlogic.ggp.playing.player import GameServer
from hexlogic.ggp.playing.search import NumbaSearch
from hexlogic.language import Program
from hexlogic.process.limits import cores

TESTS = Path(__file__).parents[1] / "tests" / "ggp"
FUZZ_S = 60.0


def sheet_of(name: str) -> Program:
    if name.startswith("hex-"):
        return export_sheet(load_rule_set("follow-line-tabled"), Hex.square(int(name[4:]))).program
    return read_sheet(TESTS / "games" / f"{name}.kif")


def compiled(sheet: Program) -> CompiledMachine:
    machine = StateMachine.from_sheet(sheet, "compiled")
    assert isinstance(machine, CompiledMachine)
    return machine


@pytest.mark.parametrize("name", ["tic-tac-toe", "connect-four", "hex-7"])
def test_uct_beats_random(name: str) -> None:
    """Bar: 20 of 20, in tic-tac-toe without a loss; sides change after each match, each player's seed is fixed."""
    sheet = sheet_of(name)
    host = Host(sheet, name, compiled(sheet), compiled, start_clock_s=60, play_clock_s=60)
    entries = [enter("uct:1000"), enter("random")]
    matches = list(play_series(host, entries, 20, swap=True))
    one, _ = standings(entries, matches)
    print(f"\n{name}: uct:1000 against random: {one.wins} wins, {one.draws} draws, {one.losses} losses")
    assert not [fault for match in matches for fault in match.record.faults]
    assert one.losses == 0
    assert one.wins == 20 or name == "tic-tac-toe"


@pytest.mark.parametrize("name", ["tic-tac-toe", "connect-four", "breakthrough", "hex-7", "hex-11"])
def test_playouts_of_a_search(name: str) -> None:
    """Bar: a search makes a sixth of the random games that are made without a tree, for each CPU second."""
    machine = compiled(sheet_of(name))
    assert machine.compiled is not None
    machine.playouts(100)
    found = NumbaSearch(machine, machine.initial_state, 1, cores())
    begun = time.process_time()
    plain = machine.playouts(20_000, 1).games / (time.process_time() - begun)
    begun = time.process_time()
    guided = found.search(Clock(3)) / (time.process_time() - begun)
    print(
        f"\n{name}, for each CPU second: {plain:,.0f} random games, {guided:,.0f} playouts of UCT, {guided / plain:.2f}"
    )
    assert guided >= plain / 6


def test_a_minute_of_noise() -> None:
    """Bar: whatever is sent, the server answers the next message, and nothing in it went wrong."""
    logged: list[str] = []
    player = Player(
        choose_strategy("uct:10"), make=lambda sheet: StateMachine.from_sheet(sheet, "clingo"), log=logged.append
    )
    sent = 0
    with GameServer(player, port=0, arrival_s=5) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        port = server.server_address[1]

        @settings(max_examples=1000, deadline=None, database=None, suppress_health_check=list(HealthCheck))
        @given(noise.requests)
        def bombard(data: bytes) -> None:
            nonlocal sent
            sent += 1
            noise.send(port, data)
            assert noise.post(port, "(INFO)")[1].startswith("((name hexlogic)")

        end = time.monotonic() + FUZZ_S
        while time.monotonic() < end:
            bombard()
        server.shutdown()
    player.close()
    print(f"\n{sent:,} pieces of noise, {len(logged):,} lines of log")
    assert not [line for line in logged if "internal" in line]
