"""Stored predictions by protocol, the commands that make them again, and their tables: the study beside ours, what each
number is worth, every model, and games of players.

Sets made alike with other seeds belong together in a protocol, and so do models trained alike in a variant.
"""

import shlex
from collections import Counter, defaultdict
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Generic, TypeVar

from msgspec import UnsetType, convert, structs

from hexlogic.laboratory.records.types import grouped
from hexlogic.laboratory.report.claims.noise import difference
from hexlogic.laboratory.report.document import Column, Entry, Table, Tone, make_table, number, plain
from hexlogic.laboratory.report.entries import copied
from hexlogic.laboratory.report.formatting import duration, listed
from hexlogic.laboratory.report.published import COURSE_WORK, PREDICTION_STUDY
from hexlogic.players.evaluation.prediction_file import (
    ANY,
    Peer,
    Recipe,
    Score,
    Settings,
    StoredModel,
    StoredPairing,
    StoredPlay,
    StoredPredictions,
)

P = TypeVar("P", StoredModel, Peer)


class Pool(Generic[P]):
    """Models that differ in seeds only, or one baseline, each with the set that it was `scored` on.

    `by_set` are those of each set, `positions` counts the test positions of all sets, and `score` is that on them
    together; of several models on one set, their mean.
    """

    def __init__(self, scored: Sequence[tuple[StoredPredictions, P]]) -> None:
        self.scored: Sequence[tuple[StoredPredictions, P]] = scored
        by_seed = grouped(scored, lambda pair: pair[0].data.seed)
        self.by_set: list[list[tuple[StoredPredictions, P]]] = list(by_seed.values())
        self.positions: int = sum(stored.positions for (stored, _), *_ in self.by_set)
        right = sum(round(sum(predictor.right for _, predictor in pairs) / len(pairs)) for pairs in self.by_set)
        self.score = Score(right, self.positions)

    def by_empties(self) -> dict[int, Score]:
        """The scores by number of empty cells, of the first model of each set."""
        right, positions = Counter[int](), Counter[int]()
        for (stored, predictor), *_ in self.by_set:
            right.update(predictor.by_empties)
            positions.update(stored.by_empties)
        return {empties: Score(right[empties], positions[empties]) for empties in sorted(positions)}


class Variant(Pool[StoredModel]):
    """Models that differ in seeds only, of one protocol.

    `card` is that of the first, and `repeat` the commands that train it again; `length` is the mean number of literals
    for each clause, `validation` the mean accuracy on the validation splits, by which models are chosen.
    """

    def __init__(self, scored: Sequence[tuple[StoredPredictions, StoredModel]], protocol: "Protocol") -> None:
        super().__init__(scored)
        self.protocol = protocol
        stored, first = scored[0]
        self.card = first.card
        self.length = self.mean(lambda model: model.literals) / max(1.0, self.mean(lambda model: model.clauses))
        self.validation = self.mean(lambda model: model.card.validation_accuracy)
        self.repeat = f"{generate_command(stored)} && {train_command(stored, first)}"

    def mean(self, of: Callable[[StoredModel], float]) -> float:
        """The mean of a figure over the models."""
        return sum(of(model) for _, model in self.scored) / len(self.scored)

    def apart(self, name: str) -> tuple[int, int]:
        """Two counts of positions, of the first model of each set: only the model is right, only a baseline is."""
        counts = [model.apart.get(name, (0, 0)) for (_, model), *_ in self.by_set]
        return sum(model for model, _ in counts), sum(baseline for _, baseline in counts)


