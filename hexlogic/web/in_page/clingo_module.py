"""Implement the part of the Python module `clingo` that the workbench needs by running the program `clingo`.

In a browser the program may be where the module is not: npm's `clingo-wasm` reads text and writes text. Grounding is
`--mode=gringo`, which writes aspif; a program that is given rule by rule is written as aspif.
Source of the format: Gebser et al. 2016, "Theory Solving Made Easy with Clingo 5", appendix A.

    asp 1 0 0
    1 0 1 3 0 2 1 -2       atom 3 follows from atom 1 and the absence of atom 2
    1 1 1 4 0 0            a choice of atom 4
    4 4 p(1) 1 3           atom 3 is called p(1); without a number p(1) is a fact
    0
"""

from __future__ import annotations

import functools
import json
import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass
from enum import Enum
from types import ModuleType
from typing import TYPE_CHECKING, Final, Self

if TYPE_CHECKING:
    from clingo import Observer

_FAILED: Final = (33, 65, 128)
"""The exit codes of clingo for too little memory, an error inside, and a text that it refuses."""
_SHOW: Final = re.compile(r"^#show [^.]*\.\n?", re.MULTILINE)
_END: Final = "*** ERROR"
_TOKEN: Final = re.compile(r"-?\d+|-?[_']*[a-z][\w']*|[(),]")


class SymbolType(Enum):
    """The kinds of terms that the rule language has."""

    Number = 1
    Function = 2


@dataclass(frozen=True, slots=True)
class Symbol:
    """A number, or a function with arguments; a constant is a function without arguments."""

    type: SymbolType
    name: str = ""
    arguments: tuple[Symbol, ...] = ()
    number: int = 0
    positive: bool = True

    def __str__(self) -> str:
        if self.type is SymbolType.Number:
            return str(self.number)
        arguments = f"({','.join(map(str, self.arguments))})" if self.arguments else ""
        return f"{'' if self.positive else '-'}{self.name}{arguments}"


def read_symbol(text: str) -> Symbol:
    """The symbol that clingo writes so."""
    tokens = _TOKEN.findall(text)
    if "".join(tokens) != text:
        raise ValueError(f"{text!r} is no term of the rule language")
    waiting: list[list[Symbol]] = [[]]  # the arguments of each term that is open, the whole outermost
    names: list[str] = []
    for token, following in zip(tokens, [*tokens[1:], ""], strict=True):
        if token == ")":
            arguments = tuple(waiting.pop())
            waiting[-1].append(_symbol(names.pop(), arguments))
        elif following == "(":
            names.append(token)
            waiting.append([])
        elif token not in "(,":
            waiting[-1].append(_symbol(token))
    ((symbol,),) = waiting
    return symbol


@functools.lru_cache(maxsize=4096)
def _symbol(token: str, arguments: tuple[Symbol, ...] = ()) -> Symbol:
    name = token.removeprefix("-")
    if name.isdecimal():
        return Symbol(SymbolType.Number, number=int(token))
    return Symbol(SymbolType.Function, name, arguments, positive=name == token)


Run = Callable[[str, str], tuple[int, str, str]]
"""Runs clingo on a text, with options parted by blanks; gives the exit code, standard output and standard error."""


def clingo_module(run: Run) -> ModuleType:
    """A module that can stand for `clingo`."""
    module = ModuleType("clingo")
    module.Control = lambda *arguments: Control(run, *arguments)  # type: ignore[attr-defined]
    module.Symbol, module.SymbolType = Symbol, SymbolType  # type: ignore[attr-defined]
    return module


@dataclass(frozen=True, slots=True)
class _Atom:
    """An atom of a ground program; the number of a fact is that of some fact, for clingo does not say which."""

    symbol: Symbol
    literal: int
    is_fact: bool


class _Atoms:
    """`clingo.SymbolicAtoms`."""

    def __init__(self, atoms: Iterable[_Atom]) -> None:
        self._by_signature: dict[tuple[str, int, bool], list[_Atom]] = defaultdict(list)
        for atom in atoms:
            self._by_signature[atom.symbol.name, len(atom.symbol.arguments), True].append(atom)

    @property
    def signatures(self) -> list[tuple[str, int, bool]]:
        return list(self._by_signature)

    def by_signature(self, name: str, arity: int, positive: bool = True) -> Iterator[_Atom]:
        return iter(self._by_signature.get((name, arity, positive), ()))


