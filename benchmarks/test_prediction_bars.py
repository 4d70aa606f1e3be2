"""What predicting costs: symbols of many positions."""

from __future__ import annotations

import time

import numpy as np

from hexlogic.games import Hex
from hexlogic.players.evaluation.symbols import SymbolSet


def test_the_symbols_of_7x7_boards() -> None:
    """Bar: the study's 2,450 symbols of 50,000 boards of 7x7 a second."""
    chance = np.random.default_rng(1)
    boards = chance.choice(3, size=(20_000, 49), p=[0.14, 0.43, 0.43]).astype(np.uint8)
    to_move = np.ones(len(boards), np.uint8)
    symbols = SymbolSet("study", Hex.square(7))
    symbols.truths(boards[:100], to_move[:100])
    begin = time.process_time()
    truths = symbols.truths(boards, to_move)
    rate = len(boards) / (time.process_time() - begin)
    assert truths.shape == (20_000, 2450)
    print(f"{rate:,.0f} boards a second")
    assert rate >= 50_000
