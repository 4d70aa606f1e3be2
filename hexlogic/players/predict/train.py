"""Train Tsetlin machines (green-tsetlin) on the symbols of a set, and score models beside baselines.

The epoch of a machine is chosen on the validation split. Baselines are rules that understand nothing, a heuristic, and
other learners: each learns from the train split, where it learns, and names the winner of the test positions. A sweep
trains many machines on one set and keeps what came of each in one file: it goes on where it was stopped.
"""

from __future__ import annotations

import resource
import time
from collections.abc import Callable, Sequence
from functools import cached_property
from importlib.metadata import version
from pathlib import Path
from typing import Any, Final, TypeAlias

import msgspec
import numpy as np
from msgspec import structs
from numpy.typing import NDArray

from hexlogic.errors import HexlogicError
from hexlogic.players.evaluation.clause_model import ClauseModel, Predictor, seen, write_model
from hexlogic.players.evaluation.prediction_file import (
    SCHEMA,
    Evaluated,
    ModelCard,
    Peer,
    Score,
    Settings,
    StoredModel,
    StoredPredictions,
    View,
    read_predictions,
)
from hexlogic.players.evaluation.symbols import Signs, SymbolSet, circuit_values, exchanged, mirrored
from hexlogic.players.predict.dataset import SOLVED_EMPTIES, Dataset, exact_winners, parity, usual_winners
from hexlogic.players.solver import MOST_CELLS
from hexlogic.process.extras import need
from hexlogic.process.files import write_stored

_SAMPLE: Final = 5000
_BLOCK: Final = 1000
_STRENGTHS: Final = (0.01, 0.03, 0.1, 0.3, 1.0)
"""The inverse strengths of regularisation that are tried for logistic regression, `C` of scikit-learn."""
_KEPT: Final = ("seed", "games", "label", "kind", "first", "before", "balanced", "open_share", "source")
"""The fields of the card of a set that the card of a model repeats."""


def machine_inputs(data: Dataset, symbols: SymbolSet, view: View) -> tuple[Signs, NDArray[np.uint32]]:
    """The inputs `[positions, symbols]` of the machine, and their classes, 0 blue and 1 red. `twins` doubles them."""
    boards, to_move, winners = data.boards, data.to_move, data.winners
    if view == "twins":
        boards = np.concatenate([boards, mirrored(data.board, boards)])
        to_move, winners = (np.concatenate([signs, exchanged(signs)]) for signs in (to_move, winners))
    shown, mover, turned = seen(view, data.board, boards, to_move)
    winners = np.where(turned, exchanged(winners), winners)
    return np.ascontiguousarray(symbols.truths(shown, mover)), (winners == 1).astype(np.uint32)


