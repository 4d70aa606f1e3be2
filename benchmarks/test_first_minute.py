"""What a new user waits for: CPU seconds of a command on an empty cache of numba, children included, and on a warm one.

    pytest benchmarks/test_first_minute.py -s
    HEXLOGIC_NEW_ENVIRONMENT=1 pytest benchmarks/test_first_minute.py -s      in a new virtual environment

Nothing else is shared with the process that measures: each command runs in a new process, the cold one with a new cache
directory. What a child compiles meanwhile counts as CPU time of the command, which ends the child.
"""

from __future__ import annotations

import os
import resource
import subprocess
import sys
import time
from pathlib import Path

import pytest

from hexlogic.process.call import COMPILE_FIRST

CHECKOUT = Path(__file__).parents[1]
BOARD = ". . . . .\n. . . . .\n. . R . .\n. B . . .\n. . . . .\n"
LINES = """
from hexlogic import Detector
detector = Detector("follow-line-tabled", size=3)
for cell in ("a2", "b2", "c1"):
    detector.play("red", cell)
assert detector.winner() == "red"
"""
HINT = """
from hexlogic.games import Hex
from hexlogic.games.game_state import GameState
from hexlogic.web.thinkers import Thinkers, hints_for
state = GameState(Hex.square(11))
print(Thinkers().choose(hints_for(state), state, 0, False))
"""
READY = """
from hexlogic.web.app import PageServer
from hexlogic.web.thinkers import Thinkers
thinkers = Thinkers(2.0, ("best:5",))
thinkers.check("best:5")
with PageServer(thinkers, port=0) as server:
    print(server.url)
"""
COMMANDS = {
    "the lines of the README": (2, ["-c", LINES]),
    "analyse on 3x3": (2, ["-m", "hexlogic", "analyse", "red b2", "--size", "3"]),
    "solve on 5x5": (4, ["-m", "hexlogic", "solve", "board.txt"]),
    "first hint": (2, ["-c", HINT]),
    "play is ready": (2, ["-c", READY]),
}
"""By name: the bar in CPU seconds, and the arguments of Python."""
BENCH = ("-m", "hexlogic", "gdl", "bench", "--hex", "7", "--rules", "follow-line-tabled", "--seconds", "0.1")
FIRST_ROW_S = 5


@pytest.fixture(scope="module")
def python(tmp_path_factory):
    """The interpreter, that of a new environment if asked for, and the folder with the installed package: its byte code
    is compiled, as it is for a user."""
    folder = tmp_path_factory.mktemp("environment")
    if not os.environ.get("HEXLOGIC_NEW_ENVIRONMENT"):
        pip = [sys.executable, "-m", "pip", "install", "--quiet", "--no-deps", "--target", folder, CHECKOUT]
        subprocess.run(pip, check=True)
        return sys.executable, folder
    subprocess.run([sys.executable, "-m", "venv", folder], check=True)
    size = folder_size(folder)
    subprocess.run([folder / "bin" / "pip", "install", "--quiet", CHECKOUT], check=True)
    print(f"\nthe package and what it needs: {(folder_size(folder) - size) / 2**20:.0f} MB")
    return str(folder / "bin" / "python"), None


def folder_size(folder):
    """Bytes of all files in a folder."""
    return sum(file.stat().st_size for file in folder.rglob("*") if file.is_file() and not file.is_symlink())


def begun(python, arguments, folder, cache, **streams):
    """A command on an empty cache, in its own process."""
    interpreter, package = python
    dropped = (COMPILE_FIRST, "PYTHONPATH", "HEXLOGIC_QUIET")
    environment = {name: value for name, value in os.environ.items() if name not in dropped}
    environment |= {"NUMBA_CACHE_DIR": str(cache), **({} if package is None else {"PYTHONPATH": str(package)})}
    return subprocess.Popen([interpreter, *arguments], cwd=folder, env=environment, stdout=-3, **streams)


def used_s():
    """CPU seconds of the children that have ended."""
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def cpu_s(python, arguments, folder, cache):
    """CPU seconds of a command and its children."""
    before = used_s()
    assert begun(python, arguments, folder, cache).wait() == 0
    return used_s() - before


def first_figure(python, arguments, folder, cache):
    """CPU seconds of a command and its children until it tells the first figure, and that line; it is ended then."""
    before = used_s()
    with begun(python, arguments, folder, cache, stderr=subprocess.PIPE, text=True) as process:
        line = next(line for line in process.stderr if "playouts/s" in line)
        process.terminate()
        process.stderr.read()
    return used_s() - before, line


@pytest.mark.parametrize("name", COMMANDS)
def test_a_command_on_an_empty_cache(python, tmp_path, name):
    bar, arguments = COMMANDS[name]
    (tmp_path / "board.txt").write_text(BOARD)
    begin = time.monotonic()
    cold = cpu_s(python, arguments, tmp_path, tmp_path / "cache")
    print(f"\n{name}: {cold:.1f} s of CPU time, {time.monotonic() - begin:.1f} s on the clock; the bar is {bar} s")
    assert cold <= bar


def test_the_first_row_of_a_benchmark(python, tmp_path):
    """The bar is for the command as it stands; `compiled` alone waits for the compiler, and is printed beside it."""
    spent, line = first_figure(python, BENCH, tmp_path, tmp_path / "cache")
    print(f"\ngdl bench, first row: {spent:.1f} s of CPU time; the bar is {FIRST_ROW_S} s; {line.strip()}")
    compiled, line = first_figure(python, [*BENCH, "--reasoners", "compiled"], tmp_path, tmp_path / "compiled")
    print(f"gdl bench --reasoners compiled, first row: {compiled:.1f} s of CPU time; {line.strip()}")
    assert spent <= FIRST_ROW_S


def test_all_kernels(python, tmp_path):
    command = ["-m", "hexlogic", "doctor", "--compile"]
    print(f"\nall kernels: {cpu_s(python, command, tmp_path, tmp_path / 'cache'):.1f} s of CPU time")
