"""The Epilog adapter and its Node driver, tested with a stand-in for the file that only a user may have.

`epilog_stand_in.js` has the functions that the driver calls and the habits that hexlogic has to live with; the real
epilog.js may not be handed on, so nothing here has met it.
"""

from __future__ import annotations

import json
import os
import random
import re
import shutil
import signal
import threading
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

import psutil
import pytest

from hexlogic.errors import EngineError, SuiteError
from hexlogic.games import Hex
from hexlogic.games.rulesets import load_rule_set, position_facts, rule_set_names, win_query
from hexlogic.laboratory.records.store import RecordWriter, read_records
from hexlogic.laboratory.runs.plan import make_plan, parse_suite
from hexlogic.laboratory.runs.run import execute_plan
from hexlogic.laboratory.runs.session import new_session
from hexlogic.language.dialects.epilog import EpilogWriter
from hexlogic.language.engines import load_engine
from hexlogic.language.engines.epilog import EpilogEngine, EpilogSession
from hexlogic.language.parser import parse, parse_atom
from tests.agreement import PIPELINES, PLAYERS, all_red_stone_sets, finishes, program_of
from tests.agreement import expected as oracle
from tests.language.engines.cases import CASES
from tests.language.engines.test_battery import expected
from tests.waiting import wait_for

STAND_IN = Path(__file__).with_name("epilog_stand_in.js")
EPILOG = load_engine("epilog")
needs_node = pytest.mark.skipif(shutil.which("node") is None, reason="node is not on the PATH; .ci/run installs it")
RUNNABLE = ("power-set", "power-set-extended", "winning-sets")
CHAIN = parse("#defined e/2. two(X,Z) :- e(X,Y), e(Y,Z). four(X,Z) :- two(X,Y), two(Y,Z), not e(X,Z). #show four/2.")
CYCLE = [parse_atom(f"e({x},{x % 5 + 1})") for x in range(1, 6)]


@pytest.fixture
def stand_in(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HEXLOGIC_EPILOG_JS", str(STAND_IN))


@pytest.fixture
def changed(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Callable[[str, str], None]:
    """Puts a stand-in in place of which one passage reads otherwise."""

    def change(old: str, new: str) -> None:
        text = STAND_IN.read_text(encoding="utf-8")
        assert old in text
        file = tmp_path / "epilog.js"
        file.write_text(text.replace(old, new), encoding="utf-8")
        monkeypatch.setenv("HEXLOGIC_EPILOG_JS", str(file))

    return change


def test_without_the_file_it_is_missing_and_says_how_to_get_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("HEXLOGIC_EPILOG_JS", raising=False)
    assert "set HEXLOGIC_EPILOG_JS to your copy of epilog.js" in (EPILOG.missing() or "")
    with pytest.raises(EngineError, match="set HEXLOGIC_EPILOG_JS"):
        EPILOG.open(CHAIN)
    monkeypatch.setenv("HEXLOGIC_EPILOG_JS", "nowhere.js")
    assert EPILOG.missing() == "HEXLOGIC_EPILOG_JS names nowhere.js, which is not a file"


def test_without_node_it_is_missing(stand_in: None, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "")
    assert EPILOG.missing() == "node is not on the PATH; Debian: apt-get install nodejs"
    with pytest.raises(EngineError, match="apt-get install nodejs"):
        EPILOG.open(CHAIN)


@needs_node
def test_the_version_tells_files_apart(stand_in: None, changed: Callable[[str, str], None]) -> None:
    pattern = r"epilog.js sha256 [0-9a-f]{12}, node \d+\.\d+\.\d+"
    changed("var fresh = 0;", "var fresh = 1;")
    other = EPILOG.version()
    changed("var fresh = 0;", "var fresh = 0;")
    assert re.fullmatch(pattern, other)
    assert re.fullmatch(pattern, EPILOG.version())
    assert EPILOG.version() != other


@pytest.mark.takes_seconds(keep=4)
@needs_node
@pytest.mark.parametrize("name", CASES)
def test_the_battery_on_the_stand_in(name: str, stand_in: None) -> None:
    case = CASES[name]
    if "epilog" in case.refused_by:
        assert EPILOG.supports(case.program)
        return
    assert EPILOG.supports(case.program) is None
    with EPILOG.open(case.program) as session:
        for seed in range(8):
            pick = random.Random(seed)
            facts = pick.sample(case.fact_atoms, pick.randint(0, min(9, len(case.fact_atoms))))
            answers = [session.ask(facts, query) for query in case.query_atoms]
            assert [answer.holds for answer in answers] == expected(case, facts)
            assert all(set(answer.counters) == {"inferences", "instantiations"} for answer in answers)


def test_the_rule_sets_it_takes() -> None:
    for rule_set in rule_set_names():
        reason = EPILOG.supports(load_rule_set(rule_set).instantiate(Hex.square(3)))
        assert (reason is None) == (rule_set in RUNNABLE), (rule_set, reason)
        assert reason is None or "is recursive and Epilog keeps no table" in reason


@pytest.mark.takes_seconds(keep=10)
@needs_node
@pytest.mark.parametrize("pipeline", PIPELINES)
@pytest.mark.parametrize("rule_set", RUNNABLE)
def test_it_agrees_with_the_oracle(rule_set: str, pipeline: str, stand_in: None) -> None:
    for game in (Hex(2, 2), Hex(2, 3)):
        with EPILOG.open(program_of(rule_set, pipeline, game)) as session:
            for position in all_red_stone_sets(game):
                if not finishes(rule_set, pipeline, position):
                    continue
                for player in PLAYERS:
                    answer = session.ask(position_facts(position), win_query(player)).holds
                    assert answer == oracle(rule_set, position, player), (player, position.to_text())


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("r(X,Y) :- e(X,Y). r(X,Y) :- e(X,Z), r(Z,Y).", "r/2 is recursive and Epilog keeps no table"),
        ("p :- not q. q :- not p.", "negation"),
        ("p(X) :- not q(X), r(X).", "`not q(X)` is reached with an unbound variable"),
        ("p(X) :- r(X), X < red.", "argument 1 of p/1 holds red, but the program orders these values"),
        ("p(Y) :- r(X), Y = X+1. r(red).", "argument 1 of r/1 holds red, but the program computes with these values"),
        ("p(Y) :- r(X), Y = X+1. r(f(1)).", "argument 1 of r/1 holds f/1"),
    ],
)
def test_refusals(text: str, reason: str) -> None:
    assert reason in (EPILOG.supports(parse(text)) or "")


