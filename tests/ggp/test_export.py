"""Exported sheets are games: they read back, pass the checks, and random play ends when the referee says so."""

from __future__ import annotations

import random
import re
from dataclasses import dataclass, field

import networkx
import pyspiel
import pytest

from hexlogic.errors import HexlogicError, SizeError, UnknownNameError
from hexlogic.games import BLUE, PLAYERS, RED, Game, Hex, Player, load_game
from hexlogic.ggp import StateMachine, read_hrf, read_kif
from hexlogic.ggp.check import Plays, check_sheet
from hexlogic.ggp.export import Sheet, export_sheet, find_rules, sheet_rule_sets
from hexlogic.ggp.export.sheet import family, sheet_text
from hexlogic.ggp.language.static_facts import possible_inputs
from hexlogic.ggp.machines import State
from hexlogic.language import Function, Symbol, Term
from hexlogic.language.analysis.dependence import recursive_through
from hexlogic.language.ground.program import ground_program
from hexlogic.language.passes import Pipeline
from tests.checkout import CHECKOUT
from tests.ggp.reasoners_here import REASONERS

pytestmark = pytest.mark.many_cases(keep=3)

CYCLE_FREE = [
    "clusters-by-side",
    "clusters-merging",
    "components-by-step",
    "follow-line-sweeps",
    "follow-line-unrolled",
]
SMALL_WHEN_GROUND = [name for name in CYCLE_FREE if name != "components-by-step"]
"""`components-by-step` is for a prover: ground, it has 856,886 rules on 5x5 and fills a machine on 9x9."""
RECURSIVE = ["follow-line-tabled", "follow-line-kept", "clusters-labelled", "maker-breaker"]
REFUSED = {"clusters-union", "follow-line", "follow-line-computed", "power-set"}
BOARDS: list[tuple[str, tuple[int, ...], bool]] = [
    ("hex", (3, 3), False),
    ("hex", (2, 4), False),
    ("hex", (3, 3), True),
    ("hex", (1, 1), False),
    ("y", (3,), False),
    ("y", (4,), True),
    ("tic-tac-toe-3d", (2,), False),
    ("tic-tac-toe-3d", (3,), True),
    ("havannah", (2,), False),
    ("havannah", (3,), True),
]
CASES = [
    pytest.param(name, game, size, swap, id=f"{name}-{'x'.join(map(str, size))}{'-swap' * swap}")
    for game, size, swap in BOARDS
    for name in sheet_rule_sets(game)
    if name not in REFUSED
]


def make(name: str, game: str, size: tuple[int, ...], swap: bool = False) -> Sheet:
    return export_sheet(find_rules(name, game), load_game(game).of_size(*size), swap=swap)


@dataclass
class Referee:
    """What the rules of the game say, told without any rule set."""

    game: Game
    swap: bool
    stones: dict[Player, frozenset[int]] = field(default_factory=lambda: {RED: frozenset(), BLUE: frozenset()})
    moves: int = 0

    @property
    def mover(self) -> Player:
        return PLAYERS[self.moves % 2]

    def name(self, cell: int) -> Symbol:
        return Symbol(self.game.cell_name(cell))

    def legal(self) -> set[Term]:
        taken = self.stones[RED] | self.stones[BLUE]
        found: set[Term] = {Function("place", (self.name(cell),)) for cell in self.game.cells if cell not in taken}
        return found | ({Symbol("swap")} if self.swap and self.moves == 1 else set())

    def play(self, move: Term) -> None:
        if isinstance(move, Function):
            cell = next(cell for cell in self.game.cells if self.name(cell) == move.arguments[0])
            self.stones[self.mover] |= {cell}
        else:
            (cell,) = self.stones[RED]
            if isinstance(self.game, Hex):
                cell = self.game.cell(row=self.game.column(cell), column=self.game.row(cell))
            self.stones = {RED: frozenset(), BLUE: frozenset({cell})}
        self.moves += 1

    def winners(self) -> list[Player]:
        return [player for player in PLAYERS if self.game.has_won(self.stones[player], player)]

    def facts(self) -> set[Term]:
        held: set[Term] = {
            Function("stone", (Symbol(player), self.name(cell))) for player in PLAYERS for cell in self.stones[player]
        }
        return held | {Function("control", (Symbol(self.mover),))}


def facts_told(state: State) -> set[Term]:
    """The stones and the player to move, as facts or by the groups of stones that a state carries."""
    found: set[Term] = set()
    for fact in state.facts:
        assert isinstance(fact, Function)
        if fact.name in ("stone", "control"):
            found.add(fact)
        elif fact.name == "group":
            found.add(Function("stone", (fact.arguments[0], fact.arguments[2])))
        elif fact.name == "cluster" and fact.arguments[1] not in (Symbol("start"), Symbol("finish")):
            found.add(Function("stone", (fact.arguments[2], fact.arguments[1])))
    return found


