"""Whole games as tasks of a suite: replayed by real workers, judged after every move, kept like any other run."""

from __future__ import annotations

import json
import re
import sys
from datetime import UTC, datetime
from pathlib import Path

import msgspec
import pytest

from hexlogic.cli import run as run_cli
from hexlogic.errors import HexlogicError, UnknownNameError
from hexlogic.games import PLAYERS, Hex, Moves, Position, has_won, load_game_record, register_game, unregister_game
from hexlogic.games.rulesets import load_rule_set, rule_set_names
from hexlogic.games.rulesets.transitions import load_transitions
from hexlogic.laboratory.records.store import RecordFile, RecordWriter, decode_record, read_records
from hexlogic.laboratory.records.types import Replayed, Run, Session, encode_record
from hexlogic.laboratory.runs import run as measuring
from hexlogic.laboratory.runs.kind import Measuring, Message, Rules, classify, encode_message
from hexlogic.laboratory.runs.kinds.question import Question
from hexlogic.laboratory.runs.plan import Plan, load_suite, make_plan, parse_suite
from hexlogic.laboratory.runs.run import execute_plan
from hexlogic.laboratory.runs.session import new_session
from hexlogic.laboratory.runs.tasks import Task, make_game_task
from hexlogic.language import Atom, Integer, Symbol
from hexlogic.language.engines import engine_names, installed_engines
from hexlogic.language.ground.solving import least_model
from hexlogic.process.isolate import Outcome
from hexlogic.process.limits import Load, Usage
from tests.games.other.crossing import Crossing

SUITE = """
name = "small"
games = ["random-1@3..5"]
repeats = 1
limits = { cpu_s = 20, memory_mb = 2000, wall_s = 3600 }
[[configurations]]
rule_sets = ["clusters"]
pipelines = ["ground,reorder"]
engines = ["clingo"]
"""

MERGING = """
[[configurations]]
rule_sets = ["clusters-merging"]
pipelines = ["none"]
engines = ["clingo"]
modes = ["followed"]
"""

STAND_IN = """
import json, sys
job = json.load(sys.stdin)
while job["task"]["rows"] > {slow_above}: pass
moves = job["task"]["game"]["moves"]
winners = "." * (len(moves) - {early}) + moves[-1][0][0] * {early}
replayed = dict(winners=winners, plies_s=[0.001] * len(winners), grown_bytes=0, facts=None, fact_bytes=None)
reply = dict(status="answered", answer=True, replayed=replayed)
reply["phases"] = dict(solve_s=0.001 * len(winners))
print(json.dumps(reply))
"""


def stand_in(monkeypatch: pytest.MonkeyPatch, *, early: int = 1, slow_above: int = 99) -> None:
    """A worker that says the winner so many moves before the end (1: rightly), and loops on larger boards."""
    text = STAND_IN.format(early=early, slow_above=slow_above)
    monkeypatch.setattr(measuring, "WORKER", (sys.executable, "-S", "-c", text))


def plan_of(text: str) -> Plan:
    return make_plan(parse_suite(text, "s.toml"), "s.toml")


def header(plan: Plan) -> Session:
    return new_session(plan, jobs=1, warm_up_jobs=2, command=[], started=datetime.now(UTC))


def carried_out(plan: Plan, folder: Path) -> RecordFile:
    with RecordWriter(folder) as writer:
        execute_plan(plan, header(plan), writer)
    return read_records(folder)


@pytest.mark.parametrize("name", ["random-1@3", "random-2@5", "random-7@9", "random-1@19"])
def test_recorded_games_end_with_their_first_win(name: str) -> None:
    board, moves = load_game_record(name)
    assert load_game_record(name) == (board, moves)
    position = Position(board)
    for ply, (player, cell) in enumerate(moves):
        assert player == PLAYERS[ply % 2]
        assert not has_won(position, "red")
        assert not has_won(position, "blue")
        position = position.play(player, cell)
    assert has_won(position, moves[-1][0])
    task = make_game_task(name, "followed")
    assert task.position == position
    assert task.game is not None
    assert task.game.winners == "." * (len(moves) - 1) + moves[-1][0][0]


def test_seeds_and_sizes_give_different_games() -> None:
    assert len({load_game_record(f"random-{seed}@5")[1] for seed in range(1, 6)}) == 5


@pytest.mark.parametrize("name", ["random-1", "random-1@3..5", "random-x@5", "difficult-1@5", "random-1@999"])
def test_names_that_are_no_games(name: str) -> None:
    with pytest.raises(HexlogicError):
        load_game_record(name)


def test_each_mode_goes_up_the_sizes_by_itself() -> None:
    chains = [[cell.task.name for cell in chain] for chain in plan_of(SUITE).chains()]
    assert chains == [[f"{mode} random-1@{size}" for size in (3, 4, 5)] for mode in ("followed", "anew")]


