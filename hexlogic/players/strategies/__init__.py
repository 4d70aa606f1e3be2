"""The strategies by name: each module here defines as `STRATEGY` a `hexlogic.players.strategy.Strategy`, or what makes
one of an option and a seed.

The module `alpha_beta` is the strategy `alpha-beta`; behind a colon stands its option, as in `alpha-beta:3`.
"""

from collections.abc import Callable

from hexlogic.errors import HexlogicError
from hexlogic.players.strategy import Strategy
from hexlogic.registry import Registry

_STRATEGIES: Registry[Callable[[str | None, int], Strategy]] = Registry(__name__, "STRATEGY", "player", on_demand=True)


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
    make = _STRATEGIES.load(name)
    try:
        return make(option if colon else None, seed)
    except HexlogicError as error:
        raise error.at(file=f"player {text}") from None
