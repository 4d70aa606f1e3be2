"""Training, the decisions of a model, its score beside baselines, and its rules."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from scipy.stats import binomtest

from hexlogic.errors import HexlogicError, SizeError
from hexlogic.games import Hex, has_won
from hexlogic.games.rulesets import load_rule_set, read_rule_set
from hexlogic.players.evaluation.clause_model import ClauseModel, Predictor, read_model, write_model
from hexlogic.players.evaluation.prediction_file import ModelCard, Recipe, Score, Settings
from hexlogic.players.evaluation.symbols import SymbolSet, exchanged, mirrored, position_of
from hexlogic.players.predict.clauses import Clause, clauses_of
from hexlogic.players.predict.dataset import SPLITS, Dataset
from hexlogic.players.predict.explain import (
    as_program,
    as_rule_set,
    explain,
    fewest_covering,
    fewest_deciding,
    program_winners,
    space_of,
)
from hexlogic.players.predict.generate import generate
from hexlogic.players.predict.train import Scorer, machine_inputs, train
from hexlogic.proofs.equivalence import prove_equivalent


def test_decisions_are_those_of_green_tsetlin(finished: Dataset) -> None:
    """Its own predictor, on its own rule set of the same training, decides every validation position alike."""
    import green_tsetlin

    settings = Settings(clauses=40, s=5.0, threshold=60, epochs=3)
    model = train(finished, settings)[0]
    predictor = Predictor(model)
    inputs, classes = machine_inputs(finished.split("train"), predictor.symbols, "plain")
    checked, checked_classes = machine_inputs(finished.split("validation"), predictor.symbols, "plain")
    machine = green_tsetlin.TsetlinMachine(len(predictor.symbols.names), 40, 2, s=5.0, threshold=60)
    trainer = green_tsetlin.Trainer(machine, seed=1, n_jobs=1, n_epochs=3, progress_bar=False)
    trainer.set_train_data(inputs, classes)
    trainer.set_eval_data(checked, checked_classes)
    trainer.train()
    theirs = machine.get_predictor()
    assert [theirs.predict(row) for row in checked] == (model.votes(checked) > 0).astype(int).tolist()
    right = float(np.mean((model.votes(checked) > 0) == checked_classes))
    assert right == pytest.approx(model.card.validation_accuracy, abs=1e-5)


def test_same_seed_same_bytes(finished: Dataset, tmp_path: Path) -> None:
    settings = Settings(clauses=20, s=5.0, epochs=2, seed=4)
    for name in ("one", "two"):
        write_model(train(finished, settings)[0], tmp_path / name)
    assert (tmp_path / "one").read_bytes() == (tmp_path / "two").read_bytes()
    model = read_model(tmp_path / "one")
    votes = Predictor(model).votes(finished.boards, finished.to_move)
    assert np.array_equal(votes, Predictor(train(finished, settings)[0]).votes(finished.boards, finished.to_move))


def test_a_model_names_most_winners_of_finished_games(finished: Dataset, model: ClauseModel) -> None:
    scored = Scorer(finished, peers=False, solver_positions=20).score(model)
    baselines = {peer.name: peer for peer in scored.peers}
    assert scored.score(scored.model).accuracy > 0.9
    assert scored.score(baselines["majority"]).accuracy < 0.7
    assert scored.score(baselines["parity"]).accuracy == 1.0
    assert scored.solver is not None
    assert scored.solver.accuracy == 1.0
    assert sum(scored.model.by_empties.values()) == scored.model.right
    for name, (only_model, only_other) in scored.apart.items():
        assert scored.model.right - baselines[name].right == only_model - only_other
    data = scored.to_json()
    assert data["interval"][0] < data["accuracy"] < data["interval"][1]
    assert "majority" in data["beats"]
    assert "parity" not in data["beats"]


def test_peers_learn_the_symbols(finished: Dataset, model: ClauseModel) -> None:
    scored = Scorer(finished, peer_positions=500, solver_positions=0).score(model)
    assert scored.solver is None
    accuracies = {peer.name: scored.score(peer).accuracy for peer in scored.peers}
    assert accuracies["logistic regression"] > 0.8
    assert accuracies["gradient boosting"] > 0.8


def test_options_of_peers_are_chosen_on_the_validation_split(finished: Dataset) -> None:
    """The answer is that of the strength that names most winners there, and none of the test split is looked at."""
    from scipy.sparse import csr_array
    from sklearn.linear_model import LogisticRegression

    symbols = SymbolSet("occupancy", finished.board)
    answers = Scorer(finished, peers=False).baseline_answers("occupancy", "plain")
    split = {name: machine_inputs(finished.split(name), symbols, "plain") for name in SPLITS}
    sparse = {name: csr_array(inputs.astype(np.float32)) for name, (inputs, _) in split.items()}
    scored = []
    for strength in (0.01, 0.03, 0.1, 0.3, 1.0):
        learner = LogisticRegression(max_iter=300, C=strength).fit(sparse["train"], split["train"][1])
        right = int(np.sum(learner.predict(sparse["validation"]) == split["validation"][1]))
        scored.append((right, learner.predict(sparse["test"])))
    best = max(scored, key=lambda one: one[0])[1]
    assert np.array_equal(answers["occupancy only"], np.where(best == 1, 1, 2))


def test_two_winning_symbols_suffice(finished: Dataset) -> None:
    model = train(finished, Settings(clauses=10, symbols="won", s=2.0, threshold=20, epochs=3))[0]
    test = finished.split("test")
    assert np.array_equal(Predictor(model).winners(test.boards, test.to_move), test.winners)


def test_the_view_of_the_mover_leaks_the_winner_of_finished_games(finished: Dataset) -> None:
    """The loser is to move in every finished game: turned to the mover's side, blue always wins."""
    settings = Settings(clauses=4, symbols="occupancy", view="mover", epochs=1)
    test = finished.split("test")
    _, classes = machine_inputs(finished, Predictor(train(finished, settings)[0]).symbols, "mover")
    assert set(classes.tolist()) == {0}
    assert len(test) > 0


