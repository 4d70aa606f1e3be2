"""A session of a tournament: play what is missing, on several processes, and write each game as it ends.

A planned game makes, prepares and closes its players: strategies by name, or outside programs by command. Whoever
fails to give a legal move loses the game, and the reason is kept.
"""

import multiprocessing
import platform
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from concurrent.futures.process import BrokenProcessPool
from contextlib import ExitStack, closing, contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from itertools import product
from pathlib import Path

import msgspec

import hexlogic
from hexlogic.errors import HexlogicError, MoveError, SuiteError
from hexlogic.games.game import BLUE, PLAYERS, Player, opponent
from hexlogic.games.game_state import RESIGN, GameRecord, GameState, Turn
from hexlogic.games.kinds.hex import Hex
from hexlogic.games.record_formats import write_games
from hexlogic.players.htp import OutsideProgram
from hexlogic.players.strategies import load_strategy
from hexlogic.players.strategy import Budget, Strategy
from hexlogic.players.tournament.records import (
    SCHEMA,
    GameLine,
    Opened,
    PlannedGame,
    TournamentEnd,
    TournamentFile,
    TournamentSettings,
    TournamentWriter,
    plan_games,
    read_tournament,
)
from hexlogic.process.kernels import compile_first
from hexlogic.process.process_tree import TreeClock

_NAMED = re.compile(r"([\w.+-]+)=(.+)", re.DOTALL)
_FACTOR, _EXTRA_S, _WITHOUT_CLOCK_S = 3.0, 10.0, 120.0


