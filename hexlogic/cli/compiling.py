"""Which kernels are compiled, and compiling all of them: small calculations that use each, several at a time."""

from __future__ import annotations

import importlib
from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor, as_completed
from typing import Final

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
    parts: tuple[Callable[[], float], ...] = (solver, strategies, engines, sheets)
    with ThreadPoolExecutor(cores()) as pool:
        waiting = {pool.submit(call_isolated, part, {}, _LIMITS): part.__name__ for part in parts}
        for done in as_completed(waiting):
            yield waiting[done], done.result()


def _measured(work: Callable[[], object]) -> float:
    from time import process_time

    from hexlogic.process.kernels import compile_first

    compile_first()
    begin = process_time()
    work()
    return process_time() - begin


def solver() -> float:
    """Compile the solver and the connections."""
    from hexlogic.games import Hex, Position
    from hexlogic.players.connections import Connections
    from hexlogic.players.solver import Solver, make_certificate

    def work() -> None:
        board = Hex.square(3)
        position = Position.of(board, red=["a1"])
        solver = Solver(board)
        solver.solve(position)
        make_certificate(solver, position, "blue")
        Connections(3, 3).play(5, "red")

    return _measured(work)


def strategies() -> float:
    """Compile the players of Hex."""
    from hexlogic.games import Hex
    from hexlogic.games.game_state import GameState
    from hexlogic.players import Budget, load_strategy

    def work() -> None:
        board = Hex.square(3)
        for name in ("best:1", "bridge", "two-distance", "resistance", "alpha-beta", "mcts", "mcts-vc"):
            state = GameState(board)
            state.play("red", 1)
            strategy = load_strategy(name)
            strategy.prepare(board)
            strategy.choose(state, Budget(playouts=400))
            strategy.close()

    return _measured(work)


def engines() -> float:
    """Compile the propagators of detectors, and positions in batches."""
    import numpy as np

    from hexlogic.games import Hex
    from hexlogic.games.detect.batch import AtomBatch
    from hexlogic.games.detect.detector import Detector
    from hexlogic.language.parser import parse_atom

    def work() -> None:
        for rules in ("follow-line-tabled", "maker-breaker"):
            detector = Detector(rules, size=3)
            detector.play("red", 1)
            detector.undo()
        batch = AtomBatch("clusters", Hex.square(2), [parse_atom("wins(red)")])
        batch.truths(np.zeros((1, 4), np.uint8))

    return _measured(work)


def sheets() -> float:
    """Compile the machines of sheets, and the search on them."""
    from hexlogic.ggp.machines import StateMachine
    from hexlogic.ggp.playing.search import NumbaSearch
    from hexlogic.ggp.playing.strategy import Clock
    from hexlogic.ggp.propnet.many_games import MANY
    from hexlogic.laboratory.runs.kinds.playouts import SMALL_GAMES

    def work() -> None:
        for text in SMALL_GAMES:
            for reasoner in ("compiled", "forward"):
                with StateMachine.from_kif(text, reasoner=reasoner) as machine:
                    for games in (1, MANY):
                        machine.playouts(games, 0, longest=100)
                    NumbaSearch(machine, machine.initial_state, 0, 1).search(Clock(60), 10)

    return _measured(work)
