"""Networks that others have trained, in ONNX: a policy for boards of one size.

A file of JSON beside `NAME.onnx`, `NAME.json`, says how the network sees the board and what it gives:

    {"planes": ["mover", "opponent"], "border": 1, "joins": "top-bottom", "turned": true}

    planes   of the input `[1, planes, rows + 2 border, columns + 2 border]`, in their order: stones of the `mover`, of
             the `opponent`, `cells` of the board, and those that are `empty`
    border   lines of padding around the board; the sides of both players stand in the innermost one as their stones
    joins    the sides that the mover joins: `top-bottom` or `left-right`
    turned   whether the answers for the board and for the board turned by 180 degrees are averaged

The output is one number for each cell, row by row: the log-odds that a move there wins, or logits of a policy.
"""

from pathlib import Path
from typing import Annotated, Any, Literal

import msgspec
import numpy as np
from numpy.typing import NDArray

from hexlogic.errors import HexlogicError, SizeError
from hexlogic.players.evaluation.policy import Floats, planes_of
from hexlogic.process.extras import need
from hexlogic.process.files import decode_json, readable


class View(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """How a network sees the board; the fields are explained above."""

    planes: tuple[Literal["mover", "opponent", "cells", "empty"], ...]
    border: Annotated[int, msgspec.Meta(ge=0, le=8)] = 0
    joins: Literal["top-bottom", "left-right"] = "top-bottom"
    turned: bool = False


class OnnxPolicy:
    """A network in ONNX as a policy. Raises HexlogicError for files that are none, with their names, and where
    onnxruntime is not installed."""

    def __init__(self, file: Path) -> None:
        if file.suffix != ".onnx":
            raise HexlogicError(f"{str(file)!r} names no network", hint="FILE.onnx, and FILE.json beside it")
        need("net")
        import onnxruntime as runtime

        described = file.with_suffix(".json")
        with readable(described, "description of a network", HexlogicError):
            text = described.read_bytes()
        try:
            self.view = decode_json(text, View)
        except msgspec.DecodeError as error:
            raise HexlogicError(f"no description of a network: {error}", file=str(described)) from None
        with readable(file, "network", HexlogicError):
            data = file.read_bytes()
        options = runtime.SessionOptions()
        options.intra_op_num_threads = options.inter_op_num_threads = 1
        try:
            self._session: Any = runtime.InferenceSession(data, options, providers=["CPUExecutionProvider"])
        except Exception as error:  # of a class of its own for each way in which a file is none
            raise HexlogicError(f"no network in ONNX: {str(error).splitlines()[0]}", file=str(file)) from None
        shape = self._session.get_inputs()[0].shape
        if len(shape) != 4 or shape[1] != len(self.view.planes):
            what = f"its input has the shape {shape}, not [1, {len(self.view.planes)}, rows, columns]"
            raise HexlogicError(what, file=str(file), hint=f"`planes` of {described.name} names them")
        self._file, self._shape = str(file), shape[2:]

    def evaluate(self, rows: int, columns: int, boards: NDArray[np.uint8]) -> Floats:
        """As `Network.evaluate`. Raises SizeError for boards of another size than the network's."""
        return np.stack([self._evaluate(rows, columns, planes) for planes in planes_of(rows, columns, boards)])

    def _evaluate(self, rows: int, columns: int, seen: Floats) -> Floats:
        view = self.view
        own, other, inside = np.moveaxis(seen, -1, 0)
        named = {"mover": own, "opponent": other, "cells": inside, "empty": inside * (1 - own) * (1 - other)}
        lines = max(0, view.border - 1)
        padded = np.pad([named[name] for name in view.planes], ((0, 0), (lines, lines), (lines, lines)))
        planes: Floats = padded.astype(np.float32)
        if view.border == 0:
            planes = planes[:, 1:-1, 1:-1]
        if view.joins == "top-bottom":
            planes = planes.transpose(0, 2, 1)
        wanted = [side if isinstance(side, int) else planes.shape[1 + axis] for axis, side in enumerate(self._shape)]
        if list(planes.shape[1:]) != wanted:
            size = "x".join(str(side - 2 * view.border) for side in wanted)
            raise SizeError(f"the network is for boards of {size}, not {rows}x{columns}", file=self._file)
        values = self._run(planes)
        if view.turned:
            values = (values + self._run(planes[:, ::-1, ::-1])[::-1]) / np.float32(2)
        if len(values) != rows * columns:
            raise HexlogicError(f"it gives {len(values)} numbers for {rows * columns} cells", file=self._file)
        if view.joins == "top-bottom":
            values = values.reshape(columns, rows).T.reshape(-1)
        return np.ascontiguousarray(values)

    def _run(self, planes: Floats) -> Floats:
        name = self._session.get_inputs()[0].name
        values: Floats = np.asarray(self._session.run(None, {name: np.ascontiguousarray(planes)[None]})[0], np.float32)
        return values.reshape(-1)
