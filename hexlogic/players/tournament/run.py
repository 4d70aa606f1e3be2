"""A session of a tournament: play what is missing, on several processes, and write each game as it ends."""

from __future__ import annotations

import itertools
import multiprocessing
import platform
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

import hexlogic
from hexlogic.errors import HexlogicError, SuiteError
from hexlogic.players.tournament.plan import PlannedGame, TournamentPlan, TournamentSettings, plan_games
from hexlogic.players.tournament.planned_game import play_planned
from hexlogic.players.tournament.records import (
    SCHEMA,
    GameLine,
    Opened,
    TournamentEnd,
    TournamentFile,
    TournamentWriter,
    read_tournament,
)
from hexlogic.players.tournament.standing import decided
from hexlogic.process.cluster import is_cluster, open_cluster, work_through


@dataclass(frozen=True, slots=True)
class TournamentSession:
    """Where the games are, and what is in the file now."""

    folder: Path
    file: TournamentFile
    played: int
    """Games of this session."""


def run_tournament(
    settings: TournamentSettings,
    folder: Path,
    *,
    resume: bool = False,
    jobs: int = 1,
    executor: str = "local",
    command: str = "",
    say: Callable[[str], None] = lambda text: None,
) -> TournamentSession:
    """Play the games that the folder does not hold yet. Raises SuiteError where it cannot be written or its settings
    are others, and HexlogicError for players that there are not."""
    plan = plan_games(settings)
    played, stopped = 0, set[str]()
    with TournamentWriter(folder, resume=resume) as writer:
        if writer.before is not None and writer.before.opened.settings != settings:
            raise SuiteError(
                f"{folder} holds another tournament", hint="give the same players, sizes, games, seed and limits"
            )
        games: dict[str, GameLine] = dict(writer.before.games) if writer.before else {}
        writer.write(_opened(settings, command))
        for line in games.values():  # an SGF file may have been lost with the session
            writer.write_sgf(line)

        def wanted(game: PlannedGame) -> bool:
            if game.key in games:
                return False
            if settings.sprt is not None and (verdict := decided(settings, game.pairing, games.values())):
                names = " - ".join(settings.players[number] for number in game.pairing)
                if names not in stopped:
                    stopped.add(names)
                    say(f"{names}: the sequential test decides {verdict}")
                return False
            return True

        for line in _play(plan, wanted, jobs, executor, say):
            writer.write(line)
            games[line.key] = line
            played += 1
            say(f"[{len(games)}/{len(plan.games)}] {line.key}: {line.winner} wins, {line.reason}")
        writer.write(TournamentEnd(ended=_now(), stopped_early=tuple(sorted(stopped))))
    return TournamentSession(folder, read_tournament(folder), played)


def _play(
    plan: TournamentPlan, wanted: Callable[[PlannedGame], bool], jobs: int, executor: str, say: Callable[[str], None]
) -> Iterator[GameLine]:
    """The lines of the games, in the order in which they end. A game is asked for only when somebody can play it."""
    again = "--resume goes on with the others"
    tasks = ((plan.settings, game) for game in plan.games if wanted(game))
    if is_cluster(executor):
        with open_cluster(executor, jobs) as cluster:
            try:
                yield from (line for _, line in cluster.stream(play_planned, tasks, say))
            except HexlogicError as error:
                raise SuiteError(error.message, hint=again) from None
    elif jobs == 1:
        yield from itertools.starmap(play_planned, tasks)
    else:
        with ProcessPoolExecutor(jobs, mp_context=multiprocessing.get_context("spawn")) as pool:
            try:
                ended = work_through(tasks, range(jobs), lambda _, task: pool.submit(play_planned, *task))
                yield from (line for _, line in ended)
            except BrokenProcessPool:
                raise SuiteError("a process that played games died", hint=again) from None


def _opened(settings: TournamentSettings, command: str) -> Opened:
    return Opened(
        schema=SCHEMA,
        started=_now(),
        host=platform.node(),
        python=platform.python_version(),
        version=hexlogic.__version__,
        command=command,
        settings=settings,
    )


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="seconds")
