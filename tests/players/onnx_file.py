"""A small network in ONNX, written without a library: one convolution of 3x3, flat."""

from __future__ import annotations

import struct

import numpy as np
from numpy.typing import NDArray

FLOAT, INTS = 1, 7
"""The element type float32, and the type of an attribute that is a list of integers."""


def number(value: int) -> bytes:
    """A variable-length integer of Protocol Buffers."""
    head, rest = value & 127, value >> 7
    return bytes([head | 128]) + number(rest) if rest else bytes([head])


def field(place: int, value: int | bytes | str) -> bytes:
    """A field of a message: an integer, or what has a length."""
    if isinstance(value, int):
        return number(place << 3) + number(value)
    data = value.encode() if isinstance(value, str) else value
    return number(place << 3 | 2) + number(len(data)) + data


def tensor_type(name: str, shape: tuple[int, ...]) -> bytes:
    dimensions = b"".join(field(1, field(1, side)) for side in shape)
    return field(1, name) + field(2, field(1, field(1, FLOAT) + field(2, dimensions)))


def node(kind: str, inputs: tuple[str, ...], output: str, *attributes: bytes) -> bytes:
    named = b"".join(field(1, name) for name in inputs)
    return named + field(2, output) + field(4, kind) + b"".join(field(5, each) for each in attributes)


def convolution(weights: NDArray[np.float32], rows: int, columns: int) -> bytes:
    """The file of a network with the input `[1, planes, rows, columns]` and the weights `[1, planes, 3, 3]`; what lies
    outside of the input counts for nothing, and of the output the border is left out."""
    _, planes, _, _ = weights.shape
    stored = b"".join(field(1, side) for side in weights.shape) + field(2, FLOAT) + field(8, "weights")
    stored += field(9, struct.pack(f"<{weights.size}f", *weights.reshape(-1)))
    inner = (rows - 2) * (columns - 2)
    graph = field(1, node("Conv", ("board", "weights"), "summed"))
    graph += field(1, node("Flatten", ("summed",), "values"))
    graph += field(2, "graph") + field(5, stored)
    graph += field(11, tensor_type("board", (1, planes, rows, columns))) + field(12, tensor_type("values", (1, inner)))
    return field(1, 8) + field(7, graph) + field(8, field(1, "") + field(2, 13))