class Protocol:
    """Sets of positions made alike.

    `card` is that of the first set, and `title` says in words what it is; `before` counts moves before the end, None
    where labels are by perfect play. `positions` counts those of the test splits, `near_duplicates` is the share of
    them that differ from a train position in at most two cells, and `solver` the upper bound. `variants` are the models
    by what they were trained with, as they come first.
    """

    def __init__(self, sets: Sequence[StoredPredictions]) -> None:
        self.sets = sets
        self.card = card = sets[0].data
        self.before = moves = None if card.exact else card.before or 0
        what = "perfect play" if moves is None else "finished"
        if moves:
            what = f"{moves} move{'s' if moves > 1 else ''} before the end"
        whose = "games of players" if card.players else "random games"
        more = [", either player first"] * (card.first == ANY) + [", balanced"] * card.balanced
        more += [f", at least {card.open_share:.0%} of the cells empty"] * bool(card.open_share)
        self.title = f"{card.size}x{card.size}, {what}, {whose}{''.join(more)}"
        self.positions = sum(stored.positions for stored in sets)
        self.near_duplicates = sum(stored.near_duplicates * stored.positions for stored in sets) / self.positions
        scores = [stored.solver for stored in sets if stored.solver is not None]
        self.solver = Score(sum(s.right for s in scores), sum(s.positions for s in scores)) if scores else None

        def settings(pair: tuple[StoredPredictions, StoredModel]) -> Settings:
            return structs.replace(convert(pair[1].card, Settings, from_attributes=True), seed=0)

        alike = grouped(((stored, model) for stored in sets for model in stored.models), settings)
        self.variants = [Variant(models, self) for models in alike.values()]

    def best(self, symbols: str | None = None) -> Variant | None:
        """The variant on most sets that is best on the validation splits, among those with these symbols."""
        variants = [variant for variant in self.variants if symbols in (None, variant.card.symbols)]
        return max(variants, key=lambda variant: (len(variant.by_set), variant.validation), default=None)

    def best_by_symbols(self) -> list[Variant]:
        """The variant of each symbol set that is best on the validation splits."""
        symbol_sets = dict.fromkeys(variant.card.symbols for variant in self.variants)
        return [variant for symbols in symbol_sets if (variant := self.best(symbols)) is not None]

    def baselines(self, like: Variant | None = None) -> dict[str, Pool[Peer]]:
        """The baselines by name; learners only those with the symbols and the view of a variant."""
        learned = ("", "") if like is None else (like.card.symbols, like.card.view)
        pairs = [(stored, peer) for stored in self.sets for peer in stored.peers]
        fitting = (pair for pair in pairs if (pair[1].symbols, pair[1].view) in (learned, ("", "")))
        return {name: Pool(scored) for name, scored in grouped(fitting, lambda pair: pair[1].name).items()}


def protocols(sets: Sequence[StoredPredictions]) -> list[Protocol]:
    """The sets by how they were made: small boards first, finished games before others."""

    def recipe(stored: StoredPredictions) -> tuple[Recipe, str]:
        card = convert(stored.data, Recipe, from_attributes=True)
        return structs.replace(card, seed=0, games=1), stored.data.source

    made = [Protocol(alike) for alike in grouped(sets, recipe).values()]
    return sorted(made, key=lambda p: (p.card.size, p.card.exact, p.before or 0, p.card.balanced, p.title))


def generate_command(stored: StoredPredictions) -> str:
    """The command that makes the set of a card again; of a file what it was read from."""
    card, name = stored.data, shlex.quote(stored.name)
    if isinstance(card.games_played, UnsetType):
        return f"hexlogic predict generate --csv FILE --seed {card.seed} --out {name}"
    options: dict[str, object] = {"size": card.size, "games": card.games_played, "seed": card.seed}
    options |= {"first": card.first, "before": card.before, "label": "exact" if card.exact else None}
    options |= {"balanced": "" if card.balanced else None, "open-share": card.open_share or None}
    if card.players:
        options |= {"players": shlex.quote(",".join(card.players)), "opening": card.opening}
    return f"hexlogic predict generate {_options(options)} --out {name}"


def train_command(stored: StoredPredictions, model: StoredModel) -> str:
    """The command that trains a model again."""
    name = shlex.quote(stored.name)
    options = _options({option: getattr(model.card, option) for option in Settings.__struct_fields__})
    return f"hexlogic predict train {name} {options} --out {name}.model"


def _options(values: dict[str, object]) -> str:
    return " ".join(f"--{name} {value}".rstrip() for name, value in values.items() if value is not None)


