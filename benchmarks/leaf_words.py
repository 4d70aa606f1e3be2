"""UCT that evaluates a leaf by a word of games against UCT that plays one game from it, at equal CPU time.

python benchmarks/leaf_words.py [--size 9] [--pairs 100] [--seconds 0.05]

Each pair of games begins with one random stone, and the sides change: Hex, one tree and one core for both. The clock is
the CPU time of the process, so that other work on the machine takes time from neither.
"""

from __future__ import annotations

import argparse
import random
import time
from math import sqrt

from hexlogic.games import Hex
from hexlogic.games.rulesets import load_rule_set
from hexlogic.ggp import StateMachine
from hexlogic.ggp.export import export_sheet
from hexlogic.ggp.machines import State
from hexlogic.ggp.machines.reasoners.compiled import CompiledMachine
from hexlogic.ggp.playing import Clock
from hexlogic.ggp.playing.search import NumbaSearch


class CpuClock(Clock):
    """So many seconds of CPU time from now."""

    def __init__(self, seconds: float) -> None:
        super().__init__(seconds)
        self._end = time.process_time() + seconds

    @property
    def left_s(self) -> float:
        return max(0.0, self._end - time.process_time())


class SingleGames(NumbaSearch):
    """A random game from each leaf."""

    def _stand(self, state: State) -> None:
        super()._stand(state)
        self._leaves = [None] * len(self._leaves)


def play(
    machine: CompiledMachine, first: type[NumbaSearch], second: type[NumbaSearch], seconds: float, seed: int
) -> int:
    """0 where the forest of the first player wins a game with a random first stone, else 1."""
    state, moves = machine.initial_state, 0
    while not machine.is_terminal(state):
        legal = [machine.legal_moves(state, role) for role in machine.roles]
        mover = moves % 2
        joint = [own[0] for own in legal]
        if moves == 0:
            joint[mover] = random.Random(seed).choice(legal[mover])
        else:
            search = (first, second)[mover](machine, state, seed * 1000 + moves, 1)
            search.search(CpuClock(seconds))
            joint[mover] = search.best(mover)
        state = machine.next_state(state, joint)
        moves += 1
    return 0 if machine.goal(state, machine.roles[0]) == 100 else 1


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--size", type=int, default=9)
    options.add_argument("--pairs", type=int, default=100)
    options.add_argument("--seconds", type=float, default=0.05)
    given = options.parse_args()
    sheet = export_sheet(load_rule_set("follow-line-tabled"), Hex.square(given.size)).program
    machine = StateMachine.from_sheet(sheet, "compiled")
    assert isinstance(machine, CompiledMachine)
    won = games = 0
    for pair in range(given.pairs):
        won += play(machine, NumbaSearch, SingleGames, given.seconds, pair) == 0
        won += play(machine, SingleGames, NumbaSearch, given.seconds, pair) == 1
        games += 2
        error = 100 * sqrt(max(won * (games - won), 1) / games**3)
        print(
            f"words of games won {won} of {games}: {100 * won / games:.1f} % ({error:.1f} standard error)", flush=True
        )


if __name__ == "__main__":
    main()
