"""Which kernels are compiled, and compiling all of them: small calculations that use each, several at a time."""

from __future__ import annotations

import importlib
from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor, as_completed
from time import process_time
from typing import Final

from hexlogic.games import Hex, Position
from hexlogic.games.game_state import GameState
from hexlogic.process.call import call_isolated
from hexlogic.process.extras import PACKAGE
from hexlogic.process.limits import Limits, cores

_LIMITS: Final = Limits.of(cpu_s=300, memory_mb=4000)


def compiled_kernels() -> dict[str, tuple[int, int]]:
    """By room: how many of its kernels are in numba's cache, and how many it has. Imports all modules with kernels."""
    for path in sorted(PACKAGE.rglob("*.py")):
        if "\n@kernel(" in path.read_text(encoding="utf-8"):
            importlib.import_module(".".join(path.relative_to(PACKAGE.parent).with_suffix("").parts))
    from hexlogic.process.kernels import KERNELS

    stored, known = Counter[str](), Counter[str]()
    for kernel in KERNELS.values():
        if not kernel.inline:
            room = kernel.name[0].split(".")[1]
            known[room] += 1
            stored[room] += bool(kernel.stored())
    return {room: (stored[room], known[room]) for room in sorted(known)}


def compile_all() -> Iterator[tuple[str, float]]:
    """Compile every kernel on all cores; the name and the CPU seconds of each part when it is done."""
    with ThreadPoolExecutor(cores()) as pool:
        waiting = {pool.submit(call_isolated, compile_part, {"part": part}, _LIMITS): part for part in _PARTS}
        for done in as_completed(waiting):
            yield waiting[done], done.result()


def compile_part(part: str) -> float:
    """Carry out a small calculation with every kernel of a part; its CPU seconds."""
    from hexlogic.process.kernels import compile_first

    compile_first()
    begin = process_time()
    _PARTS[part]()
    return process_time() - begin


def _solver() -> None:
    from hexlogic.players.connections import Connections
    from hexlogic.players.solver import Solver, make_certificate

    solver, position = Solver(_BOARD), Position.of(_BOARD, red=["a1"])
    solver.solve(position)
    make_certificate(solver, position, "blue")
    Connections(3, 3).play(5, "red")


def _strategies() -> None:
    from hexlogic.players import Budget, load_strategy

    state = GameState(_BOARD)
    state.play("red", 1)
    for name in ("best:1", "bridge", "two-distance", "resistance", "alpha-beta", "mcts", "mcts-vc"):
        load_strategy(name).choose(state, Budget(playouts=400))


def _engines() -> None:
    import numpy as np

    from hexlogic.games.detect.batch import Batch
    from hexlogic.games.detect.detector import Detector

    for rules in ("follow-line-tabled", "maker-breaker"):
        detector = Detector(rules, size=3)
        detector.play("red", 1)
        detector.undo()
    Batch("clusters", size=3).winners(np.zeros((1, 9), np.uint8))


def _sheets() -> None:
    from hexlogic.ggp.machines import StateMachine
    from hexlogic.ggp.playing.search import MachineSearch, NumbaSearch
    from hexlogic.ggp.playing.strategy import Clock
    from hexlogic.ggp.propnet.many_games import MANY
    from hexlogic.laboratory.runs.kinds.playouts import SMALL_GAMES

    for text in SMALL_GAMES:
        with StateMachine.from_kif(text, reasoner="compiled") as machine:
            machine.playouts(1, 0, longest=100)
            machine.playouts(MANY, 0, longest=100)
            state = machine.initial_state
            NumbaSearch(machine, state, 0, 1).search(Clock(60), 10)
            MachineSearch(machine, state, 0).search(Clock(60), 10)
            later = machine.next_state(state, tuple(machine.legal_moves(state, role)[0] for role in machine.roles))
            machine.legal_moves(later, machine.roles[0])
            machine.playouts(1, 0, start=later, longest=100)


_BOARD: Final = Hex.square(3)
_PARTS: Final[dict[str, Callable[[], None]]] = {
    "solver": _solver,
    "strategies": _strategies,
    "engines": _engines,
    "sheets": _sheets,
}
