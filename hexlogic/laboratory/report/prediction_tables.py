"""Tables of predictions: the study beside ours, what each number is worth, every model, and games of players."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import replace
from math import sqrt

from hexlogic.laboratory.report.document import Column, Entry, Table, Tone, make_table, number, plain
from hexlogic.laboratory.report.entries import copied
from hexlogic.laboratory.report.formatting import duration, listed
from hexlogic.laboratory.report.predictions import Protocol, Variant
from hexlogic.laboratory.report.published import COURSE_WORK, PREDICTION_STUDY
from hexlogic.players.evaluation.prediction_file import (
    ANY,
    Score,
    StoredPairing,
    StoredPlay,
)

_Z = 1.96


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
    figure = PREDICTION_STUDY.get(protocol.before or 0)
    if figure is None or (protocol.card.size != 7 and not protocol.before):
        return Entry("", None)
    return Entry(f"{100 * figure.accuracy:.4g} % ({figure.clauses:,})", figure.accuracy)


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


def _length(variant: Variant) -> Entry:
    literals, clauses = variant.mean(lambda model: model.literals), variant.mean(lambda model: model.clauses)
    return number(literals / max(1.0, clauses), ".1f")


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
    Column("length", "literals a clause", _length, numeric=True),
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
        columns.append(
            Column(protocol.title, protocol.title, defaultdict(lambda: absent, scores).__getitem__, numeric=True)
        )
    rows = [*names, "the model", "its symbols", "solver", "near duplicates", "test positions"]
    return make_table(name, title, columns, rows) if measured else None


def _trained(model: Variant) -> str:
    view = f", view {model.card.view}" if model.card.view != "plain" else ""
    return f"{model.card.symbols}, {model.card.clauses:,} clauses{view}"


def difference(apart: tuple[int, int], positions: int) -> tuple[float, float, float]:
    """By how much one is right more often than another on the same positions, with the interval of 95 percent.

    `apart` counts the positions that only the one and only the other names right (McNemar's table).

    >>> [round(bound, 3) for bound in difference((30, 10), 1000)]
    [0.02, 0.008, 0.032]
    """
    only, other = apart
    gain = (only - other) / positions
    half = _Z * sqrt(max(0.0, only + other - (only - other) ** 2 / positions)) / positions
    return gain, gain - half, gain + half


def margin_entry(variant: Variant, baseline: str) -> Entry:
    """By how many points a model is better than a baseline: the tone says whether the interval shows it."""
    gain, low, high = difference(variant.apart(baseline), variant.positions)
    tone: Tone = "good" if low > 0 else "bad" if high < 0 else "absent"
    return Entry(f"{100 * gain:+.2f} [{100 * low:+.2f}, {100 * high:+.2f}]", gain, tone)


_Margin = tuple[Variant, str, Score]
"""A model and a baseline with its score."""

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
            pairing if pairing.one.startswith("tm:") else pairing.turned()
            for pairing in play.results
            if "tm:" in (pairing.one[:3], pairing.two[:3])
        ]
        title = f"Games on {sizes}, {time}: `hexlogic {play.command}`"
        tables.append(make_table(f"prediction-play-{place}", title, _PLAY, rows))
    return tables
