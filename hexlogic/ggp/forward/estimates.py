"""How large the relations of a sheet are, guessed before there are any, and the order of joins that follows."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import chain

from hexlogic.errors import EngineError
from hexlogic.ggp.language.opened import OpenedSheet
from hexlogic.ggp.propnet.ground_size import learn_relation
from hexlogic.language.ground.profile import Statistics
from hexlogic.language.syntax import Atom, BodyLiteral, Comparison, Function, Literal, Variable
from hexlogic.language.walk import variables


def ordered(body: Sequence[BodyLiteral], first: int | None, statistics: Statistics) -> Iterator[BodyLiteral]:
    """The body in the order in which it is joined; `first` is the number of a literal whose tuple is given, and which
    is left out. The literal that should match the fewest tuples comes first; tests and literals whose variables are all
    bound come as soon as they are. Raises EngineError where a variable is bound nowhere."""
    bound: set[Variable] = set()
    rest = list(body)
    if first is not None:
        bound |= variables(rest.pop(first))
    while rest:
        item = next((item for item in rest if _is_ready(item, bound)), None)
        if item is None:
            scans = [item for item in rest if isinstance(item, Literal) and item.positive]
            if not scans:
                raise EngineError(f"a variable is bound nowhere in {', '.join(map(str, body))}")
            item = min(scans, key=lambda item: _matches(item.atom, bound, statistics))
        yield item
        rest.remove(item)
        bound |= variables(item)


def _is_ready(item: BodyLiteral, bound: set[Variable]) -> bool:
    if isinstance(item, Comparison) and item.operator == "=":
        sides = item.left, item.right
        if any(isinstance(side, Variable) for side in sides):
            return any(variables(side) <= bound for side in sides)
    return variables(item) <= bound


def _matches(atom: Atom, bound: set[Variable], statistics: Statistics) -> float:
    """How many tuples a scan should find."""
    matches = statistics.size(atom.predicate)
    for column, term in enumerate(atom.arguments):
        if variables(term) <= bound:
            matches /= statistics.column(atom.predicate, column)
        elif isinstance(term, Function):
            matches *= 0.5
    return matches


def guessed(opened: OpenedSheet) -> Statistics:
    """Sizes before anything was measured: those of the first state, a move of each kind, and what joins should give."""
    statistics = Statistics(dict.fromkeys(opened.inputs, 1.0))
    for predicate in opened.inputs:
        for place in range(predicate.arity):
            statistics.columns[predicate, place] = float(opened.types.of((predicate, place)).size)
    for fact in opened.initial:
        statistics.sizes[opened.atom("true", fact).predicate] += 1
    for component in chain.from_iterable(opened.phases):
        for predicate in sorted(component) * 2:
            learn_relation(statistics, opened, predicate)
    return statistics