def score_text(score: Score) -> str:
    """An accuracy with its interval.

    >>> score_text(Score(9981, 10000)), score_text(Score(90, 100)), score_text(Score(5, 5))
    ('99.81 % [99.70, 99.88]', '90.0 % [82.6, 94.5]', '100.0 % [56.6, 100.0]')
    """
    low, high = score.interval
    digits = 2 if score.accuracy > 0.99 and score.positions >= 1000 else 1
    return f"{score.accuracy:.{digits}%}".replace("%", " %") + f" [{100 * low:.{digits}f}, {100 * high:.{digits}f}]"


def _score_entry(score: Score | None) -> Entry:
    return Entry("", None) if score is None else Entry(score_text(score), score.accuracy)


def _share(value: float | None) -> Entry:
    return number(value, lambda share: f"{100 * share:.4g} %")


def study_table(measured: Sequence[Protocol]) -> Table | None:
    """The published accuracies beside ours: of each symbol set the model that is best on the validation split."""
    rows = [
        variant
        for protocol in measured
        if protocol.before is not None and not protocol.card.balanced
        for variant in protocol.best_by_symbols()
    ]
    title = "The study and later course work beside ours, winner of the game"
    return make_table("prediction-study", title, _STUDY, rows) if rows else None


def _of_study(variant: Variant) -> Entry:
    protocol = variant.protocol
    accuracy, clauses = PREDICTION_STUDY.get(protocol.before or 0, (None, 0))
    if accuracy is None or (protocol.card.size != 7 and not protocol.before):
        return Entry("", None)
    return Entry(f"{100 * accuracy:.4g} % ({clauses:,})", accuracy)


def _later(variant: Variant) -> Entry:
    """Course work looked at open positions of games that either player began, but for finished games."""
    card, before = variant.protocol.card, variant.protocol.before or 0
    is_alike = not before or (card.first == ANY and card.open_share >= 0.4)
    return _share(COURSE_WORK.get((card.size, before)) if is_alike else None)


def _baseline(name: str) -> Column[Variant]:
    def share(variant: Variant) -> Entry:
        baseline = variant.protocol.baselines().get(name)
        return _share(None if baseline is None else baseline.score.accuracy)

    return Column(name, name, share, numeric=True)


_TITLE: Column[Variant] = Column("protocol", "positions from", lambda row: row.protocol.title)
_CLAUSES: Column[Variant] = Column("clauses", "clauses", lambda row: row.card.clauses, numeric=True)
_REPEAT: Column[Variant] = Column("repeat", "repeat", lambda row: copied(row.repeat))

_STUDY: tuple[Column[Variant], ...] = (
    _TITLE,
    Column("study", "study (clauses)", _of_study, numeric=True),
    Column("later", "later", _later, numeric=True),
    Column("symbols", "our symbols", lambda row: row.card.symbols.replace("+", " + ")),
    _CLAUSES,
    Column("accuracy", "ours [95 %]", lambda row: _score_entry(row.score), numeric=True),
    *map(_baseline, ("parity", "counting", "resistance")),
    Column("positions", "tested", lambda row: row.positions, numeric=True),
    _REPEAT,
)

_MODELS: tuple[Column[Variant], ...] = (
    replace(_TITLE, group=True),
    Column("symbols", "symbols", lambda row: row.card.symbols.replace("+", " + ")),
    Column("view", "view", lambda row: row.card.view),
    _CLAUSES,
    Column("s", "s", lambda row: number(row.card.s, "g"), numeric=True),
    Column("threshold", "threshold", lambda row: row.card.threshold, numeric=True),
    Column("models", "models", lambda row: len(row.scored), numeric=True),
    Column("validation", "validation", lambda row: _share(round(row.validation, 4)), numeric=True),
    Column("accuracy", "test [95 %]", lambda row: _score_entry(row.score), numeric=True),
    Column("length", "literals a clause", lambda row: number(row.length, ".1f"), numeric=True),
    Column("cpu_s", "CPU time", lambda row: number(row.mean(lambda model: model.cpu_s), duration), numeric=True),
    Column("peak", "MB", lambda row: number(row.mean(lambda model: model.peak_bytes / 1e6), ",.0f"), numeric=True),
    _REPEAT,
)


def models_table(measured: Sequence[Protocol]) -> Table | None:
    """Every variant."""
    rows = [variant for protocol in measured for variant in protocol.variants]
    return make_table("prediction-models", "Every model: means over seeds", _MODELS, rows) if measured else None


