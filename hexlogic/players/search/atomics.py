"""Atomic addition on integer arrays, for compiled code that runs in several threads without the interpreter's lock."""

from __future__ import annotations

from typing import Any

from numba import types
from numba.core.cgutils import get_item_pointer
from numba.core.imputils import impl_ret_untracked
from numba.extending import intrinsic
from numba.np.arrayobj import make_array


def _add_atomic(typing_context: Any, array: Any, index: Any, value: Any) -> Any:
    """What numba compiles for `add_atomic`."""
    signature = array.dtype(array, types.intp, array.dtype)

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        array_type = signature.args[0]
        memory = _untyped(make_array)(array_type)(context, builder, arguments[0])
        place = _untyped(get_item_pointer)(context, builder, array_type, memory, [arguments[1]], wraparound=False)
        before = builder.atomic_rmw("add", place, arguments[2], "seq_cst")
        return _untyped(impl_ret_untracked)(context, builder, signature.return_type, before)

    return signature, generate


def _untyped(function: Any) -> Any:
    return function


add_atomic: Any = intrinsic(_add_atomic)
"""`add_atomic(array, index, value)` adds to an entry of an array of integers with one axis, and returns what was there
before; for compiled code only."""
