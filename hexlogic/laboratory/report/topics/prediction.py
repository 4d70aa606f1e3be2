"""Predicting the winner with a Tsetlin machine: the study's numbers, ours, what either is worth, and clauses drawn."""

import re
from collections.abc import Iterable, Sequence
from typing import Final

from hexlogic.games import Hex, Position, check_player, draw_svg
from hexlogic.games.drawing import Mark
from hexlogic.laboratory.records.types import grouped
from hexlogic.laboratory.report.charts import Point, shares
from hexlogic.laboratory.report.document import Block, Bullets, Drawing, Figure, Heading, Text
from hexlogic.laboratory.report.entries import slug
from hexlogic.laboratory.report.formatting import listed
from hexlogic.laboratory.report.predictions import (
    Protocol,
    margin_entry,
    margins_table,
    models_table,
    play_tables,
    protocols,
    score_text,
    study_table,
    worth_table,
)
from hexlogic.laboratory.report.published import STUDY_SWEEP
from hexlogic.laboratory.report.results import PageAnswer, PageQuestion, Predictions, Results
from hexlogic.players.evaluation.prediction_file import StoredClause, StoredExplanation, StoredRules

_PLACED: Final = re.compile(r"(?:connected|owns|bridge)\((red|blue),(\d+)(?:,(\d+))?\)")
_SHOWN = 5
_LONG = 8  # Literals that are listed one by one

_VERDICTS = {"sound": "It implies the win on", "refuted": "It does not imply the win on", "open": "Not decided on"}


def marks_of(literals: Iterable[tuple[str, bool]]) -> list[Mark]:
    """The marks of literals, atoms by cell numbers and whether they are to hold, as the study draws them: what is
    required as lines, what is forbidden crossed; symbols that lie on no cell have none.

    >>> marks_of([("connected(red,1,9)", False), ("to_move(red)", True)])
    [Mark(player='red', cells=(1, 9), forbidden=True)]
    """
    marks = []
    for atom, holds in literals:
        if match := _PLACED.fullmatch(atom):
            cells = tuple(int(cell) for cell in match.groups()[1:] if cell is not None)
            marks.append(Mark(check_player(match.group(1)), cells, forbidden=not holds))
    return marks


def explained_blocks(explanation: StoredExplanation) -> list[Block]:
    """Some clauses drawn, each with what is proved of it, and what is known of all clauses together."""
    card = explanation.card
    many = f"{explanation.clauses} clauses ({card.symbols}, validation {card.validation_accuracy:.1%})"
    blocks: list[Block] = [Heading(f"Clauses of a {explanation.size}x{explanation.size} model, {many}")]
    for clause in explanation.explained[:_SHOWN]:
        blocks += _clause_blocks(explanation, clause)
    if explanation.rules is not None:
        blocks.append(Bullets(tuple(rules_sentences(explanation.rules))))
    return blocks


def _clause_blocks(explanation: StoredExplanation, clause: StoredClause) -> list[Block]:
    title = f"Clause {clause.clause}, {abs(clause.weight)} votes for {clause.player}: what is left of it"
    picture = draw_svg(Position(Hex.square(explanation.size)), title=title, marks=marks_of(clause.atoms))
    name = f"clause-{slug(explanation.name)}-{clause.clause}"
    return [Drawing(name, title, picture), Bullets(tuple(clause_sentences(clause)))]


def clause_sentences(clause: StoredClause, *, literals: bool = True) -> list[str]:
    """Sentences on what is proved of a clause; without `literals` its literals are not listed."""
    won = "" if clause.precision is None else f", {clause.precision:.1%} of these are won by {clause.player}"
    sentences = [f"It holds on {clause.coverage:.1%} of the sample{won}."]
    needed, redundant = len(clause.kept), len(clause.redundant)
    if literals:
        kept = ", ".join(f"`{literal}`" for literal in clause.kept[:_LONG]) or "none"
        kept += f" and {needed - _LONG} more" if needed > _LONG else ""
        many = f"{redundant} of its {needed + redundant} literals follow from the others; needed"
        alone = "Its one literal" if needed == 1 else f"Of its {needed} literals none follows from the others"
        sentences.append(f"{many if redundant else alone}: {kept}.")
    if clause.open_literals:
        sentences.append(f"Of {clause.open_literals} literals, which are kept, that is not decided.")
    sentences += [f"{_VERDICTS[statement.verdict]} {statement.about}." for statement in clause.soundness]
    if clause.puzzle is None:
        none = "No position fulfils it." if clause.possible is False else "No position was found that fulfils it."
        sentences.append(none)
    else:
        count = f"{clause.colourings}" if clause.all_counted else f"More than {clause.colourings}"
        sentences.append(f"{count} positions fulfil it.")
    if meaning := _meaning(clause):
        sentences.append(meaning)
    return sentences


