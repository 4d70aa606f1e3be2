"""Merging clusters move by move: the paper's transition rules, kept up to date by an engine.

>>> from hexlogic.games import Hex
>>> detector = MergingDetector(Hex.square(2))
>>> for player, name in (("red", "a1"), ("blue", "a2"), ("red", "b1")):
...     detector.play(player, detector.game.parse_cell(name))
>>> detector.winner(), detector.groups("red"), detector.clusters("red")
('red', ((1, 2),), {2: (1, 2)})
>>> detector.undo()
>>> detector.winner() is None
True
"""

from __future__ import annotations

from collections.abc import Iterable

from hexlogic.detect.states import AskedStates, GrownStates, States, SteppedStates
from hexlogic.errors import EngineError, HexlogicError, MoveError, PositionError
from hexlogic.games import Game, Player, check_player
from hexlogic.logic import Atom, Integer, Symbol
from hexlogic.rulesets import win_query
from hexlogic.rulesets.transitions import load_transitions

__all__ = ["RULES", "MergingDetector", "merging_states"]

RULES = "clusters-merging"


def merging_states(game: Game, engine: str = "clingo", *, multi_shot: bool | None = None) -> States:
    """The empty board's clusters, to be changed by an engine. `multi_shot`, which only clingo has and which is taken
    where it is there, keeps one clingo control growing; without it each move starts from the facts of the last state.

    Raises UnknownNameError, EngineError, and SizeError for a game that the rules do not fit.
    """
    transitions = load_transitions(RULES).instantiate(game)
    if engine == "clingo":
        return SteppedStates(transitions) if multi_shot is False else GrownStates(transitions)
    if multi_shot:
        raise EngineError(f"{engine} has no multi-shot grounding", hint="clingo has")
    return AskedStates(transitions, engine, _possible)


class MergingDetector:
    """The clusters of a game in progress. Players may move in any order; the first to win ends the game.

    An error leaves the detector as it was: MoveError for a move or an undo that cannot be, EngineError for an engine
    that fails. See `merging_states` for the other arguments and errors.
    """

    def __init__(self, game: Game, engine: str = "clingo", *, multi_shot: bool | None = None) -> None:
        self.game = game
        self._states = merging_states(game, engine, multi_shot=multi_shot)
        self._stones: dict[int, Player] = {}
        """The owner of each taken cell, in the order of play."""
        self._winner: Player | None = None

    def play(self, player: Player, cell: int) -> None:
        """Put a stone on the board."""
        self._check(player, cell)
        self._states.move(_plays(player, cell))
        try:
            # A stone can only help its owner, so nobody else can have won by it.
            self._winner = player if self._states.holds(win_query(player)) else None
        except HexlogicError:
            self._states.undo()
            raise
        self._stones[cell] = player

    def _check(self, player: Player, cell: int) -> None:
        check_player(player)
        try:
            self.game.check_cell(cell)
        except PositionError as error:
            raise MoveError(error.message, hint=error.hint) from None
        name = self.game.cell_name(cell)
        if self._winner is not None:
            raise MoveError(f"{player} cannot play {name}: {self._winner} has won", hint="undo() takes a move back")
        if cell in self._stones:
            raise MoveError(f"cell {name} is already {self._stones[cell]}")

    def undo(self) -> None:
        """Take the last stone back."""
        if not self._stones:
            raise MoveError("there is no move to undo")
        self._states.undo()
        self._stones.popitem()
        self._winner = None

    def winner(self) -> Player | None:
        """Who has won; None while nobody has."""
        return self._winner

    def clusters(self, player: Player) -> dict[int, tuple[int, ...]]:
        """The player's clusters as the rules have them: under each name, which is a stone, the stones in ascending
        order."""
        check_player(player)
        found: dict[int, list[int]] = {}
        for name, stone, owner in map(_cluster, self._states.facts()):
            if owner == player:
                found.setdefault(name, []).append(stone)
        return {name: tuple(sorted(found[name])) for name in sorted(found)}

    def groups(self, player: Player) -> tuple[tuple[int, ...], ...]:
        """The same without the names, ordered by the smallest stone, as `hexlogic.games.groups` gives them."""
        return tuple(sorted(self.clusters(player).values()))

    def copy(self) -> MergingDetector:
        """A detector that goes on from here on its own. The engine is shared: use both from one thread."""
        twin = object.__new__(MergingDetector)
        twin.__dict__ |= self.__dict__ | {"_states": self._states.copy(), "_stones": dict(self._stones)}
        return twin

    def close(self) -> None:
        """Release the engine, for all copies."""
        self._states.close()


def _plays(player: Player, cell: int) -> Atom:
    return Atom("plays", (Symbol(player), Integer(cell)))


def _cluster(fact: Atom) -> tuple[int, int, str]:
    """The name, the stone and the owner of a fact `cluster(I,X,P)`."""
    match fact.arguments:
        case (Integer(name), Integer(stone), Symbol(owner)):
            return name, stone, owner
        case _:
            raise EngineError(f"{fact} is not a cluster of numbered cells")


def _possible(state: frozenset[Atom], move: Atom) -> Iterable[Atom]:
    """Each stone under the name it has and under that of the new stone, and the new stone itself."""
    player, cell = move.arguments
    names = {(stone, owner): {name, cell} for name, stone, owner in (fact.arguments for fact in state)}
    names[cell, player] = {cell}
    for (stone, owner), possible in names.items():
        yield from (Atom("next_cluster", (name, stone, owner)) for name in sorted(possible, key=str))
