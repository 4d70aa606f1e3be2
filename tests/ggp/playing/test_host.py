"""The host: it plays by the sheet, whatever players answer, and its record says what they did."""

from __future__ import annotations

import random
import socket
import threading
import time
from collections.abc import Callable
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, HTTPServer

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hexlogic.errors import GameError, HexlogicError
from hexlogic.ggp import StateMachine, read_kif, read_sheet, read_term, write_term
from hexlogic.ggp.playing import Player, choose_strategy
from hexlogic.ggp.playing.host import Host, NamedPlayer, Remote, enter, play_series, standings
from hexlogic.ggp.playing.player import GameServer
from hexlogic.ggp.playing.protocol import Abort, Message, Play, Start, Stop
from hexlogic.ggp.playing.record import decode_match, encode_match
from tests.ggp.sheets import GAMES, IDS, load

TIC_TAC_TOE = load("tic-tac-toe")


def on_clingo(sheet):
    return StateMachine.from_sheet(sheet, "clingo")


def hosting(sheet, name="game", **options):
    return Host(sheet, name, on_clingo(sheet), on_clingo, **options)


@dataclass
class Scripted:
    """A contestant that answers as a function says; it keeps what it was sent."""

    says: Callable[[Message], str]
    heard: list[Message] = field(default_factory=list)

    text = "scripted"

    @contextmanager
    def seat(self, seed, make, log):
        try:
            yield self.ask
        finally:
            self.heard.append("left")

    def ask(self, message: Message, seconds: float) -> str:
        self.heard.append(message)
        return self.says(message)


def says(first):
    return lambda message: "READY" if isinstance(message, Start) else first


def replay(sheet, record):
    """The record against the sheet: every move legal, every state the next one, the goals those of the end."""
    machine = on_clingo(sheet)
    state = machine.initial_state
    for step in record.steps:
        assert step.state == sorted(map(write_term, state.facts))
        assert not machine.is_terminal(state)
        state = machine.next_state(state, list(map(read_term, step.moves)))
    assert record.end == sorted(map(write_term, state.facts))
    assert machine.is_terminal(state) == (record.outcome == "finished")
    if record.goals is not None:
        assert record.goals == [machine.goal(state, role) for role in machine.roles]


@pytest.mark.takes_seconds(keep=4)
@pytest.mark.parametrize("path", GAMES, ids=IDS)
def test_every_game_is_played_to_its_end_and_the_record_can_be_replayed(path):
    sheet = read_sheet(path)
    host = hosting(sheet, path.name)
    entries = [enter(text) for text in ("random", "uct:5", "random")][: len(host.machine.roles)]
    record = host.play("m", entries, seed=4)
    assert (record.outcome, record.faults) == ("finished", [])
    assert record.players == [entry.text for entry in entries]
    replay(sheet, record)
    assert decode_match(encode_match(record)) == record


def test_the_same_seed_gives_the_same_match_and_another_one_another():
    host = hosting(TIC_TAC_TOE)
    entries = [enter("uct:20"), enter("random")]

    def moves(seed):
        return [step.moves for step in host.play("m", entries, seed).steps]

    assert moves(1) == moves(1)
    assert len({str(moves(seed)) for seed in range(5)}) > 1


def test_players_hear_the_rules_their_role_and_every_joint_move():
    machine, draw = on_clingo(TIC_TAC_TOE), random.Random(1)
    one, other = Scripted(says("noop")), Scripted(says("noop"))
    record = hosting(TIC_TAC_TOE, start_clock_s=7, play_clock_s=5).play("m", [one, other], draw.getrandbits(8))
    for role, player in enumerate((one, other)):
        start, *plays, stop, left = player.heard
        assert start == Start(f"m.{role}", machine.roles[role], TIC_TAC_TOE, 7, 5)
        told = [None, *(tuple(map(read_term, step.moves)) for step in record.steps)]
        assert plays == [Play(f"m.{role}", moves) for moves in told[:-1]]
        assert (stop, left) == (Stop(f"m.{role}", told[-1]), "left")


@pytest.mark.parametrize(
    ("answer", "kind", "message"),
    [
        ("(mark 4 4)", "illegal", "(mark 4 4) is no legal move"),
        ("(mark 1 1", "unparsable", "1:1: this parenthesis is never closed (the text ends inside it)"),
        ("", "unparsable", "1:1: 0 terms where one should be"),
        ("?x", "unparsable", "1:1: the variable ?x in a term that should be ground"),
    ],
)
def test_a_bad_answer_is_replaced_by_a_legal_move_and_stands_in_the_record(answer, kind, message):
    record = hosting(TIC_TAC_TOE).play("m", [Scripted(says(answer)), enter("random")], 3)
    replay(TIC_TAC_TOE, record)
    assert len(record.faults) == len(record.steps) >= 5
    for number, (step, fault) in enumerate(record.faults, 1):
        assert (step, fault.role, fault.kind, fault.answer, fault.message) == (number, 0, kind, answer, message)
    again = hosting(TIC_TAC_TOE).play("m", [Scripted(says(answer)), enter("random")], 3)
    assert [step.moves for step in again.steps] == [
        step.moves for step in record.steps
    ]  # what the host draws is seeded


