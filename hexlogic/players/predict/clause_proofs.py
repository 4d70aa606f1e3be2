"""What can be proved of a clause: literals that others imply, positions that fulfil it, whether it implies the win."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final, Literal

from hexlogic.games import BLUE, PLAYERS, Hex, Player, Position, opponent
from hexlogic.players.predict.clause import Clause
from hexlogic.players.predict.colourings import Colourings, Kind, SymbolLiteral
from hexlogic.players.predict.perfect import LARGEST, perfect_winner
from hexlogic.players.solver import Solver

Verdict = Literal["sound", "refuted", "open"]

EVERYWHERE: Final = "all ways to place stones"
"""What a clause has to be sound about to be a rule of a rule set."""
_SAMPLES: Final = 12
_SOLVER_CELLS: Final = 62


@dataclass(frozen=True, slots=True)
class Setting:
    """Which positions a statement is about. `leader` is the first mover, `always_red` says that red is to move."""

    board: Hex
    kind: Kind
    leader: Player = BLUE
    always_red: bool = False

    def colourings(
        self,
        literals: Iterable[SymbolLiteral],
        kind: Kind | None = None,
        most_empty: int | None = None,
        rules: str = "",
    ) -> Colourings:
        """Positions of this kind or another, for questions about some literals, and about atoms of further rules."""
        symbols, kind = [atom for atom, _ in literals], kind or self.kind
        return Colourings(self.board, symbols, kind, self.leader, self.always_red, most_empty, rules)

    def to_move(self, position: Position) -> Player:
        """Whose turn it is."""
        if self.always_red:
            return "red"
        level = len(position.red) == len(position.blue)
        return self.leader if level else opponent(self.leader)


@dataclass(frozen=True, slots=True)
class Soundness:
    """Whether a clause implies the win of its player: on positions of some kind, and how that was found out."""

    verdict: Verdict
    about: str
    counter_example: Position | None = None


@dataclass(frozen=True, slots=True)
class Proved:
    """What is known of a clause. `kept` are the literals that are left when redundant ones are dropped one by one;
    `open_literals` counts those whose question stayed open, which are kept. `puzzle` is a position that fulfils the
    clause, `colourings` how many there are, exactly where `all_counted`; `possible` is None where that stayed open."""

    clause: Clause
    kept: tuple[SymbolLiteral, ...]
    redundant: tuple[SymbolLiteral, ...]
    open_literals: int
    possible: bool | None
    puzzle: Position | None
    colourings: int
    all_counted: bool
    soundness: tuple[Soundness, ...]


def shrink(
    literals: Sequence[SymbolLiteral], colourings: Colourings
) -> tuple[tuple[SymbolLiteral, ...], tuple[SymbolLiteral, ...], int]:
    """The literals that are left, those that the others imply, and how many questions stayed open.

    A literal is dropped when no position fulfils the literals that are left and not this one. Negated literals are
    tried first, and of these pairs of far cells before near ones, so that what is left reads well.
    """
    kept = list(literals)
    redundant: list[SymbolLiteral] = []
    unknown = 0
    for literal in sorted(literals, key=lambda literal: (literal[1], literal[0].startswith("owns("), literal[0])):
        rest = [other for other in kept if other != literal]
        found = colourings.find([*rest, (literal[0], not literal[1])])
        if found is False:
            kept = rest
            redundant.append(literal)
        elif found is None:
            unknown += 1
    return tuple(kept), tuple(redundant), unknown


def generalise(clause: Clause, setting: Setting) -> tuple[SymbolLiteral, ...]:
    """A smallest part of the literals of a clause that still says that its player has won, wherever the stones lie.

    The clause must say so itself. Negated literals are dropped first.
    """
    colourings = setting.colourings(clause.literals, "any")
    kept = list(clause.literals)
    for literal in sorted(clause.literals, key=lambda literal: (literal[1], literal[0])):
        rest = [other for other in kept if other != literal]
        if rest and colourings.find([*rest, (f"won({clause.player})", False)]) is False:
            kept = rest
    return tuple(kept)


def prove_clause(clause: Clause, setting: Setting, most: int = 100, solver: Solver | None = None) -> Proved:
    """Everything about one clause; colourings are counted up to `most`. With a solver, a clause on boards beyond 4x4 is
    tried on positions that fulfil it: a counter-example refutes it, and without one its soundness stays open.

    Raises HexlogicError for a symbol that no rule defines.
    """
    positions = setting.colourings(clause.literals)
    puzzle = positions.find(clause.literals)
    if puzzle is False:
        return Proved(clause, clause.literals, (), 0, False, None, 0, True, (Soundness("sound", "it never holds"),))
    kept, redundant, unknown = shrink(clause.literals, positions)
    some, all_counted = positions.some(clause.literals, most)
    return Proved(
        clause,
        kept,
        redundant,
        unknown,
        None if puzzle is None else True,
        puzzle if isinstance(puzzle, Position) else None,
        len(some),
        all_counted,
        _soundness(clause, setting, solver),
    )


def _soundness(clause: Clause, setting: Setting, solver: Solver | None) -> tuple[Soundness, ...]:
    """Three statements: that the clause's player has won, wherever the stones lie; that the player has won where
    somebody has; that the player wins with perfect play. All literals are used, also those that are redundant
    only by turns."""
    found = []
    kept = clause.literals
    without = setting.colourings(kept, "any").find([*kept, (f"won({clause.player})", False)])
    found.append(_verdict(without, EVERYWHERE))
    if setting.kind != "open":
        loses = (f"won({opponent(clause.player)})", True)
        kind: Kind = "turns" if setting.kind == "turns" else "finished"
        counter = setting.colourings(kept, kind).find([*kept, loses])
        about = "every position that somebody has won" if kind == "turns" else "every finished position"
        found.append(_verdict(counter, about))
    cells = len(setting.board.cells)
    if setting.board.size is not None and setting.board.size <= LARGEST:
        found.append(_by_table(clause, kept, setting))
    elif solver is not None and cells <= _SOLVER_CELLS:
        found.append(_by_samples(clause, kept, setting, solver))
    return tuple(found)


def _verdict(counter: Position | bool | None, about: str) -> Soundness:
    if isinstance(counter, Position):
        return Soundness("refuted", about, counter)
    return Soundness("open" if counter is None else "sound", about)


def _by_table(clause: Clause, kept: Sequence[SymbolLiteral], setting: Setting) -> Soundness:
    """All open positions that fulfil the clause, each with the winner of perfect play."""
    about = "every open position, with perfect play"
    positions, all_of_them = setting.colourings(kept, "open").some(kept, 200_000)
    for position in positions:
        if perfect_winner(position, setting.to_move(position)) != clause.player:
            return Soundness("refuted", about, position)
    return Soundness("sound" if all_of_them else "open", about)


def _by_samples(clause: Clause, kept: Sequence[SymbolLiteral], setting: Setting, solver: Solver) -> Soundness:
    most_empty = len(setting.board.cells) if len(setting.board.cells) <= 25 else 20
    colourings = setting.colourings(kept, "open", most_empty)
    positions, all_of_them = colourings.some(kept, _SAMPLES)
    about = f"open positions with at most {most_empty} empty cells, with perfect play, {len(positions)} tried"
    for position in positions:
        solution = solver.solve(position, setting.to_move(position), 2000)
        if solution is not None and solution.winner != clause.player:
            return Soundness("refuted", about, position)
    assert clause.player in PLAYERS
    return Soundness("sound" if all_of_them and not positions else "open", about)
