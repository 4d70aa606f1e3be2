"""What holds on every full board of one size: in Hex and in Y, never do both players win, or neither.

    owns(blue,X) :- cell(X), not owns(red,X).        every cell that is not red is blue
    blue_lost :- not wins(blue).
    different :- wins(red), not blue_lost.           both win
    different :- blue_lost, not wins(red).           neither wins

Where both may have won, as three in a row may be, there is the weaker question: has anybody?

    nobody :- not wins(red), not wins(blue).         never true: no full board is a draw

The first is what makes `maker-breaker` a win condition, and what the border method (`referee.py`) relies on.
Source: Gale 1979, "The game of Hex and the Brouwer fixed-point theorem", for all sizes; here for one, by clingo.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Sequence

from hexlogic.errors import EngineError
from hexlogic.games import BLUE, RED, Game, Position, has_won
from hexlogic.ground.least_model import holds
from hexlogic.logic import Atom, Literal, Program, Rule
from hexlogic.logic.names import internal_name
from hexlogic.process.call import Stopped
from hexlogic.proofs.bounded import finding_of, ruling_of, stones_of
from hexlogic.proofs.conditions import own_program
from hexlogic.proofs.jobs import run_job
from hexlogic.proofs.outcome import Outcome, Proof, Refutation, Unfinished
from hexlogic.rulesets import RuleSet, position_facts, win_query

__all__ = ["prove_no_draw", "prove_one_winner"]

_ONE_WINNER = ("red wins", "blue loses")
_NO_DRAW = ("somebody wins", "always")


def prove_one_winner(
    rules: RuleSet,
    game: Game,
    *,
    options: Sequence[str] = (),
    time_s: float | None = None,
    report: Callable[[str], None] = lambda _: None,
) -> Outcome:
    """Prove that "red wins" and "blue loses" are the same on every full board, by the win condition `rules`.

    A rule set or a game of which it is not true is refuted with a full board, one with the fewest red stones.
    """
    lost = Atom(internal_name("bluelost"))
    aux = Rule(lost, (Literal(win_query(BLUE), False),))
    pair = (str(win_query(RED)), str(lost))
    return _on_full_boards(_ONE_WINNER, "exactly one player", rules, game, (aux, *pair), options, time_s, report)


def prove_no_draw(
    rules: RuleSet,
    game: Game,
    *,
    options: Sequence[str] = (),
    time_s: float | None = None,
    report: Callable[[str], None] = lambda _: None,
) -> Outcome:
    """Prove that on every full board at least one player has won, by the win condition `rules`; else a full board on
    which nobody has."""
    nobody = Atom(internal_name("nobody"))
    never = internal_name("never")
    aux = Rule(nobody, (Literal(win_query(RED), False), Literal(win_query(BLUE), False)))
    what = (aux, str(nobody), never)
    return _on_full_boards(_NO_DRAW, "at least one player", rules, game, what, options, time_s, report)


def _on_full_boards(
    names: tuple[str, str],
    who: str,
    rules: RuleSet,
    game: Game,
    what: tuple[Rule, str, str],
    options: Sequence[str],
    time_s: float | None,
    report: Callable[[str], None],
) -> Outcome:
    """Are two atoms the same on every full board? `what` is a rule to add, and the atoms."""
    own_program(rules, game)
    rule, left, right = what
    program: Program = rules.instantiate(game)
    program = dataclasses.replace(program, rules=(*program.rules, rule), inputs=(), queries=())
    cells = "".join(f"{{owns({RED},{cell})}}. owns({BLUE},{cell}) :- not owns({RED},{cell}).\n" for cell in game.cells)
    question = {"label": RED, "left": left, "right": right}
    task = {"text": f"{program}{cells}", "questions": [question], "options": list(options)}
    try:
        answer = run_job("deciding:decide_questions", task, time_s=time_s, report=report)
    except Stopped as stopped:
        return Unfinished(*names, game, (), stopped.reason, stopped.progress or ("still grounding",))
    ruling = ruling_of(answer[0])
    finding = dataclasses.replace(finding_of(ruling, game), reads=(), positions=2 ** len(game.cells))
    match ruling.verdict:
        case "equal":
            text = f"on every full board of {game} {who} has won, says {rules.name}"
            return Proof(*names, game, (finding,), text)
        case "unfinished":
            work = f"{ruling.choices:,} choices and {ruling.conflicts:,} conflicts in {ruling.solve_s:.1f} s"
            return Unfinished(*names, game, (), f"stopped after {time_s:g} s", (work,))
    red = frozenset(stones_of(ruling.model, RED))
    position = Position(game, red, frozenset(game.cells) - red)
    instance, facts = rules.instantiate(game), position_facts(position)
    wins, loses = holds(instance, win_query(RED), facts), not holds(instance, win_query(BLUE), facts)
    if wins == loses:
        raise EngineError(f"clingo's counter-example {position.to_moves()!r} is none: please report it")
    text = f"on a full board of {game} {'both players have' if wins else 'neither player has'} won, says {rules.name}"
    truth = has_won(position, RED)
    return Refutation(*names, game, (finding,), RED, position, wins, loses, truth, ruling.smallest, text)
