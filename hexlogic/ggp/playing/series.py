"""Several matches of the same players, and their standing."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from hexlogic.ggp.playing.contestant import NamedPlayer
from hexlogic.ggp.playing.host import Host
from hexlogic.ggp.playing.record import MatchRecord


@dataclass(frozen=True, slots=True)
class Played:
    """A match, and for each role the number of the player who had it."""

    seats: tuple[int, ...]
    record: MatchRecord


@dataclass(frozen=True, slots=True)
class Standing:
    """What a player got out of its matches.

    A match is won by the role with the highest goal, drawn by those who share it; alone, it is won with goal 100."""

    player: str
    matches: int
    wins: int
    draws: int
    goals: tuple[int, ...]
    """Of the matches that came to an end."""
    faults: int

    @property
    def losses(self) -> int:
        """The matches that came to an end, neither won nor drawn."""
        return len(self.goals) - self.wins - self.draws

    @property
    def mean_goal(self) -> float | None:
        """None when no match came to an end."""
        return sum(self.goals) / len(self.goals) if self.goals else None


def play_series(
    host: Host, entries: Sequence[NamedPlayer], games: int, *, swap: bool = False, seed: int = 0
) -> Iterator[Played]:
    """The matches, each as soon as it is over. With `swap`, each player takes the next role in each match.

    Raises what `Host.play` raises."""
    stem = re.sub(r"[^\w.-]", "_", Path(host.name).stem, flags=re.ASCII)
    for number in range(games):
        seats = tuple((role - number * swap) % len(entries) for role in range(len(entries)))
        yield Played(seats, host.play(f"{stem}.{number + 1}", [entries[seat] for seat in seats], seed))


def standings(entries: Sequence[NamedPlayer], matches: Sequence[Played]) -> list[Standing]:
    """The standing of each player, in their order."""
    return [_standing(number, entry.text, matches) for number, entry in enumerate(entries)]


def _standing(player: int, name: str, matches: Sequence[Played]) -> Standing:
    wins = draws = faults = 0
    goals = []
    for match in matches:
        role = match.seats.index(player)
        faults += sum(fault.role == role for _, fault in match.record.faults)
        if match.record.goals is None:
            continue
        own = match.record.goals[role]
        best = max([100, *match.record.goals] if len(match.record.goals) == 1 else match.record.goals)
        wins += own == best and match.record.goals.count(best) == 1
        draws += own == best and match.record.goals.count(best) > 1
        goals.append(own)
    return Standing(name, len(matches), wins, draws, tuple(goals), faults)
