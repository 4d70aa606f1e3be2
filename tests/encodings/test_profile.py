"""Where the instances come from: counts against clingo's own ground program, the first line, advice."""

from __future__ import annotations

import clingo
import pytest

from hexlogic.encodings.profile import profile_files

PRECEDENCE = """task(1..6). time(0..19).
prec(A,A+1,2) :- task(A), task(A+1).
1 { start(T,X) : time(X) } 1 :- task(T).
:- prec(A,B,D), start(A,TA), start(B,TB), TB < TA+D.
#minimize { X,T : start(T,X) }.
"""


def profiled(text: str, tmp_path, constants: list[str] | None = None):
    file = tmp_path / "p.lp"
    file.write_text(text)
    reported: list = []
    done = profile_files(files=[str(file)], constants=constants or [], limit_s=60.0, report=reported.append)
    return done, reported


class Constraints(clingo.Observer):
    """Counts ground constraints."""

    def __init__(self) -> None:
        self.count = 0

    def rule(self, choice, head, body) -> None:
        self.count += not choice and not head


def test_instances_are_those_of_clingo_and_the_line_to_change_comes_first(tmp_path) -> None:
    done, reported = profiled(PRECEDENCE, tmp_path)
    by_line = {row.line: row for row in done.statements}
    observer = Constraints()
    control = clingo.Control(["--warn=none"])
    control.register_observer(observer)
    control.add("base", [], PRECEDENCE.replace("1 { start(T,X) : time(X) } 1", "{ start(T,X) : time(X) }"))
    control.ground([("base", [])])
    # of the test clingo drops what never holds, and keeps what is counted
    assert by_line[4].instances == observer.count
    assert by_line[5].instances == 6 * 20
    assert by_line[2].instances == 5
    assert done.statements[0].line == 4
    assert done.statements[0].advice.startswith("`hexlogic optimise` can make it: ")
    assert done.statements[0].growth is not None
    assert sum(row.share for row in done.statements) == pytest.approx(1)
    assert [found.part for found in reported] == [8, 1]
    assert set(done.choices) <= {"start/2", "auxiliary"}


def test_advice_where_nothing_is_proved(tmp_path) -> None:
    done, _ = profiled("n(1..9). m(1..9). p(X,Y) :- n(X), m(Y). q(X,Y) :- n(X), m(Y), X*Y < 20.\n", tmp_path)
    advice = {row.text.partition("(")[0]: row.advice for row in done.statements}
    assert advice["p"] == "`m(Y)` shares no variable with what stands before it: 9 atoms of m/1 for each answer of that"
    assert (
        advice["q"]
        == "`X*Y < 20` joins every pair of 9 atoms of n/1 and 9 atoms of m/1: gringo looks no value of it up"
    )


def test_parts_constants_and_aggregates_are_counted(tmp_path) -> None:
    text = "#const k=2.\nn(1..k). s(S) :- S = #count { X : n(X), X > 0 }.\n#program step(t).\na(t,X) :- n(X).\n"
    done, _ = profiled(text, tmp_path, ["k=5"])
    instances = {
        row.line: [each.instances for each in done.statements if each.line == row.line] for row in done.statements
    }
    assert sorted(instances[2]) == [1 + 5]
    assert instances[4] == [3 * 5]
