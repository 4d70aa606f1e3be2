"""Instructions of a plan: a join in a fixed order.

An operand is a number, or a register that an instruction before it has set. A key is the number that some columns of a
tuple make: the sum of each operand times its factor.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias


@dataclass(frozen=True, slots=True)
class Register:
    """A register of a plan, set once."""

    number: int


Operand: TypeAlias = Register | int
Key: TypeAlias = tuple[tuple[Operand, int], ...]


@dataclass(frozen=True, slots=True)
class ColumnLoad:
    """Set a register to a column of a tuple; as a test, fail where the column is not equal to the operand."""

    column: int
    target: Operand
    is_test: bool


@dataclass(frozen=True, slots=True)
class Scan:
    """Go on with each tuple of a relation that has this key in a table; `table` None: with all tuples. With `once` the
    first tuple that passes the tests is enough, since nothing after it depends on which one it is. With `single` there
    is at most one."""

    relation: int
    table: int | None
    key: Key
    loads: tuple[ColumnLoad, ...]
    once: bool
    single: bool


@dataclass(frozen=True, slots=True)
class KeyCheck:
    """Fail unless the tuple with this key is in a relation (`wanted`), or is not."""

    relation: int
    wanted: bool
    key: Key


@dataclass(frozen=True, slots=True)
class Compare:
    """Fail unless two operands are equal (`wanted`), or are not."""

    left: Operand
    right: Operand
    wanted: bool


@dataclass(frozen=True, slots=True)
class Construct:
    """Set a register to the number of a compound term: the first number of its shape and the key of its arguments."""

    target: Register
    first: int
    key: Key


@dataclass(frozen=True, slots=True)
class ArgumentPart:
    """An argument of a compound term: `number // factor % modulus`, loaded or tested as by ColumnLoad."""

    factor: int
    modulus: int
    target: Operand
    is_test: bool


@dataclass(frozen=True, slots=True)
class Destruct:
    """Take a compound term apart; fail where the number is not one of the `size` numbers from `first` on."""

    source: Register
    first: int
    size: int
    parts: tuple[ArgumentPart, ...]


@dataclass(frozen=True, slots=True)
class Emit:
    """Insert a tuple. The plan goes on with the next tuple of the scan number `depth` (from 1; 0: it is done), since
    those after it cannot give another head."""

    relation: int
    depth: int
    values: tuple[Operand, ...]


Instruction: TypeAlias = Scan | KeyCheck | Compare | Construct | Destruct | Emit


@dataclass(frozen=True, slots=True)
class Join:
    """A join. `relation`: the recursive relation whose newest tuple is given and loaded first; None: there is none."""

    relation: int | None
    loads: tuple[ColumnLoad, ...]
    instructions: tuple[Instruction, ...]


@dataclass(frozen=True, slots=True)
class Component:
    """Relations that depend on each other: for each the plans that begin with a tuple of it."""

    plans: tuple[tuple[int, tuple[Join, ...]], ...]


Entry: TypeAlias = Join | Component
"""An entry of a phase: a plan to run once, or a component to run to its fixed point."""
