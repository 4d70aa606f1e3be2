"""Logic programs that decide who has won a connection game, and a laboratory around them.

>>> from hexlogic import Detector, Pipeline, Position, RuleSet, StateMachine
"""

TYPE_CHECKING = False  # typing is imported for longer than a command may be deaf to Ctrl-C

if TYPE_CHECKING:
    from hexlogic.games import Position
    from hexlogic.games.detect.detector import Detector
    from hexlogic.games.rulesets import RuleSet, load_rule_set
    from hexlogic.ggp import StateMachine
    from hexlogic.ggp.export.sheet import export_sheet
    from hexlogic.language import Program
    from hexlogic.language.dialects import render
    from hexlogic.language.parser import parse
    from hexlogic.language.passes import Pipeline
    from hexlogic.language.passes.optimise import optimise
    from hexlogic.proofs import prove_equivalent

__version__: str

__all__ = [
    "Detector",
    "Pipeline",
    "Position",
    "Program",
    "RuleSet",
    "StateMachine",
    "export_sheet",
    "load_rule_set",
    "optimise",
    "parse",
    "prove_equivalent",
    "render",
]

_HOMES = {  # loaded when first asked for: `hexlogic --help` must not pay for parsers and solvers
    "Detector": "hexlogic.games.detect.detector",
    "Pipeline": "hexlogic.language.passes",
    "Position": "hexlogic.games",
    "Program": "hexlogic.language",
    "RuleSet": "hexlogic.games.rulesets",
    "StateMachine": "hexlogic.ggp",
    "export_sheet": "hexlogic.ggp.export",
    "load_rule_set": "hexlogic.games.rulesets",
    "optimise": "hexlogic.language.passes.optimise",
    "parse": "hexlogic.language.parser",
    "prove_equivalent": "hexlogic.proofs",
    "render": "hexlogic.language.dialects",
}


def __getattr__(name: str) -> object:
    from importlib import import_module, metadata

    if name == "__version__":
        return metadata.version("hexlogic")
    if name in _HOMES:
        return getattr(import_module(_HOMES[name]), name)
    raise AttributeError(f"module 'hexlogic' has no attribute {name!r}")


def __dir__() -> list[str]:
    return [*__all__, "__version__"]
