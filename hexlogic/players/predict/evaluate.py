"""What a model's accuracy on a set is, beside what needs no model."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hexlogic.players.evaluation.clause_model import ClauseModel
from hexlogic.players.predict.baselines import BASELINES, PEERS, LearningTask, solver_reaches
from hexlogic.players.predict.dataset import Dataset, equal_cells, exact_winners
from hexlogic.players.predict.prediction_file import Score
from hexlogic.players.predict.predictor import Predictor
from hexlogic.players.predict.symbols import SymbolSet
from hexlogic.players.predict.views import View


@dataclass(frozen=True, slots=True)
class Evaluation:
    """The model's score on the test split, those of the baselines, and all of them by number of empty cells.

    `apart` says of each baseline how many positions only the model and only the baseline names right. `solver` is the
    upper bound on the positions that the solver was asked about, and `near` the share of test positions that differ
    from some train position in at most two cells.
    """

    model: Score
    baselines: dict[str, Score]
    apart: dict[str, tuple[int, int]]
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
            "apart": {name: list(pair) for name, pair in self.apart.items()},
            "by_empties": [
                {"empties": empties, **{name: score.to_json() for name, score in scores.items()}}
                for empties, scores in sorted(self.by_empties.items())
            ],
            "near_duplicates": round(self.near, 5),
            "positions_per_s": round(self.positions_per_s),
        }


def baseline_answers(
    symbols: SymbolSet,
    view: View,
    data: Dataset,
    *,
    peers: bool = True,
    peer_positions: int = 10_000,
    report: Callable[[str], None] = lambda what: None,
) -> dict[str, NDArray[np.uint8]]:
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
    answers: Mapping[str, NDArray[np.uint8]] | None = None,
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
    report("the model")
    predictor.winners(test.boards[:1], test.to_move[:1])
    begin = time.monotonic()
    named = predictor.winners(test.boards, test.to_move)
    speed = len(test) / max(time.monotonic() - begin, 1e-9)
    if answers is None:
        answers = baseline_answers(
            predictor.symbols, predictor.view, data, peers=peers, peer_positions=peer_positions, report=report
        )
    solver = None
    asked = np.flatnonzero(solver_reaches(test))[:solver_positions]
    if len(asked):
        report("the solver")
        part = test.take(asked)
        found = exact_winners(part.board, part.boards, part.to_move)
        solver = Score(int(np.count_nonzero(found == part.winners)), len(part))
    right = {name: answer == test.winners for name, answer in {"model": named, **answers}.items()}
    whole = {name: Score(int(hits.sum()), len(test)) for name, hits in right.items()}
    empties = test.boards.shape[1] - test.stones
    return Evaluation(
        whole.pop("model"),
        whole,
        {
            name: (int(np.sum(right["model"] & ~right[name])), int(np.sum(right[name] & ~right["model"])))
            for name in whole
        },
        solver,
        {
            int(number): {
                name: Score(int(hits[empties == number].sum()), int((empties == number).sum()))
                for name, hits in right.items()
            }
            for number in np.unique(empties)
        },
        _near(learning, test) if near is None else near,
        speed,
    )


def _near(learning: Dataset, test: Dataset) -> float:
    """The share of test positions within two cells of a train position."""
    same = np.concatenate([block.max(axis=1) for block in equal_cells(test, learning)])
    return float(np.mean(same >= test.boards.shape[1] - 2))
