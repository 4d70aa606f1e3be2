"""What a model's accuracy on a set is, beside what needs no model."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from hexlogic.players.evaluation.clause_model import ClauseModel
from hexlogic.predict.baselines import BASELINES, PEERS, SOLVER, Question, solver_reaches
from hexlogic.predict.dataset import Dataset
from hexlogic.predict.predictor import Predictor

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = ["Evaluation", "Score", "evaluate"]


@dataclass(frozen=True, slots=True)
class Score:
    """How many of some positions were named right, with the Wilson interval of 95 percent."""

    right: int
    positions: int

    @property
    def accuracy(self) -> float:
        """The share that is right."""
        return self.right / self.positions

    @property
    def interval(self) -> tuple[float, float]:
        """The bounds of the interval."""
        from scipy.stats import binomtest

        bounds = binomtest(self.right, self.positions).proportion_ci(method="wilson")
        return float(bounds.low), float(bounds.high)

    def to_json(self) -> dict[str, Any]:
        """Plain data."""
        low, high = self.interval
        return {
            "accuracy": round(self.accuracy, 5),
            "interval": [round(low, 5), round(high, 5)],
            "positions": self.positions,
        }


@dataclass(frozen=True, slots=True)
class Evaluation:
    """The model's score on the test split, those of the baselines, and all of them by number of empty cells.

    `solver` is the upper bound on the positions that the solver was asked about, and `near` the share of test positions
    that differ from some train position in at most two cells.
    """

    model: Score
    baselines: dict[str, Score]
    solver: Score | None
    by_empties: dict[int, dict[str, Score]]
    near: float
    positions_per_s: float

    def to_json(self) -> dict[str, Any]:
        """Plain data; `accuracy` and `interval` are the model's."""
        return {
            **self.model.to_json(),
            "baselines": {name: score.to_json() for name, score in self.baselines.items()},
            "solver": None if self.solver is None else self.solver.to_json(),
            "beats": sorted(name for name, score in self.baselines.items() if score.right < self.model.right),
            "by_empties": [
                {"empties": empties, **{name: score.to_json() for name, score in scores.items()}}
                for empties, scores in sorted(self.by_empties.items())
            ],
            "near_duplicates": round(self.near, 5),
            "positions_per_s": round(self.positions_per_s),
        }


def evaluate(
    model: ClauseModel,
    data: Dataset,
    *,
    peers: bool = True,
    peer_positions: int = 10_000,
    solver_positions: int = 200,
    report: Callable[[str], None] = lambda what: None,
) -> Evaluation:
    """Score a model on the test split of a set.

    Peers learn from at most `peer_positions` of the train split, and the solver is asked about at most
    `solver_positions`. `report` hears what is scored next. Raises SizeError for a model of another size and
    HexlogicError for an empty split.
    """
    predictor = Predictor(model)
    predictor.check_board(data.board)
    learning, test = data.split("train"), data.split("test")
    report("the model")
    predictor.winners(test.boards[:1], test.to_move[:1])
    begin = time.monotonic()
    answers = {"model": predictor.winners(test.boards, test.to_move)}
    speed = len(test) / max(time.monotonic() - begin, 1e-9)
    question = Question(learning, test, predictor.symbols, peer_positions)
    for name, baseline in {**BASELINES, **(PEERS if peers else {})}.items():
        report(name)
        answers[name] = baseline(question)
    solver = None
    asked = np.flatnonzero(solver_reaches(test))[:solver_positions]
    if len(asked):
        report("the solver")
        part = test.take(asked)
        found = SOLVER(Question(learning, part, predictor.symbols, peer_positions))
        solver = _score(found, part.winners)
    right = {name: answer == test.winners for name, answer in answers.items()}
    whole = {name: Score(int(hits.sum()), len(test)) for name, hits in right.items()}
    empties = test.boards.shape[1] - test.stones
    return Evaluation(
        whole.pop("model"),
        whole,
        solver,
        {
            int(number): {
                name: Score(int(hits[empties == number].sum()), int((empties == number).sum()))
                for name, hits in right.items()
            }
            for number in np.unique(empties)
        },
        _near(learning, test),
        speed,
    )


def _score(found: NDArray[np.uint8], winners: NDArray[np.uint8]) -> Score:
    return Score(int(np.count_nonzero(found == winners)), len(winners))


def _near(learning: Dataset, test: Dataset, block: int = 1000) -> float:
    """The share of test positions within two cells of a train position."""

    def one_hot(boards: NDArray[np.uint8]) -> NDArray[np.float32]:
        return np.concatenate([boards == sign for sign in (0, 1, 2)], axis=1).astype(np.float32)

    known = one_hot(learning.boards).T
    cells = test.boards.shape[1]
    same: Sequence[Any] = [
        (one_hot(test.boards[begin : begin + block]) @ known).max(axis=1) for begin in range(0, len(test), block)
    ]
    return float(np.mean(np.concatenate(same) >= cells - 2))
