"""Suites, what to run, as TOML or in a few words; and the plan of one: the configurations that will be measured, names
checked, duplicates dropped, the oracle asked.

Suites are read strictly: a key that means nothing is an error, not a silent default. Every key has a default: this is a
suite, named after its file.

boards = ["difficult-1", "my-board.txt"]
[limits]
cpu_s = 5
[[configurations]]
rule_sets = ["mine.lp", "clusters"]
"""

import contextlib
import itertools
import re
import tomllib
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, ParamSpec, TypeVar

import msgspec

from hexlogic.errors import HexlogicError, SuiteError, UnknownNameError
from hexlogic.games import Player, expand_series
from hexlogic.games.rulesets import RuleSet, find_rule_set
from hexlogic.games.rulesets.transitions import load_transitions, transition_names
from hexlogic.laboratory.records.types import METHODS, Mode, grouped
from hexlogic.laboratory.runs.kind import Configuration, Rules
from hexlogic.laboratory.runs.kinds.positions import ManyPositions
from hexlogic.laboratory.runs.kinds.question import Question
from hexlogic.laboratory.runs.kinds.replay import Replay
from hexlogic.laboratory.runs.tasks import Task, make_game_task, make_task
from hexlogic.language.engines import engine_names, load_engine
from hexlogic.language.passes import Pipeline
from hexlogic.process.files import STDIN, read_text, readable, suites_folder
from hexlogic.process.limits import Limits

_START_S = 0.5  # Starting Python and an engine takes about this long, whatever is asked

P = ParamSpec("P")
T = TypeVar("T")
_Names = Annotated[tuple[str, ...], msgspec.Meta(min_length=1)]


