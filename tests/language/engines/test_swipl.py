"""What only the swipl adapter promises: exact counters, errors that are no answers, a death that is told."""

from __future__ import annotations

import os
import re
import signal
import subprocess
from pathlib import Path

import pytest

from hexlogic.errors import EngineError
from hexlogic.language.dialects import render
from hexlogic.language.engines import load_engine
from hexlogic.language.engines.swipl import SwiplSession
from hexlogic.language.parser import parse, parse_atom

SWIPL = load_engine("swipl")
pytestmark = pytest.mark.skipif(SWIPL.missing() is not None, reason=SWIPL.missing() or "installed")

CLOSURE = parse(
    """#defined edge/2. reach(X,Y) :- edge(X,Y). reach(X,Y) :- edge(X,Z), reach(Z,Y).
    left(X,Y) :- edge(X,Y). left(X,Y) :- left(X,Z), edge(Z,Y).
    pair(X,Y) :- reach(X,Y), reach(Y,X). apart(X,Y) :- edge(X,X), edge(Y,Y), not reach(X,Y)."""
)
CYCLE = [parse_atom(f"edge({x},{x % 5 + 1})") for x in range(1, 6)] + [parse_atom("edge(3,1)"), parse_atom("edge(9,9)")]


def test_missing_says_how_to_get_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "")
    assert SWIPL.missing() == "swipl is not on the PATH; Debian: apt-get install swi-prolog-nox"
    with pytest.raises(EngineError, match="apt-get install"):
        SWIPL.open(CLOSURE)


def test_version_is_asked_from_the_tool() -> None:
    assert re.fullmatch(r"\d+\.\d+\.\d+", SWIPL.version())


@pytest.mark.parametrize("query", ["reach(1,5)", "reach(1,9)", "pair(2,1)", "left(1,5)", "apart(9,9)", "apart(1,9)"])
def test_inferences_repeat_exactly(query: str) -> None:
    counts = []
    for _ in range(2):
        with SWIPL.open(CLOSURE) as session:
            for _ in range(3):
                counts.append(session.ask(CYCLE, parse_atom(query)).counters["inferences"])
            session.ask([], parse_atom("left(1,1)"))
            counts.append(session.ask(CYCLE, parse_atom(query)).counters["inferences"])
    assert len(set(counts)) == 1, counts
    assert counts[0] > 0


def test_inferences_are_those_of_the_call_alone() -> None:
    with SWIPL.open(parse("p(1). q(X) :- p(X). r(X) :- q(X), p(X).")) as session:
        counts = [session.ask([], parse_atom(query)).counters["inferences"] for query in ("p(1)", "q(1)", "r(1)")]
    assert counts == [0, 1, 3], "the calls that the query makes, without the one that asks it"


def test_the_first_answer_ends_the_search() -> None:
    program = parse("n(1..2000). hit(X) :- n(X), n(Y), n(Z). last(X) :- n(X), X > 1999.")
    with SWIPL.open(program) as session:
        assert session.ask([], parse_atom("hit(1)")).counters["inferences"] < 10


def test_the_death_of_the_process_is_told() -> None:
    session = SWIPL.open(CLOSURE)
    assert isinstance(session, SwiplSession)
    os.kill(session._process.process.pid, signal.SIGKILL)
    with pytest.raises(EngineError, match="ended by SIGKILL"):
        session.ask(CYCLE, parse_atom("reach(1,2)"))
    with pytest.raises(EngineError, match="closed"):
        session.ask(CYCLE, parse_atom("reach(1,2)"))
    session.close()


def test_the_process_stays_in_the_group_of_the_caller_and_ends_with_the_session() -> None:
    session = SWIPL.open(CLOSURE)
    assert isinstance(session, SwiplSession)
    assert os.getpgid(session._process.process.pid) == os.getpgid(0)
    session.close()
    assert session._process.process.returncode is not None


def test_an_error_is_never_the_answer_no() -> None:
    program = parse("#defined p/1. #defined q/2. s(Y) :- p(X), Y = X+1. t(X) :- q(X,Y), X < Y.")
    with SWIPL.open(program) as session:
        with pytest.raises(EngineError, match=r"[Aa]rithmetic"):
            session.ask([parse_atom("p(red)")], parse_atom("s(1)"))
        with pytest.raises(EngineError, match=r"[Aa]rithmetic"):
            session.ask([parse_atom("q(red,blue)")], parse_atom("t(red)"))
        assert session.ask([parse_atom("p(1)")], parse_atom("s(2)")).holds
        assert not session.ask([], parse_atom("s(2)")).holds


def test_facts_for_a_predicate_that_is_no_input_are_an_error_and_leave_no_trace() -> None:
    with SWIPL.open(parse("#defined p/1. fixed(1). q(X) :- p(X), fixed(X).")) as session:
        with pytest.raises(EngineError, match="permission"):
            session.ask([parse_atom("p(1)"), parse_atom("fixed(2)")], parse_atom("q(1)"))
        assert not session.ask([], parse_atom("q(1)")).holds


def test_a_warning_while_loading_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    for text in ("p(X) :- q(X.", "p(X, Y) :- q(X).", "p(1). q(1). p(2).", "halt(1).", "p :- ( q ; ."):
        monkeypatch.setattr("hexlogic.language.engines.swipl.render", lambda program, dialect, text=text: f"{text}\n")
        with pytest.raises(EngineError, match="swipl: "):
            SWIPL.open(CLOSURE)


def test_thousands_of_questions_in_one_process() -> None:
    with SWIPL.open(CLOSURE) as session:
        answers = [session.ask(CYCLE[: number % 7], parse_atom("reach(1,5)")).holds for number in range(3000)]
    assert answers == [number % 7 >= 4 for number in range(3000)]


def test_the_printed_text_runs_by_itself(tmp_path: Path) -> None:
    program = parse("#defined edge/2. reach(X,Y) :- edge(X,Y). reach(X,Y) :- reach(X,Z), edge(Z,Y). #show reach/2.")
    file = tmp_path / "program.pl"
    file.write_text(render(program, "prolog") + "edge(1,2).\nedge(2,1).\n", encoding="utf-8")
    command = ["swipl", "-g", "forall(reach(1,X), (print(X), nl))", "-t", "halt", str(file)]
    shown = subprocess.run(command, capture_output=True, text=True, check=True, timeout=600)
    assert sorted(shown.stdout.split()) == ["1", "2"]
    assert shown.stderr == ""
