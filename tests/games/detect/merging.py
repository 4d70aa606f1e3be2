"""A detector of `clusters-merging` that also tells the clusters, for tests of the states that engines make.

>>> detector = MergingDetector(size=2)
>>> for player, cell in (("red", "a1"), ("blue", "a2"), ("red", "b1")):
...     detector.play(player, cell)
>>> detector.winner(), detector.groups("red"), detector.clusters("red")
('red', ((1, 2),), {2: (1, 2)})
"""

from __future__ import annotations

from hexlogic.errors import EngineError
from hexlogic.games import Player, check_player
from hexlogic.games.detect.detector import Detector
from hexlogic.games.detect.states import MERGING, SteppedStates, TransitionsFollower
from hexlogic.games.rulesets.transitions import load_transitions
from hexlogic.language import Atom, Integer, Symbol

__all__ = ["MergingDetector"]


class MergingDetector(Detector):
    """The detector of `clusters-merging`, which also tells the clusters.

    For the arguments and errors see `Detector`. With `stepped`, each move starts from the facts of the last state.
    """

    _follower: TransitionsFollower

    def __init__(
        self,
        *,
        game: str = "hex",
        size: int | tuple[int, ...] = 11,
        engine: str = "clingo",
        stepped: bool = False,
    ) -> None:
        super().__init__(MERGING, game=game, size=size, engine=engine)
        if stepped:
            first = self._follower
            transitions = load_transitions(MERGING).instantiate(self.game)
            self._follow(TransitionsFollower(SteppedStates(transitions), first.inputs, first.queries))
            first.close()

    def clusters(self, player: Player) -> dict[int, tuple[int, ...]]:
        """The player's clusters as the rules have them: under each name, which is a stone, the stones in ascending
        order."""
        check_player(player)
        found: dict[int, list[int]] = {}
        for name, stone, owner in map(_cluster, self._follower.facts()):
            if owner == player:
                found.setdefault(name, []).append(stone)
        return {name: tuple(sorted(found[name])) for name in sorted(found)}

    def groups(self, player: Player) -> tuple[tuple[int, ...], ...]:
        """The same without the names, ordered by the smallest stone."""
        return tuple(sorted(self.clusters(player).values()))


def _cluster(fact: Atom) -> tuple[int, int, str]:
    """The name, the stone and the owner of a fact `cluster(I,X,P)`."""
    match fact.arguments:
        case (Integer(name), Integer(stone), Symbol(owner)):
            return name, stone, owner
        case _:
            raise EngineError(f"{fact} is not a cluster of numbered cells")
