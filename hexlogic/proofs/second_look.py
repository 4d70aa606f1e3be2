"""The check after a proof: clingo runs both texts on some boards, as they are written, and compares `wins`.

No part of a proof is used (`as_written.py`), not even our parser: a difference is a fault of the proof, or of a lemma
that it assumes. Texts are run in a child process: a program that has no end can be stopped.
"""

import contextlib
import random
import re
from collections.abc import Iterable, Sequence
from typing import Final

from hexlogic.errors import EngineError
from hexlogic.games import PLAYERS, Position, draw_text, load_game, rules_of_game
from hexlogic.games.rulesets import RuleSet, position_facts, win_query
from hexlogic.language.engines import load_engine
from hexlogic.process.call import Stopped, call_isolated, name_of
from hexlogic.process.files import read_text
from hexlogic.process.limits import Limits
from hexlogic.proofs.as_written import Tried, compare
from hexlogic.proofs.trial_boards import sized_boards

_WALL_S: Final = 300.0
_MEMORY_BYTES: Final = 2 * 2**30
_POSITIONS: Final = 40
"""Positions of a board that Prolog is asked about."""
_NUMBER = re.compile(r"(?<![\w'])\d+\b")


def board_text(game: str) -> str:
    """The text of the game's board, as it is written."""
    return read_text(rules_of_game(game) / "games" / f"{game}.lp")


def try_by_prolog(sides: Sequence[RuleSet], game: str) -> Tried:
    """Ask SWI-Prolog about random positions of small boards, for texts whose least model has no end."""
    chance, count, prolog, boards = random.Random(0), 0, load_engine("swipl"), list[str]()
    try:
        for board in sized_boards(load_game(game), ((2,), (3,), (4,))):
            boards.append(str(board))
            with contextlib.ExitStack() as stack:
                sessions = [stack.enter_context(prolog.open(rules.instantiate(board))) for rules in sides]
                for _ in range(_POSITIONS):
                    owner = {cell: chance.choice((*PLAYERS, *PLAYERS, None)) for cell in board.cells}
                    red, blue = ({cell for cell in owner if owner[cell] == player} for player in PLAYERS)
                    facts = position_facts(position := Position(board, frozenset(red), frozenset(blue)))
                    for player in PLAYERS:
                        if len({session.ask(facts, win_query(player)).holds for session in sessions}) > 1:
                            problem = f"on {board} the two differ about {player}"
                            return Tried(tuple(boards), count, (), (), problem, draw_text(position))
                    count += 1
    except EngineError as error:
        return Tried(problem=f"SWI-Prolog cannot run the texts as they are: {error}", ran=False)
    return Tried(tuple(boards), count, engine="SWI-Prolog")


def try_on_boards(
    names: Sequence[str],
    sides: Sequence[Sequence[str]],
    game: str,
    numbers_of: Sequence[str],
    statements: Iterable[str],
) -> Tried:
    """Run the sides, each a list of texts that belong together, and compare each with the first. Boards are made for
    the numbers in the texts `numbers_of` and in the `statements` of bridges."""
    task = {
        "names": list(names),
        "sides": [list(texts) for texts in sides],
        "kind": name_of(load_game(game)),
        "numbers_of": list(numbers_of),
        "numbers": sorted({int(number) for statement in statements for number in _NUMBER.findall(statement)}),
    }
    limits = Limits(cpu_s=_WALL_S, wall_s=_WALL_S, memory_bytes=_MEMORY_BYTES)
    try:
        return call_isolated(compare, task, limits)
    except Stopped as stopped:
        where = f" on {stopped.progress[-1]}" if stopped.progress else ""
        return Tried(problem=f"clingo cannot run the texts as they are{where}: {stopped.reason}", ran=False)
    except EngineError as error:
        return Tried(problem=f"clingo cannot run the texts as they are: {error}", ran=False)