@pytest.mark.takes_seconds
@settings(max_examples=40, deadline=None)
@given(st.text(max_size=30))
def test_any_answer_leaves_the_match_going(answer):
    record = hosting(load("nim")).play("m", [Scripted(says(answer)), Scripted(says(answer))], 0)
    replay(load("nim"), record)
    assert record.outcome == "finished"


def test_moves_are_compared_as_terms():
    def spaced(message):
        if isinstance(message, Start):
            return "ready"
        return "  ( reduce   left  0 ) " if isinstance(message, Play) and message.moves is None else "noop"

    record = hosting(load("nim")).play("m", [Scripted(spaced), enter("random")], 0)
    assert record.steps[0].moves[0] == "(reduce left 0)"
    assert not [fault for step, fault in record.faults if step in (None, 1)]


def test_a_late_answer_is_a_fault_and_not_waited_for():
    answered = threading.Event()

    def slow(message):
        if isinstance(message, Play) and message.moves is None:
            answered.wait(60)
            return "(reduce left 0)"
        return "READY"

    record = hosting(load("nim"), play_clock_s=0).play("m", [Scripted(slow), Scripted(says("noop"))], 1)
    answered.set()
    step, fault = record.faults[0]
    assert (step, fault.role, fault.kind, fault.answer) == (1, 0, "late", None)
    assert record.steps[0].answered_s[0] is None
    replay(load("nim"), record)


def test_who_is_not_ready_plays_on_and_the_record_says_so():
    record = hosting(load("nim")).play("m", [Scripted(lambda message: "busy"), enter("random")], 1)
    assert [(fault.kind, fault.answer) for fault in record.start_faults] == [("not-ready", "busy")]
    replay(load("nim"), record)


def test_who_leaves_in_the_middle_is_reported():
    def leaves(message):
        if isinstance(message, Start):
            return "READY"
        raise ConnectionRefusedError(111, "Connection refused")

    record = hosting(load("nim")).play("m", [enter("random"), Scripted(leaves)], 1)
    assert {(fault.kind, fault.message) for _, fault in record.faults} == {("unreachable", "Connection refused")}
    replay(load("nim"), record)


def test_an_endless_match_is_stopped():
    sheet = read_kif("(role a) (init s) (legal a b) (<= (next s) (true s)) (<= terminal (true t)) (goal a 100)")
    player = Scripted(says("b"))
    record = hosting(sheet, longest=12).play("m", [player], 0)
    assert (record.outcome, len(record.steps), record.goals) == ("endless", 12, None)
    assert player.heard[-2] == Abort("m.0")


def test_a_sheet_that_leaves_a_role_without_a_move_is_an_error_and_players_are_told():
    sheet = read_kif("(role a) (init s) (<= (legal a b) (true s)) (<= terminal (true t)) (goal a 100)")
    player = Scripted(says("b"))
    with pytest.raises(GameError, match="a has no legal move"):
        hosting(sheet).play("m", [player], 0)
    assert player.heard[-2:] == [Abort("m.0"), "left"]
    with pytest.raises(GameError, match="1 roles, but 2 players"):
        hosting(sheet).play("m", [player, player], 0)


def test_a_built_in_player_that_is_not_ready_says_so():
    made = threading.Event()

    def slow(sheet):
        if sheet == TIC_TAC_TOE:
            made.wait(60)
        return on_clingo(sheet)

    logged = []
    host = Host(TIC_TAC_TOE, "t", on_clingo(TIC_TAC_TOE), slow, 0, 0, log=logged.append)
    record = host.play("m", [enter("uct:10"), enter("random")], 1)
    made.set()
    drawn = [line for line in logged if "by the prover: the machine is still being made" in line]
    answered = [step for step in record.steps if step.answered_s[0] is not None]
    assert len(drawn) >= len(answered) > 0


def test_players_change_roles_and_each_keeps_its_standing():
    host, entries = hosting(load("nim")), [enter("uct:60"), enter("random")]
    matches = list(play_series(host, entries, 4, swap=True, seed=1))
    assert [match.seats for match in matches] == [(0, 1), (1, 0), (0, 1), (1, 0)]
    assert [match.record.players for match in matches[:2]] == [["uct:60", "random"], ["random", "uct:60"]]
    one, other = standings(entries, matches)
    assert one.goals == tuple(match.record.goals[role] for match, role in zip(matches, (0, 1, 0, 1), strict=True))
    assert (one.wins, one.losses) == (other.losses, other.wins)
    assert one.wins + one.draws + one.losses == 4


