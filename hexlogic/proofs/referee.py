"""Compare a rule set with the referee, position by position: for rules that clingo cannot ground over a choice.

The engine answers, `games.has_won` checks. Two ways to cover every stone set of a player:
- *each*: all of them are asked, one by one;
- *border*: for monotone rules of Hex, only the smallest wins (every one must be found) and the largest losses (none
  may be claimed). More stones never undo a win, in the rules as in the game: what holds on the border holds everywhere.
  The largest losses are what a smallest win of the opponent leaves over (the Hex theorem: `prove hex-theorem`).

Whether rules are monotone, and whether they read the asked player's stones only, are syntactic tests: sufficient, not
necessary.
"""

from __future__ import annotations

import itertools
import math
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Final, TypeAlias

from hexlogic.errors import EngineError
from hexlogic.games import (
    PLAYERS,
    RED,
    Game,
    Hex,
    Player,
    Position,
    check_player,
    has_won,
    opponent,
    winning_sets,
)
from hexlogic.games.kinds import kind_at
from hexlogic.games.rulesets import position_facts, win_query
from hexlogic.language import Atom, Predicate, Program, Symbol, Term
from hexlogic.language.analysis.checks import parse_checked
from hexlogic.language.analysis.dependence import reachable, static_predicates
from hexlogic.language.engines import load_engine
from hexlogic.process.call import name_of

_Place: TypeAlias = int | Symbol
"""The number of an argument, or the player whom the predicate is about."""

_PLAYERS: Final = tuple(map(Symbol, PLAYERS))


def is_monotone(program: Program) -> bool:
    """Whether more stones can only make more atoms true: no rule negates what depends on the stones.

    >>> from hexlogic.games.rulesets import load_rule_set
    >>> from hexlogic.games import Hex
    >>> [is_monotone(load_rule_set(name).instantiate(Hex.square(3))) for name in ("clusters", "maker-breaker")]
    [True, False]
    """
    static = static_predicates(program)
    return all(
        literal.positive or literal.atom.predicate in static
        for rule in program.rules
        if rule.head is not None
        for literal in rule.literals
    )


def reads_own_stones_only(program: Program, query: Predicate) -> bool:
    """Whether `query(p)` depends on `owns(p,...)` alone: in every rule one term, the player, runs from head to body.

    Looks for the place that holds the player: the first argument of `owns/2` and of the query; for another predicate
    an argument, or a player that it is about by its name, as `selection_red/3` is.
    """
    static = static_predicates(program)
    needed = reachable(program, [query]) - static
    places: dict[Predicate, list[_Place]] = {
        predicate: [0] if predicate in program.inputs or predicate == query else [*range(predicate.arity), *_PLAYERS]
        for predicate in needed
    }
    rules = [
        (rule.head, [literal.atom for literal in rule.literals if literal.atom.predicate not in static])
        for rule in program.rules
        if rule.head is not None and rule.head.predicate in needed
    ]
    changed = True
    while changed:
        changed = False
        for head, body in rules:
            terms = [{_player(atom, place) for place in places[atom.predicate]} for atom in body]
            for place in list(places[head.predicate]):
                if not all(_player(head, place) in some for some in terms):
                    places[head.predicate].remove(place)
                    changed = True
    # One place for each predicate, the first that is left; then every rule is checked against this choice.
    if not all(places.values()):
        return False
    return all(
        _player(atom, places[atom.predicate][0]) == _player(head, places[head.predicate][0])
        for head, body in rules
        for atom in body
    )


def _player(atom: Atom, place: _Place) -> Term:
    return atom.arguments[place] if isinstance(place, int) else place


EACH_LIMIT: Final = 2**13
"""Positions that are asked one by one; where the border will not do, more are refused."""

_ORDER = ("swipl", "clingo", "pydatalog")


@dataclass(frozen=True, slots=True)
class Disagreement:
    """The stones of a position about which the engine says another truth than the referee."""

    red: frozenset[int]
    blue: frozenset[int]
    says: bool
    truth: bool


