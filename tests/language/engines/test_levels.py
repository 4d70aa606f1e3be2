"""Levels of a graph, compared with the condensation of networkx."""

from __future__ import annotations

import networkx as nx
import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from hexlogic.language.ground.levels import longest_ways

EDGES = st.integers(1, 12).flatmap(
    lambda count: st.tuples(
        st.just(count), st.lists(st.tuples(st.integers(0, count - 1), st.integers(0, count - 1)), max_size=30)
    )
)


@settings(deadline=None)  # the first call compiles
@given(EDGES)
def test_levels_are_the_longest_ways_in_the_condensation(graph: tuple[int, list[tuple[int, int]]]) -> None:
    count, edges = graph
    below = np.array([low for low, _ in edges], dtype=np.int32)
    above = np.array([high for _, high in edges], dtype=np.int32)
    start = np.zeros(count + 1, dtype=np.int32)
    np.cumsum(np.bincount(below, minlength=count), out=start[1:])
    found = longest_ways(start, above[np.argsort(below, kind="stable")])
    whole = nx.DiGraph(edges)
    whole.add_nodes_from(range(count))
    condensed = nx.condensation(whole)
    level: dict[int, int] = {}
    for component in nx.topological_sort(condensed):
        level[component] = max((level[one] + 1 for one in condensed.predecessors(component)), default=0)
    assert found.tolist() == [level[condensed.graph["mapping"][node]] for node in range(count)]
