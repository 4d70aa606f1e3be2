"""Our small graph against networkx, on random graphs."""

from __future__ import annotations

import itertools
from collections.abc import Iterator

import networkx as nx
import pytest
from hypothesis import given
from hypothesis import strategies as st

from hexlogic.language.analysis.graph import Digraph

nodes = st.integers(0, 7)
edges = st.lists(st.tuples(nodes, nodes, st.booleans()), max_size=25)


def peer(given_edges: list[tuple[int, int, bool]]) -> nx.DiGraph[int]:
    graph: nx.DiGraph[int] = nx.DiGraph()
    graph.add_nodes_from(range(8))
    graph.add_edges_from((source, target) for source, target, _ in given_edges)
    return graph


@given(edges)
def test_components_and_their_order(given_edges: list[tuple[int, int, bool]]) -> None:
    found = list(Digraph(given_edges, range(8)).components())
    assert set(found) == {frozenset(component) for component in nx.strongly_connected_components(peer(given_edges))}
    seen: set[int] = set()
    for component in found:
        for node in component:
            assert nx.descendants(peer(given_edges), node) <= seen | component
        seen |= component


@given(edges, st.sets(nodes))
def test_reachability(given_edges: list[tuple[int, int, bool]], roots: set[int]) -> None:
    graph, other = Digraph(given_edges, range(8)), peer(given_edges)
    assert graph.below(roots) == roots.union(*(nx.descendants(other, root) for root in roots))
    assert graph.above(roots) == roots.union(*(nx.ancestors(other, root) for root in roots))


@given(edges, nodes, nodes)
def test_shortest_paths(given_edges: list[tuple[int, int, bool]], start: int, end: int) -> None:
    if nx.has_path(peer(given_edges), start, end):
        path = Digraph(given_edges, range(8)).path(start, end)
        assert len(path) == len(nx.shortest_path(peer(given_edges), start, end))
        assert (path[0], path[-1]) == (start, end)
        assert all(peer(given_edges).has_edge(one, two) for one, two in itertools.pairwise(path))


@given(edges)
def test_an_edge_is_negative_when_one_of_its_copies_is(given_edges: list[tuple[int, int, bool]]) -> None:
    graph = Digraph(given_edges, range(8))
    for source, target, _ in given_edges:
        negative = any(mark for one, two, mark in given_edges if (one, two) == (source, target))
        assert graph.successors(source)[target] == negative


def test_unknown_nodes_reach_nothing() -> None:
    assert Digraph([(1, 2, False)]).below([9]) == frozenset()
    assert 9 not in Digraph([(1, 2, False)])


class Counted:
    """A node that counts how often it is hashed or compared: the operations of a search on a graph."""

    operations = 0

    def __init__(self, number: int) -> None:
        self.number = number

    def __hash__(self) -> int:
        Counted.operations += 1
        return hash(self.number)

    def __eq__(self, other: object) -> bool:
        Counted.operations += 1
        return isinstance(other, Counted) and self.number == other.number


def links(shape: str, size: int) -> Iterator[tuple[int, int]]:
    """A chain, one cycle, or a chain of pairs: what keeps a stack long."""
    yield from itertools.pairwise(range(size))
    if shape == "cycle":
        yield size - 1, 0
    if shape == "pairs":
        yield from ((number + 1, number) for number in range(0, size - 1, 2))


@pytest.mark.parametrize("shape", ["chain", "cycle", "pairs"])
def test_the_search_for_components_takes_linear_many_operations(shape: str) -> None:
    spent = []
    for size in (500, 1_000, 2_000, 4_000):
        nodes = [Counted(number) for number in range(size)]
        graph = Digraph(((nodes[one], nodes[two], False) for one, two in links(shape, size)), nodes)
        Counted.operations = 0
        assert sum(map(len, graph.components())) == size
        spent.append(Counted.operations / size)
    assert max(spent) < 1.1 * min(spent)


@pytest.mark.takes_seconds
def test_a_long_chain_and_a_long_cycle() -> None:
    size = 100_000
    for shape, components in (("chain", size), ("cycle", 1), ("pairs", size // 2)):
        found = list(Digraph((one, two, False) for one, two in links(shape, size)).components())
        assert len(found) == components
        assert frozenset().union(*found) == frozenset(range(size))
