"""Logic programs that decide who has won a connection game, and a laboratory around them.

>>> from hexlogic import Detector, Pipeline, Position, RuleSet, StateMachine
"""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from hexlogic.detect.detector import Detector
    from hexlogic.games import Position
    from hexlogic.gdl import StateMachine
    from hexlogic.passes import Pipeline
    from hexlogic.proofs import prove_equivalent
    from hexlogic.rulesets import RuleSet

__all__ = ["Detector", "Pipeline", "Position", "RuleSet", "StateMachine", "prove_equivalent"]

_HOMES = {  # loaded when first asked for: `hexlogic --help` must not pay for parsers and solvers
    "Detector": "hexlogic.detect.detector",
    "Pipeline": "hexlogic.passes",
    "Position": "hexlogic.games",
    "RuleSet": "hexlogic.rulesets",
    "StateMachine": "hexlogic.gdl.machines",
    "prove_equivalent": "hexlogic.proofs",
}


def __getattr__(name: str) -> Any:
    from importlib import import_module, metadata

    if name == "__version__":
        return metadata.version("hexlogic")
    if name in _HOMES:
        return getattr(import_module(_HOMES[name]), name)
    raise AttributeError(f"module 'hexlogic' has no attribute {name!r}")


def __dir__() -> list[str]:
    return [*__all__, "__version__"]
