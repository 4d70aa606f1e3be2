"""The strategies by name: each module here defines a `hexlogic.players.strategy.Strategy` as `STRATEGY`.

The module `alpha_beta` is the strategy `alpha-beta`; behind a colon stands its option, as in `alpha-beta:3`.
"""

from __future__ import annotations

from hexlogic.errors import HexlogicError
from hexlogic.players.strategy import Strategy
from hexlogic.registry import Registry

_STRATEGIES: Registry[type[Strategy]] = Registry(__name__, "STRATEGY", "player", on_demand=True)


def strategy_names() -> tuple[str, ...]:
    """The names of all strategies, sorted.

    >>> "bridge" in strategy_names()
    True
    """
    return _STRATEGIES.names()


def load_strategy(text: str, seed: int = 0) -> Strategy:
    """The strategy that a text such as `mcts:1000` names. Raises UnknownNameError, and HexlogicError for its option.

    >>> load_strategy("random").note
    ''
    """
    name, colon, option = text.partition(":")
    kind = _STRATEGIES.load(name)
    try:
        return kind(option if colon else None, seed)
    except HexlogicError as error:
        raise error.at(file=f"player {text}") from None
