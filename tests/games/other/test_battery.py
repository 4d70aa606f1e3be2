"""One battery for every registered game: geometry, notation, referee, rules, proofs."""

from __future__ import annotations

import itertools
import random
import xml.etree.ElementTree as ElementTree
from collections.abc import Iterator
from dataclasses import dataclass

import pytest

from hexlogic.games import (
    PLAYERS,
    Game,
    Hex,
    Position,
    draw_svg,
    draw_text,
    game_names,
    has_won,
    load_game,
    parse_position,
    winning_chain,
)
from hexlogic.games.rulesets import load_rule_set, position_facts, rule_set_names, win_query
from hexlogic.language import Integer, Predicate
from hexlogic.language.engines import load_engine
from hexlogic.language.ground.solving import least_model
from hexlogic.proofs import Proof, Refutation
from hexlogic.proofs.bounded import NO_DRAW, ONE_WINNER, prove_theorem
from hexlogic.proofs.matrix import prove_all
from tests.agreement import INSTALLED
from tests.games.other.crossing import Crossing
from tests.games.other.judges import Judge, judge_cube, judge_havannah, judge_sides, judge_y

pytestmark = pytest.mark.many_cases(keep=2)

EACH = 2**9
"""Stone sets up to which all are tried."""
QUICK = ("clingo", "swipl")
"""Engines that are asked about all of them, and about a large board; the others about a few."""


@dataclass(frozen=True)
class Case:
    """What the battery needs to know of a game: sizes to try, a second opinion, and what is true of full boards."""

    small: tuple[int, ...]
    """Sizes on which everything is tried."""
    large: int
    """A size for random positions."""
    judge: Judge
    judged: int
    """The largest size that the judge takes."""
    proved: int
    """The size on which rule sets are proved equal."""
    theorems: dict[int, tuple[bool, bool]]
    """By size: does exactly one player win every full board, and at least one?"""


CASES: dict[str, Case] = {
    "hex": Case((1, 2, 3), 5, judge_sides, 5, 2, {3: (True, True)}),
    "y": Case((1, 2, 3), 6, judge_y, 6, 4, {2: (True, True), 5: (True, True)}),
    "havannah": Case((2, 3), 4, judge_havannah, 4, 3, {2: (False, True), 3: (False, False)}),
    "tic-tac-toe-3d": Case((2,), 4, judge_cube, 3, 3, {2: (False, True), 3: (False, True)}),
    Crossing.name: Case((1, 2, 3), 6, judge_sides, 6, 3, {2: (False, False)}),
}
BOARDS = [(name, size) for name, case in CASES.items() for size in (*case.small, case.large)]


def board(name: str, size: int) -> Game:
    return load_game(name).of_size(size)


def full(game: Game, red: frozenset[int]) -> Position:
    return Position(game, red, frozenset(game.cells) - red)


def positions(game: Game, count: int, *, each: int = EACH) -> Iterator[Position]:
    """Every set of red stones with blue on the rest, or, of more than `each`, `count` random ones of all densities."""
    if 2 ** len(game.cells) <= each:
        for signs in itertools.product((False, True), repeat=len(game.cells)):
            yield full(game, frozenset(cell for cell, red in zip(game.cells, signs, strict=True) if red))
        return
    dice = random.Random(2024)
    for _ in range(count):
        share = dice.choice((0.2, 0.4, 0.5, 0.6, 0.8))
        yield full(game, frozenset(cell for cell in game.cells if dice.random() < share))


def some_with_blanks(game: Game) -> Iterator[Position]:
    dice = random.Random(7)
    for _ in range(10):
        owners = {cell: dice.choice((None, *PLAYERS)) for cell in game.cells}
        yield Position(game, *(frozenset(c for c, owner in owners.items() if owner == player) for player in PLAYERS))


def test_every_registered_game_has_a_case() -> None:
    assert set(game_names()) == set(CASES)
    assert all(len(rule_set_names(name)) >= 2 for name in game_names()), "equivalence needs two reformulations"
    assert all(load_game(name).reference in rule_set_names(name) for name in game_names())


@pytest.mark.parametrize(("name", "size"), BOARDS)
def test_a_board_has_cells_and_names_and_a_text(name: str, size: int) -> None:
    game = board(name, size)
    assert list(game.cells) == list(range(1, len(game.cells) + 1))
    assert [cell for line in game.lines_of_text for cell in line] == list(game.cells)
    assert (game.rows, game.columns) == (len(game.lines_of_text), max(map(len, game.lines_of_text)))
    assert type(game).of_extent(game.rows, game.columns) == game
    names = [game.cell_name(cell) for cell in game.cells]
    assert len(set(names)) == len(names)
    assert [game.parse_cell(cell_name.upper()) for cell_name in names] == list(game.cells)


@pytest.mark.parametrize(("name", "size"), BOARDS)
def test_every_notation_reads_back(name: str, size: int) -> None:
    game = board(name, size)
    for position in (Position(game), full(game, frozenset(game.cells)), *some_with_blanks(game)):
        for text in (position.to_text(), position.to_moves(), position.to_json()):
            assert parse_position(text) == position
        for drawing in (draw_text(position), draw_text(position, chain=[], labels=False)):
            assert parse_position(drawing, game=name) == position
            assert parse_position(drawing, size=game) == position


