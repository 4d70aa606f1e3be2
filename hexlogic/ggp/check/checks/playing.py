"""What random games show: moves for everybody, an end, and one goal for each role there."""

from __future__ import annotations

from collections.abc import Iterator

from hexlogic.ggp.check.examined import Examined
from hexlogic.ggp.check.finding import Finding, checks, error
from hexlogic.ggp.check.games import RandomGame
from hexlogic.language.dialects.gdl import write_term
from hexlogic.language.syntax import Rule, Term


def stuck(sheet: Examined) -> Iterator[Finding]:
    """Each role has a legal move until the game is over."""
    terms: set[Term] = set()
    for number, game in enumerate(sheet.games.games, 1):
        for role in game.stuck:
            if role not in terms:
                terms.add(role)
                what = f"{write_term(role)} has no legal move in a state that is not terminal"
                yield error(_first(sheet, "legal"), what, _where(sheet, number, game))


def goals(sheet: Examined) -> Iterator[Finding]:
    """Each role has one goal from 0 to 100 when the game is over."""
    reported: set[str] = set()
    for number, game in enumerate(sheet.games.games, 1):
        for wrong in game.wrong_goals:
            if wrong.message not in reported:
                reported.add(wrong.message)
                what = wrong.message.replace(" in a state", " at the end")
                yield error(_first(sheet, "goal"), what, f"{wrong.hint}; {_where(sheet, number, game)}")


def endless(sheet: Examined) -> Iterator[Finding]:
    """A game ends."""
    for number, game in enumerate(sheet.games.games, 1):
        if not game.over and not game.stuck:
            what = f"a random game was not over after {len(game.moves)} steps"
            hint = f"game {number} of seed {sheet.plays.seed}; --longest allows more, rules often count the steps"
            yield error(_first(sheet, "terminal"), what, hint)


def _first(sheet: Examined, name: str) -> Rule | None:
    return next(sheet.defining(name), None)


def _where(sheet: Examined, number: int, game: RandomGame) -> str:
    """Which game it was, so that it can be played again, and its last moves."""
    moves = ", ".join(" ".join(map(write_term, move)) for move in game.moves[-1:])
    return f"game {number} of seed {sheet.plays.seed}, step {len(game.moves)}{f' after {moves}' if moves else ''}"


CHECKS = checks("games", stuck, goals, endless)
