"""Predicting the winner with a Tsetlin machine: the study's numbers, ours, and what either is worth."""

from __future__ import annotations

from collections.abc import Sequence

from hexlogic.laboratory.records.grouping import grouped
from hexlogic.laboratory.report.charts import Point, shares
from hexlogic.laboratory.report.document import Block, Figure, Heading, Text
from hexlogic.laboratory.report.prediction_clauses import explained_blocks
from hexlogic.laboratory.report.prediction_tables import (
    margin_entry,
    margins_table,
    models_table,
    play_tables,
    score_text,
    study_table,
    worth_table,
)
from hexlogic.laboratory.report.predictions import Protocol, Variant, protocols
from hexlogic.laboratory.report.published import STUDY_SWEEP
from hexlogic.laboratory.report.results import Predictions, Results
from hexlogic.laboratory.report.topic import PageAnswer, PageQuestion
from hexlogic.players.predict.prediction_file import Score

_LEAST = 20
"""Positions with a number of empty cells that make a point of a line."""
_LEARNERS = ("parity", "occupancy only", "resistance", "logistic regression", "gradient boosting")


def _answer(results: Results, predictions: Predictions) -> PageAnswer:
    found = protocols(predictions.sets)
    blocks: list[Block] = []
    if (table := study_table(found)) is not None:
        blocks.append(table)
    ended = [one for one in found if one.size == 7 and not one.before]
    title = "The leaks: the study's protocol and the fair one side by side [95 %]"
    if (table := worth_table("prediction-leaks", title, ended)) is not None:
        blocks += [Text(_LEAK), table]
    blocks += [table for one in found if one.is_exact and (table := margins_table(one)) is not None]
    title = "Some moves before the end: parity says who will win, unless the set is balanced [95 %]"
    for of_players, name in ((True, "prediction-before-players"), (False, "prediction-before-random")):
        earlier = [one for one in found if one.before and one.is_of_players == of_players]
        if (table := worth_table(name, title, earlier)) is not None:
            blocks.append(table)
    fair = [one for one in found if one.is_exact] or found
    blocks += [figure for one in fair if (figure := _by_empties(one)) is not None]
    blocks += [figure for figure in (_sweep(found), _curves(found)) if figure is not None]
    if found:
        blocks.append(models_table(found))
    for explained in predictions.explained:
        blocks += explained_blocks(explained)
    if predictions.played:
        blocks += [Heading("Judged by play"), *play_tables(predictions.played)]
    return PageAnswer(_finding(found), blocks)


_LEAK = (
    "A game that stops at the win ends with a stone of the winner, so that the parity of the stones names the winner "
    "of every finished board. A balanced set has as many wins of both for every number of stones; labels by perfect "
    "play do not count blunders that came later."
)


def _finding(found: Sequence[Protocol]) -> str:
    told = []
    plain = [one for one in found if one.before == 0 and not one.is_balanced]
    for protocol in plain:
        best, parity = protocol.best("study") or protocol.best(), protocol.peer_scores().get("parity")
        if best is not None and parity is not None:
            told.append(
                f"{protocol.title}: {best.card['clauses']:,} clauses name {score_text(best.score)} of the winners, "
                f"the parity of the stones {_short(parity)}."
            )
    for protocol in (one for one in found if one.is_exact):
        best = protocol.best()
        if best is None:
            continue
        named = protocol.peer_scores(best)
        name = max(named, key=lambda one: named[one].accuracy)
        margin = margin_entry(best, name)
        how = {"good": "better", "bad": "worse"}.get(margin.tone, "not told apart")
        points = margin.text.replace(" [", " points [")
        against = f"the best baseline, {name} ({_short(named[name])})"
        told.append(
            f"{protocol.title}: {score_text(best.score)}, {points} against {against}: {how}; perfect play is 100 %."
        )
    return " ".join(told) or "Nothing was trained."


def _short(score: Score) -> str:
    return f"{100 * score.accuracy:.1f} %"


def _by_empties(protocol: Protocol) -> Figure | None:
    """A line for the model and some baselines, by number of empty cells."""
    best = protocol.best()
    if best is None:
        return None
    lines = {"the model": best.by_empties()}
    lines |= {name: protocol.peer_empties(name, best) for name in protocol.peers(best) if name in _LEARNERS}
    points = [
        _point(name, empties, score, f"{score_text(score)}, {score.positions} positions", best.repeat)
        for name, scores in lines.items()
        for empties, score in scores.items()
        if score.positions >= _LEAST
    ]
    if len({point.place for point in points}) < 2:
        return None
    title = f"Accuracy by number of empty cells: {protocol.title}"
    caption = f"The model is {best.card['symbols']} with {best.card['clauses']:,} clauses; {_LEAST} positions at least."
    place = "-".join(word.strip(",") for word in protocol.title.split())
    return shares(f"prediction-empties-{place}", title, caption, points, "empty cells")


def _point(series: str, place: int, score: Score, shown: str, repeat: str) -> Point:
    return Point(series, place, score.accuracy, True, shown, score.positions, repeat)


def _swept(found: Sequence[Protocol]) -> list[tuple[str, list[Variant]]]:
    """Variants of a protocol that differ in the number of clauses, two at least, with a label."""
    swept = []
    for protocol in found:
        alike = grouped(protocol.variants, lambda variant: tuple(variant.card[key] for key in ("symbols", "view", "s")))
        for (symbols, _, s), variants in alike.items():
            if len({variant.card["clauses"] for variant in variants}) > 1:
                variants.sort(key=lambda variant: int(variant.card["clauses"]))
                swept.append((f"{symbols}, s {s:g}, {protocol.short_title}", variants))
    return swept


def _sweep(found: Sequence[Protocol]) -> Figure | None:
    points = [
        _point(label, int(variant.card["clauses"]), variant.score, score_text(variant.score), variant.repeat)
        for label, variants in _swept(found)
        for variant in variants
    ]
    if not points:
        return None
    points += [
        Point("the study", clauses, accuracy, True, f"{accuracy:.1%}", 20_000, "")
        for clauses, accuracy in STUDY_SWEEP.items()
    ]
    few = [point for point in points if point.series != "the study"]
    most = max(few, key=lambda point: point.value)
    title = f"{most.place:,} clauses name {100 * most.value:.2f} % of the winners ({most.series})"
    caption = "Accuracy on the test split by number of clauses, and the two numbers that the study's text gives."
    return shares("prediction-sweep", title, caption, points, "clauses", logarithmic=True)


def _curves(found: Sequence[Protocol]) -> Figure | None:
    swept = _swept(found)
    if not swept:
        return None
    label, variants = max(swept, key=lambda labelled: len(labelled[1]))
    points = [
        Point(f"{variant.card['clauses']:,} clauses", epoch, accuracy, True, f"{accuracy:.2%}", 1, variant.repeat)
        for variant in variants
        for epoch, accuracy in enumerate(variant.models[0][1].validation_accuracies, start=1)
    ]
    title = f"Training curves: {label}"
    caption = "Accuracy on the validation split after each epoch; the best epoch of each is the one that is tested."
    return shares("prediction-curves", title, caption, points, "epoch")


QUESTION = PageQuestion(
    name="prediction",
    title="Prediction",
    text="Can a Tsetlin machine name the winner, and what is that worth?",
    order=65,
    find=lambda results: results.predictions,
    answer=_answer,
    how="hexlogic predict sweep DIR --name NAME --out RECORDS",
)