def name_engines(texts: Iterable[str]) -> dict[str, str]:
    """Commands by the names that the players get: `NAME=COMMAND`, or a command whose program gives the name. Raises
    SuiteError for two programs of one name.

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


@dataclass(frozen=True, slots=True)
class GameOutcome:
    """The end of a game.

    `winner` is 0 for the strategy that had the first move and 1 for the other: after `swap-sides` its colour differs
    from the one it began with. `seconds` has the time of every turn that was thought about, on the clock
    of its budget, that of outside programs with it; `reason` is how it ended.
    """

    turns: tuple[Turn, ...]
    winner: int
    colour: Player
    reason: str
    seconds: tuple[float, ...]


def play_game(
    board: Hex, seats: Sequence[Strategy], budget: Budget, *, opening: Sequence[int] = (), swap: bool = False
) -> GameOutcome:
    """Play to the end. `seats[0]` moves first after the opening's cells, which the players place in turn. With `swap`
    the second player may answer the first stone by a swap; that is for games without an opening of two."""
    state = GameState(board)
    for cell in opening:
        state.play(state.to_move, cell)
    seconds: list[float] = []

    def won_by(winner: Player, reason: str) -> GameOutcome:
        seat = int((winner == BLUE) != state.sides_exchanged)
        return GameOutcome(tuple(state.turns), seat, winner, reason, tuple(seconds))

    while state.winner is None:
        mover = state.to_move
        strategy = seats[int((mover == BLUE) != state.sides_exchanged)]
        may_swap = swap and state.can_swap
        now = budget.now if budget.clock == "wall" else TreeClock().cpu_s
        begin = now()
        try:
            try:
                swaps = may_swap and strategy.swaps(state, budget)
                action = state.swap_action if swaps else strategy.choose(state, budget)
            finally:
                seconds.append(now() - begin)
            if isinstance(action, str) and action != RESIGN and not may_swap:
                raise MoveError(f"{action} is no move of this game")
            state.play(mover, action)
        except HexlogicError as error:
            return won_by(opponent(mover), f"{mover} forfeits: {error}")
    return won_by(state.winner, "resignation" if state.turns[-1].action == RESIGN else "connection")


def _line(game: PlannedGame, outcome: GameOutcome) -> GameLine:
    record = GameRecord(Hex.of_text(game.size), outcome.turns)
    return GameLine(
        **msgspec.structs.asdict(game),
        winner=(game.first, game.second)[outcome.winner],
        colour=outcome.colour,
        reason=outcome.reason,
        moves=write_games((record,), "moves").replace("\n", " ").strip(),
        seconds=tuple(round(second, 4) for second in outcome.seconds),
    )


@contextmanager
def _player(settings: TournamentSettings, name: str, board: Hex, seed: int = 0) -> Iterator[Strategy]:
    """A player of the list, prepared for a board. Raises HexlogicError. An outside program has lost when it says
    nothing for three times the seconds of a move and ten more."""
    if name in settings.engines:
        answer_s = _WITHOUT_CLOCK_S if settings.seconds is None else _FACTOR * settings.seconds + _EXTRA_S
        strategy: Strategy = OutsideProgram(settings.engines[name], answer_s=answer_s)
    else:
        compile_first()  # before the clock runs
        strategy = load_strategy(name, seed)
    with closing(strategy):
        strategy.prepare(board)
        yield strategy


def play_planned(settings: TournamentSettings, game: PlannedGame) -> GameLine:
    """Play one game and return its line. A player that cannot be made loses."""
    board = Hex.of_text(game.size)
    seats: list[Strategy] = []
    with ExitStack() as players:
        try:
            for seat, name in enumerate((game.first, game.second)):
                seats.append(players.enter_context(_player(settings, name, board, game.seed + seat)))
        except HexlogicError as error:
            seat = len(seats)
            lost = f"{PLAYERS[seat]} forfeits: {error}"
            return _line(game, GameOutcome((), 1 - seat, PLAYERS[1 - seat], lost, ()))
        outcome = play_game(
            board,
            seats,
            Budget(settings.seconds, settings.playouts, clock=settings.clock),
            opening=[board.parse_cell(name) for name in game.opening],
            swap=settings.swap and len(game.opening) < 2,
        )
    return _line(game, outcome)


def prepare_players(settings: TournamentSettings) -> None:
    """Make and prepare every strategy for each size, so that compiling is over before the clock runs. Raises
    HexlogicError for a player that there is not, or not on that board."""
    for name, size in product(settings.players, settings.sizes):
        with _player(settings, name, Hex.of_text(size)):
            pass


def run_tournament(
    settings: TournamentSettings,
    folder: Path,
    *,
    resume: bool = False,
    jobs: int = 1,
    command: str = "",
    say: Callable[[str], None] = lambda text: None,
) -> TournamentFile:
    """Play the games that the folder does not hold yet; what it holds then. Raises SuiteError where it cannot be
    written or its settings are others, and HexlogicError for players that there are not."""
    plan = plan_games(settings)
    with TournamentWriter(folder, resume=resume) as writer:
        if writer.before is not None and writer.before.opened.settings != settings:
            raise SuiteError(
                f"{folder} holds another tournament", hint="give the same players, sizes, games, seed and limits"
            )
        games: dict[str, GameLine] = dict(writer.before.games) if writer.before else {}
        here = {"host": platform.node(), "python": platform.python_version(), "version": hexlogic.__version__}
        writer.write(Opened(schema=SCHEMA, started=_now(), **here, command=command, settings=settings))
        for line in games.values():  # an SGF file may have been lost with the session
            writer.write_sgf(line)

        left = [game for game in plan if game.key not in games]
        for line in _play(settings, left, jobs):
            writer.write(line)
            games[line.key] = line
            say(f"[{len(games)}/{len(plan)}] {line.key}: {line.winner} wins, {line.reason}")
        writer.write(TournamentEnd(ended=_now()))
    return read_tournament(folder)


def _play(settings: TournamentSettings, games: Iterable[PlannedGame], jobs: int) -> Iterator[GameLine]:
    if jobs == 1:
        yield from (play_planned(settings, game) for game in games)
        return
    with ProcessPoolExecutor(jobs, mp_context=multiprocessing.get_context("spawn")) as pool:
        try:
            ended = as_completed([pool.submit(play_planned, settings, game) for game in games])
            yield from (game.result() for game in ended)
        except BrokenProcessPool:
            raise SuiteError("a process that played games died", hint="--resume goes on with the others") from None
        finally:
            pool.shutdown(wait=False, cancel_futures=True)


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="seconds")
