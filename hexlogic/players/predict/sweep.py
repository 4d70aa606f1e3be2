"""Train many models on one set and keep what came of each in one file: a sweep goes on where it was stopped."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import asdict
from importlib import metadata
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
from numpy.typing import NDArray

from hexlogic.errors import HexlogicError
from hexlogic.players.evaluation.clause_model import write_model
from hexlogic.players.predict.dataset import Dataset
from hexlogic.players.predict.evaluate import Evaluation, baseline_answers, evaluate
from hexlogic.players.predict.prediction_file import (
    SCHEMA,
    Peer,
    StoredModel,
    StoredPredictions,
    read_predictions,
)
from hexlogic.players.predict.symbols import SymbolSet
from hexlogic.players.predict.train import Settings, Trained, train
from hexlogic.process.files import write_stored

_LEARNERS = ("logistic regression", "gradient boosting")
"""Baselines that learn from the symbols of a model."""

Epoch = Callable[[Settings, int, int, float, float], None]


def cost(settings: Settings, symbols: int) -> float:
    """What training is expected to take, in units of its own: clauses, epochs and symbols all count."""
    return settings.clauses * settings.epochs * symbols


def sweep(
    data: Dataset,
    points: Sequence[Settings],
    path: Path,
    name: str,
    *,
    peers: bool = True,
    peer_positions: int = 10_000,
    solver_positions: int = 200,
    models: Path | None = None,
    note: Callable[[str], None] = lambda what: None,
    epoch: Epoch = lambda *_: None,
    done: Callable[[float, float], None] = lambda done, whole: None,
) -> StoredPredictions:
    """Train and score a model for each of `points`, cheap ones first, and write `path` after each; those that it has
    already are not trained again.

    `models` is a folder for the models themselves. `note` hears what is computed, `epoch` the accuracies after an
    epoch, and `done` how much of the expected work is done. Raises HexlogicError for a file about another set.
    """
    stored = _begun(path, name, data)
    known = [_settings_of(model.card) for model in stored.models]
    sizes = {point.symbols: len(SymbolSet(point.symbols, data.board).names) for point in points}
    left = sorted(
        (point for point in dict.fromkeys(points) if asdict(point) not in known),
        key=lambda point: cost(point, sizes[point.symbols]),
    )
    whole, spent = sum(cost(point, sizes[point.symbols]) for point in left), 0.0
    answers: dict[tuple[str, str], dict[str, NDArray[np.uint8]]] = {}
    for point in left:
        key = point.symbols, point.view
        if key not in answers:
            symbols = SymbolSet(point.symbols, data.board)
            answers[key] = baseline_answers(
                symbols, point.view, data, peers=peers, peer_positions=peer_positions, report=note
            )
        trained = train(data, point, lambda *log, point=point: epoch(point, *log))
        if models is not None:
            number = len(stored.models) + 1
            write_model(trained.model, models / f"{name}-{number}.model")
        asked = solver_positions if stored.solver is None else 0
        near = stored.near_duplicates if stored.models else None
        scored = evaluate(trained.model, data, solver_positions=asked, answers=answers[key], near=near)
        stored = _with(stored, trained, scored, data, key)
        write_stored(path, stored)
        spent += cost(point, sizes[point.symbols])
        done(spent, whole)
    return stored


def _begun(path: Path, name: str, data: Dataset) -> StoredPredictions:
    """What the file has, or an empty sweep."""
    if path.exists():
        stored = read_predictions(path)
        if stored.data != _plain(data.card) or stored.name != name:
            raise HexlogicError("this is a sweep of another set", file=str(path), hint="another --out or --name")
        return stored
    test = data.split("test")
    numbers, counts = np.unique(test.boards.shape[1] - test.stones, return_counts=True)
    return StoredPredictions(
        schema=SCHEMA,
        hexlogic=metadata.version("hexlogic"),
        name=name,
        data=_plain(data.card),
        by_empties={int(number): int(count) for number, count in zip(numbers, counts, strict=True)},
        near_duplicates=0.0,
        solver=None,
        peers=(),
        models=(),
    )


def _plain(card: dict[str, Any]) -> dict[str, Any]:
    """The card as JSON has it."""
    plain: dict[str, Any] = msgspec.json.decode(msgspec.json.encode(card))
    return plain


def _settings_of(card: dict[str, Any]) -> dict[str, object]:
    return {name: card.get(name) for name in Settings.__dataclass_fields__}


def _with(
    stored: StoredPredictions, trained: Trained, scored: Evaluation, data: Dataset, key: tuple[str, str]
) -> StoredPredictions:
    """The sweep with one more model, and with the baselines that are new."""
    model = trained.model

    def by_empties(name: str) -> dict[int, int]:
        return {number: scores[name].right for number, scores in sorted(scored.by_empties.items())}

    peers = [
        Peer(
            name=name,
            symbols=key[0] if name in _LEARNERS else "",
            view=key[1] if name in _LEARNERS else "",
            right=score.right,
            by_empties=by_empties(name),
        )
        for name, score in scored.baselines.items()
    ]
    have = {(peer.name, peer.symbols, peer.view) for peer in stored.peers}
    added = StoredModel(
        card=_plain(model.card),
        clauses=len(model),
        literals=len(model.literals),
        seconds=round(trained.seconds, 2),
        cpu_s=round(trained.cpu_s, 2),
        peak_bytes=trained.peak_bytes,
        train_accuracies=tuple(round(one, 5) for one in trained.train_accuracies),
        validation_accuracies=tuple(round(one, 5) for one in trained.validation_accuracies),
        right=scored.model.right,
        by_empties=by_empties("model"),
        apart=scored.apart,
    )
    return msgspec.structs.replace(
        stored,
        near_duplicates=round(scored.near, 5),
        solver=stored.solver or scored.solver,
        peers=(*stored.peers, *(peer for peer in peers if (peer.name, peer.symbols, peer.view) not in have)),
        models=(*stored.models, added),
    )
