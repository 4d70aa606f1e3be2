"""What has to agree: the headers of sessions whose times are compared, and random games of players that follow the same
rules, in mean length and mean goals.

All playouts of a sheet draw from the same distribution of games, whatever reformulation decides who has won and
whatever reasoner works it out. How much a single game varies is estimated from all batches together; what differs by
more than `FAR` standard errors from the referee, or from all others together, is wrong.
"""

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Final

from hexlogic.laboratory.records.types import REFEREE, Playing, Session, grouped

FAR = 4.0
"""Standard errors that a result may be away from the reference."""


@dataclass(frozen=True, slots=True)
class MeanOfGames:
    """A mean over so many games and its standard error; None where too few batches tell how games vary."""

    games: int
    mean: float
    error: float | None


@dataclass(frozen=True, slots=True)
class Disagreement:
    """A run of random games whose mean is too far from the reference's; `what` is `length`, or a role."""

    playing: Playing
    what: str
    mean: float
    reference: float
    errors: float
    """Standard errors between the two."""

    def __str__(self) -> str:
        mean, run = f"{self.mean:.2f}", self.playing
        words = f"games of {mean} steps" if self.what == "length" else f"a mean goal of {mean} for {self.what}"
        gap = f"not {self.reference:.2f} ({self.errors:.1f} standard errors away)"
        return f"{run.sheet} on {run.reasoner}, {place_of(run)}: {words}, {gap}"


def place_of(run: Playing) -> str:
    """The game and the board that were played: all players of it must agree."""
    return run.game if run.rows is None else f"{run.game} {run.rows}x{run.columns}"


def disagreements(playings: Iterable[Playing]) -> list[Disagreement]:
    """The runs whose means differ from those of the other players of the same game."""
    groups = grouped((run for run in playings if run.played is not None), place_of)
    return [gap for group in groups.values() for what in _asked(group) for gap in _disagreements(group, what)]


def estimates(runs: Sequence[Playing], among: Sequence[Playing]) -> dict[str, MeanOfGames]:
    """The mean length and the mean goal of each role in some runs of a game, `among` all its runs."""
    return {
        what: _estimate(batches, _variance([_values(run, what) for run in among]))
        for what in _asked(among)
        if (batches := [pair for run in runs for pair in _values(run, what)])
    }


def _disagreements(group: Sequence[Playing], what: str) -> list[Disagreement]:
    """The runs of a game whose mean differs from that of the referee, then of all others together: the farthest goes
    first, since it must not make the others look wrong."""
    values = {run.key: _values(run, what) for run in group}
    variance = _variance(list(values.values()))
    if variance is None:
        return []
    left = [run for run in group if values[run.key] and run.reasoner != REFEREE]
    referees = [run for run in group if values[run.key] and run.reasoner == REFEREE]

    def far(run: Playing, others: Sequence[Playing]) -> Iterator[Disagreement]:
        batches = [pair for other in others for pair in values[other.key]]
        if batches:
            mean, reference = _estimate(values[run.key], variance), _estimate(batches, variance)
            error = math.sqrt(variance * (1 / mean.games + 1 / reference.games))
            gap = abs(mean.mean - reference.mean)
            errors = gap / error if error > 0 else 0.0 if gap < _SAME else math.inf
            if errors > FAR:
                yield Disagreement(run, what, mean.mean, reference.mean, errors)

    disagreements: list[Disagreement] = []
    farthest = [gap for run in left for gap in far(run, referees)]
    while True:
        disagreements += farthest
        left = [run for run in left if all(run is not gap.playing for gap in farthest)]
        gaps = [gap for run in left for gap in far(run, [other for other in left if other is not run])]
        most = max((gap.errors for gap in gaps), default=0.0)
        farthest = [gap for gap in gaps if math.isclose(gap.errors, most)]
        if not farthest:
            return disagreements


_SAME = 1e-9


def _asked(group: Sequence[Playing]) -> list[str]:
    roles = dict.fromkeys(role for run in group if run.played is not None for role in run.played.roles)
    return ["length", *roles]


def _values(run: Playing, what: str) -> list[tuple[int, float]]:
    if run.played is None:
        return []
    if what == "length":
        return [(batch.games, float(batch.steps)) for batch in run.played.batches if batch.steps is not None]
    if what not in run.played.roles:
        return []
    role = run.played.roles.index(what)
    return [(batch.games, batch.goals[role]) for batch in run.played.batches if role < len(batch.goals)]


def _variance(runs: Sequence[Sequence[tuple[int, float]]]) -> float | None:
    """The variance of a single game: how batches scatter around the mean of their run, for their numbers of games."""
    total, freedom = 0.0, 0
    for batches in runs:
        if len(batches) > 1:
            mean = sum(value for _, value in batches) / sum(games for games, _ in batches)
            total += sum(games * (value / games - mean) ** 2 for games, value in batches)
            freedom += len(batches) - 1
    return total / freedom if freedom else None


def _estimate(batches: Sequence[tuple[int, float]], variance: float | None) -> MeanOfGames:
    games = sum(games for games, _ in batches)
    mean = sum(value for _, value in batches) / games
    return MeanOfGames(games, mean, None if variance is None else math.sqrt(variance / games))


_SAME_FIELDS: Final[dict[str, tuple[str, ...]]] = {
    "hosts": ("host", "cpu_model", "cores"),
    "limits": ("limits",),
    "meters": ("meter",),
    "versions of hexlogic": ("hexlogic", "code_hash"),
    "versions of Python": ("python",),
}
"""The fields of a header that have to agree, by what they are called together."""

_PLAN: Final = ("suite", "seed", "repeats", "warm_ups")  # The fields that are the plan of a session

_WORDS: Final = {"cpu_model": "processor", "python": "Python", "code_hash": "code", "warm_ups": "warm-ups"}


def unlike(sessions: Sequence[Session], *, code: bool = True) -> list[str]:
    """What differs among sessions and makes their times incomparable, such as `hosts` or `versions of swipl`. Without
    `code` hexlogic itself may differ. An engine that a session did not ask, or could not, differs from none."""
    phrases = [
        what
        for what, fields in _SAME_FIELDS.items()
        if (code or "hexlogic" not in fields)
        and len({repr([getattr(session, field) for field in fields]) for session in sessions}) > 1
    ]
    for engine in sorted({name for session in sessions for name in session.engines}):
        if len({session.engines[engine].version for session in sessions if engine in session.engines} - {None}) > 1:
            phrases.append(f"versions of {engine}")
    return phrases


def differences(before: Session, now: Session) -> list[str]:
    """What makes runs of these two sessions not comparable, one phrase each; empty when they are. The suite, its seed
    and numbers of repeats count too: a resumed session carries out the same plan."""
    phrases = [
        f"{_WORDS.get(field, field)} {getattr(before, field)}, now {getattr(now, field)}"
        for field in (*chain.from_iterable(_SAME_FIELDS.values()), *_PLAN)
        if getattr(before, field) != getattr(now, field)
    ]
    for name, info in before.engines.items():
        version = now.engines[name].version if name in now.engines else None
        if name not in now.engines or version != info.version:
            phrases.append(f"{name} {info.version}, now {version or 'not asked'}")
    phrases += [f"{name} not asked, now asked" for name in now.engines if name not in before.engines]
    return phrases