def test_standings_by_hand():
    def played(seats, goals):
        class Record:
            faults = ()

        Record.goals = goals
        from hexlogic.ggp.playing.host import Played

        return Played(seats, Record)

    entries = [NamedPlayer("a", Remote("h", 1)), NamedPlayer("b", Remote("h", 2))]
    matches = [played((0, 1), [100, 0]), played((1, 0), [100, 0]), played((0, 1), [50, 50]), played((0, 1), None)]
    a, b = standings(entries, matches)
    assert (a.matches, a.wins, a.draws, a.losses, a.goals, a.mean_goal) == (4, 1, 1, 1, (100, 0, 50), 50)
    assert (b.wins, b.draws, b.losses) == (1, 1, 1)
    alone = standings(entries[:1], [played((0,), [100]), played((0,), [40]), played((0,), None)])[0]
    assert (alone.wins, alone.losses, alone.mean_goal) == (1, 1, 70)
    assert standings(entries[:1], [played((0,), None)])[0].mean_goal is None


@contextmanager
def served(strategy):
    player = Player(choose_strategy(strategy), make=on_clingo)
    with GameServer(player, port=0) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        try:
            yield server
        finally:
            server.shutdown()
            thread.join()
            player.close()


def test_a_match_with_our_player_on_loopback():
    with served("uct:30") as server:
        here = enter(server.url)
        assert here.home == Remote("127.0.0.1", server.server_address[1])
        here.check()
        matches = list(play_series(hosting(TIC_TAC_TOE), [here, enter("random")], 4, swap=True, seed=2))
        for match in matches:
            assert (match.record.outcome, match.record.faults) == ("finished", [])
            replay(TIC_TAC_TOE, match.record)
        one, _ = standings([here, enter("random")], matches)
        assert one.losses == 0


def test_one_server_plays_both_roles():
    with served("random") as server:
        record = hosting(load("pursuit")).play("m", [enter(server.url)] * 2, 5)
    assert (record.outcome, record.faults) == ("finished", [])


def test_players_on_different_machines_agree_with_players_in_this_process():
    with ExitStack() as stack:
        urls = [stack.enter_context(served("random")).url for _ in range(2)]
        record = hosting(load("rock-paper-scissors")).play("m", [enter(url) for url in urls], 0)
    replay(load("rock-paper-scissors"), record)
    assert record.faults == []


def test_nobody_at_a_url_is_one_line():
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    with pytest.raises(HexlogicError, match=rf"player http://127.0.0.1:{port}: cannot be reached: Connection refused"):
        enter(f"http://127.0.0.1:{port}").check()


@pytest.mark.parametrize("url", ["http://", "http://host", "https://h:1", "ftp://h:1", "http://h:99999", "http://h:x"])
def test_urls_that_are_none_are_refused(url):
    with pytest.raises(HexlogicError, match="no URL of a player"):
        enter(url)


class Odd(BaseHTTPRequestHandler):
    """Says what its server is told to say, as raw bytes."""

    def do_POST(self):
        self.rfile.read(int(self.headers["Content-Length"]))
        self.wfile.write(self.server.says)

    def log_message(self, *args):
        pass


@pytest.mark.takes_seconds(keep=4)
@pytest.mark.parametrize(
    ("raw", "kind"),
    [
        (b"HTTP/1.0 200 OK\r\n\r\n( reduce left 0 )", None),
        (b"HTTP/1.0 200 OK\r\nContent-Length: 15\r\n\r\n(reduce left 0)more", None),
        (b"HTTP/1.0 500 Oh\r\n\r\nno", "refused"),
        (b"garbage\r\n\r\n", "unreachable"),
        (b"", "unreachable"),
        (b"HTTP/1.0 200 OK\r\n\r\n\xff\xfe(", "unparsable"),
        (b"HTTP/1.0 200 OK\r\n\r\n" + b"(" * 300_000, "unparsable"),
    ],
)
def test_what_odd_servers_answer_is_told_apart(raw, kind):
    with HTTPServer(("127.0.0.1", 0), Odd) as server:
        server.says = raw
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02})
        thread.start()
        try:
            entry = enter(f"http://127.0.0.1:{server.server_address[1]}/player?x=1")
            record = hosting(load("nim")).play("m", [entry, enter("random")], 2)
        finally:
            server.shutdown()
            thread.join()
    first = [fault for step, fault in record.faults if step == 1]
    assert [fault.kind for fault in first] == ([kind] if kind else [])
    assert all(len(fault.answer or "") <= 200 for _, fault in record.faults)
    replay(load("nim"), record)


def test_the_record_times_answers():
    def waits(message):
        if isinstance(message, Play):
            time.sleep(0.05)
        return "READY" if isinstance(message, Start) else "noop"

    record = hosting(load("nim")).play("m", [Scripted(waits), Scripted(says("noop"))], 0)
    assert all(step.answered_s[0] >= 0.05 for step in record.steps)