def test_recursion_that_takes_a_list_apart_is_taken() -> None:
    rules = "fresh(Y,nil) :- n(Y). fresh(Y,v(X,V)) :- fresh(Y,V), n(X), X != Y. n(1..3)."
    assert EPILOG.supports(parse(f"{rules} #show fresh/2.")) is None
    # without a declared query nobody knows that the list is bound
    assert "is recursive" in (EPILOG.supports(parse(rules)) or "")


@needs_node
def test_lists_are_taken_apart(stand_in: None) -> None:
    rules = "fresh(Y,nil) :- n(Y). fresh(Y,v(X,V)) :- fresh(Y,V), n(X), X != Y. n(1..3). #show fresh/2."
    with EPILOG.open(parse(rules)) as session:
        assert session.ask([], parse_atom("fresh(1,v(2,v(3,nil)))")).holds
        assert not session.ask([], parse_atom("fresh(1,v(2,v(1,nil)))")).holds


@needs_node
@pytest.mark.parametrize("query", ["four(1,5)", "four(1,4)", "two(2,4)"])
def test_counters_repeat_exactly(query: str, stand_in: None) -> None:
    counts = []
    for _ in range(2):
        with EPILOG.open(CHAIN) as session:
            counts += [session.ask(CYCLE, parse_atom(query)).counters for _ in range(3)]
            session.ask([], parse_atom("four(1,1)"))
            counts.append(session.ask(CYCLE, parse_atom(query)).counters)
    assert all(count == counts[0] for count in counts)
    assert counts[0]["inferences"] > 0
    assert counts[0]["instantiations"] > 0


@needs_node
def test_questions_leave_no_trace(stand_in: None) -> None:
    program = parse("#defined p/1. p(1). q(X) :- p(X). all :- p(1), p(2), p(3).")
    facts = [parse_atom(text) for text in ("p(1)", "p(2)", "p(3)")]
    with EPILOG.open(program) as session:
        for _ in range(2):
            assert not session.ask([], parse_atom("all")).holds
            assert session.ask(facts, parse_atom("all")).holds
            assert not session.ask(facts[1:2], parse_atom("all")).holds
            assert not session.ask([], parse_atom("q(2)")).holds
            assert session.ask([], parse_atom("q(1)")).holds
            assert session.ask([parse_atom("new(1)")], parse_atom("new(1)")).holds
            assert not session.ask([], parse_atom("new(1)")).holds


@needs_node
def test_facts_of_a_relation_with_rules_are_not_ignored(stand_in: None) -> None:
    program = parse("#defined p/1. p(7). p(X) :- q(X). q(1). r(X) :- p(X), not q(X).")
    with EPILOG.open(program) as session:
        assert session.ask([], parse_atom("p(7)")).holds
        assert session.ask([parse_atom("p(5)")], parse_atom("r(5)")).holds
        assert not session.ask([], parse_atom("r(5)")).holds
        assert session.ask([], parse_atom("p(1)")).holds


