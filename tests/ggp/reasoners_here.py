"""The reasoners as test parameters; one whose engine is not installed is skipped with what it says."""

from __future__ import annotations

import pytest

from hexlogic.ggp import machines
from hexlogic.ggp.machines.reasoners.compiled import CompiledMachine
from hexlogic.language.engines import load_engine


def _missing(reasoner: str) -> str | None:
    return load_engine(machines.engine_of(reasoner)).missing()


REASONERS = [
    pytest.param(name, marks=pytest.mark.skipif(bool(why := _missing(name)), reason=why or "installed"))
    for name in machines.REASONERS.names()
]
assert REASONERS, "no reasoner is found: tests of all reasoners would be skipped"
SWIPL = pytest.mark.skipif(bool(load_engine("swipl").missing()), reason="swipl is not installed")


class ForwardMachine(CompiledMachine):
    """The reasoner `compiled` for a sheet that it does not ground."""

    compiled = None
