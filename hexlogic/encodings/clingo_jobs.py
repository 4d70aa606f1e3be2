"""What clingo does in a child process for encodings: ground and solve a text, or compare the answer sets of two.

Functions for `call_isolated`.
"""

from __future__ import annotations

import itertools
import time
from collections.abc import Collection, Sequence
from typing import Final, TypedDict

import clingo

from hexlogic.errors import EngineError
from hexlogic.language.ground.solving import grounded
from hexlogic.language.names import is_reserved

_cpu_time: Final = time.thread_time
"""CPU seconds of this thread, in which clingo grounds and solves: in a process with a CPU limit Linux counts those of
the whole process by timer ticks, 4 ms, so that shorter differences say nothing."""

_Call = list[tuple[str, list[int]]]
"""Parts that are ground together, each with the values of its parameters."""

_MOST_VALUES: Final = 50_000
"""Atoms of a predicate whose arguments are looked at."""

_LEAST_TURNS: Final = 4
_MOST_TURNS: Final = 200
_ENOUGH_S: Final = 1.0
"""CPU seconds of all turns after which there are no more than the least."""
_LONG_S: Final = 5.0
"""CPU seconds after which there are no more turns."""

_ANY_ORDER: Final = ("--opt-mode=enum,1000000000", "--seed=1", "--sign-def=rnd")
_ANY_CHOICE: Final = "--rand-freq=1"


class Measured(TypedDict):
    """What `measure` finds."""

    ground_cpu_s: float
    solve_cpu_s: float | None
    rules: int
    atoms: int
    sizes: dict[str, int]
    columns: dict[str, list[int]]


def measure(
    *,
    text: str,
    calls: Sequence[_Call],
    solve: bool,
    sizes: bool,
    scripts: bool,
) -> Measured:
    """CPU seconds of parsing and grounding and of solving if asked for, ground rules and atoms; with `sizes`, by
    predicate (`-p/2` where classically negated) the atoms, and the different values of each argument.

    After `base` the parts of each of the `calls` are ground; each call is solved where that is asked for.
    Raises EngineError with clingo's words for a text that it refuses.
    """
    options = ["--stats"] if solve else ["--stats", "--solve-limit=0", "--eq=0", "--sat-prepro=no"]
    control, ground_cpu_s, solve_cpu_s = _ran(text, options, calls, solve=solve, scripts=scripts)
    counted: dict[str, int] = {}
    columns: dict[str, list[int]] = {}
    for name, arity, positive in control.symbolic_atoms.signatures if sizes else ():
        values: list[set[clingo.Symbol]] = [set() for _ in range(arity)]
        size = 0
        for size, atom in enumerate(control.symbolic_atoms.by_signature(name, arity, positive), 1):
            if size <= _MOST_VALUES:
                for own, argument in zip(values, atom.symbol.arguments, strict=True):
                    own.add(argument)
        key = f"{'' if positive else '-'}{name}/{arity}"
        counted[key], columns[key] = size, list(map(len, values))
    if not solve:
        control.solve()
    program = control.statistics["problem"]["lp"]
    return {
        "ground_cpu_s": ground_cpu_s,
        "solve_cpu_s": solve_cpu_s if solve else None,
        "rules": int(program["rules"]),
        "atoms": int(program["atoms"]),
        "sizes": counted,
        "columns": columns,
    }


def race(
    *,
    texts: Sequence[str],
    calls: Sequence[_Call],
    solve: bool,
    scripts: bool,
) -> list[list[tuple[float, float]]]:
    """CPU seconds of grounding and of solving (0 without `solve`) in each turn of each text.

    All run in one process and in turns, so that a busy machine slows all of them; the order changes from turn to turn.
    There are at least 4 turns, more of short ones, and one of long ones. The first of several is not counted.
    """
    spent: list[list[tuple[float, float]]] = []
    while len(spent) < _MOST_TURNS:
        turn = [(0.0, 0.0)] * len(texts)
        order = range(len(texts)) if len(spent) % 2 else reversed(range(len(texts)))
        for place in order:
            turn[place] = _ran(texts[place], [], calls, solve=solve, scripts=scripts)[1:]
        spent.append(turn)
        total_s = sum(map(sum, itertools.chain(*spent)))
        if total_s > (_ENOUGH_S if len(spent) > _LEAST_TURNS else _LONG_S):
            break
    counted = spent[1:] or spent
    return [list(times) for times in zip(*counted, strict=True)]


def compare(
    *,
    left: str,
    right: str,
    calls: Sequence[_Call],
    predicates: Sequence[tuple[str, int, bool]],
    most: int,
    some: int,
    scripts: bool,
    shown: bool = False,
    random: bool = True,
) -> bool:
    """Whether two texts have the same answer sets over predicates (name, arity, not negated), with costs and numbers.
    With `shown` they must also show the same atoms, but for auxiliary ones.

    Where one has `most` or more, `some` of each are looked for in the other, and the optimal costs are compared. With
    `random` all choices of the search are random; without it the solver finds answer sets of hard programs. With
    `calls` the texts are compared after `base` and after each of them, for all values of their externals.
    """
    seen = {(name, arity, positive) for name, arity, positive in predicates}
    options = [*_ANY_ORDER, *([_ANY_CHOICE] if random else []), f"--models={most}"]
    controls = [_grounded(left, options, scripts)[0]]
    for number in range(len(calls) + 1):
        done = calls[:number]
        if number:
            _ground(controls[0], done[-1])
        try:
            if number:
                _ground(controls[1], done[-1])
            else:
                controls.append(_grounded(right, options, scripts)[0])
        except EngineError:
            return False  # clingo takes the first text only
        for control in controls:
            control.configuration.solve.models = str(most)  # type: ignore[union-attr]  # clingo makes its options attributes
            for atom in control.symbolic_atoms if calls else ():
                if atom.is_external:
                    control.assign_external(atom.symbol, None)
        agreed = _agree(controls[0], controls[1], seen, most, some, shown)
        if agreed is None:
            agreed = _optimum(left, done, scripts) == _optimum(right, done, scripts)
        if not agreed:
            return False
    return True


