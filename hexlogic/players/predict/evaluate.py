"""The accuracy of a model on a set, beside baselines.

Rules that understand nothing, a heuristic, and other learners: each baseline learns from the train split, where it
learns, and names the winner of the test positions.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cached_property
from typing import Final, Protocol

import numpy as np
from numpy.typing import NDArray

from hexlogic.players.evaluation.clause_model import ClauseModel, Predictor, seen
from hexlogic.players.evaluation.prediction_file import Evaluated, Peer, Score, Settings, View
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


class _Learner(Protocol):
    """A classifier of scikit-learn."""

    def fit(self, inputs: object, classes: object, /) -> object:
        """Learn."""

    def predict(self, inputs: object, /) -> NDArray[np.uint32]:
        """Name the classes."""


def _nearest(scorer: Scorer) -> Signs:
    """The winner of the position in the train split with the fewest different cells, the first of several."""
    nearest = [np.argmax(same, axis=1) for same in equal_cells(scorer.test, scorer.learning)]
    return np.asarray(scorer.learning.winners[np.concatenate(nearest)])


def _resistance(scorer: Scorer) -> Signs:
    values = circuit_values(scorer.test.board, scorer.test.boards)
    # Of equal circuits the player to move has the better one.
    return np.where(values == 0, scorer.test.to_move, np.where(values > 0, 1, 2)).astype(np.uint8)


def _fit(learners: Sequence[_Learner], scorer: Scorer, symbols: str, view: View, sparse: bool = True) -> Signs:
    """The answers of the best of some learners of two classes, which see the positions as the model does.

    The best one names the most winners of the validation split, as the epoch of the model is chosen; of a boosted
    learner each number of trees is one. Of equal ones the first counts.
    """
    from scipy.sparse import csr_array
    from threadpoolctl import threadpool_limits

    test, symbol_set = scorer.test, SymbolSet(symbols, scorer.test.board)
    first = np.arange(min(scorer.peer_positions, len(scorer.learning)))
    inputs, classes = machine_inputs(scorer.learning.take(first), symbol_set, view)
    checked, wanted = machine_inputs(scorer.validation, symbol_set, view)
    shown, mover, turned = seen(view, test.board, test.boards, test.to_move)
    best, most_right = np.full(len(test), classes[0] == 1), -1
    if len(np.unique(classes)) == 2:
        parts = [inputs, checked, symbol_set.truths(shown, mover)]
        fitted, valid, asked = (csr_array(part.astype(np.float32)) if sparse else part for part in parts)
        with threadpool_limits(1):
            for learner in learners:
                learner.fit(fitted, classes)
                by_trees = getattr(learner, "staged_predict", lambda inputs, only=learner: [only.predict(inputs)])
                for validated, answer in zip(by_trees(valid), by_trees(asked), strict=True):
                    right = int(np.sum(validated == wanted))
                    if right > most_right:
                        best, most_right = answer == 1, right
    winners = np.where(best, 1, 2).astype(np.uint8)
    return np.where(turned, exchanged(winners), winners).astype(np.uint8)


def _regression(scorer: Scorer, symbols: str, view: View) -> Signs:
    need("predict")
    from sklearn.linear_model import LogisticRegression

    return _fit([LogisticRegression(max_iter=300, C=strength) for strength in _STRENGTHS], scorer, symbols, view)


def _boosting(scorer: Scorer, symbols: str, view: View) -> Signs:
    need("predict")
    from sklearn.ensemble import HistGradientBoostingClassifier

    learner = HistGradientBoostingClassifier(random_state=1, early_stopping=False)
    return _fit([learner], scorer, symbols, view, sparse=False)


class Evaluation(Evaluated, frozen=True):
    """The right answers of a model beside baselines; `apart` says of each baseline how many positions only the model
    and only the baseline names right."""

    model: Peer
    apart: dict[str, tuple[int, int]]

    def to_json(self) -> dict[str, object]:
        """Plain data; `accuracy` and `interval` are the model's."""
        return {
            **self.score(self.model).to_json(),
            "baselines": {peer.name: self.score(peer).to_json() for peer in self.peers},
            "solver": None if self.solver is None else self.solver.to_json(),
            "beats": sorted(peer.name for peer in self.peers if peer.right < self.model.right),
            "apart": self.apart,
            "by_empties": [
                {
                    "empties": empties,
                    **{who.name: Score(who.by_empties[empties], count).to_json() for who in (self.model, *self.peers)},
                }
                for empties, count in self.by_empties.items()
            ],
            "near_duplicates": round(self.near_duplicates, 5),
        }


