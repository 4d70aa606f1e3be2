"""One planned game of a tournament: both players, strategies by name or outside programs by command, are made, prepared
and closed again, and its line is returned."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

from hexlogic.errors import HexlogicError, SuiteError
from hexlogic.games.kinds.hex import Hex
from hexlogic.games.players import BLUE, RED, Player
from hexlogic.players.budget import Budget
from hexlogic.players.registry import load_strategy
from hexlogic.players.strategy import Strategy
from hexlogic.players.tournament.game import GameOutcome, play_game
from hexlogic.players.tournament.plan import PlannedGame, TournamentSettings, board_of
from hexlogic.players.tournament.records import GameLine, game_line

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


def make_entrant(name: str, engines: Mapping[str, str], seed: int, answer_s: float) -> Strategy:
    """The player of that name; an outside program gets `answer_s` seconds for each answer. Raises HexlogicError."""
    if name in engines:
        from hexlogic.players.htp.outside import OutsideProgram

        return OutsideProgram(engines[name], answer_s=answer_s)
    return load_strategy(name, seed)


def answer_s(settings: TournamentSettings) -> float:
    """The seconds after which an outside program that says nothing has lost."""
    return _WITHOUT_CLOCK_S if settings.seconds is None else _FACTOR * settings.seconds + _EXTRA_S


def play_planned(settings: TournamentSettings, game: PlannedGame) -> GameLine:
    """Play one game and return its line. A player that cannot be made loses."""
    board = board_of(game.size)
    budget = Budget(settings.seconds, settings.playouts, clock=settings.clock)
    seats: list[Strategy] = []
    try:
        for seat, number in enumerate((game.first, game.second)):
            try:
                name = settings.players[number]
                seats.append(make_entrant(name, settings.engines, game.seed + seat, answer_s(settings)))
                seats[-1].prepare(board)
            except HexlogicError as error:
                return game_line(game, settings, _forfeit(seat, error))
        outcome = play_game(
            board,
            seats,
            (budget, budget),
            opening=[board.parse_cell(name) for name in game.opening],
            swap=settings.swap and len(game.opening) < 2,
        )
    finally:
        for strategy in seats:
            strategy.close()
    return game_line(game, settings, outcome)


def _forfeit(seat: int, error: HexlogicError) -> GameOutcome:
    colour: Player = RED if seat else BLUE
    return GameOutcome((), 1 - seat, colour, f"{'blue' if seat else 'red'} forfeits: {error}", ())


def prepare_players(settings: TournamentSettings) -> None:
    """Make and prepare every strategy once, so that compiling is over before the clock runs. Raises HexlogicError for
    a player that there is not."""
    for name in settings.players:
        strategy = make_entrant(name, settings.engines, 0, answer_s(settings))
        try:
            strategy.prepare(Hex(5, 5))
        finally:
            strategy.close()
