"""Does it pay to follow the blanks? Section 3 of the paper, measured ply by ply.

    python benchmarks/switch.py [--size 9] [--games 20] [--svg FILE]

At each ply of random games, SWI-Prolog is asked whether q (blue) has won: by q's own stones (`clusters` and
`follow-line-tabled`), and by p's stones plus blanks (`maker-breaker`). The inferences are averaged over the games that
are still on. The paper's equation (1), f(i) = n*n/i - 2, is the number of blanks for each stone of a player after i
rounds; it is drawn beside the measured ratio of the work.
"""

from __future__ import annotations

import argparse
import random
import statistics
from pathlib import Path

from tabulate import tabulate

from hexlogic.games import Hex, Position, winner
from hexlogic.games.rulesets import load_rule_set, position_facts, win_query
from hexlogic.laboratory.report.charts import Point, svg
from hexlogic.laboratory.report.charts import lines as chart_lines
from hexlogic.language.engines import load_engine
from hexlogic.language.passes import Pipeline

OWN = ("clusters", "follow-line-tabled")
BLANKS = "maker-breaker"
SEED = 2019


def random_games(size: int, count: int) -> list[list[Position]]:
    """The positions of random games after each stone, up to the last one before a win."""
    games = []
    for number in range(count):
        chance = random.Random(f"{SEED} {size} {number}")
        position, found = Position(Hex.square(size)), []
        cells = list(position.game.cells)
        chance.shuffle(cells)
        for ply, cell in enumerate(cells):
            position = position.play("blue" if ply % 2 else "red", cell)
            if winner(position) is not None:
                break
            found.append(position)
        games.append(found)
    return games


def inferences(rules: str, games: list[list[Position]]) -> list[list[int]]:
    """Of each game, ply by ply: what SWI-Prolog needs to tell that blue has not won yet."""
    game = games[0][0].game
    program = Pipeline.parse("ground,reorder").apply(load_rule_set(rules).instantiate(game))
    query = win_query("blue")
    with load_engine("swipl").open(program) as session:
        return [[session.ask(position_facts(p), query).counters["inferences"] for p in ps] for ps in games]


def by_round(counted: list[list[int]], cells: int) -> dict[int, float]:
    """Round -> mean inferences, where at least half of the games are still on."""
    found = {}
    for number in range(1, cells // 2 + 1):
        values = [game[2 * number - 1] for game in counted if len(game) >= 2 * number]
        if 2 * len(values) >= len(counted):
            found[number] = statistics.fmean(values)
    return found


def draw(size: int, curves: dict[str, dict[int, float]], path: Path) -> None:
    """The ratios of the work and equation (1), from the second round on."""
    cells = size * size
    ratios = {f"measured: {BLANKS} / {name}": rate(curves[BLANKS], curves[name]) for name in OWN}
    rounds = sorted(next(iter(ratios.values())))
    equation = {number: cells / number - 2 for number in rounds if cells / number > 2.05}
    lines = {"equation (1): blanks for each stone": equation, **ratios}
    points = [
        Point(words, number, value, True, f"{value:.2f} x", 1, f"python benchmarks/switch.py --size {size}")
        for words, line in lines.items()
        for number, value in sorted(line.items())
    ]
    title = f"Following the blanks on {size}x{size}: more work above 1, less below"
    figure = chart_lines("switch", title, "", points, "rounds played (stones of each player)", "factor")
    path.write_text(svg(figure), encoding="utf-8")


def rate(one: dict[int, float], other: dict[int, float]) -> dict[int, float]:
    """The quotient of two curves."""
    return {number: one[number] / other[number] for number in one if number in other}


def main() -> None:
    """Measure, print a table of every fourth round, and draw."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--size", type=int, default=9)
    parser.add_argument("--games", type=int, default=20)
    parser.add_argument("--svg", type=Path)
    options = parser.parse_args()
    games = random_games(options.size, options.games)
    cells = options.size**2
    curves = {name: by_round(inferences(name, games), cells) for name in (*OWN, BLANKS)}
    rows = [
        [number, f"{cells / number - 2:.1f}", *(f"{curves[name][number]:,.0f}" for name in curves)]
        for number in sorted(curves[BLANKS])
        if number % 4 == 0 or number == cells // 3
    ]
    print(tabulate(rows, ["round i", "f(i)", *curves], disable_numparse=True, colalign=["right"] * (2 + len(curves))))
    for name in OWN:
        cheaper = [number for number, value in rate(curves[BLANKS], curves[name]).items() if value < 1]
        first = f"from round {min(cheaper)} on" if cheaper else "in no round that half of the games reach"
        print(f"the blanks are cheaper than {name} {first}; the paper switches after round {cells // 3}")
    if options.svg:
        draw(options.size, curves, options.svg)


if __name__ == "__main__":
    main()