def _agree(
    left: clingo.Control,
    right: clingo.Control,
    seen: Collection[tuple[str, int, bool]],
    most: int,
    some: int,
    shown: bool,
) -> bool | None:
    """Whether two programs have the same answer sets; None where that is a matter of the optimal costs."""
    one, other = _models(left, seen, shown), _models(right, seen, shown)
    if len(one) < most and len(other) < most:
        return sorted(map(str, one)) == sorted(map(str, other))
    step = max(1, most // some)
    if any(_lacks(right, seen, *model) for model in one[::step]):
        return False
    if any(_lacks(left, seen, *model) for model in other[::step]):
        return False
    return None if any(model[2] for model in one + other) else True


_Cost = list[tuple[int, int]]
"""Priority and cost of each level whose cost is not 0: levels may come and go with their ground instances."""

_Model = tuple[list[str], list[str], _Cost]
"""The visible atoms, what is shown, and the costs."""


def _grounded(text: str, options: Sequence[str], scripts: bool) -> tuple[clingo.Control, float]:
    """A control that has ground the text, and the CPU seconds of that. Raises EngineError."""
    if scripts:
        from clingo.script import enable_python

        enable_python()
    begin = _cpu_time()
    control, _ = grounded(text, "--warn=none", *options)
    return control, _cpu_time() - begin


def _ground(control: clingo.Control, call: _Call) -> float:
    """Ground parts of a text, and say that `query(t)` holds for the last t, as `#include <incmode>` does; CPU seconds.

    Raises EngineError.
    """
    begin = _cpu_time()
    try:
        control.ground([(name, [clingo.Number(value) for value in values]) for name, values in call])
    except RuntimeError as error:
        raise EngineError(f"clingo: {error}") from None
    for last in {value for _, values in call for value in values}:
        control.assign_external(clingo.Function("query", [clingo.Number(last - 1)]), False)
        control.assign_external(clingo.Function("query", [clingo.Number(last)]), True)
    return _cpu_time() - begin


def _ran(
    text: str, options: Sequence[str], calls: Sequence[_Call], *, solve: bool, scripts: bool
) -> tuple[clingo.Control, float, float]:
    """A control that has ground a text with the parts of all calls, and solved after each; the CPU seconds of both."""
    control, ground_cpu_s = _grounded(text, options, scripts)
    solve_cpu_s = 0.0
    for call in [None, *calls]:
        if call is not None:
            ground_cpu_s += _ground(control, call)
        begin = _cpu_time()
        if solve:
            control.solve()
            solve_cpu_s += _cpu_time() - begin
    return control, ground_cpu_s, solve_cpu_s


def _is_visible(symbol: clingo.Symbol, seen: Collection[tuple[str, int, bool]]) -> bool:
    is_atom = symbol.type == clingo.SymbolType.Function
    return is_atom and (symbol.name, len(symbol.arguments), symbol.positive) in seen


def _is_auxiliary(symbol: clingo.Symbol) -> bool:
    return symbol.type == clingo.SymbolType.Function and is_reserved(symbol.name)


def _models(control: clingo.Control, seen: Collection[tuple[str, int, bool]], shown: bool) -> list[_Model]:
    found: list[_Model] = []
    with control.solve(yield_=True) as handle:
        for model in handle:
            atoms = sorted(str(atom) for atom in model.symbols(atoms=True) if _is_visible(atom, seen))
            terms = sorted(map(str, model.symbols(terms=True))) + sorted(map(str, model.symbols(theory=True)))
            visible = model.symbols(shown=True) if shown else ()
            terms += sorted(str(symbol) for symbol in visible if not _is_auxiliary(symbol))
            found.append((atoms, terms, _cost(model)))
    return found


def _cost(model: clingo.Model) -> _Cost:
    return [(level, cost) for level, cost in zip(model.priority, model.cost, strict=True) if cost]


def _lacks(
    control: clingo.Control, seen: Collection[tuple[str, int, bool]], atoms: list[str], _: list[str], cost: _Cost
) -> bool:
    """Whether a program has no answer set with these visible atoms and this cost."""
    known = {str(entry.symbol): entry.symbol for entry in control.symbolic_atoms if _is_visible(entry.symbol, seen)}
    if not set(atoms) <= known.keys():
        return True
    costs: list[_Cost] = []
    control.configuration.solve.models = "1"  # type: ignore[union-attr]  # clingo makes its options attributes
    given = [(symbol, name in set(atoms)) for name, symbol in known.items()]
    control.solve(assumptions=given, on_model=lambda model: costs.append(_cost(model)))
    return not costs or costs[0] != cost


def _optimum(text: str, calls: Sequence[_Call], scripts: bool) -> list[_Cost]:
    """The cost of an optimal answer set; empty for none."""
    costs: list[_Cost] = []
    _ran(text, (), calls, solve=False, scripts=scripts)[0].solve(on_model=lambda model: costs.append(_cost(model)))
    return costs[-1:]
