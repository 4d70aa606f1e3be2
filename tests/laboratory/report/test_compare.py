"""Comparing two measurements: what chance does not explain is told, and what it explains is not."""

from __future__ import annotations

import random
import re
from collections.abc import Iterable, Sequence
from pathlib import Path

import msgspec
import pytest

from hexlogic.errors import SuiteError
from hexlogic.laboratory.records.types import EngineInfo, Run, Session
from hexlogic.laboratory.report.claims.noise import RATE, discoveries, pooled_variance, shift
from hexlogic.laboratory.report.claims.sentences import adjective
from hexlogic.laboratory.report.comparison import ComparedSide, SuiteComparison, read_side
from hexlogic.laboratory.report.comparison_text import comparison_data, render_comparison
from hexlogic.laboratory.report.terminal import WIDTH
from hexlogic.process.limits import Limits
from tests.laboratory.report.records import encoded, run, session

replace = msgspec.structs.replace


PIPELINES = ("none", "ground", "reorder", "ground,reorder", "magic", "prune", "stage", "unfold")
CONFIGURATIONS = [
    (rule_set, pipeline, engine)
    for rule_set in ("clusters", "power-set", "follow-line", "maker-breaker")
    for pipeline in PIPELINES
    for engine in ("swipl", "clingo", "pydatalog")
]


def write(folder: Path, runs: Iterable[Run], header: Session | None = None) -> ComparedSide:
    """A folder of records as a bench leaves it, read back; its name is the session's, unless a header is given."""
    folder.mkdir()
    header = header or replace(session(), session=folder.name)
    (folder / "records.jsonl").write_bytes(encoded((header, *runs)))
    return read_side(folder)


def scattered(seed: int, spread: float, factors: dict[int, float] | None = None, repeats: int = 5) -> list[Run]:
    """Every configuration, each with its own typical time, repeated with log-normal noise."""
    chance = random.Random(seed)
    return [
        run(*configuration, 2.0 ** (number % 9) * (factors or {}).get(number, 1.0) * chance.lognormvariate(0, spread))
        for number, configuration in enumerate(CONFIGURATIONS)
        for _ in range(repeats)
    ]


def pair(tmp_path: Path, old: Iterable[Run], new: Iterable[Run], **options: float) -> SuiteComparison:
    return SuiteComparison(write(tmp_path / "old", old), write(tmp_path / "new", new), **options)  # type: ignore[arg-type]


def verdicts(found: SuiteComparison) -> dict[str, int]:
    counted: dict[str, int] = {}
    for change in found.changes:
        counted[change.verdict] = counted.get(change.verdict, 0) + 1
    return counted


def test_a_slower_cell_among_many_is_found_and_named(tmp_path: Path) -> None:
    found = pair(tmp_path, scattered(1, 0.05), scattered(2, 0.05, {10: 2.0, 20: 0.5}))
    assert [change.name[:3] for change in found.having("slower")] == [CONFIGURATIONS[10]]
    assert [change.name[:3] for change in found.having("faster")] == [CONFIGURATIONS[20]]
    assert found.worse
    slow = found.having("slower")[0].shift
    assert slow is not None
    assert slow.low < 2.0 < slow.high


@pytest.mark.parametrize("spread", [0.02, 0.1, 0.4])
def test_nothing_changed_nothing_told(tmp_path: Path, spread: float) -> None:
    found = pair(tmp_path, scattered(3, spread), scattered(4, spread), threshold=1.0)
    assert not found.worse
    assert not found.having("slower", "faster")


def test_intervals_hold_the_true_ratio_as_often_as_they_say() -> None:
    """Simulated: 95 % intervals of a true ratio of 1.5 miss it in at most about one case in twenty."""
    chance = random.Random(5)
    missed = 0
    for _ in range(1000):
        old = [chance.lognormvariate(0, 0.2) for _ in range(5)]
        new = [1.5 * chance.lognormvariate(0, 0.2) for _ in range(3)]
        found = shift(old, new, (0.04, 0.04), 1.25)
        assert found is not None
        missed += not found.low <= 1.5 <= found.high
    assert missed <= 60


