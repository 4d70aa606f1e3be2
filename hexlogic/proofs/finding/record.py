"""What a search for cheaper programs found, as one record: printed, stored in a folder, read by a report and a page."""

import contextlib
import os
import re
import time
from collections.abc import Callable, Iterator
from importlib import metadata
from pathlib import Path
from typing import Final

import msgspec

from hexlogic.games import RED, Hex
from hexlogic.games.rulesets import RuleSet, find_rule_set, win_query
from hexlogic.language.engines import load_engine
from hexlogic.language.parser import parse
from hexlogic.process.files import read_stored, read_text, readable, write_stored
from hexlogic.process.limits import TimeOverError, time_limit
from hexlogic.process.line_file import new_file
from hexlogic.proofs.all_inputs import ProgramText
from hexlogic.proofs.finding.reformulations import Cost, Reformulation, Reformulator
from hexlogic.proofs.finding.worlds import BoardWorld, InputWorld, Text, World
from hexlogic.proofs.smt.lemmas import LemmaProver

SCHEMA: Final = 1
"""The version of these types; a reader refuses any other."""


class StoredSearch(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One search: what was given, what it costs, the programs that cost less, cheapest first, those in `between` that
    do not, and how the search ended. `game` is empty for a program whose inputs are any facts."""

    schema: int = SCHEMA
    hexlogic: str
    game: str
    engine: str
    name: str
    text: str
    given: dict[str, int | str]
    found: tuple[Reformulation, ...]
    between: tuple[Reformulation, ...]
    end: str

    @property
    def file(self) -> str:
        """The name of its file in a folder of records."""
        return _file_name(self.name, self.engine)


def read_source(text: str, name: str, game: str, file: str) -> tuple[Text, World]:
    """A text, and where it is compared: on boards if it decides who has won, else on all input facts. Raises
    HexlogicError."""
    if win_query(RED).predicate in parse(text, file).heads:
        return RuleSet.from_text(text, name, games=game, file=file), BoardWorld(game, LemmaProver())
    source = ProgramText(name, text)
    return source, InputWorld(source, LemmaProver())


_GAMES: Final = re.compile(r"(?:%.*\n)*?%\s*games:\s*(?!any\b)([\w-]+)")
"""Comments at the head of a text, one of which names a game."""


def find_source(rules: str, game: str | None) -> tuple[Text, World]:
    """A rule set by name or as a file, where a text without a header is read by `read_source`. Raises HexlogicError."""
    path = Path(rules)
    if path.is_file():
        with readable(path):
            text = read_text(path)
        if "% name:" not in text:
            stated = _GAMES.match(text)
            return read_source(text, path.stem, game or (stated[1] if stated else Hex.name), path.name)
    rule_set = find_rule_set(rules)
    games = (name for name in rule_set.games if name != "any")
    return rule_set, BoardWorld(game or next(games, Hex.name), LemmaProver())


def default_engine(source: Text) -> str:
    """Whose counter is the cost unless one is named: that of SWI-Prolog on a board, where it is there."""
    return "clingo" if isinstance(source, ProgramText) or load_engine("swipl").missing() else "swipl"


def run_search(
    source: Text,
    world: World,
    time_s: float,
    engine: str | None = None,
    report: Callable[[str], None] = lambda _: None,
    keep: Callable[[StoredSearch], None] = lambda _: None,
) -> StoredSearch:
    """Search for at most `time_s` wall seconds, or until KeyboardInterrupt, and return what was found; `keep` is given
    what there is after each program that costs less.

    Raises HexlogicError for a text that no search begins with, and UnknownNameError for the engine.
    """
    begin_s, begun = time.monotonic(), os.times()
    engine = engine or default_engine(source)
    search = Reformulator(source, world, time_s, report, engine)
    given, programs = search.given, list[Reformulation]()

    def record(end: str) -> StoredSearch:
        programs.sort(key=lambda program: Cost(program.cost).order)
        cheaper = sum(Cost(program.cost).order < given.order for program in programs)
        return StoredSearch(
            hexlogic=metadata.version("hexlogic"),
            game=world.game if isinstance(world, BoardWorld) else "",
            engine=engine,
            name=source.name,
            text=source.text,
            given=dict(given.figures),
            found=tuple(programs[:cheaper]),
            between=tuple(programs[cheaper:]),
            end=end,
        )

    end = "everything that the moves propose was tried"
    try:
        with time_limit(max(0.1, begin_s + time_s - time.monotonic())):
            for found in search.search():
                programs.append(found)
                if (cost := Cost(found.cost)).order < given.order:
                    report(f"{found.name} costs {cost}, of {given}: proved")
                    keep(record("it goes on"))
    except KeyboardInterrupt:
        end = "stopped"
    except TimeOverError:
        used = os.times()
        end = f"the {time_s:g} s are over, with {sum(used[:4]) - sum(begun[:4]):.1f} CPU seconds"
    return record(end)


def _file_name(name: str, engine: str) -> str:
    return f"reformulated-{re.sub('[^a-zA-Z0-9]', '-', name)}-{engine}.json"


@contextlib.contextmanager
def search_file(folder: Path, source: Text, engine: str | None) -> Iterator[Callable[[StoredSearch], None]]:
    """What stores the search from a text in a folder, in a file held for the caller. Raises as `new_file` does."""
    with new_file(folder, _file_name(source.name, engine or default_engine(source)), "what is found") as path:
        yield lambda search: write_stored(path, search)


def read_search(path: Path) -> StoredSearch:
    """A stored search. Raises HexlogicError for a file of another schema or of none."""
    return read_stored(path, StoredSearch, "programs that were found", SCHEMA, hint="search for them again")