def play_a_game(machine: StateMachine, referee: Referee, draw: random.Random) -> None:
    """One random game, the machine compared with the referee before every move."""
    state = machine.initial_state
    full = len(referee.game.cells)
    while True:
        assert facts_told(state) == referee.facts()
        winners = referee.winners()
        over = bool(winners) or len(referee.stones[RED] | referee.stones[BLUE]) == full
        assert machine.is_terminal(state) == over
        if over:
            goals = [100 * (player in winners) for player in PLAYERS] if winners else [50, 50]
            assert [machine.goal(state, player) for player in PLAYERS] == goals
            return
        mover, waiting = PLAYERS[referee.moves % 2], PLAYERS[(referee.moves + 1) % 2]
        legal = machine.legal_moves(state, mover)
        assert set(legal) == referee.legal()
        assert machine.legal_moves(state, waiting) == (Symbol("noop"),)
        # The swap is tried in half of the games, the other moves evenly.
        move = Symbol("swap") if Symbol("swap") in legal and draw.random() < 0.5 else draw.choice(legal)
        joint = {mover: move, waiting: Symbol("noop")}
        state = machine.next_state(state, [joint[player] for player in PLAYERS])
        referee.play(move)


@pytest.mark.takes_seconds(keep=4)
@pytest.mark.parametrize(("name", "game", "size", "swap"), CASES)
def test_random_play_agrees_with_the_referee(name, game, size, swap):
    sheet = make(name, game, size, swap)
    machine = StateMachine.from_sheet(sheet.program, "clingo")
    draw = random.Random(f"{name} {size}")
    for _ in range(6):
        play_a_game(machine, Referee(sheet.game, swap), draw)


@pytest.mark.takes_seconds(keep=20)
@pytest.mark.parametrize(("name", "game", "size", "swap"), CASES)
def test_the_text_reads_back_and_passes_every_check(name, game, size, swap):
    sheet = make(name, game, size, swap)
    text = sheet_text(sheet)
    assert read_kif(text) == read_hrf(sheet_text(sheet, "hrf")) == sheet.program
    found = check_sheet(text, plays=Plays(games=3)).findings
    assert {finding.check for finding in found} == ({"cycles"} if sheet.size.cyclic else set())
    assert f"family: {family(sheet.program, sheet.size)}" in text
    assert f"{sheet.size.rules:,} ground rules" in text


@pytest.mark.takes_seconds(keep=4)
@pytest.mark.parametrize(("name", "game", "size", "swap"), CASES)
def test_a_sheet_is_acyclic_where_it_says_so(name, game, size, swap):
    sheet = make(name, game, size, swap)
    inputs = possible_inputs(sheet.program)
    assert inputs
    ground = ground_program(sheet.program, inputs)
    graph = networkx.DiGraph((rule.head, part) for rule in ground.rules for part in (*rule.positive, *rule.negative))
    assert sheet.size.cyclic != networkx.is_directed_acyclic_graph(graph)


@pytest.mark.parametrize(("name", "game", "size", "swap"), CASES)
def test_the_recursive_literal_stands_first(name, game, size, swap):
    program = make(name, game, size, swap).program
    for rule in program.rules:
        circle = recursive_through(program, rule.head.predicate)
        places = [place for place, literal in enumerate(rule.literals) if literal.atom.predicate in circle]
        assert places in ([], [0]), str(rule)


@pytest.mark.takes_seconds(keep=24)
@pytest.mark.parametrize("reasoner", REASONERS)
@pytest.mark.parametrize("name", [*RECURSIVE, *CYCLE_FREE])
def test_every_reasoner_plays_it_by_the_rules(name, reasoner):
    sheet = make(name, "hex", (4, 4), swap=True)
    with StateMachine.from_sheet(sheet.program, reasoner) as machine:
        for seed in range(5):
            play_a_game(machine, Referee(sheet.game, swap=True), random.Random(seed))


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("clusters-union", "may be anything"),
        ("follow-line", "grow without end"),
        ("follow-line-computed", "GDL has neither arithmetic nor an order, as in .reach.P,Y. :- "),
        ("power-set", "incomplete .misses every chain that turns back"),
    ],
)
def test_what_cannot_be_a_sheet_is_refused(name, message):
    with pytest.raises(HexlogicError, match=message):
        make(name, "hex", (3, 3))


