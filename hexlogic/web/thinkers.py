"""Choose moves for many pages at once, each request by a strategy that no other one uses; and play in the terminal.

In other games than Hex the general game player plays: UCT on the compiled machine of the game's exported sheet.
"""

from __future__ import annotations

import itertools
import random
import threading
from collections import defaultdict
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import lru_cache
from typing import IO, TYPE_CHECKING, Final

from hexlogic.errors import HexlogicError, MoveError, UnknownNameError
from hexlogic.games import PLAYERS, Game, Hex, Player, draw_text
from hexlogic.games.game_state import PASS, RESIGN, SWAP_PIECES, Action, GameState, PlainGame
from hexlogic.players import Budget, Strategy, load_strategy
from hexlogic.web.game_request import choose_by_playouts, winning_cells, word_of

if TYPE_CHECKING:
    from hexlogic.ggp.machines.reasoners.compiled import CompiledMachine


UCT: Final = ("uct:100", "uct:1000", "uct:10000", "uct")
"""So many playouts, or what the time allows."""
_machines = threading.Lock()

LEVELS: Final = (
    *(f"best:{level}" for level in range(1, 10)),
    *("random", "bridge", "two-distance", "resistance", "alpha-beta", "mcts", "mcts-vc", "policy-vc", "solver"),
)
"""The strategies that a page may ask for: none of them reads a file, and all of them keep to their time."""
HINTS: Final = "resistance"
"""The strategy that gives hints."""
_MEANWHILE: Final = "mcts"  # The strategy that gives hints while the kernels of the other are compiled, in this time
_MEANWHILE_S: Final = 0.5
ANYWHERE_HINTS: Final = "playouts"
"""The strategy that gives hints in games other than Hex, and plays them unless told otherwise."""
ANYWHERE: Final = ("random", ANYWHERE_HINTS, *UCT)
"""What plays games other than Hex."""


def hints_for(state: PlainGame) -> str:
    """The strategy that gives hints in a game."""
    return HINTS if isinstance(state, GameState) else ANYWHERE_HINTS


class Thinkers:
    """Chooses moves for pages. `more` are strategies besides LEVELS, such as the one that the command line names."""

    def __init__(self, seconds: float = 2.0, more: tuple[str, ...] = ()) -> None:
        self.seconds = seconds
        self.names = tuple(dict.fromkeys((*LEVELS, *more)))
        self._idle: dict[str, list[Strategy]] = defaultdict(list)
        self._begun: set[str] = set()
        self._lock = threading.Lock()

    def names_for(self, board: Game) -> tuple[str, ...]:
        """The strategies that play on a board."""
        return self.names if isinstance(board, Hex) else ANYWHERE

    def choose(self, name: str, state: PlainGame, seed: int, swap: bool) -> tuple[Action, str]:
        """A move for the player whose turn it is, and what the strategy notes about it. Raises HexlogicError."""
        if not isinstance(state, GameState):
            if not state.empty:
                raise MoveError("the board is full")
            if name == "random":
                return random.Random(seed).choice(state.empty), ""
            if name not in ANYWHERE:
                raise UnknownNameError.among(f"player of {state.board.title}", name, list(ANYWHERE))
            if name in UCT:
                return choose_by_uct(name, state, seed, self.seconds)
            return choose_by_playouts(state, seed, self.seconds)
        budget = Budget(seconds=self.seconds)
        if name == HINTS and self._compiles(name):
            name, budget = _MEANWHILE, Budget(seconds=min(self.seconds, _MEANWHILE_S))
        with self._borrowed(name) as strategy:
            strategy.reset(seed)
            if swap and state.can_swap and state.swap_action == SWAP_PIECES and strategy.swaps(state, budget):
                return SWAP_PIECES, "the opening is strong"
            strategy.note = ""
            return strategy.choose(state, budget), strategy.note

    def _compiles(self, name: str) -> bool:
        """Whether the kernels of a strategy are still compiled, which a small board makes begin."""
        from hexlogic.process.kernels import seconds_left

        if name not in self._begun:
            self._begun.add(name)
            with self._borrowed(name) as strategy:
                strategy.choose(GameState(Hex(2, 2)), Budget(seconds=self.seconds))
        return bool(seconds_left())

    def check(self, name: str) -> None:
        """Raise HexlogicError for a strategy or an option that does not exist."""
        with self._borrowed(name):
            pass

    @contextmanager
    def _borrowed(self, name: str) -> Iterator[Strategy]:
        if name not in self.names:
            raise UnknownNameError.among("player", name, list(self.names))
        with self._lock:
            strategy = self._idle[name].pop() if self._idle[name] else None
        strategy = strategy or load_strategy(name)
        yield strategy
        with self._lock:
            self._idle[name].append(strategy)

    def close(self) -> None:
        """Close the strategies that nobody uses."""
        with self._lock:
            idle = list(itertools.chain.from_iterable(self._idle.values()))
            self._idle.clear()
        for strategy in idle:
            strategy.close()


