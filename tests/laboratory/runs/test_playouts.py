"""Playouts as runs: real workers, limits, records that can be resumed, and results that are compared."""

from __future__ import annotations

import random
import subprocess
import sys
from datetime import UTC, datetime
from pathlib import Path

import msgspec
import pytest

from hexlogic.errors import HexlogicError, SuiteError, UnknownNameError
from hexlogic.games import Hex, Position, has_won
from hexlogic.ggp.language.reading import read_kif
from hexlogic.ggp.machines.reasoners.compiled import CompiledMachine
from hexlogic.laboratory.records.agreement import disagreements, estimates
from hexlogic.laboratory.records.store import RecordFile, RecordWriter, decode_record, read_records
from hexlogic.laboratory.records.types import Batch, Measurement, encode_record
from hexlogic.laboratory.runs.kind import Configuration
from hexlogic.laboratory.runs.kinds.playouts import SMALL_GAMES, Amount, SheetOnReasoner, referee_player
from hexlogic.laboratory.runs.plan import Plan
from hexlogic.laboratory.runs.playout_plan import board_sheets, file_sheets, make_playout_plan
from hexlogic.laboratory.runs.run import Listener, execute_here, execute_plan
from hexlogic.laboratory.runs.session import new_session
from hexlogic.process.limits import Limits
from tests.checkout import CHECKOUT
from tests.laboratory.report.records import playing
from tests.waiting import HANG_S

GAMES = CHECKOUT / "tests" / "ggp" / "games"
BROKEN = CHECKOUT / "tests" / "ggp" / "broken"
LIMITS = Limits.of(cpu_s=60, wall_s=3600, memory_mb=2000)
FEW = Amount(games=40, seconds=0, longest=500, seed=1)


class Silent(Listener):
    """A listener as a context that does nothing."""

    def __enter__(self) -> Listener:
        return self

    def __exit__(self, *_: object) -> None:
        return


def measured(plan: Plan, folder: Path, *, resume: bool = False) -> RecordFile:
    execute_here(plan, folder, Silent(), command=[], resume=resume)
    return read_records(folder)


class Noting(Silent):
    """Notes which reasoners begin, and what is told of each run."""

    def __init__(self) -> None:
        self.begun: list[str] = []
        self.told: list[str | None] = []

    def start(self, configuration: Configuration) -> None:
        assert isinstance(configuration, SheetOnReasoner)
        self.begun.append(configuration.reasoner)

    def end(self, configuration: Configuration, run: Measurement | None) -> None:
        self.told.append(None if run is None else configuration.figure(run))


def test_what_numba_compiles_nothing_for_comes_first_whatever_the_seed(tmp_path: Path) -> None:
    sheets = board_sheets([Hex.square(3)], ["follow-line-tabled", "clusters"])
    for seed in range(4):
        amount = msgspec.structs.replace(FEW, seed=seed)
        plan = make_playout_plan(sheets, amount, LIMITS, players=["compiled", "clingo", "referee"], repeats=2)
        session = new_session(plan, jobs=1, warm_up_jobs=1, command=[], started=datetime.now(UTC))
        noting = Noting()
        with RecordWriter(tmp_path / str(seed)) as writer:
            execute_plan(plan, session, writer, noting, measurer=lambda *_, **__: None)
        first_round = noting.begun[:5]
        assert first_round[3:] == ["compiled", "compiled"]
        assert sorted(first_round[:3]) == ["clingo", "clingo", "referee"]


