"""A game on a latch network as one array of uint32: where each part begins, then the parts.

The state comes first, so that a copy of that stretch is a copy of the state. The array is unsigned, since numba checks
an index that may be negative.

What follows when a latch is set is one stretch of the part `code`, six sections with their lengths before them:

    heads     of rules with this latch alone as cause
    any       heads of rules with this latch and one of several others: head, how many others, the others
    both      heads of rules with this latch and one other: head, other
    leaves    heads that do nothing but move a choice in a list: latch, list, choice
    counters  of rules with more causes
    lists     choices that leave or enter a list: list, choice

where a list is 2l for a choice that leaves list l and 2l + 1 for one that enters it.

A *choice list* is a permutation of its choices, of which the first `count` are legal; a choice enters or leaves by
changing places with the one at the edge, so that drawing one at random takes one step. Phases that agree on when their
choices are legal share a list.
"""

import itertools
from collections.abc import Iterable, Sequence
from typing import Generic, NamedTuple, TypeAlias, TypeVar

import numpy as np
from numpy.typing import NDArray

from hexlogic.ggp.propnet.control import ControlAutomaton
from hexlogic.ggp.propnet.latch_network import YES, LatchNetwork
from hexlogic.ggp.propnet.random_games import NO_GOAL
from hexlogic.language.propagation.memory import pack

T = TypeVar("T")
Row: TypeAlias = tuple[tuple[int, ...], ...]
"""The latches that a choice may set, each with the condition on which it does, or with two literals."""


class _LatchParts(NamedTuple, Generic[T]):
    """The parts of a game with E latches, R rules of three causes or more, L choice lists with C choices in all, and P
    phases. The state ends with `places`."""

    flags: T
    """[E]: 1 for a latch that is set."""
    missing: T
    """[R]: the causes of the rule that are not set."""
    counts: T
    """[L]: how many choices of the list are legal."""
    phase: T
    """[1]"""
    order: T
    """By list: its choices, the legal ones first."""
    places: T
    """By list and choice: where it stands in the order."""
    stack: T
    """[2E]: room for work at the beginning, for latches that wait at the end."""
    start: T
    """[E]: where the latch's code begins."""
    code: T
    heads: T
    """[R]"""
    begins: T
    """[L + 1]: where the list begins in `order` and `places`."""
    lists: T
    """[P]: the phase's list, from 1; 0 where no role has a choice."""
    first: T
    """[P + 1]: the phase's first choice."""
    chooser: T
    """[P]: the role that chooses, the number of roles where none does."""
    effects: T
    """[C]: 4e + SINGLE for latch e, 4r + CONDITIONAL for row r, 4r + PAIRS for one whose conditions are pairs of
    literals, 4r + ASSIGNED for row r of a phase that comes once."""
    rows: T
    """Where each row of effects begins."""
    row_targets: T
    row_conditions: T
    row_others: T
    """The second literals of pairs."""
    checks: T
    """Where the conjunctions of each check begin."""
    cases: T
    """Where the literals of each conjunction begin."""
    literals: T
    end: T
    """[P]: the condition of the end of the game."""
    goals: T
    """By phase and role: where the values begin."""
    values: T
    value_conditions: T
    following: T
    """[P]: the phase after this one."""
    facts: T
    """Where there are phases that come once: the latches of facts."""
    pristine: T
    """The same: the state in which no latch is set."""


AT = _LatchParts(*range(29))

CHECK = 1 << 31
"""A condition is a literal of latches, 2e or 2e + 1, or CHECK + c for check c."""
NO_NUMBER = NO_GOAL % (1 << 32)
"""The value NO_GOAL as it stands in the memory."""
SINGLE, CONDITIONAL, ASSIGNED, PAIRS = range(4)


class _ChoiceLists:
    """The choice lists of the phases."""

    def __init__(self, game: ControlAutomaton, network: LatchNetwork) -> None:
        self.of_phase: list[int] = []
        """By phase its list, from 1; 0 where no role has a choice."""
        self.counts: list[int] = []
        self.order: list[int] = []
        self.places: list[int] = []
        self.begins = [0]
        self.changes: list[list[tuple[int, int]]] = [[] for _ in range(network.count)]
        """By latch: 2l for a choice that leaves list l, 2l + 1 for one that enters it, and the choice."""
        known: dict[tuple[int, ...], int] = {}
        for phase in game.phases:
            literals = tuple(network.literal(choice.literal) for choice in phase.choices)
            number = known.setdefault(literals, len(known)) if phase.role >= 0 else -1
            self.of_phase.append(number + 1)
            if number < len(self.counts):
                continue
            for choice, literal in enumerate(literals):
                if literal > YES:
                    self.changes[literal >> 1].append((2 * number + (literal & 1 ^ 1), choice))
            legal = [literal & 1 for literal in literals]  # while no latch is set
            order = np.argsort(np.logical_not(legal), kind="stable")
            self.counts.append(sum(legal))
            self.order += order.tolist()
            self.places += np.argsort(order).tolist()
            self.begins.append(len(self.order))


