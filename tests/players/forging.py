"""Certificates with brute force beside them: true ones, mutants of these, and forgeries from nothing."""

from __future__ import annotations

import contextlib
import copy
import itertools
import json
import random
from collections.abc import Iterator
from functools import cache
from typing import Any

from hexlogic.games import BLUE, PLAYERS, RED, Hex, Player, Position, has_won, opponent
from hexlogic.players.solver import (
    Refused,
    Solver,
    check_certificate,
    has_turn,
    make_certificate,
)
from hexlogic.players.solver import checker as checker_module

BOARDS = (Hex(1, 1), Hex(1, 3), Hex(2, 2), Hex(2, 4), Hex(3, 2), Hex(3, 3), Hex(3, 4), Hex(4, 3), Hex(4, 4))
WORDS = ("red", "blue", "full", "semi", "adjacent", "series", "parallel", "fill", "move", "then", "x")


@cache
def solver_of(board: Hex) -> Solver:
    return Solver(board)


@cache
def winning_sets(board: Hex, player: Player) -> tuple[int, ...]:
    """The stones of every minimal win, as masks, found by walking all chordless paths."""
    found = []
    first = {cell for cell in board.cells if (cell - 1) % board.columns == 0}
    last = {cell for cell in board.cells if cell % board.columns == 0}
    if player == BLUE:
        first = set(range(1, board.columns + 1))
        last = set(list(board.cells)[-board.columns :])

    def walk(path: tuple[int, ...]) -> None:
        if path[-1] in last:
            found.append(sum(1 << cell for cell in path))
            return
        for cell in board.neighbours(path[-1]):
            if cell not in path and not set(board.neighbours(cell)) & set(path[:-1]):
                walk((*path, cell))

    for cell in first:
        walk((cell,))
    return tuple(found)


@cache
def wins(board: Hex, red: int, blue: int, mover: Player) -> bool:
    """Whether `mover` wins with best play, by trying everything."""
    own, other = (red, blue) if mover == RED else (blue, red)
    if any(chain & other == chain for chain in winning_sets(board, opponent(mover))):
        return False
    for cell in board.cells:
        if not (red | blue) >> cell & 1:
            after = own | 1 << cell
            if not wins(board, *((after, other) if mover == RED else (other, after)), opponent(mover)):
                return True
    return any(chain & own == chain for chain in winning_sets(board, mover))


def is_true(certificate: dict[str, Any]) -> bool:
    """Whether the winner that a certificate claims is the one of best play."""
    board = Hex(certificate["rows"], certificate["columns"])
    red, blue = frozenset(certificate[RED]), frozenset(certificate[BLUE])
    masks = (sum(1 << cell for cell in stones) for stones in (red, blue))
    assert len(board.cells) <= 16
    mover: Player = certificate["to_move"]
    if len(board.cells) - len(red | blue) > 9:  # too many positions for brute force: the solver, which it judges
        return bool(solver_of(board).winner(Position(board, red, blue), mover) == certificate["winner"])
    best = mover if wins(board, *masks, mover) else opponent(mover)
    return bool(certificate["winner"] == best)


def certificates(chance: random.Random) -> Iterator[dict[str, Any]]:
    """Certificates of random positions that nobody has won."""
    while True:
        board = chance.choice(BOARDS)
        count = chance.randint(0, max(0, len(board.cells) - 2))
        cells = chance.sample(list(board.cells), count)
        position = Position(board, frozenset(cells[::2]), frozenset(cells[1::2]))
        if not any(has_won(position, player) for player in PLAYERS):
            movers = [mover for mover in PLAYERS if has_turn(mover, len(position.red), len(position.blue))]
            yield json.loads(json.dumps(make_certificate(solver_of(board), position, chance.choice(movers))))


def places(value: Any) -> list[tuple[Any, Any]]:
    """Each container inside a value with each of its keys or places."""
    found: list[tuple[Any, Any]] = []
    waiting = [value]
    while waiting:
        part = waiting.pop()
        keys = list(part) if isinstance(part, dict) else list(range(len(part))) if isinstance(part, list) else []
        found += [(part, key) for key in keys]
        waiting += [part[key] for key in keys]
    return found