def _meaning(clause: StoredClause) -> str:
    """A sentence on the kind of evidence that the literals give; empty where there is none to name."""
    other = "blue" if clause.player == "red" else "red"
    required = [atom for atom, holds in clause.atoms if holds]
    forbidden = [atom for atom, holds in clause.atoms if not holds]
    against = [atom for atom in forbidden if re.match(rf"\w+\({other}\b", atom)]
    if not required and forbidden and len(against) == len(forbidden):
        return f"It only says what {other} has not joined: evidence for {clause.player}, and no reason."
    atoms = [atom for atom in required if re.match(rf"connected\({clause.player}\b", atom)]
    if atoms and len(atoms) == len(required):
        return f"It is about chains that {clause.player} has."
    return ""


def rules_sentences(rules: StoredRules) -> list[str]:
    """Sentences on all clauses of a model together."""
    return [
        f"{len(rules.clauses)} of the clauses decide the sample of {rules.sample} positions like all of them (at least "
        f"{rules.at_least} are needed); without redundant literals {rules.literals_before} literals become "
        f"{rules.literals_after}.",
        f"As an answer set program they decide {rules.same_decisions} of {rules.compared} positions like the machine.",
        f"{rules.sound_clauses} clauses are proved to say that their player has won, wherever the stones lie; "
        f"{rules.rule_set_clauses} of them hold wherever one of them does: on {rules.covered} positions.",
    ]


_LEAST = 20  # Positions with a number of empty cells that make a point of a line
_LEARNERS = ("parity", "occupancy only", "resistance", "logistic regression", "gradient boosting")


def _answer(results: Results, predictions: Predictions) -> PageAnswer:
    measured = protocols(predictions.sets)
    exact = [protocol for protocol in measured if protocol.card.exact]
    ended = [protocol for protocol in measured if protocol.card.size == 7 and not protocol.before]
    title = "The leaks: the study's protocol and the fair one side by side [95 %]"
    leaks = worth_table("prediction-leaks", title, ended)
    title = "Some moves before the end: parity says who will win, unless the set is balanced [95 %]"
    earlier = [
        worth_table(name, title, [p for p in measured if p.before and bool(p.card.players) == of_players])
        for of_players, name in ((True, "prediction-before-players"), (False, "prediction-before-random"))
    ]
    first, *others = [*map(_by_empties, exact or measured), None]
    blocks: list[Block | None] = [first]
    for explanation in predictions.explained[:1]:
        shortest = sorted(explanation.explained, key=lambda clause: (not clause.atoms, len(clause.atoms)))
        blocks += [block for clause in shortest[:1] for block in _clause_blocks(explanation, clause)]
    more: list[Block | None] = [study_table(measured), leaks and Text(_LEAK), leaks, *map(margins_table, exact)]
    more += [*earlier, *others, _sweep(measured), models_table(measured)]
    more += [block for explained in predictions.explained for block in explained_blocks(explained)]
    if predictions.played:
        more += [Heading("Judged by play"), *play_tables(predictions.played)]
    return PageAnswer(_finding(measured), blocks, more) if measured else PageAnswer(_finding(measured), more)


_LEAK = (
    "A game that stops at the win ends with a stone of the winner, so that the parity of the stones names the winner. "
    "A balanced set has as many wins of both for every number of stones; labels by perfect play ignore later blunders."
)


