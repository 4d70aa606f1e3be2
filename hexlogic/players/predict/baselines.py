"""What a model is compared with: rules that understand nothing, a heuristic, and other learners.

Each baseline learns from the train split, where it learns, and names the winner of the test positions.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from hexlogic.players.predict.dataset import Dataset, equal_cells, majority_winner, parity_rule
from hexlogic.players.predict.symbols import SymbolSet, circuit_values
from hexlogic.players.predict.train import machine_inputs
from hexlogic.players.predict.views import View, exchanged, seen
from hexlogic.players.solver import MOST_CELLS
from hexlogic.process.extras import need

Winners = NDArray[np.uint8]

_REACH: Final = 20
_STRENGTHS: Final = (0.01, 0.03, 0.1, 0.3, 1.0)
"""The inverse strengths of regularisation that are tried for logistic regression, `C` of scikit-learn."""


@dataclass(frozen=True, eq=False)
class LearningTask:
    """The positions to learn from, those to choose options by, and those to name the winner of. `symbols` and `view`
    are those of the model; peers learn from at most `most` positions."""

    learning: Dataset
    validation: Dataset
    test: Dataset
    symbols: SymbolSet
    view: View
    most: int


def _majority(task: LearningTask) -> Winners:
    return np.full(len(task.test), majority_winner(task.learning.winners), np.uint8)


def _parity(task: LearningTask) -> Winners:
    rule = np.array(parity_rule(task.learning.stones, task.learning.winners), np.uint8)
    return rule[task.test.stones % 2]


def _nearest(task: LearningTask) -> Winners:
    """The winner of the position in the train split with the fewest different cells, the first of several."""
    nearest = [np.argmax(same, axis=1) for same in equal_cells(task.test, task.learning)]
    winners: Winners = task.learning.winners[np.concatenate(nearest)]
    return winners


def _resistance(task: LearningTask) -> Winners:
    values = circuit_values(task.test.board, task.test.boards)
    # Of equal circuits the player to move has the better one.
    return np.where(values == 0, task.test.to_move, np.where(values > 0, 1, 2)).astype(np.uint8)


def _fit(learners: Sequence[Any], task: LearningTask, symbols: SymbolSet, view: View, sparse: bool) -> Winners:
    """What the best of some learners of two classes answers, shown the positions as the model is.

    The best one names the most winners of the validation split, as the epoch of the model is chosen; of a boosted
    learner each number of trees is one. Of equal ones the first counts.
    """
    from scipy.sparse import csr_array
    from threadpoolctl import threadpool_limits

    test = task.test
    inputs, classes = machine_inputs(_few(task), symbols, view)
    checked, wanted = machine_inputs(task.validation, symbols, view)
    shown, mover, turned = seen(view, test.board, test.boards, test.to_move)
    asked = symbols.truths(shown, mover)
    red: NDArray[np.bool_]
    if len(np.unique(classes)) < 2:
        red = np.full(len(test), classes[0] == 1)
    else:
        parts = [csr_array(part.astype(np.float32)) if sparse else part for part in (inputs, checked, asked)]
        found: list[tuple[int, NDArray[np.bool_]]] = []
        with threadpool_limits(1):
            for learner in learners:
                learner.fit(parts[0], classes)
                answers = getattr(learner, "staged_predict", lambda part, one=learner: [one.predict(part)])
                pairs = zip(answers(parts[1]), answers(parts[2]), strict=True)
                found += [(int(np.sum(valid == wanted)), answer == 1) for valid, answer in pairs]
        red = max(found, key=lambda one: one[0])[1]
    winners = np.where(red, 1, 2).astype(np.uint8)
    return np.where(turned, exchanged(winners), winners).astype(np.uint8)


def _sklearn(module: str, name: str, **options: Any) -> Any:
    from importlib import import_module

    need("predict")
    return getattr(import_module(f"sklearn.{module}"), name)(**options)


def _few(task: LearningTask) -> Dataset:
    return task.learning.take(np.arange(min(task.most, len(task.learning))))


def _regressions() -> list[Any]:
    return [_sklearn("linear_model", "LogisticRegression", max_iter=300, C=strength) for strength in _STRENGTHS]


def _occupancy_only(task: LearningTask) -> Winners:
    return _fit(_regressions(), task, SymbolSet("occupancy", task.test.board), "plain", True)


def _logistic(task: LearningTask) -> Winners:
    return _fit(_regressions(), task, task.symbols, task.view, True)


def _boosting(task: LearningTask) -> Winners:
    learner = _sklearn("ensemble", "HistGradientBoostingClassifier", random_state=1, early_stopping=False)
    return _fit([learner], task, task.symbols, task.view, False)


def solver_reaches(data: Dataset) -> NDArray[np.bool_]:
    """Which positions the solver can be asked about: 20 empty cells or fewer, and any on boards up to 5x5."""
    cells = data.boards.shape[1]
    if cells > MOST_CELLS:
        return np.zeros(len(data), np.bool_)
    reached: NDArray[np.bool_] = (cells - data.stones <= _REACH) | np.bool_(cells <= 25)
    return reached


BASELINES: Final[dict[str, Callable[[LearningTask], Winners]]] = {
    "majority": _majority,
    "parity": _parity,
    "nearest neighbour": _nearest,
    "occupancy only": _occupancy_only,
    "resistance": _resistance,
}
"""Baselines of every evaluation, by name. `occupancy only` is logistic regression on the stones."""

PEERS: Final[dict[str, Callable[[LearningTask], Winners]]] = {
    "logistic regression": _logistic,
    "gradient boosting": _boosting,
}
"""Other learners on the model's own symbols, with the strength of regularisation or the number of trees that names most
winners of the validation split."""
