"""Logic programs that decide who has won a connection game, and a laboratory around them.

>>> from hexlogic import Detector, Pipeline, Position, RuleSet
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from hexlogic.detect.detector import Detector
    from hexlogic.games import Position
    from hexlogic.passes import Pipeline
    from hexlogic.proofs import prove_equivalent
    from hexlogic.rulesets import RuleSet

__all__ = ["Detector", "Pipeline", "Position", "RuleSet", "prove_equivalent"]

_HOMES = {  # loaded when first asked for: `hexlogic --help` must not pay for parsers and solvers
    "Detector": "hexlogic.detect.detector",
    "Pipeline": "hexlogic.passes",
    "Position": "hexlogic.games",
    "RuleSet": "hexlogic.rulesets",
    "prove_equivalent": "hexlogic.proofs",
}


def __getattr__(name: str) -> Any:
    from importlib import import_module, metadata

    if name == "__version__":
        return metadata.version("hexlogic")
    if name not in _HOMES:
        raise AttributeError(f"module 'hexlogic' has no attribute {name!r}")
    return getattr(import_module(_HOMES[name]), name)


def __dir__() -> list[str]:
    return [*__all__, "__version__"]
