"""Several arrays in one, each part found by its name: how kernels lay out what they read and write.

A layout is a NamedTuple class with one field for each part. `pack` joins the parts, behind their offsets; the layout
filled with the numbers of its fields is a constant of the kernels, and `part` cuts one out:

    class Queue(NamedTuple, Generic[T]): length: T; items: T
    AT = Queue(*range(2))
    memory = pack(Queue([2], [7, 8, 0]), np.int32)        [3, 4, 7,  2,  7, 8, 0]
    part(memory, AT.items)                                [7, 8, 0]

One array is one argument to unpack for each call from Python, which a call for each move would otherwise pay for.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np
from numba import njit

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = ["pack", "part"]

N = TypeVar("N", np.int32, np.uint32)


def pack(parts: Sequence[Any], dtype: type[N]) -> NDArray[N]:
    """The P parts as one array: P offsets and where the last part ends, then the parts."""
    arrays: list[NDArray[np.int64]] = [np.asarray(part, dtype=np.int64) for part in parts]
    ends = len(arrays) + 1 + np.cumsum([0, *map(len, arrays)])
    return np.concatenate([ends, *arrays]).astype(dtype)


@njit(cache=True, inline="always")
def part(memory: Any, number: Any) -> Any:
    """The part of that number, as a view."""
    return memory[memory[number] : memory[number + 1]]
