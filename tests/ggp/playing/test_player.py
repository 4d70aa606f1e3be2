"""The player by what it answers to a host: whole matches, and hosts that say what they should not."""

from __future__ import annotations

import random
import threading
import time

import pytest

from hexlogic.errors import EngineError, GameError, HexlogicError, MoveError, UnknownNameError
from hexlogic.ggp import StateMachine, read_sheet, read_term, write_term
from hexlogic.ggp.playing import NamedStrategy, Player, Strategy, choose_strategy
from hexlogic.ggp.playing import match as match_module
from hexlogic.ggp.playing.protocol import Play, Start, Stop, write_message
from hexlogic.ggp.playing.strategy import DRAWN
from tests.ggp.sheets import LIGHTS, load
from tests.waiting import HANG_S, wait_for

TIC_TAC_TOE = load("tic-tac-toe")
X, O = read_term("xplayer"), read_term("oplayer")  # noqa: E741  # the name of the sign


def on_clingo(sheet):
    return StateMachine.from_sheet(sheet, "clingo")


def new_player(strategy="random", **options):
    return Player(choose_strategy(strategy), **{"make": on_clingo, **options})


def start(match="m", role=X, sheet=TIC_TAC_TOE, start_clock=10, play_clock=10):
    return write_message(Start(match, role, sheet, start_clock, play_clock))


def play(match, *moves):
    return write_message(Play(match, tuple(map(read_term, moves)) or None))


class Game:
    """A host that plays the other roles at random and insists on legal moves."""

    def __init__(self, player, sheet, role, match, seed):
        self.machine, self.player, self.match = on_clingo(sheet), player, match
        self.steps = 0
        self.role, self.draw = self.machine.roles.index(role), random.Random(seed)
        self.state, self.joint, self.noted = self.machine.initial_state, None, []
        assert player.answer(start(match, role, sheet)) == "READY"

    def step(self):
        self.steps += 1
        assert self.steps < 500
        move = read_term(self.player.answer(write_message(Play(self.match, self.joint))))
        options = [self.machine.legal_moves(self.state, role) for role in self.machine.roles]
        assert move in options[self.role]
        joint = [self.draw.choice(own) for own in options]
        joint[self.role] = move
        self.joint = tuple(joint)
        self.state = self.machine.next_state(self.state, self.joint)

    @property
    def over(self):
        return self.machine.is_terminal(self.state)

    def stop(self):
        assert self.player.answer(write_message(Stop(self.match, self.joint))) == "DONE"


@pytest.mark.takes_seconds(keep=4)
@pytest.mark.parametrize("strategy", ["random", "uct:20"])
@pytest.mark.parametrize(
    ("sheet", "role"),
    [
        (TIC_TAC_TOE, "xplayer"),
        (TIC_TAC_TOE, "oplayer"),
        (load("rock-paper-scissors"), "right"),
        (load("pursuit"), "hare"),
        (load("counter"), "robot"),
        (read_sheet(LIGHTS), "robot"),
    ],
    ids=["x", "o", "right", "hare", "counter", "lights"],
)
def test_whole_matches_are_played_with_legal_moves(strategy, sheet, role):
    logged = []
    player = new_player(strategy, log=logged.append)
    for seed in range(3):
        game = Game(player, sheet, read_term(role), f"m{seed}", seed)
        while not game.over:
            game.step()
        game.stop()
        assert logged[-1] == f"m{seed}: over (goal {game.machine.goal(game.state, role)})"
    assert player.answer("(INFO)") == "((name hexlogic) (status available))"


def test_two_matches_at_once_do_not_mix():
    player = new_player("uct:10")
    games = [Game(player, TIC_TAC_TOE, X, "one", 1), Game(player, load("nim"), read_term("Second"), "two", 2)]
    while not all(game.over for game in games):
        for game in games:
            if not game.over:
                game.step()
    for game in games:
        game.stop()


def test_matches_that_are_not_played_are_not_ours():
    player = new_player()
    for message in ("(PLAY m NIL)", "(STOP m NIL)", "(ABORT m)", "(PLAY m (noop (mark 1 1)))"):
        assert player.answer(message) == "busy"
    assert player.answer(start()) == "READY"
    assert player.answer(start()) == "busy"  # it is being played
    assert player.answer("(PLAY n NIL)") == "busy"
    assert player.answer("(ABORT m)") == "DONE"
    assert player.answer("(PLAY m NIL)") == "busy"


def test_moves_that_do_not_belong_there_change_nothing():
    player = new_player()
    player.answer(start(role=O))
    assert player.answer("(PLAY m NIL)") == "noop"
    for wrong in ("(noop noop)", "((mark 4 1) noop)", "((mark 1 1))", "((mark 1 1) (mark 1 2))"):
        with pytest.raises(MoveError):
            player.answer(f"(PLAY m {wrong})")
    reply = player.answer("( PLAY m ( ( mark 1 1 ) noop ) )")
    assert player.answer("(PLAY m ((mark 1 1) noop))").startswith("(mark")  # said again: changes nothing
    with pytest.raises(MoveError, match="NIL"):
        player.answer("(PLAY m NIL)")
    assert player.answer(f"(PLAY m (noop {reply}))") == "noop"


