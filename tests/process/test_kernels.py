"""Kernels run as plain Python until a child has compiled them; both forms give the same."""

from __future__ import annotations

import fcntl
import json
import os
import signal
import subprocess
import sys
import textwrap
from pathlib import Path

import psutil
import pytest

from hexlogic.process.call import COMPILE_FIRST
from tests.waiting import HANG_S, Started, gone, wait_for

PRELUDE = """
    import sys, time
    import numpy as np
    from hexlogic.process import kernels
    from tests.process import kernel_cases as cases
    def call():
        return cases.summary(np.arange(1, 4, dtype=np.uint64), 3)
    def wait():
        while kernels.seconds_left():
            time.sleep(0.02)
"""
BOTH_FORMS = """
    import json
    import numpy as np
    from hexlogic.games import Hex, Position
    from hexlogic.games.detect.detector import Detector
    from hexlogic.games.game_state import GameState
    from hexlogic.players import Budget, load_strategy
    from hexlogic.players.connections import Connections
    from hexlogic.players.solver import Solver, make_certificate
    from hexlogic.process import kernels
    kernels._compiler._may_start = False
    board, told = Hex.square(4), []
    solver = Solver(board)
    for stones in (["a1"], ["b2"], ["d1", "a4"]):
        position = Position.of(board, red=stones, blue=["c2"] * (len(stones) - 1))
        told.append(solver.solve(position, "blue").to_json(board))
        told.append(make_certificate(solver, position, "blue") if len(stones) == 1 else None)
    connections = Connections(Hex(4, 4))
    for cell, player in ((6, "red"), (11, "blue"), (9, "red")):
        connections.play(cell, player)
        listed = [c for who in ("red", "blue") for c in connections.full(who) + connections.semi(who)]
        told.append(sorted(json.dumps(c.to_json(connections.board), sort_keys=True) for c in listed))
    for name in ("best:3", "bridge", "two-distance", "alpha-beta", "mcts", "mcts-vc", "policy-vc"):
        state, strategy = GameState(board), load_strategy(name, 5)
        state.play("red", 6)
        told.append([name, strategy.choose(state, Budget(playouts=60)), strategy.note])
    for rules in ("follow-line-tabled", "maker-breaker"):
        detector = Detector(rules, size=4)
        for cell in ("a2", "b2", "c2"):
            detector.play("red", cell)
        detector.undo()
        told += [detector.winner(), detector.play("red", "c2"), detector.play("red", "d2"), detector.winner()]
    compiled = sum(bool(kernel.dispatcher.overloads) for kernel in kernels.KERNELS.values())
    print(json.dumps([compiled, told]))
"""


@pytest.fixture
def empty_cache(tmp_path, monkeypatch):
    """An empty cache for the programs that a test starts, which interpret at first."""
    monkeypatch.delenv(COMPILE_FIRST, raising=False)
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path / "cache"))
    return tmp_path / "cache"


def run(start: Started, code: str, prelude: str = PRELUDE) -> list[str]:
    process = start(textwrap.dedent(prelude) + textwrap.dedent(code))
    output, _ = process.communicate(timeout=HANG_S)
    assert process.returncode == 0, output
    return output.splitlines()


def test_a_kernel_is_interpreted_and_then_compiled(start, empty_cache):
    code = """
    first = call()
    print(cases.summary.overloads, first, [type(part).__name__ for part in first])
    wait()
    second = call()
    print(len(cases.summary.overloads), second == first, list(map(type, second)) == list(map(type, first)))
    print(len(cases.mix_all.overloads))
    """
    first, second, inner = run(start, code)
    assert first.startswith("OrderedDict()")
    assert first.endswith("['int', 'float', 'bool']")
    assert second == "1 True True"
    assert inner == "0", "what only the compiled kernel calls is not loaded on its own"
    # A later process finds it in the cache, and starts no child.
    again = "print(call(), len(cases.summary.overloads), kernels._compiler._child)"
    assert run(start, again)[0].endswith("1 None")


def test_an_inner_kernel_is_taken_as_soon_as_it_is_there(start, empty_cache):
    run(start, "cases.mix_all(np.arange(3, dtype=np.uint64)); wait()")
    assert run(start, "call(); print(len(cases.mix_all.overloads), len(cases.summary.overloads))") == ["1 0"]