@pytest.mark.takes_seconds
@pytest.mark.parametrize("spread", [0.05, 0.3])
def test_any_false_alarm_is_rare(spread: float) -> None:
    """Simulated sessions of 96 unchanged cells: few of them raise an alarm, though each has 96 chances to."""
    chance = random.Random(6)
    alarms = 0
    for _ in range(60):
        sides = [[[chance.lognormvariate(0, spread) for _ in range(5)] for _ in range(96)] for _ in range(2)]
        noise = pooled_variance(sides[0]), pooled_variance(sides[1])
        found = [shift(old, new, noise, 1.0) for old, new in zip(*sides, strict=True)]
        alarms += any(discoveries([one.p for one in found if one is not None], RATE))
    assert alarms <= 6


def test_what_is_beyond_noise_but_below_the_threshold_is_the_same(tmp_path: Path) -> None:
    old, new = scattered(7, 0.01), scattered(8, 0.01, dict.fromkeys(range(len(CONFIGURATIONS)), 1.1))
    found = pair(tmp_path, old, new)
    assert verdicts(found) == {"same": len(CONFIGURATIONS)}
    assert len(SuiteComparison(found.old, found.new, threshold=1.05).having("slower")) == len(CONFIGURATIONS)


def test_one_outlier_is_no_change(tmp_path: Path) -> None:
    new = scattered(9, 0.05)
    new[0] = run(*CONFIGURATIONS[0], 500.0)
    assert not pair(tmp_path, scattered(10, 0.05), new).having("slower", "faster", "suspect")


def test_cells_measured_once_borrow_the_noise_of_their_engine(tmp_path: Path) -> None:
    def runs(seed: int, slow_ms: float) -> list[Run]:
        return [*scattered(seed, 0.05), run("winning-sets", "none", "swipl", slow_ms)]

    found = pair(tmp_path, runs(11, 4000.0), runs(12, 12000.0))
    assert [change.name[0] for change in found.having("slower")] == ["winning-sets"]


def test_no_repeats_at_all_no_verdict(tmp_path: Path) -> None:
    found = pair(tmp_path, scattered(1, 0.1, repeats=1), scattered(2, 0.1, repeats=1))
    assert verdicts(found) == {"unknown": len(CONFIGURATIONS)}
    assert "nothing says how much it scatters" in " ".join(render_comparison(found).split())


def test_how_cells_end_is_compared(tmp_path: Path) -> None:
    def three(pipeline: str, ms: float | None, **options: str) -> list[Run]:
        return [run("clusters", pipeline, "swipl", ms, **options) for _ in range(3)]  # type: ignore[arg-type]

    old = [*three("none", 1), *three("ground", None, status="timeout"), *three("reorder", 1)]
    old += [*three("prune", None, status="timeout"), *three("magic", 1, category="wrong")]
    new = [*three("none", None, status="timeout"), *three("ground", 1), *three("reorder", 1, category="wrong")]
    new += [*three("prune", None, status="out-of-memory"), *three("magic", 1)]
    found = pair(tmp_path, old, new)
    ended = {change.name[1]: change.verdict for change in found.changes}
    assert ended == {"none": "lost", "ground": "found", "reorder": "wrong", "prune": "other", "magic": "corrected"}
    assert found.worse
    assert "WRONG" in render_comparison(found)


@pytest.mark.parametrize(("old", "new", "worse"), [(1000, 1001, False), (1000, 2000, True), (2000, 1000, False)])
def test_work_is_compared_exactly(tmp_path: Path, old: int, new: int, worse: bool) -> None:
    sides = [[run("clusters", "none", "swipl", 1.0, work=work) for _ in range(3)] for work in (old, new)]
    found = pair(tmp_path, *sides)
    assert [(one.old, one.new) for one in found.changes[0].work] == [(old, new)]
    assert found.worse is worse
    assert f"{new - old:+,}" in render_comparison(found)


