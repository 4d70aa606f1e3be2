"""Positions that fulfil literals, found or excluded by clingo: the questions behind every statement about a clause.

The symbols are defined in `symbols.lp` by the rules of `clusters`, for those cells only that some literal asks about:

    connected(P,X,X) :- asked(P,X), owns(P,X).
    connected(P,X,Z) :- connected(P,X,Y), adjacent(Y,Z), owns(P,Z).

A *literal* is an atom as text and whether it is to hold. Work is limited by conflicts, not by time, so that an answer
does not depend on the machine.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final, Literal, TypeAlias, get_args

import clingo

from hexlogic.errors import HexlogicError, UnknownNameError
from hexlogic.games import BLUE, PLAYERS, RED, Hex, Player, Position, opponent
from hexlogic.players.evaluation.symbols import bridge_rows

Kind = Literal["any", "turns", "open", "finished"]
"""All ways to place stones; those with the stone counts of play by turns; those of the latter that nobody has won, and
those that the last stone won."""
KINDS: Final[tuple[Kind, ...]] = get_args(Kind)

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
_OPEN: Final = ":- won(P).\n"
_OF_KIND: Final[dict[Kind, str]] = {"any": "", "turns": _TURNS, "open": _TURNS + _OPEN, "finished": _TURNS + _FINISHED}
_EXPRESSIBLE: Final = ("connected(", "owns(", "won(", "bridge(", "to_move(", "touches(")


@dataclass(frozen=True, slots=True)
class Setting:
    """Which positions a statement is about.

    `leader` is the player who is level or one stone ahead, the first mover; `always_red` says that red is to move.
    """

    board: Hex
    kind: Kind
    leader: Player = BLUE
    always_red: bool = False

    def of_kind(self, kind: Kind) -> Setting:
        """The same for positions of another kind."""
        return replace(self, kind=kind)

    def to_move(self, position: Position) -> Player:
        """Whose turn it is."""
        level = len(position.red) == len(position.blue)
        return RED if self.always_red else self.leader if level else opponent(self.leader)


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
    """The rules and facts that derive some symbols from `owns/2`, in clingo's language.

    Raises HexlogicError for a symbol that no rule defines.
    """
    symbols = sorted(set(symbols))
    for symbol in symbols:
        if not is_expressible(symbol):
            hint = "train with connected, touches, owns, won, bridge, to_move"
            raise HexlogicError(f"no rule defines the symbol {symbol}", hint=hint)
    asked = sorted({tuple(s[10:-1].split(",")[:2]) for s in symbols if s.startswith("connected(")})
    facts = [f"cell(1..{len(board.cells)})."]
    facts += [f"adjacent({cell},{other})." for cell in board.cells for other in board.neighbours(cell)]
    for player in PLAYERS:
        for name, side in zip(("first", "last"), board.sides(player), strict=True):
            facts += [f"{name}({player},{cell})." for cell in sorted(side)]
    facts += [f"between({','.join(map(str, row))})." for row in bridge_rows(board)]
    facts += [f"asked({player},{cell})." for player, cell in asked]
    return _SYMBOLS + " ".join(facts) + "\n"


class Colourings:
    """The positions of a setting, for questions about some symbols.

    With `most_empty`, those with at most so many empty cells; `rules` derive further atoms to ask about. Raises
    HexlogicError for a symbol that no rule defines.
    """

    def __init__(
        self, setting: Setting, symbols: Iterable[str], most_empty: int | None = None, rules: str = ""
    ) -> None:
        self.board, leader = setting.board, setting.leader
        of_kind = (_AHEAD + _OF_KIND[setting.kind]).format(leader=leader, other=opponent(leader))
        text = "#project owns/2.\n" + rules + symbol_rules(self.board, symbols) + _CHOICE + of_kind
        if most_empty is not None:
            text += f":- #count {{ X : free(X) }} > {most_empty}.\n"
        text += "to_move(red).\n" if setting.always_red else f"to_move(red) :- ahead({0 if leader == RED else 1}).\n"
        self._control = clingo.Control(["--warn=none", "--project=auto", f"--solve-limit={CONFLICTS}"])
        self._control.add("base", [], text)
        self._control.ground([("base", [])])
        self._stones = {
            player: {clingo.parse_term(f"owns({player},{cell})"): cell for cell in self.board.cells}
            for player in PLAYERS
        }

    def find(self, literals: Sequence[SymbolLiteral]) -> Position | bool | None:
        """A position that fulfils all literals; False when there is none; None when the question stays open."""
        positions, exhausted = self.some(literals, 1, is_last=lambda position: True)
        return positions[0] if positions else False if exhausted else None

    def some(
        self,
        literals: Sequence[SymbolLiteral],
        most: int,
        is_last: Callable[[Position], bool] = lambda position: False,
    ) -> tuple[list[Position], bool]:
        """Up to `most` different positions that fulfil all literals, up to one that `is_last`, and whether these are
        all of them."""
        positions: list[Position] = []
        assert isinstance(self._control.configuration.solve, clingo.Configuration)
        self._control.configuration.solve.models = most + 1
        assumptions = [(clingo.parse_term(atom), holds) for atom, holds in literals]
        with self._control.solve(assumptions, yield_=True) as handle:
            for model in handle:
                red, blue = (
                    frozenset(cell for atom, cell in self._stones[player].items() if model.contains(atom))
                    for player in PLAYERS
                )
                if len(positions) == most:
                    return positions, False
                positions.append(Position(self.board, red, blue))
                if is_last(positions[-1]):
                    return positions, False
            return positions, bool(handle.get().exhausted)