def test_a_kernel_that_names_a_module_with_kernels_is_interpreted_at_first(start, empty_cache):
    code = """
    from hexlogic.games import Hex, Position
    from hexlogic.players.solver import Solver
    board = Hex.square(2)
    print(Solver(board).winner(Position(board), "red"))
    """
    assert run(start, code) == ["red"]


def test_what_is_not_to_be_interpreted_compiles_at_once(start, empty_cache):
    assert run(start, "print(cases.half(7), len(cases.half.overloads))") == ["3 1"]
    assert run(start, "kernels.compile_first(); call(); print(len(cases.summary.overloads))") == ["1"]


def test_what_the_child_cannot_compile_fails_here_then(start, empty_cache):
    code = """
    from numba.core.errors import TypingError
    print(cases.fails(np.dtype(int)))
    wait()
    try: cases.fails(np.dtype(int))
    except TypingError: print("here")
    """
    assert run(start, code) == ["1", "here"]


def waiting_for_the_lock(start, empty_cache):
    """A program whose child waits for another one that compiles: the test."""
    (folder,) = run(start, "print(kernels.FunctionCache(kernels.compile_requests).cache_path)")
    lock = Path(folder, "hexlogic.lock").open("w")  # noqa: SIM115
    fcntl.flock(lock, fcntl.LOCK_EX)
    code = "call(); print('ready', flush=True); wait(); print('compiled', flush=True); input()"
    process = start(textwrap.dedent(PRELUDE) + code)
    assert process.stdout.readline() == "ready\n"
    (child,) = wait_for(lambda: psutil.Process(process.pid).children(), process)
    wait_for(lambda: any("hexlogic.lock" in file.path for file in child.open_files()), process)
    return lock, process, child


def test_two_processes_do_not_compile_at_once(start, empty_cache):
    lock, process, child = waiting_for_the_lock(start, empty_cache)
    assert not list(empty_cache.rglob("*.nbi"))
    lock.close()
    assert process.stdout.readline() == "compiled\n"
    assert gone([child])
    assert len(list(empty_cache.rglob("*.nbc"))) == 2


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGINT])
def test_the_child_ends_with_its_parent(start, empty_cache, number):
    lock, process, child = waiting_for_the_lock(start, empty_cache)
    assert child.nice() >= 10
    process.send_signal(number)
    assert gone([process.pid, child])
    lock.close()


def test_without_a_folder_for_the_cache_there_is_one_for_the_process(start, empty_cache):
    before = """
    import os
    from numba import config
    from numba.core import caching
    nowhere = caching._CacheLocator.ensure_cache_path
    def refuse(self):
        if "hexlogic-kernels-" not in self.get_cache_path():
            raise OSError("read-only")
        nowhere(self)
    caching._CacheLocator.ensure_cache_path = refuse
    """
    code = "call(); wait(); call(); print(len(cases.summary.overloads), config.CACHE_DIR)"
    lines = run(start, textwrap.dedent(PRELUDE) + code, before)
    compiled, folder = lines[0].split()
    assert compiled == "1"
    assert not Path(folder).exists()


@pytest.mark.takes_seconds
def test_both_forms_give_the_same(start, empty_cache):
    compiled_then, interpreted = json.loads(run(start, BOTH_FORMS, "")[0])
    assert compiled_then <= 2, "nothing is compiled but what plain Python cannot do"
    environment = {key: value for key, value in os.environ.items() if key != "NUMBA_CACHE_DIR"} | {COMPILE_FIRST: "1"}
    command = [sys.executable, "-c", textwrap.dedent(BOTH_FORMS)]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
    compiled_then, compiled = json.loads(done.stdout)
    assert compiled_then > 10
    assert interpreted == compiled


def test_linear_algebra_of_others_is_compiled_as_without_hexlogic() -> None:
    """scipy's BLAS, for which numba is told not to look at its start."""
    code = (
        "import hexlogic.process.kernels, numba, numpy, sys\n"
        "assert 'scipy.linalg' not in sys.modules\n"
        "@numba.njit\n"
        "def product(a, b): return numpy.dot(a, b), numpy.linalg.solve(a, b)\n"
        "a, b = numpy.array([[2.0, 1.0], [1.0, 3.0]]), numpy.array([3.0, 5.0])\n"
        "print([values.round(6).tolist() for values in product(a, b)])\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "[[11.0, 18.0], [0.8, 1.4]]\n"