def mutant(certificate: dict[str, Any], chance: random.Random) -> dict[str, Any]:
    """The certificate with its claim or its tree changed, or both."""
    changed = copy.deepcopy(certificate)
    last = changed["rows"] * changed["columns"] + 1
    player = chance.choice(PLAYERS)
    stones = changed[player]
    match chance.randrange(10):
        case 0:
            changed["winner"] = opponent(changed["winner"])
        case 1:
            changed["to_move"] = opponent(changed["to_move"])
        case 2:
            changed[chance.choice(["rows", "columns"])] = chance.choice([1, 2, 3, 4, 0, -3, 10**9])
        case 3:
            changed["rows"], changed["columns"] = changed["columns"], changed["rows"]
        case 4:
            stones.append(chance.randint(-1, last + 1))
        case 5 if stones:
            stones.pop(chance.randrange(len(stones)))
        case 6 if stones:
            changed[opponent(player)].append(stones.pop(chance.randrange(len(stones))))
        case 7:
            changed[RED], changed[BLUE] = changed[BLUE], changed[RED]
        case _:
            change(*chance.choice(places(changed)), changed, chance, last)
    for _ in range(chance.choice([0, 0, 1, 2])):
        change(*chance.choice(places(changed)), changed, chance, last)
    return changed


def change(part: Any, key: Any, whole: Any, chance: random.Random, last: int) -> None:
    """Change what a container has in a place: another number or word, gone, twice, or what stands elsewhere."""
    value = part[key]
    how = chance.randrange(4)
    if isinstance(value, int) and how:
        part[key] = chance.choice([value + 1, value - 1, chance.randint(0, last), -value, float(value), True])
    elif isinstance(value, str) and how:
        part[key] = chance.choice(WORDS)
    elif how == 1:
        del part[key]
    elif how == 2 and isinstance(part, list):
        part.insert(chance.randint(0, len(part)), copy.deepcopy(value))
    elif how == 2 and isinstance(part, dict):
        part[str(chance.randint(0, last))] = part.pop(key)
    else:
        other, place = chance.choice(places(whole))
        part[key] = copy.deepcopy(other[place])


