"""Several arrays in one, each part found by its name: how kernels lay out what they read and write.

A layout is a NamedTuple class with one field for each part. `pack` joins the parts, behind their offsets; the layout
filled with the numbers of its fields is a constant of the kernels, and `part` cuts one out:

    class Queue(NamedTuple, Generic[T]): length: T; items: T
    AT = Queue(*range(2))
    memory = pack(Queue([2], [7, 8, 0]), np.int32)        [3, 4, 7,  2,  7, 8, 0]
    part(memory, AT.items)                                [7, 8, 0]

One array is one argument to unpack for each call from Python, which a call for each move would otherwise pay for.
"""

from collections.abc import Callable, Sequence
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from hexlogic.process.kernels import kernel

_VIEW = "memory[memory[{0}] : memory[{0} + 1]]"
N = TypeVar("N", np.int32, np.uint32)


def pack(parts: Sequence[object], dtype: type[N]) -> NDArray[N]:
    """The P parts as one array: P offsets and where the last part ends, then the parts."""
    arrays: list[NDArray[np.int64]] = [np.asarray(part, dtype=np.int64) for part in parts]
    ends = len(arrays) + 1 + np.cumsum([0, *map(len, arrays)])
    packed: NDArray[N] = np.concatenate([ends, *arrays]).astype(dtype)
    return packed


@kernel(inline="always")
def part(memory: Any, number: Any) -> Any:
    """The part of that number, as a view."""
    return memory[memory[number] : memory[number + 1]]


@kernel()
def true_bits(memory: Any, true: Any, watch: Any) -> Any:
    """The atoms listed in the part `watch` that are true, one bit each; the part `true` has the truth of all."""
    first, bits = memory[watch], 0
    for place in range(first, memory[watch + 1]):
        if memory[memory[true] + memory[place]]:
            bits |= 1 << (place - first)
    return bits


def offsets_in(layout: tuple[int, ...], dtype: type[np.int64] | type[np.uint64]) -> Callable[[Any], Any]:
    """A function for compiled code that reads all offsets of a memory at once, under the names of the layout.

    Loops that write need not read an offset again, and LLVM removes those that are not used. `memory[at.items + place]`
    is faster than a view, whose references numba counts. uint64 suits uint32 memories, int64 int32 ones."""
    return views_in(layout, "dtype(memory[{0}])", dtype)


def views_in(layout: tuple[int, ...], read: str = _VIEW, dtype: type | None = None) -> Callable[[Any], Any]:
    """For compiled code: all parts as views under the layout's names, or what `read` reads for each number."""
    reads = ", ".join(map(read.format, layout))
    function = eval(f"lambda memory: layout({reads})", {"layout": type(layout), "dtype": dtype})
    compiled: Callable[[Any], Any] = kernel(cache=False, inline="always")(function)
    return compiled