def test_twins_decide_mirror_images_alike(finished: Dataset) -> None:
    model = train(finished, Settings(clauses=30, s=5.0, view="twins", epochs=2))[0]
    predictor = Predictor(model)
    votes = predictor.votes(finished.boards, finished.to_move)
    turned = predictor.votes(mirrored(finished.board, finished.boards), exchanged(finished.to_move))
    assert np.array_equal(votes, -turned)
    assert np.mean(np.where(votes > 0, 1, 2) == finished.winners) > 0.85


def test_fired_clauses_by_hand() -> None:
    model = ClauseModel(
        Hex.square(2),
        ("a", "b"),
        np.array([0, 1, 3, 3], np.int32),
        np.array([0, 1, 2], np.int32),
        np.array([5, -2, 9], np.int32),
        ModelCard(3),
        {},
    )
    truths = np.array([[0, 0], [0, 1], [1, 0], [1, 1]] * 3, np.uint8)
    # a: 5 votes; not a and b: -2; the clause without literals never holds.
    assert model.votes(truths).tolist() == [0, -2, 5, 5] * 3


def test_the_fewest_clauses_decide_alike_and_none_smaller_does() -> None:
    chance = np.random.default_rng(5)
    for _ in range(8):
        fired = chance.integers(0, 2, (40, 7)).astype(np.uint8)
        weights = chance.integers(-4, 5, 7).astype(np.int32)
        wanted = fired @ weights > 0
        found = fewest_deciding(fired, weights)

        def same(chosen: tuple[int, ...], fired=fired, weights=weights, wanted=wanted) -> bool:
            places = list(chosen)
            return np.array_equal(fired[:, places] @ weights[places] > 0, wanted)

        subsets = [tuple(i for i in range(7) if mask >> i & 1) for mask in range(128)]
        assert same(found.chosen)
        assert found.at_least == len(found.chosen)
        assert len(found.chosen) == min(len(subset) for subset in subsets if same(subset))


