"""numba's cache, made to notice all that a compiled form depends on.

numba compares the file of a function with what it was when the compiled form was stored. That form also has the code
of the functions that it calls, and the values of constants, of other files.

Private names of numba: `Dispatcher._cache`, its `_cache_file` with `_source_stamp` and `_load_index`, its `_index_key`.
"""

from __future__ import annotations

import hashlib
import sys
from collections.abc import Iterator
from functools import cached_property
from pathlib import Path
from types import CodeType, FunctionType, ModuleType
from typing import Any, Final

import numpy as np
from numba.core.caching import IndexDataCacheFile

_PACKAGE: Final = __name__.partition(".")[0]


def notice_changes(dispatcher: Any) -> None:
    """Have the cache of a dispatcher of numba forget what was compiled from another program."""
    cache = dispatcher._cache
    file = cache._cache_file
    file.__class__ = _CacheFile
    file.own_stamp, file.function = file.__dict__.pop("_source_stamp"), dispatcher.py_func
    index_key = cache._index_key
    cache._index_key = lambda signature, codegen: (*index_key(signature, codegen), _fields(signature))


class _CacheFile(IndexDataCacheFile):  # type: ignore[misc]
    own_stamp: object
    function: Any

    @cached_property
    def _source_stamp(self) -> tuple[object, str]:
        """Computed at first use, since a function may call what its module defines later."""
        return self.own_stamp, stamp(self.function)

    def _load_index(self) -> Any:
        try:
            return super()._load_index()
        except Exception:  # of any class: it names what the program no longer has, or was cut off
            return {}

    def load(self, key: Any) -> Any:
        try:
            return super().load(key)
        except Exception:  # as above
            return None


def stamp(function: FunctionType) -> str:
    """A digest that changes with whatever the compiled form of a function depends on: the files of the functions and
    classes that it names, directly or not, and the values of the constants."""
    packages = {_PACKAGE, function.__module__.partition(".")[0]}
    parts: set[str] = set()
    seen: set[FunctionType] = set()
    waiting: list[tuple[str, Any]] = [("", function)]
    while waiting:
        name, value = waiting.pop()
        value = getattr(value, "py_func", getattr(value, "_defn", value))  # of a dispatcher, of an intrinsic
        if isinstance(value, bool | int | float | str | bytes | np.generic | tuple):
            parts.add(f"{name}={value!r}")
        elif isinstance(value, np.ndarray):
            parts.add(f"{name}={value.dtype}{value.shape}{hashlib.sha256(value.tobytes()).hexdigest()}")
        elif (getattr(value, "__module__", None) or "").partition(".")[0] not in packages:
            continue
        elif isinstance(value, type):
            parts.add(_file(sys.modules[value.__module__].__file__ or ""))
        elif isinstance(value, FunctionType) and value not in seen:
            seen.add(value)
            codes = list(_codes(value.__code__))
            parts |= {_file(value.__code__.co_filename), *(f"{code.co_code!r}{code.co_names}" for code in codes)}
            waiting += [("", cell.cell_contents) for cell in value.__closure__ or ()]
            waiting += _named(value, {name for code in codes for name in code.co_names}, packages)
    return hashlib.sha256("\n".join(sorted(parts)).encode()).hexdigest()


def _codes(code: CodeType) -> Iterator[CodeType]:
    yield code
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from _codes(constant)


def _named(function: FunctionType, names: set[str], packages: set[str]) -> Iterator[tuple[str, Any]]:
    """What a function may mean by names: globals, and attributes of modules of our own among them."""
    spaces = [function.__globals__]
    for name in names:
        module = function.__globals__.get(name)
        if isinstance(module, ModuleType) and module.__name__.partition(".")[0] in packages:
            spaces.append(vars(module))
    return ((name, space[name]) for space in spaces for name in names if name in space)


def _file(path: str) -> str:
    """A file as numba compares it."""
    try:
        status = Path(path).stat()
    except OSError:  # the code was made while the program ran
        return path
    return f"{path} {status.st_mtime_ns} {status.st_size}"


def _fields(kind: Any) -> tuple[Any, ...]:
    """The fields of the tuples in types, which numba does not compare."""
    if isinstance(kind, tuple):
        return tuple(map(_fields, kind))
    inner = getattr(kind, "types", None)
    return (getattr(kind, "fields", None), _fields(tuple(inner) if isinstance(inner, tuple) else ()))
