"""Suites: what to run, as TOML or in a few words. Read strictly: a key that means nothing is an error, not a silent
default.

Every key has a default: this is a suite, named after its file.

boards = ["difficult-1", "my-board.txt"]
[limits]
cpu_s = 5
[[configurations]]
rule_sets = ["mine.lp", "clusters"]
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Literal

import msgspec

from hexlogic.errors import SuiteError, UnknownNameError
from hexlogic.laboratory.records.types import Mode
from hexlogic.process.files import STDIN, read_text, readable, suites_folder

_Names = Annotated[list[str], msgspec.Meta(min_length=1)]


class SuiteLimits(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Per run; `wall_s` follows from `cpu_s` unless given (see `Limits.of`)."""

    cpu_s: Annotated[float, msgspec.Meta(gt=0)] = 10
    memory_mb: Annotated[float, msgspec.Meta(gt=0)] = 2000
    wall_s: Annotated[float, msgspec.Meta(gt=0)] | None = None


class ConfigurationSet(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Configurations: every rule set with every pipeline on every engine."""

    rule_sets: _Names = msgspec.field(default_factory=lambda: ["power-set", "clusters"])
    pipelines: _Names = msgspec.field(default_factory=lambda: ["none", "ground,reorder"])
    engines: _Names = msgspec.field(default_factory=lambda: ["swipl", "pydatalog", "clingo"])
    modes: Annotated[list[Mode], msgspec.Meta(min_length=1)] = msgspec.field(
        default_factory=lambda: ["followed", "anew"]
    )
    """How the games are replayed."""
    games: list[str] | None = None
    """Which games: those of the suite unless given."""


class Suite(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A suite file: every configuration on every board, asked for every player, and on every game, in its modes.

    A board with sizes (`difficult-1@3..9`) is a series: a configuration goes up its sizes until one gets no answer. So
    are games with sizes.
    """

    name: Annotated[str, msgspec.Meta(pattern=r"^[A-Za-z0-9][A-Za-z0-9._-]*$")] = "own"
    limits: SuiteLimits = SuiteLimits()
    configurations: Annotated[list[ConfigurationSet], msgspec.Meta(min_length=1)] = msgspec.field(
        default_factory=lambda: [ConfigurationSet()]
    )
    players: Annotated[list[Literal["red", "blue"]], msgspec.Meta(min_length=1)] = msgspec.field(
        default_factory=lambda: ["red"]
    )
    boards: list[str] | None = None
    """Named boards, or files of positions (`.txt`); `difficult-1` where the suite names neither boards nor games."""
    games: list[str] = []
    """Recorded games with their sizes: `random-1@5,7,9`. At least one board or game is there."""
    positions: list[Annotated[int, msgspec.Meta(ge=1)]] = []
    """Sizes of Hex boards: every rule set judges thousands of random positions of them, packed, as arrays, and one by
    one."""
    idea: str = ""
    repeats: Annotated[int, msgspec.Meta(ge=1)] = 5
    warm_ups: Annotated[int, msgspec.Meta(ge=0)] = 1
    seed: int = 2019

    @property
    def asked_boards(self) -> list[str]:
        """The boards: those of the suite, or the paper's where it names neither boards nor games."""
        if self.boards is not None:
            return self.boards
        other = self.games or self.positions or any(chosen.games for chosen in self.configurations)
        return [] if other else ["difficult-1"]


def suite_names() -> tuple[str, ...]:
    """The suites that come with the package, sorted."""
    return tuple(sorted(path.stem for path in suites_folder().glob("*.toml")))


def load_suite(name: str) -> tuple[Suite, str]:
    """The suite of that name, or in that file, and its path for errors.

    Raises UnknownNameError, and SuiteError with file and line.
    """
    path = suites_folder() / f"{name}.toml"
    if name not in suite_names():
        path = Path(name)
        if path.suffix != ".toml" and path != STDIN:
            raise UnknownNameError.among("suite", name, [*suite_names(), "FILE.toml"])
    with readable(path, "the suite", SuiteError):
        return parse_suite(read_text(path), str(path)), str(path)


def parse_suite(text: str, file: str) -> Suite:
    """The suite in a text; raises SuiteError with the line of what is wrong."""
    try:
        suite = msgspec.convert({"name": Path(file).stem, **tomllib.loads(text)}, Suite, strict=True)
    except tomllib.TOMLDecodeError as error:
        place = re.search(r"\(at line (\d+), column (\d+)\)", str(error))
        line, column = (int(place[1]), int(place[2])) if place else (text.count("\n") + 1, None)
        what = re.sub(r" \(at .*\)$", "", str(error))
        raise SuiteError(f"not TOML: {what}", file=file, line=line, column=column) from None
    except msgspec.ValidationError as error:
        raise _located(str(error), text, file) from None
    except (ValueError, RecursionError):
        raise SuiteError("not TOML: a value too large to read", file=file, line=1) from None
    games = suite.games or any(chosen.games for chosen in suite.configurations)
    if not suite.asked_boards and not games and not suite.positions:
        raise SuiteError("the suite has neither boards nor games", file=file, line=find_line(text, "boards"))
    return suite


def own_suite(**choices: Sequence[str]) -> Suite:
    """The suite of these `boards`, `games`, `players`, `positions`, `rules`, `pipelines` and `modes`; what is empty has
    the default of a suite file. Passes of a pipeline stand with `+` between them. Raises SuiteError for a mode or a
    player that is none.

    >>> suite = own_suite(rules=["mine.lp", "clusters"], pipelines=["none", "ground+reorder"])
    >>> suite.name, suite.configurations[0].pipelines, suite.asked_boards
    ('own', ['none', 'ground,reorder'], ['difficult-1'])
    """
    suite: dict[str, object] = {name: list(words) for name, words in choices.items() if words}
    keys = {"rules": "rule_sets", "pipelines": "pipelines", "modes": "modes"}
    configuration = {key: suite.pop(name) for name, key in keys.items() if name in suite}
    if "pipelines" in configuration:
        configuration["pipelines"] = [pipeline.replace("+", ",") for pipeline in choices["pipelines"]]
    try:
        return msgspec.convert({**suite, "configurations": [configuration]}, Suite, strict=False)
    except msgspec.ValidationError as error:
        what, _, path = str(error).partition(" - at `$.")
        key = re.findall(r"[a-z_]+", path)[-1] if path else ""
        known = ConfigurationSet.__struct_fields__ + Suite.__struct_fields__
        place = f"--{key}" if key in known else "the suite"
        raise SuiteError(f"{place}: {what[0].lower()}{what[1:]}") from None


def _located(problem: str, text: str, file: str) -> SuiteError:
    """The error for people, from msgspec's words and the path in them; TOML readers keep no lines, so look."""
    what, _, path = problem.partition(" - at `$")
    table = re.match(r"\.configurations\[(\d+)\]", path)
    unknown = re.search(r"unknown field `(\w+)`", what)
    key = unknown[1] if unknown else next(iter(re.findall(r"\.(\w+)", path)[-1:]), "")
    line = find_line(text, key, int(table[1]) if table else None) if key else None
    if unknown:
        return SuiteError(f"unknown key {key!r}", file=file, line=line, hint="see the suites that come with hexlogic")
    if "> 0" in what:
        return SuiteError(f"the limit {key} leaves nothing to run", file=file, line=line, hint="give a positive number")
    return SuiteError(f"{key or 'suite'}: {what[0].lower()}{what[1:]}", file=file, line=line)


def find_line(text: str, word: str, table: int | None = None) -> int | None:
    """The first line (from 1) that has `word`, a key or a quoted value, from the table with that index on.

    >>> find_line("a = 1\\n[[configurations]]\\na = 2\\nb = ['x']", "a", 0), find_line("b = ['x']", "y")
    (3, None)
    """
    tables = -1
    for number, line in enumerate(text.splitlines(), start=1):
        tables += line.strip() == "[[configurations]]"
        code = line.split("#")[0]
        if (table is None or tables >= table) and re.search(rf"(?<![\w-]){re.escape(word)}(?![\w-])", code):
            return number
    return None
