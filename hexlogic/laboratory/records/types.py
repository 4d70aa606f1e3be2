"""The record types: a session header, a line for each floor, run, playing and resumption, an end line, and their parts.

Raw values; rounding is the report's affair.

A value that was not measured is None, never 0 and never the limit. Decoding is strict: an unknown field is an error.
"""

from collections.abc import Callable, Hashable, Iterable
from typing import TYPE_CHECKING, Literal, TypeAlias, TypeVar, get_args

import msgspec

from hexlogic.process.limits import Limits, Load, Termination

SCHEMA = 2
"""The version of these types; a reader refuses any other."""

Status: TypeAlias = Literal["answered", "timeout", "out-of-memory", "crashed", "error", "unsupported"]
"""What became of the question."""

Category: TypeAlias = Literal["correct", "wrong", "unknown"]
"""Whether the answer is that of the oracle; unknown where there is none to compare."""

Mode: TypeAlias = Literal["followed", "anew"]
"""How a game is replayed: the engine keeps what it has from move to move, or is asked from all stones after each."""

PART = 0.2
"""Wall and CPU seconds part when the smaller is short of the larger by this share of it."""

GRAIN_S = 0.01
"""Clocks of CPU time tick as coarsely as this on some systems: of a shorter time they tell nothing."""