def attack(seed: int, many: int) -> tuple[int, int]:
    """Judge so many mutants; how many differ from their original and how many of them are accepted, all true."""
    chance = random.Random(seed)
    originals = list(itertools.islice(certificates(chance), max(20, many // 50)))
    for original in originals:
        check_certificate(original)
        assert is_true(original)
    judged = accepted = 0
    for _ in range(many):
        original = chance.choice(originals)
        spoiled = mutant(original, chance)
        if spoiled == original and json.dumps(spoiled) == json.dumps(original):
            continue
        judged += 1
        try:
            needed = check_certificate(spoiled)
        except Refused:
            continue
        accepted += 1
        assert is_true(spoiled), json.dumps(spoiled)
        taken = {*spoiled[RED], *spoiled[BLUE]}
        assert needed <= set(range(1, spoiled["rows"] * spoiled["columns"] + 1)) - taken
    return judged, accepted


class Forger:
    """Makes certificates of false claims as a wrong deduction would: each rule is applied, a condition left out."""

    def __init__(self, chance: random.Random, board: Hex, winner: Player) -> None:
        self.chance, self.board, self.winner = chance, board, winner
        self.last = board.rows * board.columns + 1

    def sides(self, cell: int) -> set[int]:
        """The edges of the winner, 0 and the last node, that a cell is at."""
        row, column = divmod(cell - 1, self.board.columns)
        line, lines = (column, self.board.columns) if self.winner == RED else (row, self.board.rows)
        return {edge for edge, there in ((0, line == 0), (self.last, line == lines - 1)) if there}

    def derivation(self, own: set[int], blank: set[int]) -> list[dict[str, Any]]:
        """Steps along a random walk from edge to edge; a step that is a semi-connection is made full somehow."""
        steps: list[dict[str, Any]] = []
        group = {cell: next(min(g) for g in self.board.groups(frozenset(own)) if cell in g) for cell in own}

        def add(rule: str, kind: str, ends: tuple[int, int], carrier: set[int], *premises: int, **more: Any) -> int:
            rest = {"rule": rule, "kind": kind, "ends": list(ends), "carrier": sorted(carrier)}
            steps.append(rest | {"middle": None, "lent": [], "premises": list(premises)} | more)
            return len(steps) - 1

        def carrier(step: int) -> set[int]:
            return set(steps[step]["carrier"])

        def near(node: int) -> list[int]:
            cells = {cell for cell in own if group[cell] == node} or {node}
            around = {c for cell in cells if 0 < cell < self.last for c in self.board.neighbours(cell)} & (own | blank)
            if node == 0:
                around = {cell for cell in own | blank if 0 in self.sides(cell)}
            found = {group.get(cell, cell) for cell in around} - {node}
            return sorted(found | ({self.last} & set().union(*map(self.sides, cells)) if node else set()))

        at = self.chance.choice(near(0) or [self.last])
        so_far = add("adjacent", "full", (0, at), set())
        while at != self.last and len(steps) < 30:
            onwards = near(at)
            if not onwards or self.chance.random() < 0.03:
                onwards = [self.last]
            far = self.chance.choice([self.last] * (self.last in onwards) or onwards)
            next_step = add("adjacent", "full", (at, far), set())
            used = carrier(so_far) | carrier(next_step)
            lent = [self.chance.sample(sorted(blank), 2)] if len(blank) > 1 and self.chance.random() < 0.1 else []
            used |= {cell for pair in lent for cell in pair}
            more = {"middle": at, "lent": lent}
            if at in own:
                so_far = add("series", "full", (0, far), used, so_far, next_step, **more)
            else:
                if self.chance.random() < 0.8:
                    used |= {at}
                kind = self.chance.choice(["semi", "semi", "semi", "full"])
                so_far = add("series", kind, (0, far), used, so_far, next_step, **more)
                if kind == "semi" and self.chance.random() < 0.7:
                    premises = [so_far] * self.chance.randint(0, 2)
                    shown = used if self.chance.random() < 0.7 else set()
                    so_far = add("parallel", "full", (0, far), shown, *premises)
            at = far
        if self.chance.random() < 0.2:
            steps[-1]["premises"] = [len(steps) - 1, *steps[-1]["premises"][1:]]
        if self.chance.random() < 0.05:
            steps[-1].update(rule="adjacent", ends=[0, self.last], kind="full")
        return steps if self.chance.random() < 0.97 else steps[:-1]

    def node(self, stones: dict[int, Player], mover: Player, depth: int) -> dict[str, Any]:
        node: dict[str, Any] = {}
        stones = dict(stones)
        empty = [cell for cell in self.board.cells if cell not in stones]
        while len(empty) > 1 and self.chance.random() < 0.2:
            cells = self.chance.sample(empty, self.chance.choice([1, 2]))
            node.setdefault("fill", []).append([self.winner, *cells])
            stones |= dict.fromkeys(cells, self.winner)
            empty = [cell for cell in empty if cell not in stones]
        own = {cell for cell, player in stones.items() if player == self.winner}
        blank = set(empty if self.chance.random() < 0.9 else self.board.cells) - own
        if not empty or depth == 0 or self.chance.random() < 0.4:
            node["connection"] = self.derivation(own, blank)
        elif mover == self.winner:
            cell = self.chance.choice(empty if self.chance.random() < 0.9 else list(self.board.cells))
            after = {**stones, cell: mover}
            node |= {"move": cell, "then": self.node(after, opponent(mover), depth - 1)}
        else:
            replies = self.chance.sample(empty, self.chance.randint(0, len(empty)))
            node["threats"] = [self.derivation(own, blank) for _ in range(self.chance.randint(0, 2))]
            node["replies"] = {
                str(cell): self.node({**stones, cell: mover}, opponent(mover), depth - 1) for cell in replies
            }
        return node


def forge(chance: random.Random) -> dict[str, Any]:
    """A certificate in which the side that loses is said to win."""
    board = chance.choice([Hex(1, 1), Hex(1, 2), Hex(2, 2), Hex(2, 2), Hex(2, 3), Hex(3, 2), Hex(3, 3)])
    cells = chance.sample(list(board.cells), chance.randint(0, len(board.cells)))
    stones: dict[int, Player] = {cell: PLAYERS[number % 2] for number, cell in enumerate(cells)}
    red, blue = ([cell for cell in sorted(cells) if stones[cell] == player] for player in PLAYERS)
    mover: Player = chance.choice([p for p in PLAYERS if has_turn(p, len(red), len(blue))])
    certificate: dict[str, Any] = {"format": checker_module.FORMAT, "rows": board.rows, "columns": board.columns}
    certificate |= {"red": red, "blue": blue, "to_move": mover, "winner": RED}
    certificate["winner"] = BLUE if is_true(certificate) else RED
    forger = Forger(chance, board, certificate["winner"])
    return certificate | {"tree": forger.node(stones, mover, 2)}


def forgeries_accepted(seed: int, many: int) -> int:
    chance = random.Random(seed)
    accepted = 0
    for _ in range(many):
        with contextlib.suppress(Refused):
            check_certificate(forge(chance))
            accepted += 1
    return accepted
