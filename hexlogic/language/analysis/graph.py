"""Directed graphs of predicates: strongly connected components and reachability; union-find.

networkx has all of this and serves as the oracle in the tests. It is not used here because importing it takes longer
than most measured queries, and every measured run is a fresh process.
"""

from collections.abc import Hashable, Iterable, Iterator, Mapping
from typing import Generic, TypeVar

Node = TypeVar("Node", bound=Hashable)


class Digraph(Generic[Node]):
    """A graph whose edges may be marked negative; nodes and edges keep the order in which they came.

    >>> graph = Digraph([("wins", "reach", False), ("reach", "reach", False), ("reach", "owns", False)])
    >>> list(graph.components())
    [frozenset({'owns'}), frozenset({'reach'}), frozenset({'wins'})]
    >>> sorted(graph.below(["reach"]))
    ['owns', 'reach']
    """

    def __init__(self, edges: Iterable[tuple[Node, Node, bool]], nodes: Iterable[Node] = ()) -> None:
        self._successors: dict[Node, dict[Node, bool]] = {node: {} for node in nodes}
        self._predecessors: dict[Node, dict[Node, bool]] = {node: {} for node in nodes}
        for source, target, negative in edges:
            for index, start, end in ((self._successors, source, target), (self._predecessors, target, source)):
                index.setdefault(end, {})
                ends = index.setdefault(start, {})
                ends[end] = ends.get(end, False) or negative

    def __contains__(self, node: object) -> bool:
        return node in self._successors

    def successors(self, node: Node) -> Mapping[Node, bool]:
        """The targets of the edges that leave `node`, each with whether such an edge is negative."""
        return self._successors[node]

    def below(self, roots: Iterable[Node]) -> frozenset[Node]:
        """The roots and everything that can be reached from them."""
        return frozenset(_reached(roots, self._successors))

    def above(self, roots: Iterable[Node]) -> frozenset[Node]:
        """The roots and everything that reaches one of them."""
        return frozenset(_reached(roots, self._predecessors))

    def path(self, start: Node, end: Node) -> list[Node]:
        """A shortest path, both ends included; call it only where there is one."""
        came_from = _reached([start], self._successors)
        steps = [end]
        while steps[-1] != start:
            steps.append(came_from[steps[-1]])
        return steps[::-1]

    def components(self) -> Iterator[frozenset[Node]]:
        """The strongly connected components, each after those that it reaches (Tarjan 1972, without recursion).

        The number of steps is linear in the nodes and edges: each node is pushed and popped once, each edge is looked
        at once.
        """
        order: dict[Node, int] = {}
        low: dict[Node, int] = {}
        stack: list[Node] = []
        done: set[Node] = set()
        for root in self._successors:
            if root in order:
                continue
            order[root] = low[root] = len(order)
            stack.append(root)
            walk = [(root, iter(self._successors[root]))]
            while walk:
                node, targets = walk[-1]
                for target in targets:
                    if target not in order:
                        order[target] = low[target] = len(order)
                        stack.append(target)
                        walk.append((target, iter(self._successors[target])))
                        break
                    if target not in done:
                        low[node] = min(low[node], order[target])
                else:
                    walk.pop()
                    if walk:
                        low[walk[-1][0]] = min(low[walk[-1][0]], low[node])
                    if low[node] == order[node]:
                        component: set[Node] = set()
                        while node not in component:
                            component.add(stack.pop())
                        done |= component
                        yield frozenset(component)

    def on_cycles(self) -> dict[Node, frozenset[Node]]:
        """The nodes that can be reached from themselves, each with its component."""
        return {
            node: component
            for component in self.components()
            for node in component
            if len(component) > 1 or node in self._successors[node]
        }


class UnionFind(dict[Node, Node]):
    """Disjoint sets: the parent of each node, itself for the representative of its set."""

    def find(self, node: Node) -> Node:
        """The representative of the node's set; a node that is new is a set of its own."""
        self.setdefault(node, node)
        while self[node] != node:
            self[node] = self[self[node]]
            node = self[node]
        return node

    def join(self, first: Node, second: Node) -> None:
        """Make the sets of two nodes one; the representative is that of the first."""
        root = self.find(first)
        self[self.find(second)] = root


def _reached(roots: Iterable[Node], edges: Mapping[Node, Mapping[Node, bool]]) -> dict[Node, Node]:
    """What can be reached, breadth first, each node with the one from which it was reached first."""
    came_from = {root: root for root in roots if root in edges}
    for node in (queue := list(came_from)):
        for target in edges[node]:
            if target not in came_from:
                came_from[target] = node
                queue.append(target)
    return came_from
