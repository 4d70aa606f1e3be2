"""The Hex theorem on one board: on no full board do both players win, or neither.

    owns(blue,X) :- cell(X), not owns(red,X).        every cell that is not red is blue
    blue_lost :- not wins(blue).
    different :- wins(red), not blue_lost.           both win
    different :- blue_lost, not wins(red).           neither wins

It is what makes `maker-breaker` a win condition, and what the border method (`referee.py`) relies on.
Source: Gale 1979, "The game of Hex and the Brouwer fixed-point theorem", for all sizes; here for one, by clingo.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Sequence

from hexlogic.games import BLUE, RED, Hex, Position, has_won
from hexlogic.logic import Atom, Literal, Rule
from hexlogic.logic.model import holds
from hexlogic.logic.names import fresh_predicate
from hexlogic.proofs.bounded import finding_of, ruling_of, stones_of
from hexlogic.proofs.limited import Stopped, run_limited
from hexlogic.proofs.outcome import Outcome, Proof, Refutation, Unfinished
from hexlogic.rulesets import RuleSet, position_facts, win_query

__all__ = ["prove_hex_theorem"]

_NAMES = ("red wins", "blue loses")


def prove_hex_theorem(
    rules: RuleSet,
    game: Hex,
    *,
    options: Sequence[str] = (),
    time_s: float | None = None,
    report: Callable[[str], None] = lambda _: None,
) -> Outcome:
    """Prove that "red wins" and "blue loses" are the same on every full board, by the win condition `rules`.

    An incomplete rule set is refuted with a full board that nobody is said to have won, one with the fewest red
    stones.
    """
    program = rules.instantiate(game)
    lost = Atom(fresh_predicate(program, "blue_lost", 0).name)
    rest = Rule(lost, (Literal(win_query(BLUE), False),))
    program = dataclasses.replace(program, rules=(*program.rules, rest), inputs=(), queries=())
    cells = "".join(f"{{owns({RED},{cell})}}. owns({BLUE},{cell}) :- not owns({RED},{cell}).\n" for cell in game.cells)
    question = {"label": RED, "left": str(win_query(RED)), "right": str(lost)}
    task = {"text": f"{program}{cells}", "questions": [question], "options": list(options)}
    try:
        answer = run_limited("decide", task, time_s=time_s, report=report)
    except Stopped as stopped:
        return Unfinished(*_NAMES, game, (), stopped.reason, stopped.progress or ("still grounding",))
    ruling = ruling_of(answer[0])
    finding = dataclasses.replace(finding_of(ruling, game), reads=(), positions=2 ** len(game.cells))
    match ruling.verdict:
        case "equal":
            text = f"on every full board of {game} exactly one player has won, says {rules.name}"
            return Proof(*_NAMES, game, (finding,), text)
        case "unfinished":
            work = f"{ruling.choices:,} choices and {ruling.conflicts:,} conflicts in {ruling.solve_s:.1f} s"
            return Unfinished(*_NAMES, game, (), f"stopped after {time_s:g} s", (work,))
    red = frozenset(stones_of(ruling.model, RED))
    position = Position(game, red, frozenset(game.cells) - red)
    instance, facts = rules.instantiate(game), position_facts(position)
    wins, loses = holds(instance, win_query(RED), facts), not holds(instance, win_query(BLUE), facts)
    text = f"on a full board of {game} {'both players have' if wins else 'neither player has'} won, says {rules.name}"
    truth = has_won(position, RED)
    return Refutation(*_NAMES, game, (finding,), RED, position, wins, loses, truth, ruling.smallest, text)
