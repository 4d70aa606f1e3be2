"""A small set of finished games on 5x5 and a model of it, made once."""

from __future__ import annotations

from pathlib import Path

import pytest

from hexlogic.players.evaluation.clause_model import ClauseModel, write_model
from hexlogic.players.evaluation.prediction_file import Recipe, Settings
from hexlogic.players.predict.dataset import Dataset, write_dataset
from hexlogic.players.predict.generate import generate
from hexlogic.players.predict.train import train


@pytest.fixture(scope="session")
def finished() -> Dataset:
    return generate(Recipe(size=5, games=3000, seed=1))


@pytest.fixture(scope="session")
def model(finished: Dataset) -> ClauseModel:
    return train(finished, Settings(clauses=60, s=5.0, threshold=100, epochs=6))[0]


@pytest.fixture(scope="session")
def finished_folder(finished: Dataset, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("predict") / "finished"
    write_dataset(finished, folder)
    return folder


@pytest.fixture(scope="session")
def model_file(model: ClauseModel, tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("predict") / "finished.model"
    write_model(model, path)
    return path
