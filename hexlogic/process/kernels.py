"""Kernels: functions that numba compiles, and that run as plain Python until their compiled form is there.

    @kernel()
    def total(numbers): ...

A call whose compiled form is in numba's cache loads it. Otherwise a child process compiles it into the cache while this
process interprets the function. A kernel that calls kernels asks anew at each inner call, so a long calculation becomes
faster while it runs. The child works at low priority for at most `_CHILD_CPU_S`, ends with this process, and no two of
them compile for the same cache at once.

Who measures calls `compile_first`, or sets COMPILE_FIRST in the environment: then a call without a compiled form
compiles before it runs. So do kernels with `interpreted=False`, for what is too slow or impossible in plain Python.

Private names of numba: `Dispatcher._compile_for_args`, which it calls for new types of arguments and whose result it
calls; `Dispatcher._cache`; `ensure_blas`, which imports scipy.linalg, a third of a second, before anything needs it.
"""

from __future__ import annotations

import atexit
import contextlib
import fcntl
import gc
import importlib
import os
import pickle
import queue
import shutil
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from functools import cached_property
from importlib.util import find_spec
from pathlib import Path
from types import FunctionType
from typing import Any, Final

import numpy as np
from numba import config, njit
from numba.core import event
from numba.core.caching import FunctionCache
from numba.np import linalg

from hexlogic.process.call import COMPILE_FIRST
from hexlogic.process.children import launch
from hexlogic.process.kernel_cache import notice_changes

_CHILD_CPU_S: Final = 300
_S_PER_BYTE: Final = 0.0015
"""CPU seconds to compile a byte of Python's code, until a compilation of this process has told."""
_CHILD: Final = (
    "import sys; sys.path[:] = {}; from hexlogic.process.kernels import compile_requests; compile_requests()"
)

_ensure_blas = linalg.ensure_blas
if find_spec("scipy") is not None:
    linalg.ensure_blas = lambda: None
importlib.import_module("numba.np.arraymath")
linalg.ensure_blas = _ensure_blas  # which the compilation of `np.dot` calls

KERNELS: Final[dict[tuple[str, str], Kernel]] = {}
"""By module and name: all kernels of the modules imported so far."""
_interpreting = threading.local()
_compiles_first = bool(os.environ.get(COMPILE_FIRST))


def kernel(
    *, interpreted: bool = True, cache: bool = True, vectors: bool = True, **options: Any
) -> Callable[[Callable[..., Any]], Any]:
    """Decorate a function as `numba.njit` does with these options, and run it as the module says. Without `vectors`
    LLVM vectorizes no loop of it, nor of what is compiled for it: a sixth less to compile where loops are short.
    With numba's `_nrt=False` it and what it calls make no array and count no references: a fifth less time."""

    def decorate(function: Callable[..., Any]) -> Any:
        made = Kernel(function, interpreted, cache, vectors, options)
        if cache:
            KERNELS[made.name] = made
        return made.dispatcher

    return decorate


def compile_first() -> None:
    """From now on, compile in this process before a kernel runs, and interpret nothing."""
    global _compiles_first
    _compiles_first = True


def seconds_left() -> float:
    """About how long the child will go on compiling; 0 when it has nothing to do."""
    return _compiler.seconds_left()