def test_nothing_is_played_after_the_end():
    player, machine = new_player(), on_clingo(load("counter"))
    player.answer(start(role=read_term("robot"), sheet=load("counter")))
    state, moves = machine.initial_state, []
    while not machine.is_terminal(state):
        player.answer(play("m", *moves))
        moves = ["WAIT"]
        state = machine.next_state(state, [read_term("WAIT")])
    for _ in range(2):
        with pytest.raises(MoveError, match="over"):
            player.answer(play("m", *moves))
    assert player.answer("(STOP m (WAIT))") == "DONE"


def test_a_sheet_or_role_that_cannot_be_played_is_refused_and_forgotten():
    player = new_player()
    with pytest.raises(UnknownNameError, match="unknown role 'zplayer'"):
        player.answer(start(role=read_term("zplayer")))
    with pytest.raises(GameError, match="names no role"):
        player.answer("(START m a ((init b)) 10 10)")
    assert player.answer(start()) == "READY"


def test_a_machine_that_cannot_be_made_is_replaced_for_the_whole_match():
    """What still works, a prover, makes legal moves from START to the end, and the notes say why."""

    def refused(sheet):
        raise EngineError("no machine for this sheet")

    said = []
    player = new_player(make=refused, log=said.append)
    assert player.answer(start()) == "READY"
    with on_clingo(TIC_TAC_TOE) as machine:
        move = read_term(player.answer("(PLAY m NIL)"))
        assert move in machine.legal_moves(machine.initial_state, X)
    assert player.answer("(ABORT m)") == "DONE"
    assert any("no machine for this sheet" in line for line in said)


def test_there_is_room_for_so_many_matches_and_silent_hosts_make_room(monkeypatch):
    player = new_player(most_matches=2)
    assert [player.answer(start(match)) for match in "abc"] == ["READY", "READY", "busy"]
    assert player.answer("(INFO)") == "((name hexlogic) (status busy))"
    monkeypatch.setattr(match_module, "PATIENCE", 0)
    assert player.answer(start("c")) == "READY"


def test_a_host_that_is_late_makes_room_when_another_one_starts():
    player = new_player(most_matches=2)
    assert [player.answer(start(match)) for match in "ab"] == ["READY", "READY"]
    late = player._matches["a"]
    late._last_request -= late.start.start_clock_s + 2 * late.start.play_clock_s + match_module.LATE_S + 1
    assert player.answer("(INFO)") == "((name hexlogic) (status busy))"
    assert player.answer(start("c")) == "READY"
    assert sorted(player._matches) == ["b", "c"]


def test_a_machine_that_is_late_is_replaced_until_it_is_there():
    made = threading.Event()

    def slow(sheet):
        made.wait(HANG_S)
        return on_clingo(sheet)

    logged = []
    player = new_player("uct:30", make=slow, log=logged.append)
    assert player.answer(start(start_clock=0, play_clock=0)) == "READY"
    move = player.answer("(PLAY m NIL)")
    assert "still being made" in logged[0]
    assert logged[-1].endswith("; by the prover: the machine is still being made)")
    made.set()
    match = player._matches["m"]
    match._machines[0].made.result(timeout=HANG_S)
    assert player.answer(f"(PLAY m ({move} noop))") == "noop"
    machine = on_clingo(TIC_TAC_TOE)
    state = machine.next_state(machine.initial_state, [read_term(move), read_term("noop")])
    reply = machine.legal_moves(state, O)[0]
    answer = read_term(player.answer(f"(PLAY m (noop {write_term(reply)}))"))
    assert answer in machine.legal_moves(machine.next_state(state, [read_term("noop"), reply]), X)
    player.close()


def test_a_new_request_ends_the_thinking_for_the_last():
    player = new_player("uct")
    assert player.answer(start(start_clock=1, play_clock=100_000)) == "READY"
    answers = []
    first = threading.Thread(target=lambda: answers.append(player.answer("(PLAY m NIL)")))
    first.start()
    while not player._matches["m"]._clock.left_s:
        time.sleep(0.001)
    assert player.answer("(ABORT m)") == "DONE"
    first.join(timeout=HANG_S)
    assert len(answers) == 1


class Ponderer(Strategy):
    """Chooses its first move when it is let to, whatever the clock says."""

    released: threading.Event

    def choose(self, state, clock):
        self.released.wait(HANG_S)
        return self.legal_moves(state)[0]


