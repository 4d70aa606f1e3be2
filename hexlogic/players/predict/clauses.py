"""A clause of a model as a rule, and what clingo proves of it: literals that others imply, positions that fulfil it,
whether it implies the win.

The symbols are defined in `symbols.lp` by the rules of `clusters`, for those cells only that some literal asks about.
A *literal* is an atom as text and whether it is to hold. Work is limited by conflicts, not by time, so that an answer
does not depend on the machine.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from pathlib import Path
from typing import Final, Literal, TypeAlias, get_args

import clingo
import numpy as np

from hexlogic.errors import HexlogicError
from hexlogic.games import BLUE, PLAYERS, RED, Hex, Player, Position, opponent
from hexlogic.players.evaluation.clause_model import Predictor
from hexlogic.players.evaluation.prediction_file import StoredClause, StoredSoundness
from hexlogic.players.evaluation.symbols import bridge_rows

Kind = Literal["any", "turns", "open", "finished"]
"""All ways to place stones; those with the stone counts of play by turns; those of the latter that nobody has won, and
those that the last stone won."""
KINDS: Final[tuple[Kind, ...]] = get_args(Kind)

SymbolLiteral: TypeAlias = tuple[str, bool]

CONFLICTS: Final = 20_000
"""Conflicts after which a question stays open."""

_SYMBOLS = Path(__file__).with_name("symbols.lp").read_text(encoding="ascii")
_POSITIONS = Path(__file__).with_name("positions.lp").read_text(encoding="ascii")
_EXPRESSIBLE: Final = ("connected(", "owns(", "won(", "bridge(", "to_move(", "touches(")


@dataclass(frozen=True, slots=True)
class PositionSpace:
    """Which positions a statement is about. `leader` is the player who is level or one stone ahead, the first mover;
    `always_red` says that red is to move."""

    board: Hex
    kind: Kind
    leader: Player = BLUE
    always_red: bool = False


def symbol_rules(board: Hex, literals: Iterable[SymbolLiteral]) -> str:
    """The rules and facts that derive the symbols of some literals from `owns/2`, in clingo's language. Raises
    HexlogicError for a symbol that no rule defines."""
    symbols = sorted({atom for atom, _ in literals})
    for symbol in symbols:
        if not symbol.startswith(_EXPRESSIBLE):
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
    """Positions of a space, for questions about the symbols of literals; `rules` derive further atoms to ask about.
    Raises HexlogicError for a symbol that no rule defines."""

    def __init__(self, space: PositionSpace, literals: Iterable[SymbolLiteral], rules: str = "") -> None:
        self.board, kind = space.board, space.kind
        parts = ["base", *([] if kind == "any" else ["turns"]), *([kind] if kind in ("open", "finished") else [])]
        parts += ["red_moves" if space.always_red else "in_turn"]
        players = [f"--const=leader={space.leader}", f"--const=other={opponent(space.leader)}"]
        limits = ["--warn=none", "--project=auto", "--models=0", f"--solve-limit={CONFLICTS}"]
        self._control = clingo.Control([*players, *limits])
        self._control.add("base", [], rules + symbol_rules(self.board, literals))
        self._control.add("base", [], _POSITIONS)
        self._control.ground([(part, []) for part in parts])
        self._stones = {
            player: {clingo.parse_term(f"owns({player},{cell})"): cell for cell in self.board.cells}
            for player in PLAYERS
        }

    def positions(self, literals: Iterable[SymbolLiteral]) -> Iterator[Position | None]:
        """The different positions that fulfil all literals, and None last where there may be more of them."""
        assumptions = [(clingo.parse_term(atom), holds) for atom, holds in literals]
        with self._control.solve(assumptions, yield_=True) as handle:
            for model in handle:
                red, blue = (
                    frozenset(cell for atom, cell in self._stones[player].items() if model.contains(atom))
                    for player in PLAYERS
                )
                yield Position(self.board, red, blue)
            if not handle.get().exhausted:
                yield None

    def find(self, literals: Iterable[SymbolLiteral]) -> Position | Literal[False] | None:
        """A position that fulfils all literals; False when there is none; None when the question stays open."""
        return next(self.positions(literals), False)


EVERYWHERE: Final = "all ways to place stones"
"""The positions on which a clause must be sound to be a rule of a rule set."""

_CELL: Final = re.compile(r"(?<=,)\d+(?=[,)])")


@dataclass(frozen=True, slots=True)
class Clause:
    """One clause: `literals` (an atom and whether it is to hold), the weight of its vote (positive for red), the share
    of the sample's positions that it covers, and the share of these that its player wins (None where it covers none).
    """

    number: int
    literals: tuple[SymbolLiteral, ...]
    weight: int
    coverage: float
    precision: float | None

    @property
    def player(self) -> Player:
        """Whom the clause votes for."""
        return RED if self.weight > 0 else BLUE

    def rule(self, literals: Sequence[SymbolLiteral] | None = None) -> str:
        """The clause, or what is left of its literals, as a rule."""
        body = ", ".join(map(literal_text, self.literals if literals is None else literals))
        return f"clause({self.number}) :- {body}." if body else f"clause({self.number})."


def literal_text(literal: SymbolLiteral) -> str:
    """A literal in the rule language.

    >>> literal_text(("connected(red,1,9)", False))
    'not connected(red,1,9)'
    """
    return literal[0] if literal[1] else f"not {literal[0]}"


def readable(board: Hex, literal: SymbolLiteral) -> str:
    """A literal for people, with cell names in the place of numbers.

    >>> readable(Hex.square(3), ("connected(red,1,9)", False))
    'not connected(red,a1,c3)'
    """
    atom = literal[0]
    if atom.startswith(("connected(", "owns(", "bridge(")):
        atom = _CELL.sub(lambda match: board.cell_name(int(match.group())), atom)
    return literal_text((atom, literal[1]))


def clauses_of(predictor: Predictor) -> list[Clause]:
    """The clauses of a model by their weight in the decisions on its sample: the largest |weight| * coverage first."""
    model = predictor.model
    fired = model.fired(predictor.sample_truths).astype(bool)
    red = (model.sample["winners"] == 1) != predictor.sample_seen[2]
    clauses = []
    for number, (covered, weight) in enumerate(zip(fired.T, model.weights.tolist(), strict=True)):
        count, right = int(covered.sum()), int(np.count_nonzero(covered & (red == (weight > 0))))
        literals = tuple((model.symbols[literal >> 1], not literal & 1) for literal in model.clause(number))
        clauses.append(Clause(number, literals, weight, count / max(1, len(fired)), right / count if count else None))
    return sorted(clauses, key=lambda clause: (-abs(clause.weight) * clause.coverage, clause.number))


def drop_while(
    literals: Sequence[SymbolLiteral], question: Callable[[list[SymbolLiteral], SymbolLiteral], object]
) -> tuple[tuple[SymbolLiteral, ...], tuple[SymbolLiteral, ...], int]:
    """The literals that are left, those that were dropped, and how many questions stayed open.

    A literal is dropped when the `question` about the literals left without it and itself has the answer False; None
    leaves it open. Negated literals are tried first, and of these pairs of far cells before near ones, so that what is
    left reads well.
    """
    kept, dropped, unknown = list(literals), [], 0
    for literal in sorted(literals, key=lambda literal: (literal[1], literal[0].startswith("owns("), literal[0])):
        rest = [other for other in kept if other != literal]
        answer = question(rest, literal)
        if answer is False:
            kept = rest
            dropped.append(literal)
        unknown += answer is None
    return tuple(kept), tuple(dropped), unknown


def shrink(
    literals: Sequence[SymbolLiteral], colourings: Colourings
) -> tuple[tuple[SymbolLiteral, ...], tuple[SymbolLiteral, ...], int]:
    """The literals that are left, those that the others imply, and how many questions stayed open. A literal is dropped
    when no position fulfils the literals that are left and not this one."""
    return drop_while(literals, lambda rest, literal: colourings.find([*rest, (literal[0], not literal[1])]))


def generalise(clause: Clause, space: PositionSpace) -> tuple[SymbolLiteral, ...]:
    """A smallest part of the literals of a clause that still says that its player has won, wherever the stones lie; no
    literal unless the clause is proved to say so itself, and to hold somewhere."""
    colourings = Colourings(replace(space, kind="any"), clause.literals)
    loses = (f"won({clause.player})", False)
    if not colourings.find(clause.literals) or colourings.find([*clause.literals, loses]) is not False:
        return ()
    return drop_while(clause.literals, lambda rest, literal: colourings.find([*rest, loses]) if rest else True)[0]


def prove_clause(clause: Clause, space: PositionSpace, most: int = 100) -> StoredClause:
    """Everything about one clause; colourings are counted up to `most`. Raises HexlogicError for a symbol that no rule
    defines."""
    colourings = Colourings(space, clause.literals)
    some = list(islice(colourings.positions(clause.literals), most + 1))
    puzzle = some[0] if some else False
    kept, redundant, unknown = shrink(clause.literals, colourings) if some else (clause.literals, (), 0)
    soundness = _soundness(clause, space) if some else [_statement(False, "it never holds")]
    named = [tuple(readable(space.board, item) for item in part) for part in (clause.literals, redundant, kept)]
    return StoredClause(
        clause=clause.number,
        player=clause.player,
        weight=clause.weight,
        coverage=round(clause.coverage, 5),
        precision=None if clause.precision is None else round(clause.precision, 5),
        rule=clause.rule(),
        literals=named[0],
        redundant=named[1],
        kept=named[2],
        atoms=kept,
        open_literals=unknown,
        possible=None if puzzle is None else puzzle is not False,
        puzzle=position_text(puzzle),
        colourings=min(len(some) - some.count(None), most),
        all_counted=len(some) <= most and None not in some,
        soundness=tuple(soundness),
    )


def position_text(position: Position | bool | None) -> str | None:
    """A position that was found as text, None where there is none."""
    return position.to_text() if isinstance(position, Position) else None


def _soundness(clause: Clause, space: PositionSpace) -> list[StoredSoundness]:
    """That the player has won, wherever the stones lie, and where somebody has. All literals are used, also those that
    are redundant only by turns."""
    asked: list[tuple[Kind, SymbolLiteral, str]] = [("any", (f"won({clause.player})", False), EVERYWHERE)]
    loses = (f"won({opponent(clause.player)})", True)
    if space.kind == "turns":
        asked.append(("turns", loses, "every position that somebody has won"))
    elif space.kind != "open":
        asked.append(("finished", loses, "every finished position"))
    return [
        _statement(Colourings(replace(space, kind=kind), clause.literals).find([*clause.literals, literal]), about)
        for kind, literal, about in asked
    ]


def _statement(counter: Position | bool | None, about: str) -> StoredSoundness:
    verdict = "open" if counter is None else "sound" if counter is False else "refuted"
    return StoredSoundness(verdict=verdict, about=about, counter_example=position_text(counter))
