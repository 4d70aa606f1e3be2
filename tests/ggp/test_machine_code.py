"""Machine code of a sheet holds no tables of data, which would lie where its code model cannot reach."""

from __future__ import annotations

import llvmlite.binding as llvm
import pytest

from hexlogic.ggp.forward import llvm_code
from hexlogic.ggp.forward.llvm_code import MEMORY, LlvmFunction


def long_choice() -> LlvmFunction:
    """A function that has another answer, or does something else, for each of 40 values."""
    function = LlvmFunction(f"void @choose({MEMORY})")
    value = function.narrow("0")
    cases = " ".join(f"i64 {case}, label %case{case}" for case in range(40))
    function.do(f"switch i64 {value}, label %done [{cases}]")
    for case in range(40):
        function.block(f"case{case}")
        function.set_wide(str(case % 7), str(case * case % 41 + 3))
        function.jump("done")
    function.block("done")
    function.do("ret void")
    return function


def assembly(text: str) -> str:
    """The assembly of a module, optimised as that of sheets is."""
    module = llvm.parse_assembly(text, llvm.create_context())
    machine = llvm_code._target().create_target_machine(opt=2, codemodel="small")
    builder = llvm.create_pass_builder(machine, llvm.create_pipeline_tuning_options(speed_level=2))
    builder.getModulePassManager().run(module, builder)
    return machine.emit_assembly(module)


@pytest.mark.parametrize("has_tables", [False, True])
def test_a_choice_of_many_is_no_table(has_tables: bool) -> None:
    text = str(long_choice())
    if has_tables:  # what LLVM does unless it is told not to
        text = text.replace('"no-jump-tables"="true"', "")
    assert (".rodata" in assembly(text)) == has_tables
