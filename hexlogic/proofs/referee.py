"""Compare a rule set with the referee, position by position: for rules that clingo cannot ground over a choice.

The engine answers, `games.has_won` checks. Two ways to cover every stone set of a player:
- *each*: all of them are asked, one by one;
- *border*: for monotone rules of Hex, only the smallest wins (every one must be found) and the largest losses (none
  may be claimed). More stones never undo a win, in the rules as in the game: what holds on the border holds everywhere.
  The largest losses are what a smallest win of the opponent leaves over (the Hex theorem: `prove hex-theorem`).

Whether rules are monotone, and whether they read the asked player's stones only, are syntactic tests: sufficient, not
necessary.
"""

import itertools
import math
import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Final, NamedTuple, TypeAlias

from hexlogic.errors import EngineError
from hexlogic.games import PLAYERS, RED, Game, Hex, Player, Position, check_player, has_won, opponent, winning_sets
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
    needed, certain = reachable(program, [query]) - static, {*program.inputs, query}
    places: dict[Predicate, list[_Place]] = {
        each: [0] if each in certain else [*range(each.arity), *_PLAYERS] for each in needed
    }
    rules = [
        (rule.head, [literal.atom for literal in rule.literals if literal.atom.predicate not in static])
        for rule in program.rules
        if rule.head is not None and rule.head.predicate in needed
    ]
    before: dict[Predicate, list[_Place]] = {}
    while places != before:
        before = dict(places)
        for head, body in rules:
            terms = [{_player(atom, place) for place in places[atom.predicate]} for atom in body]
            kept = (place for place in places[head.predicate] if all(_player(head, place) in some for some in terms))
            places[head.predicate] = list(kept)
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


@dataclass(frozen=True, slots=True)
class Comparison:
    """How many positions the engine was asked about, and whether time was over. `difference` holds the red and the blue
    stones of a position about which the engine `says` another truth than the referee."""

    asked: int
    difference: tuple[frozenset[int], frozenset[int]] | None = None
    says: bool = False
    late: bool = False


class Cover(NamedTuple):
    """How all positions can be covered, in words, how many questions that takes, and the positions to ask about."""

    words: str
    questions: int
    positions: Iterable[Position]


def cover(program: Program, game: Game, player: Player) -> Cover | None:
    """A way to cover all positions, those with the fewest stones first; None when it takes too many questions."""
    cells = frozenset(game.cells)
    reads_own = reads_own_stones_only(program, win_query(player).predicate)
    count = (2 if reads_own else 3) ** len(cells)

    def own(sets: Iterable[Iterable[int]]) -> Iterator[Position]:
        for stones in map(frozenset, sets):
            yield Position(game, red=stones) if player == RED else Position(game, blue=stones)

    def every() -> Iterator[Position]:
        both = itertools.product((None, *PLAYERS), repeat=len(cells))
        for owners in sorted(both, key=lambda owners: -owners.count(None)):
            red, blue = ({c for c, owner in zip(game.cells, owners, strict=True) if owner == p} for p in PLAYERS)
            yield Position(game, frozenset(red), frozenset(blue))

    if count <= EACH_LIMIT:
        what = f"sets of {player} stones" if reads_own else "positions"
        sets = (chosen for size in range(len(cells) + 1) for chosen in itertools.combinations(game.cells, size))
        words = f"asked the engine about each of the {count:,} {what}"
        return Cover(words, count, own(sets) if reads_own else every())
    if reads_own and is_monotone(program) and isinstance(game, Hex):
        wins, barriers = winning_sets(game, player), winning_sets(game, opponent(player))
        questions = len(wins) + len(barriers)
        words = (
            f"asked the engine about the {questions:,} smallest wins and largest losses among the {count:,} sets of "
            f"{player} stones (the rules are monotone)"
        )
        return Cover(words, questions, own((*wins, *(cells.difference(barrier) for barrier in barriers))))
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
    """Ask the engine about the cover until the first disagreement. `kind`: the game's class (see `name_of`)."""
    rules, board, asked_player = parse_checked(program), kind_at(kind).of_extent(rows, columns), check_player(player)
    deadline = math.inf if time_s is None else time.monotonic() + time_s
    covered = cover(rules, board, asked_player)
    if covered is None:
        raise EngineError(f"too many positions on {board} to ask about each")
    with load_engine(engine).open(rules) as session:
        for asked, position in enumerate(covered.positions):
            if time.monotonic() > deadline:
                return Comparison(asked, late=True)
            says = session.ask(position_facts(position), win_query(asked_player)).holds
            if asked % 1000 == 999:
                report(f"{board}, {player}: {asked + 1:,} of {covered.questions:,} positions asked")
            if says != has_won(position, asked_player):
                return Comparison(asked + 1, (position.red, position.blue), says)
    return Comparison(covered.questions)
