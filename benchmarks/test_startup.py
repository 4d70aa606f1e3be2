"""How long the command line takes before it says anything. Figures, not assertions: `pytest benchmarks`."""

from __future__ import annotations

import subprocess
import sys

import pytest


@pytest.mark.parametrize("arguments", [["--help"], ["--version"], ["rules", "list"]], ids=" ".join)
def test_start(benchmark, arguments):
    command = [sys.executable, "-m", "hexlogic", *arguments]

    def run() -> subprocess.CompletedProcess[bytes]:
        return subprocess.run(command, capture_output=True, check=True)

    done = benchmark.pedantic(run, rounds=10, warmup_rounds=1)
    assert done.stdout
