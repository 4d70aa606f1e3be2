"""Train Tsetlin machines (green-tsetlin) on the symbols of a set; the epoch is chosen on the validation split.

A sweep trains many on one set and keeps what came of each in one file: it goes on where it was stopped.
"""

from __future__ import annotations

import resource
import time
from collections.abc import Callable, Sequence
from importlib.metadata import version
from pathlib import Path
from typing import Final, NamedTuple

import msgspec
import numpy as np
from msgspec import structs

from hexlogic.errors import HexlogicError
from hexlogic.players.evaluation.clause_model import ClauseModel, write_model
from hexlogic.players.evaluation.prediction_file import (
    SCHEMA,
    ModelCard,
    Settings,
    StoredModel,
    StoredPredictions,
    read_predictions,
)
from hexlogic.players.evaluation.symbols import SymbolSet
from hexlogic.players.predict.dataset import Dataset, machine_inputs
from hexlogic.players.predict.evaluate import Scorer
from hexlogic.process.extras import need
from hexlogic.process.files import write_stored

_SAMPLE: Final = 5000
_KEPT: Final = ("seed", "games", "label", "kind", "first", "before", "balanced", "source")
"""The fields of the card of a set that the card of a model repeats."""


class Trained(NamedTuple):
    """A model, and its record, not scored yet."""

    model: ClauseModel
    record: StoredModel


def train(data: Dataset, settings: Settings, report: Callable[[str], None] = lambda line: None) -> Trained:
    """Train on the `train` split and keep the epoch that is best on the `validation` split.

    `report` hears a line after each epoch. One thread: the same seed gives the same model.
    Raises HexlogicError for an empty split and for a missing package.
    """
    need("predict")
    import green_tsetlin

    symbols = SymbolSet(settings.symbols, data.board)
    learning, validation = data.split("train"), data.split("validation")
    inputs, classes = machine_inputs(learning, symbols, settings.view)
    checked, checked_classes = machine_inputs(validation, symbols, settings.view)
    count = len(symbols.names)
    machine = green_tsetlin.TsetlinMachine(
        n_literals=count,
        n_clauses=settings.clauses,
        n_classes=2,
        s=float(settings.s),
        threshold=settings.threshold or settings.clauses,
        literal_budget=settings.literals,
    )
    log: list[tuple[float, float]] = []

    def note(epoch: int, train_accuracy: float, validation_accuracy: float) -> None:
        log.append((round(float(train_accuracy), 5), round(float(validation_accuracy), 5)))
        left = (time.monotonic() - begin) / (epoch + 1) * (settings.epochs - epoch - 1)
        accuracies = f"train {train_accuracy:.2%}, validation {validation_accuracy:.2%}"
        report(f"epoch {epoch + 1} of {settings.epochs}: {accuracies}, about {left:.0f} s left")

    trainer = green_tsetlin.Trainer(
        machine,
        seed=settings.seed,
        n_jobs=1,
        n_epochs=settings.epochs,
        fn_epoch_callback=note,
        progress_bar=False,
        copy_training_data=False,
        load_best_state=True,
    )
    begin, begin_cpu = time.monotonic(), time.process_time()
    trainer.set_train_data(inputs, classes)
    trainer.set_eval_data(checked, checked_classes)
    trainer.train()
    seconds, cpu_s = time.monotonic() - begin, time.process_time() - begin_cpu
    best = int(trainer.results["best_eval_epoch"])
    card = ModelCard(
        **structs.asdict(settings),
        machine=f"green-tsetlin {version('green-tsetlin')}",
        epoch=best + 1,
        train_accuracy=log[best][0],
        validation_accuracy=log[best][1],
        positions={"train": len(learning), "validation": len(validation)},
        data={name: getattr(data.card, name) for name in _KEPT},
    )
    # Of a trained machine the clauses that have literals and votes; the second half of its literals are negations.
    state = machine._state
    included, weights = state.c >= 0, state.w[:, 1].astype(np.int32) - state.w[:, 0].astype(np.int32)
    kept = np.flatnonzero(included.any(axis=1) & (weights != 0))
    literals = [np.sort(2 * (places % count) + places // count) for places in map(np.flatnonzero, included[kept])]
    start = np.cumsum([0, *map(len, literals)]).astype(np.int32)
    sample = {name: getattr(validation, name)[:_SAMPLE] for name in ("boards", "to_move", "winners")}
    joined = np.concatenate([np.zeros(0, np.int32), *literals]).astype(np.int32)
    model = ClauseModel(data.board, symbols.names, start, joined, weights[kept], card, sample)
    train_accuracies, validation_accuracies = zip(*log, strict=True)
    record = StoredModel(
        card=card,
        clauses=len(model),
        literals=len(model.literals),
        seconds=round(seconds, 2),
        cpu_s=round(cpu_s, 2),
        peak_bytes=resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024,
        train_accuracies=train_accuracies,
        validation_accuracies=validation_accuracies,
    )
    return Trained(model, record)


def sweep(
    scorer: Scorer,
    points: Sequence[Settings],
    path: Path,
    name: str,
    models: Path | None = None,
    report: Callable[[str], None] = lambda line: None,
) -> StoredPredictions:
    """Train and score a model for each of `points`, cheap ones first, and write `path` after each; those that it has
    already are not trained again.

    `models` is a folder for the models themselves. `report` hears lines about each model and epoch, with the time that
    is left. Raises HexlogicError for a file about another set.
    """
    data = scorer.data
    stored = StoredPredictions(
        schema=SCHEMA,
        hexlogic=version("hexlogic"),
        name=name,
        data=data.card,
        by_empties=scorer.by_empties,
        near_duplicates=0.0,
        solver=None,
        peers=(),
        models=(),
    )
    if path.exists():
        stored = read_predictions(path)
        if (stored.data, stored.name) != (data.card, name):
            raise HexlogicError("this is a sweep of another set", file=str(path), hint="another --out or --name")
    known = [msgspec.convert(model.card, Settings, from_attributes=True) for model in stored.models]
    # The expected work: clauses, epochs and symbols all count.
    work = {
        point: point.clauses * point.epochs * len(SymbolSet(point.symbols, data.board).names)
        for point in points
        if point not in known
    }
    begin, work_done = time.monotonic(), 0
    for point in sorted(work, key=lambda point: work[point]):
        scorer.baseline_answers(point.symbols, point.view)
        report(f"{point.clauses} clauses, s {point.s:g}, seed {point.seed}")
        trained = train(data, point, report)
        if models is not None:
            write_model(trained.model, models / f"{name}-{len(stored.models) + 1}.model")
        scored = scorer.score(trained.model)
        model = structs.replace(
            trained.record, right=scored.model.right, by_empties=scored.model.by_empties, apart=scored.apart
        )
        stored = structs.replace(
            stored,
            near_duplicates=scored.near_duplicates,
            solver=scored.solver,
            peers=(*stored.peers, *(peer for peer in scored.peers if peer not in stored.peers)),
            models=(*stored.models, model),
        )
        write_stored(path, stored)
        work_done += work[point]
        share, spent = work_done / sum(work.values()), time.monotonic() - begin
        left = spent / share - spent
        report(f"{share:.0%} of the work after {spent:.0f} s, about {left:.0f} s left")
    return stored
