"""Clusters merged move by move: disjoint, and the oracle's groups after every move, whatever makes the states."""

from __future__ import annotations

import random
from collections.abc import Iterator

import pytest

from hexlogic.errors import EngineError, HexlogicError, MoveError, PipelineError, SizeError, UnknownNameError
from hexlogic.games import PLAYERS, Hex, Player, Position, groups, has_won, winner
from hexlogic.games.detect.detector import Detector
from hexlogic.games.detect.states import AskedStates, GrownStates, States
from hexlogic.games.rulesets.transitions import load_transitions, transition_names
from hexlogic.language.engines import installed_engines
from tests.agreement import one_per_column_chain
from tests.games.detect.merging import MergingDetector

WAYS = {"multi-shot": ("clingo", False), "step": ("clingo", True), "pydatalog": ("pydatalog", False)}


def detector_on(game: Hex, way: str) -> MergingDetector:
    engine, stepped = WAYS[way]
    # pyDatalog has no process to close
    return MergingDetector(size=(game.rows, game.columns), engine=engine, stepped=stepped)


def random_moves(game: Hex, seed: int) -> Iterator[tuple[Player, int]]:
    """All cells in a random order, the players in turn."""
    cells = random.Random(seed).sample(list(game.cells), len(game.cells))
    return ((PLAYERS[ply % 2], cell) for ply, cell in enumerate(cells))


def check(detector: MergingDetector, position: Position) -> None:
    assert detector.winner() == winner(position)
    for player in PLAYERS:
        clusters = detector.clusters(player)
        stones = [stone for cluster in clusters.values() for stone in cluster]
        assert sorted(stones) == sorted(position.stones(player)), "each stone is in one cluster"
        assert all(name in cluster for name, cluster in clusters.items())
        assert detector.groups(player) == groups(position, player)


@pytest.mark.takes_seconds(keep=4)
@pytest.mark.parametrize(
    "size", [(1, 1), (1, 4), (3, 3), (4, 6), (7, 7), (9, 9)], ids=lambda size: "x".join(map(str, size))
)
@pytest.mark.parametrize("way", ["multi-shot", "step"])
def test_clusters_are_the_groups_after_every_move(size: tuple[int, int], way: str) -> None:
    game = Hex(*size)
    for seed in range(2):
        detector, position = detector_on(game, way), Position(game)
        check(detector, position)
        for player, cell in random_moves(game, seed):
            detector.play(player, cell)
            position = position.play(player, cell)
            check(detector, position)
            if detector.winner():
                break
        assert detector.winner() is not None


@pytest.mark.parametrize("way", WAYS)
def test_undo_and_copy(way: str) -> None:
    game = Hex(3, 4) if way == "pydatalog" else Hex.square(5)
    chance = random.Random(4)
    line, detector = [Position(game)], detector_on(game, way)
    for _ in range(40 if way == "pydatalog" else 120):
        if len(line) > 1 and (winner(line[-1]) or chance.random() < 0.4):
            detector.undo()
            line.pop()
        else:
            # Both players in any order: nothing asks for turns.
            player, cell = chance.choice(PLAYERS), chance.choice(sorted(line[-1].empty))
            if chance.random() < 0.2:
                twin = detector.copy()
                twin.play(player, cell)
                check(twin, line[-1].play(player, cell))
                check(detector, line[-1])
            detector.play(player, cell)
            line.append(line[-1].play(player, cell))
        check(detector, line[-1])


@pytest.mark.parametrize("way", ["multi-shot", "step"])
def test_bad_moves_change_nothing(way: str) -> None:
    game = Hex.square(2)
    detector = detector_on(game, way)
    with pytest.raises(MoveError, match="no move to undo"):
        detector.undo()
    detector.play("red", 1)
    detector.play("red", 2)
    position = Position(game, frozenset({1, 2}))
    for player, cell, text in (
        ("blue", 1, "blue cannot play a1: red has won"),
        ("blue", 3, r"blue cannot play a2: red has won \(undo\(\)"),
        ("blue", 5, "cell 5 is off the 2x2 board"),
        ("blue", 0, "cell 0 is off"),
    ):
        with pytest.raises(MoveError, match=text):
            detector.play(player, cell)  # type: ignore[arg-type]
        check(detector, position)
    detector.undo()
    with pytest.raises(MoveError, match="cell a1 is already red"):
        detector.play("blue", 1)
    with pytest.raises(MoveError, match="green"):
        detector.play("green", 2)  # type: ignore[arg-type]
    check(detector, Position(game, frozenset({1})))


def test_an_engine_that_fails_leaves_the_state(monkeypatch: pytest.MonkeyPatch) -> None:
    detector = MergingDetector(size=2)

    def broken(_: object, __: object) -> bool:
        raise EngineError("broken")

    with monkeypatch.context() as patch:
        patch.setattr(GrownStates, "holds", broken)
        with pytest.raises(EngineError, match="broken"):
            detector.play("red", 1)
    check(detector, Position(detector.game))
    detector.play("blue", 1)
    check(detector, Position(detector.game, blue=frozenset({1})))


def test_an_engine_that_fails_at_the_beginning_is_closed(monkeypatch: pytest.MonkeyPatch) -> None:
    closed: list[States] = []

    def broken(_: object, __: object) -> bool:
        raise EngineError("broken")

    monkeypatch.setattr(AskedStates, "holds", broken)
    monkeypatch.setattr(AskedStates, "close", lambda states: closed.append(states))
    with pytest.raises(EngineError, match="broken"):
        MergingDetector(size=2, engine="pydatalog")
    assert len(closed) == 1


@pytest.mark.parametrize(
    ("game", "engine", "error"), [("hex", "clingoo", UnknownNameError), ("y", "clingo", SizeError)]
)
def test_what_cannot_be_had(game: str, engine: str, error: type[HexlogicError]) -> None:
    with pytest.raises(error):
        MergingDetector(game=game, size=3, engine=engine)


@pytest.mark.parametrize("name", transition_names())
def test_the_detector_takes_any_transition_rules(name: str) -> None:
    game = Hex(4, 3)
    rules = load_transitions(name).rules
    detector, position = Detector(name, size=(4, 3), engine="clingo"), Position(game)
    assert load_transitions("clusters-merging").rules.complete
    for player, cell in random_moves(game, seed=2):
        detector.play(player, cell)
        position = position.play(player, cell)
        seen = has_won(position, player) if rules.complete else one_per_column_chain(position, player)
        assert detector.winner() == (player if seen else None)
        if seen:
            break
    detector.undo()
    assert detector.winner() is None
    with pytest.raises(PipelineError, match="leave the pipeline out"):
        Detector(name, size=3, engine="clingo", pipeline="ground")
    if name != "clusters-merging":
        with pytest.raises(EngineError, match="too little"):
            Detector(name, size=3, engine="pydatalog")


@pytest.mark.parametrize("engine", [engine.name for engine in installed_engines()])
def test_any_engine_makes_the_next_state(engine: str) -> None:
    game = Hex.square(3)
    with MergingDetector(size=3, engine=engine) as detector:
        position = Position(game)
        for player, cell in random_moves(game, seed=5):
            detector.play(player, cell)
            position = position.play(player, cell)
            check(detector, position)
            if detector.winner():
                break
        assert detector.winner() is not None