@needs_node
def test_a_full_stack_is_an_error_and_not_an_answer(stand_in: None, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(EpilogEngine, "supports", lambda self, program: None)
    program = parse("#defined e/2. r(X,Y) :- e(X,Y). r(X,Y) :- e(X,Z), r(Z,Y). #show r/2.")
    with EPILOG.open(program) as session:
        for _ in range(2):
            with pytest.raises(EngineError, match="epilog: RangeError: Maximum call stack size exceeded"):
                session.ask(CYCLE, parse_atom("r(1,9)"))
        assert session.ask(CYCLE[:3], parse_atom("r(1,4)")).holds
        assert not session.ask(CYCLE[:3], parse_atom("r(4,1)")).holds


@needs_node
def test_a_division_by_zero_and_a_symbol_among_integers_are_errors(stand_in: None) -> None:
    program = parse("#defined p/1. q(Y) :- p(X), Y = 6/X. q(Y) :- p(X), Y = 6\\X.")
    with EPILOG.open(program) as session:
        assert session.ask([parse_atom("p(-4)")], parse_atom("q(-1)")).holds
        with pytest.raises(EngineError, match="division by zero"):
            session.ask([parse_atom("p(0)")], parse_atom("q(1)"))
        with pytest.raises(EngineError, match="red stands where the program needs an integer"):
            session.ask([parse_atom("p(red)")], parse_atom("q(1)"))
        assert session.ask([parse_atom("p(4)")], parse_atom("q(2)")).holds


@needs_node
@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("case 'evaluate'", "case 'value'", "does not evaluate evaluate(min(...),X) as hexlogic"),
        ("case 'distinct'", "case 'different'", "this generation does not evaluate"),
        ("return !solve([goal[1]]", "return solve([goal[1]]", "this generation does not evaluate"),
        ("function compfindp", "function findp", "it does not define compfindp"),
        ("return sentences;", "return [];", "the reader found 0 sentences instead of 1, at comments"),
        ("return solve([query]", "return 'yes' || solve([query]", 'compfindp answered "yes"'),
        ("function fastreaddata", "function fastread", "it does not define fastreaddata or readdata"),
        ("var inferences = 0;", "throw new Error('out of order');", "Error: out of order"),
        ("var inferences = 0;", "var var = 0;", "SyntaxError: "),
        ("var inferences = 0;", "process.exit(7);", "epilog ended with exit code 7"),
        ("var inferences = 0;", "process.abort();", "epilog was ended by SIGABRT"),
        ("var inferences = 0;", "require('fs').writeSync(1, 'hello\\n');", "is not defined"),
    ],
)
def test_a_file_that_is_no_epilog_is_told(
    old: str, new: str, message: str, changed: Callable[[str, str], None]
) -> None:
    changed(old, new)
    with pytest.raises(EngineError) as caught:
        EPILOG.open(CHAIN)
    assert message in str(caught.value)


@needs_node
@pytest.mark.parametrize(
    ("old", "new"),
    [("function fastreaddata", "function readdata"), ("remainder", "modulus")],
    ids=("reader", "remainder"),
)
def test_an_older_generation_is_recognised(old: str, new: str, changed: Callable[[str, str], None]) -> None:
    changed(old, new)
    with EPILOG.open(parse("#defined p/1. odd(X) :- p(X), 1 = X\\2.")) as session:
        assert session.ask([parse_atom("p(7)")], parse_atom("odd(7)")).holds
        assert not session.ask([parse_atom("p(8)")], parse_atom("odd(8)")).holds


@needs_node
def test_what_the_engine_prints_does_not_disturb_the_replies(changed: Callable[[str, str], None]) -> None:
    changed("bindings.clear();", "bindings.clear(); console.log('solving');")
    with EPILOG.open(CHAIN) as session:
        assert session.ask(CYCLE, parse_atom("four(1,5)")).holds


@needs_node
def test_a_file_may_declare_names_that_node_has(changed: Callable[[str, str], None]) -> None:
    changed("var fresh = 0;", "var fresh = 0; function process() {} function require() {} var performance, fetch;")
    with EPILOG.open(CHAIN) as session:
        assert session.ask(CYCLE, parse_atom("four(1,5)")).holds


