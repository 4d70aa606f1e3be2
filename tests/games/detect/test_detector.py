"""The detector: every engine follows every game as the referee does, and refuses what cannot be played."""

from __future__ import annotations

import random
import subprocess
import sys

import pytest

from hexlogic import Detector
from hexlogic.errors import EngineError, MoveError, PipelineError, SizeError, UnknownNameError
from hexlogic.games import PLAYERS, Position, game_names, winner, winning_chain
from hexlogic.games.rulesets import load_rule_set, rule_set_names
from hexlogic.language.engines import engine_names, load_engine

pytestmark = pytest.mark.many_cases(keep=2)

ENGINES = [
    pytest.param(name, marks=pytest.mark.skipif(bool(why := load_engine(name).missing()), reason=why or "installed"))
    for name in engine_names()
]
QUICK = ("compiled", "clingo")
RULES = ("follow-line-tabled", "maker-breaker", "clusters", "clusters-labelled", "clusters-union", "winning-sets")


def open_or_skip(rules: str, engine: str, **options: object) -> Detector:
    try:
        return Detector(rules, engine=engine, **options)
    except EngineError as error:
        if "cannot run" not in str(error):
            raise
        pytest.skip(str(error))


def judged(detector: Detector) -> str | None:
    """What the referee says of the stones that are there."""
    return winner(detector.position)


def wander(detector: Detector, seed: int, steps: int) -> None:
    """Stones and undos at random, the referee asked after each; the stones are also kept here."""
    rng = random.Random(seed)
    stones: list[tuple[str, int]] = []
    for _ in range(steps):
        empty = sorted(set(detector.game.cells) - {cell for _, cell in stones})
        if detector.winner() or not empty or (stones and rng.random() < 0.3):
            for _ in range(rng.randint(1, len(stones))):
                detector.undo()
                stones.pop()
        else:
            stones.append((rng.choice(PLAYERS), rng.choice(empty)))
            detector.play(*stones[-1])
        assert detector.moves == tuple(stones)
        red, blue = (frozenset(cell for owner, cell in stones if owner == player) for player in PLAYERS)
        assert detector.position == Position(detector.game, red, blue)
        assert detector.winner() == winner(Position(detector.game, red, blue)), detector.position.to_text()


@pytest.mark.takes_seconds(keep=4)
@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("rules", RULES)
@pytest.mark.parametrize("size", [(1, 1), (2, 3), (3, 3)], ids=str)
def test_random_games_with_undos_are_judged_as_by_the_referee(rules, engine, size):
    with open_or_skip(rules, engine, size=size) as detector:
        for seed in range(3):
            wander(detector, seed, 25)
            while detector.moves:
                detector.undo()
        assert detector.winner() is None


@pytest.mark.parametrize("engine", [param for param in ENGINES if param.values[0] in (*QUICK, "swipl")])
@pytest.mark.parametrize("rules", ["follow-line-tabled", "maker-breaker"])
def test_a_game_on_a_large_board(rules, engine):
    with Detector(rules, engine=engine) as detector:
        cells = list(detector.game.cells)
        random.Random(engine).shuffle(cells)
        for move, cell in enumerate(cells):
            detector.play(PLAYERS[move % 2], cell)
            assert detector.winner() == judged(detector)
            if detector.winner():
                break
        assert detector.winner()
        assert detector.chain() == winning_chain(detector.position, detector.winner())
        wander_back = len(detector.moves) // 2
        for _ in range(wander_back):
            detector.undo()
        assert detector.winner() is None
        assert detector.chain() is None


OTHER_GAMES = [
    (game, rules) for game in game_names() for rules in rule_set_names(game) if game != "hex" and "winning" not in rules
]


@pytest.mark.takes_seconds(keep=4)
@pytest.mark.parametrize("engine", QUICK)
@pytest.mark.parametrize(("game", "rules"), OTHER_GAMES)
def test_other_games_are_followed_too(game, rules, engine):
    with open_or_skip(rules, engine, game=game, size=3) as detector:
        for seed in range(2):
            wander(detector, seed, 40)
            while detector.moves:
                detector.undo()


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("rules", ["follow-line-tabled", "maker-breaker"])
def test_a_copy_goes_its_own_way(rules, engine):
    with open_or_skip(rules, engine, size=3) as detector:
        for player, cell in (("red", "a1"), ("blue", "a2"), ("red", "b1")):
            detector.play(player, cell)
        with detector.copy() as copy:
            assert copy.moves == detector.moves
            copy.play("red", "c1")
            assert (copy.winner(), detector.winner()) == ("red", None)
            detector.undo()
            detector.undo()
            detector.play("blue", "c1")
            assert len(copy.moves) == 4
            copy.undo()
            assert (copy.winner(), copy.moves[-1]) == (None, ("red", 2))
            copy.play("red", "c1")
            assert copy.winner() == "red"
        with pytest.raises(EngineError, match="closed"):
            copy.undo()
        assert (len(copy.moves), copy.winner()) == (4, "red")
        detector.play("blue", "b2")
        detector.play("blue", "a3")
        assert detector.winner() == "blue"


