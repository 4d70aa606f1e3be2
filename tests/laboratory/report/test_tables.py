"""The printed report: its tables, its marks, and sentences that follow from the data."""

from __future__ import annotations

import json

import pytest

from hexlogic.laboratory.records.types import Run
from hexlogic.laboratory.report import render_report, report_data
from hexlogic.laboratory.report.published import PAPER
from hexlogic.laboratory.report.terminal import WIDTH
from tests.laboratory.report.records import records, run, thrice

PIPELINES = ("none", "ground", "reorder", "ground,reorder", "ground,reorder,prune")


def passes(rule_set: str, engine: str, times: list[float | None], work: list[int] | None = None) -> list[Run]:
    """Three runs for each pipeline, one of a timeout (None). Pruning leaves the program as it was."""
    runs = []
    for number, (pipeline, ms) in enumerate(zip(PIPELINES, times, strict=True)):
        counter = work[number] if work and ms is not None else None
        program = f"{rule_set} {pipeline.removesuffix(',prune')}"
        if ms is None:
            runs.append(run(rule_set, pipeline, engine, status="timeout", program=program))
        else:
            runs += thrice(rule_set, pipeline, engine, ms, work=counter, program=program)
    return runs


POWER_SET = [
    *passes("power-set", "swipl", [None, None, 3.0, 0.52, 0.51], [0, 0, 51152, 9961, 9961]),
    *passes("power-set", "clingo", [1.9, 0.48, 1.8, 0.5, 0.49], [970] * 5),
]
CLUSTERS = [
    *passes("clusters", "swipl", [5.7, 0.73, 0.15, 0.13, 0.13], [143884, 9065, 1876, 656, 656]),
    *passes("clusters", "clingo", [0.53, 0.54, 0.55, 0.54, 0.53], [973] * 5),
]


def text_of(runs: list[Run], **options: str | None) -> str:
    return render_report(records(runs, **options))  # type: ignore[arg-type]


def flat(text: str) -> str:
    return " ".join(text.split())


def row(text: str, *beginning: str) -> list[str]:
    """The first table row that begins with these words."""
    for line in text.splitlines():
        if line.split()[: len(beginning)] == list(beginning):
            return line.split()[len(beginning) :]
    raise AssertionError(f"no row {beginning} in\n{text}")


def test_the_papers_table_beside_ours() -> None:
    text = text_of(POWER_SET)
    assert row(text, "swipl", "none") == [">", "10", "s", ">", "900", "s", "1"]
    assert row(text, "reordering") == ["3.0", ">=", "3,100x", "51,152", "368", "~2,500"]
    assert row(text, "both") == ["0.52", ">=", "17,000x", "9,961", "51", "~20,000"]
    assert row(text, "both", "+", "pruning") == ["0.51", ">=", "18,000x", "9,961"]
    assert row(text, "clingo", "none") == ["1.9", "1.0x", "970", ">", "900", "s", "1"]
    assert "work: inferences on swipl and ground rules on clingo" in text


def test_paper_figures_are_the_printed_ones() -> None:
    assert [PAPER["clusters"][pipeline].time_ms for pipeline in PIPELINES[:4]] == [41, 6, 5, 1]
    assert [PAPER["power-set"][pipeline].time_ms for pipeline in PIPELINES[:4]] == [None, None, 368, 51]


def test_findings_of_power_set() -> None:
    text = flat(text_of(POWER_SET))
    assert "power-set: without reordering nothing finishes in 10 s on swipl" in text
    assert "reordering saves at least 3,100x on swipl" in text
    assert "both save at least 17,000x on swipl" in text
    assert "pruning finds nothing to drop on swipl" in text
    assert "grounding saves 4.0x [3.8, 4.1] on clingo" in text
    assert "makes no difference (1.1x [1.0, 1.1], within 1.1x) on clingo" in text


def test_findings_of_clusters() -> None:
    text = flat(text_of(CLUSTERS))
    assert (
        "grounding saves 7.8x [7.6, 8.0] on swipl and makes no difference (0.98x [0.95, 1.1], within 1.1x) on" in text
    )
    assert "reordering saves 38x [37, 39] on swipl and makes no difference (0.96x [0.94, 0.99], within 1.1x)" in text


def test_findings_follow_the_data() -> None:
    """The same rule set with other figures tells another story."""
    text = flat(text_of(passes("clusters", "swipl", [1.0, 2.0, None, 0.9, 0.5])))
    assert 'clusters: "reordering" does not finish in 10 s on swipl' in text
    assert "grounding costs 2.0x [1.9, 2.1] on swipl" in text
    assert "both save 1.1x [1.0, 1.2] on swipl" in text
    text = flat(text_of(passes("clusters", "swipl", [None] * 5)))
    assert "clusters: nothing finishes in 10 s on swipl." in text
    text = flat(text_of(passes("clusters", "clingo", [1.0, 1.0, 4.0, 1.0, 1.0])))
    assert "reordering costs 4.0x [3.9, 4.1] on clingo; both make no difference" in text


def test_noise_is_not_called_equal() -> None:
    runs = [run("clusters", "none", "clingo", ms) for ms in (0.5, 1.1, 4.0, 9.0, 20.0)]
    runs += [run("clusters", "reorder", "clingo", ms) for ms in (0.3, 1.0, 1.2, 5.0, 9.0)]
    runs += [run("clusters", "ground", "clingo", ms) for ms in (0.1, 0.1, 0.1, 0.1, 0.1)]
    text = flat(text_of(runs))
    assert "reordering cannot be told apart here (3.3x [0.3" in text
    assert "grounding saves 40x" in text