class Phases(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Wall seconds of each phase, and CPU seconds of the query, measured inside the worker; None for a phase that was
    not reached or is not there.

    `transform_s` instantiates the rule set and applies the pipeline, `start_s` starts the engine, `load_s` gives it the
    program, `ground_s` and `solve_s` are the first (cold) query.
    """

    transform_s: float | None = None
    start_s: float | None = None
    load_s: float | None = None
    ground_s: float | None = None
    solve_s: float | None = None
    query_cpu_s: float | None = None
    """CPU seconds of the processes that answered, during the cold query; None in records older than this field."""

    @property
    def busy_s(self) -> float | None:
        """CPU seconds of the cold query; its wall seconds where it is shorter than the grain of CPU clocks. None where
        CPU seconds were not counted, or where a coarse clock saw none."""
        if self.query_s is None or self.query_cpu_s is None:
            return None
        return self.query_s if self.query_s <= GRAIN_S else self.query_cpu_s or None

    @property
    def parted(self) -> bool:
        """Whether wall and CPU seconds of the query differ by a fifth and by more than the grain of CPU clocks. More
        wall time was spent waiting, for the processor or for anything else; more CPU time by several threads."""
        if self.query_s is None or self.query_cpu_s is None:
            return False
        apart = abs(self.query_s - self.query_cpu_s)
        return apart >= PART * max(self.query_s, self.query_cpu_s) and apart > GRAIN_S

    @property
    def query_s(self) -> float | None:
        """Wall seconds of the cold query, grounding and solving; None when it did not end."""
        return None if self.solve_s is None else self.solve_s + (self.ground_s or 0.0)


class Measured(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What the whole process tree used, measured from outside; memory is sampled, so a short peak can be missed."""

    cpu_s: float | None
    wall_s: float | None
    peak_bytes: int | None


class Sizes(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The size of the engine's program, without the position: rules with a body, facts, and body literals."""

    rules: int
    facts: int
    literals: int


class Exit(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """How the worker process ended: its exit code, or the number of the signal that ended it."""

    code: int | None
    signal: int | None


Method: TypeAlias = Literal["packed", "batch", "asked"]
METHODS: tuple[Method, ...] = get_args(Method)
"""How many positions are judged: packed into machine words already, packed first, or asked one by one."""

REFEREE, OPEN_SPIEL = "referee", "open_spiel"
BASELINES = (REFEREE, OPEN_SPIEL)
"""Players of random games that know no rules as logic, by the names that records give them."""


class Line(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, tag_field="record"):
    """A line of a record file; its tag names the type."""

    session: str | None = None
    """The session that wrote the line, as `Session.session`; None in files that do not say."""


class Measurement(Line, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What is recorded of every measured process: its times, the resources it used, and how its question ended. Each
    kind of measurement (see `runs.kinds`) has such a type: a floor, or a run of a configuration."""

    if TYPE_CHECKING:

        @property
        def key(self) -> str:
            """Names the record in its file: a resumed session does not make it again."""

    repeat: int
    """0, 1, ...; of a configuration, among its warm-ups or among its repeats."""
    phases: Phases
    usage: Measured
    status: Status
    category: Category
    message: str | None

    @property
    def is_good(self) -> bool:
        """Whether the record says how long an answer takes: there is an answer, and it is not wrong."""
        return self.status == "answered" and self.category != "wrong"


class ConfigurationRun(Measurement, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One run of a configuration; its kind adds what was asked and what was found."""

    key: str
    warmup: bool
    counted: bool
    """Whether the tables use it: every repeat, and a warm-up that is not repeated because it got no answer."""
    machine: Load = Load()
    termination: Termination
    exit: Exit


class EngineInfo(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """An engine of the session: its version as the tool itself says it, or why it is `missing`."""

    version: str | None
    missing: str | None
    dialect: str
    order_sensitive: bool
    options: list[str] = []
    """What the adapter starts the engine with; every run of the session has the same."""


class Session(Line, frozen=True, kw_only=True, forbid_unknown_fields=True, tag="session"):
    """The first line: where, when, with what and how the runs were made."""

    schema: int
    session: str
    """Names the session in all of its lines."""
    started: str
    """UTC, ISO 8601."""
    host: str
    cpu_model: str | None
    cores: int
    memory_bytes: int
    kernel: str
    governor: str | None
    """How the system chooses the processor's frequency; None where it does not say."""
    load_1m: float | None
    """The load average of the minute before."""
    python: str
    hexlogic: str
    code_hash: str
    """Of the code that a program's text and its run depend on, whatever the version says."""
    engines: dict[str, EngineInfo]
    commit: str | None
    """The git commit of the code; None when it does not run from a checkout."""
    dirty: bool | None
    seed: int
    limits: Limits
    repeats: int
    warm_ups: int
    jobs: int
    """Measured runs at a time."""
    warm_up_jobs: int
    """Warm-ups at a time."""
    command: list[str]
    suite: str
    meter: str = "psutil"
    """What measured usage and kept the limits: `psutil`, or `benchexec` with its version."""


class Replayed(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A replayed game, move by move: the winners that were answered, the seconds, the memory and the facts."""

    winners: str
    """Who has won after each move, a letter for each: `.` nobody, `r` red, `b` blue, `x` both."""
    plies_s: list[float]
    """Wall seconds of each move, with finding out who has won."""
    grown_bytes: int
    """How much larger than before the first move the resident memory was after a move, at most; engine included."""
    facts: int | None
    """Facts that follow from the stones and are kept after the last move; None where the engine does not tell."""
    fact_bytes: int | None
    """Characters of these facts, written as `fact.` and a line end; None where they are counted and not listed."""
    facts_by_ply: list[int] | None = None
    """How many facts are kept after each move; None where the engine does not tell."""


class Run(ConfigurationRun, frozen=True, kw_only=True, forbid_unknown_fields=True, tag="run"):
    """One execution of a configuration (rule set, pipeline, engine) on a task (position, query).

    Where a game is replayed, the position is its last one, `solve_s` is the sum over its moves, `expected` is that
    somebody wins, and the answer is right when the winner was answered after the right move and after no other.
    """

    rule_set: str
    rule_set_hash: str
    complete: bool
    """Whether the rule set claims to find every win."""
    game: str
    rows: int
    columns: int
    pipeline: str
    program_hash: str | None
    engine: str
    options: list[str] | None = None
    """What the engine was started with."""
    dialect: str | None
    task: str
    facts_hash: str
    query: str
    expected: bool
    asked_cpu_s: float | None
    """CPU seconds the worker had used when the query began: a killed query ran for `usage.cpu_s` minus this."""
    warm_query_s: float | None
    """Seconds of the same query asked again in the same process, the median of batches that are each long enough for
    the clock; None when the query is not short."""
    warm_queries: int
    """How many repetitions `warm_query_s` is made of."""
    sizes: Sizes | None
    counters: dict[str, int]
    answer: bool | None
    mode: Mode | None = None
    """How a game was replayed; None for a single question."""
    replayed: Replayed | None = None
    """None for a single question, and for a game without an answer."""


class Started(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What a reasoner ground and analysed before it could play a sheet, and the time it took."""

    cpu_s: float
    """CPU seconds from the sheet as a program to the end of the first playout."""
    rules: int | None
    """Ground rules with a body; None where nothing is ground ahead."""
    atoms: int | None
    """The atoms in them."""
    analysis: str | None
    """How the reasoner plays, and the reason, as it says itself; None where there is one way only."""


class Batch(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Random games played one after the other."""

    games: int
    steps: int | None
    """Of all games together; None where the player does not tell."""
    goals: list[float]
    """The sum over the games for each role, 0 to 100 a game."""
    cpu_s: float


class Played(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The random games that a run played."""

    roles: list[str]
    batches: list[Batch]
    """Their games are drawn from different seeds, so that they tell how much the means vary."""

    @property
    def playout_s(self) -> float | None:
        """CPU seconds of a game; None without any."""
        games = sum(batch.games for batch in self.batches)
        return sum(batch.cpu_s for batch in self.batches) / games if games else None


class Playing(ConfigurationRun, frozen=True, kw_only=True, forbid_unknown_fields=True, tag="playing"):
    """One execution of a reasoner on a sheet: random games. Its answer, the mean length and the mean goals, is judged
    against those of other reasoners, so that its category says no more than whether there is one."""

    sheet: str
    """The rule set that decides the game, or the file."""
    sheet_hash: str
    game: str
    """`hex` and the like; of a file its name."""
    rows: int | None
    columns: int | None
    """Of the board; None for a file."""
    reasoner: str
    """One of the state machine's, or a baseline player (see `kinds.playouts`)."""
    seed: int
    longest: int
    """Steps after which a game counts as endless."""
    program_hash: str | None
    sizes: Sizes | None
    """Of the sheet as written."""
    phases: Phases
    """`transform_s` exports or reads the sheet, `load_s` starts the reasoner, `solve_s` plays."""
    started: Started | None
    """None where it did not come so far, and for a baseline player that has nothing to start."""
    played: Played | None


class PositionsRun(ConfigurationRun, frozen=True, kw_only=True, forbid_unknown_fields=True, tag="positions"):
    """One execution of a rule set on many random positions of Hex, by one method."""

    rule_set: str
    rule_set_hash: str
    size: int
    """Rows of the board, which is square."""
    method: Method
    seed: int
    positions: int | None
    """How many were judged in `phases.query_cpu_s`; None without an answer."""
    phases: Phases
    """`load_s` grounds the rules and compiles what evaluates them, `solve_s` judges the positions."""


class Floor(Measurement, frozen=True, kw_only=True, forbid_unknown_fields=True, tag="floor"):
    """The least that any query costs on an engine: a program of one fact, asked for it, in a worker like any other.

    Times of runs that are not far above those of the floor say more about the engine's interface than about the rules.
    """

    engine: str
    warm_query_s: float | None
    warm_queries: int

    @property
    def key(self) -> str:
        """Names the floor in its file."""
        return f"{self.engine} {self.repeat}"


class End(Line, frozen=True, kw_only=True, forbid_unknown_fields=True, tag="end"):
    """The last line: the session ended on purpose, by completing its plan or by an interrupt."""

    finished: str
    """UTC, ISO 8601."""
    reason: Literal["completed", "interrupted"]
    runs: int
    wrong: int


class Resumed(Line, frozen=True, kw_only=True, forbid_unknown_fields=True, tag="resumed"):
    """The session was cut off, or interrupted, and goes on: more runs follow."""

    at: str
    """UTC, ISO 8601."""
    command: list[str]
    load_1m: float | None


K = TypeVar("K", bound=Hashable)
T = TypeVar("T")


def grouped(things: Iterable[T], key: Callable[[T], K]) -> dict[K, list[T]]:
    """The things with the same key together, in the order in which each group comes first.

    >>> grouped(["ab", "cd", "e"], len)
    {2: ['ab', 'cd'], 1: ['e']}
    """
    groups: dict[K, list[T]] = {}
    for thing in things:
        groups.setdefault(key(thing), []).append(thing)
    return groups


def encode_record(record: Line) -> bytes:
    """One line of JSON, without its line end."""
    return msgspec.json.encode(record)
