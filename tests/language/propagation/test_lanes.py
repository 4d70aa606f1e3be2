"""A circuit in 512 lanes against its rules applied again and again, one case after the other."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from hexlogic.errors import StratificationError
from hexlogic.language.ground.program import GroundRule
from hexlogic.language.propagation.circuit import RECURSIVE, bodies_of, circuit
from hexlogic.language.propagation.lanes import LANES, WIDTH, evaluate, new_values

INPUTS, STRATUM = 5, 8


@st.composite
def stratified_rules(draw: st.DrawFn) -> list[GroundRule]:
    """Rules for three strata of atoms, of which each may depend on itself positively, and negatively on those below.
    Atoms 0 to 4 are the inputs. Strata may be copies of each other: recursive parts of one size."""
    rules: list[GroundRule] = []
    for begin in (INPUTS, INPUTS + STRATUM, INPUTS + 2 * STRATUM):
        heads, below = st.integers(begin, begin + STRATUM - 1), st.integers(0, begin - 1)
        positive = st.lists(st.one_of(heads, st.integers(0, INPUTS - 1), below), min_size=1, max_size=4)
        drawn = draw(st.lists(st.tuples(heads, positive, st.lists(below, max_size=2)), max_size=20))
        rules += [GroundRule(head, tuple(dict.fromkeys(some)), tuple(dict.fromkeys(no))) for head, some, no in drawn]
        if draw(st.booleans()):
            twins = ((head, [part for part in some if part < INPUTS or part >= begin]) for head, some, _ in drawn)
            rules += [GroundRule(head + 100, _shifted(some), ()) for head, some in twins if some]
    return rules


def _shifted(parts: list[int]) -> tuple[int, ...]:
    return tuple(dict.fromkeys(part if part < INPUTS else part + 100 for part in parts))


def least(rules: list[GroundRule], inputs: set[int]) -> set[int]:
    """What holds: stratum by stratum, the rules of its atoms until nothing is new."""
    true = set(inputs)
    for begin in (INPUTS, INPUTS + STRATUM, INPUTS + 2 * STRATUM):
        here = [rule for rule in rules if begin <= rule.head % 100 < begin + STRATUM]
        while (
            new := {rule.head for rule in here if true.issuperset(rule.positive) and true.isdisjoint(rule.negative)}
            - true
        ):
            true |= new
    return true


@given(stratified_rules(), st.integers(0, 2**32 - 1))
def test_every_lane_has_the_least_model_of_its_inputs(rules: list[GroundRule], seed: int) -> None:
    wanted = sorted({rule.head for rule in rules})
    made = circuit(bodies_of(rules), range(INPUTS), wanted)
    values = new_values(made.rows)
    lanes = np.random.default_rng(seed).integers(0, 2**64, size=(INPUTS, WIDTH), dtype=np.uint64)
    for _ in range(2):  # what an evaluation leaves behind does not matter
        lanes = ~lanes
        values[2 : 2 + INPUTS] = lanes
        evaluate(values, made.gates, made.sections)
        bits = np.unpackbits(values.view(np.uint8), axis=1, bitorder="little")
        assert bits.shape[1] == LANES
        for lane in range(0, LANES, 37):
            inputs = {atom for atom in range(INPUTS) if bits[made.row_of[atom], lane]}
            found = {atom for atom in wanted if bits[made.row_of[atom], lane]}
            assert found == least(rules, inputs) - inputs


def ring(first: int, size: int) -> list[GroundRule]:
    """Atoms of which each follows from the one before it, and the first one from input 0 too."""
    rules = [GroundRule(first + (number + 1) % size, (first + number, number % INPUTS), ()) for number in range(size)]
    return [GroundRule(first, (0,), ()), *rules]


@pytest.mark.parametrize(("sizes", "recursive"), [((9, 9), 1), ((9, 9, 9), 1), ((9, 4), 2), ((4, 9, 4), 2)])
def test_recursive_parts_of_one_size_take_turns(sizes: tuple[int, ...], recursive: int) -> None:
    firsts = range(10, 10 + 20 * len(sizes), 20)
    rules = [rule for first, size in zip(firsts, sizes, strict=True) for rule in ring(first, size)]
    made = circuit(bodies_of(rules), range(INPUTS), {rule.head for rule in rules})
    part_of = {made.row_of[first + n]: first for first, size in zip(firsts, sizes, strict=True) for n in range(size)}
    sections = [made.gates[begin:end, 0] for begin, end, kind in made.sections.tolist() if kind == RECURSIVE]
    assert len(sections) == recursive
    for heads in sections:
        turns = [part_of[head] for head in heads.tolist() if head in part_of]  # the others join operands
        assert turns == sorted(set(turns)) * (len(turns) // len(set(turns)))


def test_an_atom_that_depends_on_its_own_negation_is_refused() -> None:
    rules = [GroundRule(5, (6,), ()), GroundRule(6, (0,), (5,))]
    with pytest.raises(StratificationError, match="depends on its own negation"):
        circuit(bodies_of(rules), range(INPUTS), [5])
