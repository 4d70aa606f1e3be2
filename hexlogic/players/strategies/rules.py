"""`rules:FILE.lp`: any logic program that defines `best/1` over a position is a player.

The program may read the board (`cell/1`, `adjacent/2`, `first/2`, `last/2` and the other predicates of
`rules/games/hex.lp`), the stones `owns/2`, and what it declares of `turn/1` (the player to move) and `played/1` (the
last stone). Of several best cells one is drawn. A name such as `rules:bridge-builder` means the file of that name in
`rules/strategy/`.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Final

from hexlogic.errors import EngineError, HexlogicError, MoveError, RuleSyntaxError
from hexlogic.games.game_state import Action, GameState
from hexlogic.games.kinds.hex import Hex
from hexlogic.games.rulesets import position_facts, rule_set_of
from hexlogic.language import Predicate
from hexlogic.language.dialects import render
from hexlogic.players.strategy import Budget, Strategy
from hexlogic.process.call import command_of
from hexlogic.process.children import LineProcess
from hexlogic.process.files import read_text, readable, rules_folder

_LIMIT_S: Final = 30.0
"""Seconds for a move when the budget has none; with one, ten times as much and never less than _LEAST_S."""
_LEAST_S: Final = 5.0
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
        self._process: LineProcess | None = None
        self._board: Hex | None = None
        program = self._rules.instantiate(Hex(3, 3))
        if all(rule.head is None or rule.head.predicate != _BEST for rule in program.rules):
            raise RuleSyntaxError("no rule defines best/1", file=path.name, line=1, column=1, hint="best(X) :- ...")

    def prepare(self, board: Hex) -> None:
        """Start the process that runs the program."""
        self._start(board)

    def choose(self, state: GameState, budget: Budget) -> Action:
        """One of the best cells. Raises MoveError when there is none or it is taken, EngineError when the program gives
        no answer in time."""
        if self._process is None or self._board != state.board:
            self._start(state.board)
        facts = [*position_facts(state.position), f"turn({state.to_move})"]
        if state.last_cell is not None:
            facts.append(f"played({state.last_cell})")
        limit = _LIMIT_S if budget.seconds is None else max(_LEAST_S, 10 * budget.seconds)
        cells = self._ask("".join(f"{fact}.\n" for fact in facts), limit)
        if not cells:
            raise MoveError(f"{self._rules.path.name} offers no move", hint="best/1 must hold for an empty cell")
        cell = self.draw.choice(cells)
        if not 1 <= cell <= len(state.cells):
            raise MoveError(f"{self._rules.path.name} offers {cell}, which is no cell")
        self.note = f"{len(cells)} best cells"
        return cell

    def close(self) -> None:
        """End the process."""
        if self._process is not None:
            self._process.close()
            self._process = None

    def _start(self, board: Hex) -> None:
        self.close()
        self._process = LineProcess("the rules", command_of(serve))
        self._process.send(json.dumps(render(self._rules.instantiate(board), "asp")) + "\n")
        self._board = board

    def _ask(self, facts: str, limit: float) -> list[int]:
        """The best cells. Raises EngineError."""
        process, file = self._process, self._rules.path.name
        assert process is not None
        try:
            with process.within(limit, f"{file} gives no move in {limit:g} s"):
                process.send(json.dumps(facts) + "\n")
                answer: list[int] | str = json.loads(process.receive())
        except EngineError:
            self._process = None
            raise
        if isinstance(answer, str):
            raise EngineError(f"{file}: {answer}")
        return answer


def serve() -> None:
    """Read a program, then facts until stdin ends, each a line of JSON; answer with the best cells or an error.

    A process of its own, since a grounding may never end."""
    import clingo

    program: str = json.loads(sys.stdin.readline())
    messages: list[str] = []
    for line in sys.stdin:
        messages.clear()
        control = clingo.Control(["--warn=none", "1"], logger=lambda code, text: messages.append(text))
        answer: list[int] | str = []
        try:
            control.add("base", [], program + json.loads(line))
            control.ground([("base", [])])
            with control.solve(yield_=True) as models:
                if (model := models.model()) is not None:
                    atoms = [atom for atom in model.symbols(atoms=True) if atom.match("best", 1)]
                    values = [atom.arguments[0] for atom in atoms]
                    answer = sorted(value.number for value in values if value.type == clingo.SymbolType.Number)
        except (RuntimeError, MemoryError) as error:
            answer = " ".join(" ".join([str(error), *messages]).split())[:300]
        print(json.dumps(answer), flush=True)


STRATEGY = RulesStrategy