@pytest.mark.parametrize(("name", "size"), BOARDS)
def test_neighbours_are_symmetric_and_those_of_the_rules(name: str, size: int) -> None:
    game = board(name, size)
    pairs = {(cell, other) for cell in game.cells for other in game.neighbours(cell)}
    assert all((other, cell) in pairs and cell != other for cell, other in pairs)
    program = load_rule_set(game.reference).instantiate(game)
    found: dict[str, set[tuple[int, ...]]] = {"adjacent": set(), "cell": set()}
    for atom in least_model(program, only=[Predicate("adjacent", 2), Predicate("cell", 1)]):
        found[atom.name].add(tuple(term.value for term in atom.arguments if isinstance(term, Integer)))
    assert found == {"adjacent": pairs, "cell": {(cell,) for cell in game.cells}}


@pytest.mark.takes_seconds(keep=8)
@pytest.mark.parametrize(("name", "size"), BOARDS)
def test_the_referee_agrees_with_another_algorithm(name: str, size: int) -> None:
    game, case = board(name, size), CASES[name]
    if size > case.judged:
        game = board(name, case.judged)
    for position in positions(game, 200):
        for player in PLAYERS:
            stones = position.stones(player)
            assert has_won(position, player) == case.judge(game, stones, player), position.to_text()


@pytest.mark.parametrize(("name", "size"), BOARDS)
def test_winning_stones_win_and_none_can_be_spared(name: str, size: int) -> None:
    game = board(name, size)
    for position in positions(game, 30):
        for player in PLAYERS:
            chain = winning_chain(position, player)
            assert (chain is not None) == has_won(position, player)
            kept = frozenset(chain or ())
            assert kept <= position.stones(player)
            assert chain is None or game.has_won(kept, player)
            assert not any(game.has_won(kept - {cell}, player) for cell in kept)


@pytest.mark.parametrize(("name", "size"), BOARDS)
def test_a_picture_shows_every_cell_and_stone(name: str, size: int) -> None:
    game = board(name, size)
    position = full(game, frozenset(cell for cell in game.cells if cell % 2))
    picture = ElementTree.fromstring(draw_svg(position))
    shapes = [element.tag.rpartition("}")[2] for element in picture.iter()]
    bands = 4 if isinstance(game, Hex) else 0
    assert shapes.count("polygon") == len(game.cells) + bands
    assert shapes.count("circle") == len(position.red) + 2 * len(position.blue)
    width, height = float(picture.get("width", 0)), float(picture.get("height", 0))
    for element in picture.iter("{http://www.w3.org/2000/svg}circle"):
        radius = float(element.get("r", 0))
        assert radius <= float(element.get("cx", 0)) <= width - radius
        assert radius <= float(element.get("cy", 0)) <= height - radius


@pytest.mark.takes_seconds(keep=40)
@pytest.mark.parametrize("engine", INSTALLED)
@pytest.mark.parametrize("name", CASES)
def test_every_rule_set_agrees_with_the_referee(name: str, engine: str) -> None:
    case, asked = CASES[name], 0
    quick = engine in QUICK
    sizes = (*case.small, case.large) if quick else case.small
    names = rule_set_names(name) if name != Hex.name else [Hex.reference]  # test_agreement has the others
    for rule_set, size in itertools.product(names, sizes):
        if rule_set == "follow-line" and size == case.large:
            continue  # every simple path of stones
        game = board(name, size)
        program = load_rule_set(rule_set).instantiate(game)
        if load_engine(engine).supports(program) is not None:
            continue
        with load_engine(engine).open(program) as session:
            for position in positions(game, 30 if quick else 3, each=EACH if quick else 16):
                for player in PLAYERS:
                    answer = session.ask(position_facts(position), win_query(player)).holds
                    assert answer == has_won(position, player), (rule_set, player, position.to_text())
                    asked += 1
    assert asked


@pytest.mark.parametrize("name", [name for name in CASES if name != Hex.name])
def test_all_rule_sets_are_proved_equal(name: str) -> None:
    game = board(name, CASES[name].proved)
    matrix = prove_all(game, time_s=120)
    assert [row.name for row in matrix.rule_sets] == list(rule_set_names(name))
    unequal = [row.summary for row in matrix.rule_sets if row.relation not in ("equal", "smaller")]
    # egglog alone takes union-find, and no engine asks it about each position here
    assert all("clusters-union" in summary for summary in unequal), unequal


@pytest.mark.takes_seconds(keep=12)
@pytest.mark.parametrize(
    ("name", "size", "expected"),
    [(name, size, expected) for name, case in CASES.items() for size, expected in case.theorems.items()],
)
def test_theorems_of_full_boards(name: str, size: int, expected: tuple[bool, bool]) -> None:
    game = board(name, size)
    rules = load_rule_set(game.reference)
    for theorem, true in zip((ONE_WINNER, NO_DRAW), expected, strict=True):
        outcome = prove_theorem(theorem, rules, game)
        assert isinstance(outcome, Proof if true else Refutation)
        if isinstance(outcome, Refutation):
            won = [player for player in PLAYERS if has_won(outcome.position, player)]
            assert not outcome.position.empty
            assert len(won) == 0 if theorem is NO_DRAW else len(won) != 1
        elif 2 ** len(game.cells) <= EACH:  # then `positions` has them all
            for position in positions(game, 0):
                won = [player for player in PLAYERS if has_won(position, player)]
                assert len(won) >= 1 if theorem is NO_DRAW else len(won) == 1


def test_more_stones_never_undo_a_win() -> None:
    dice = random.Random(3)
    for name, case in CASES.items():
        game = board(name, case.large)
        for _ in range(5):
            order = list(game.cells)
            dice.shuffle(order)
            answers = [game.has_won(frozenset(order[:count]), "red") for count in range(len(order) + 1)]
            assert answers == sorted(answers)
            assert answers[-1]