def test_configurations_may_have_games_of_their_own() -> None:
    text = SUITE + MERGING + 'games = ["random-2@4"]'
    tasks = [(cell.rule_set.name, cell.task.name) for cell in plan_of(text).configurations]
    assert tasks[-1] == ("clusters-merging", "followed random-2@4")
    assert len(tasks) == 7
    assert plan_of(text.replace('games = ["random-1@3..5"]', "")).configurations == plan_of(text).configurations[-1:]


def test_the_suite_of_games_has_every_reformulation_on_every_engine() -> None:
    cells = make_plan(*load_suite("games"), missing={}).configurations
    found = {(cell.rule_set.name, cell.engine, cell.task.game.mode) for cell in cells if cell.task.game is not None}
    engines = set(engine_names()) - {"epilog"}
    kept = {"clusters-merging", "power-set-kept", "power-set-parts"}
    followed = {(name, engine, "followed") for name in {*rule_set_names("hex"), *kept} for engine in engines}
    assert followed <= found
    # What cannot be followed is anew however it is called, and what is refused is refused in both modes.
    refused = {("clusters-union", engine) for engine in engines - {"egglog"}}
    refused |= {("follow-line", "compiled"), ("follow-line", "egglog")}
    refused |= {("clusters-labelled", "egglog"), ("maker-breaker", "egglog")}
    anew = {(name, engine, "anew") for name in rule_set_names("hex") for engine in engines}
    assert {(name, engine) for name, engine, _ in anew - found} == refused
    assert {cell.task.position.game.rows for cell in cells} >= {5, 19}


def test_keys_tell_modes_and_games_apart() -> None:
    plan = plan_of(SUITE.replace("random-1@3..5", 'random-1@3..5", "random-2@3..5'))
    session = header(plan)
    keys = {cell.key(session, warmup=False, repeat=0) for cell in plan.configurations}
    assert len(keys) == len(plan.configurations) == 12
    assert keys == {cell.key(header(plan), warmup=False, repeat=0) for cell in plan.configurations}


@pytest.mark.takes_seconds
def test_every_engine_is_right_after_every_move(tmp_path: Path) -> None:
    """Real workers, followed and anew; the winners are looked up once more with the referee."""
    engines = json.dumps([engine.name for engine in installed_engines() if engine.name != "epilog"])
    text = SUITE.replace('["clingo"]', engines).replace("@3..5", "@4") + MERGING
    records = carried_out(plan_of("warm_ups = 0" + text), tmp_path)
    counted = [run for run in records.runs if run.counted]
    assert len(counted) == 2 * len(json.loads(engines)) + 1
    board, moves = load_game_record("random-1@4")
    for run in counted:
        assert (run.status, run.category, run.message) == ("answered", "correct", None), run
        assert run.replayed is not None
        assert run.mode == run.task.partition(" ")[0]
        assert len(run.replayed.plies_s) == len(moves)
        assert run.phases.solve_s == pytest.approx(sum(run.replayed.plies_s))
        assert all(time_s > 0 for time_s in run.replayed.plies_s)
        position = Position(board)
        for letter, (player, cell) in zip(run.replayed.winners, moves, strict=True):
            position = position.play(player, cell)
            assert letter == next((p[0] for p in PLAYERS if has_won(position, p)), ".")
        counts = run.replayed.facts_by_ply
        assert run.replayed.facts == (counts[-1] if counts else None)
        if run.rule_set == "clusters-merging":
            assert counts == list(range(1, len(moves) + 1))
            assert (run.replayed.fact_bytes or 0) > len(moves) * len("cluster(1,1,red).")
        elif run.mode == "followed" and run.engine == "egglog":
            assert counts == [derived(moves[:ply]) for ply in range(1, len(moves) + 1)]
        elif run.mode == "followed" and run.engine == "compiled":
            assert counts is not None
            assert all(some <= derived(moves[: ply + 1]) for ply, some in enumerate(counts))
            assert counts == sorted(counts)
            assert counts[-1] > len(moves)
        else:
            assert counts is None


def derived(moves: Moves) -> int:
    """The facts of `clusters` after some moves, by clingo and without an engine's help."""
    board, _ = load_game_record("random-1@4")
    program = load_rule_set("clusters").instantiate(board)
    stones = [Atom("owns", (Symbol(player), Integer(cell))) for player, cell in moves]
    return sum(atom.name in {"same_cluster", "starts", "wins"} for atom in least_model(program, stones))


