"""The connections of a small position by the logic program `rules/strategy/connections.lp`, run by clingo."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

import clingo

from hexlogic.errors import SizeError
from hexlogic.games import Game, Player, Position
from hexlogic.players.connections.connection import Connection, Kind
from hexlogic.resources import rules_folder
from hexlogic.rulesets import position_facts

__all__ = ["MOST_EMPTY", "connections_by_rules", "shown_by"]

MOST_EMPTY: Final = 9
"""Empty cells at most: the program goes through all sets of them."""


def connections_by_rules(position: Position, player: Player, *, captured: bool = True) -> frozenset[Connection]:
    """All minimal connections of a player, without limits (and without depths). Raises SizeError."""
    empty = sorted(position.empty)
    if len(empty) > MOST_EMPTY:
        raise SizeError(f"{len(empty)} empty cells are too many for the rules", hint=f"at most {MOST_EMPTY}")
    facts = [f"{fact}." for fact in position_facts(position)]
    facts += [f"player({player}).", f"sets({2 ** len(empty) - 1}).", f"captures({int(captured)})."]
    facts += [f"weight({cell},{2**place})." for place, cell in enumerate(empty)]
    found = set()
    for symbol in shown_by("connections.lp", position.game, facts):
        x, y, weights = (argument.number for argument in symbol.arguments)
        carrier = frozenset(cell for place, cell in enumerate(empty) if weights >> place & 1)
        kind: Kind = "full" if symbol.name == "least_full" else "semi"
        found.add(Connection(player, (x, y), kind, carrier))
    return frozenset(found)


def shown_by(file: str, board: Game, facts: Iterable[str]) -> list[clingo.Symbol]:
    """What the rules of `rules/strategy/FILE` show of a Hex board and facts, beside those of captured pairs."""
    control = clingo.Control(["-c", f"rows={board.rows}", "-c", f"columns={board.columns}", "--warn=none"])
    for part in ("games/hex.lp", "strategy/captured.lp", f"strategy/{file}"):
        control.load(str(rules_folder() / part))
    control.add("base", [], "\n".join(facts))
    control.ground([("base", [])])
    with control.solve(yield_=True) as models:
        return [symbol for model in models for symbol in model.symbols(shown=True)]
