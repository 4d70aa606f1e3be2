"""The data of predictions as files: sets of positions, trained models with their scores, explained clauses, and games.

Reports read three kinds of file beside records. `predictions-NAME.json` has one set of positions and the models that
were trained on it, `explained-NAME.json` the clauses of one model, `played-NAME.json` what `hexlogic tournament --json`
prints of players with models.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import sqrt
from pathlib import Path
from typing import Final, Literal, TypeAlias, TypeVar, get_args

import msgspec
from msgspec import UNSET, UnsetType

from hexlogic.errors import HexlogicError, UnknownNameError
from hexlogic.process.files import read_stored

SCHEMA = 1
"""The version of these types; a reader refuses any other."""

_Z = 1.959963984540054
"""The quantile of the normal distribution for 95 percent."""

View = Literal["plain", "mover", "twins"]
VIEWS: tuple[View, ...] = get_args(View)

W = TypeVar("W", bound=str)


def one_of(what: str, text: str, known: Sequence[W]) -> W:
    """The word of these that `text` is. Raises UnknownNameError, which says `what` is unknown."""
    if text not in known:
        raise UnknownNameError.among(what, text, list(known))
    return known[known.index(text)]


ANY: Final = "any"
First: TypeAlias = Literal["red", "blue", "any"]
"""Who moves first: always one player, or in each game one that is drawn."""


class Recipe(msgspec.Struct, frozen=True):
    """How to make a set of positions.

    `first` is who moves first, `any` a player drawn for each game. `before` counts moves before the end; of positions
    with a smaller share of empty cells than `open_share` none is kept. Without `before` positions are finished games,
    or, with exact labels, positions with a random number of empty cells, at most 20 beyond 5x5, before anybody has won.
    `players` are strategies by name; no name is random play. `opening` is how many random stones begin their games.
    `balanced` removes what the number of stones tells: see `generate`.
    """

    size: int
    games: int
    seed: int
    first: First = "blue"
    before: int | None = None
    exact: bool = False
    balanced: bool = False
    players: tuple[str, ...] = ()
    opening: int = 2
    open_share: float = 0.0

    def __post_init__(self) -> None:
        cells = self.size * self.size
        if self.games < 1:
            raise HexlogicError(f"{self.games} games are no games", file="--games")
        if self.before is not None and not 0 <= self.before < cells:
            raise HexlogicError(f"{self.before} moves before the end", file="--before", hint=f"0 to {cells - 1}")
        if self.exact and self.before == 0:
            raise HexlogicError("finished games need no perfect play", file="--label", hint="leave out --before 0")


class DataCard(Recipe, frozen=True, kw_only=True):
    """What is known of a set: how it was made, what its labels mean, and figures; `games` are those it has positions
    of. Generated sets have the figures `repeated` and `games_played`, sets from a file the last two."""

    kind: str
    label: str
    source: str
    impossible: dict[str, int] = {}
    positions: int = 0
    stones_mean: float = 0.0
    empties: dict[str, int] = {}
    parity_names_winner: float = 0.0
    repeated: int | UnsetType = UNSET
    games_played: int | UnsetType = UNSET
    rows: int | UnsetType = UNSET
    unfinished: int | UnsetType = UNSET


class Settings(msgspec.Struct, frozen=True):
    """What a machine is trained with. `s` is the specificity and `threshold` the votes that are enough (None for as
    many as there are clauses)."""

    clauses: int
    symbols: str = "study"
    view: View = "plain"
    s: float = 10.0
    threshold: int | None = None
    epochs: int = 20
    seed: int = 1

    def __post_init__(self) -> None:
        for option in ("clauses", "s", "threshold", "epochs"):
            value = getattr(self, option)
            if value is not None and not value >= 1:
                raise HexlogicError(f"{value} is too small", file=f"--{option}", hint="at least 1")


class ModelCard(Settings, frozen=True, kw_only=True):
    """How a model was trained: its settings, the machine, the epoch that was kept with its accuracies, the number of
    positions of each split, and a part of the card of its set."""

    machine: str = ""
    epoch: int = 0
    train_accuracy: float = 0.0
    validation_accuracy: float = 0.0
    positions: dict[str, int] = {}
    data: dict[str, object] = {}


class Stored(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A part of a file, by the names of its fields."""


