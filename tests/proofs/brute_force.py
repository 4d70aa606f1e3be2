"""Every position of a board by brute force: the truth that proofs are compared with. Shares no code with the proofs.

clingo grounds the program over a choice of stones. Each ground atom becomes the set of positions in which it is true:
an integer with one bit for each position. `not` is the complement, a body the intersection, a head the union of its
bodies; what depends on itself is computed until nothing is added.
"""

from __future__ import annotations

import functools
from collections.abc import Sequence

import clingo
import networkx as nx
import numpy as np

from hexlogic.games import PLAYERS, Game, Player
from hexlogic.language import Program

__all__ = ["answers", "referee_answers"]

Answers = dict[Player, int]
"""For each player the positions in which the player has won, one bit each; blank, red, blue are digits to base 3."""


@functools.cache
def _stones(game: Game) -> dict[tuple[Player, int], int]:
    """For each stone the positions in which it is there."""
    numbers = np.arange(3 ** len(game.cells))
    return {
        (player, cell): _bits(numbers // 3**place % 3 == digit)
        for place, cell in enumerate(game.cells)
        for digit, player in enumerate(PLAYERS, start=1)
    }


def _bits(flags: np.ndarray) -> int:
    return int.from_bytes(np.packbits(flags, bitorder="little").tobytes(), "little")


@functools.cache
def referee_answers(game: Game) -> Answers:
    """What the game's own referee says of each position."""
    count, cells = 3 ** len(game.cells), game.cells
    stones = _stones(game)
    found = {}
    for player in PLAYERS:
        rows = np.array([_flags(stones[player, cell], count) for cell in cells]).T
        weights = rows @ (1 << np.arange(len(cells)))
        wins = np.array(
            [
                game.has_won(frozenset(cell for place, cell in enumerate(cells) if number >> place & 1), player)
                for number in range(2 ** len(cells))
            ]
        )
        found[player] = _bits(wins[weights])
    return found


def _flags(bits: int, count: int) -> np.ndarray:
    return np.unpackbits(np.frombuffer(bits.to_bytes(count // 8 + 1, "little"), np.uint8), bitorder="little")[:count]


class _Rules(clingo.Observer):
    def __init__(self) -> None:
        self.bodies: dict[int, list[Sequence[int]]] = {}

    def rule(self, choice: bool, head: Sequence[int], body: Sequence[int]) -> None:
        for atom in head:
            if not choice:
                self.bodies.setdefault(atom, []).append(tuple(body))


def answers(program: Program, game: Game) -> Answers:
    """The positions in which `program`, board included, says that each player has won."""
    text = str(program.with_rules(tuple(rule for rule in program.rules if rule.head is not None)))
    stones = {f"owns({player},{cell})": bits for (player, cell), bits in _stones(game).items()}
    rules, control = _Rules(), clingo.Control(["--warn=none"])
    control.register_observer(rules)
    control.add("base", [], text + "".join(f"{{{stone}}}.\n" for stone in stones))
    control.ground([("base", [])])
    atoms = {str(entry.symbol): entry for entry in control.symbolic_atoms}
    everywhere = (1 << 3 ** len(game.cells)) - 1
    true_in = {atoms[stone].literal: bits for stone, bits in stones.items()}
    _fill(rules.bodies, true_in, everywhere)
    found = {}
    for player in PLAYERS:
        entry = atoms.get(f"wins({player})")
        found[player] = 0 if entry is None else everywhere if entry.is_fact else true_in.get(entry.literal, 0)
    return found


def _fill(bodies: dict[int, list[Sequence[int]]], true_in: dict[int, int], everywhere: int) -> None:
    graph = nx.DiGraph((abs(part), head) for head, parts in bodies.items() for body in parts for part in body)
    graph.add_nodes_from(bodies)
    components = nx.condensation(graph)
    for number in nx.topological_sort(components):
        heads = [head for head in components.nodes[number]["members"] if head in bodies]
        changed = bool(heads)
        while changed:
            changed = False
            for head in heads:
                before = true_in.get(head, 0)
                after = before
                for body in bodies[head]:
                    both = everywhere
                    for part in body:
                        value = true_in.get(abs(part), 0)
                        both &= value if part > 0 else everywhere & ~value
                    after |= both
                if after != before:
                    true_in[head], changed = after, len(heads) > 1