def test_progress_tells_the_figure_of_a_run_or_why_there_is_none(tmp_path: Path) -> None:
    noting = Noting()
    amount = msgspec.structs.replace(FEW, longest=20)
    plan = make_playout_plan(file_sheets([BROKEN / "endless.kif"]), amount, LIMITS, players=["clingo"])
    execute_here(plan, tmp_path / "endless", noting, command=[])
    plan = make_playout_plan(file_sheets([GAMES / "nim.kif"]), FEW, LIMITS, players=["clingo"])
    execute_here(plan, tmp_path / "nim", noting, command=[])
    reason, rate = noting.told
    assert "not over after 20 steps" in str(reason)
    playout_s = read_records(tmp_path / "nim").playings[0].played.playout_s  # type: ignore[union-attr]
    assert float(str(rate).removesuffix(" playouts/s").replace(",", "")) == pytest.approx(1 / playout_s, rel=0.01)


@pytest.fixture(scope="module")
def hex_3(tmp_path_factory: pytest.TempPathFactory) -> RecordFile:
    sheets = board_sheets([Hex.square(3)], ["follow-line-tabled", "clusters-merging"])
    plan = make_playout_plan(sheets, FEW, LIMITS, players=["compiled", "clingo", "referee"])
    return measured(plan, tmp_path_factory.mktemp("hex"))


def test_each_reasoner_plays_each_sheet_and_tells_what_it_took(hex_3: RecordFile) -> None:
    found = {(run.sheet, run.reasoner): run for run in hex_3.playings}
    names = ("follow-line-tabled", "clusters-merging")
    assert set(found) == {(s, r) for s in names for r in ("compiled", "clingo")} | {("the referee", "referee")}
    assert not hex_3.runs
    assert not hex_3.floors
    assert hex_3.end is not None
    assert hex_3.end.runs == 5
    for (_, reasoner), run in found.items():
        assert (run.status, run.category, run.message) == ("answered", "unknown", None)
        assert run.played is not None
        assert sum(batch.games for batch in run.played.batches) == 40
        assert all(sum(batch.goals) == 100 * batch.games for batch in run.played.batches)
        assert all(5 * batch.games <= (batch.steps or 0) <= 9 * batch.games for batch in run.played.batches)
        assert (run.started is None) == (reasoner == "referee")
        if run.started is not None:
            assert run.started.cpu_s > 0
            assert run.started.rules is not None
            assert (run.started.analysis is not None) == (reasoner == "compiled")
    assert found["clusters-merging", "clingo"].started == msgspec.structs.replace(
        found["clusters-merging", "clingo"].started,
        rules=found["clusters-merging", "compiled"].started.rules,
        atoms=found["clusters-merging", "compiled"].started.atoms,
    )


def test_records_read_back(hex_3: RecordFile) -> None:
    for run in hex_3.playings:
        assert decode_record(encode_record(run)) == run


@pytest.mark.takes_seconds
def test_a_session_is_resumed_with_what_is_missing(hex_3: RecordFile, tmp_path: Path) -> None:
    sheets = board_sheets([Hex.square(3)], ["follow-line-tabled"])
    plan = make_playout_plan(sheets, FEW, LIMITS, players=["clingo", "referee"])
    first = measured(plan, tmp_path)
    file = tmp_path / "records.jsonl"
    lines = file.read_bytes().splitlines(keepends=True)
    file.write_bytes(b"".join(lines[:2]) + lines[2][:50])
    again = measured(plan, tmp_path, resume=True)
    assert again.playings[0] == first.playings[0]
    assert {run.key for run in again.playings} == {run.key for run in first.playings}
    assert len(again.playings) == 2
    assert len(again.resumed) == 1
    # The same seed gives the same games.
    stripped = [[(b.games, b.steps, b.goals) for b in one.played.batches] for one in (*first.playings, *again.playings)]
    assert sorted(stripped[:2]) == sorted(stripped[2:])


def test_files_are_played_and_repeats_have_seeds_of_their_own(tmp_path: Path) -> None:
    sheets = file_sheets([GAMES / "nim.kif"])
    plan = make_playout_plan(sheets, FEW, LIMITS, players=["clingo"], repeats=2)
    runs = measured(plan, tmp_path).playings
    assert {(run.sheet, run.rows, run.seed) for run in runs} == {("nim", None, 1), ("nim", None, 2)}
    assert len({str([batch.steps for batch in run.played.batches]) for run in runs if run.played}) == 2


