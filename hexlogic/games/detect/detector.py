"""The detector follows a game in progress and decides after every move, by the rules, who has won.

>>> detector = Detector(size=2)
>>> for player, cell in (("red", "a1"), ("blue", "a2"), ("red", "b1")):
...     detector.play(player, cell)
>>> detector.winner(), detector.chain()
('red', (1, 2))
>>> detector.undo()
>>> detector.winner() is None
True
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Final, Self

from hexlogic.errors import EngineError, HexlogicError, MoveError, PipelineError
from hexlogic.games import BLUE, PLAYERS, RED, Game, Player, Position, check_player, groups, load_game, winning_chain
from hexlogic.games.rulesets import RuleSet, load_rule_set, win_query
from hexlogic.games.rulesets.transitions import transition_names
from hexlogic.language import Atom, Integer, Symbol
from hexlogic.language.engines import Follower, load_engine
from hexlogic.language.engines.base import Closing
from hexlogic.language.passes import Pipeline

_WINNERS: tuple[Player | None, ...] = (None, RED, BLUE, RED)
"""By the bits of wins(red) and wins(blue)."""


class Detector(Closing):
    """A rule set on an engine that follows a game. Players may move in any order; the first to win ends the game.

    `size` is a number or, for a rectangle, rows and columns. `engine` is `compiled` unless given, or `clingo` for
    transition rules, whose next state `compiled` can only be asked for atom by atom. `pipeline` is
    `project,ground,reorder` unless given, or `project,ground` on an engine that plans its own joins. With `switch`,
    blue's stones are followed until there are fewer blanks, then red's stones plus blanks (see `SwitchingFollower`).

    A cell is its number or its name; answers have numbers (`game.cell_name` tells their names).

    Raises UnknownNameError, SizeError, PipelineError, and EngineError for an engine that is missing, that cannot run
    the rules or that fails. `play` and `undo` raise MoveError for what cannot be played or undone. Whatever they raise,
    the detector stays as it was.

    >>> from hexlogic import Detector
    >>> with Detector("clusters", size=3, engine="clingo") as detector:
    ...     for player, cell in (("red", "a1"), ("blue", "a2"), ("red", "b1"), ("blue", "b2"), ("red", "c1")):
    ...         detector.play(player, cell)
    ...     detector.winner()
    'red'
    """

    def __init__(
        self,
        rules: str | RuleSet = "follow-line-tabled",
        *,
        game: str = "hex",
        size: int | tuple[int, ...] = 11,
        engine: str | None = None,
        pipeline: str | None = None,
        switch: bool = False,
    ) -> None:
        self.game: Game = load_game(game).of_size(*(size if isinstance(size, tuple) else (size,)))
        cells, names = self.game.cells, self.game.cell_name
        inputs = [Atom("owns", (Symbol(player), Integer(cell))) for player in PLAYERS for cell in cells]
        self._numbers: Mapping[Player, Mapping[int | str, int]] = {
            player: {
                name: order * len(cells) + place for place, cell in enumerate(cells) for name in (cell, names(cell))
            }
            for order, player in enumerate(PLAYERS)
        }
        """The input of each player and cell, by the cell's number and by its name."""
        self._cells = (*cells, *cells)
        """The cell of each input."""
        self._stones: dict[int, int] = {}
        """The input of each taken cell, in the order of play."""
        if engine is None:
            engine = "clingo" if rules in transition_names() else "compiled"
        make = _switching if switch else _follower
        self._follow(make(rules, self.game, engine, pipeline, inputs, [win_query(player) for player in PLAYERS]))

    def _follow(self, follower: Follower) -> None:
        self._follower = follower
        self._add = follower.add
        self._winner = _WINNERS[follower.holds()]

    def play(self, player: Player, cell: int | str) -> None:
        """Put a stone on the board."""
        try:
            number = self._numbers[player][cell]
        except (KeyError, TypeError):
            number = self._number(player, cell)
        place = self._cells[number]
        if self._winner is not None:
            what = f"{player} cannot play {self.game.cell_name(place)}: {self._winner} has won"
            raise MoveError(what, hint="undo() takes a move back")
        if place in self._stones:
            raise MoveError(f"cell {self.game.cell_name(place)} is already {self.position.owner(place)}")
        self._winner = _WINNERS[self._add(number)]
        self._stones[place] = number

    def undo(self) -> None:
        """Take the last stone back."""
        if not self._stones:
            raise MoveError("there is no move to undo")
        self._winner = _WINNERS[self._follower.undo()]
        self._stones.popitem()

    def winner(self) -> Player | None:
        """Who has won; None while nobody has, or where the rules do not see it."""
        return self._winner

    def chain(self) -> tuple[int, ...] | None:
        """Stones that win and none of which can be spared, in Hex from side to side; None while nobody has won."""
        return None if self._winner is None else winning_chain(self.position, self._winner)

    def groups(self, player: Player) -> tuple[tuple[int, ...], ...]:
        """The connected groups of a player's stones, ordered by their smallest cell. Raises UnknownNameError."""
        return groups(self.position, check_player(player))

    @property
    def moves(self) -> tuple[tuple[Player, int], ...]:
        """The players and cells in the order of play."""
        return tuple((PLAYERS[number // len(self.game.cells)], cell) for cell, number in self._stones.items())

    @property
    def position(self) -> Position:
        """The stones on the board."""
        moves = self.moves
        red, blue = (frozenset(cell for owner, cell in moves if owner == player) for player in PLAYERS)
        return Position(self.game, red, blue)

    def copy(self) -> Self:
        """A detector that goes on from here on its own. Raises EngineError."""
        other = object.__new__(type(self))
        other.__dict__ |= self.__dict__ | {"_stones": self._stones.copy()}
        other._follow(self._follower.copy())
        return other

    def close(self) -> None:
        """Release the engine; afterwards nothing can be played or undone."""
        self._follower.close()

    def _number(self, player: Player, cell: int | str) -> int:
        """The input of a player and a cell in another spelling. Raises MoveError when they are none."""
        try:
            check_player(player)
            place = self.game.parse_cell(cell) if isinstance(cell, str) else self.game.check_cell(cell)
        except HexlogicError as error:
            raise MoveError(error.message, hint=error.hint) from None
        return self._numbers[player][place]


BLANKS: Final = "maker-breaker"
"""The rule set that follows the blanks."""


class SwitchingFollower(Follower):
    """Follows the blank cells instead of the opponent's stones: the switch that section 3 of the paper proposes.

    By the Hex theorem q has won exactly when p's stones and the blanks together no longer join p's sides. So once there
    are fewer blanks than stones of q, q's clusters are dropped, and p's stones plus blanks are followed: a set that
    only shrinks, by one cell for each further stone of q.

    `inputs` are p's stones on every cell, then q's in the same order, and `queries` whether p has won, then q. The
    followers of p's and of q's clusters get one player's stones each; `blanks` makes the third one at the switch.
    """

    def __init__(
        self,
        inputs: Sequence[Atom],
        queries: Sequence[Atom],
        clusters: Follower,
        other_clusters: Follower,
        blanks: Callable[[], Follower],
    ) -> None:
        super().__init__(inputs, queries)
        self._cells = len(inputs) // 2
        self._followers = [clusters, other_clusters]
        """Those that decide about p and about q."""
        self._make_blanks = blanks
        self._dropped: Follower | None = None
        """The follower of q's clusters, as it was when the blanks took over."""
        self._switched_at = 0
        """The number of stones on the board then."""
        self._stones: list[int] = []

    def add(self, number: int) -> int:
        """Put a stone; who has won."""
        player, cell = divmod(number, self._cells)
        self._followers[player].add(cell)
        self._stones.append(number)
        if self._dropped is not None:
            return self.holds()
        others = [stone - self._cells for stone in self._stones if stone >= self._cells]
        if self._cells - len(self._stones) < len(others):
            blanks = self._make_blanks()
            for other in others:  # p's stones plus blanks are all cells without a stone of q
                blanks.add(other)
            self._dropped, self._followers[1], self._switched_at = self._followers[1], blanks, len(self._stones)
        return self.holds()

    def undo(self) -> int:
        """Take the last stone back; who has won."""
        if not self._stones:
            raise EngineError("there is no stone, so none can be taken back")
        if self._dropped is not None and len(self._stones) == self._switched_at:
            self._followers[1].close()
            self._followers[1], self._dropped = self._dropped, None
        self._followers[self._stones[-1] // self._cells].undo()
        self._stones.pop()
        return self.holds()

    def holds(self) -> int:
        """Who has won, p lowest."""
        return self._followers[0].holds() | self._followers[1].holds() << 1

    def copy(self) -> Self:
        """An independent follower in the same state."""
        other = object.__new__(type(self))
        other.__dict__ |= self.__dict__ | {
            "_followers": [follower.copy() for follower in self._followers],
            "_dropped": None if self._dropped is None else self._dropped.copy(),
            "_stones": self._stones.copy(),
        }
        return other

    def close(self) -> None:
        """Release all three."""
        for follower in (*self._followers, self._dropped):
            if follower is not None:
                follower.close()


def _switching(
    rules: str | RuleSet, board: Game, engine: str, pipeline: str | None, inputs: list[Atom], queries: list[Atom]
) -> Follower:
    """Red's clusters, blue's until the switch, then the blanks. Raises EngineError where they say something else."""
    name = rules if isinstance(rules, str) else rules.name
    if name in transition_names():
        raise EngineError(f"{name} changes a state from move to move, so nothing can be dropped from it")
    if board.name != "hex":
        raise EngineError(f"the blanks decide by the Hex theorem, which {board.name} has not")
    if not load_rule_set(name).complete:
        raise EngineError(f"{name} may miss wins, so the blanks would not say the same")
    half = len(inputs) // 2

    def blanks() -> Follower:
        return _follower(BLANKS, board, engine, pipeline, inputs[half:], queries[1:])

    red_clusters = _follower(rules, board, engine, pipeline, inputs[:half], queries[:1])
    blue_clusters = _follower(rules, board, engine, pipeline, inputs[half:], queries[1:])
    return SwitchingFollower(inputs, queries, red_clusters, blue_clusters, blanks)


def _follower(
    rules: str | RuleSet, board: Game, engine: str, pipeline: str | None, inputs: list[Atom], queries: list[Atom]
) -> Follower:
    if isinstance(rules, str) and rules in transition_names():
        if pipeline is not None:
            raise PipelineError(f"{rules} changes a state from move to move", hint="leave the pipeline out")
        from hexlogic.games.detect.states import follow_transitions  # loads clingo

        return follow_transitions(rules, board, engine, inputs, queries)
    adapter = load_engine(engine)
    rule_set = load_rule_set(rules) if isinstance(rules, str) else rules
    default = "project,ground,reorder" if adapter.order_sensitive else "project,ground"
    chosen = pipeline if pipeline is not None else default
    program = Pipeline.parse(chosen).apply(rule_set.instantiate(board))
    if reason := adapter.missing():
        raise EngineError(f"{engine} cannot run here: {reason}")
    if reason := adapter.supports(program):
        raise EngineError(f"{engine} cannot run {rule_set.name}: {reason}")
    return adapter.follow(program, inputs, queries)
