"""Whole random games move by move: a kept state against starting anew, in time and in memory.

    python benchmarks/moves.py chains|merging|printed [--sizes 5,7,9] [--seeds 3] [--limit S] [--memory MB]

Each game is played in a process of its own, up to the win (of the referee), and after each move the mover is judged.
Time is wall time of moves and judgements, without what is done once for the board. Memory is what the process grew by
from the empty board to its largest. A game that needs more than the limit counts as far as it came.
"""

from __future__ import annotations

import argparse
import json
import resource
import statistics
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Sequence

import psutil
from tabulate import tabulate

from hexlogic.games import Hex, Player, Position, random_moves
from hexlogic.games.detect.states import GrownStates, States, SteppedStates
from hexlogic.games.rulesets import load_rule_set, position_facts, win_query
from hexlogic.games.rulesets.transitions import load_transitions
from hexlogic.language.engines import load_engine
from hexlogic.language.parser import parse_atom
from hexlogic.language.passes import Pipeline

SUITES = {
    "chains": [
        "anew power-set clingo ground",
        "anew power-set swipl ground,reorder",
        "anew power-set clingo ground,unfold,reorder",
        "kept power-set-kept multi-shot",
        "kept power-set-kept step",
        "kept power-set-parts multi-shot",
        "kept power-set-parts step",
    ],
    "merging": [
        "anew clusters clingo ground,reorder",
        "anew clusters-labelled clingo ground,reorder",
        "anew follow-line-tabled clingo ground,reorder",
        "kept clusters-merging multi-shot",
        "kept clusters-merging step",
    ],
    "printed": ["kept clusters-merging step", "kept clusters-as-printed step", "kept clusters-as-printed multi-shot"],
}
Judge = Callable[[Position, Player, int], bool]


def prepare(configuration: str, game: Hex) -> tuple[Judge, States | None]:
    """What judges a move, and the state that it keeps."""
    how, name, *rest = configuration.split()
    if how == "anew":
        engine, pipeline = rest
        session = load_engine(engine).open(Pipeline.parse(pipeline).apply(load_rule_set(name).instantiate(game)))
        session.ask([], win_query("red"))
        return lambda position, player, _: session.ask(position_facts(position), win_query(player)).holds, None
    states = (GrownStates if rest == ["multi-shot"] else SteppedStates)(load_transitions(name).instantiate(game))

    def judge(_: Position, player: Player, cell: int) -> bool:
        states.move(parse_atom(f"plays({player},{cell})"))
        return states.holds(win_query(player))

    return judge, states


def one_game(configuration: str, size: int, seed: int) -> None:
    """Play a game and print one line of JSON for each ply: seconds, bytes grown at most, and the state at the end."""
    game = Hex.square(size)
    judge, states = prepare(configuration, game)
    processes = [psutil.Process(), *psutil.Process().children()]

    def resident() -> int:
        return sum(process.memory_info().rss for process in processes)

    start, most, over = resident(), [0], threading.Event()

    def watch() -> None:
        while not over.wait(0.005):
            most[0] = max(most[0], resident() - start)

    threading.Thread(target=watch, daemon=True).start()
    position, line = Position(game), random_moves(game, seed)
    for ply, (player, cell) in enumerate(line, start=1):
        position = position.play(player, cell)
        begin = time.perf_counter()
        judge(position, player, cell)
        took = time.perf_counter() - begin
        most[0] = max(most[0], resident() - start)
        print(json.dumps({"ply": ply, "of": len(line), "s": took, "bytes": most[0]}), flush=True)
    over.set()
    facts = list(map(str, states.facts())) if states else []
    print(json.dumps({"facts": len(facts), "text": sum(len(fact) + 2 for fact in facts)}), flush=True)


def measure(configuration: str, size: int, seed: int, limit_s: float, memory_mb: int) -> list[dict[str, float]]:
    """The lines of one game, as far as it came; the last has the facts when it came to the end."""

    def limit() -> None:
        resource.setrlimit(resource.RLIMIT_AS, (memory_mb << 20, memory_mb << 20))

    command = [sys.executable, __file__, "game", configuration, str(size), str(seed)]
    child = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, preexec_fn=limit)
    try:
        output, _ = child.communicate(timeout=limit_s)
    except subprocess.TimeoutExpired:
        child.kill()
        output, _ = child.communicate()
    lines = [line for line in output.splitlines() if line.endswith("}")]
    return [json.loads(line) for line in lines]


def row(configuration: str, size: int, seeds: Sequence[int], limit_s: float, memory_mb: int) -> list[object]:
    """Medians over the games: plies, total and last moves in ms, facts and their text, memory."""
    games = [measure(configuration, size, seed, limit_s, memory_mb) for seed in seeds]
    ended = [lines for lines in games if lines and "facts" in lines[-1]]
    title = [configuration, f"{size}x{size}"]
    if len(ended) < len(games):
        reached = [lines[-1] if "facts" not in lines[-1] else lines[-2] for lines in games if lines]
        far = " ".join(f"{line['ply']:.0f}/{line['of']:.0f}" for line in reached)
        return [*title, f"ended {len(ended)} of {len(games)}: {far}"]

    def median(value: Callable[[list[dict[str, float]]], float]) -> float:
        return statistics.median(map(value, ended))

    return [
        *title,
        f"{median(lambda lines: len(lines) - 1):.0f}",
        f"{median(lambda lines: sum(line['s'] for line in lines[:-1])) * 1e3:.0f}",
        f"{median(lambda lines: statistics.mean(line['s'] for line in lines[:10])) * 1e3:.2f}",
        f"{median(lambda lines: statistics.mean(line['s'] for line in lines[-11:-1])) * 1e3:.2f}",
        *(
            [f"{median(lambda lines: lines[-1]['facts']):.0f}", f"{median(lambda lines: lines[-1]['text']) / 1e3:.1f}"]
            if configuration.startswith("kept")
            else ["-", "-"]
        ),
        f"{median(lambda lines: lines[-2]['bytes']) / 2**20:.1f}",
    ]


def main() -> None:
    """Measure a suite and print its table, row by row to stderr as they come."""
    parser = argparse.ArgumentParser()
    parser.add_argument("suite", choices=SUITES)
    parser.add_argument("--sizes", default="5,7,9")
    parser.add_argument("--seeds", type=int, default=3)
    parser.add_argument("--limit", type=float, default=60.0)
    parser.add_argument("--memory", type=int, default=2000)
    chosen = parser.parse_args()
    rows = []
    for size in map(int, chosen.sizes.split(",")):
        for configuration in SUITES[chosen.suite]:
            rows.append(row(configuration, size, range(chosen.seeds), chosen.limit, chosen.memory))
            print(*rows[-1], file=sys.stderr, flush=True)
    heads = ["configuration", "board", "plies", "game ms", "first 10 ms", "last 10 ms", "facts", "text kB", "grown MB"]
    print(tabulate(rows, headers=heads, tablefmt="github", disable_numparse=True))


if __name__ == "__main__":
    if sys.argv[1:2] == ["game"]:
        one_game(sys.argv[2], int(sys.argv[3]), int(sys.argv[4]))
    else:
        main()
