"""A replay: make each move of a recorded game, see who has won, take the time.

*Followed*, the engine keeps what it has from move to move (`Engine.follow`, or transition rules). *Anew*, it is given
the same program once and asked about both players with all stones after each move.
"""

import time
from collections.abc import Sequence

import psutil

from hexlogic.games import PLAYERS
from hexlogic.games.detect.states import TransitionsFollower, cannot_follow, follow_transitions
from hexlogic.games.rulesets import win_query
from hexlogic.games.rulesets.transitions import load_transitions, transition_names
from hexlogic.laboratory.records.types import Replayed
from hexlogic.laboratory.runs.kind import Measuring, Message
from hexlogic.laboratory.runs.kinds.question import Question
from hexlogic.language import Atom, Integer, Program, Symbol
from hexlogic.language.engines import Follower, load_engine
from hexlogic.language.engines.base import AskedAnew, StackFollower
from hexlogic.language.passes import Pipeline
from hexlogic.process.process_tree import TreeClock

WINNERS = ".rbx"
"""Who has won, by the bits of wins(red) and wins(blue)."""


class Replay(Question, frozen=True, forbid_unknown_fields=True, tag="replay"):
    """A rule set through a pipeline on an engine, asked after each move of a recorded game."""

    def execute(self, measuring: Measuring) -> Message:
        """Replay the game to its end, whatever is answered on the way.

        The first move is made and taken back once before the clock runs, so that code which is loaded at its first use
        is on the bill of loading. Raises HexlogicError for rules, a pipeline or an engine that fails.
        """
        engine, game, board = load_engine(self.engine), self.task.game, self.task.position.game
        assert game is not None
        owners = [(player, cell) for player in PLAYERS for cell in board.cells]
        inputs = [Atom("owns", (Symbol(player), Integer(cell))) for player, cell in owners]
        queries = [win_query(player) for player in PLAYERS]
        name = self.rule_set.reference
        transitions = load_transitions(name) if name in transition_names() else None
        refused = None if transitions is None else cannot_follow(name, self.engine)

        def make() -> Program:
            if transitions is None:
                return Pipeline.parse(self.pipeline).apply(self.rule_set.load().instantiate(board))
            self.rule_set.check(transitions.rules)
            return transitions.instantiate(board).program

        def follow(program: Program) -> Follower:
            if transitions is not None:
                return follow_transitions(name, board, self.engine, inputs, queries)
            if game.mode == "followed":
                return engine.follow(program, inputs, queries)
            return StackFollower(lambda: AskedAnew(engine.open(program)), inputs, queries)

        program = measuring.build(make, engine.dialect, lambda program: refused or engine.supports(program))
        number = {owner: place for place, owner in enumerate(owners)}
        moves = [number[move] for move in game.moves]
        begin = time.perf_counter()
        with follow(program) as follower:
            follower.add(moves[0])
            follower.undo()
            measuring.took(load_s=time.perf_counter() - begin)
            measuring.ask()
            replayed, spent_s = _play(follower, moves)
        measuring.took(solve_s=sum(replayed.plies_s), query_cpu_s=spent_s)
        return measuring.answered(replayed.winners[-1] != WINNERS[0], replayed=replayed)


def _play(follower: Follower, moves: Sequence[int]) -> tuple[Replayed, float]:
    clock, spent_s = TreeClock(), 0.0
    processes = [psutil.Process(), *psutil.Process().children(recursive=True)]

    def resident() -> int:
        return sum(process.memory_info().rss for process in processes)

    start = most = resident()
    winners: list[str] = []
    plies_s: list[float] = []
    kept: list[int] = []
    for move in moves:
        before_s, begin = clock.cpu_s(), time.perf_counter()
        bits = follower.add(move)
        plies_s.append(time.perf_counter() - begin)
        spent_s += clock.cpu_s() - before_s
        winners.append(WINNERS[bits])
        most = max(most, resident())
        if (facts := follower.kept()) is not None:
            kept.append(facts)
    state = None
    if isinstance(follower, TransitionsFollower):
        state, kept = follower.facts(), follower.counts()
    replayed = Replayed(
        winners="".join(winners),
        plies_s=plies_s,
        grown_bytes=most - start,
        facts=kept[-1] if kept else None,
        fact_bytes=None if state is None else sum(len(f"{fact}.\n") for fact in state),
        facts_by_ply=kept or None,
    )
    return replayed, spent_s


KIND = Replay
