"""A session of a tournament: play what is missing, on several processes, and write each game as it ends."""

from __future__ import annotations

import multiprocessing
import platform
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, ThreadPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

import hexlogic
from hexlogic.cluster import Worker, WorkerLost, is_cluster, open_cluster
from hexlogic.errors import SuiteError
from hexlogic.players.tournament.plan import PlannedGame, TournamentPlan, TournamentSettings, plan_games
from hexlogic.players.tournament.planned_game import play_planned
from hexlogic.players.tournament.records import SCHEMA, GameLine, Opened, TournamentEnd
from hexlogic.players.tournament.standing import decided
from hexlogic.players.tournament.store import TournamentFile, TournamentWriter, read_tournament

__all__ = ["TournamentSession", "run_tournament"]


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
    if is_cluster(executor):
        yield from _on_cluster(plan, wanted, jobs, executor, say)
    elif jobs == 1:
        for game in plan.games:
            if wanted(game):
                yield play_planned(plan.settings, game)
    else:
        yield from _in_processes(plan, wanted, jobs)


def _in_processes(plan: TournamentPlan, wanted: Callable[[PlannedGame], bool], jobs: int) -> Iterator[GameLine]:
    waiting = iter(plan.games)
    running: set[Future[GameLine]] = set()
    context = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(jobs, mp_context=context) as pool:
        try:
            while True:
                while len(running) < jobs and (game := next((each for each in waiting if wanted(each)), None)):
                    running.add(pool.submit(play_planned, plan.settings, game))
                if not running:
                    return
                done, running = wait(running, return_when=FIRST_COMPLETED)
                for future in done:
                    yield future.result()
        except BrokenProcessPool:
            raise SuiteError("a process that played games died", hint="--resume goes on with the others") from None
        except BaseException:
            pool.shutdown(wait=False, cancel_futures=True)
            raise


def _on_cluster(
    plan: TournamentPlan, wanted: Callable[[PlannedGame], bool], jobs: int, executor: str, say: Callable[[str], None]
) -> Iterator[GameLine]:
    with open_cluster(executor, jobs) as cluster:
        waiting, again, stop = iter(plan.games), list[PlannedGame](), threading.Event()

        def following() -> PlannedGame | None:
            return again.pop(0) if again else next((each for each in waiting if wanted(each)), None)

        free = list(cluster.workers())
        with ThreadPoolExecutor(len(free)) as pool:
            running: dict[Future[GameLine], tuple[Worker, PlannedGame]] = {}
            try:
                while True:
                    while free and (game := following()) is not None:
                        worker = free.pop()
                        future = pool.submit(cluster.call, worker, stop, play_planned, plan.settings, game)
                        running[future] = worker, game
                    if not running:
                        if (left := following()) is not None:
                            raise SuiteError(
                                f"no worker is left to play {left.key}", hint="--resume goes on with the others"
                            )
                        return
                    for future in wait(running, return_when=FIRST_COMPLETED).done:
                        lost, game = running.pop(future)
                        try:
                            line = future.result()
                        except WorkerLost:
                            say(f"a worker is lost; {game.key} is played again")
                            again.append(game)
                            busy = {each for each, _ in running.values()}
                            free = [each for each in cluster.wait_for(bool, 10.0) if each not in busy and each != lost]
                            continue
                        free.append(lost)
                        yield line
            finally:
                stop.set()


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
