"""`vc-very-shallow[:CANDIDATES]`: one move ahead with virtual connections, over dozens of candidates (30)."""

from hexlogic.players.strategies.vc_shallow import ShallowSearch
from hexlogic.players.strategy import positive_number


class VcVeryShallowStrategy(ShallowSearch):
    """Very shallow search."""

    def __init__(self, option: str | None = None, seed: int = 0) -> None:
        candidates = positive_number(option, 30, "number of candidates", 1000)
        super().__init__(1, candidates, seed)


STRATEGY = VcVeryShallowStrategy
