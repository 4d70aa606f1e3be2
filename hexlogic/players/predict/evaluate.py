"""The accuracy of a model on a set, beside baselines.

Rules that understand nothing, a heuristic, and other learners: each baseline learns from the train split, where it
learns, and names the winner of the test positions.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, Protocol

import numpy as np
from numpy.typing import NDArray

from hexlogic.players.evaluation.clause_model import ClauseModel, Predictor, seen
from hexlogic.players.evaluation.prediction_file import Score, View
from hexlogic.players.evaluation.symbols import Signs, SymbolSet, circuit_values, exchanged
from hexlogic.players.predict.dataset import (
    Dataset,
    equal_cells,
    exact_winners,
    machine_inputs,
    majority_winner,
    winners_by_parity,
)
from hexlogic.players.solver import MOST_CELLS
from hexlogic.process.extras import need

_SOLVED_EMPTIES: Final = 20
"""The most empty cells of a position that the solver is asked about, on boards beyond 5x5."""
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


class _Learner(Protocol):
    """A classifier of scikit-learn."""

    def fit(self, inputs: object, classes: object, /) -> object:
        """Learn."""

    def predict(self, inputs: object, /) -> NDArray[np.uint32]:
        """Name the classes."""


def _nearest(task: LearningTask) -> Signs:
    """The winner of the position in the train split with the fewest different cells, the first of several."""
    nearest = [np.argmax(same, axis=1) for same in equal_cells(task.test, task.learning)]
    return np.asarray(task.learning.winners[np.concatenate(nearest)])


def _resistance(task: LearningTask) -> Signs:
    values = circuit_values(task.test.board, task.test.boards)
    # Of equal circuits the player to move has the better one.
    return np.where(values == 0, task.test.to_move, np.where(values > 0, 1, 2)).astype(np.uint8)


def _fit(learners: Sequence[_Learner], task: LearningTask, symbols: SymbolSet, view: View, sparse: bool) -> Signs:
    """The answers of the best of some learners of two classes, which see the positions as the model does.

    The best one names the most winners of the validation split, as the epoch of the model is chosen; of a boosted
    learner each number of trees is one. Of equal ones the first counts.
    """
    from scipy.sparse import csr_array
    from threadpoolctl import threadpool_limits

    test = task.test
    inputs, classes = machine_inputs(task.learning.take(np.arange(min(task.most, len(task.learning)))), symbols, view)
    checked, wanted = machine_inputs(task.validation, symbols, view)
    shown, mover, turned = seen(view, test.board, test.boards, test.to_move)
    best, most_right = np.full(len(test), classes[0] == 1), -1
    if len(np.unique(classes)) == 2:
        parts = [inputs, checked, symbols.truths(shown, mover)]
        fitted, valid, asked = (csr_array(part.astype(np.float32)) if sparse else part for part in parts)
        with threadpool_limits(1):
            for learner in learners:
                learner.fit(fitted, classes)
                for validated, answer in zip(_answers(learner, valid), _answers(learner, asked), strict=True):
                    right = int(np.sum(validated == wanted))
                    if right > most_right:
                        best, most_right = answer == 1, right
    winners = np.where(best, 1, 2).astype(np.uint8)
    return np.where(turned, exchanged(winners), winners).astype(np.uint8)


def _answers(learner: _Learner, inputs: object) -> Iterator[NDArray[np.uint32]]:
    """By number of trees, or the only answer."""
    staged = getattr(learner, "staged_predict", None)
    return iter([learner.predict(inputs)]) if staged is None else iter(staged(inputs))


def _regressions() -> list[_Learner]:
    need("predict")
    from sklearn.linear_model import LogisticRegression

    return [LogisticRegression(max_iter=300, C=strength) for strength in _STRENGTHS]


def _boosting(task: LearningTask) -> Signs:
    need("predict")
    from sklearn.ensemble import HistGradientBoostingClassifier

    learner = HistGradientBoostingClassifier(random_state=1, early_stopping=False)
    return _fit([learner], task, task.symbols, task.view, False)


BASELINES: Final[dict[str, Callable[[LearningTask], Signs]]] = {
    "majority": lambda task: np.full(len(task.test), majority_winner(task.learning.winners), np.uint8),
    "parity": lambda task: winners_by_parity(task.learning, task.test),
    "nearest neighbour": _nearest,
    "occupancy only": lambda task: _fit(_regressions(), task, SymbolSet("occupancy", task.test.board), "plain", True),
    "resistance": _resistance,
}
"""Baselines of every evaluation, by name. `occupancy only` is logistic regression on the stones."""

PEERS: Final[dict[str, Callable[[LearningTask], Signs]]] = {
    "logistic regression": lambda task: _fit(_regressions(), task, task.symbols, task.view, True),
    "gradient boosting": _boosting,
}
"""Other learners on the model's own symbols, with the strength of regularisation or the number of trees that names most
winners of the validation split."""


@dataclass(frozen=True, slots=True)
class Evaluation:
    """Counts of right answers of the model (`model`) and the baselines on the test split, by number of empty cells.

    `apart` says of each baseline how many positions only the model and only the baseline names right. `solver` is the
    upper bound on the positions that the solver was asked about, and `near` the share of test positions that differ
    from some train position in at most two cells.
    """

    positions: dict[int, int]
    right: dict[str, dict[int, int]]
    apart: dict[str, tuple[int, int]]
    solver: Score | None
    near: float

    def score(self, name: str = "model", empties: int | None = None) -> Score:
        """The score of the model or a baseline, on all positions or on those with so many empty cells."""
        right = self.right[name]
        if empties is not None:
            return Score(right[empties], self.positions[empties])
        return Score(sum(right.values()), sum(self.positions.values()))

    def to_json(self) -> dict[str, object]:
        """Plain data; `accuracy` and `interval` are the model's."""
        scores = {name: self.score(name) for name in self.apart}
        return {
            **self.score().to_json(),
            "baselines": {name: score.to_json() for name, score in scores.items()},
            "solver": None if self.solver is None else self.solver.to_json(),
            "beats": sorted(name for name, score in scores.items() if score.right < self.score().right),
            "apart": self.apart,
            "by_empties": [
                {"empties": empties, **{name: self.score(name, empties).to_json() for name in self.right}}
                for empties in self.positions
            ],
            "near_duplicates": round(self.near, 5),
        }


