"""How large the relations of a sheet are, guessed before there are any, and the order of joins that follows."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from itertools import chain
from types import MappingProxyType
from typing import Final

from hexlogic.errors import EngineError
from hexlogic.ggp.language.opened import OpenedSheet
from hexlogic.ggp.propnet.ground_size import learn_relation
from hexlogic.language.ground.profile import Statistics
from hexlogic.language.syntax import Atom, BodyLiteral, Comparison, Function, Literal, Predicate, Variable
from hexlogic.language.walk import variables

_COMPARED: Final = 0.2
"""What a comparison costs, where looking at a tuple costs 1."""


@dataclass(frozen=True, slots=True)
class Asked:
    """A relation that is not derived but asked: what a question costs, and the columns whose terms it gives. All of
    them: whether a tuple is there; fewer: for all its tuples with these terms."""

    cost: float
    columns: frozenset[int]


NONE_ASKED: Final[Mapping[Predicate, Asked]] = MappingProxyType({})


def ordered(
    body: Sequence[BodyLiteral],
    first: int | None,
    statistics: Statistics,
    given: Collection[Variable] = (),
    tested: Mapping[Predicate, Asked] = NONE_ASKED,
    last: Predicate | None = None,
    wanted: Collection[Variable] | None = None,
) -> list[BodyLiteral]:
    """The body in the order in which it is joined; `first` is the number of a literal whose tuple is given, and which
    is left out; `given` are variables that are bound, and relations in `tested` are asked. The
    literal that should match the fewest tuples comes first; tests and literals whose variables are all bound come as
    soon as they are, but for the relation `last`, the recursive test of itself. Of two such orders the cheaper: in one
    a literal with several matches waits while others bind its variables. `wanted` are the variables of the answers, for
    all combinations of which one match is enough; None: all matches are looked at. Raises EngineError where a variable
    is bound nowhere."""
    rest = list(body)
    bound = frozenset(given) | (variables(rest.pop(first)) if first is not None else frozenset())
    orders = [list(_greedy(rest, bound, statistics, tested, last, is_patient)) for is_patient in (False, True)]
    questions = {predicate: Asked(1.0, asked.columns) for predicate, asked in tested.items()}
    return min(orders, key=lambda order: _cost(order, bound, statistics, questions, wanted))


def _greedy(
    body: Sequence[BodyLiteral],
    given: Collection[Variable],
    statistics: Statistics,
    tested: Mapping[Predicate, Asked],
    last: Predicate | None,
    is_patient: bool,
) -> Iterator[BodyLiteral]:
    bound, rest = set(given), list(body)
    while rest:
        ready = [item for item in rest if _is_ready(item, bound)]
        item = next((item for item in ready if not (isinstance(item, Literal) and item.atom.predicate == last)), None)
        if item is None and len(ready) == len(rest):
            item = ready[0]
        if item is None:
            literals = [item for item in rest if isinstance(item, Literal) and item.positive and item not in ready]
            scans = [item for item in literals if _is_given(item.atom, bound, tested)]
            if not scans:
                raise EngineError(f"a variable is bound nowhere in {', '.join(map(str, body))}")
            item = min(scans, key=lambda item: matches(item.atom, bound, statistics))
            if is_patient and matches(item.atom, bound, statistics) > 1:
                others = {each: frozenset().union(*(variables(o) for o in scans if o is not each)) for each in scans}
                needed = [each for each in scans if not variables(each) - bound <= others[each]]
                item = min(needed or scans, key=lambda item: matches(item.atom, bound, statistics))
        yield item
        rest.remove(item)
        bound |= variables(item)


def join_cost(
    body: Sequence[BodyLiteral],
    statistics: Statistics,
    tested: Mapping[Predicate, Asked],
    given: Collection[Variable],
    wanted: Collection[Variable] | None = None,
) -> float:
    """How many tuples a join looks at, in the order of `ordered`; a question to a relation in `tested` costs what is
    said there. Raises EngineError where a variable is bound nowhere."""
    order = ordered(body, None, statistics, given, tested, wanted=wanted)
    return _cost(order, given, statistics, tested, wanted)


def _cost(
    order: Sequence[BodyLiteral],
    given: Collection[Variable],
    statistics: Statistics,
    tested: Mapping[Predicate, Asked],
    wanted: Collection[Variable] | None,
) -> float:
    bound, cost, count = set(given), 0.0, 1.0
    answers: tuple[float, float] | None = None
    """What it cost to bind the variables that are wanted, and how many combinations of them there are."""
    for item in order:
        if answers is None and wanted is not None and bound.issuperset(wanted):
            answers = cost, count
        if isinstance(item, Comparison):
            cost += _COMPARED * count
            bound |= variables(item)
            continue
        question = tested[item.atom.predicate].cost if item.atom.predicate in tested else 0.0
        if item.positive and not variables(item) <= bound:
            there = matches(item.atom, bound, statistics)
            cost += count * max(there, question, 1)
            count *= there
        else:
            cost += count * (question or 1.0)
            count *= min(1.0, matches(item.atom, bound, statistics)) if item.positive else 1.0
        bound |= variables(item)
    if answers is None or not answers[1]:
        return cost
    before, combinations = answers
    return before + (cost - before) / max(1.0, count / combinations)


def _is_given(atom: Atom, bound: set[Variable], tested: Mapping[Predicate, Asked]) -> bool:
    """Whether a relation is derived, or the terms are known that a question to it gives."""
    asked = tested.get(atom.predicate)
    return asked is None or all(variables(atom.arguments[column]) <= bound for column in asked.columns)


def _is_ready(item: BodyLiteral, bound: set[Variable]) -> bool:
    if isinstance(item, Comparison) and item.operator == "=":
        sides = item.left, item.right
        if any(isinstance(side, Variable) for side in sides):
            return any(variables(side) <= bound for side in sides)
    return variables(item) <= bound


def matches(atom: Atom, bound: AbstractSet[Variable], statistics: Statistics) -> float:
    """How many tuples a scan should find."""
    there = statistics.size(atom.predicate)
    for column, term in enumerate(atom.arguments):
        if term in bound if isinstance(term, Variable) else variables(term) <= bound:
            there /= statistics.column(atom.predicate, column)
        elif isinstance(term, Function):
            there *= 0.5
    return there


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