@pytest.mark.parametrize("engine", ENGINES)
def test_what_cannot_be_played_changes_nothing(engine):
    with Detector("winning-sets", size=2, engine=engine) as detector:

        def refused(action, *arguments, text):
            before = (detector.moves, detector.winner(), detector.groups("red"))
            with pytest.raises(MoveError) as caught:
                action(*arguments)
            assert str(caught.value) == text
            assert (detector.moves, detector.winner(), detector.groups("red")) == before

        def refusals():
            off = "cell 5 is off the 2x2 board (cells are numbered 1 to 4)"
            refused(detector.play, "red", 5, text=off)
            refused(detector.play, "red", 0, text=off.replace("5", "0"))
            refused(detector.play, "red", None, text=off.replace("5", "None"))
            refused(detector.play, "red", [1], text=off.replace("5", "[1]"))
            refused(detector.play, "red", "c1", text="cell c1 is off the 2x2 board (cells run from a1 to b2)")
            refused(detector.play, "red", "", text="'' is not a cell (a cell is column letters and a row, like f6)")
            refused(detector.play, "rot", 1, text="unknown player 'rot' (known: red, blue)")
            refused(detector.play, None, 1, text="unknown player 'None' (known: red, blue)")

        refused(detector.undo, text="there is no move to undo")
        refusals()
        detector.play("red", "a1")
        refusals()
        for player, cell in (("red", 1), ("blue", "a1"), ("blue", "A1")):
            refused(detector.play, player, cell, text="cell a1 is already red")
        detector.play("blue", "A2")
        detector.play("red", 2)
        over = "blue cannot play {}: red has won (undo() takes a move back)"
        refused(detector.play, "blue", 4, text=over.format("b2"))
        refused(detector.play, "blue", 1, text=over.format("a1"))
        refusals()
        detector.undo()
        detector.play("blue", "b1")
        assert detector.winner() == "blue"
        assert detector.moves == (("red", 1), ("blue", 3), ("blue", 2))
        assert detector.groups("blue") == ((2, 3),)
        with pytest.raises(UnknownNameError):
            detector.groups("rot")


@pytest.mark.parametrize(
    ("error", "arguments"),
    [
        (UnknownNameError, {"rules": "clusers"}),
        (UnknownNameError, {"engine": "swi"}),
        (UnknownNameError, {"game": "go"}),
        (UnknownNameError, {"pipeline": "grounded"}),
        (PipelineError, {"pipeline": "ground,,reorder"}),
        (SizeError, {"size": 0}),
        (SizeError, {"size": (3, 3, 3)}),
        (SizeError, {"rules": "y/clusters"}),
        (EngineError, {"rules": "follow-line", "engine": "clingo"}),
    ],
    ids=str,
)
def test_a_detector_that_cannot_be(error, arguments):
    with pytest.raises(error):
        Detector(**arguments)


@pytest.mark.parametrize("engine", ENGINES)
def test_a_closed_detector_says_so_and_stays_as_it_was(engine):
    detector = Detector("winning-sets", size=2, engine=engine)
    detector.play("red", 1)
    detector.close()
    detector.close()
    for action in (detector.undo, lambda: detector.play("red", 2)):
        with pytest.raises(EngineError):
            action()
        assert (detector.moves, detector.winner()) == ((("red", 1),), None)


@pytest.mark.skipif(bool(load_engine("swipl").missing()), reason="swipl is not installed")
def test_a_process_that_dies_changes_nothing():
    detector = Detector(size=2, engine="swipl")
    detector.play("red", 1)
    detector._follower._stack._process.process.kill()
    for _ in range(2):
        with pytest.raises(EngineError):
            detector.play("red", 2)
        assert (detector.moves, detector.winner()) == ((("red", 1),), None)


def test_what_it_is_asked_for_is_what_it_runs():
    rules = load_rule_set("follow-line-tabled")
    with Detector(rules, size=(2, 3), engine="pydatalog", pipeline="none") as detector:
        assert str(detector.game) == "2x3 Hex"
        for cell in ("a2", "c1", "b1"):
            assert detector.winner() is None
            detector.play("red", cell)
        assert detector.chain() == (4, 2, 3)
        assert detector.groups("red") == ((2, 3, 4),)


def test_the_front_door_has_it_and_stays_light():
    code = (
        "import sys, hexlogic; hexlogic.Detector; assert 'numba' not in sys.modules; assert 'clingo' not in sys.modules"
    )
    subprocess.run([sys.executable, "-c", code], check=True)


@pytest.mark.parametrize("module", ["hexlogic.ggp", "hexlogic.cli.optimise", "hexlogic.cli.gdl.sheet"])
def test_sheets_are_read_without_a_compiler(module):
    subprocess.run([sys.executable, "-c", f"import sys, {module}; assert 'numba' not in sys.modules"], check=True)