def baseline_answers(
    symbols: SymbolSet,
    view: View,
    data: Dataset,
    *,
    peers: bool = True,
    peer_positions: int = 10_000,
    report: Callable[[str], None] = lambda what: None,
) -> dict[str, Signs]:
    """The winners that each baseline names on the test split, and with `peers` other learners on the same symbols."""
    task = LearningTask(
        data.split("train"), data.split("validation"), data.split("test"), symbols, view, peer_positions
    )
    answers = {}
    for name, baseline in {**BASELINES, **(PEERS if peers else {})}.items():
        report(name)
        answers[name] = baseline(task)
    return answers


def evaluate(
    model: ClauseModel,
    data: Dataset,
    *,
    peers: bool = True,
    peer_positions: int = 10_000,
    solver_positions: int = 200,
    answers: Mapping[str, Signs] | None = None,
    near: float | None = None,
    report: Callable[[str], None] = lambda what: None,
) -> Evaluation:
    """Score a model on the test split of a set.

    Peers learn from at most `peer_positions` of the train split, and the solver is asked about at most
    `solver_positions`. `answers` are those of `baseline_answers` and `near` the share of near duplicates, where they
    are known already. `report` hears what is scored next. Raises SizeError for a model of another size and
    HexlogicError for an empty split.
    """
    predictor = Predictor(model)
    predictor.check_board(data.board)
    learning, test = data.split("train"), data.split("test")
    cells = len(data.board.cells)
    report("the model")
    predicted = predictor.winners(test.boards, test.to_move)
    if answers is None:
        answers = baseline_answers(
            predictor.symbols, predictor.view, data, peers=peers, peer_positions=peer_positions, report=report
        )
    solver = None
    solvable = (test.empties <= _SOLVED_EMPTIES) | (cells <= 25)
    asked = np.flatnonzero(solvable)[: solver_positions if cells <= MOST_CELLS else 0]
    if len(asked):
        report("the solver")
        part = test.take(asked)
        solver = Score(int(np.count_nonzero(exact_winners(part) == part.winners)), len(part))
    if near is None:
        near = float(np.mean(np.concatenate([np.max(b, axis=1) for b in equal_cells(test, learning)]) >= cells - 2))
    right = {name: answer == test.winners for name, answer in {"model": predicted, **answers}.items()}
    which = {int(number): test.empties == number for number in np.unique(test.empties)}
    hits = right["model"]
    return Evaluation(
        {empties: int(np.sum(places)) for empties, places in which.items()},
        {name: {n: int(np.sum(named[places])) for n, places in which.items()} for name, named in right.items()},
        {name: (int(np.sum(hits & ~right[name])), int(np.sum(right[name] & ~hits))) for name in answers},
        solver,
        near,
    )
