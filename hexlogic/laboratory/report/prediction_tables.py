"""Tables about predictions: the study beside ours, what each number is worth, every model, and games of players."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from math import sqrt

from hexlogic.laboratory.report.document import Column, Entry, Table, Tone, make_table, number
from hexlogic.laboratory.report.entries import copied
from hexlogic.laboratory.report.formatting import duration, listed
from hexlogic.laboratory.report.predictions import Protocol, Variant
from hexlogic.laboratory.report.published import COURSE_WORK, PREDICTION_STUDY
from hexlogic.players.predict.prediction_file import Score, StoredPairing, StoredPlay

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


@dataclass(frozen=True, slots=True)
class _Row:
    """A protocol with the best of its variants that have the same symbols."""

    protocol: Protocol
    variant: Variant


def study_table(found: Sequence[Protocol]) -> Table | None:
    """The published accuracies beside ours: of each symbol set the model that is best on the validation split."""
    rows = [
        _Row(protocol, variant)
        for protocol in found
        if not protocol.is_exact and not protocol.is_balanced
        for variant in protocol.best_by_symbols()
    ]
    title = "The study and later course work beside ours, winner of the game"
    return make_table("prediction-study", title, _STUDY, rows) if rows else None


def _of_study(row: _Row) -> Entry:
    figure = PREDICTION_STUDY.get(row.protocol.before or 0)
    if figure is None or (row.protocol.size != 7 and not row.protocol.before):
        return Entry("", None)
    return Entry(f"{100 * figure.accuracy:.4g} % ({figure.clauses:,})", figure.accuracy)


def _place(row: _Row) -> tuple[int, int]:
    return row.protocol.size, row.protocol.before or 0


def _parity(row: _Row) -> Score | None:
    return row.protocol.peer_scores().get("parity")


_STUDY: tuple[Column[_Row], ...] = (
    Column("protocol", "positions from", lambda row: row.protocol.title),
    Column("study", "study (clauses)", _of_study, numeric=True),
    Column("later", "later", lambda row: _share(COURSE_WORK.get(_place(row))), numeric=True),
    Column("symbols", "our symbols", lambda row: str(row.variant.card["symbols"]).replace("+", " + ")),
    Column("clauses", "clauses", lambda row: int(row.variant.card["clauses"]), numeric=True),
    Column("accuracy", "ours [95 %]", lambda row: _score_entry(row.variant.score), numeric=True),
    Column(
        "parity",
        "parity",
        lambda row: _share(None if (score := _parity(row)) is None else score.accuracy),
        numeric=True,
    ),
    Column("positions", "tested", lambda row: row.variant.positions, numeric=True),
    Column("repeat", "repeat", lambda row: copied(row.variant.repeat)),
)


def worth_table(name: str, title: str, found: Sequence[Protocol]) -> Table | None:
    """Protocols side by side: what rules that understand nothing, heuristics, learners, the model and the solver score
    on the same test positions."""
    if not found:
        return None
    best = {id(one): one.best() for one in found}
    scores = {id(one): one.peer_scores(best[id(one)]) for one in found}
    names = list(dict.fromkeys(name for own in scores.values() for name in own))

    def entry(row: str, protocol: Protocol) -> Entry:
        model = best[id(protocol)]
        if row == "the model":
            return _score_entry(model.score if model is not None else None)
        if row == "its symbols":
            return Entry("", None) if model is None else Entry(_trained(model), _trained(model))
        if row == "solver":
            return _score_entry(protocol.solver)
        if row == "test positions":
            return number(protocol.positions)
        if row == "near duplicates":
            return _share(round(protocol.near_duplicates, 4))
        return _score_entry(scores[id(protocol)].get(row))

    columns: list[Column[str]] = [Column("what", "what names the winner", lambda row: row)]
    columns += [Column(one.title, one.title, partial(entry, protocol=one), numeric=True) for one in found]
    return make_table(
        name, title, columns, [*names, "the model", "its symbols", "solver", "near duplicates", "test positions"]
    )


def _trained(model: Variant) -> str:
    view = f", view {model.card['view']}" if model.card["view"] != "plain" else ""
    return f"{model.card['symbols']}, {model.card['clauses']:,} clauses{view}"


def difference(apart: tuple[int, int], positions: int) -> tuple[float, float, float]:
    """By how much one is right more often than another on the same positions, with the interval of 95 percent.

    `apart` counts the positions that only the one and only the other names right (McNemar's table).

    >>> [round(one, 3) for one in difference((30, 10), 1000)]
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


@dataclass(frozen=True, slots=True)
class _Margin:
    protocol: Protocol
    variant: Variant
    name: str
    score: Score

    @property
    def margin(self) -> Entry:
        return margin_entry(self.variant, self.name)


def margins_table(protocol: Protocol) -> Table | None:
    """By how much a model is better than each baseline on the same positions: of each symbol set the model that is best
    on the validation split."""
    rows = [
        _Margin(protocol, variant, name, score)
        for variant in protocol.best_by_symbols()
        for name, score in protocol.peer_scores(variant).items()
    ]
    seeds = len({int(stored.data["seed"]) for stored in protocol.sets})
    many = "one set" if seeds == 1 else f"{seeds} sets"
    title = f"{protocol.title}, {many}: how much better than each baseline the model is, in points"
    return make_table("prediction-margins", title, _MARGINS, rows) if rows else None


_MARGINS: tuple[Column[_Margin], ...] = (
    Column("symbols", "model", lambda row: _trained(row.variant), group=True),
    Column("model", "accuracy [95 %]", lambda row: _score_entry(row.variant.score), numeric=True, group=True),
    Column("baseline", "baseline", lambda row: row.name),
    Column("accuracy", "its accuracy [95 %]", lambda row: _score_entry(row.score), numeric=True),
    Column("margin", "better by [95 %]", lambda row: row.margin, numeric=True),
)


def models_table(found: Sequence[Protocol]) -> Table:
    """Every variant."""
    rows = [_Row(protocol, variant) for protocol in found for variant in protocol.variants]
    return make_table("prediction-models", "Every model: means over seeds", _MODELS, rows)


def _mean(row: _Row, what: str) -> float:
    return sum(float(getattr(model, what)) for _, model in row.variant.models) / len(row.variant.models)


def _length(row: _Row) -> Entry:
    return number(_mean(row, "literals") / max(1.0, _mean(row, "clauses")), ".1f")


_MODELS: tuple[Column[_Row], ...] = (
    Column("protocol", "positions from", lambda row: row.protocol.title, group=True),
    Column("symbols", "symbols", lambda row: str(row.variant.card["symbols"]).replace("+", " + ")),
    Column("view", "view", lambda row: str(row.variant.card["view"])),
    Column("clauses", "clauses", lambda row: int(row.variant.card["clauses"]), numeric=True),
    Column("s", "s", lambda row: number(float(row.variant.card["s"]), "g"), numeric=True),
    Column("threshold", "threshold", lambda row: row.variant.card["threshold"], numeric=True),
    Column("models", "models", lambda row: len(row.variant.models), numeric=True),
    Column("validation", "validation", lambda row: _share(round(row.variant.validation, 4)), numeric=True),
    Column("accuracy", "test [95 %]", lambda row: _score_entry(row.variant.score), numeric=True),
    Column("length", "literals a clause", _length, numeric=True),
    Column("cpu_s", "CPU time", lambda row: number(_mean(row, "cpu_s"), duration), numeric=True),
    Column("peak", "MB", lambda row: number(_mean(row, "peak_bytes") / 1e6, ",.0f"), numeric=True),
    Column("repeat", "repeat", lambda row: copied(row.variant.repeat)),
)


_PLAY: tuple[Column[StoredPairing], ...] = (
    Column("player", "player", lambda row: row.one),
    Column("opponent", "against", lambda row: row.two),
    Column("won", "won", lambda row: row.wins, numeric=True),
    Column("lost", "lost", lambda row: row.losses, numeric=True),
    Column("p_value", "p", lambda row: number(row.p_value, ".3f"), numeric=True),
)


def play_tables(played: Sequence[StoredPlay]) -> list[Table]:
    """What players with models scored; such a player stands first in its rows."""
    tables = []
    for place, play in enumerate(played, start=1):
        time = "no limit" if play.seconds is None else f"{duration(play.seconds)} ({play.clock}) a move"
        sizes = listed([size if "x" in size else f"{size}x{size}" for size in play.sizes])
        own = [one for one in play.results if _is_model(one.one) or _is_model(one.two)]
        rows = [one if _is_model(one.one) else _turned(one) for one in own]
        title = f"Games on {sizes}, {time}: `hexlogic {play.command}`"
        tables.append(make_table(f"prediction-play-{place}", title, _PLAY, rows))
    return tables


def _is_model(player: str) -> bool:
    return player.startswith("tm:")


def _turned(one: StoredPairing) -> StoredPairing:
    return StoredPairing(one=one.two, two=one.one, wins=one.losses, losses=one.wins, p_value=one.p_value)
