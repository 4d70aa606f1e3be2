"""The plans of a sheet as machine code, by LLVM, the compiler behind numba."""

from __future__ import annotations

import weakref
from functools import cache
from typing import Final

import llvmlite.binding as llvm

_INLINED: Final = 25
"""The cost up to which LLVM writes a function in the place of its call; its own 225 takes three times as long to
compile, for code that is 3 to 8 % faster. So that is for texts that are compiled in a second."""
_SHORT: Final = 7_000
"""Lines of such a text."""
_LONG: Final = 40_000
"""Lines of a text that would be compiled in five seconds and more: it is not optimised, since a player waits."""


class MachineCode:
    """A module of functions `void(narrow, wide)`. The addresses are right as long as this lives.

    `is_optimised` says whether the code should be fast, unless it is very long; the other kind is there in a twentieth
    of the time and takes 1.5 times as long to run."""

    def __init__(self, text: str, *, is_optimised: bool) -> None:
        # A context of its own: the global one is not for several threads.
        lines = text.count("\n")
        is_optimised = is_optimised and lines < _LONG
        context = llvm.create_context()
        module = llvm.parse_assembly(text, context)
        module.verify()
        machine = _target().create_target_machine(
            cpu=llvm.get_host_cpu_name(),
            features=llvm.get_host_cpu_features().flatten(),
            opt=2 if is_optimised else 0,
            codemodel="small",  # the functions of a module call each other and nothing else
        )
        if is_optimised:
            options = llvm.create_pipeline_tuning_options(speed_level=2)
            if lines >= _SHORT:
                options.inlining_threshold = _INLINED
            options.loop_vectorization = options.slp_vectorization = False
            options.loop_unrolling = options.loop_interleaving = False
            builder = llvm.create_pass_builder(machine, options)
            builder.getModulePassManager().run(module, builder)
        # The module belongs to the engine from here on.
        self._engine = llvm.create_mcjit_compiler(module, machine)
        self._engine.finalize_object()
        # The engine must be gone before its context, which the garbage collector does not know. When Python ends,
        # another thread may still run the code: then nothing is given back.
        weakref.finalize(self, _close, self._engine, context).atexit = False

    def address(self, name: str) -> int:
        """The address of a function."""
        return int(self._engine.get_function_address(name))


def _close(engine: llvm.ExecutionEngine, context: llvm.ContextRef) -> None:
    engine.close()
    context.close()


@cache
def _target() -> llvm.Target:
    """The processor of this machine."""
    llvm.initialize_native_target()
    llvm.initialize_native_asmprinter()
    return llvm.Target.from_default_triple()