@pytest.mark.parametrize(
    ("limits", "amount", "status", "words"),
    [
        (Limits.of(cpu_s=0.2, wall_s=3600, memory_mb=2000), FEW, "timeout", "CPU limit reached"),
        (Limits.of(cpu_s=60, wall_s=3600, memory_mb=20), FEW, "out-of-memory", "memory limit reached"),
    ],
)
def test_limits_end_a_run(tmp_path: Path, limits: Limits, amount: Amount, status: str, words: str) -> None:
    sheets = board_sheets([Hex.square(n) for n in (5, 7)], ["clusters-merging"])
    (run,) = measured(make_playout_plan(sheets, amount, limits, players=["clingo"]), tmp_path).playings
    assert (run.rows, run.status, run.played) == (5, status, None)
    assert run.message is not None
    assert run.message.startswith(words)


@pytest.mark.takes_seconds
def test_a_game_that_never_ends_says_so(tmp_path: Path) -> None:
    plan = make_playout_plan(file_sheets([BROKEN / "endless.kif"]), FEW, LIMITS, players=["compiled"])
    (run,) = measured(plan, tmp_path).playings
    assert (run.status, run.played) == ("error", None)
    assert run.message == "a random game was not over after 500 steps"


def test_a_board_too_large_for_a_rule_set_is_unsupported(tmp_path: Path) -> None:
    plan = make_playout_plan(board_sheets([Hex.square(12)], ["winning-sets"]), FEW, LIMITS, players=["clingo"])
    (run,) = measured(plan, tmp_path).playings
    assert run.status == "unsupported"
    assert run.message


def test_what_cannot_be_planned() -> None:
    nim = file_sheets([GAMES / "nim.kif"])
    with pytest.raises(UnknownNameError, match="unknown reasoner"):
        make_playout_plan(nim, FEW, LIMITS, players=["clingoo"])
    with pytest.raises(SuiteError, match="nothing to play"):
        make_playout_plan(nim, FEW, LIMITS, players=["referee"])
    with pytest.raises(HexlogicError, match="its sheet would be another game"):
        board_sheets([Hex.square(3)], ["power-set"])
    assert "power-set" not in {sheet.name for sheet in board_sheets([Hex.square(3)], None)}


def test_the_small_games_have_a_kernel_each() -> None:
    machines = [CompiledMachine(read_kif(text)) for text in SMALL_GAMES]
    told = [machine.analysis.partition(":")[0] for machine in machines]
    assert told == ["latches", "forward chaining", "latches"]
    assert ["filled boards: 2 cells" in machine.analysis for machine in machines] == [False, False, True]
    for machine in machines:
        assert machine.playouts(5, 1).games == 5


_NOTHING_NEW = """
import sys
from numba.core.dispatcher import Dispatcher
from hexlogic.games import load_game
from hexlogic.process.limits import Limits
from hexlogic.laboratory.runs.kinds.playouts import Amount
from hexlogic.laboratory.runs.kind import carry_out
from hexlogic.laboratory.runs.playout_plan import board_sheets, make_playout_plan

def compiled():
    modules = [module for name, module in sorted(sys.modules.items()) if name.startswith("hexlogic.")]
    return {
        (name, str(signature))
        for module in modules
        for name, value in vars(module).items()
        if isinstance(value, Dispatcher)
        for signature in value.signatures
    }

sheets = board_sheets([load_game("hex").of_extent(3, 3)], None)
amount = Amount(games=2560, seconds=0, longest=100, seed=1)
plan = make_playout_plan(sheets, amount, Limits.of(cpu_s=60, memory_mb=4000), players=["compiled"])
for job in dict.fromkeys(job for one in plan.configurations for job in one.first_jobs()):
    assert carry_out(job, lambda told: None).status == "answered"
before = compiled()
assert len(before) >= 5, before
for one in plan.configurations:
    print(one, carry_out(one, lambda told: None).status)
print("new:", sorted(compiled() - before))
"""


