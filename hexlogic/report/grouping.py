"""Things in groups, in the order in which each group comes first."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable
from typing import TypeVar

__all__ = ["grouped"]

K = TypeVar("K", bound=Hashable)
T = TypeVar("T")


def grouped(things: Iterable[T], key: Callable[[T], K]) -> dict[K, list[T]]:
    """The things with the same key together.

    >>> grouped(["ab", "cd", "e"], len)
    {2: ['ab', 'cd'], 1: ['e']}
    """
    found: dict[K, list[T]] = {}
    for one in things:
        found.setdefault(key(one), []).append(one)
    return found
