"""The registry: one rule set per file of `rules/`, one board per file of `rules/games/`."""

from __future__ import annotations

import dataclasses
import functools
import hashlib
from dataclasses import dataclass
from pathlib import Path

from hexlogic.errors import HexlogicError, SizeError, UnknownNameError
from hexlogic.games import Hex
from hexlogic.logic import Integer, Predicate, Program
from hexlogic.logic.analysis import recursive_predicates
from hexlogic.logic.checks import check
from hexlogic.logic.parser import parse, parse_predicate
from hexlogic.resources import rules_folder
from hexlogic.rulesets.header import read_header
from hexlogic.rulesets.templates import expand

__all__ = ["RuleSet", "load_rule_set", "read_rule_set", "rule_set_names"]

_SUFFIXES = (".lp.j2", ".lp")


@dataclass(frozen=True)
class RuleSet:
    """One reformulation of the win condition, as its file describes it.

    `needs` is what it asks of an engine, `cost` what it is expected to cost, both in words; `games` the names of
    the games it fits, or `any`; `complete` is False when it misses some wins, and `caveat` then says which.
    """

    name: str
    idea: str
    source: str
    query: Predicate
    games: tuple[str, ...]
    complete: bool
    caveat: str
    needs: str
    cost: str
    path: Path
    text: str

    @property
    def is_template(self) -> bool:
        """Whether the text has to be expanded for a size."""
        return self.path.suffix == ".j2"

    @property
    def hash(self) -> str:
        """SHA-256 of the rule text, in hex."""
        return hashlib.sha256(self.text.encode()).hexdigest()

    @property
    def recursive(self) -> bool:
        """Whether some predicate of its own depends on itself."""
        own = parse(self.expand(Hex.square(3)), self.path.name)
        return bool(recursive_predicates(own))

    def expand(self, game: Hex) -> str:
        """The rule text for this board, without the board's own rules; clingo runs it beside them.

        Raises SizeError when the board is too large for this reformulation.
        """
        if "any" not in self.games and game.name not in self.games:
            fits = ", ".join(self.games)
            raise SizeError(f"{self.name} does not fit the game {game.name}", hint=f"it is made for: {fits}")
        return expand(self.text, game, self.path.name) if self.is_template else self.text

    def instantiate(self, game: Hex) -> Program:
        """The program that decides this game: the board's rules and this rule set's, for the board's size.

        The stones are its input `owns/2`, `wins/1` is its query. Raises SizeError when the board is too large for
        this reformulation; RuleSyntaxError, ArityError, UnsafeRuleError and StratificationError, with their place,
        when a file is wrong.
        """
        return _instantiate(self, game)


@functools.lru_cache(maxsize=32)
def _instantiate(rule_set: RuleSet, game: Hex) -> Program:
    board = rules_folder() / "games" / f"{game.name}.lp"
    program = parse(board.read_text(encoding="utf-8"), board.name) + parse(rule_set.expand(game), rule_set.path.name)
    sizes = dataclasses.asdict(game)
    constants = tuple((name, Integer(sizes[name]) if name in sizes else value) for name, value in program.constants)
    return check(dataclasses.replace(program, constants=constants))


def read_rule_set(path: Path) -> RuleSet:
    """The rule set of a file, with the header's facts.

    Raises RuleSyntaxError when the header is wrong; the rules themselves are read by `instantiate`.
    """
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise HexlogicError(f"cannot read the rule set: {error}", file=str(path)) from None
    header = read_header(text, path.name)
    complete, _, caveat = header["complete"].partition(" ")
    return RuleSet(
        name=header["name"],
        idea=header["idea"],
        source=header["source"],
        query=parse_predicate(header["query"]),
        games=tuple(part.strip() for part in header["games"].split(",")),
        complete=complete == "yes",
        caveat=caveat.strip("() "),
        needs=header["needs"],
        cost=header["cost"],
        path=path,
        text=text,
    )


@functools.lru_cache(maxsize=1)
def _paths() -> dict[str, Path]:
    paths: dict[str, Path] = {}
    for suffix in _SUFFIXES:
        for path in sorted(rules_folder().glob(f"*{suffix}")):
            paths[path.name.removesuffix(suffix)] = path
    return dict(sorted(paths.items()))


def rule_set_names() -> tuple[str, ...]:
    """The names of all rule sets, sorted."""
    return tuple(_paths())


@functools.lru_cache(maxsize=32)
def load_rule_set(name: str) -> RuleSet:
    """The rule set of that name. Raises UnknownNameError.

    >>> load_rule_set("clusters").query
    Predicate(name='wins', arity=1)
    """
    if name not in _paths():
        raise UnknownNameError.among("rule set", name, list(rule_set_names()))
    return read_rule_set(_paths()[name])
