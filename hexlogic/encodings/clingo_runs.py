"""What clingo does with texts: ground and search, race one against others, compare the answer sets of two.

All of it runs in a child process (`clingo_jobs`).
"""

import itertools
import threading
import time
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Final, TypeAlias

import clingo
from clingo.script import enable_python

from hexlogic.errors import EngineError
from hexlogic.language import Predicate
from hexlogic.language.ground.profile import Statistics
from hexlogic.language.ground.solving import grounded, refused
from hexlogic.language.names import RESERVED, is_reserved

_cpu_time: Final = time.thread_time
"""CPU seconds of this thread, in which clingo grounds and solves: in a process with a CPU limit Linux counts those of
the whole process by timer ticks, 4 ms, so that shorter differences say nothing."""

Call: TypeAlias = tuple[tuple[str, tuple[int, ...]], ...]
"""Parts that are ground together, each with the values of its parameters."""

Turns: TypeAlias = list[tuple[float, float]]
"""CPU seconds of grounding and of solving in each turn of a race."""

_ALL_VALUES, _MOST_VALUES = 1_000, 10_000
"""Atoms of a predicate whose values are all counted, and, one in five, up to how many."""
_LEAST_TURNS: Final = 8
_MOST_TURNS: Final = 200
_ENOUGH_S: Final = 0.2
"""CPU seconds of all turns after which the race ends, once there were eight."""
_TURNS_TO_TELL: Final = 4
"""Counted turns after which a race ends when one text was clearly shorter in each of them."""
_CLEAR: Final = 0.85
_HOPELESS: Final = 1.1
_FAR: Final = 0.5
"""The part of what grounding the one text takes below which one turn of another one, with its search, is enough."""

_ANY_ORDER: Final = ("--opt-mode=enum,1000000000", "--seed=1", "--sign-def=rnd")
_ANY_CHOICE: Final = "--rand-freq=1"
_LOOK_S: Final = 0.02
"""Seconds between two looks at the clock of a search."""

_MOST: Final = 100
"""Answer sets of each program that are compared, at most."""
_SOME: Final = 12
"""How many of them are looked for in the other one where there are more."""
_SEARCH_PART: Final = 0.05
"""The part of the limit of a comparison that one search may take."""


@dataclass(frozen=True)
class Run:
    """How texts are run."""

    calls: tuple[Call, ...] = ()
    """What is ground after `base`, one call after the other."""
    solve: bool = False
    """Whether each call is followed by a search for an answer set, an optimal one where there are costs."""
    solve_s: float = 1e6
    """CPU seconds after which a search is interrupted; it is then counted twice."""
    relations: bool = True
    """Whether the sizes of relations are wanted."""
    scripts: bool = False
    """Whether Python scripts of the text run; without it clingo refuses a text with one."""


PLAIN: Final = Run()
"""Only `base` is ground."""


@dataclass(frozen=True)
class Relation:
    """A predicate (`-p` where classically negated), its atoms, and the different values of each argument."""

    name: str
    size: int
    columns: list[int]


@dataclass(frozen=True)
class ClingoCost:
    """CPU seconds of parsing and grounding and, if asked for, of solving; ground rules and atoms; the relations."""

    ground_cpu_s: float
    solve_cpu_s: float | None
    rules: int
    atoms: int
    relations: list[Relation] = field(default_factory=list)

    @property
    def size(self) -> int:
        """Ground rules and atoms."""
        return self.rules + self.atoms

    @property
    def cpu_s(self) -> float:
        """All CPU seconds measured."""
        return self.ground_cpu_s + (self.solve_cpu_s or 0.0)

    @property
    def statistics(self) -> Statistics:
        """The sizes of the relations."""
        statistics = Statistics()
        for relation in self.relations:
            predicate = Predicate(relation.name, len(relation.columns))
            statistics.sizes[predicate] = float(relation.size)
            statistics.columns |= {(predicate, place): float(count) for place, count in enumerate(relation.columns)}
        return statistics


