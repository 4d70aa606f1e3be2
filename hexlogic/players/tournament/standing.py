"""Results and ratings of a tournament, as data."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import asdict
from typing import Any

from hexlogic.players.tournament.plan import TournamentSettings
from hexlogic.players.tournament.records import GameLine, TournamentFile
from hexlogic.players.tournament.statistics import Pairing, Rating, pairings_of, ratings, sequential_test


def pairings(settings: TournamentSettings, games: Iterable[GameLine]) -> tuple[Pairing, ...]:
    """The results of each pairing, the player that was given first in front."""
    order = {name: number for number, name in enumerate(settings.players)}
    results = []
    for line in games:
        one, two = sorted((line.first, line.second), key=order.__getitem__)
        results.append((one, two, _pair(line), line.winner))
    found = pairings_of(results)
    return tuple(sorted(found, key=lambda each: (order[each.one], order[each.two])))


def rated(settings: TournamentSettings, games: Iterable[GameLine]) -> tuple[Rating, ...]:
    """The ratings of all players."""
    wins: dict[tuple[str, str], int] = {}
    for line in games:
        loser = line.second if line.winner == line.first else line.first
        wins[line.winner, loser] = wins.get((line.winner, loser), 0) + 1
    return ratings(settings.players, wins)


def decided(settings: TournamentSettings, pairing: tuple[int, int], games: Iterable[GameLine]) -> str | None:
    """What the sequential test says of a pairing so far: H0, H1, or None."""
    if settings.sprt is None:
        return None
    one, two = (settings.players[number] for number in pairing)
    pairs: dict[str, list[bool]] = {}
    for line in games:
        if {line.first, line.second} == {one, two}:
            pairs.setdefault(_pair(line), []).append(line.winner == one)
    return sequential_test([sum(both) / 2 for both in pairs.values() if len(both) == 2], *settings.sprt)


def standing_data(file: TournamentFile) -> dict[str, Any]:
    """Everything that `--json` prints: settings, results by pairing, ratings, games."""
    settings, games = file.opened.settings, file.games.values()
    return {
        "players": list(settings.players),
        "sizes": list(settings.sizes),
        "seed": settings.seed,
        "seconds": settings.seconds,
        "clock": settings.clock,
        "command": file.opened.command,
        "results": [
            {**asdict(each), "games": each.wins + each.losses, "p_value": each.p_value}
            for each in pairings(settings, games)
        ],
        "ratings": [asdict(each) for each in rated(settings, games)],
        "games": [
            {
                "key": line.key,
                "first": line.first,
                "second": line.second,
                "size": line.size,
                "winner": line.winner,
                "reason": line.reason,
                "moves": line.moves.count(",") + 1 if "," in line.moves else int(" " in line.moves),
                "seconds": round(sum(line.seconds), 3),
            }
            for line in games
        ],
    }


def _pair(line: GameLine) -> str:
    """The name of the pair that a game belongs to: games 1 and 2 are one, 3 and 4 the next."""
    head, _, number = line.key.rpartition("#")
    return f"{head}#{(int(number) + 1) // 2}"