class Kernel:
    """A function, the dispatcher of numba that compiles it, and how it runs until then."""

    def __init__(
        self, function: Callable[..., Any], interpreted: bool, cache: bool, vectors: bool, options: dict[str, Any]
    ) -> None:
        self.name = (function.__module__, function.__qualname__)
        # The form for C, which nobody calls, would have the code of the function once more.
        self.dispatcher = _dispatcher(function, cache, {"no_cfunc_wrapper": True, **options})
        if cache:
            notice_changes(self.dispatcher)
        self.inline = options.get("inline") == "always"
        self.vectors = vectors
        self.may_be_stored = True
        """Whether a compiled form may have come into the cache since it was looked for."""
        self.failed = False
        """Whether the child could not compile it."""
        self._interpreted = interpreted
        self._compile = self.dispatcher._compile_for_args
        self._seen: set[tuple[Any, ...]] = set()
        self.dispatcher._compile_for_args = self._form_for
        self.dispatcher.kernel = self

    def is_stored(self, signature: tuple[Any, ...]) -> bool:
        """Whether numba's cache has the compiled form for these types."""
        key = self.dispatcher._cache._index_key(signature, self.dispatcher.targetctx.codegen())
        return key in self.stored()

    def stored(self) -> Any:
        """The files of numba's cache by what tells the compiled forms apart, beginning with the types."""
        return self.dispatcher._cache._cache_file._load_index()

    def _form_for(self, *arguments: Any) -> Any:
        """What numba is to call for arguments of types that are new to the dispatcher."""
        if _compiles_first or self.failed or not self._interpreted:
            return self._compiled(arguments)
        signature = tuple(map(self.dispatcher.typeof_pyval, arguments))
        if self.may_be_stored or signature not in self._seen:
            self.may_be_stored = False
            self._seen.add(signature)
            if self.is_stored(signature):
                return self._compiled(arguments)
        if getattr(_interpreting, "depth", 0):
            return self.plain
        if not _compiler.request(self, signature):
            return self._compiled(arguments)
        return self._interpret

    def _compiled(self, arguments: tuple[Any, ...]) -> Any:
        with self.compiling():
            return self._compile(*arguments)

    @contextlib.contextmanager
    def compiling(self) -> Iterator[None]:
        """While it is compiled: the options of LLVM, and no collection of garbage, which takes a sixth of the time."""
        collects, vectorizes = gc.isenabled(), config.LOOP_VECTORIZE
        gc.disable()
        config.LOOP_VECTORIZE = self.vectors and vectorizes
        try:
            yield
        finally:
            config.LOOP_VECTORIZE = vectorizes
            if collects:
                gc.enable()

    def _interpret(self, *arguments: Any) -> Any:
        """Run as plain Python; integers wrap around as in compiled code, and results are Python's numbers."""
        _interpreting.depth = 1
        try:
            with np.errstate(over="ignore"):
                return _as_numbers(self.plain(*arguments))
        finally:
            _interpreting.depth = 0

    def inner(self, *arguments: Any) -> Any:
        """Run for a kernel that is interpreted: compiled where that form may be there, else as plain Python."""
        if self.may_be_stored or self.dispatcher.overloads:
            return self.dispatcher(*arguments)
        return self.plain(*arguments)

    @cached_property
    def plain(self) -> Callable[..., Any]:
        """The function with `inner` in the place of the kernels that it calls."""
        function = self.dispatcher.py_func
        inner = {name: made.plain if made.inline else made.inner for name, made in self._called().items()}
        names = {**function.__globals__, **inner}
        return FunctionType(function.__code__, names, function.__name__, function.__defaults__, function.__closure__)

    def _called(self) -> dict[str, Kernel]:
        function = self.dispatcher.py_func
        found = ((name, getattr(function.__globals__.get(name), "kernel", None)) for name in function.__code__.co_names)
        return {name: made for name, made in found if isinstance(made, Kernel)}  # a module may have a name `kernel`

    def callees(self) -> dict[Kernel, int]:
        """The bytes of code to compile for it and for each kernel that it calls, directly or not."""
        sizes: dict[Kernel, int] = {}
        waiting = [self]
        while waiting:
            called = waiting.pop()
            if called not in sizes:
                sizes[called] = called._size()
                waiting += (other for other in called._called().values() if not other.inline)
        return sizes

    def _size(self) -> int:
        inline = sum(called._size() for called in self._called().values() if called.inline)
        return len(self.dispatcher.py_func.__code__.co_code) + inline


def _dispatcher(function: Callable[..., Any], cache: bool, options: dict[str, Any]) -> Any:
    """The function for numba to compile, with a cache in a folder for this process where no other can be written."""
    try:
        return njit(cache=cache, **options)(function)
    except RuntimeError:
        config.CACHE_DIR = tempfile.mkdtemp(prefix="hexlogic-kernels-")
        atexit.register(shutil.rmtree, config.CACHE_DIR, ignore_errors=True)
        return njit(cache=cache, **options)(function)


def _as_numbers(result: Any) -> Any:
    if isinstance(result, tuple):
        return tuple(map(_as_numbers, result))
    return result.item() if isinstance(result, np.generic) else result


