"""Strategies by name: a module of `hexlogic.players.strategies` that defines a class `Player` is a strategy.

The module `alpha_beta` is the strategy `alpha-beta`; behind a colon stands its option, as in `alpha-beta:3`.
"""

from __future__ import annotations

import pkgutil
from importlib import import_module

from hexlogic.errors import HexlogicError, UnknownNameError
from hexlogic.players.strategy import Strategy

__all__ = ["load_strategy", "strategy_names"]


def strategy_names() -> tuple[str, ...]:
    """The names of all strategies, sorted.

    >>> "bridge" in strategy_names()
    True
    """
    from hexlogic.players import strategies

    return tuple(sorted(module.name.replace("_", "-") for module in pkgutil.iter_modules(strategies.__path__)))


def load_strategy(text: str, seed: int = 0) -> Strategy:
    """The strategy that a text such as `mcts:1000` names. Raises UnknownNameError, and HexlogicError for its option.

    >>> load_strategy("random").choose.__self__.note
    ''
    """
    name, colon, option = text.partition(":")
    if name not in strategy_names():
        raise UnknownNameError.among("player", name, list(strategy_names()))
    kind: type[Strategy] = import_module(f"hexlogic.players.strategies.{name.replace('-', '_')}").Player
    try:
        return kind(option if colon else None, seed)
    except HexlogicError as error:
        raise error.at(file=f"player {text}") from None