def train(
    data: Dataset, settings: Settings, report: Callable[[str], None] = lambda line: None
) -> tuple[ClauseModel, StoredModel]:
    """Train on the `train` split and keep the epoch that is best on the `validation` split: the model, and its record,
    not scored yet.

    `report` hears a line after each epoch. One thread: the same seed gives the same model.
    Raises HexlogicError for an empty split and for a missing package.
    """
    need("predict")
    import green_tsetlin

    symbols = SymbolSet(settings.symbols, data.board)
    learning, validation = data.split("train"), data.split("validation")
    count = len(symbols.names)
    machine = green_tsetlin.TsetlinMachine(
        n_literals=count,
        n_clauses=settings.clauses,
        n_classes=2,
        s=float(settings.s),
        threshold=settings.threshold or settings.clauses,
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
    trainer.set_train_data(*machine_inputs(learning, symbols, settings.view))
    trainer.set_eval_data(*machine_inputs(validation, symbols, settings.view))
    begin, begin_cpu = time.monotonic(), time.process_time()
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
    return model, record


def _fit(learners: Sequence[Any], scorer: Scorer, symbols: str, view: View, sparse: bool = True) -> Signs:
    """The answers of the learner (of scikit-learn) that names most winners of the validation split, the first of equal
    ones; of a boosted learner each number of trees is one. They see the positions as the model does."""
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
    from sklearn.linear_model import LogisticRegression

    return _fit([LogisticRegression(max_iter=300, C=strength) for strength in _STRENGTHS], scorer, symbols, view)


def _boosting(scorer: Scorer, symbols: str, view: View) -> Signs:
    from sklearn.ensemble import HistGradientBoostingClassifier

    learner = HistGradientBoostingClassifier(random_state=1, early_stopping=False)
    return _fit([learner], scorer, symbols, view, sparse=False)


def _by_resistance(scorer: Scorer, *_: str) -> Signs:
    """The winner by the resistance evaluation; of equal circuits the player to move has the better one."""
    values = circuit_values(scorer.test.board, scorer.test.boards)
    return np.where(values == 0, scorer.test.to_move, np.where(values > 0, 1, 2)).astype(np.uint8)


class Evaluation(Evaluated, frozen=True):
    """The right answers of a model beside baselines; `apart` says of each baseline how many positions only the model
    and only the baseline names right."""

    model: Peer
    apart: dict[str, tuple[int, int]]

    @property
    def scores_by_empties(self) -> dict[int, dict[str, Score]]:
        """By number of empty cells the scores of the model and of each baseline."""
        answers = (self.model, *self.peers)
        return {
            empties: {answer.name: Score(answer.by_empties[empties], count) for answer in answers}
            for empties, count in self.by_empties.items()
        }

    def to_json(self) -> dict[str, object]:
        """Plain data; `accuracy` and `interval` are the model's."""
        return {
            **self.score(self.model).to_json(),
            "baselines": {peer.name: self.score(peer).to_json() for peer in self.peers},
            "solver": None if self.solver is None else self.solver.to_json(),
            "beats": sorted(peer.name for peer in self.peers if peer.right < self.model.right),
            "apart": self.apart,
            "by_empties": [
                {"empties": empties, **{name: score.to_json() for name, score in scores.items()}}
                for empties, scores in self.scores_by_empties.items()
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
        solver_positions: int = 200,
        peer_positions: int = 10_000,
        report: Callable[[str], None] = lambda what: None,
    ) -> None:
        self.data = data
        self.learning, self.validation = data.split("train"), data.split("validation")
        self.test = data.split("test")
        self.peer_positions, self._solver_positions, self._report = peer_positions, solver_positions, report
        self._baselines = BASELINES | (PEERS if peers else {})
        self.by_empties = self._by_empties(np.ones(len(self.test), np.bool_))
        """The number of test positions by number of empty cells."""
        self._answers: dict[tuple[str, ...], Signs] = {}

    def baseline_answers(self, symbols: str, view: View) -> dict[str, Signs]:
        """The winners that each baseline names, of which some learn these symbols."""
        answers = {}
        for name, baseline in self._baselines.items():
            key = (name, symbols, view) if name in PEERS else (name,)
            if key not in self._answers:
                self._report(name)
                self._answers[key] = baseline(self, symbols, view)
            answers[name] = self._answers[key]
        return answers

    def score(self, model: ClauseModel) -> Evaluation:
        """Score a model. Raises SizeError for one of another size."""
        predictor = Predictor(model)
        predictor.check_board(self.test.board)
        self._report("the model")
        card, wanted = model.card, self.test.winners
        hits = predictor.winners(self.test.boards, self.test.to_move) == wanted
        right = {name: answer == wanted for name, answer in self.baseline_answers(card.symbols, card.view).items()}
        scored, *peers = (
            Peer(
                name=name,
                symbols="" if name in BASELINES else card.symbols,
                view="" if name in BASELINES else card.view,
                right=int(np.sum(names_right)),
                by_empties=self._by_empties(names_right),
            )
            for name, names_right in {"model": hits, **right}.items()
        )
        return Evaluation(
            by_empties=self.by_empties,
            near_duplicates=round(float(np.mean(self.nearest[1] >= len(self.test.board.cells) - 2)), 5),
            solver=self._solver,
            peers=tuple(peers),
            model=scored,
            apart={name: (int(np.sum(hits & ~answer)), int(np.sum(answer & ~hits))) for name, answer in right.items()},
        )

    def _by_empties(self, positions: NDArray[np.bool_]) -> dict[int, int]:
        empties = self.test.empties
        return {int(number): int(np.sum(positions[empties == number])) for number in np.unique(empties)}

    @cached_property
    def nearest(self) -> tuple[NDArray[np.int64], NDArray[np.float32]]:
        """Of each test position the place of the first train position with the most equal cells, and their number."""
        left, right = (
            np.concatenate([data.boards == sign for sign in (0, 1, 2)], axis=1).astype(np.float32)
            for data in (self.test, self.learning)
        )
        equal = (left[begin : begin + _BLOCK] @ right.T for begin in range(0, len(left), _BLOCK))
        places, most = zip(*((block.argmax(axis=1), block.max(axis=1)) for block in equal), strict=True)
        return np.concatenate(places), np.concatenate(most)

    @cached_property
    def _solver(self) -> Score | None:
        cells = len(self.test.board.cells)
        solvable = (self.test.empties <= SOLVED_EMPTIES) | (cells <= 25)
        asked = self.test.take(np.flatnonzero(solvable)[: self._solver_positions if cells <= MOST_CELLS else 0])
        if not len(asked):
            return None
        self._report("the solver")
        return Score(int(np.count_nonzero(exact_winners(asked) == asked.winners)), len(asked))


_Baseline: TypeAlias = Callable[[Scorer, str, View], Signs]
"""The winners of the test split that a baseline names, or one that learns from some symbols and a view."""
BASELINES: Final[dict[str, _Baseline]] = {
    "majority": lambda scorer, *_: usual_winners(scorer.learning, scorer.test, lambda data: 0 * data.stones),
    "parity": lambda scorer, *_: usual_winners(scorer.learning, scorer.test, parity),
    "counting": lambda scorer, *_: usual_winners(scorer.learning, scorer.test, lambda data: data.red_ahead),
    "nearest neighbour": lambda scorer, *_: np.asarray(scorer.learning.winners[scorer.nearest[0]]),
    "occupancy only": lambda scorer, *_: _regression(scorer, "occupancy", "plain"),
    "resistance": _by_resistance,
}
"""Baselines of every evaluation, by name. `occupancy only` is logistic regression on the stones."""

PEERS: Final[dict[str, _Baseline]] = {"logistic regression": _regression, "gradient boosting": _boosting}
"""Other learners on the model's own symbols, with the strength of regularisation or the number of trees that names most
winners of the validation split."""


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
        report(f"{point.clauses} clauses, s {point.s:g}, seed {point.seed}")
        model, record = train(data, point, report)
        if models is not None:
            write_model(model, models / f"{name}-{len(stored.models) + 1}.model")
        score = scorer.score(model)
        record = structs.replace(record, right=score.model.right, by_empties=score.model.by_empties, apart=score.apart)
        stored = structs.replace(
            stored,
            near_duplicates=score.near_duplicates,
            solver=score.solver,
            peers=(*stored.peers, *(peer for peer in score.peers if peer not in stored.peers)),
            models=(*stored.models, record),
        )
        write_stored(path, stored)
        work_done += work[point]
        share, spent = work_done / sum(work.values()), time.monotonic() - begin
        report(f"{share:.0%} of the work after {spent:.0f} s, about {spent / share - spent:.0f} s left")
    return stored
