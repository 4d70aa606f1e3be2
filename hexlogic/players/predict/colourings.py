"""Positions that fulfil literals, found or excluded by clingo: the questions behind every statement about a clause.

The symbols are defined in `symbols.lp` by the rules of `clusters`, for those cells only that some literal asks about:

    connected(P,X,X) :- asked(P,X), owns(P,X).
    connected(P,X,Z) :- connected(P,X,Y), adjacent(Y,Z), owns(P,Z).

A *literal* is an atom as text and whether it is to hold. Work is limited by conflicts, not by time, so that an answer
does not depend on the machine.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any, Final, Literal, TypeAlias

import clingo

from hexlogic.errors import HexlogicError, UnknownNameError
from hexlogic.games import PLAYERS, Hex, Player, Position, opponent
from hexlogic.players.geometry import geometry_of

Kind = Literal["any", "turns", "open", "finished"]
KINDS: Final[tuple[Kind, ...]] = ("any", "turns", "open", "finished")
"""All ways to place stones; those with the stone counts of play by turns; those of the latter that nobody has won, and
those that the last stone won."""

SymbolLiteral: TypeAlias = tuple[str, bool]

CONFLICTS: Final = 20_000
"""Conflicts after which a question stays open."""

_SYMBOLS: Final = Path(__file__).with_name("symbols.lp").read_text(encoding="ascii")
_CHOICE: Final = "{ owns(red,X); owns(blue,X) } 1 :- cell(X).\n"
_AHEAD: Final = "ahead(D) :- D = #sum {{ 1,X : owns({leader},X); -1,X : owns({other},X) }}.\n"
_TURNS: Final = ":- ahead(D), D < 0.  :- ahead(D), D > 1.\n"
# The player who has won made the last move, and without some stone of that player nobody has won.
_FINISHED: Final = """\
:- not won(red), not won(blue).
:- won({leader}), not ahead(1).
:- won({other}), not ahead(0).
1 {{ final(X) : owns(P,X) }} 1 :- won(P).
before(P,X) :- won(P), owns(P,X), first(P,X), not final(X).
before(P,Z) :- before(P,Y), adjacent(Y,Z), owns(P,Z), not final(Z).
:- before(P,X), last(P,X).
"""
_EXPRESSIBLE: Final = ("connected(", "owns(", "won(", "bridge(", "to_move(", "touches(")


def check_kind(text: str) -> Kind:
    """The kind of positions of that name. Raises UnknownNameError."""
    for kind in KINDS:
        if kind == text:
            return kind
    raise UnknownNameError.among("kind of positions", text, list(KINDS))


def is_expressible(symbol: str) -> bool:
    """Whether rules define a symbol: not those of circuits and of virtual connections."""
    return symbol.startswith(_EXPRESSIBLE)


def symbol_rules(board: Hex, symbols: Iterable[str]) -> str:
    """The rules and facts that derive some symbols from `owns/2`, in clingo's language."""
    asked = sorted({tuple(s[10:-1].split(",")[:2]) for s in symbols if s.startswith("connected(")})
    bridges = geometry_of(board.rows, board.columns).bridges
    facts = [f"cell(1..{len(board.cells)})."]
    facts += [f"adjacent({cell},{other})." for cell in board.cells for other in board.neighbours(cell)]
    for player in PLAYERS:
        for name, side in zip(("first", "last"), board.sides(player), strict=True):
            facts += [f"{name}({player},{cell})." for cell in sorted(side)]
    facts += [
        f"between({cell + 1},{row[0] + 1},{row[1] + 1},{row[2] + 1})."
        for cell in range(len(bridges))
        for row in bridges[cell]
        if row[0] > cell
    ]
    facts += [f"asked({player},{cell})." for player, cell in asked]
    return _SYMBOLS + " ".join(facts) + "\n"


class Colourings:
    """The positions of one kind on one board, for questions about some symbols.

    `leader` is the player who is level or one stone ahead: the first mover. `always_red` says that red is to move in
    all of them; `rules` derive further atoms to ask about. Raises HexlogicError for a symbol that no rule defines.
    """

    def __init__(
        self,
        board: Hex,
        symbols: Iterable[str],
        kind: Kind,
        leader: Player,
        always_red: bool = False,
        most_empty: int | None = None,
        rules: str = "",
    ) -> None:
        symbols = sorted(set(symbols))
        for symbol in symbols:
            if not is_expressible(symbol):
                raise HexlogicError(
                    f"no rule defines the symbol {symbol}", hint="connected, touches, owns, won, bridge, to_move"
                )
        self.board = board
        names = {"leader": leader, "other": opponent(leader)}
        text = "#project owns/2.\n" + rules + symbol_rules(board, symbols) + _CHOICE + _AHEAD.format(**names)
        if kind != "any":
            text += _TURNS
        if kind == "finished":
            text += _FINISHED.format(**names)
        elif kind == "open":
            text += ":- won(P).\n"
        if most_empty is not None:
            text += f":- #count {{ X : free(X) }} > {most_empty}.\n"
        text += "to_move(red).\n" if always_red else f"to_move(red) :- ahead({0 if leader == 'red' else 1}).\n"
        self._control: Any = clingo.Control(["--warn=none", "--project=auto", f"--solve-limit={CONFLICTS}"])
        self._control.add("base", [], text)
        self._control.ground([("base", [])])
        self._shown = [
            clingo.Function("owns", [clingo.Function(p), clingo.Number(c)]) for p in PLAYERS for c in board.cells
        ]

    def find(self, literals: Sequence[SymbolLiteral]) -> Position | bool | None:
        """A position that fulfils all literals; False when there is none; None when the question stays open."""
        found, result = self._solve(literals, 1)
        if found:
            return found[0]
        return None if result.unknown or result.interrupted else False

    def some(self, literals: Sequence[SymbolLiteral], most: int) -> tuple[list[Position], bool]:
        """Up to `most` different positions that fulfil all literals, and whether these are all of them."""
        found, result = self._solve(literals, most + 1)
        return found[:most], bool(result.exhausted) and len(found) <= most

    def _solve(self, literals: Sequence[SymbolLiteral], models: int) -> tuple[list[Position], Any]:
        """The positions of so many models at most, and clingo's result."""
        positions: list[Position] = []
        self._control.configuration.solve.models = models
        result = self._control.solve(
            assumptions=[(clingo.parse_term(atom), holds) for atom, holds in literals],
            on_model=lambda model: positions.append(self._position(model)),
        )
        return positions, result

    def _position(self, model: Any) -> Position:
        stones: dict[str, set[int]] = {player: set() for player in PLAYERS}
        for atom in self._shown:
            if model.contains(atom):
                stones[atom.arguments[0].name].add(atom.arguments[1].number)
        return Position(self.board, frozenset(stones["red"]), frozenset(stones["blue"]))
