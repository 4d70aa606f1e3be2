"""The text of a function of LLVM on the memory of a sheet, written line by line."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

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
    lines: list[str] = field(default_factory=list)
    bases: dict[int, str] = field(default_factory=dict)
    values: int = 0
    is_optimised: bool = True

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

    def branch(self, condition: str, target: str, other: str) -> None:
        """End a block with two ways."""
        self.do(f"br i1 {condition}, label %{target}, label %{other}")

    def need(self, condition: str, other: str) -> None:
        """Go on where a condition holds, elsewhere at another block."""
        self.values += 1
        self.branch(condition, f"b{self.values}", other)
        self.block(f"b{self.values}")

    def wide_at(self, place: str | int) -> str:
        """The address of a word of `wide`."""
        return self.let(f"getelementptr i64, {WIDE} %wide, i64 {place}")

    def wide(self, place: str | int) -> str:
        """A word of `wide`."""
        return self.let(f"load i64, {WIDE} {self.wide_at(place)}")

    def base(self, place: int) -> str:
        """A word of `wide` that does not change while the function runs, loaded where the function begins."""
        if place not in self.bases:
            name = self.bases[place] = f"%base{place}"
            address = f"%at{place}"
            self.lines[1:1] = [
                f"  {address} = getelementptr i64, {WIDE} %wide, i64 {place}",
                f"  {name} = load i64, {WIDE} {address}",
            ]
        return self.bases[place]

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

    def clear_narrow(self, place: str, count: int) -> None:
        """Clear some words of `narrow`."""
        at = self.let(f"getelementptr i32, {NARROW} %narrow, i64 {place}")
        kind = f"<{count} x i32>"
        target = "ptr" if _OPAQUE else f"{kind}*"
        whole = at if _OPAQUE else self.let(f"bitcast {NARROW} {at} to {target}")
        self.do(f"store {kind} zeroinitializer, {target} {whole}, align 4")

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
        attributes = "nounwind" if self.is_optimised else "nounwind noinline optnone"
        return "\n".join([f"define {self.head} {attributes} {{", *self.lines, "}"])