OTHERS = """
name = "others"
repeats = 1
warm_ups = 0
limits = { cpu_s = 20, memory_mb = 2000, wall_s = 3600 }
[[configurations]]
rule_sets = ["y/clusters", "y/maker-breaker"]
pipelines = ["ground,reorder"]
engines = ["clingo", "compiled"]
games = ["y/random-1@4"]
[[configurations]]
rule_sets = ["havannah/clusters"]
pipelines = ["ground,reorder"]
engines = ["clingo"]
games = ["havannah/random-3@2,3"]
[[configurations]]
rule_sets = ["tic-tac-toe-3d/clusters", "y/clusters"]
pipelines = ["ground,reorder"]
engines = ["clingo"]
games = ["tic-tac-toe-3d/random-1@3"]
"""


@pytest.mark.takes_seconds
def test_other_games_are_replayed_and_reported(tmp_path: Path) -> None:
    records = carried_out(plan_of(OTHERS), tmp_path / "r")
    counted = [run for run in records.runs if run.counted]
    right = [run for run in counted if run.category == "correct"]
    assert {(run.game, run.rule_set) for run in right} == {
        ("y", "y/clusters"),
        ("y", "y/maker-breaker"),
        ("havannah", "havannah/clusters"),
        ("tic-tac-toe-3d", "tic-tac-toe-3d/clusters"),
    }
    assert {run.status for run in counted if run not in right} == {"unsupported"}
    assert {run.rule_set for run in counted if run not in right} == {"y/clusters"}
    assert run_cli(["report", str(tmp_path / "r"), "--out", str(tmp_path / "out")]) == 0
    text = (tmp_path / "out" / "report.md").read_text(encoding="utf-8")
    assert text.startswith("# Who has won? ")
    assert "Who has won in Havannah, 3D tic-tac-toe and Y is asked after every" in text
    assert "| havannah/clusters | clingo | both | followed | 3 |" in text
    assert "Hex" not in text.replace("hexlogic", "")
    assert not re.search(r"\b\d+x\d+\b", text.partition("## How was it measured")[0])


def test_the_suite_of_the_documentation_is_one() -> None:
    plan = make_plan(*load_suite("docs/examples/other-games.toml"), missing={})
    assert {cell.task.board for cell in plan.configurations} == {"y", "havannah", "tic-tac-toe-3d"}


def test_a_full_board_may_have_no_winner() -> None:
    """On squares nobody need win: such a game is replayed to its end and expects no winner."""
    register_game(Crossing, Path("tests/games/other/rules"))
    try:
        tasks = [make_game_task(f"crossing/random-{seed}@4", "followed") for seed in range(1, 40)]
        drawn = [task for task in tasks if not task.expected]
        assert not any(has_won(task.position, player) for task in drawn for player in PLAYERS)
    finally:
        unregister_game("crossing")
    assert drawn
    assert {task.game.winners for task in drawn if task.game} == {"." * 16}
    assert all(task.game and task.game.winners[-1] == task.player[0] for task in tasks if task.expected)


def outcome(reply: Message) -> Outcome:
    usage = Usage(cpu_s=1.0, wall_s=1.0, peak_bytes=1)
    return Outcome(
        termination="completed",
        exit_code=0,
        exit_signal=None,
        usage=usage,
        stdout=encode_message(reply),
        stderr=b"",
        machine=Load(),
    )


def replied(winners: str) -> Outcome:
    replayed = Replayed(winners=winners, plies_s=[0.1] * len(winners), grown_bytes=0, facts=None, fact_bytes=None)
    return outcome(Message(status="answered", answer=winners[-1] != ".", replayed=replayed))


@pytest.mark.parametrize(
    ("told", "complete", "category", "words"),
    [
        ("...r", True, "correct", None),
        ("..rr", True, "wrong", "answered red after move 3, the oracle says nobody"),
        ("..rr", False, "wrong", "answered red after move 3, the oracle says nobody"),
        ("...b", False, "wrong", "answered blue after move 4, the oracle says red"),
        ("...x", True, "wrong", "answered both after move 4, the oracle says red"),
        ("....", True, "wrong", "answered nobody after move 4, the oracle says red"),
        ("....", False, "unknown", "misses this win, as an incomplete rule set may"),
        ("..r", True, "wrong", "answered after 3 moves of 4"),
    ],
)
def test_winners_are_judged_after_every_move(told: str, complete: bool, category: str, words: str | None) -> None:
    verdict = classify(replied(told), expected=True, complete=complete, winners="...r")
    assert (verdict.status, verdict.category, verdict.message) == ("answered", category, words)


def test_answer_without_the_moves_does_not_count() -> None:
    verdict = classify(outcome(Message(status="answered", answer=True)), expected=True, winners="...r")
    assert (verdict.status, verdict.category) == ("crashed", "unknown")


