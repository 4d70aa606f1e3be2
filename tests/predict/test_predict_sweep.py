"""A sweep: models one by one in a file, resumed without training again, with baselines beside them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from hexlogic.errors import HexlogicError
from hexlogic.predict import sweep as sweeping
from hexlogic.predict.dataset import Dataset
from hexlogic.predict.evaluate import evaluate
from hexlogic.predict.generate import Recipe, generate
from hexlogic.predict.sweep import sweep
from hexlogic.predict.train import Settings, train
from hexlogic.report.prediction_file import read_predictions

POINTS = [Settings(number, "occupancy+won", s=3.0, epochs=2) for number in (8, 4)]


def test_a_sweep_keeps_what_each_model_scored(finished: Dataset, tmp_path: Path) -> None:
    path = tmp_path / "records" / "predictions-small.json"
    shares: list[float] = []
    found = sweep(
        finished,
        POINTS,
        path,
        "small",
        peer_positions=300,
        solver_positions=3,
        models=tmp_path / "models",
        done=lambda spent, whole: shares.append(spent / whole),
    )
    assert read_predictions(path) == found
    assert [model.card["clauses"] for model in found.models] == [4, 8]
    assert shares == [pytest.approx(1 / 3), 1.0]
    assert found.solver is not None
    assert (found.solver.right, found.solver.positions) == (3, 3)
    assert found.positions == len(finished.split("test"))
    assert {peer.name for peer in found.peers} >= {"parity", "gradient boosting"}
    for model in found.models:
        alone = evaluate(train(finished, POINTS[1 - found.models.index(model)]).model, finished, peers=False)
        assert model.right == alone.model.right == sum(model.by_empties.values())
        assert model.apart["majority"] == alone.apart["majority"]
        assert model.card["epoch"] <= len(model.validation_accuracies) <= 2
    assert len(list((tmp_path / "models").iterdir())) == 2


def test_a_sweep_goes_on_where_it_was_stopped(
    finished: Dataset, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "predictions-small.json"
    whole = sweep(finished, POINTS, path, "small", peers=False, solver_positions=0)
    again = tmp_path / "predictions-again.json"
    sweep(finished, POINTS[1:], again, "small", peers=False, solver_positions=0)
    trained: list[Settings] = []
    monkeypatch.setattr(sweeping, "train", lambda data, point, report: trained.append(point) or train(data, point))
    resumed = sweep(finished, POINTS, again, "small", peers=False, solver_positions=0)
    assert trained == POINTS[:1]
    assert [(one.card, one.right) for one in resumed.models] == [(one.card, one.right) for one in whole.models]
    other = generate(Recipe(size=3, games=100, seed=2))
    with pytest.raises(HexlogicError, match="this is a sweep of another set"):
        sweep(other, POINTS, path, "small")


def test_the_command(cli, finished_folder: Path, tmp_path: Path) -> None:
    arguments = ["--name", "small", "--clauses", "4,8", "--s", "3", "--threshold", "2x", "--symbols", "occupancy+won"]
    arguments += ["--epochs", "1", "--no-peers", "--solver-positions", "2", "--out", str(tmp_path)]
    first = cli("predict", "sweep", str(finished_folder), *arguments, "--json")
    models = json.loads(first.out)["models"]
    assert [model["card"]["threshold"] for model in models] == [8, 16]
    assert "epoch 1 of 1" in first.err
    assert "100% of the work" in first.err
    again = cli("predict", "sweep", str(finished_folder), *arguments)
    assert "epoch" not in again.err
    assert "95 % interval" in again.out


@pytest.mark.parametrize(
    ("option", "value", "told"),
    [
        ("--clauses", "4,x", "--clauses: '4,x' is no list of numbers (such as 5,10)"),
        ("--seeds", "1.5", "--seeds: '1.5' is no list of whole numbers (such as 100,200)"),
        ("--threshold", "many", "--threshold: 'many' is no threshold (such as 400 or 2x)"),
        ("--clauses", "0", "--clauses: 0 is too small (at least 1)"),
    ],
)
def test_bad_input_is_one_line(cli, option: str, value: str, told: str) -> None:
    assert told in cli("predict", "sweep", "nowhere", "--name", "x", "--out", "y", option, value).refused()


def test_files_that_are_something_else(tmp_path: Path) -> None:
    path = tmp_path / "predictions-x.json"
    path.write_text('{"schema": 2}')
    with pytest.raises(HexlogicError, match="predictions of schema 2, not 1"):
        read_predictions(path)
    path.write_text('{"schema": 1}')
    with pytest.raises(HexlogicError, match="not predictions"):
        read_predictions(path)
