"""Union-find, breadth-first search and networkx must agree; so must Hex's theorem of exactly one winner."""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise

import networkx as nx
from hypothesis import given
from hypothesis import strategies as st

from hexlogic.games import (
    BLUE,
    PLAYERS,
    RED,
    Hex,
    Player,
    Position,
    groups,
    has_won,
    opponent,
    winner,
    winning_chain,
)
from tests.agreement import one_per_column_chain


def graph_of(position: Position, player: Player) -> nx.Graph[int | str]:
    stones = position.stones(player)
    graph: nx.Graph[int | str] = nx.Graph()
    graph.add_nodes_from(stones)
    graph.add_edges_from((c, d) for c in stones for d in position.game.neighbours(c) if d in stones)
    return graph


@given(data=st.data())
def test_three_judges_agree(data: st.DataObject, positions: Callable[..., st.SearchStrategy[Position]]) -> None:
    position = data.draw(positions(8))
    for player in PLAYERS:
        graph = graph_of(position, player)
        first, last = position.game.sides(player)
        parts = [set(part) for part in nx.connected_components(graph)]
        assert sorted(map(sorted, parts)) == sorted(map(list, groups(position, player)))
        joined = any(part & first and part & last for part in parts)
        chain = winning_chain(position, player)
        assert has_won(position, player) == joined == (chain is not None)
        if chain is not None:
            assert set(chain) <= position.stones(player)
            assert all(b in position.game.neighbours(a) for a, b in pairwise(chain))
            assert [c for c in chain if c in first] == [chain[0]]
            assert [c for c in chain if c in last] == [chain[-1]]
            graph.add_edges_from(("first", c) for c in first if c in graph)
            graph.add_edges_from(("last", c) for c in last if c in graph)
            assert nx.shortest_path_length(graph, "first", "last") == len(chain) + 1


@given(data=st.data())
def test_a_full_board_has_exactly_one_winner(
    data: st.DataObject, positions: Callable[..., st.SearchStrategy[Position]]
) -> None:
    position = data.draw(positions(8, full=True))
    assert has_won(position, RED) != has_won(position, BLUE)
    assert winner(position) == (RED if has_won(position, RED) else BLUE)


@given(data=st.data())
def test_mirrored_boards_change_the_winner(
    data: st.DataObject, positions: Callable[..., st.SearchStrategy[Position]]
) -> None:
    position = data.draw(positions(8))
    mirrored = position.transposed()
    won = winner(position)
    assert winner(mirrored) == (None if won is None else opponent(won))
    for player in PLAYERS:
        assert one_per_column_chain(position, player) == one_per_column_chain(mirrored, opponent(player))
        assert not one_per_column_chain(position, player) or has_won(position, player)


@given(data=st.data())
def test_one_per_column_is_a_path_in_a_layered_graph(
    data: st.DataObject, positions: Callable[..., st.SearchStrategy[Position]]
) -> None:
    position = data.draw(positions(8))
    game, graph = position.game, nx.DiGraph()  # type: ignore[var-annotated]
    graph.add_nodes_from(["first", "last"])
    for cell in position.red:
        graph.add_edges_from((cell, d) for d in game.neighbours(cell) if game.column(d) == game.column(cell) + 1)
        if game.column(cell) == 1:
            graph.add_edge("first", cell)
        if game.column(cell) == game.columns:
            graph.add_edge(cell, "last")
    graph.remove_nodes_from([c for c in list(graph) if isinstance(c, int) and c not in position.red])
    assert one_per_column_chain(position, RED) == nx.has_path(graph, "first", "last")


def test_small_boards() -> None:
    assert winner(Position(Hex(1, 1))) is None
    one = Position(Hex(1, 1), blue=frozenset({1}))
    assert (winner(one), winning_chain(one, BLUE), winning_chain(one, RED)) == (BLUE, (1,), None)
    # On one column a single red stone joins the sides, and blue needs them all.
    assert winner(Position(Hex(4, 1), red=frozenset({3}))) == RED
    assert winner(Position(Hex(4, 1), blue=frozenset({1, 2, 3}))) is None
    assert winning_chain(Position(Hex(4, 1), blue=frozenset({1, 2, 3, 4})), BLUE) == (1, 2, 3, 4)
    assert winner(Position(Hex(1, 4), blue=frozenset({3}))) == BLUE