def measure(*, text: str, run: Run) -> ClingoCost:
    """What a text costs, with the sizes of all relations. Raises EngineError with clingo's words for a text that it
    refuses."""
    options = ["--stats"] if run.solve else ["--stats", "--solve-limit=0", "--eq=0", "--sat-prepro=no"]
    control, ground_cpu_s, solve_cpu_s = _ran(text, options, run)
    control.enable_cleanup = False  # which drops atoms that a search has found to be false
    if not run.solve:
        control.solve()
    program = control.statistics["problem"]["lp"]
    rules, atoms = int(program["rules"]), int(program["atoms"])
    signatures = list(control.symbolic_atoms.signatures) if run.relations else ()
    relations = [_relation(control, *signature) for signature in signatures]
    return ClingoCost(ground_cpu_s, solve_cpu_s if run.solve else None, rules, atoms, relations)


def _relation(control: clingo.Control, name: str, arity: int, positive: bool) -> Relation:
    """The size, and the values in the first atoms; many atoms are counted by gringo, which makes one more for each."""
    values: list[set[clingo.Symbol]] = [set() for _ in range(arity)]
    size = 0
    for size, atom in enumerate(control.symbolic_atoms.by_signature(name, arity, positive), 1):
        if size > _MOST_VALUES:
            head, arguments = f"{RESERVED}size{arity}{positive:d}_{name}", ",".join(f"X{n}" for n in range(arity))
            before = len(control.symbolic_atoms)
            control.add(head, [], f"{head}({arguments}) :- {'' if positive else '-'}{name}({arguments}).")
            control.ground([(head, [])])
            size = len(control.symbolic_atoms) - before
            if size <= _MOST_VALUES:  # a program without answer sets gets no more atoms
                size = sum(1 for _ in control.symbolic_atoms.by_signature(name, arity, positive))
            break
        if size < _ALL_VALUES or not size % 5:
            for seen, argument in zip(values, atom.symbol.arguments, strict=True):
                seen.add(argument)
    return Relation(f"{'' if positive else '-'}{name}", size, list(map(len, values)))


@dataclass(frozen=True)
class Piece:
    """Rules that are ground after all before them, once for each value of the parameters of their part."""

    part: str
    parameters: tuple[str, ...]
    text: str
    heads: tuple[tuple[str, int, bool], ...] = ()
    """The predicates (name, arity, not negated) whose relations are wanted."""
    counters: tuple[tuple[str, int], ...] = ()
    """The predicates (name, arity) whose numbers of atoms are wanted, of all that a piece derives."""


@dataclass(frozen=True)
class Ground:
    """CPU seconds of a piece, the atoms of its counters, and its relations."""

    cpu_s: float
    counts: list[int]
    relations: list[Relation]


def ground_pieces(*, text: str, pieces: Sequence[Piece], run: Run, report: Callable[[Ground], None]) -> None:
    """Report what a text takes with the parts of all calls, then each piece, which clingo grounds after it. Raises
    EngineError."""
    control, ground_s, _ = _ran(text, ("--warn=none",), run)
    atoms = control.symbolic_atoms
    report(Ground(ground_s, [], [_relation(control, *signature) for signature in list(atoms.signatures)]))
    for number, piece in enumerate(pieces):
        name, before, begin = f"{RESERVED}piece_{number}", len(atoms), _cpu_time()
        values = [values for call in run.calls for part, values in call if part == piece.part]
        control.add(name, piece.parameters, piece.text)
        with refused([]):
            control.ground([(name, list(map(clingo.Number, each))) for each in (values if piece.parameters else [()])])
        cpu_s, counts = _cpu_time() - begin, [len(atoms) - before]
        if len(piece.counters) != 1:
            counts = [sum(1 for _ in atoms.by_signature(*counter)) for counter in piece.counters]
        report(Ground(cpu_s, counts, [_relation(control, *signature) for signature in piece.heads]))