def choose_by_uct(name: str, game: PlainGame, seed: int, seconds: float) -> tuple[int, str]:
    """An empty cell for the player to move by `uct` or `uct:PLAYOUTS`, and a note for the log."""
    from hexlogic.ggp.language.reading import read_term
    from hexlogic.ggp.machines import State
    from hexlogic.ggp.playing.search import NumbaSearch
    from hexlogic.ggp.playing.strategy import Clock

    playouts = int(name.partition(":")[2] or 0) or None
    stones = [(player, cell) for player in PLAYERS for cell in game.position.stones(player)]
    # The position as the sheet's frame writes it (`rules/gdl/turns.lp`).
    facts = [f"(control {game.to_move})", *(f"(stone {owner} {game.board.cell_name(cell)})" for owner, cell in stones)]
    with _machines:  # one at a time: a machine is in one state
        search = NumbaSearch(_machine(game.board), State(frozenset(map(read_term, facts))), seed, 1)
    done = search.search(Clock(seconds), playouts)
    move = str(search.best(PLAYERS.index(game.to_move)))
    return game.board.parse_cell(move.removeprefix("place(").removesuffix(")")), f"{done:,} playouts"


@lru_cache(maxsize=4)
def _machine(board: Game) -> CompiledMachine:
    from hexlogic.ggp.export import export_sheet, find_rules
    from hexlogic.ggp.machines.reasoners.compiled import CompiledMachine

    return CompiledMachine(export_sheet(find_rules(board.reference, board.name), board).program)


YOU = "you"
"""The name of a person among the players."""
_ACTIONS: dict[str, Action] = {PASS: PASS, RESIGN: RESIGN, "swap": SWAP_PIECES}
_HELP = "a cell such as c4, or: swap, undo, hint, resign, quit"


def play_text(
    board: Game, players: dict[Player, str], thinkers: Thinkers, swap: bool, source: IO[str], say: Callable[[str], None]
) -> None:
    """Play until somebody wins, `quit`, or the end of `source`. What cannot be played is said, and asked again."""
    state = GameState(board) if isinstance(board, Hex) else PlainGame(board)
    _show(state, say)
    while state.winner is None and state.position.empty:
        name = players[state.to_move]
        if name != YOU:
            action, note = thinkers.choose(name, state, len(state.turns), swap)
            say(f"{state.to_move} ({name}): {word_of(board, action)}" + (f" ({note})" if note else ""))
            state.play(state.to_move, action)
            _show(state, say)
            continue
        say(f"{state.to_move} to move:")
        line = source.readline()
        word = line.strip().lower()
        if not line or word == "quit":
            return
        try:
            if word == "hint":
                action, _ = thinkers.choose(hints_for(state), state, len(state.turns), swap=False)
                say(f"hint for {state.to_move}: {word_of(board, action)}")
                continue
            if word == "undo":
                state.undo()
                while state.turns and players[state.to_move] != YOU:
                    state.undo()
            elif word == "swap" and not swap:
                raise HexlogicError("this game has no swap rule", hint="--swap begins one that has")
            else:
                state.play(state.to_move, _ACTIONS[word] if word in _ACTIONS else board.parse_cell(word))
            _show(state, say)
        except HexlogicError as error:
            say(f"{error} [{_HELP}]")
    if state.winner is None:
        say("the board is full and nobody has won")
        return
    chain = winning_cells(state)
    say(f"{state.winner} has won" + (": " + " ".join(map(board.cell_name, chain)) if chain else ""))


def _show(state: PlainGame, say: Callable[[str], None]) -> None:
    say(draw_text(state.position, winning_cells(state) or None).rstrip("\n"))