@needs_node
def test_an_engine_without_counters_answers_without_them(changed: Callable[[str, str], None]) -> None:
    changed("inferences", "stepstaken")
    with EPILOG.open(CHAIN) as session:
        assert set(session.ask(CYCLE, parse_atom("four(1,5)")).counters) == {"instantiations"}


@needs_node
def test_text_that_is_no_epilog_is_refused(stand_in: None, monkeypatch: pytest.MonkeyPatch) -> None:
    for sentences in (["p_1(X) :- q_1(X), r_1(X)"], ["p_1(X) :- q_1(X"], ["p_1(c1) q_1(c2)"], ["p_1(c1).", "q_1(c1)."]):
        monkeypatch.setattr(EpilogWriter, "sentences", lambda self, sentences=sentences: sentences)
        with pytest.raises(EngineError, match="the reader"):
            EPILOG.open(CHAIN)


@needs_node
def test_the_death_of_the_process_is_told(stand_in: None) -> None:
    session = EPILOG.open(CHAIN)
    assert isinstance(session, EpilogSession)
    assert os.getpgid(session._process.process.pid) == os.getpgid(0)
    os.kill(session._process.process.pid, signal.SIGKILL)
    with pytest.raises(EngineError, match="epilog was ended by SIGKILL"):
        session.ask(CYCLE, parse_atom("four(1,5)"))
    with pytest.raises(EngineError, match="the epilog session is closed"):
        session.ask(CYCLE, parse_atom("four(1,5)"))
    session.close()


@needs_node
def test_a_question_that_is_killed_while_it_runs(changed: Callable[[str, str], None]) -> None:
    changed("bindings.clear();", "bindings.clear(); while (query[0] === 'four_2') {}")
    session = EPILOG.open(CHAIN)
    assert isinstance(session, EpilogSession)
    process = psutil.Process(session._process.process.pid)
    before = process.cpu_times().user

    def end() -> None:
        wait_for(lambda: process.cpu_times().user > before + 0.5)  # the query runs
        process.send_signal(signal.SIGTERM)

    timer = threading.Thread(target=end)
    timer.start()
    with pytest.raises(EngineError, match="epilog was ended by SIGTERM"):
        session.ask(CYCLE, parse_atom("four(1,5)"))


@needs_node
def test_the_process_ends_with_the_session(stand_in: None) -> None:
    session = EPILOG.open(CHAIN)
    assert isinstance(session, EpilogSession)
    session.close()
    assert session._process.process.returncode is not None


@needs_node
def test_the_driver_answers_a_bad_request_and_goes_on(stand_in: None) -> None:
    session = EPILOG.open(CHAIN)
    assert isinstance(session, EpilogSession)
    for request in ("no json\n", '{"facts": "p(", "sentences": 1, "query": "q"}\n'):
        session._process.send(request)
        assert "error" in json.loads(session._process.receive())
    assert session.ask(CYCLE, parse_atom("four(1,5)")).holds
    session.close()


SUITE = """
name = "epilog"
boards = ["difficult-1"]
limits = { cpu_s = 5, memory_mb = 400, wall_s = 3600 }
repeats = 1
warm_ups = 0
[[configurations]]
rule_sets = ["power-set", "clusters"]
pipelines = ["none", "ground,reorder"]
engines = ["epilog"]
"""


def measured(folder: Path) -> dict[str, str]:
    """Status and counters of each run of the suite."""
    plan = make_plan(parse_suite(SUITE, "epilog.toml"), "epilog.toml")
    session = new_session(plan, jobs=1, warm_up_jobs=1, command=[], started=datetime.now(UTC))
    with RecordWriter(folder) as writer:
        result = execute_plan(plan, session, writer, None)
    return {
        f"{run.rule_set} {run.pipeline}": f"{run.status} {run.message or ''}" for run in read_records(result.path).runs
    }


@pytest.mark.takes_seconds
@needs_node
def test_measured_runs_are_limited(stand_in: None, tmp_path: Path) -> None:
    runs = measured(tmp_path)
    assert runs["power-set none"].startswith("timeout")
    assert runs["power-set ground,reorder"].startswith("answered")
    assert "Epilog keeps no table" in runs["clusters none"]


def test_a_suite_says_what_is_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("HEXLOGIC_EPILOG_JS", raising=False)
    plan = make_plan(parse_suite(SUITE.replace('["epilog"]', '["epilog", "clingo"]'), "s"), "s")
    assert "set HEXLOGIC_EPILOG_JS" in plan.missing["epilog"]
    assert {cell.engine for cell in plan.configurations} == {"clingo"}
    with pytest.raises(SuiteError, match=r"no engine of the suite can run here .*set HEXLOGIC_EPILOG_JS"):
        make_plan(parse_suite(SUITE, "s"), "s")