def race(*, texts: Sequence[str], run: Run, limit_s: float, report: Callable[[Turns], None]) -> None:
    """Report the CPU seconds of grounding and of solving (0 without) of each text in each turn.

    All run in one process and in turns, so that a busy machine slows all of them; the order changes from turn to turn.
    Each turn but the first, which is not to be counted, has another seed, and a few random choices. The race ends once
    four turns have told which is taken, or one where the given text is far slower before it is solved, or is decided by
    at least 8, more of short ones, and as many long ones as begin within the limit. Where no search of the first turn
    has ended, none is tried again: each is taken to last as long in every turn.
    """
    totals: list[list[float]] = []
    grounding_s: list[float] = []
    endless_s: list[float] = []
    while len(totals) < _MOST_TURNS:
        turn = [(0.0, 0.0)] * len(texts)
        order = range(len(texts)) if len(totals) % 2 else reversed(range(len(texts)))
        options = [f"--seed={len(totals)}", "--rand-freq=0.01"] if totals else []
        for place in order:
            _, ground_s, solve_s = _ran(texts[place], options, run)
            turn[place] = ground_s, endless_s[place] if endless_s else solve_s
        report(turn)
        if run.solve and min(solve_s for _, solve_s in turn) > run.solve_s:
            endless_s, run = [solve_s for _, solve_s in turn], replace(run, solve=False)
        totals.append([ground_s if endless_s else ground_s + solve_s for ground_s, solve_s in turn])
        grounding_s.append(turn[0][0])
        given, *others = zip(*(totals[1:] or totals), strict=True)
        is_told = len(totals) > _TURNS_TO_TELL and _is_told(given, others)
        is_told |= all(max(new) < _FAR * min(grounding_s) for new in others)
        if is_told or sum(map(sum, totals)) > (_ENOUGH_S if len(totals) >= _LEAST_TURNS else limit_s):
            break


def _is_told(given: Sequence[float], others: Sequence[Sequence[float]]) -> bool:
    """Whether the first of the other texts that is not clearly longer is clearly shorter than the given one."""
    for new in others:
        if all(after < _CLEAR * first for first, after in zip(given, new, strict=True)):
            return True
        if min(new) <= max(given) or sum(new) <= _HOPELESS * sum(given):
            return False
    return True