def test_wrong_winner_stops_the_series_and_is_status_1(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    stand_in(monkeypatch, early=2)
    (tmp_path / "small.toml").write_text(SUITE, encoding="utf-8")
    assert run_cli(["bench", "--suite", str(tmp_path / "small.toml"), "--out", str(tmp_path / "out")]) == 1
    out, err = capsys.readouterr()
    assert "WRONG ANSWER: clusters, ground,reorder, clingo, followed random-1@3, winner: answered blue after" in out
    assert "2 runs gave a wrong answer" in err
    assert {run.task.partition("@")[2] for run in read_records(tmp_path / "out").runs} == {"3"}


@pytest.mark.takes_seconds
@pytest.mark.parametrize("warm_ups", [0, 1])
def test_game_that_meets_the_limit_ends_its_series(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, warm_ups: int
) -> None:
    stand_in(monkeypatch, slow_above=3)
    text = f"warm_ups = {warm_ups}" + SUITE.replace("cpu_s = 20", "cpu_s = 4")
    records = carried_out(plan_of(text), tmp_path)
    late = [run for run in records.runs if run.status == "timeout"]
    assert {(run.task, run.mode, run.replayed, run.counted) for run in late} == {
        (f"{mode} random-1@4", mode, None, True) for mode in ("followed", "anew")
    }
    assert {run.task.partition("@")[2] for run in records.runs} == {"3", "4"}


def test_resumed_session_replays_nothing_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    stand_in(monkeypatch)
    plan = plan_of(SUITE)
    before = carried_out(plan, tmp_path / "first")
    assert len(before.runs) == 12
    with RecordWriter(tmp_path / "second") as writer:
        for line in (before.session, *before.runs[:-1]):
            writer.write(line)
    with RecordWriter(tmp_path / "second", resume=True) as writer:
        assert execute_plan(plan, before.session, writer).resumed == 11
    after = read_records(tmp_path / "second").runs
    assert after[:-1] == before.runs[:-1]
    assert (len(after), after[-1].key) == (12, before.runs[-1].key)


def test_records_made_before_there_were_games_are_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    stand_in(monkeypatch)
    run = carried_out(plan_of(SUITE), tmp_path).runs[0]
    assert decode_record(encode_record(run)) == run
    fields = json.loads(encode_record(run))
    del fields["mode"], fields["replayed"]
    older = decode_record(msgspec.json.encode(fields))
    assert isinstance(older, Run)
    assert (older.mode, older.replayed) == (None, None)


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ('games = ["random-1@3..5"]', "boards = []", "neither boards nor games"),
        ('"random-1@3..5"', '"rondom-1@3..5"', "unknown recorded game"),
        ('"random-1@3..5"', '"random-1"', "no game on one board"),
        ('modes = ["followed"]', 'modes = ["anew"]', "changes a state from move to move"),
        ('modes = ["followed"]', "", "changes a state from move to move"),
        ('modes = ["followed"]', 'modes = ["slowly"]', "modes"),
        ('pipelines = ["none"]', 'pipelines = ["ground"]', "changes a state from move to move"),
    ],
)
def test_bad_suites_of_games_say_what(tmp_path: Path, old: str, new: str, words: str) -> None:
    text = SUITE + MERGING
    assert old in text
    file = tmp_path / "s.toml"
    file.write_text(text.replace(old, new), encoding="utf-8")
    with pytest.raises(HexlogicError, match=words) as caught:
        make_plan(parse_suite(file.read_text(encoding="utf-8"), str(file)), str(file))
    assert caught.value.file == str(file)


@pytest.mark.parametrize("name", ["clusters-as-printed", "clusters-merging"])
@pytest.mark.parametrize("pipeline", ["none", "ground", "reorder", "ground,reorder,prune"])
def test_the_verifier_of_transition_rules_is_asked_about_the_state_that_stones_leave(name: str, pipeline: str) -> None:
    game = Hex.square(3)
    for stones in ({1, 5}, {1, 2, 3}, {7, 5, 3}, {1, 2, 6, 9}, {4, 5, 9}):
        position = Position(game, frozenset(stones), frozenset(range(1, 10)) - stones)
        for player in PLAYERS:
            task = Task(
                name="t", board="hex", rows=3, columns=3, red=tuple(position.red), blue=tuple(position.blue),
                player=player, expected=True, facts_hash="", query="wins"
            )  # fmt: skip
            message = Question(Rules.of(load_transitions(name).rules), pipeline, "clingo", task).execute(
                Measuring(lambda message: None)
            )
            assert message.answer == has_won(position, player), (stones, player)


def test_transition_rules_need_a_mode_for_games_and_a_name() -> None:
    text = SUITE + MERGING
    assert plan_of(text.replace('games = ["random-1@3..5"]', 'boards = ["snake"]')).configurations
    with pytest.raises(UnknownNameError):
        plan_of(SUITE.replace('"clusters"', '"cluster-merging"'))