@dataclass(frozen=True, slots=True)
class Comparison:
    """How many positions the engine was asked about, where it differs from the referee, and whether time was over."""

    asked: int
    difference: Disagreement | None = None
    late: bool = False


def engine_for(program: Program) -> str | None:
    """The engine to ask: the first installed one that takes the program, SWI-Prolog before the others."""
    from hexlogic.language.engines import installed_engines

    able = [engine.name for engine in installed_engines() if engine.supports(program) is None]
    return min(able, key=lambda name: _ORDER.index(name) if name in _ORDER else len(_ORDER), default=None)


def cover(program: Program, game: Game, player: Player) -> tuple[str, int] | None:
    """How all positions can be covered, in words, and how many questions that takes; None when it is too many."""
    reads_own = reads_own_stones_only(program, Predicate("wins", 1))
    count = 2 ** len(game.cells) if reads_own else 3 ** len(game.cells)
    if count <= EACH_LIMIT:
        what = f"sets of {player} stones" if reads_own else "positions"
        return f"asked the engine about each of the {count:,} {what}", count
    if reads_own and is_monotone(program) and isinstance(game, Hex):
        asks = len(winning_sets(game, player)) + len(winning_sets(game, opponent(player)))
        return (
            f"asked the engine about the {asks:,} smallest wins and largest losses among the {count:,} sets of "
            f"{player} stones (the rules are monotone)",
            asks,
        )
    return None


def compare(
    *,
    program: str,
    rows: int,
    columns: int,
    player: str,
    engine: str,
    kind: str = name_of(Hex),
    time_s: float | None = None,
    report: Callable[[str], None] = lambda _: None,
) -> Comparison:
    """Ask the engine about every position of the cover; the first disagreement ends it.

    `kind` is the class of the game, as `name_of` writes it.
    """
    rules, board, asked_player = parse_checked(program), kind_at(kind).of_extent(rows, columns), check_player(player)
    deadline = math.inf if time_s is None else time.monotonic() + time_s
    _, count = cover(rules, board, asked_player) or ("", 0)
    asked = 0

    with load_engine(engine).open(rules) as session:
        for position in _positions(rules, board, asked_player):
            if time.monotonic() > deadline:
                return Comparison(asked, late=True)
            says = session.ask(position_facts(position), win_query(asked_player)).holds
            truth = has_won(position, asked_player)
            asked += 1
            if asked % 1000 == 0:
                report(f"{board}, {player}: {asked:,} of {count:,} positions asked")
            if says != truth:
                return Comparison(asked, Disagreement(position.red, position.blue, says, truth))
    return Comparison(asked)


def _positions(program: Program, game: Game, player: Player) -> Iterator[Position]:
    """The positions of the cover, fewest stones first."""
    if cover(program, game, player) is None:
        raise EngineError(f"too many positions on {game} to ask about each")
    cells = tuple(game.cells)

    def own(stones: Iterator[tuple[int, ...]]) -> Iterator[Position]:
        for chosen in stones:
            cells_of = frozenset(chosen)
            yield Position(game, red=cells_of) if player == RED else Position(game, blue=cells_of)

    if not reads_own_stones_only(program, Predicate("wins", 1)):
        both = itertools.product((None, *PLAYERS), repeat=len(cells))
        for owners in sorted(both, key=lambda owners: len(cells) - owners.count(None)):
            red, blue = ({c for c, owner in zip(cells, owners, strict=True) if owner == p} for p in PLAYERS)
            yield Position(game, frozenset(red), frozenset(blue))
    elif 2 ** len(cells) <= EACH_LIMIT:
        for size in range(len(cells) + 1):
            yield from own(itertools.combinations(cells, size))
    elif isinstance(game, Hex):
        yield from own(tuple(chain) for chain in winning_sets(game, player))
        for chain in winning_sets(game, opponent(player)):
            yield from own(iter([tuple(cell for cell in cells if cell not in chain)]))
