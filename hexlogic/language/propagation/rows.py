"""Rows of lanes as values of compiled code: what numba has no type for, and LLVM does not find in loops over words.

    values[2] = values[0] & ~values[1]          set_row(values, 2, row(values, 0) & ~row(values, 1))

`row` and `set_row` take any array of words in C order, and the number of a row in it.
"""

import operator
from collections.abc import Callable
from typing import Any, Final

from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.core.datamodel import models
from numba.core.datamodel.registry import register_default
from numba.core.typing.templates import ConcreteTemplate, infer_global, signature
from numba.extending import intrinsic, lower_builtin
from numba.np import arrayobj

from hexlogic.language.propagation.lanes import WIDTH

_VECTOR: Final = ir.VectorType(ir.IntType(64), WIDTH)
_make_array: Any = arrayobj.make_array


class Row(types.Type):  # type: ignore[misc]
    """The type of a row."""


@register_default(Row)
class _Model(models.PrimitiveModel):  # type: ignore[misc]
    def __init__(self, manager: Any, kind: Any) -> None:
        super().__init__(manager, kind, _VECTOR)


_ROW: Final = Row("row")


def _pointer(context: Any, builder: Any, kind: Any, array: Any, place: Any) -> Any:
    data = _make_array(kind)(context, builder, array).data
    begin = builder.gep(data, [builder.mul(place, cgutils.intp_t(WIDTH))])
    return builder.bitcast(begin, _VECTOR.as_pointer())


@intrinsic
def row(typing: Any, array: Any, place: Any) -> Any:
    """The row of that number."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return builder.load(_pointer(context, builder, signature.args[0], *arguments), align=8)

    return _ROW(array, types.intp), generate


@intrinsic
def set_row(typing: Any, array: Any, place: Any, value: Any) -> Any:
    """Store a row under that number."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        builder.store(arguments[2], _pointer(context, builder, signature.args[0], *arguments[:2]), align=8)
        return context.get_dummy_value()

    return types.void(array, types.intp, _ROW), generate


@intrinsic
def some(typing: Any, value: Any) -> Any:
    """Whether a row has a lane that is true."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        bits = ir.IntType(64 * WIDTH)
        return builder.icmp_unsigned("!=", builder.bitcast(arguments[0], bits), ir.Constant(bits, 0))

    return types.boolean(_ROW), generate


class _Joined(ConcreteTemplate):  # type: ignore[misc]
    cases = (signature(_ROW, _ROW, _ROW),)


class _Inverted(ConcreteTemplate):  # type: ignore[misc]
    cases = (signature(_ROW, _ROW),)


def _lowered(name: str) -> Callable[..., Any]:
    """What LLVM calls an operation, for numba."""
    return lambda context, builder, kinds, rows: getattr(builder, name)(*rows)


for _operator, _name in ((operator.and_, "and_"), (operator.or_, "or_"), (operator.xor, "xor")):
    for _applied in (_operator, getattr(operator, f"i{_operator.__name__.strip('_')}")):
        infer_global(_applied)(_Joined)
        lower_builtin(_applied, Row, Row)(_lowered(_name))
infer_global(operator.invert)(_Inverted)
lower_builtin(operator.invert, Row)(_lowered("not_"))