class Control:
    """`clingo.Control` for one text that is ground, or for one program, which `solve` solves. It is its own
    `clingo.Backend`, whose atoms are numbers from 1."""

    def __init__(
        self, run: Run, arguments: Sequence[str] = (), logger: Callable[[object, str], None] = lambda code, line: None
    ) -> None:
        self._run, self._arguments, self._logger = run, arguments, logger
        self._texts: list[str] = []
        self._observers: list[Observer] = []
        self._named: list[tuple[str, int]] = []  # 0 for a fact
        self._facts: list[int] = []
        self._statements: list[str] = []
        self._atoms = 0
        self.statistics: dict[str, dict[str, dict[str, int]]] = {}

    def register_observer(self, observer: Observer) -> None:
        """Tell the observer each rule of `ground`."""
        self._observers.append(observer)

    def add(self, name: str, parameters: Sequence[str], text: str) -> None:
        """Add a text. What it shows makes no difference: every atom is known."""
        self._texts.append(_SHOW.sub("", text))

    def ground(self, parts: object, context: object | None = None) -> None:
        """Ground what was added. Raises RuntimeError when clingo refuses it, with the reason for the logger, and for a
        `context`: clingo cannot call Python here."""
        if context is not None:
            raise RuntimeError("functions of a context cannot be called in the page")
        options = [option for option in self._arguments if option.startswith("--warn")]
        for line in self._answer("\n".join(self._texts), "--mode=gringo", *options).splitlines():
            kind, _, rest = line.partition(" ")
            if kind == "1":
                self._rule([int(word) for word in rest.split()])
            elif kind == "4":
                length, _, rest = rest.partition(" ")
                name, literals = rest[: int(length)], rest[int(length) :].split()
                self._named.append((name, int(literals[1]) if literals[0] == "1" else 0))

    def _answer(self, text: str, *options: str) -> str:
        """What clingo writes. Raises RuntimeError when it refuses the text or fails; the logger is told why."""
        status, out, err = self._run(text, " ".join(options))
        for words in err.partition(_END)[0].split("\n\n"):
            if words.strip():
                self._logger(None, words)
        if status in _FAILED or _END in err:
            raise RuntimeError(err.strip() or f"clingo ended with {status}")
        return out

    def _rule(self, numbers: list[int]) -> None:
        """Take `CHOICE HEADS head ... 0 BODY literal ...`, or `... 1 BOUND BODY literal weight ...`."""
        choice, count = numbers[:2]
        head, body = numbers[2 : 2 + count], numbers[2 + count :]
        if body[0]:
            pairs = list(zip(body[3::2], body[4::2], strict=True))
            for observer in self._observers:
                observer.weight_rule(bool(choice), head, body[1], pairs)
            return
        if not choice and len(head) == 1 and body[1] == 0:
            self._facts.append(head[0])
        for observer in self._observers:
            observer.rule(bool(choice), head, body[2:])

    @property
    def symbolic_atoms(self) -> _Atoms:
        """The atoms of the ground program."""
        named = {number for _, number in self._named}
        facts = iter([number for number in self._facts if number not in named])
        return _Atoms(_Atom(read_symbol(name), number or next(facts, 0), number == 0) for name, number in self._named)

    def backend(self) -> AbstractContextManager[Self]:
        """What takes a ground program."""
        return nullcontext(self)

    def add_atom(self) -> int:
        """A new atom."""
        self._atoms += 1
        return self._atoms

    def add_rule(self, head: Sequence[int], body: Sequence[int] = (), choice: bool = False) -> None:
        """Add a rule, or a choice of the atoms of its head."""
        self._statement(1, int(choice), len(head), *head, 0, len(body), *body)

    def add_minimize(self, priority: int, literals: Sequence[tuple[int, int]]) -> None:
        """Ask for models in which the weights of the true literals have a small sum."""
        self._statement(2, priority, len(literals), *(number for pair in literals for number in pair))

    def _statement(self, *numbers: int) -> None:
        self._statements.append(" ".join(map(str, numbers)))

    def solve(
        self,
        assumptions: Sequence[int] = (),
        *,
        on_model: Callable[[_Model], bool | None] = lambda model: None,
        async_: bool = True,
    ) -> _Solved:
        """Solve what `backend` was given. It is done when this returns; `on_model` gets the models one by one, until
        it returns False."""
        lines = ["asp 1 0 0", *self._statements]
        lines += [f"4 {len(str(atom))} {atom} 1 {atom}" for atom in range(1, self._atoms + 1)]
        lines += [" ".join(map(str, [6, len(assumptions), *assumptions])), "0", ""]
        options = [option for option in self._arguments if not option.startswith("--warn")]
        result = json.loads(self._answer("\n".join(lines), "--outf=2", *options))
        core = result.get("Stats", {}).get("Core", {})
        counts = {"choices": core.get("Choices", 0), "conflicts": core.get("Conflicts", 0)}
        self.statistics = {"solving": {"solvers": counts}}
        for witness in result["Call"][0].get("Witnesses", ()):
            if on_model(_Model(map(int, witness["Value"]))) is False:
                return _Solved(False)
        return _Solved(result["Result"] != "UNKNOWN" and result["Models"]["More"] == "no")


class _Model(frozenset[int]):
    is_true = frozenset[int].__contains__


@dataclass(frozen=True, slots=True)
class _Solved(AbstractContextManager["_Solved", None]):
    """`clingo.SolveHandle` and `clingo.SolveResult` of a search that is over."""

    exhausted: bool

    def __exit__(self, *error: object) -> None:
        return

    def wait(self, timeout: float | None = None) -> bool:
        return True

    def get(self) -> Self:
        return self

    def cancel(self) -> None:
        return