class SuiteLimits(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Per run; `wall_s` follows from `cpu_s` unless given (see `Limits.of`)."""

    cpu_s: Annotated[float, msgspec.Meta(gt=0)] = 10
    memory_mb: Annotated[float, msgspec.Meta(gt=0)] = 2000
    wall_s: Annotated[float, msgspec.Meta(gt=0)] | None = None


class ConfigurationSet(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Configurations: every rule set with every pipeline on every engine."""

    rule_sets: _Names = ("power-set", "clusters")
    pipelines: _Names = ("none", "ground,reorder")
    engines: _Names = ("swipl", "pydatalog", "clingo")
    modes: Annotated[tuple[Mode, ...], msgspec.Meta(min_length=1)] = ("followed", "anew")
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
    configurations: Annotated[tuple[ConfigurationSet, ...], msgspec.Meta(min_length=1)] = (ConfigurationSet(),)
    players: Annotated[tuple[Player, ...], msgspec.Meta(min_length=1)] = ("red",)
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
    """The suite of that name, or in that file, and its path for errors. Raises UnknownNameError, and SuiteError with
    file and line."""
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


def chosen_suite(**choices: Sequence[str]) -> Suite:
    """The suite of these `boards`, `games`, `players`, `positions`, `rules`, `pipelines` and `modes`; what is empty has
    the default of a suite file. Passes of a pipeline stand with `+` between them. Raises SuiteError for a mode or a
    player that is none.

    >>> suite = chosen_suite(rules=["mine.lp", "clusters"], pipelines=["none", "ground+reorder"])
    >>> suite.name, suite.configurations[0].pipelines, suite.asked_boards
    ('own', ('none', 'ground,reorder'), ['difficult-1'])
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


@dataclass(frozen=True, slots=True)
class Plan:
    """Everything that a session will measure, in the order of the suite."""

    suite: str
    configurations: tuple[Configuration, ...]
    engines: tuple[str, ...]
    missing: dict[str, str]
    """Engines of the suite that cannot run here, with the way to get them; they have no configurations."""
    limits: Limits
    repeats: int
    warm_ups: int
    seed: int

    @property
    def floors(self) -> bool:
        """Whether the start-up floors of its engines are measured."""
        return any(configuration.floors for configuration in self.configurations)

    def chains(self) -> tuple[tuple[Configuration, ...], ...]:
        """The configurations in groups: those of a series of growing boards are a group, any other is alone.

        A group is measured in its order and ends with the first that gets no answer: what cannot be done on a small
        board need not be tried on a larger one.
        """
        groups = grouped(self.configurations, lambda each: each.series[0])
        return tuple(tuple(sorted(group, key=lambda each: each.series[1])) for group in groups.values())


def estimate_plan(plan: Plan, jobs: int, warm_up_jobs: int) -> tuple[float, float]:
    """The seconds of a plan, at least (every query takes no time) and at most (every configuration meets its limit).

    A configuration that meets its limit is not repeated, and ends its series; without one, all repeats of a slow
    configuration together take at most half the limit, or one run.
    """
    chains = plan.chains()
    configurations = sum(map(len, chains))
    least = _START_S * configurations * (plan.warm_ups / warm_up_jobs + plan.repeats / jobs)
    # A chain is slowest when each of its configurations but the last is just short of the limit.
    worst = (plan.limits.cpu_s + _START_S) * configurations
    return least, max(least, worst * (plan.warm_ups / warm_up_jobs + 1 / jobs) + least)


def make_plan(
    suite: Suite,
    file: str,
    *,
    engines: Sequence[str] | None = None,
    cpu_s: float | None = None,
    memory_mb: float | None = None,
    repeats: int | None = None,
    missing: Mapping[str, str] | None = None,
) -> Plan:
    """The plan of a suite; what is given here replaces what the suite says (`engines` for every configuration).

    `missing` are the engines that cannot run, with the reasons; those of this machine unless given.

    Raises SuiteError for a limit or a number of repeats below one and when no engine is here; UnknownNameError and
    PipelineError for names, with the place when the suite has the name.
    """
    limits = Limits.of(
        cpu_s=suite.limits.cpu_s if cpu_s is None else cpu_s,
        memory_mb=suite.limits.memory_mb if memory_mb is None else memory_mb,
        wall_s=suite.limits.wall_s if cpu_s is None else None,
    )
    if repeats is not None and repeats < 1:
        raise SuiteError(f"{repeats} repeats measure nothing", hint="give at least 1")
    names = tuple(dict.fromkeys(engines)) if engines else engines_of(suite, file)
    unavailable = missing_engines(names) if missing is None else missing
    missing = {name: unavailable[name] for name in names if name in unavailable}
    if len(missing) == len(names):
        reasons = "; ".join(f"{name}: {reason}" for name, reason in missing.items())
        raise SuiteError("no engine of the suite can run here", hint=reasons)
    tasks = [
        _placed(file, entry, make_task, board, player)
        for entry in suite.asked_boards
        for board in _placed(file, entry, expand_series, entry)
        for player in suite.players
    ]

    questions: dict[tuple[str, str, str, Task], Question] = {}
    for chosen in suite.configurations:
        entries = suite.games if chosen.games is None else chosen.games
        modes = dict.fromkeys(chosen.modes)
        games = [(entry, game) for entry in entries for game in _placed(file, entry, expand_series, entry)]
        asked = [*tasks, *(_placed(file, entry, make_game_task, game, mode) for mode in modes for entry, game in games)]
        rule_sets = [_placed(file, name, _rules, name, chosen, bool(entries)) for name in chosen.rule_sets]
        pipelines = [str(_placed(file, text, Pipeline.parse, text)) for text in chosen.pipelines]
        here = [name for name in engines or chosen.engines if name not in missing]
        for rule_set, pipeline, engine, task in itertools.product(rule_sets, pipelines, here, asked):
            kind = Question if task.game is None else Replay
            configuration = kind(Rules.of(rule_set), pipeline, engine, task)
            known = questions.setdefault((rule_set.name, pipeline, engine, task), configuration)
            if known.rule_set.hash != rule_set.hash:  # records would mix them
                what = f"{known.rule_set.reference} and {rule_set.reference} are both named {rule_set.name}"
                raise SuiteError(what, hint="give the file another name in its header")
    judging = {
        (rule_set.name, size, method): ManyPositions(Rules.of(rule_set), size, method, suite.seed)
        for chosen in suite.configurations
        for rule_set in (find_rule_set(name) for name in chosen.rule_sets if name not in transition_names())
        for size in suite.positions
        for method in METHODS
    }
    return Plan(
        suite=suite.name,
        configurations=(*questions.values(), *judging.values()),
        engines=names,
        missing=missing,
        limits=limits,
        repeats=suite.repeats if repeats is None else repeats,
        warm_ups=suite.warm_ups,
        seed=suite.seed,
    )


def _rules(name: str, chosen: ConfigurationSet, games: bool) -> RuleSet:
    """The rule set of that name, or the transition rules: their verifier is asked about boards, and games are followed
    as the rules stand."""
    if name not in transition_names():
        return find_rule_set(name)
    if games and (chosen.modes != ("followed",) or chosen.pipelines != ("none",)):
        hint = 'games can have it with pipelines = ["none"] and modes = ["followed"]'
        raise SuiteError(f"{name} changes a state from move to move", hint=hint)
    return load_transitions(name).rules


def repeats_after(cpu_s: float, limits: Limits, repeats: int) -> int:
    """How often to repeat what took `cpu_s` as a warm-up: all repeats together get half the CPU limit.

    >>> limits = Limits.of(cpu_s=10, memory_mb=1000)
    >>> [repeats_after(cpu_s, limits, 5) for cpu_s in (0.3, 1, 2, 6, 9.9)]
    [5, 5, 2, 1, 1]
    """
    return max(1, min(repeats, int(limits.cpu_s / 2 / max(cpu_s, 1e-9))))


def missing_engines(names: Iterable[str]) -> dict[str, str]:
    """Those of these engines that cannot run on this machine, with the way to get them."""
    return {name: reason for name in names if (reason := load_engine(name).missing()) is not None}


def engines_of(suite: Suite, file: str) -> tuple[str, ...]:
    """The engines that a suite names, in its order. Raises UnknownNameError with the line."""
    names = dict.fromkeys(name for chosen in suite.configurations for name in chosen.engines)
    for name in names:
        if name not in engine_names():
            _placed(file, name, load_engine, name)
    return tuple(names)


def _placed(file: str, word: str, make: Callable[P, T], *arguments: P.args, **options: P.kwargs) -> T:
    """`make(...)`, with the line of `word` in the suite file added to its error."""
    try:
        return make(*arguments, **options)
    except HexlogicError as error:
        if error.file is None:
            error.at(file=file)
            with contextlib.suppress(OSError, UnicodeDecodeError):
                error.at(line=find_line(read_text(Path(file)), word))
        raise
