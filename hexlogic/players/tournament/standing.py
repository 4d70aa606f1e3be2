"""Results and ratings of a tournament, as data and as one HTML file that needs no other."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from itertools import combinations
from math import comb, log
from pathlib import Path
from typing import Final

import numpy as np

from hexlogic.players.tournament.records import GameLine, TournamentFile, TournamentSettings, game_record
from hexlogic.process.files import load_template

_PER_ELO: Final = log(10) / 400
_PRIOR_GAMES: Final = 1.0
"""Drawn games against an average player that every rating begins with: a player that lost all games is rated too."""


@dataclass(frozen=True, slots=True)
class Pairing:
    """Two players' games: wins of each, how many of these by forfeit, and pairs of games that one of them won by both,
    or that were shared."""

    one: str
    two: str
    wins: int
    losses: int
    pairs_won: int
    pairs_lost: int
    pairs_shared: int
    forfeit_wins: int
    forfeit_losses: int

    @property
    def p_value(self) -> float:
        """The sign test over pairs, two-sided; shared pairs say nothing."""
        return sign_test(self.pairs_won, self.pairs_lost)


def sign_test(won: int, lost: int) -> float:
    """The two-sided p-value of so many wins and losses when both are as likely.

    >>> sign_test(5, 0), sign_test(1, 1), sign_test(0, 0)
    (0.0625, 1.0, 1.0)
    """
    games = won + lost
    as_far = sum(comb(games, wins) for wins in range(min(won, lost) + 1))
    return min(1.0, as_far / 2.0 ** (games - 1))


@dataclass(frozen=True, slots=True)
class Rating:
    """The Elo rating of a player, the mean of all being 0, with its 95 % interval."""

    player: str
    elo: float
    low: float
    high: float
    games: int
    wins: int


def ratings(players: Sequence[str], wins: Mapping[tuple[str, str], int]) -> tuple[Rating, ...]:
    """Bradley-Terry ratings by maximum likelihood, strongest first; `wins[a, b]` counts the games that a won against b.

    Every player also has half a win and half a loss against an average player, which keeps ratings finite. Intervals
    come from the curvature of the likelihood (Wald).

    >>> [(rating.player, round(rating.elo)) for rating in ratings(["a", "b"], {("a", "b"): 3, ("b", "a"): 1})]
    [('a', 82), ('b', -82)]
    """
    count = len(players)
    won = np.array([[float(wins.get((one, two), 0)) for two in players] for one in players])
    games = won + won.T
    score = won.sum(axis=1) + _PRIOR_GAMES / 2
    strength = np.zeros(count)
    hessian = np.eye(count)
    for _ in range(200):
        chance = 1 / (1 + np.exp(strength[None, :] - strength[:, None]))
        alone = 1 / (1 + np.exp(-strength))
        gradient = score - (games * chance).sum(axis=1) - _PRIOR_GAMES * alone
        weight = games * chance * (1 - chance)
        hessian = np.diag(weight.sum(axis=1) + _PRIOR_GAMES * alone * (1 - alone)) - weight
        step = np.linalg.solve(hessian, gradient)
        strength += np.clip(step, -1, 1)
        if np.abs(step).max() < 1e-9:
            break
    # The interval of each player against the mean of all.
    centre = np.eye(count) - 1 / count
    spread = np.sqrt(np.maximum(np.diag(centre @ np.linalg.inv(hessian) @ centre.T), 0)) * 1.96
    strength -= strength.mean()
    elos = np.stack([strength, strength - spread, strength + spread], axis=1) / _PER_ELO
    sums = np.stack([games.sum(axis=1), won.sum(axis=1)], axis=1).astype(int)
    rated_players = [Rating(*row) for row in zip(players, *elos.T.tolist(), *sums.T.tolist(), strict=True)]
    # Who has the same results has the same rating but for the last digits, which differ among machines.
    return tuple(sorted(rated_players, key=lambda rating: (-round(rating.elo, 6), rating.player)))


def pairings(settings: TournamentSettings, games: Iterable[GameLine]) -> tuple[Pairing, ...]:
    """The results of each pairing, the player that was given first in front."""
    lines = list(games)
    results = []
    for one, two in combinations(settings.players, 2):
        if pairs := _pairs(one, two, lines):
            wins, played = sum(map(sum, pairs)), sum(map(len, pairs))
            scores = [sum(pair) for pair in pairs if len(pair) == 2]
            between = [line.winner for line in lines if line.is_forfeit and {line.first, line.second} == {one, two}]
            forfeits = map(between.count, (one, two))
            results.append(Pairing(one, two, wins, played - wins, *map(scores.count, (2, 0, 1)), *forfeits))
    return tuple(results)


def rated(settings: TournamentSettings, games: Iterable[GameLine]) -> tuple[Rating, ...]:
    """The ratings of all players."""
    return ratings(settings.players, _wins(games))


def _wins(games: Iterable[GameLine]) -> Counter[tuple[str, str]]:
    return Counter((line.winner, line.second if line.winner == line.first else line.first) for line in games)


def _pairs(one: str, two: str, games: Iterable[GameLine]) -> list[list[bool]]:
    """For each pair of games of a pairing, whether its first player won: games 1 and 2 are a pair, 3 and 4 the next."""
    won: defaultdict[str, list[bool]] = defaultdict(list)
    for line in games:
        if {line.first, line.second} == {one, two}:
            head, _, number = line.key.rpartition("#")
            won[f"{head}#{(int(number) + 1) // 2}"].append(line.winner == one)
    return list(won.values())


def standing_data(file: TournamentFile) -> dict[str, object]:
    """Everything that `--json` prints: settings, results by pairing, ratings, games."""
    settings, games = file.opened.settings, file.games.values()
    return {
        **{name: getattr(settings, name) for name in ("players", "sizes", "seed", "seconds", "clock")},
        "command": file.opened.command,
        "results": [
            {**asdict(each), "games": each.wins + each.losses, "p_value": each.p_value}
            for each in pairings(settings, games)
        ],
        "ratings": [asdict(each) for each in rated(settings, games)],
        "games": [
            {
                **{name: getattr(line, name) for name in ("key", "first", "second", "size", "winner", "reason")},
                "moves": line.moves.count(",") + 1 if "," in line.moves else int(" " in line.moves),
                "seconds": round(sum(line.seconds), 3),
            }
            for line in games
        ],
    }


def tournament_page(file: TournamentFile) -> str:
    """The text of the page; the same file gives the same bytes."""
    settings, games = file.opened.settings, list(file.games.values())
    ranking, wins = rated(settings, games), _wins(games)
    names = [rating.player for rating in ranking]
    return load_template(Path(__file__).with_name("page.html.j2")).render(
        opened=file.opened,
        settings=settings,
        ranking=[(rating, _thinking(rating.player, games)) for rating in ranking],
        low=min(rating.low for rating in ranking),
        high=max(rating.high for rating in ranking),
        names=names,
        wins=wins,
        pairings=pairings(settings, games),
        games=[_game(line) for line in games],
        forfeits=[line for line in games if line.is_forfeit],
        complete=file.end is not None,
    )


def _thinking(player: str, games: list[GameLine]) -> float | None:
    seats = [(line, (line.first, line.second).index(player)) for line in games if player in (line.first, line.second)]
    times = [second for line, seat in seats for second in line.seconds[(seat - len(line.opening)) % 2 :: 2]]
    return sum(times) / len(times) if times else None


def _game(line: GameLine) -> dict[str, object]:
    record = game_record(line)
    return {
        "key": line.key,
        "rows": record.board.rows,
        "columns": record.board.columns,
        "red": record.red_name,
        "blue": record.blue_name,
        "winner": line.winner,
        "reason": line.reason,
        "opening": len(line.opening),
        "turns": [[turn.player, turn.action] for turn in record.turns],
        "seconds": list(line.seconds),
    }