def test_the_swap_rule_needs_a_mirror_image():
    with pytest.raises(SizeError, match="3x4 Hex has no mirror image"):
        make("follow-line-tabled", "hex", (3, 4), swap=True)


def test_a_rule_set_of_another_game_is_not_known():
    with pytest.raises(UnknownNameError, match="unknown rule set for y 'follow-line-tabled'"):
        find_rules("follow-line-tabled", "y")


@pytest.mark.parametrize("pipeline", ["ground", "ground,reorder:cost,prune", "magic"])
def test_passes_keep_a_sheet_a_game(pipeline):
    rules, game = find_rules("follow-line-tabled", "hex"), Hex(3, 3)
    sheet = export_sheet(rules, game, swap=True, pipeline=Pipeline.parse(pipeline))
    assert sheet.program != export_sheet(rules, game, swap=True).program
    machine = StateMachine.from_sheet(sheet.program, "clingo")
    for seed in range(3):
        play_a_game(machine, Referee(game, swap=True), random.Random(seed))


def test_a_relation_that_the_frame_has_a_use_for_gets_another_name():
    text = sheet_text(make("tic-tac-toe-3d/follow-line", "tic-tac-toe-3d", (2,)))
    assert "(next_on_board 1 a11 b11)" in text


def test_the_order_of_cells_becomes_facts():
    text = sheet_text(make("clusters-labelled", "hex", (2, 2)))
    assert "\n(smaller b1 a2)\n" in text
    assert "(smaller a2 b1)" not in text


@pytest.mark.takes_seconds(keep=4)
@pytest.mark.parametrize("size", [(4, 4), (5, 5), (3, 6)], ids=lambda size: "x".join(map(str, size)))
@pytest.mark.parametrize("name", ["follow-line-tabled", "maker-breaker", *SMALL_WHEN_GROUND])
def test_larger_boards_agree_with_open_spiel(name, size):
    sheet = make(name, "hex", size)
    assert sheet.size.cyclic == (name not in CYCLE_FREE)
    machine = StateMachine.from_sheet(sheet.program, "clingo")
    # Its first player joins the first row with the last, so its board is ours with columns and rows exchanged.
    game = sheet.game
    peer = pyspiel.load_game("hex", {"num_rows": game.columns, "num_cols": game.rows})
    draw = random.Random(size[0])
    for _ in range(4):
        state, other, moves = machine.initial_state, peer.new_initial_state(), 0
        while not other.is_terminal():
            assert not machine.is_terminal(state)
            action = draw.choice(other.legal_actions())
            column, row = divmod(action, game.rows)
            place = Function("place", (Symbol(game.cell_name(game.cell(row + 1, column + 1))),))
            noop = Symbol("noop")
            state = machine.next_state(state, (place, noop) if moves % 2 == 0 else (noop, place))
            other.apply_action(action)
            moves += 1
        assert machine.is_terminal(state)
        assert [machine.goal(state, player) for player in PLAYERS] == [50 + 50 * value for value in other.returns()]


@pytest.mark.takes_seconds
def test_the_best_cycle_free_sheet_is_an_eighth_of_the_published_one():
    # 102,168 components: Hex 9x9 with its connected components carried in the state, named by step number.
    sizes = {name: make(name, "hex", (9, 9)).size for name in ("follow-line-tabled", *SMALL_WHEN_GROUND)}
    assert {name: size.rules for name, size in sizes.items()} == {
        "follow-line-tabled": 1_688,
        "clusters-by-side": 108_788,
        "clusters-merging": 57_218,
        "follow-line-sweeps": 12_832,
        "follow-line-unrolled": 24_656,
    }
    assert [name for name, size in sizes.items() if size.cyclic] == ["follow-line-tabled"]


def test_whole_games_in_sweeps():
    game = Hex(6, 6)
    machine = StateMachine.from_sheet(make("follow-line-sweeps", "hex", (6, 6), swap=True).program, "clingo")
    for seed in range(8):
        play_a_game(machine, Referee(game, swap=True), random.Random(seed))


@pytest.mark.takes_seconds
def test_the_sizes_in_the_documentation_are_those_of_the_sheets():
    page = (CHECKOUT / "docs" / "hex-for-ggp.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| `([a-z-]+)`(, cycle-free)? \| ([\d,]+) / ([\d,]+) \| ([\d,]+) / ([\d,]+) \|", page, re.M)
    assert len(rows) == 6
    for name, cycle_free, *figures in rows:
        for size, rules, atoms in ((5, *figures[:2]), (7, *figures[2:])):
            found = make(name, "hex", (size, size)).size
            assert (f"{found.rules:,}", f"{found.atoms:,}", found.cyclic) == (rules, atoms, not cycle_free)
