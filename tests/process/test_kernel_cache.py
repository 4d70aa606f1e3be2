"""A compiled form is taken from the cache only while nothing that it depends on has changed."""

import os
import subprocess
import sys
import textwrap
from itertools import count

import pytest

from hexlogic.process.call import COMPILE_FIRST

FILES = {
    "sizes.py": "WIDTH = 3\n",
    "shapes.py": "FLAT = (1, 2)\n",
    "pairs.py": """
        from typing import NamedTuple
        class Pair(NamedTuple):
            left: int
            right: int
    """,
    "inner.py": """
        from hexlogic.process.kernels import kernel
        from grown.sizes import WIDTH
        @kernel(inline="always")
        def once(number):
            return number + 1
        @kernel()
        def twice(number):
            return once(once(number)) * WIDTH
    """,
    "outer.py": """
        import sys
        from hexlogic.process.kernels import kernel
        from grown import pairs, shapes
        from grown.inner import twice
        @kernel()
        def total(number, pair):
            return twice(number) + 100 * shapes.FLAT[1] + 1000 * pair.left
        if __name__ != "__main__":
            shown = total(4, pairs.Pair(left=5, right=7)), len(total.overloads), sum(total.stats.cache_hits.values())
    """,
}
CHANGES = {
    "a constant of another module": ("sizes.py", "3", "4", 5224),
    "what a constant holds": ("shapes.py", "2", "3", 5318),
    "an inlined kernel of a called one": ("inner.py", "number + 1", "number + 2", 5224),
    "a called kernel": ("inner.py", "* WIDTH", "- WIDTH", 5203),
    "the order of the fields of an argument": (
        "pairs.py",
        "left: int\n            right: int",
        "right: int\n            left: int",
        5218,
    ),
    "the name of the class of an argument": ("*", "Pair", "Couple", 5218),
}
_times = count(1)


def write(folder, changed=lambda name, text: text):
    for name, text in FILES.items():
        path = folder / "grown" / name
        path.parent.mkdir(exist_ok=True)
        new = textwrap.dedent(changed(name, text))
        if not path.exists() or path.read_text() != new:
            path.write_text(new)
            os.utime(path, ns=(0, next(_times) * 10**9))


def shown(folder):
    """What the kernel gives, its compiled forms, and how many of them came from the cache."""
    environment = os.environ | {COMPILE_FIRST: "1", "NUMBA_CACHE_DIR": str(folder / "cache")}
    code = "from grown.outer import shown; print(*shown)"
    done = subprocess.run([sys.executable, "-c", code], cwd=folder, env=environment, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return tuple(map(int, done.stdout.split()))


@pytest.fixture(scope="module")
def stored(tmp_path_factory):
    """A folder with the program and its compiled forms."""
    folder = tmp_path_factory.mktemp("stored")
    write(folder)
    assert shown(folder) == (5218, 1, 0)
    assert shown(folder) == (5218, 1, 1)
    return folder


@pytest.mark.parametrize("change", CHANGES)
def test_a_change_is_noticed(stored, change):
    place, old, new, wanted = CHANGES[change]
    write(stored)
    assert shown(stored)[0] == 5218
    write(stored, lambda name, text: text.replace(old, new) if place in (name, "*") else text)
    assert shown(stored)[0] == wanted


def test_what_was_cut_off_is_compiled_again(stored):
    write(stored)
    shown(stored)
    for path in (stored / "cache").rglob("*total*.nb?"):
        path.write_bytes(path.read_bytes()[:-20])
    assert shown(stored) == (5218, 1, 0)
    assert shown(stored) == (5218, 1, 1)