class Scorer:
    """Scores models on the test split of a set; what does not depend on the model is computed once.

    With `peers`, other learners on the model's symbols are baselines too; they learn from at most `peer_positions` of
    the train split. The solver is asked about at most `solver_positions`. `report` hears what is computed next. Raises
    HexlogicError for an empty split.
    """

    def __init__(
        self,
        data: Dataset,
        peers: bool = True,
        peer_positions: int = 10_000,
        solver_positions: int = 200,
        report: Callable[[str], None] = lambda what: None,
    ) -> None:
        self.data = data
        self.learning, self.validation = data.split("train"), data.split("validation")
        self.test = data.split("test")
        self.peer_positions, self._solver_positions, self._report = peer_positions, solver_positions, report
        self._peers = PEERS if peers else {}
        self.by_empties = self._by_empties(np.ones(len(self.test), np.bool_))
        """The number of test positions by number of empty cells."""
        self._answers: dict[tuple[str, ...], Signs] = {}

    def baseline_answers(self, symbols: str, view: View) -> dict[str, Signs]:
        """The winners that each baseline names, of which some learn these symbols."""
        for name, baseline in BASELINES.items():
            if (name,) not in self._answers:
                self._report(name)
                self._answers[name,] = baseline(self)
        for name, peer in self._peers.items():
            if (name, symbols, view) not in self._answers:
                self._report(name)
                self._answers[name, symbols, view] = peer(self, symbols, view)
        return {key[0]: answer for key, answer in self._answers.items() if key[1:] in ((), (symbols, view))}

    def score(self, model: ClauseModel) -> Evaluation:
        """Score a model. Raises SizeError for one of another size."""
        predictor = Predictor(model)
        predictor.check_board(self.test.board)
        self._report("the model")
        card, wanted = model.card, self.test.winners
        hits = predictor.winners(self.test.boards, self.test.to_move) == wanted
        answers = self.baseline_answers(card.symbols, card.view)
        right = {name: answer == wanted for name, answer in answers.items()}
        return Evaluation(
            by_empties=self.by_empties,
            near_duplicates=self._near_duplicates,
            solver=self._solver,
            peers=tuple(self._peer(name, answer, card if name in PEERS else None) for name, answer in right.items()),
            model=self._peer("model", hits, card),
            apart={name: (int(np.sum(hits & ~answer)), int(np.sum(answer & ~hits))) for name, answer in right.items()},
        )

    def _peer(self, name: str, right: NDArray[np.bool_], learned: Settings | None) -> Peer:
        symbols, view = ("", "") if learned is None else (learned.symbols, learned.view)
        return Peer(name=name, symbols=symbols, view=view, right=int(np.sum(right)), by_empties=self._by_empties(right))

    def _by_empties(self, positions: NDArray[np.bool_]) -> dict[int, int]:
        empties = self.test.empties
        return {int(number): int(np.sum(positions[empties == number])) for number in np.unique(empties)}

    @cached_property
    def _near_duplicates(self) -> float:
        most = [np.max(same, axis=1) for same in equal_cells(self.test, self.learning)]
        return round(float(np.mean(np.concatenate(most) >= len(self.test.board.cells) - 2)), 5)

    @cached_property
    def _solver(self) -> Score | None:
        """The upper bound."""
        cells = len(self.test.board.cells)
        solvable = (self.test.empties <= _SOLVED_EMPTIES) | (cells <= 25)
        asked = self.test.take(np.flatnonzero(solvable)[: self._solver_positions if cells <= MOST_CELLS else 0])
        if not len(asked):
            return None
        self._report("the solver")
        return Score(int(np.count_nonzero(exact_winners(asked) == asked.winners)), len(asked))


BASELINES: Final[dict[str, Callable[[Scorer], Signs]]] = {
    "majority": lambda scorer: np.full(len(scorer.test), majority_winner(scorer.learning.winners), np.uint8),
    "parity": lambda scorer: winners_by_parity(scorer.learning, scorer.test),
    "nearest neighbour": _nearest,
    "occupancy only": lambda scorer: _regression(scorer, "occupancy", "plain"),
    "resistance": _resistance,
}
"""Baselines of every evaluation, by name. `occupancy only` is logistic regression on the stones."""

PEERS: Final[dict[str, Callable[[Scorer, str, View], Signs]]] = {
    "logistic regression": _regression,
    "gradient boosting": _boosting,
}
"""Other learners on the model's own symbols, with the strength of regularisation or the number of trees that names most
winners of the validation split."""
