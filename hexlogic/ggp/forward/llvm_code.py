"""Functions of LLVM (the compiler behind numba) on the memory of a sheet: their text, and its machine code."""

import weakref
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cache
from typing import Final

import llvmlite.binding as llvm

_OPAQUE = llvm.llvm_version_info[0] >= 17
NARROW, WIDE = ("ptr", "ptr") if _OPAQUE else ("i32*", "i64*")
"""The types of pointers into the two arrays; older versions of LLVM want to know to what."""
MEMORY = f"{NARROW} noalias %narrow, {WIDE} noalias %wide"
"""The parameters of all functions."""
GIVEN = f"{NARROW} %narrow, {WIDE} %wide"
"""The arguments where one calls another."""


@dataclass
class LlvmFunction:
    """The lines of a function."""

    head: str
    lines: list[str] = field(default_factory=lambda: ["entry:"])
    bases: dict[int, str] = field(default_factory=dict)
    values: int = 0

    def let(self, text: str) -> str:
        """A new value."""
        self.values += 1
        self.lines.append(f"  %v{self.values} = {text}")
        return f"%v{self.values}"

    def do(self, text: str) -> None:
        """An instruction without a value."""
        self.lines.append(f"  {text}")

    def block(self, name: str) -> None:
        """Begin a block."""
        self.lines.append(f"{name}:")

    def jump(self, target: str) -> None:
        """End a block."""
        self.do(f"br label %{target}")

    def begin(self, name: str) -> None:
        """End a block where another one begins."""
        self.jump(name)
        self.block(name)

    def branch(self, condition: str, target: str, other: str) -> None:
        """End a block with two ways."""
        self.do(f"br i1 {condition}, label %{target}, label %{other}")

    def need(self, condition: str, other: str) -> None:
        """Go on where a condition holds, elsewhere at another block."""
        self.values += 1
        self.branch(condition, f"b{self.values}", other)
        self.block(f"b{self.values}")

    @contextmanager
    def loop(self, name: int, end: str) -> Iterator[str]:
        """Repeat what is written meanwhile for 0, 1 and so on until `end`."""
        self.begin(f"before{name}")
        self.begin(f"loop{name}")
        self.do(f"%place{name} = phi i64 [ 0, %before{name} ], [ %following{name}, %next{name} ]")
        self.need(self.differ(f"%place{name}", end), f"after{name}")
        yield f"%place{name}"
        self.begin(f"next{name}")
        self.do(f"%following{name} = add i64 %place{name}, 1")
        self.jump(f"loop{name}")
        self.block(f"after{name}")

    def wide_at(self, place: str | int) -> str:
        """The address of a word of `wide`."""
        return self.let(f"getelementptr i64, {WIDE} %wide, i64 {place}")

    def wide(self, place: str | int) -> str:
        """A word of `wide`."""
        return self.let(f"load i64, {WIDE} {self.wide_at(place)}")

    def base(self, place: int) -> str:
        """A word of `wide` that never changes."""
        if place not in self.bases:
            self.bases[place] = f"%base{place}"
            self.lines.insert(1, f"  %base{place} = add i64 0, @word{place}")
        return self.bases[place]

    def static(self, address: int, place: str | int) -> str:
        """A number of a constant array of int32 at an address."""
        array = f"inttoptr (i64 {address} to {NARROW})"
        at = self.let(f"getelementptr i32, {NARROW} {array}, i64 {place}")
        word = self.let(f"load i32, {NARROW} {at}, !invariant.load !0")
        return self.let(f"sext i32 {word} to i64")

    def set_wide(self, place: str | int, value: str | int) -> None:
        """Set a word of `wide`."""
        self.do(f"store i64 {value}, {WIDE} {self.wide_at(place)}")

    def narrow(self, place: str) -> str:
        """A word of `narrow`."""
        at = self.let(f"getelementptr i32, {NARROW} %narrow, i64 {place}")
        word = self.let(f"load i32, {NARROW} {at}")
        return self.let(f"sext i32 {word} to i64")

    def set_narrow(self, place: str, value: str) -> None:
        """Set a word of `narrow`."""
        at = self.let(f"getelementptr i32, {NARROW} %narrow, i64 {place}")
        word = self.let(f"trunc i64 {value} to i32")
        self.do(f"store i32 {word}, {NARROW} {at}")

    def add(self, left: str | int, right: str | int) -> str:
        """A sum."""
        return self.let(f"add i64 {left}, {right}")

    def equal(self, left: str | int, right: str | int) -> str:
        """Whether two values are equal."""
        return self.let(f"icmp eq i64 {left}, {right}")

    def differ(self, left: str | int, right: str | int) -> str:
        """Whether two values are not equal."""
        return self.let(f"icmp ne i64 {left}, {right}")

    def total(self, parts: Sequence[tuple[str, int]], first: int = 0) -> str:
        """A number and the sum of values, each times its factor; a constant where they are."""
        fixed = first + sum(int(value) * factor for value, factor in parts if not value.startswith("%"))
        found = str(fixed)
        for value, factor in parts:
            if value.startswith("%"):
                term = value if factor == 1 else self.let(f"mul i64 {value}, {factor}")
                found = term if found == "0" else self.add(found, term)
        return found

    def __str__(self) -> str:
        # A table of jumps or values would be data that the small code model cannot reach.
        head = f'define {self.head} nounwind "no-jump-tables"="true" {{'
        return "\n".join([head, *self.lines, "}"])


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
