"""The reasoners as test parameters; one whose engine is not installed is skipped with what it says."""

from __future__ import annotations

from importlib.util import find_spec

import pytest

from hexlogic.engines import load_engine
from hexlogic.gdl.machines import reasoner_names

_BUILT = [name for name in reasoner_names() if find_spec(f"hexlogic.gdl.machines.{name}") is not None]

REASONERS = [
    pytest.param(name, marks=pytest.mark.skipif(bool(why := load_engine(name).missing()), reason=why or "installed"))
    for name in _BUILT
]
SWIPL = pytest.mark.skipif(bool(load_engine("swipl").missing()), reason="swipl is not installed")
