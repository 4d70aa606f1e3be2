"""A function of hexlogic in a child process: its result, its reports, its errors, its end at a limit."""

from __future__ import annotations

import sys

import pytest

from hexlogic.errors import EngineError
from hexlogic.gdl import read_kif
from hexlogic.gdl.export.size import measure_kif, measure_sheet
from hexlogic.process import isolate
from hexlogic.process.call import Died, Stopped, call_isolated
from hexlogic.process.limits import Limits
from tests.waiting import HANG_S, Started, gone, wait_for_line

ROOMY = Limits.of(cpu_s=300, wall_s=HANG_S, memory_mb=2000)
SOLVE = "hexlogic.ground.solving:solve"
ENDLESS = "n(0). n(X+1) :- n(X)."
LIGHTS = "(role r) (light a) (init (off a)) (<= (legal r (flip ?x)) (light ?x)) (<= terminal (true (on a))) (goal r 9)"


def test_the_result_is_that_of_the_call_here() -> None:
    text = "(role r) (base p) (base q) (<= (next p) (true q)) (<= (next q) (true p))"
    found = call_isolated("hexlogic.gdl.export.size:measure_kif", {"text": text}, ROOMY)
    assert found == {"rules": 2, "atoms": 4, "inputs": 2, "cyclic": False}
    assert measure_kif(text=text) == measure_sheet(read_kif(text))


def test_where_there_are_no_processes_the_call_is_made_here(monkeypatch: pytest.MonkeyPatch) -> None:
    expected = call_isolated(SOLVE, {"text": "a. {b}."}, ROOMY)
    monkeypatch.setattr(sys, "platform", "emscripten")
    monkeypatch.setattr(isolate, "run_isolated", None)
    assert call_isolated(SOLVE, {"text": "a. {b}."}, ROOMY) == expected


def test_reports_come_in_order_before_the_result() -> None:
    heard: list[dict[str, object]] = []
    task = {"text": LIGHTS, "file": "lights.kif", "plays": {"games": 0, "seed": 0, "reasoner": "clingo", "longest": 9}}
    counts = call_isolated("hexlogic.gdl.check.run:check_in_child", task, ROOMY, report=heard.append)
    assert counts["rules"] == 6
    lines = [finding["line"] for finding in heard]
    assert lines
    assert lines == sorted(lines)


def test_an_error_for_people_is_raised_here() -> None:
    with pytest.raises(EngineError, match=r"^clingo: .*syntax error") as raised:
        call_isolated(SOLVE, {"text": "a :- b"}, ROOMY)
    assert not isinstance(raised.value, Died)


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
        call_isolated(SOLVE, {"text": ENDLESS}, limits)
    assert raised.value.termination == termination
    assert raised.value.reason.startswith("stopped a")


def test_an_error_of_ours_is_a_death_with_its_last_words() -> None:
    with pytest.raises(Died, match="unexpected keyword argument 'colour'"):
        call_isolated(SOLVE, {"colour": "red"}, ROOMY)


@pytest.mark.parametrize(
    "name",
    ["os:system", "hexlogic:run", "hexlogicals.x:y", "hexlogic.files:_private", "hexlogic.files", "hexlogic..a:b"],
)
def test_nothing_outside_hexlogic_can_be_named(name: str) -> None:
    with pytest.raises(ValueError, match="does not name a public function of hexlogic"):
        call_isolated(name, {}, ROOMY)


def test_the_child_does_not_outlive_its_caller(start: Started, tmp_path) -> None:
    code = """
        import math, pathlib, sys, threading, time
        import psutil
        from hexlogic.process.call import call_isolated
        from hexlogic.process.limits import Limits

        def tell():
            while not (children := psutil.Process().children()) or children[0].cpu_times().user < 0.2:
                time.sleep(0.02)
            pathlib.Path(sys.argv[1]).write_text(f"child {children[0].pid}\\n")

        threading.Thread(target=tell, daemon=True).start()
        limits = Limits(cpu_s=math.inf, wall_s=math.inf, memory_bytes=sys.maxsize)
        call_isolated("hexlogic.ground.solving:solve", {"text": "n(1..9). h(A,B,C,D,E,F,G,H,I) :- n(A), n(B), n(C), "
            "n(D), n(E), n(F), n(G), n(H), n(I)."}, limits)
    """
    caller = start(code, str(tmp_path / "child"))
    wait_for_line(tmp_path / "child", b"child", caller)
    child = int((tmp_path / "child").read_text().split()[1])
    caller.kill()
    assert gone([child])
