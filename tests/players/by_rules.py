"""The reference of deduction: connections of a small position, and checks of derivations, by the logic programs in
`rules/strategy/`, run by clingo."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

import clingo

from hexlogic.errors import PositionError, SizeError
from hexlogic.games import Game, Player, Position
from hexlogic.games.rulesets import position_facts
from hexlogic.players.connections.connections import Connection, Derivation, Kind, within_carrier
from hexlogic.process.files import rules_folder

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
    """What the rules of `rules/strategy/FILE` show of a Hex board and facts, beside those of captured pairs. Raises
    PositionError for facts that break a constraint of the board."""
    control = clingo.Control(["-c", f"rows={board.rows}", "-c", f"columns={board.columns}", "--warn=none"])
    for part in ("games/hex.lp", "strategy/captured.lp", f"strategy/{file}"):
        control.load(str(rules_folder() / part))
    control.add("base", [], "\n".join(facts))
    control.ground([("base", [])])
    with control.solve(yield_=True) as models:
        answers = [model.symbols(shown=True) for model in models]
    if len(answers) != 1:
        raise PositionError("the facts are no position")
    return list(answers[0])


def check_derivation(position: Position, connection: Connection, derivation: Derivation, more: str = "") -> list[int]:
    """The numbers of the steps that `rules/strategy/derivation-check.lp` refuses; -1 when only the claim is refused.
    `more` is added to the facts.

    An empty list accepts the derivation.
    """
    inside = within_carrier(position, connection)
    empty = sorted(inside.empty)
    facts = [f"{fact}." for fact in position_facts(inside)]
    facts += [f"player({connection.player}). captures(2).", *(f"blank({cell})." for cell in empty)]
    steps = derivation.steps()
    place = {id(step): number for number, step in enumerate(steps)}
    for number, step in enumerate(steps):
        facts.append(f"step({number},{step.rule}). kind({number},{step.kind}).")
        facts.append(f"ends({number},{step.ends[0]},{step.ends[1]}).")
        facts += [f"uses({number},{cell})." for cell in step.carrier]
        facts += [f"premise({number},{place[id(premise)]})." for premise in step.premises]
        facts += [f"lent({number},{a},{b})." for a, b in step.lent]
        if step.middle is not None:
            facts.append(f"middle({number},{step.middle}).")
    x, y = connection.ends
    facts.append(f"claim({len(steps) - 1},{x},{y},{connection.kind}).")
    facts += [f"claimed({cell})." for cell in sorted(connection.carrier)]
    try:
        shown = shown_by("derivation-check.lp", position.game, [*facts, more])
    except PositionError:
        return [-1]
    wrong = sorted(symbol.arguments[0].number for symbol in shown if symbol.name == "wrong")
    return wrong or ([-1] if shown else [])
