"""Theorems about the full boards of one size: exactly one player has won, or at least one has.

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
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

import msgspec

from hexlogic.errors import EngineError
from hexlogic.games import BLUE, RED, Game, Position, has_won
from hexlogic.games.rulesets import RuleSet, position_facts, win_query
from hexlogic.language import Atom, Literal, Program, Rule
from hexlogic.language.ground.solving import holds
from hexlogic.language.names import internal_name
from hexlogic.process.call import Stopped
from hexlogic.proofs.bounded import finding_of, stones_of
from hexlogic.proofs.conditions import own_program
from hexlogic.proofs.deciding import AtomPair, decide
from hexlogic.proofs.jobs import run_job
from hexlogic.proofs.outcome import Outcome, Proof, Refutation, Unfinished


@dataclass(frozen=True, slots=True)
class Theorem:
    """Two atoms, as text, that should be the same on every full board by a win condition and one more `rule`; `names`
    say what they mean, and `who` has won where they are the same."""

    names: tuple[str, str]
    who: str
    rule: Rule
    left: str
    right: str


_LOST, _NOBODY = Atom(internal_name("bluelost")), Atom(internal_name("nobody"))
_NOT_RED, _NOT_BLUE = Literal(win_query(RED), False), Literal(win_query(BLUE), False)

ONE_WINNER: Final = Theorem(
    ("red wins", "blue loses"), "exactly one player", Rule(_LOST, (_NOT_BLUE,)), str(win_query(RED)), str(_LOST)
)
"""Exactly one player has won."""
_EMPTY = Rule(_NOBODY, (_NOT_RED, _NOT_BLUE))
NO_DRAW: Final = Theorem(
    ("somebody wins", "always"), "at least one player", _EMPTY, str(_NOBODY), internal_name("never")
)
"""At least one player has won; else a full board on which nobody has."""


def prove_theorem(
    theorem: Theorem,
    rules: RuleSet,
    game: Game,
    *,
    time_s: float | None = None,
    report: Callable[[str], None] = lambda _: None,
) -> Outcome:
    """Prove it by the win condition `rules`; a rule set or a game of which it is not true is refuted with a full
    board, one with the fewest red stones."""
    own_program(rules, game)
    program: Program = rules.instantiate(game)
    program = dataclasses.replace(program, rules=(*program.rules, theorem.rule), inputs=(), queries=())
    cells = "".join(f"{{owns({RED},{cell})}}. owns({BLUE},{cell}) :- not owns({RED},{cell}).\n" for cell in game.cells)
    task = {"text": f"{program}{cells}", "questions": [AtomPair(RED, theorem.left, theorem.right)]}
    try:
        (ruling,) = run_job(decide, task, time_s=time_s, report=report)
    except Stopped as stopped:
        return Unfinished(*theorem.names, game, (), stopped.reason, stopped.progress or ("still grounding",))
    finding = msgspec.structs.replace(finding_of(ruling, game), reads=(), positions=2 ** len(game.cells))
    match ruling.verdict:
        case "equal":
            text = f"on every full board of {game} {theorem.who} has won, says {rules.name}"
            return Proof(*theorem.names, game, (finding,), text)
        case "unfinished":
            work = f"{ruling.choices:,} choices and {ruling.conflicts:,} conflicts in {ruling.solve_s:.1f} s"
            return Unfinished(*theorem.names, game, (), f"stopped after {time_s:g} s", (work,))
    red = frozenset(stones_of(ruling.model, RED))
    position = Position(game, red, frozenset(game.cells) - red)
    instance, facts = rules.instantiate(game), position_facts(position)
    wins, loses = holds(instance, win_query(RED), facts), not holds(instance, win_query(BLUE), facts)
    if wins == loses:
        raise EngineError(f"clingo's counter-example {position.to_moves()!r} is none: please report it")
    text = f"on a full board of {game} {'both players have' if wins else 'neither player has'} won, says {rules.name}"
    truth = has_won(position, RED)
    return Refutation(*theorem.names, game, (finding,), RED, position, wins, loses, truth, ruling.smallest, text)