def compare(
    *, left: str, right: str, run: Run, predicates: Sequence[tuple[str, int, bool]], shown: bool, limit_s: float
) -> bool | None:
    """Whether two texts have the same answer sets over predicates (name, arity, not negated), with costs and numbers;
    None where a search finds none in its part of `limit_s` CPU seconds.
    With `shown` they must also show the same atoms, but for auxiliary ones.

    Where one has 100 or more, or more than a search finds, 12 of each are looked for in the other, and the optimal
    costs are compared where both are found. All choices of the search are random, but for those that find none so.
    With calls the texts are compared after `base` and after each of them, for all values of their externals.
    """
    seen = {(name, arity, positive) for name, arity, positive in predicates}
    part_s = limit_s * _SEARCH_PART / (1 + len(run.calls))
    options = [*_ANY_ORDER, _ANY_CHOICE]
    others = _grounded(right, options, run)
    for number, control in enumerate(_grounded(left, options, run)):
        try:
            controls = (control, next(others))
        except EngineError:
            return False  # clingo takes the first text only
        for each in controls:
            for atom in each.symbolic_atoms if run.calls else ():
                if atom.is_external:
                    each.assign_external(atom.symbol, None)
        searches = [_models(each, seen, shown, part_s) for each in controls]
        models = [several for several, _ in searches]
        if all(is_all for _, is_all in searches):
            if sorted(map(str, models[0])) != sorted(map(str, models[1])):
                return False
            continue
        if any(not several and not is_all for several, is_all in searches):
            return None
        for each, wanted in zip(reversed(controls), models, strict=True):
            relations = (each.symbolic_atoms.by_signature(*signature) for signature in seen)
            known = {str(entry.symbol): entry.literal for entry in itertools.chain(*relations)}
            if any(_lacks(each, known, model) for model in wanted[:: max(1, len(wanted) // _SOME)]):
                return False
        if any(cost for *_, cost in itertools.chain(*models)):
            until = Run(run.calls[:number], scripts=run.scripts)
            optima = [_optimum(text, until, part_s) for text in (left, right)]
            if None not in optima and optima[0] != optima[1]:
                return False
    return True


_Cost = list[tuple[int, int]]
"""Priority and cost of each level whose cost is not 0: levels may come and go with their ground instances."""

_Model = tuple[list[str], list[str], _Cost]
"""The visible atoms, what is shown, and the costs."""


def _grounded(text: str, options: Sequence[str], run: Run) -> Iterator[clingo.Control]:
    """A control that has ground a text: once with `base`, then again with the parts of each call. `query(t)` then holds
    for the last t, as `#include <incmode>` says it. Raises EngineError."""
    if run.scripts:
        enable_python()
    control, _ = grounded(text, "--warn=none", *options)
    yield control
    for call in run.calls:
        try:
            control.ground([(name, [clingo.Number(value) for value in values]) for name, values in call])
        except RuntimeError as error:
            raise EngineError(f"clingo: {error}") from None
        for last in {value for _, values in call for value in values}:
            control.assign_external(clingo.Function("query", [clingo.Number(last - 1)]), False)
            control.assign_external(clingo.Function("query", [clingo.Number(last)]), True)
        yield control


def _ran(text: str, options: Sequence[str], run: Run) -> tuple[clingo.Control, float, float]:
    """A control that has ground a text with the parts of all calls, and solved after each; the CPU seconds of both."""
    ground_cpu_s = solve_cpu_s = 0.0
    begin = _cpu_time()
    for control in _grounded(text, options, run):
        ground_cpu_s += _cpu_time() - begin
        begin = _cpu_time()
        if run.solve:
            result = _searched(control, run.solve_s)
            solve_cpu_s += (_cpu_time() - begin) * (1 + result.interrupted)
            begin = _cpu_time()
    return control, ground_cpu_s, solve_cpu_s


def _searched(control: clingo.Control, limit_s: float) -> clingo.SolveResult:
    """The result of a search that is interrupted after so many CPU seconds of this thread."""
    clock, has_ended = time.pthread_getcpuclockid(threading.get_ident()), threading.Event()
    end_s = time.clock_gettime(clock) + limit_s

    def watch() -> None:
        while not has_ended.wait(_LOOK_S):
            if time.clock_gettime(clock) > end_s:
                control.interrupt()

    watcher = threading.Thread(target=watch)
    watcher.start()
    try:
        return control.solve()
    finally:
        has_ended.set()
        watcher.join()


def _models(
    control: clingo.Control, seen: Collection[tuple[str, int, bool]], shown: bool, limit_s: float
) -> tuple[list[_Model], bool]:
    """Answer sets, and whether these are all; without random choices where such a search finds none."""
    models: list[_Model] = []

    def see(model: clingo.Model) -> None:
        atoms = sorted(
            str(atom) for atom in model.symbols(atoms=True) if (atom.name, len(atom.arguments), atom.positive) in seen
        )
        visible = (
            symbol
            for symbol in (model.symbols(shown=True) if shown else ())
            if symbol.type != clingo.SymbolType.Function or not is_reserved(symbol.name)
        )
        terms = (model.symbols(terms=True), model.symbols(theory=True), visible)
        models.append((atoms, [text for symbols in terms for text in sorted(map(str, symbols))], _cost(model)))

    configuration = control.configuration
    for frequency in ("1", "0"):
        configuration.solver.rand_freq = frequency  # type: ignore[union-attr]  # clingo makes its options attributes
        configuration.solve.models = str(_MOST)  # type: ignore[union-attr]
        is_all = _has_ended(control, see, limit_s)
        if models or is_all:
            break
    return models, is_all


def _has_ended(control: clingo.Control, see: Callable[[clingo.Model], None], limit_s: float) -> bool:
    """Whether a search has found all answer sets before so many CPU seconds of this process; `see` gets each."""
    end_s = time.process_time() + limit_s
    with control.solve(on_model=see, async_=True) as handle:
        while not handle.wait(_LOOK_S) and time.process_time() < end_s:
            pass
        handle.cancel()
        return bool(handle.get().exhausted)


def _cost(model: clingo.Model) -> _Cost:
    return [(level, cost) for level, cost in zip(model.priority, model.cost, strict=True) if cost]


def _lacks(control: clingo.Control, known: Mapping[str, int], model: _Model) -> bool:
    """Whether a program has no answer set with these visible atoms, of those that it has at all, and this cost."""
    names, _, cost = model
    atoms = set(names)
    if not atoms <= known.keys():
        return True
    costs: list[_Cost] = []
    control.configuration.solve.models = "1"  # type: ignore[union-attr]
    control.configuration.solver.rand_freq = "0"  # type: ignore[union-attr]
    given = [literal if name in atoms else -literal for name, literal in known.items()]
    control.solve(assumptions=given, on_model=lambda optimum: costs.append(_cost(optimum)))
    return not costs or costs[0] != cost


def _optimum(text: str, run: Run, limit_s: float) -> list[_Cost] | None:
    """The cost of an optimal answer set; empty for none, None where it is not found in so many CPU seconds."""
    costs: list[_Cost] = []
    is_best = _has_ended(_ran(text, (), run)[0], lambda model: costs.append(_cost(model)), limit_s)
    return costs[-1:] if is_best else None
