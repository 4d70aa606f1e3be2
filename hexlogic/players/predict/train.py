"""Train a Tsetlin machine (green-tsetlin) on the symbols of a set; the epoch is chosen on the validation split."""

from __future__ import annotations

import resource
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from hexlogic.errors import HexlogicError
from hexlogic.players.evaluation.clause_model import ClauseModel
from hexlogic.players.predict.dataset import Dataset
from hexlogic.players.predict.symbols import SymbolSet
from hexlogic.players.predict.views import View, exchanged, mirrored, seen
from hexlogic.process.extras import need

_SAMPLE: Final = 5000
_KEPT: Final = ("seed", "games", "label", "kind", "first", "before", "balanced", "source")
"""What the card of a model repeats of the card of its set."""


@dataclass(frozen=True, slots=True)
class Settings:
    """What a machine is trained with. `s` is the specificity, `threshold` the votes that are enough (None for as many
    as there are clauses), `literals` the most literals of a clause (None for any number)."""

    clauses: int
    symbols: str = "study"
    view: View = "plain"
    s: float = 10.0
    threshold: int | None = None
    literals: int | None = None
    epochs: int = 20
    seed: int = 1

    def __post_init__(self) -> None:
        for value, least, option in (
            (self.clauses, 1, "--clauses"),
            (self.s, 1, "--s"),
            (self.threshold, 1, "--threshold"),
            (self.literals, 1, "--literals"),
            (self.epochs, 1, "--epochs"),
        ):
            if value is not None and not value >= least:
                raise HexlogicError(f"{value} is too small", file=option, hint=f"at least {least}")


@dataclass(frozen=True, eq=False)
class Trained:
    """A model with how its training went: accuracies by epoch, wall and CPU seconds, and the peak memory of the
    process."""

    model: ClauseModel
    train_accuracies: tuple[float, ...]
    validation_accuracies: tuple[float, ...]
    seconds: float
    cpu_s: float
    peak_bytes: int


def machine_inputs(data: Dataset, symbols: SymbolSet, view: View) -> tuple[NDArray[np.uint8], NDArray[np.uint32]]:
    """What the machine learns from: `[positions, symbols]` and the classes, 0 blue and 1 red. `twins` doubles them."""
    boards, to_move, winners = data.boards, data.to_move, data.winners
    if view == "twins":
        boards = np.concatenate([boards, mirrored(data.board, boards)])
        to_move = np.concatenate([to_move, exchanged(to_move)])
        winners = np.concatenate([winners, exchanged(winners)])
    shown, mover, turned = seen(view, data.board, boards, to_move)
    winners = np.where(turned, exchanged(winners), winners)
    return np.ascontiguousarray(symbols.truths(shown, mover)), (winners == 1).astype(np.uint32)


def train(
    data: Dataset, settings: Settings, report: Callable[[int, int, float, float], None] = lambda *_: None
) -> Trained:
    """Train on the `train` split and keep the epoch that is best on the `validation` split.

    `report` hears the epoch, how many there are, and both accuracies. One thread: the same seed gives the same model.
    Raises HexlogicError for an empty split and for a missing package.
    """
    need("predict")
    import green_tsetlin

    symbols = SymbolSet(settings.symbols, data.board)
    learning, validation = data.split("train"), data.split("validation")
    inputs, classes = machine_inputs(learning, symbols, settings.view)
    checked, checked_classes = machine_inputs(validation, symbols, settings.view)
    machine: Any = green_tsetlin.TsetlinMachine(
        n_literals=len(symbols.names),
        n_clauses=settings.clauses,
        n_classes=2,
        s=float(settings.s),
        threshold=settings.threshold or max(1, settings.clauses),
        literal_budget=settings.literals,
    )
    log: list[tuple[float, float]] = []

    def note(epoch: int, train_accuracy: float, validation_accuracy: float) -> None:
        log.append((float(train_accuracy), float(validation_accuracy)))
        report(epoch + 1, settings.epochs, *log[-1])

    trainer: Any = green_tsetlin.Trainer(
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
    part = validation.take(np.arange(min(_SAMPLE, len(validation))))
    card: dict[str, Any] = {
        **asdict(settings),
        "machine": f"green-tsetlin {_version()}",
        "epoch": best + 1,
        "train_accuracy": round(log[best][0], 5),
        "validation_accuracy": round(log[best][1], 5),
        "positions": {"train": len(learning), "validation": len(validation)},
        "data": {name: data.card.get(name) for name in _KEPT},
    }
    model = _model(machine, data, symbols, card, part)
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024
    return Trained(model, tuple(a for a, _ in log), tuple(b for _, b in log), seconds, cpu_s, peak)


def _version() -> str:
    from importlib.metadata import version

    return version("green-tsetlin")


def _model(machine: Any, data: Dataset, symbols: SymbolSet, card: dict[str, Any], sample: Dataset) -> ClauseModel:
    """The clauses of a trained machine that have literals and votes."""
    state = machine._state
    included = state.c >= 0
    count = len(symbols.names)
    weights = state.w[:, 1].astype(np.int32) - state.w[:, 0].astype(np.int32)
    start, literals, kept = [0], [], []
    for number in np.flatnonzero(included.any(axis=1) & (weights != 0)):
        places = np.flatnonzero(included[number])
        literals += sorted(int(2 * place if place < count else 2 * (place - count) + 1) for place in places)
        start.append(len(literals))
        kept.append(int(weights[number]))
    arrays = {"boards": sample.boards, "to_move": sample.to_move, "winners": sample.winners}
    return ClauseModel(
        data.board,
        symbols.names,
        np.array(start, np.int32),
        np.array(literals, np.int32),
        np.array(kept, np.int32),
        card,
        arrays,
    )
