"""`rules:FILE.lp`: any logic program that defines `best/1` over a position is a player.

The program may read the board (`cell/1`, `adjacent/2`, `first/2`, `last/2` and the other predicates of
`rules/games/hex.lp`), the stones `owns/2`, and what it declares of `turn/1` (the player to move) and `played/1` (the
last stone). Of several best cells one is drawn. A name such as `rules:bridge-builder` means the file of that name in
`rules/strategy/`.
"""

from pathlib import Path
from typing import Final

from hexlogic.errors import EngineError, HexlogicError, MoveError, RuleSyntaxError
from hexlogic.games.game_state import Action, GameState
from hexlogic.games.kinds.hex import Hex
from hexlogic.games.rulesets import position_facts, rule_set_of
from hexlogic.language import Predicate
from hexlogic.language.dialects import render
from hexlogic.language.ground.solving import grounded
from hexlogic.players.strategy import Budget, Strategy
from hexlogic.process.call import Stopped, call_isolated
from hexlogic.process.files import read_text, readable, rules_folder
from hexlogic.process.forks import ForkServer
from hexlogic.process.limits import Limits

_LIMIT_S: Final = 30.0
"""Seconds for a move when the budget has none; with one, ten times as much and never less than _LEAST_S."""
_LEAST_S: Final = 5.0
_MEMORY_MB: Final = 4000
_BEST: Final = Predicate("best", 1)
_HEADER: Final = dict.fromkeys(("idea", "source", "needs", "cost"), "") | {
    "query": "best/1",
    "games": "hex",
    "complete": "yes",
}


class RulesStrategy(Strategy):
    """The program of a file."""

    def __init__(self, option: str | None = None, seed: int = 0) -> None:
        """Raises HexlogicError for a file that is not there or is no program with best/1."""
        super().__init__(None, seed)
        if not option:
            raise HexlogicError("it needs a file with rules", hint="such as rules:FILE.lp or rules:bridge-builder")
        named = rules_folder() / "strategy" / f"{option}.lp"
        path = named if not option.endswith(".lp") and named.is_file() else Path(option)
        with readable(path, "the rules"):
            text = read_text(path)
        self._rules = rule_set_of(path, text, {**_HEADER, "name": path.stem})
        self._forks = ForkServer(_prepare)
        program = self._rules.instantiate(Hex(3, 3))
        if all(rule.head is None or rule.head.predicate != _BEST for rule in program.rules):
            raise RuleSyntaxError("no rule defines best/1", file=path.name, line=1, column=1, hint="best(X) :- ...")

    def prepare(self, board: Hex) -> None:
        """Start the process from which a process for each move is forked."""
        self._forks.begin()

    def choose(self, state: GameState, budget: Budget) -> Action:
        """One of the best cells. Raises MoveError when there is none or it is taken, EngineError when the program gives
        no answer in time."""
        facts = [*position_facts(state.position), f"turn({state.to_move})"]
        if state.last_cell is not None:
            facts.append(f"played({state.last_cell})")
        text = render(self._rules.instantiate(state.board), "asp") + "".join(f"{fact}.\n" for fact in facts)
        seconds = _LIMIT_S if budget.seconds is None else max(_LEAST_S, 10 * budget.seconds)
        limits, file = Limits.of(cpu_s=seconds, wall_s=seconds, memory_mb=_MEMORY_MB), self._rules.path.name
        try:
            cells = call_isolated(best_cells, {"text": text}, limits, start=self._forks.start)
        except Stopped as stopped:
            raise EngineError(f"{file} gives no move in {seconds:g} s: {stopped.reason}") from None
        except EngineError as error:
            raise EngineError(f"{file}: {error}") from None
        if not cells:
            raise MoveError(f"{file} offers no move", hint="best/1 must hold for an empty cell")
        cell = self.draw.choice(cells)
        if not 1 <= cell <= len(state.cells):
            raise MoveError(f"{file} offers {cell}, which is no cell")
        self.note = f"{len(cells)} best cells"
        return cell

    def close(self) -> None:
        """End the process."""
        self._forks.close()


def best_cells(text: str) -> list[int]:
    """The numbers for which `best/1` holds, by a program for clingo; in a child process, for a grounding may not
    end."""
    from clingo import SymbolType

    control, _ = grounded(text)
    values = (entry.symbol.arguments[0] for entry in control.symbolic_atoms.by_signature("best", 1) if entry.is_fact)
    return sorted(value.number for value in values if value.type == SymbolType.Number)


def _prepare() -> None:
    best_cells("best(1).")


STRATEGY = RulesStrategy