def test_work_that_does_not_repeat_is_not_compared(tmp_path: Path) -> None:
    old = [run("clusters", "none", "swipl", 1.0, work=work) for work in (5, 6, 7)]
    new = [run("clusters", "none", "swipl", 1.0, work=50) for _ in range(3)]
    assert pair(tmp_path, old, new).changes[0].work == ()


def test_cells_of_one_side_alone_are_named(tmp_path: Path) -> None:
    moved = [replace(one, facts_hash="other stones") for one in scattered(1, 0.1)[:5]]
    found = pair(tmp_path, scattered(1, 0.1)[:10], [*moved, *scattered(1, 0.1)[5:15]])
    assert [name[:3] for name in found.only_old] == [CONFIGURATIONS[0]]
    assert [name[:3] for name in found.only_new] == [CONFIGURATIONS[0], CONFIGURATIONS[2]]
    assert "Only in old: 1 cells (clusters, none, swipl" in " ".join(render_comparison(found).split())


def test_text_fits_and_the_largest_change_is_first(tmp_path: Path) -> None:
    def long(seed: int, factors: Sequence[float]) -> list[Run]:
        chance = random.Random(seed)
        return [
            replace(
                run("power-set-extended", f"ground,reorder:bound-first,prune,{name}", "pydatalog", 0.0),
                task="difficult-1@34",
                query=query,
                counters={"inferences": 123_456_789 + round(factor)},
                phases=replace(run("x", "none", "swipl", 1).phases, solve_s=12.5 * factor * chance.uniform(0.99, 1.01)),
            )
            for name, factor in zip("abc", factors, strict=True)
            for query in ("wins(red)", "wins(blue)")
            for _ in range(5)
        ]

    found = pair(tmp_path, long(1, [1, 1, 1]), long(2, [3, 9, 5]))
    assert max(map(len, render_comparison(found).replace(str(tmp_path), "results").splitlines())) <= WIDTH
    text = render_comparison(found)
    assert [change.name[1][-1] for change in found.having("slower")] == ["b", "b", "c", "c", "a", "a"]
    assert text == render_comparison(found)
    assert comparison_data(found)["worse"] is True


def _other_engine(header: Session) -> Session:
    return replace(header, engines=header.engines | {"swipl": replace(header.engines["swipl"], version="2")})


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (lambda header: replace(header, host="there"), "host"),
        (lambda header: replace(header, limits=Limits.of(cpu_s=1, memory_mb=1)), "limits"),
        (lambda header: replace(header, meter="benchexec 3"), "meters"),
        (lambda header: replace(header, python="PyPy"), "versions of Python"),
        (_other_engine, "versions of swipl"),
    ],
)
def test_what_else_differs_is_refused_unless_mixed(tmp_path: Path, change, said: str) -> None:
    old = write(tmp_path / "old", scattered(1, 0.1))
    new = write(tmp_path / "new", scattered(1, 0.1), change(replace(session(), session="new")))
    with pytest.raises(SuiteError, match=f"have different {said}"):
        SuiteComparison(old, new)
    found = SuiteComparison(old, new, mix=True)
    assert f"although the sessions have different {said}" in " ".join(render_comparison(found).split())


def test_other_code_is_what_is_compared(tmp_path: Path) -> None:
    old = write(tmp_path / "old", scattered(1, 0.1))
    header = replace(session(), session="new", hexlogic="1", code_hash="d", commit="abc")
    engines = header.engines | {"new": EngineInfo(version="1", missing=None, dialect="x", order_sensitive=False)}
    new = write(tmp_path / "new", scattered(1, 0.1), replace(header, engines=engines))
    assert not SuiteComparison(old, new).worse