@pytest.mark.takes_seconds
def test_no_sheet_needs_a_kernel_that_the_small_games_do_not() -> None:
    done = subprocess.run([sys.executable, "-c", _NOTHING_NEW], capture_output=True, text=True, timeout=HANG_S)
    assert done.returncode == 0, done.stderr
    lines = done.stdout.splitlines()
    assert sum(line.endswith(" answered") for line in lines) > 10
    assert lines[-1] == "new: []"


def test_the_referee_finds_the_first_win() -> None:
    """Its games, played stone by stone with the same draws."""
    board = Hex.square(4)
    draw, steps, red = random.Random(3), 0, 0
    for _ in range(30):
        position = Position(board)
        for ply, cell in enumerate(draw.sample(list(board.cells), 16), start=1):
            player = "red" if ply % 2 else "blue"
            position = position.play(player, cell)
            if has_won(position, player):
                steps, red = steps + ply, red + (player == "red")
                break
    found = referee_player(board)(30, 3)
    assert (found.games, found.steps, found.goals) == (30, steps, [100.0 * red, 3000.0 - 100.0 * red])


def drawn(seed: int, mean: float = 70.0, win: float = 0.53, batches: int = 20, games: int = 100) -> list[Batch]:
    """Batches of random games whose lengths scatter by 6 around a mean."""
    draw, found = random.Random(seed), []
    for _ in range(batches):
        steps = sum(round(draw.gauss(mean, 6)) for _ in range(games))
        red = sum(draw.random() < win for _ in range(games))
        found.append(Batch(games=games, steps=steps, goals=[100.0 * red, 100.0 * (games - red)], cpu_s=0.1))
    return found


def test_estimates_have_the_error_of_their_games() -> None:
    runs = [playing(f"r{seed}", drawn(seed)) for seed in range(5)]
    found = estimates(runs[:1], runs)
    assert found["length"].games == 2000
    assert found["length"].error == pytest.approx(6 / 2000**0.5, rel=0.2)
    assert found["red"].error == pytest.approx(50 / 2000**0.5, rel=0.2)


def test_who_plays_another_game_is_told_and_nobody_else() -> None:
    fair = [playing(f"r{seed}", drawn(seed)) for seed in range(6)]
    referee = playing("referee", drawn(99))
    assert disagreements([*fair, referee]) == []
    longer = playing("bad", drawn(7, mean=71.5))
    assert [(one.playing.reasoner, one.what) for one in disagreements([*fair, longer, referee])] == [("bad", "length")]
    partial = playing("bad", drawn(8, win=0.65))
    told = disagreements([*fair, partial, referee])
    assert [(one.playing.reasoner, one.what) for one in told] == [("bad", "red"), ("bad", "blue")]
    assert "s on bad, hex 9x9: a mean goal of 6" in str(told[0])
    # Without a referee the others are the reference; of two, both are told; on another board nothing is compared.
    assert [(one.playing.reasoner, one.what) for one in disagreements([*fair, longer])] == [("bad", "length")]
    assert {one.playing.reasoner for one in disagreements([fair[0], longer])} == {"r0", "bad"}
    assert disagreements([*fair, referee, playing("bad", drawn(7, mean=40), rows=7)]) == []


def test_games_that_do_not_vary_are_compared_too() -> None:
    same = [Batch(games=10, steps=50, goals=[1000.0, 0.0], cpu_s=0.1)] * 3
    other = [Batch(games=10, steps=60, goals=[1000.0, 0.0], cpu_s=0.1)] * 3
    assert disagreements([playing("a", same), playing("b", same)]) == []
    assert {one.what for one in disagreements([playing("a", same), playing("b", other)])} == {"length"}