def latch_memory(game: ControlAutomaton, network: LatchNetwork, facts: Sequence[int]) -> NDArray[np.uint32]:
    """The memory of a game in which no latch is set; `facts` are the latches of facts."""
    lists = _ChoiceLists(game, network)
    effects: list[int] = []
    rows: dict[Row, int] = {}
    for number, phase in enumerate(network.effects):
        for pairs in phase:
            if number >= game.recurring and len(pairs) == 1 and pairs[0][1] == YES:
                effects.append(4 * pairs[0][0] + SINGLE)
                continue
            literals = [_two_literals(network, condition) for _, condition in pairs]
            kind = CONDITIONAL if number >= game.recurring else ASSIGNED
            row: Row = tuple((latch, _encoded(condition)) for latch, condition in pairs)
            if kind == CONDITIONAL and all(literals):
                kind, row = PAIRS, tuple((latch, *two) for (latch, _), two in zip(pairs, literals, strict=True))
            effects.append(4 * rows.setdefault(row, len(rows)) + kind)
    goals = [goal for phase in game.phases for goal in phase.goals]
    # Conditions add checks to the network.
    ends = [_encoded(network.condition(phase.terminal)) for phase in game.phases]
    values = [_encoded(network.condition(literal)) for goal in goals for _, literal in goal]
    start, code, heads, missing = _code(network, lists.changes)
    none: _LatchParts[Sequence[int]] = _LatchParts(*[[]] * len(AT))
    state = none._replace(
        flags=[0] * network.count,
        missing=missing,
        counts=lists.counts,
        phase=[0],
        order=lists.order,
        places=lists.places,
    )
    parts = state._replace(
        stack=[0] * (2 * network.count),
        start=start,
        code=code,
        heads=heads,
        begins=lists.begins,
        lists=lists.of_phase,
        first=_starts([phase.choices for phase in game.phases]),
        chooser=[len(phase.forced) if phase.role < 0 else phase.role for phase in game.phases],
        effects=effects,
        rows=_starts(rows),
        row_targets=[effect[0] for row in rows for effect in row],
        row_conditions=[effect[1] for row in rows for effect in row],
        row_others=[effect[-1] for row in rows for effect in row],
        checks=_starts(network.checks),
        cases=_starts(list(itertools.chain(*network.checks))),
        literals=[literal for check in network.checks for case in check for literal in case],
        end=ends,
        goals=_starts(goals),
        values=[value for goal in goals for value, _ in goal],
        value_conditions=values,
        following=[phase.following for phase in game.phases],
        facts=facts if game.recurring else [],
        pristine=list(itertools.chain(*state)) if game.recurring else [],
    )
    return pack(parts, np.uint32)


def _starts(rows: Iterable[Sequence[object]]) -> list[int]:
    """Where each row begins when all stand one after the other, and where the last one ends."""
    return [0, *itertools.accumulate(map(len, rows))]


def _two_literals(network: LatchNetwork, condition: int) -> tuple[int, ...]:
    """The two literals of latches that a condition is; none where it is something else."""
    cases = ((condition,),) if condition >= 0 else network.checks[-1 - condition]
    return (*cases[0], YES, YES)[:2] if len(cases) == 1 and len(cases[0]) <= 2 else ()


def _encoded(condition: int) -> int:
    return condition if condition >= 0 else CHECK - 1 - condition


def _code(
    network: LatchNetwork, changes: list[list[tuple[int, int]]]
) -> tuple[list[int], list[int], list[int], list[int]]:
    """Where the code of each latch begins, the code, and of each longer rule its head and how many causes it has."""
    alone: list[list[int]] = [[] for _ in range(network.count)]
    beside: list[dict[int, list[int]]] = [{} for _ in range(network.count)]
    counters: list[list[int]] = [[] for _ in range(network.count)]
    heads: list[int] = []
    missing: list[int] = []
    for head, causes in network.rules:
        if len(causes) == 1:
            alone[causes[0]].append(head)
        elif len(causes) == 2:
            for one, other in (causes, causes[::-1]):
                beside[one].setdefault(head, []).append(other)
        else:
            for cause in causes:
                counters[cause].append(len(heads))
            heads.append(head)
            missing.append(len(causes))
    leaves = {
        latch
        for latch, its_changes in enumerate(changes)
        if len(its_changes) == 1 and not (alone[latch] or beside[latch] or counters[latch])
    }
    start: list[int] = []
    code: list[int] = []
    for latch in range(network.count):
        start.append(len(code))
        sections = [
            [[head] for head in alone[latch] if head not in leaves],
            [[head, len(others), *others] for head, others in beside[latch].items() if len(others) > 1],
            [[head, *others] for head, others in beside[latch].items() if len(others) == 1],
            [[head, *changes[head][0]] for head in alone[latch] if head in leaves],
            [[counter] for counter in counters[latch]],
            [list(change) for change in changes[latch]],
        ]
        for section in sections:
            code += [len(section), *itertools.chain(*section)]
    return start, code, heads, missing