def test_nothing_to_compare_is_refused(tmp_path: Path) -> None:
    old = write(tmp_path / "old", scattered(1, 0.1))
    other = write(tmp_path / "other", [run("winning-sets", "none", "swipl", 1.0)])
    with pytest.raises(SuiteError, match="the same session"):
        SuiteComparison(old, old)
    with pytest.raises(SuiteError, match="no cell in common"):
        SuiteComparison(old, other)
    with pytest.raises(SuiteError, match="no factor"):
        SuiteComparison(old, other, threshold=0.5)
    with pytest.raises(SuiteError, match="nothing was measured"):
        write(tmp_path / "empty", [])


@pytest.mark.takes_seconds(keep=4)
@pytest.mark.parametrize(("factor", "worse"), [(1.4, True), (1.1, False), (1.0, False), (1 / 1.4, False)])
def test_a_whole_suite_that_shifted_is_told_though_each_cell_is_too_noisy(
    tmp_path: Path, factor: float, worse: bool
) -> None:
    shifted = dict.fromkeys(range(len(CONFIGURATIONS)), factor)
    found = pair(tmp_path, scattered(21, 0.3), scattered(22, 0.3, shifted))
    assert found.having("slower", "faster") == []
    pools = {pool.name: pool for pool in found.pools}
    assert set(pools) == {"all of swipl", "all of clingo", "all of pydatalog", "the whole suite"}
    whole = pools["the whole suite"]
    _, low, high = (whole.relation.value, whole.relation.low, whole.relation.high)
    assert whole.count == len(CONFIGURATIONS)
    assert low is not None
    assert high is not None
    assert low < 1 / factor < high
    assert found.worse is worse
    text = " ".join(render_comparison(found).split())
    said = text.partition("the whole suite (96 cells): ")[2].split(";")[0].split(".\n")[0]
    assert said.startswith(adjective(whole.relation))
    assert ("slower [" in said[:30]) == (factor > 1.05)


def test_counts_of_the_summary_add_up(tmp_path: Path) -> None:
    """Cells without a time on either side are in none of the counts of times."""
    late = [run("winning-sets", pipeline, "swipl", status="timeout") for pipeline in PIPELINES]
    found = pair(tmp_path, [*scattered(23, 0.2), *late], [*scattered(24, 0.2, {3: 9.0}), *late])
    text = " ".join(render_comparison(found).split())
    match = re.search(r"(\d+) cells with times on both sides: (.*?) \(threshold", text)
    assert match is not None
    assert int(match[1]) == len(CONFIGURATIONS) == sum(map(int, re.findall(r"\d+", match[2])))
    assert len(found.changes) == len(CONFIGURATIONS) + len(PIPELINES)


def test_one_cell_is_the_whole_suite(tmp_path: Path) -> None:
    sides = [[run("clusters", "none", "swipl", ms * factor) for ms in (1.0, 1.1, 0.9)] for factor in (1, 1)]
    assert [(pool.name, pool.count) for pool in pair(tmp_path, *sides).pools] == [("the whole suite", 1)]


def test_sides_are_compared_on_one_clock(tmp_path: Path) -> None:
    """The new session waited for the processor: by CPU time nothing changed."""

    def runs(ms: float, share: float | None) -> list[Run]:
        return [run("clusters", "none", "swipl", ms * jitter, cpu_share=share) for jitter in (0.99, 1.0, 1.01)]

    found = SuiteComparison(write(tmp_path / "a", runs(100.0, 1.0)), write(tmp_path / "b", runs(200.0, 0.5)))
    assert not found.worse
    assert "swipl in" in render_comparison(found)
    assert "CPU seconds of the processes that answered: in 3 of 3 runs" in " ".join(render_comparison(found).split())
    old = SuiteComparison(write(tmp_path / "c", runs(100.0, None)), write(tmp_path / "d", runs(200.0, 0.5)))
    assert [change.verdict for change in old.changes] == ["slower"]
