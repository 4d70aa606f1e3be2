"""What a model is compared with: rules that understand nothing, a heuristic, and other learners.

Each baseline learns from the train split, where it learns, and names the winner of the test positions.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from hexlogic.extras import need
from hexlogic.players.solver import MOST_CELLS
from hexlogic.predict.dataset import Dataset, equal_cells
from hexlogic.predict.leaks import majority_winner, parity_rule
from hexlogic.predict.symbol_set import SymbolSet
from hexlogic.predict.symbols.circuit import circuit_values
from hexlogic.predict.train import machine_inputs
from hexlogic.predict.views import View, exchanged, seen

Winners = NDArray[np.uint8]

__all__ = ["BASELINES", "PEERS", "Question", "solver_reaches"]

_REACH: Final = 20
_STRENGTHS: Final = (0.01, 0.03, 0.1, 0.3, 1.0)
"""The inverse strengths of regularisation that are tried for logistic regression, `C` of scikit-learn."""


@dataclass(frozen=True, eq=False)
class Question:
    """The positions to learn from, those to choose options by, and those to name the winner of. `symbols` and `view`
    are those of the model; peers learn from at most `most` positions."""

    learning: Dataset
    validation: Dataset
    test: Dataset
    symbols: SymbolSet
    view: View
    most: int


def _majority(question: Question) -> Winners:
    return np.full(len(question.test), majority_winner(question.learning.winners), np.uint8)


def _parity(question: Question) -> Winners:
    rule = np.array(parity_rule(question.learning.stones, question.learning.winners), np.uint8)
    return rule[question.test.stones % 2]


def _nearest(question: Question) -> Winners:
    """The winner of the position in the train split with the fewest different cells, the first of several."""
    nearest = [np.argmax(same, axis=1) for same in equal_cells(question.test, question.learning)]
    winners: Winners = question.learning.winners[np.concatenate(nearest)]
    return winners


def _resistance(question: Question) -> Winners:
    values = circuit_values(question.test.board, question.test.boards)
    # Of equal circuits the player to move has the better one.
    return np.where(values == 0, question.test.to_move, np.where(values > 0, 1, 2)).astype(np.uint8)


def _fit(learners: Sequence[Any], question: Question, symbols: SymbolSet, view: View, sparse: bool) -> Winners:
    """What the best of some learners of two classes answers, shown the positions as the model is.

    The best one names the most winners of the validation split, as the epoch of the model is chosen; of a boosted
    learner each number of trees is one. Of equal ones the first counts.
    """
    from scipy.sparse import csr_array
    from threadpoolctl import threadpool_limits

    test = question.test
    inputs, classes = machine_inputs(_few(question), symbols, view)
    checked, wanted = machine_inputs(question.validation, symbols, view)
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


def _few(question: Question) -> Dataset:
    return question.learning.take(np.arange(min(question.most, len(question.learning))))


def _regressions() -> list[Any]:
    return [_sklearn("linear_model", "LogisticRegression", max_iter=300, C=strength) for strength in _STRENGTHS]


def _occupancy_only(question: Question) -> Winners:
    return _fit(_regressions(), question, SymbolSet("occupancy", question.test.board), "plain", True)


def _logistic(question: Question) -> Winners:
    return _fit(_regressions(), question, question.symbols, question.view, True)


def _boosting(question: Question) -> Winners:
    learner = _sklearn("ensemble", "HistGradientBoostingClassifier", random_state=1, early_stopping=False)
    return _fit([learner], question, question.symbols, question.view, False)


def solver_reaches(data: Dataset) -> NDArray[np.bool_]:
    """Which positions the solver can be asked about: 20 empty cells or fewer, and any on boards up to 5x5."""
    cells = data.boards.shape[1]
    if cells > MOST_CELLS:
        return np.zeros(len(data), np.bool_)
    reached: NDArray[np.bool_] = (cells - data.stones <= _REACH) | np.bool_(cells <= 25)
    return reached


BASELINES: Final[dict[str, Callable[[Question], Winners]]] = {
    "majority": _majority,
    "parity": _parity,
    "nearest neighbour": _nearest,
    "occupancy only": _occupancy_only,
    "resistance": _resistance,
}
"""Baselines of every evaluation, by name. `occupancy only` is logistic regression on the stones."""

PEERS: Final[dict[str, Callable[[Question], Winners]]] = {
    "logistic regression": _logistic,
    "gradient boosting": _boosting,
}
"""Other learners on the model's own symbols, with the strength of regularisation or the number of trees that names most
winners of the validation split."""
