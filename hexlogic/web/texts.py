"""List and read the texts that the workbench offers: the rule sets of a game, then the other files of `rules/`."""

from __future__ import annotations

import itertools
import re
from pathlib import Path
from typing import Final

from hexlogic.games import Game, Hex, load_game, rules_of_game
from hexlogic.games.rulesets import RuleSet, load_rule_set, rule_set_names
from hexlogic.games.rulesets.transitions import load_transitions
from hexlogic.language.parser import parse_predicate
from hexlogic.process.files import read_text, rules_folder
from hexlogic.web.game_request import board_of

FILE: Final = "rules.lp"
"""The name that errors give to the text."""
_KEY: Final = re.compile(r"% *([a-z]+): *(.*?) *$")
_FOLDERS: Final = {
    "transitions": "from move to move",
    "strategy": "strategies",
    "games": "the board",
    "gdl": "parts of sheets",
    "bridges": "bridges of proofs",
}
"""By folder of `rules/`, what its texts are; those of Hex, but for the board."""


def rules(size: str, name: str, game: str = "hex") -> dict[str, object]:
    """The names of the rule sets of a game, those of all other texts by group, and one text, of the reference rule set
    unless it is named, with the `pattern` that it is asked for. Raises HexlogicError."""
    names = list(rule_set_names(game))
    chosen = name or load_game(game).reference
    groups = [[words, others] for folder, words in _FOLDERS.items() if (others := _others(folder, game))]
    text = text_of(chosen, size, game)
    return {"names": names, "groups": groups, "name": chosen, "text": text, "pattern": _pattern(text)}


def text_of(name: str, size: str, game: str = "hex") -> str:
    """A text for a board, templates expanded. Raises UnknownNameError and SizeError."""
    board = board_of(size, game)
    folder, _, rest = name.partition("/")
    if name not in _others(folder, game):
        return load_rule_set(name).expand(board)
    if folder == "transitions":
        return load_transitions(rest).rules.expand(board)
    return read_text(_home(folder, game) / f"{name}.lp")


def header_of(text: str) -> dict[str, str]:
    """The keys of the comment that a text begins with, each with its first line; none where it begins otherwise.

    >>> header_of("% name: tiny\\n%       two lines\\n% query: best/1\\n\\n% move: no\\n")
    {'name': 'tiny', 'query': 'best/1'}
    """
    lines = itertools.takewhile(str.strip, text.splitlines())
    return {match[1]: match[2] for line in lines if (match := _KEY.match(line))}


def rule_set_from(text: str, board: Game, query: str = "wins/1") -> RuleSet:
    """A text as a rule set for a game."""
    return RuleSet.from_text(text, "your text", games=board.name, query=query, file=FILE)


def _pattern(text: str) -> str:
    """What lights up of a text that is not asked who has won, such as `best(_)`."""
    for query in header_of(text).get("query", "").split(","):
        predicate = parse_predicate(query) if query.strip() else None
        if predicate and predicate.arity == 1 and predicate.name != "wins":
            return f"{predicate.name}(_)"
    return ""


def _others(folder: str, game: str) -> list[str]:
    """The names of the texts in a folder of `rules/` that are for a game, sorted."""
    if folder == "games":
        return [f"games/{game}"]
    if folder not in _FOLDERS or game != Hex.name:
        return []
    return sorted(f"{folder}/{path.name.partition('.')[0]}" for path in (rules_folder() / folder).glob("*.lp*"))


def _home(folder: str, game: str) -> Path:
    return rules_of_game(game) if folder == "games" else rules_folder()