def test_the_fewest_covering_clauses() -> None:
    fired = np.array([[1, 0, 1], [0, 1, 1], [1, 1, 0], [0, 0, 0]], np.uint8)
    found = fewest_covering(fired)
    assert len(found.chosen) == 2
    assert found.at_least == len(found.chosen)
    assert fewest_covering(np.zeros((3, 2), np.uint8)).chosen == ()


def test_a_model_is_explained_and_its_rules_decide_alike() -> None:
    data = generate(Recipe(size=3, games=1500, seed=1))
    model = train(data, Settings(clauses=20, s=3.0, threshold=20, epochs=5))[0]
    stored, files = explain(model, clauses=3)
    rules = stored.rules
    assert rules is not None
    assert rules.same_decisions == rules.compared > 40
    assert rules.literals_after <= rules.literals_before
    assert len(stored.explained) == 3
    assert "winner(red)" in files["program.lp"]
    predictor = Predictor(model)
    everything = as_program(
        clauses_of(predictor), {one.number: one.literals for one in clauses_of(predictor)}, space_of(predictor)
    )
    boards = data.boards[:80]
    winners = np.where(model.votes(predictor.symbols.truths(boards, data.to_move[:80])) > 0, 1, 2)
    assert np.array_equal(program_winners(everything, space_of(predictor), boards), winners)


@pytest.mark.parametrize("missing", [0, 1])
def test_a_learned_rule_set_never_says_more_than_clusters(tmp_path: Path, missing: int) -> None:
    """`hexlogic prove` finds only wins that it misses, and none when it has all winning pairs."""
    board = Hex.square(2)
    pairs = [("red", 1, 2), ("red", 1, 4), ("red", 2, 3), ("red", 3, 4)]
    pairs += [("blue", 1, 3), ("blue", 1, 4), ("blue", 2, 3), ("blue", 2, 4)]
    clauses = [
        Clause(number, ((f"connected({player},{one},{other})", True),), 1 if player == "red" else -1, 0.1, 1.0)
        for number, (player, one, other) in enumerate(pairs[missing:])
    ]
    path = tmp_path / "learned.lp"
    path.write_text(as_rule_set("learned", clauses, {one.number: one.literals for one in clauses}, "all"))
    outcome = str(prove_equivalent(read_rule_set(path), load_rule_set("clusters"), board))
    assert ("are equal" in outcome) == (missing == 0)
    if missing:
        assert "clusters says that red has won and learned does not" in outcome


def test_models_of_another_size_and_broken_models_are_refused(
    model: ClauseModel, finished: Dataset, tmp_path: Path
) -> None:
    other = generate(Recipe(size=4, games=60, seed=1))
    with pytest.raises(SizeError, match="the model is for 5x5 Hex, the positions are 4x4 Hex"):
        Scorer(other).score(model)
    path = tmp_path / "broken.model"
    broken = ClauseModel(
        model.board, model.symbols, model.start, model.literals.copy(), model.weights, model.card, model.sample
    )
    broken.literals[0] = 2 * len(model.symbols)
    write_model(broken, path)
    with pytest.raises(HexlogicError, match=r"broken.model: clause 0 has the unknown symbol 650 \(symbols are"):
        read_model(path)
    renamed = ("sees(red,1)", *model.symbols[1:])
    with pytest.raises(HexlogicError, match=r"symbol 0 of the model, 'sees\(red,1\)', is unknown \(the set is study\)"):
        Predictor(
            ClauseModel(model.board, renamed, model.start, model.literals, model.weights, model.card, model.sample)
        )


@pytest.mark.parametrize(("right", "positions"), [(90, 100), (0, 7), (20, 20), (9981, 10_000)])
def test_scores_have_intervals(right: int, positions: int) -> None:
    """The intervals of scipy."""
    theirs = binomtest(right, positions).proportion_ci(method="wilson")
    assert Score(right, positions).interval == pytest.approx((theirs.low, theirs.high), abs=1e-12)


def test_the_sample_is_of_won_positions(model: ClauseModel) -> None:
    for cells, sign in zip(model.sample["boards"][:40], model.sample["winners"], strict=False):
        assert has_won(position_of(model.board, cells), "red" if sign == 1 else "blue")
