"""A function of hexlogic in a child process: its result, its reports, its errors, its end at a limit."""

from __future__ import annotations

import sys
from collections.abc import Callable

import pytest

from hexlogic.errors import EngineError
from hexlogic.ggp import read_kif
from hexlogic.ggp.check import Plays, Verdict, check_sheet
from hexlogic.ggp.propnet.ground_size import Size, measure_kif, measure_sheet
from hexlogic.language.ground.solving import solve
from hexlogic.process import isolate
from hexlogic.process.call import Died, Stopped, call_isolated
from hexlogic.process.limits import Limits
from tests.waiting import HANG_S, Started, gone, wait_for_line

ROOMY = Limits.of(cpu_s=300, wall_s=HANG_S, memory_mb=2000)
ENDLESS = "n(0). n(X+1) :- n(X)."
LIGHTS = "(role r) (light a) (init (off a)) (<= (legal r (flip ?x)) (light ?x)) (<= terminal (true (on a))) (goal r 9)"


def test_the_result_is_that_of_the_call_here() -> None:
    text = "(role r) (base p) (base q) (<= (next p) (true q)) (<= (next q) (true p))"
    found = call_isolated(measure_kif, {"text": text}, ROOMY)
    assert found == Size(rules=2, atoms=4, inputs=2, cyclic=False)
    assert found == measure_kif(text) == measure_sheet(read_kif(text))


def test_where_there_are_no_processes_the_call_is_made_here(monkeypatch: pytest.MonkeyPatch) -> None:
    expected = call_isolated(solve, {"text": "a. {b}."}, ROOMY)
    monkeypatch.setattr(sys, "platform", "emscripten")
    monkeypatch.setattr(isolate, "run_watched", None)
    assert call_isolated(solve, {"text": "a. {b}."}, ROOMY) == expected


def test_reports_come_in_order_before_the_result() -> None:
    heard: list[Verdict] = []
    task = {"text": LIGHTS, "file": "lights.kif", "plays": Plays(0, reasoner="clingo", longest=9)}
    verdict = call_isolated(check_sheet, task, ROOMY, report=heard.append)
    assert verdict.rules == 6
    assert heard[-1] == verdict
    reported = [so_far.findings for so_far in heard]
    assert reported == [verdict.findings[: len(findings)] for findings in reported]
    assert sorted(reported, key=len) == reported
    lines = [finding.line for finding in verdict.findings]
    assert lines
    assert lines == sorted(lines)


def test_an_error_for_people_is_raised_here() -> None:
    with pytest.raises(EngineError, match=r"^clingo: .*syntax error") as raised:
        call_isolated(solve, {"text": "a :- b"}, ROOMY)
    assert not isinstance(raised.value, Died)


@pytest.mark.takes_seconds(keep=5)
@pytest.mark.parametrize(
    ("limits", "termination"),
    [
        (Limits.of(cpu_s=300, wall_s=1.5, memory_mb=20_000), "wall-limit"),
        (Limits.of(cpu_s=1, wall_s=HANG_S, memory_mb=20_000), "cpu-limit"),
        (Limits.of(cpu_s=300, wall_s=HANG_S, memory_mb=200), "memory-limit"),
    ],
    ids=["wall", "cpu", "memory"],
)
def test_grounding_without_an_end_ends_at_the_limit(limits: Limits, termination: str) -> None:
    with pytest.raises(Stopped) as raised:
        call_isolated(solve, {"text": ENDLESS}, limits)
    assert raised.value.termination == termination
    assert raised.value.reason.startswith("stopped a")


def test_an_error_of_ours_is_a_death_with_its_last_words() -> None:
    with pytest.raises(Died, match="unknown field `colour`"):
        call_isolated(solve, {"colour": "red"}, ROOMY)


@pytest.mark.parametrize("function", [lambda: None, Limits.of, "a".upper], ids=["lambda", "method", "bound"])
def test_what_another_process_cannot_import_is_refused(function: Callable[..., object]) -> None:
    with pytest.raises(ValueError, match="is not a function of a module that another process can import"):
        call_isolated(function, {}, ROOMY)


def test_the_child_does_not_outlive_its_caller(start: Started, tmp_path) -> None:
    code = """
        import math, pathlib, sys, threading, time
        import psutil
        from hexlogic.language.ground.solving import solve
        from hexlogic.process.call import call_isolated
        from hexlogic.process.limits import Limits

        def tell():
            while not (children := psutil.Process().children()) or children[0].cpu_times().user < 0.2:
                time.sleep(0.02)
            pathlib.Path(sys.argv[1]).write_text(f"child {children[0].pid}\\n")

        threading.Thread(target=tell, daemon=True).start()
        limits = Limits(cpu_s=math.inf, wall_s=math.inf, memory_bytes=sys.maxsize)
        call_isolated(solve, {
            "text": "n(1..9). h(A,B,C,D,E,F,G,H,I) :- n(A), n(B), n(C), "
            "n(D), n(E), n(F), n(G), n(H), n(I)."}, limits)
    """
    caller = start(code, str(tmp_path / "child"))
    wait_for_line(tmp_path / "child", b"child", caller)
    child = int((tmp_path / "child").read_text().split()[1])
    caller.kill()
    assert gone([child])


def test_a_child_that_is_ended_by_a_signal_is_told_with_its_name() -> None:
    # clingo divides the least integer by -1
    with pytest.raises(Died, match="ended by SIGFPE"):
        call_isolated(solve, {"text": "q(-1). p((-2147483647-1)/Y) :- q(Y)."}, ROOMY)
