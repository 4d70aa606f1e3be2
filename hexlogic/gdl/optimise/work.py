"""What playing a sheet costs, counted: the same figure every time, on every machine.

swipl       inferences of random games, the same ones for equal sheets
clingo      rules and body literals of the ground sheet; so for `compiled`, which is ground in the same way
"""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Iterator
from dataclasses import dataclass

from hexlogic.errors import EngineError
from hexlogic.gdl.language.static_facts import possible_inputs
from hexlogic.gdl.machines.reasoners.swipl import SwiplMachine
from hexlogic.gdl.optimise.flat import PLAYED
from hexlogic.ground.groundable import cannot_ground
from hexlogic.ground.program import ground_program
from hexlogic.logic import Program

__all__ = ["Work", "limited", "work_of"]

_GAMES = 2
_SEED = 2019


@dataclass(frozen=True, slots=True)
class Work:
    """`amount` in units of `unit`; None when it is not known: not within the limit, or nothing bounds the states."""

    amount: int | None
    unit: str


def work_of(sheet: Program, reasoner: str, limit_s: float) -> Work:
    """The work that a reasoner has with a sheet. Raises EngineError when it cannot run it, GameError for no game."""
    if reasoner != "swipl":
        if reason := cannot_ground(sheet):
            raise EngineError(f"{reasoner}: {reason}")
        possible, unit = possible_inputs(sheet), "ground rules and literals"
        if possible is None:
            return Work(None, unit)
        ground = ground_program(sheet, possible, wanted=PLAYED)
        return Work(sum(1 + len(rule.positive) + len(rule.negative) for rule in ground.rules), unit)
    unit = f"inferences in {_GAMES} random games"
    with SwiplMachine(sheet) as machine, limited(machine, limit_s) as late:
        try:
            machine.playouts(_GAMES, _SEED)
        except EngineError:
            if not late.is_set():
                raise
            return Work(None, unit)
        return Work(machine.inferences, unit)


@contextlib.contextmanager
def limited(machine: SwiplMachine, limit_s: float) -> Iterator[threading.Event]:
    """End the process of a machine after so many seconds; the event tells that it happened."""
    late = threading.Event()

    def stop() -> None:
        late.set()
        machine.kill()

    timer = threading.Timer(limit_s, stop)
    timer.start()
    try:
        yield late
    finally:
        timer.cancel()
