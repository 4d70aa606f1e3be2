"""Train Tsetlin machines (green-tsetlin) on the symbols of a set; the epoch is chosen on the validation split.

A sweep trains many on one set and keeps what came of each in one file: it goes on where it was stopped.
"""

from __future__ import annotations

import functools
import resource
import time
from collections.abc import Callable, Sequence
from importlib.metadata import version
from pathlib import Path
from typing import Final, NamedTuple

import msgspec
import numpy as np

from hexlogic.errors import HexlogicError
from hexlogic.players.evaluation.clause_model import ClauseModel, write_model
from hexlogic.players.evaluation.prediction_file import (
    SCHEMA,
    ModelCard,
    Peer,
    Settings,
    StoredModel,
    StoredPredictions,
    Training,
    View,
    read_predictions,
)
from hexlogic.players.evaluation.symbols import Signs, SymbolSet
from hexlogic.players.predict.dataset import Dataset, machine_inputs
from hexlogic.players.predict.evaluate import PEERS, Evaluation, baseline_answers, evaluate
from hexlogic.process.extras import need
from hexlogic.process.files import write_stored

_SAMPLE: Final = 5000
_KEPT: Final = ("seed", "games", "label", "kind", "first", "before", "balanced", "source")
"""The fields of the card of a set that the card of a model repeats."""


class Trained(NamedTuple):
    """A model, and how its training went."""

    model: ClauseModel
    training: Training


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
        log.append((float(train_accuracy), float(validation_accuracy)))
        left, so_far = (time.monotonic() - begin) / (epoch + 1) * (settings.epochs - epoch - 1), log[-1]
        accuracies = f"train {so_far[0]:.2%}, validation {so_far[1]:.2%}"
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
        **msgspec.structs.asdict(settings),
        machine=f"green-tsetlin {version('green-tsetlin')}",
        epoch=best + 1,
        train_accuracy=round(log[best][0], 5),
        validation_accuracy=round(log[best][1], 5),
        positions={"train": len(learning), "validation": len(validation)},
        data={name: data.card.get(name) for name in _KEPT},
    )
    # Of a trained machine the clauses that have literals and votes; the second half of its literals are negations.
    state = machine._state
    included, weights = state.c >= 0, state.w[:, 1].astype(np.int32) - state.w[:, 0].astype(np.int32)
    kept = np.flatnonzero(included.any(axis=1) & (weights != 0))
    literals = [np.sort(2 * (places % count) + places // count) for places in map(np.flatnonzero, included[kept])]
    start = np.cumsum([0, *map(len, literals)]).astype(np.int32)
    sample = {name: getattr(validation, name)[:_SAMPLE] for name in ("boards", "to_move", "winners")}
    model = ClauseModel(
        data.board,
        symbols.names,
        start,
        np.concatenate([np.zeros(0, np.int32), *literals]).astype(np.int32),
        weights[kept],
        card,
        sample,
    )
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024
    train_accuracies, validation_accuracies = (
        tuple(round(value, 5) for value in curve) for curve in zip(*log, strict=True)
    )
    training = Training(
        card=card,
        clauses=len(model),
        literals=len(model.literals),
        seconds=round(seconds, 2),
        cpu_s=round(cpu_s, 2),
        peak_bytes=peak,
        train_accuracies=train_accuracies,
        validation_accuracies=validation_accuracies,
    )
    return Trained(model, training)


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
    report: Callable[[str], None] = lambda line: None,
) -> StoredPredictions:
    """Train and score a model for each of `points`, cheap ones first, and write `path` after each; those that it has
    already are not trained again.

    `models` is a folder for the models themselves. `note` hears what is computed, `report` lines about each model and
    epoch, with the time that is left. Raises HexlogicError for a file about another set.
    """
    stored = _begun(path, name, data)

    @functools.cache
    def answers(symbols: str, view: View) -> dict[str, Signs]:
        symbol_set = SymbolSet(symbols, data.board)
        return baseline_answers(symbol_set, view, data, peers=peers, peer_positions=peer_positions, report=note)

    known = [msgspec.convert(model.card, Settings, from_attributes=True) for model in stored.models]
    # The expected work: clauses, epochs and symbols all count.
    work = {
        point: point.clauses * point.epochs * len(SymbolSet(point.symbols, data.board).names)
        for point in points
        if point not in known
    }
    begin, work_done = time.monotonic(), 0
    for point in sorted(work, key=lambda point: work[point]):
        baselines = answers(point.symbols, point.view)
        report(f"{point.clauses} clauses, s {point.s:g}, seed {point.seed}")
        trained = train(data, point, report)
        if models is not None:
            write_model(trained.model, models / f"{name}-{len(stored.models) + 1}.model")
        asked = solver_positions if stored.solver is None else 0
        near = stored.near_duplicates if stored.models else None
        scored = evaluate(trained.model, data, solver_positions=asked, answers=baselines, near=near)
        stored = _with(stored, trained, scored, point)
        write_stored(path, stored)
        work_done += work[point]
        share, spent = work_done / sum(work.values()), time.monotonic() - begin
        left = spent / share - spent
        report(f"{share:.0%} of the work after {spent:.0f} s, about {left:.0f} s left")
    return stored


def _begun(path: Path, name: str, data: Dataset) -> StoredPredictions:
    """The sweep in the file, or an empty one."""
    if path.exists():
        stored = read_predictions(path)
        if stored.data != data.card or stored.name != name:
            raise HexlogicError("this is a sweep of another set", file=str(path), hint="another --out or --name")
        return stored
    numbers, counts = np.unique(data.split("test").empties, return_counts=True)
    return StoredPredictions(
        schema=SCHEMA,
        hexlogic=version("hexlogic"),
        name=name,
        data=data.card,
        by_empties={int(number): int(count) for number, count in zip(numbers, counts, strict=True)},
        near_duplicates=0.0,
        solver=None,
        peers=(),
        models=(),
    )


def _with(stored: StoredPredictions, trained: Trained, scored: Evaluation, settings: Settings) -> StoredPredictions:
    """The sweep with one more model, and with the baselines that are new."""
    peers = [
        Peer(
            name=name,
            symbols=settings.symbols if name in PEERS else "",
            view=settings.view if name in PEERS else "",
            right=scored.score(name).right,
            by_empties=scored.right[name],
        )
        for name in scored.apart
    ]
    have = {(peer.name, peer.symbols, peer.view) for peer in stored.peers}
    model = StoredModel(
        **msgspec.structs.asdict(trained.training),
        right=scored.score().right,
        by_empties=scored.right["model"],
        apart=scored.apart,
    )
    return msgspec.structs.replace(
        stored,
        near_duplicates=round(scored.near, 5),
        solver=stored.solver or scored.solver,
        peers=(*stored.peers, *(peer for peer in peers if (peer.name, peer.symbols, peer.view) not in have)),
        models=(*stored.models, model),
    )
