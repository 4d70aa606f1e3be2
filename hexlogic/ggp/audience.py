"""What suits which kind of player, as `--for` says it: a rule set to export, and the reasoner whose work is counted in
the player's place when a sheet is optimised.

prover    no tables, work in each state: the state carries what a move changes
propnet   a propositional network of unknown make: no ground rule may depend on itself, and it must be built in time
compiled  ground rules are compiled and cycles are taken right: the fewest rules
unknown   right on every kind, and fast on a prover, to which players come back that cannot build their network
"""

from __future__ import annotations

from hexlogic.errors import HexlogicError, UnknownNameError
from hexlogic.ggp.export.sheet import sheet_rule_sets

_CYCLE_FREE = ("follow-line-sweeps", "unbroken-lines")
_SMALLEST = ("follow-line-tabled", "follow-line")

AUDIENCES = {
    "compiled": _SMALLEST,
    "propnet": _CYCLE_FREE,
    "prover": ("clusters-by-side", *_SMALLEST),
    "unknown": ("clusters-by-side", *_CYCLE_FREE),
}
"""By kind of player: the rule sets that suit it, the best first."""

_STAND_INS = {"compiled": "compiled", "propnet": "clingo", "prover": "swipl:sld", "swipl": "swipl"}
"""A prover without tables is `swipl:sld`; a propositional network costs what the ground rules of the sheet are, as they
stand: clingo grounds them all, `compiled` looks for a form with fewer first."""


def rules_for(audience: str, game: str) -> str:
    """The name of the rule set to export. Raises UnknownNameError, and HexlogicError where none suits.

    >>> rules_for("prover", "hex"), rules_for("unknown", "y")
    ('clusters-by-side', 'y/follow-line-sweeps')
    """
    if audience not in AUDIENCES:
        raise UnknownNameError.among("kind of player", audience, list(AUDIENCES))
    known = {name.rpartition("/")[2]: name for name in sheet_rule_sets(game)}
    for wanted in AUDIENCES[audience]:
        if wanted in known:
            return known[wanted]
    raise HexlogicError(f"{game} has no sheet for {audience}", hint="choose one with --rules")


def stand_in(audience: str) -> str:
    """The reasoner that stands for a kind of player. Raises UnknownNameError.

    >>> stand_in("prover")
    'swipl:sld'
    """
    if audience not in _STAND_INS:
        raise UnknownNameError.among("kind of player", audience, list(_STAND_INS))
    return _STAND_INS[audience]
