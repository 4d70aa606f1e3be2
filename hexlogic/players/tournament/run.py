"""A session of a tournament: play what is missing, on several processes, and write each game as it ends.

A planned game makes, prepares and closes its players: strategies by name, or outside programs by command.
"""

from __future__ import annotations

import itertools
import multiprocessing
import platform
import re
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import ExitStack, closing, contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

import hexlogic
from hexlogic.errors import HexlogicError, SuiteError
from hexlogic.games.game import PLAYERS
from hexlogic.games.kinds.hex import Hex
from hexlogic.players.htp import OutsideProgram
from hexlogic.players.strategies import load_strategy
from hexlogic.players.strategy import Budget, Strategy
from hexlogic.players.tournament.records import (
    SCHEMA,
    GameLine,
    GameOutcome,
    Opened,
    PlannedGame,
    TournamentEnd,
    TournamentFile,
    TournamentSettings,
    TournamentWriter,
    board_of,
    game_line,
    plan_games,
    play_game,
    read_tournament,
)
from hexlogic.players.tournament.standing import decided
from hexlogic.process.cluster import is_cluster, open_cluster, work_through

_NAMED = re.compile(r"([\w.+-]+)=(.+)", re.DOTALL)
_FACTOR, _EXTRA_S, _WITHOUT_CLOCK_S = 3.0, 10.0, 120.0


def name_engines(texts: Iterable[str]) -> dict[str, str]:
    """Commands by the names that the players get: `NAME=COMMAND`, or a command whose program gives the name.

    Raises SuiteError for two programs of one name.

    >>> name_engines(["/usr/bin/wolve --quiet", "strong=mohex --config strong.htp"])
    {'wolve': '/usr/bin/wolve --quiet', 'strong': 'mohex --config strong.htp'}
    """
    engines: dict[str, str] = {}
    for text in texts:
        named = _NAMED.fullmatch(text)
        command = named[2] if named else text
        words = command.split()
        name = named[1] if named else (words[0].rpartition("/")[2] if words else "")
        if not name:
            raise SuiteError("the command of an engine is empty", file="--engine", hint="such as 'wolve --quiet'")
        if name in engines:
            raise SuiteError(f"two engines are called {name}", file="--engine", hint="name them: other=COMMAND")
        engines[name] = command
    return engines


@contextmanager
def _player(settings: TournamentSettings, name: str, board: Hex, seed: int = 0) -> Iterator[Strategy]:
    """A player of the list, prepared for a board. Raises HexlogicError.

    An outside program has lost when it says nothing for three times the seconds of a move and ten more.
    """
    if name in settings.engines:
        answer_s = _WITHOUT_CLOCK_S if settings.seconds is None else _FACTOR * settings.seconds + _EXTRA_S
        strategy: Strategy = OutsideProgram(settings.engines[name], answer_s=answer_s)
    else:
        strategy = load_strategy(name, seed)
    with closing(strategy):
        strategy.prepare(board)
        yield strategy


def play_planned(settings: TournamentSettings, game: PlannedGame) -> GameLine:
    """Play one game and return its line. A player that cannot be made loses."""
    board = board_of(game.size)
    seats: list[Strategy] = []
    with ExitStack() as players:
        try:
            for seat, name in enumerate((game.first, game.second)):
                seats.append(players.enter_context(_player(settings, name, board, game.seed + seat)))
        except HexlogicError as error:
            seat = len(seats)
            lost = f"{PLAYERS[seat]} forfeits: {error}"
            return game_line(game, GameOutcome((), 1 - seat, PLAYERS[1 - seat], lost, ()))
        outcome = play_game(
            board,
            seats,
            Budget(settings.seconds, settings.playouts, clock=settings.clock),
            opening=[board.parse_cell(name) for name in game.opening],
            swap=settings.swap and len(game.opening) < 2,
        )
    return game_line(game, outcome)


def prepare_players(settings: TournamentSettings) -> None:
    """Make and prepare every strategy once, so that compiling is over before the clock runs. Raises HexlogicError for
    a player that there is not."""
    for name in settings.players:
        with _player(settings, name, Hex(5, 5)):
            pass


@dataclass(frozen=True, slots=True)
class TournamentSession:
    """The folder of the games, and the content of its file now."""

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
        writer.write(
            Opened(
                schema=SCHEMA,
                started=_now(),
                host=platform.node(),
                python=platform.python_version(),
                version=hexlogic.__version__,
                command=command,
                settings=settings,
            )
        )
        for line in games.values():  # an SGF file may have been lost with the session
            writer.write_sgf(line)

        def wanted(game: PlannedGame) -> bool:
            if game.key in games:
                return False
            pairing = game.key.partition(" @")[0]
            if pairing not in stopped and (verdict := decided(settings, game, games.values())):
                stopped.add(pairing)
                say(f"{pairing}: the sequential test decides {verdict}")
            return pairing not in stopped

        for line in _play(settings, filter(wanted, plan), jobs, executor, say):
            writer.write(line)
            games[line.key] = line
            played += 1
            say(f"[{len(games)}/{len(plan)}] {line.key}: {line.winner} wins, {line.reason}")
        writer.write(TournamentEnd(ended=_now(), stopped_early=tuple(sorted(stopped))))
    return TournamentSession(folder, read_tournament(folder), played)


def _play(
    settings: TournamentSettings,
    games: Iterable[PlannedGame],
    jobs: int,
    executor: str,
    say: Callable[[str], None],
) -> Iterator[GameLine]:
    """The lines of the games, in the order in which they end. A game is taken only when somebody can play it."""
    again = "--resume goes on with the others"
    tasks = ((settings, game) for game in games)
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


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="seconds")
