"""The plans of a sheet as machine code, by LLVM, the compiler behind numba."""

from __future__ import annotations

from functools import cache
from typing import Any

import llvmlite.binding as llvm

__all__ = ["MachineCode"]


class MachineCode:
    """A module of functions `void(narrow, wide)`. The addresses are right as long as this lives."""

    def __init__(self, text: str) -> None:
        machine = _target_machine()
        # A context of its own: the global one is not for several threads.
        self._context = llvm.create_context()
        module = llvm.parse_assembly(text, self._context)
        module.verify()
        builder = llvm.create_pass_builder(machine, llvm.create_pipeline_tuning_options(speed_level=2))
        builder.getModulePassManager().run(module, builder)
        # The module belongs to the engine from here on.
        self._engine = llvm.create_mcjit_compiler(module, machine)
        self._engine.finalize_object()

    def address(self, name: str) -> int:
        """The address of a function."""
        return int(self._engine.get_function_address(name))


@cache
def _target() -> Any:
    llvm.initialize_native_target()
    llvm.initialize_native_asmprinter()
    return llvm.Target.from_default_triple()


def _target_machine() -> Any:
    """The processor of this machine."""
    return _target().create_target_machine(
        cpu=llvm.get_host_cpu_name(), features=llvm.get_host_cpu_features().flatten(), opt=2
    )