def test_a_question_without_an_answer_does_not_outlast_the_clock(monkeypatch):
    """Meanwhile moves are drawn; when it is answered at last, the strategy chooses again."""
    make, patience_s = NamedStrategy.__call__, [0.0]
    monkeypatch.setattr(
        NamedStrategy, "__call__", lambda self, *given: Ponderer(*given) if self.name == "uct" else make(self, *given)
    )
    monkeypatch.setattr(Ponderer, "released", threading.Event(), raising=False)
    monkeypatch.setattr(match_module, "margin", lambda clock_s, wanted_s: patience_s[0])
    logged, counter, robot = [], load("counter"), read_term("robot")
    player, machine = new_player("uct", log=logged.append), on_clingo(counter)
    assert player.answer(start(role=robot, sheet=counter, start_clock=HANG_S, play_clock=0)) == "READY"
    state, heard = machine.initial_state, "NIL"
    match = player._matches["m"]
    for step in range(3):
        if step == 1:
            patience_s[0] = 2.0 * HANG_S
            match._machines[0].made.result(timeout=HANG_S)
        if step == 2:
            Ponderer.released.set()
            wait_for(lambda: match._machines[0].stage == "ready")
        move = read_term(player.answer(f"(PLAY m {heard})"))
        assert move in machine.legal_moves(state, robot)
        state, heard = machine.next_state(state, [move]), f"({write_term(move)})"
    assert [DRAWN in line for line in logged[1:]] == [True, True, False]
    assert [line.endswith("the clock)") for line in logged[1:]] == [True, True, False]
    assert match._machines[0].stage == "ready"
    player.close()


def test_where_a_question_takes_longer_than_the_clock_the_best_move_so_far_is_made(monkeypatch):
    make = NamedStrategy.__call__
    monkeypatch.setattr(
        NamedStrategy, "__call__", lambda self, *given: Ponderer(*given) if self.name == "uct" else make(self, *given)
    )
    monkeypatch.setattr(Ponderer, "released", threading.Event(), raising=False)
    monkeypatch.setattr(Ponderer, "best_so_far", lambda self: self.legal_moves(self.machine.initial_state)[-1])
    monkeypatch.setattr(match_module, "margin", lambda clock_s, wanted_s: 0.0)
    logged = []
    player = new_player("uct", log=logged.append)
    assert player.answer(start(start_clock=HANG_S, play_clock=0)) == "READY"
    with on_clingo(TIC_TAC_TOE) as machine:
        best = machine.legal_moves(machine.initial_state, X)[-1]
    assert read_term(player.answer("(PLAY m NIL)")) == best
    assert "the best so far: a question to the machine took longer" in logged[-1]
    Ponderer.released.set()
    player.close()


def test_the_end_of_a_match_does_not_wait_for_the_goals(monkeypatch):
    asked, answered = threading.Event(), threading.Event()

    def goal(machine, state, role):
        asked.set()
        answered.wait(HANG_S)

    monkeypatch.setattr(StateMachine, "goal", goal)
    logged, counter = [], load("counter")
    player, machine = new_player(log=logged.append), on_clingo(counter)
    player.answer(start(role=read_term("robot"), sheet=counter, play_clock=1))
    state, moves = machine.initial_state, []
    while not machine.is_terminal(state):
        player.answer(play("m", *moves))
        moves, state = ["WAIT"], machine.next_state(state, [read_term("WAIT")])
    assert player.answer("(STOP m (WAIT))") == "DONE"
    assert asked.is_set()
    assert "the end was not followed" in logged[-1]
    answered.set()


BROKEN = [
    "(<= (goal xplayer ?x) (role xplayer))",
    "(<= (p ?r) (role ?r) (not (q ?r))) (<= (q ?r) (role ?r) (not (p ?r))) (<= (goal ?r 0) (p ?r))",
    "(<= (legal xplayer) (role xplayer))",
    "(<= (distinct a b) (role a))",
    "(<= (legal ?r (fly ?x)) (role ?r))",
    "(<= )",
    "()",
]


@pytest.mark.parametrize("broken", BROKEN)
def test_a_sheet_with_a_broken_rule_is_played_by_the_others(broken):
    logged = []
    player = new_player(log=logged.append)
    whole = start()
    assert player.answer(whole.replace("((role ", f"({broken} (role ", 1)) == "READY"
    assert "some rules are left out: <message>:1:" in logged[0]
    with on_clingo(TIC_TAC_TOE) as machine:
        move = read_term(player.answer("(PLAY m NIL)"))
        assert move in machine.legal_moves(machine.initial_state, X)


@pytest.mark.parametrize("sheet", ["(role a) (<= (legal a ?x) (role a))", "(role) (legal a b)", "(legal a b) ()"])
def test_a_sheet_of_which_nothing_can_be_played_is_refused_with_its_first_fault(sheet):
    player = new_player()
    with pytest.raises(HexlogicError, match=r"^<message>:1:"):
        player.answer(f"(START m a ({sheet}) 1 1)")
    assert player.answer("(PLAY m NIL)") == "busy"