def worth_table(name: str, title: str, measured: Sequence[Protocol]) -> Table | None:
    """Protocols side by side: what rules that understand nothing, heuristics, learners, the model and the solver score
    on the same test positions."""
    columns: list[Column[str]] = [Column("what", "what names the winner", plain)]
    absent, names = Entry("", None), dict[str, Entry]()
    for protocol in measured:
        best = protocol.best()
        scores = {name: _score_entry(pool.score) for name, pool in protocol.baselines(best).items()}
        names |= scores
        scores |= {
            "the model": _score_entry(None if best is None else best.score),
            "its symbols": absent if best is None else plain(_trained(best)),
            "solver": _score_entry(protocol.solver),
            "near duplicates": _share(round(protocol.near_duplicates, 4)),
            "test positions": number(protocol.positions),
        }
        entry = defaultdict(lambda: absent, scores).__getitem__
        columns.append(Column(protocol.title, protocol.title, entry, numeric=True))
    rows = [*names, "the model", "its symbols", "solver", "near duplicates", "test positions"]
    return make_table(name, title, columns, rows) if measured else None


def _trained(model: Variant) -> str:
    view = f", view {model.card.view}" if model.card.view != "plain" else ""
    return f"{model.card.symbols}, {model.card.clauses:,} clauses{view}"


def margin_entry(variant: Variant, baseline: str) -> Entry:
    """By how many points a model is better than a baseline: the tone says whether the interval shows it."""
    gain, low, high = difference(variant.apart(baseline), variant.positions)
    tone: Tone = "good" if low > 0 else "bad" if high < 0 else "absent"
    return Entry(f"{100 * gain:+.2f} [{100 * low:+.2f}, {100 * high:+.2f}]", gain, tone)


_Margin = tuple[Variant, str, Score]  # A model and a baseline with its score

_MARGINS: tuple[Column[_Margin], ...] = (
    Column("symbols", "model", lambda row: _trained(row[0]), group=True),
    Column("model", "accuracy [95 %]", lambda row: _score_entry(row[0].score), numeric=True, group=True),
    Column("baseline", "baseline", lambda row: row[1]),
    Column("accuracy", "its accuracy [95 %]", lambda row: _score_entry(row[2]), numeric=True),
    Column("margin", "better by [95 %]", lambda row: margin_entry(row[0], row[1]), numeric=True),
)


def margins_table(protocol: Protocol) -> Table | None:
    """By how much a model is better than each baseline on the same positions: of each symbol set the model that is best
    on the validation split."""
    rows = [
        (variant, name, baseline.score)
        for variant in protocol.best_by_symbols()
        for name, baseline in protocol.baselines(variant).items()
    ]
    seeds = len({stored.data.seed for stored in protocol.sets})
    many = "one set" if seeds == 1 else f"{seeds} sets"
    title = f"{protocol.title}, {many}: how much better than each baseline the model is, in points"
    return make_table("prediction-margins", title, _MARGINS, rows) if rows else None


_PLAY: tuple[Column[StoredPairing], ...] = (
    Column("player", "player", lambda row: row.one),
    Column("opponent", "against", lambda row: row.two),
    Column("won", "won", lambda row: row.wins, numeric=True),
    Column("lost", "lost", lambda row: row.losses, numeric=True),
    Column("p_value", "p", lambda row: number(row.p_value, ".3f"), numeric=True),
)


def play_tables(played: Sequence[StoredPlay]) -> list[Table]:
    """Tables of the games of players with models; such a player stands first in its rows."""
    tables = []
    for place, play in enumerate(played, start=1):
        time = "no limit" if play.seconds is None else f"{duration(play.seconds)} ({play.clock}) a move"
        sizes = listed([size if "x" in size else f"{size}x{size}" for size in play.sizes])
        rows = [
            each
            if each.one.startswith("tm:")
            else structs.replace(each, one=each.two, two=each.one, wins=each.losses, losses=each.wins)
            for each in play.results
            if "tm:" in (each.one[:3], each.two[:3])
        ]
        title = f"Games on {sizes}, {time}: `hexlogic {play.command}`"
        tables.append(make_table(f"prediction-play-{place}", title, _PLAY, rows))
    return tables
