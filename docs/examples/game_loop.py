"""Hex between two players who try each move by random playouts; the detector says when a game is over."""

import random

from hexlogic import Detector


def playout(cell, player, other):
    """Who wins when the player takes this cell and both go on at random."""
    trial = detector.copy()
    trial.play(player, cell)
    cells = random.sample(sorted(trial.position.empty), len(trial.position.empty))
    while trial.winner() is None:
        player, other = other, player
        trial.play(player, cells.pop())
    return trial.winner()


random.seed(2019)
detector, player, other = Detector(size=5), "red", "blue"
while detector.winner() is None:
    wins = {cell: sum(playout(cell, player, other) == player for _ in range(20)) for cell in detector.position.empty}
    detector.play(player, max(wins, key=wins.get))
    player, other = other, player
print(detector.position.to_text(), end="")
print(detector.winner(), "by", *map(detector.game.cell_name, detector.chain()))