def _finding(measured: Sequence[Protocol]) -> str:
    sentences = []
    # What perfect play decides, and finished games of the same size beside it.
    sizes = {protocol.card.size for protocol in measured if protocol.card.exact}
    measured = [protocol for protocol in measured if not sizes or protocol.card.size in sizes]
    for protocol in sorted(measured, key=lambda protocol: protocol.card.exact):
        best = protocol.best()
        scores = {name: pool.score for name, pool in protocol.baselines(best).items()}
        if best is not None and protocol.before == 0 and not protocol.card.balanced and "parity" in scores:
            best = protocol.best("study") or best
            sentences.append(
                f"{protocol.title}: {best.card.clauses:,} clauses name {score_text(best.score)} of the winners, "
                f"the parity of the stones {100 * scores['parity'].accuracy:.1f} %."
            )
        if best is not None and protocol.card.exact:
            name = max(scores, key=lambda name: scores[name].accuracy)
            margin = margin_entry(best, name)
            how = {"good": "better", "bad": "worse"}.get(margin.tone, "not told apart")
            points = margin.text.replace(" [", " points [")
            against = f"the best baseline, {name} ({100 * scores[name].accuracy:.1f} %)"
            sentences.append(
                f"{protocol.title}: {score_text(best.score)}, {points} against {against}: {how}; perfect play is 100 %."
            )
    return " ".join(sentences) or "Nothing was trained."


def _by_empties(protocol: Protocol) -> Figure | None:
    best = protocol.best()
    if best is None:
        return None
    baselines = protocol.baselines(best)
    lines = {"the model": best.by_empties()}
    lines |= {name: pool.by_empties() for name, pool in baselines.items() if name in _LEARNERS}
    points = [
        Point(name, empties, score.accuracy, True, f"{score_text(score)}, {count} positions", count, best.repeat)
        for name, scores in lines.items()
        for empties, score in scores.items()
        if (count := score.positions) >= _LEAST
    ]
    places = sorted({point.place for point in points})
    if len(places) < 2:
        return None
    if protocol.card.exact:
        points += [Point("perfect play", place, 1.0, True, "100 %", 1, best.repeat) for place in places]
    scores = {"the model": best.score} | {name: pool.score for name, pool in baselines.items()}
    compared = [name for name in ("the model", "resistance", "occupancy only") if name in scores]
    said = [f"{name} {100 * scores[name].accuracy:.1f} %" for name in compared]
    title = f"{protocol.title}: {listed([*said, *['perfect play 100 %'] * protocol.card.exact])} right"
    caption = f"The model is {best.card.symbols} with {best.card.clauses:,} clauses; {_LEAST} positions at least."
    place = "-".join(word.strip(",") for word in protocol.title.split())
    return shares(f"prediction-empties-{place}", title, caption, points, "empty cells")


def _sweep(measured: Sequence[Protocol]) -> Figure | None:
    points = []
    for protocol in measured:
        alike = grouped(protocol.variants, lambda variant: (variant.card.symbols, variant.card.view, variant.card.s))
        # A legend has room for some forty characters.
        title = protocol.title.replace(" moves before", " before").replace("games of players", "players")
        for (symbols, _, s), variants in alike.items():
            if len({variant.card.clauses for variant in variants}) > 1:
                for variant in sorted(variants, key=lambda variant: variant.card.clauses):
                    clauses, score, label = variant.card.clauses, variant.score, f"{symbols}, s {s:g}, {title}"
                    text, count = score_text(score), score.positions
                    points.append(Point(label, clauses, score.accuracy, True, text, count, variant.repeat))
    if not points:
        return None
    most = max(points, key=lambda point: point.value)
    points += [Point("the study", n, share, True, f"{share:.1%}", 20_000, "") for n, share in STUDY_SWEEP.items()]
    title = f"{most.place:,} clauses name {100 * most.value:.2f} % of the winners ({most.series})"
    caption = "Accuracy on the test split by number of clauses, and the two numbers that the study's text gives."
    return shares("prediction-sweep", title, caption, points, "clauses", log_axis=True)


QUESTION = PageQuestion(
    name="prediction",
    title="Prediction",
    text="Can a Tsetlin machine name the winner, and what is that worth?",
    order=65,
    find=lambda results: results.predictions,
    answer=_answer,
    how="hexlogic predict sweep DIR --name NAME --out RECORDS",
)