class _Compiler:
    def __init__(self, *, may_start: bool = True) -> None:
        self._may_start = may_start
        self._lock = threading.Lock()
        self._child: subprocess.Popen[bytes] | None = None
        self._requested: set[tuple[Kernel, tuple[Any, ...]]] = set()
        self._waiting: list[Kernel] = []
        self._left: dict[Kernel, int] = {}  # Bytes of code of the kernels to compile
        self._done = 0
        self._begin_s = 0.0

    def request(self, wanted: Kernel, signature: tuple[Any, ...]) -> bool:
        """Ask for a compiled form; False when no child can make it."""
        with self._lock:
            if (wanted, signature) in self._requested or not self._may_start:
                return True
            module, name = wanted.name
            if getattr(sys.modules.get(module), name, None) is not wanted.dispatcher or module == "__main__":
                return False
            self._requested.add((wanted, signature))
            child = self._child or self._start()
            self._waiting.append(wanted)
            self._left |= wanted.callees()
            with contextlib.suppress(BrokenPipeError):
                assert child.stdin is not None
                pickle.dump((module, name, signature), child.stdin)
                child.stdin.flush()
        return True

    def seconds_left(self) -> float:
        with self._lock:
            if not self._waiting:
                return 0.0
            spent = time.monotonic() - self._begin_s
            rate = spent / self._done if self._done > 1000 else _S_PER_BYTE
            return max(1.0, rate * (self._done + sum(self._left.values())) - spent)

    def _start(self) -> subprocess.Popen[bytes]:
        # The environment says where the cache is, unless this process chose a folder.
        env = {**os.environ, "NUMBA_CACHE_DIR": config.CACHE_DIR} if config.CACHE_DIR else None
        command = [sys.executable, "-c", _CHILD.format(sys.path)]
        self._child = launch(
            command,
            cpu_s=_CHILD_CPU_S,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env=env,
            start_new_session=True,
        )
        self._begin_s, self._done = time.monotonic(), 0
        atexit.register(_end, self._child)
        threading.Thread(target=self._listen, args=(self._child,), daemon=True).start()
        return self._child

    def _end(self) -> None:
        self._waiting.clear()
        self._left.clear()
        self._child = None

    def _listen(self, child: subprocess.Popen[bytes]) -> None:
        """Note what the child has compiled, and end it when nothing is left to do or it has died."""
        assert child.stdin is not None
        assert child.stdout is not None
        for line in child.stdout:
            what, module, name = line.decode().split()
            with self._lock:
                if (made := KERNELS.get((module, name))) is not None:
                    self._done += self._left.pop(made, 0)
                    made.may_be_stored, made.failed = True, what == "failed"
                    if what != "stored":
                        self._waiting.remove(made)
                if not self._waiting:
                    self._end()
                    break
        else:
            with self._lock:
                for made in self._waiting:
                    made.failed = True
                self._end()
        _end(child)
        child.stdin.close()
        child.stdout.close()


def _end(child: subprocess.Popen[bytes]) -> None:
    child.kill()
    child.wait()


_compiler = _Compiler()


def _begin_in_fork() -> None:
    """A fork has no child of its own, and is too short to have one; it takes what is stored."""
    global _compiler
    _compiler = _Compiler(may_start=False)


os.register_at_fork(after_in_child=_begin_in_fork)


def compile_requests() -> None:
    """Compile what is asked for on stdin, and say on stdout what is stored: the work of the child."""
    compile_first()
    os.nice(10)
    waiting: queue.SimpleQueue[tuple[str, str, tuple[Any, ...]]] = queue.SimpleQueue()

    def read() -> None:
        try:
            while True:
                waiting.put(pickle.load(sys.stdin.buffer))
        finally:  # also where the types of a request cannot be read
            os._exit(0)

    threading.Thread(target=read, daemon=True).start()
    folder = Path(FunctionCache(compile_requests).cache_path)
    folder.mkdir(parents=True, exist_ok=True)
    with (folder / "hexlogic.lock").open("w") as lock, event.install_listener("numba:compile", _Stored()):
        while True:
            module, name, signature = waiting.get()
            dispatcher: Any = getattr(importlib.import_module(module), name)
            fcntl.flock(lock, fcntl.LOCK_EX)
            try:
                with dispatcher.kernel.compiling():
                    dispatcher.compile(signature)
                print("done", module, name, flush=True)
            except Exception:
                print("failed", module, name, flush=True)
            finally:
                fcntl.flock(lock, fcntl.LOCK_UN)


class _Stored(event.Listener):  # type: ignore[misc]
    """Says which kernels are stored, when the next event comes: numba stores a kernel after its own event."""

    def __init__(self) -> None:
        self._ended: list[Kernel] = []

    def on_start(self, event: Any) -> None:
        for made in self._ended:
            print("stored", *made.name, flush=True)
        self._ended.clear()

    def on_end(self, event: Any) -> None:
        self.on_start(event)
        if (made := getattr(event.data["dispatcher"], "kernel", None)) is not None and not made.inline:
            self._ended.append(made)