def test_pruning_that_drops_something() -> None:
    runs = passes("clusters", "swipl", [8.0, 8.0, 8.0, 8.0, 2.0])
    runs[-3:] = thrice("clusters", PIPELINES[-1], "swipl", 2.0, program="shorter")
    assert "pruning then saves 4.0x [3.9, 4.1] on swipl" in flat(text_of(runs))


def test_other_rule_sets_share_a_table() -> None:
    runs = [
        *thrice("maker-breaker", "none", "swipl", 8.0, work=224613),
        *thrice("maker-breaker", "ground,reorder", "swipl", 0.2, work=3036),
        run("follow-line", "none", "clingo", status="unsupported", message="never ends"),
        run("follow-line", "ground,reorder", "clingo", status="unsupported", message="never ends"),
        run("follow-line", "none", "swipl", status="timeout"),
        run("follow-line", "ground,reorder", "swipl", 31.0),
    ]
    text = text_of(runs)
    assert row(text, "maker-breaker", "swipl", "none") == ["8.0", "1.0x", "224,613"]
    assert row(text, "follow-line", "swipl", "none") == [">", "10", "s"]
    assert [line.split()[1:] for line in text.splitlines() if line.split()[:1] == ["both"]] == [
        ["31", ">=", "290x"],
        ["-", "[2]"],
        ["0.20", "40x", "[39,", "41]", "3,036"],
    ]
    assert text.count("never ends") == 1
    assert "most for follow-line on swipl (>= 290x)" in flat(text)
    assert "find every win, on swipl: maker-breaker is the fastest (0.20 ms)." in flat(text)


def test_incomplete_rule_set_is_never_called_the_fastest() -> None:
    runs = [run("power-set", "none", "swipl", 0.1, complete=False), run("clusters", "none", "swipl", 5.0)]
    assert "find every win, on swipl: clusters (5.0 ms)." in flat(text_of(runs))


def test_rule_set_that_nobody_can_run_is_one_sentence() -> None:
    reason = "9x9 has too many sets"
    runs = [
        run("winning-sets", pipeline, engine, status="unsupported", message=reason)
        for pipeline in ("none", "ground,reorder")
        for engine in ("swipl", "clingo")
    ]
    text = text_of(runs)
    assert f"winning-sets: no engine can run it here: {reason}" in text
    assert text.count(reason) == 1
    assert "---" not in text


@pytest.mark.parametrize(
    ("status", "shown"), [("out-of-memory", "> 2,000 MB"), ("crashed", "crashed [2]"), ("error", "error [2]")]
)
def test_marks(status: str, shown: str) -> None:
    message = None if status == "out-of-memory" else "it went wrong"
    bad = run("clusters", "none", "swipl", status=status, message=message)  # type: ignore[arg-type]
    text = text_of([bad, run("clusters", "ground,reorder", "swipl", 1.0)])
    assert shown in text
    assert ("[2] it went wrong" in text) == (message is not None)


def test_timeout_before_the_query_is_said() -> None:
    late = run("x", "none", "swipl", status="timeout", asked_cpu_s=None, message="CPU limit reached before the query")
    assert "> 10 s [2]" in text_of([late])


def test_wrong_answer_is_loud() -> None:
    runs = [run("clusters", "none", "swipl", 1.0, category="wrong", message="answered yes, the oracle says no")]
    text = text_of([*runs, run("clusters", "ground,reorder", "swipl", 1.0)])
    assert "WRONG [2]" in text
    assert "WRONG ANSWER: clusters, none, swipl, difficult-1, wins(red): answered yes" in flat(text)


@pytest.mark.parametrize("reason", [None, "interrupted"])
def test_session_cut_off_is_said(reason: str | None) -> None:
    assert "cut off after 30 runs" in flat(text_of(CLUSTERS, reason=reason))


def test_busy_machine_is_said() -> None:
    quiet = [run("clusters", "none", "swipl", 1.0, wall_s=1.2)] * 3
    busy = [run("clusters", "none", "swipl", 1.0, wall_s=2.5)] * 3
    assert "The machine was busy: a run took 2.5 times as long" in flat(text_of(busy))
    assert "busy" not in text_of(quiet)


def test_no_runs_at_all() -> None:
    assert "cut off after 0 runs" in text_of([], reason=None)


def test_fits_a_terminal_of_100_columns() -> None:
    wide = [
        run("power-set-extended", "none", "pydatalog", status="timeout", asked_cpu_s=None, message="long " * 40),
        run("power-set-extended", "ground,reorder", "pydatalog", 0.5, work=123_456_789),
        run("follow-line-tabled", "none", "swipl", status="timeout"),
        run("follow-line-tabled", "ground,reorder", "swipl", 0.01, work=123_456_789),
    ]
    text = text_of([*passes("power-set", "pydatalog", [None, None, 1234.5, 0.5, 0.5], [123_456_789] * 5), *wide])
    assert max(map(len, text.splitlines())) <= WIDTH


def test_same_records_same_text_whatever_their_order() -> None:
    runs = [*CLUSTERS, *POWER_SET]
    assert text_of(runs) == text_of(runs[::-1])


def test_data_for_programs() -> None:
    data = report_data(records(POWER_SET))
    again = json.loads(json.dumps(data))
    cell = next(cell for cell in again["cells"] if (cell["engine"], cell["pipeline"]) == ("swipl", "reorder"))
    assert cell["time_s"] == pytest.approx(0.003)
    assert cell["rsf"] == pytest.approx(9.5 / 0.003, rel=0.03)
    assert cell["rsf"] < 9.5 / 0.003
    assert cell["rsf_is_bound"] is True
    late = next(cell for cell in again["cells"] if (cell["engine"], cell["pipeline"]) == ("swipl", "none"))
    assert (late["time_s"], late["rsf"]) == (None, None)
    assert again["findings"]
