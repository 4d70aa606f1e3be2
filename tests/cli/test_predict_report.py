"""The page of the report about predictions: pooled scores, margins, commands that measure again, the same bytes."""

from __future__ import annotations

import csv
import json
import shlex
from pathlib import Path

import msgspec
import numpy as np
import pytest
from scipy.stats import norm

from hexlogic.errors import HexlogicError, SuiteError
from hexlogic.laboratory.report.build import build_report
from hexlogic.laboratory.report.claims.noise import difference
from hexlogic.laboratory.report.predictions import (
    generate_command,
    margins_table,
    protocols,
    score_text,
    train_command,
)
from hexlogic.laboratory.report.topics.prediction import marks_of
from hexlogic.players.evaluation.prediction_file import (
    DataCard,
    ModelCard,
    Recipe,
    Score,
    Settings,
    StoredPredictions,
    read_play,
    read_predictions,
)
from hexlogic.process.files import write_stored


@pytest.fixture(scope="module")
def records(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two fair 3x3 sets of other seeds, a finished one with a sweep, a model explained, and games."""
    from hexlogic.players.predict.dataset import write_dataset
    from hexlogic.players.predict.generate import generate
    from hexlogic.players.predict.train import Scorer, sweep

    folder = tmp_path_factory.mktemp("predictions")
    finished = generate(Recipe(size=3, games=600, seed=4))
    write_dataset(finished, folder / "finished")
    points = [Settings(count, s=3.0, epochs=2, threshold=10) for count in (4, 8, 16)]
    path = folder / "records" / "predictions-finished.json"
    sweep(Scorer(finished, peer_positions=100, solver_positions=3), points, path, "finished", folder)
    for seed in (1, 2):
        data = generate(Recipe(size=3, games=500, seed=seed, exact=True, balanced=True))
        fair = [Settings(8, "occupancy", "mover", s=3.0, epochs=2, seed=training) for training in (1, 2)]
        path = folder / "records" / f"predictions-fair-{seed}.json"
        sweep(Scorer(data, peer_positions=100, solver_positions=3), fair, path, f"fair-{seed}")
    results = [
        {"one": "random", "two": "tm:a.model", "wins": 1, "losses": 9, "p_value": 0.02},
        {"one": "random", "two": "bridge", "wins": 0, "losses": 10, "p_value": 0.002},
    ]
    played = {"players": ["random", "tm:a.model", "bridge"], "sizes": ["3"], "seconds": 0.2, "clock": "cpu"}
    played |= {"command": "tournament -p x", "results": results}
    (folder / "records" / "played-3x3.json").write_text(json.dumps(played))
    return folder


@pytest.fixture(scope="module")
def built(records: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("report")
    build_report([records / "records"], out)
    return out


def rows(built: Path, name: str) -> list[dict[str, str]]:
    with (built / "tables" / f"{name}.csv").open(newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file))


def test_the_page_is_made_again_from_its_records(built: Path, tmp_path: Path) -> None:
    build_report([built / "records"], tmp_path)
    names = sorted(path.relative_to(built) for path in built.rglob("*") if path.is_file())
    assert names == sorted(path.relative_to(tmp_path) for path in tmp_path.rglob("*") if path.is_file())
    assert [name for name in names if (built / name).read_bytes() != (tmp_path / name).read_bytes()] == []


def test_the_study_beside_ours(built: Path, records: Path) -> None:
    (row,) = rows(built, "prediction-study")
    stored = read_predictions(records / "records" / "predictions-finished.json")
    best = max(stored.models, key=lambda model: model.card.validation_accuracy)
    assert float(row["accuracy"]) == pytest.approx(best.right / stored.positions)
    assert (int(row["clauses"]), int(row["positions"])) == (best.card.clauses, stored.positions)
    assert float(row["parity"]) == 1.0


def test_every_model_is_listed_with_its_command(built: Path, records: Path) -> None:
    found = rows(built, "prediction-models")
    assert [(row["clauses"], row["models"]) for row in found] == [("4", "1"), ("8", "1"), ("16", "1"), ("8", "4")]
    fair = [read_predictions(records / "records" / f"predictions-fair-{seed}.json") for seed in (1, 2)]
    # Of several models on one set the mean counts, and sets are added.
    right = sum(round(sum(model.right for model in one.models) / 2) for one in fair)
    assert float(found[-1]["accuracy"]) == pytest.approx(right / sum(one.positions for one in fair))
    figure = (built / "figures" / "prediction-sweep.csv").read_text()
    assert "the study" in figure


def test_a_card_says_how_to_measure_again(cli, records: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for name in ("finished", "fair-2"):
        stored = read_predictions(records / "records" / f"predictions-{name}.json")
        made = cli(*shlex.split(generate_command(stored))[1:], "--json")
        assert msgspec.json.decode(made.out, type=DataCard) == stored.data
        trained = cli(*shlex.split(train_command(stored, stored.models[-1]))[1:], "--json")
        card = json.loads(trained.out)
        assert msgspec.convert(card, ModelCard) == stored.models[-1].card


def test_margins_are_pairs_on_the_same_positions(records: Path) -> None:
    stored = [read_predictions(path) for path in sorted((records / "records").glob("predictions-*.json"))]
    fair = next(one for one in protocols(stored) if one.card.exact)
    assert len(fair.sets) == 2
    table = margins_table(fair)
    assert table is not None
    best = fair.best()
    assert best is not None
    for row in table.rows:
        only, other = best.apart(str(row[2].value))
        assert row[4].value == pytest.approx((only - other) / fair.positions)
        baseline = fair.baselines(best)[str(row[2].value)].score
        first = sum(own.right for own in [one.models[0] for one in fair.sets])
        assert only - other == first - baseline.right


def test_the_interval_of_a_difference_covers() -> None:
    """Of many draws from known shares, about 95 percent of the intervals hold the true difference."""
    chance, inside = np.random.default_rng(1), 0
    shares = [0.06, 0.03, 0.91]
    for _ in range(1000):
        only, other, _rest = chance.multinomial(400, shares)
        _, low, high = difference((int(only), int(other)), 400)
        inside += low <= 0.03 <= high
    assert abs(inside / 1000 - 0.95) < 4 * np.sqrt(0.95 * 0.05 / 1000)
    assert norm.cdf(1.96) - norm.cdf(-1.96) == pytest.approx(0.95, abs=1e-3)


def test_clauses_are_drawn_and_explained(cli, records: Path, tmp_path: Path) -> None:
    model = next(records.glob("finished-*.model"))
    told = cli("predict", "explain", str(model), "--clauses", "2", "--records", str(records / "more"), "--json")
    build_report([records / "records", records / "more"], tmp_path)
    page = (tmp_path / "prediction_tables.html").read_text(encoding="utf-8")
    first = (tmp_path / "index.html").read_text(encoding="utf-8")
    assert first.count('<figure class="drawing"') == 1
    for clause in json.loads(told.out)["explained"]:
        drawn = tmp_path / "figures" / f"clause-{model.stem}-{clause['clause']}.svg"
        lines = drawn.read_text().count("<line")
        assert lines == sum(len(mark.cells) > 1 for mark in marks_of(clause["atoms"]))
        assert f"Clause {clause['clause']}, " in page
    assert "implies the win on" in page or "does not imply the win on" in page


def test_a_player_with_a_model_stands_first(built: Path) -> None:
    (row,) = rows(built, "prediction-play-1")
    assert row == {"player": "tm:a.model", "opponent": "random", "won": "9", "lost": "1", "p_value": "0.02"}


def test_what_cannot_be_used_is_refused(records: Path, tmp_path: Path) -> None:
    with pytest.raises(SuiteError, match=r"two folders hold predictions-fair-1\.json"):
        build_report([records / "records", records / "records"], tmp_path / "out")
    path = tmp_path / "played-x.json"
    path.write_text("[]")
    with pytest.raises(HexlogicError, match="not predictions"):
        read_play(path)


def test_nothing_trained_is_said(tmp_path: Path, records: Path) -> None:
    stored = read_predictions(records / "records" / "predictions-finished.json")
    empty: StoredPredictions = msgspec.structs.replace(stored, models=())
    write_stored(tmp_path / "in" / "predictions-empty.json", empty)
    build_report([tmp_path / "in"], tmp_path / "out")
    assert "Nothing was trained." in (tmp_path / "out" / "index.html").read_text(encoding="utf-8")


def test_an_accuracy_has_its_interval() -> None:
    assert score_text(Score(1, 2)) == "50.0 % [9.5, 90.5]"
