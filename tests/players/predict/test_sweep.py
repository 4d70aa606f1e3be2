"""A sweep: models one by one in a file, resumed without training again, with baselines beside them."""

from __future__ import annotations

from pathlib import Path

import pytest

from hexlogic.errors import HexlogicError
from hexlogic.players.evaluation.prediction_file import Recipe, Settings, read_predictions
from hexlogic.players.predict import train as training
from hexlogic.players.predict.dataset import Dataset
from hexlogic.players.predict.generate import generate
from hexlogic.players.predict.train import Scorer, sweep, train

POINTS = [Settings(number, "occupancy+won", s=3.0, epochs=2) for number in (8, 4)]


def test_a_sweep_keeps_what_each_model_scored(finished: Dataset, tmp_path: Path) -> None:
    path = tmp_path / "records" / "predictions-small.json"
    lines: list[str] = []
    found = sweep(
        Scorer(finished, peer_positions=300, solver_positions=3),
        POINTS,
        path,
        "small",
        tmp_path / "models",
        lines.append,
    )
    assert read_predictions(path) == found
    assert [model.card.clauses for model in found.models] == [4, 8]
    assert [line.partition("% of the work")[0] for line in lines if "% of the work" in line] == ["33", "100"]
    assert found.solver is not None
    assert (found.solver.right, found.solver.positions) == (3, 3)
    assert found.positions == len(finished.split("test"))
    assert {peer.name for peer in found.peers} >= {"parity", "gradient boosting"}
    for model in found.models:
        alone = Scorer(finished, peers=False).score(train(finished, POINTS[1 - found.models.index(model)])[0])
        assert model.right == alone.model.right == sum(model.by_empties.values())
        assert model.apart["majority"] == alone.apart["majority"]
        assert model.card.epoch <= len(model.validation_accuracies) <= 2
    assert len(list((tmp_path / "models").iterdir())) == 2


def test_a_sweep_goes_on_where_it_was_stopped(
    finished: Dataset, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "predictions-small.json"
    scorer = Scorer(finished, peers=False, solver_positions=0)
    whole = sweep(scorer, POINTS, path, "small")
    again = tmp_path / "predictions-again.json"
    sweep(scorer, POINTS[1:], again, "small")
    trained: list[Settings] = []
    monkeypatch.setattr(training, "train", lambda data, point, report: trained.append(point) or train(data, point))
    resumed = sweep(scorer, POINTS, again, "small")
    assert trained == POINTS[:1]
    assert [(one.card, one.right) for one in resumed.models] == [(one.card, one.right) for one in whole.models]
    other = generate(Recipe(size=3, games=100, seed=2))
    with pytest.raises(HexlogicError, match="this is a sweep of another set"):
        sweep(Scorer(other), POINTS, path, "small")


def test_files_that_are_something_else(tmp_path: Path) -> None:
    path = tmp_path / "predictions-x.json"
    path.write_text('{"schema": 2}')
    with pytest.raises(HexlogicError, match="predictions of schema 2, not 1"):
        read_predictions(path)
    path.write_text('{"schema": 1}')
    with pytest.raises(HexlogicError, match="not predictions"):
        read_predictions(path)
