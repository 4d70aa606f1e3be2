"""Make the policy again: `python -m hexlogic.players.policy FOLDER`, with PyTorch, in some hours on one core.

Examples of each kind go into the folder, one file each; a second call makes only what is missing. Then the network is
trained on all of them and written to the folder as `weights.npz`.
"""

from __future__ import annotations

import pickle
import random
import sys
from itertools import islice
from pathlib import Path
from typing import Final, NamedTuple

from hexlogic.games import Hex
from hexlogic.players.policy import examples as making
from hexlogic.players.policy.examples import Example

SEED: Final = 1
EPOCHS: Final = 20


class Kind(NamedTuple):
    """Examples of one board. Of `random` positions and those that a player `played` the solver knows all moves;
    of `large` ones connections know some, and the player chose one."""

    kind: str
    rows: int
    columns: int
    wanted: int
    player: str = ""


KINDS: Final = (
    Kind("random", 5, 5, 4000),
    Kind("random", 6, 6, 15000),
    Kind("random", 7, 7, 12000),
    Kind("random", 7, 8, 2000),
    Kind("played", 6, 6, 3000, "mcts-vc:60"),
    Kind("played", 7, 7, 8000, "mcts-vc:100"),
    Kind("large", 9, 9, 4000, "mcts-vc:800"),
    Kind("large", 11, 11, 3000, "mcts-vc:1000"),
    Kind("large", 13, 13, 1000, "mcts-vc:1000"),
)


def make(kind: Kind, number: int) -> list[Example]:
    """The examples of a kind, by its place in the list."""
    draw, board = random.Random(SEED * 1000 + number), Hex(kind.rows, kind.columns)
    return list(islice(making.examples(kind.kind, board, kind.player, draw), kind.wanted))


def main(folder: Path) -> None:
    """Make what is missing, and train."""
    import numpy as np

    from hexlogic.players.policy.train import train

    folder.mkdir(parents=True, exist_ok=True)
    gathered: list[Example] = []
    for number, kind in enumerate(KINDS):
        path = folder / f"{kind.kind}-{kind.rows}x{kind.columns}.pickle"
        if not path.exists():
            path.write_bytes(pickle.dumps(make(kind, number)))
        gathered += pickle.loads(path.read_bytes())
        print(f"{path}: {len(gathered)} examples so far", file=sys.stderr)
    weights = train(gathered, EPOCHS, SEED, lambda epoch, loss: print(f"{epoch}: {loss:.4f}", file=sys.stderr))
    np.savez_compressed(folder / "weights.npz", allow_pickle=False, **weights.arrays())


if __name__ == "__main__":
    main(Path(sys.argv[1]))
