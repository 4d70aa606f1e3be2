"""A game of two players who try each move by random playouts; the detector says when a game is over."""

import random

from hexlogic import Detector

OTHER = {"red": "blue", "blue": "red"}
rng = random.Random(2019)


def playout(detector, player):
    """Who wins when both play on at random."""
    detector = detector.copy()
    empty = sorted(detector.position.empty)
    for cell in rng.sample(empty, len(empty)):
        if detector.winner():
            break
        detector.play(player, cell)
        player = OTHER[player]
    return detector.winner()


def score(cell):
    """How many of 20 playouts the player to move wins from this cell."""
    detector.play(player, cell)
    wins = sum(playout(detector, OTHER[player]) == player for _ in range(20))
    detector.undo()
    return wins


detector, player = Detector(size=5), "red"
while detector.winner() is None:
    detector.play(player, max(sorted(detector.position.empty), key=score))
    player = OTHER[player]
print(detector.position.to_text(), end="")
print(detector.winner(), "by", *map(detector.game.cell_name, detector.chain()))