class Score(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A count of right answers among some positions, with the Wilson interval of 95 percent."""

    right: int
    positions: int

    @property
    def accuracy(self) -> float:
        """The share that is right."""
        return self.right / self.positions

    @property
    def interval(self) -> tuple[float, float]:
        """The bounds of the interval (Wilson 1927)."""
        share, count = self.accuracy, self.positions
        middle = share + _Z * _Z / (2 * count)
        half = _Z * sqrt(share * (1 - share) / count + _Z * _Z / (4 * count * count))
        whole = 1 + _Z * _Z / count
        return max(0.0, (middle - half) / whole), min(1.0, (middle + half) / whole)

    def to_json(self) -> dict[str, object]:
        """Plain data."""
        interval = [round(bound, 5) for bound in self.interval]
        return {"accuracy": round(self.accuracy, 5), "interval": interval, "positions": self.positions}


class Peer(Stored, frozen=True):
    """The right answers of a baseline, of all positions and by number of empty cells. `symbols` and `view` are what it
    learned from, empty where it needs none."""

    name: str
    symbols: str
    view: str
    right: int
    by_empties: dict[int, int]


class StoredModel(Stored, frozen=True):
    """A model by its card and its size; how its training went: wall and CPU seconds, peak bytes of the process,
    accuracies by epoch; once it is scored, what it names right on the test split, and by baseline how many positions
    only the model and only the baseline names right."""

    card: ModelCard
    clauses: int
    literals: int
    seconds: float
    cpu_s: float
    peak_bytes: int
    train_accuracies: tuple[float, ...]
    validation_accuracies: tuple[float, ...]
    right: int = 0
    by_empties: dict[int, int] = {}
    apart: dict[str, tuple[int, int]] = {}


class Evaluated(Stored, frozen=True):
    """A test split by number of empty cells, the share of its positions that differ from a train position in at most
    two cells, what the solver names right of those it was asked about, and baselines."""

    by_empties: dict[int, int]
    near_duplicates: float
    solver: Score | None
    peers: tuple[Peer, ...]

    @property
    def positions(self) -> int:
        """The number of positions of the test split."""
        return sum(self.by_empties.values())

    def score(self, answers: StoredModel | Peer) -> Score:
        """The score of a model or a baseline."""
        return Score(answers.right, self.positions)


class StoredPredictions(Evaluated, frozen=True):
    """A set of positions by its card, its test split with baselines, and models."""

    schema: int
    hexlogic: str
    name: str
    data: DataCard
    models: tuple[StoredModel, ...]


class StoredSoundness(Stored, frozen=True):
    """Whether a clause implies the win, about which positions; a counter-example as text."""

    verdict: str
    about: str
    counter_example: str | None


class StoredClause(Stored, frozen=True):
    """A clause with what is proved of it; `atoms` are the kept literals by cell numbers, the rest is for people."""

    clause: int
    player: str
    weight: int
    coverage: float
    precision: float | None
    rule: str
    literals: tuple[str, ...]
    redundant: tuple[str, ...]
    kept: tuple[str, ...]
    atoms: tuple[tuple[str, bool], ...]
    open_literals: int
    possible: bool | None
    puzzle: str | None
    colourings: int
    all_counted: bool
    soundness: tuple[StoredSoundness, ...]


class StoredRules(Stored, frozen=True):
    """The fewest `clauses`, by number, with the machine's decisions on the `sample`, of which at least `at_least` are
    needed; their literals before and after what is redundant was dropped; on how many of the `compared` positions
    clingo decides alike with them, and a won position that they decide wrongly (whether there is none: None where that
    stayed open). Of the `sound_clauses`, proved to say that their player has won, the `rule_set_clauses` hold wherever
    one of them does: on `covered` positions of the sample."""

    clauses: tuple[int, ...]
    at_least: int
    literals_before: int
    literals_after: int
    compared: int
    same_decisions: int
    decides_all_won_positions: bool | None
    counter_example: str | None
    sound_clauses: int
    rule_set_clauses: int
    covered: int
    sample: int


class StoredExplanation(Stored, frozen=True):
    """Some clauses of a model, and what is known of the whole model as rules."""

    schema: int
    hexlogic: str
    name: str
    card: ModelCard
    size: int
    positions: str
    clauses: int
    explained: tuple[StoredClause, ...]
    rules: StoredRules | None = None


class StoredPairing(msgspec.Struct, frozen=True, kw_only=True):
    """The games of a player against another; other fields are not read."""

    one: str
    two: str
    wins: int
    losses: int
    p_value: float


class StoredPlay(msgspec.Struct, frozen=True, kw_only=True):
    """The standing that `hexlogic tournament --json` prints; other fields are not read."""

    sizes: tuple[str, ...]
    seconds: float | None
    clock: str
    command: str
    results: tuple[StoredPairing, ...]


def read_predictions(path: Path) -> StoredPredictions:
    """A file of models. Raises HexlogicError for a file of another schema or of none."""
    return read_stored(path, StoredPredictions, "predictions", SCHEMA, hint="measure again")


def read_explanation(path: Path) -> StoredExplanation:
    """A file of clauses. Raises HexlogicError for a file of another schema or of none."""
    return read_stored(path, StoredExplanation, "predictions", SCHEMA, hint="measure again")


def read_play(path: Path) -> StoredPlay:
    """A file of games. Raises HexlogicError for a file of something else."""
    return read_stored(path, StoredPlay, "predictions")
