"""Rule texts and sheets that a stranger may have written to do harm: each is refused, answered or stopped, and two at
once neither disturb each other nor a fair question beside them."""

from __future__ import annotations

import re
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

import pytest

from hexlogic.errors import HexlogicError
from hexlogic.process.limits import Limits
from hexlogic.web.app import Children
from hexlogic.web.rule_text import evaluate, text_of
from hexlogic.web.sheets import play

TIGHT = Limits.of(cpu_s=1, wall_s=600, memory_mb=150)
REFUSED = {
    "include": ('#include "/etc/passwd".', "rules.lp:1:1: unexpected '#'"),
    "script": ("#script (python)\nimport os\n#end.", "rules.lp:1:1: unexpected '#'"),
    "call": ('wins(@system("id")).', "rules.lp:1:6: unexpected '@'"),
    "digits": (f"p({'9' * 50_000}).", "rules.lp:1:3: an integer of 50,000 digits (integers have 32 bits"),
    "null": ("wins(red).\0", "rules.lp:1:11: unexpected"),
    "deep": (f"p({'f(' * 20_000}a{')' * 20_000}).", "nested too deeply"),
    "denial": ("wins(red) :- not wins(red).", "rules.lp:1:1: wins/1 depends on its own negation"),
}
STOPPED = {
    "counting": "n(0). n(X+1) :- n(X). wins(red) :- n(9).",
    "growing": "n(a). n(f(X,X)) :- n(X). wins(red) :- n(b).",
    "square": "p(1..3000). q(X,Y) :- p(X), p(Y). wins(red) :- q(1,1).",
    "interval": "p(1..1000000000). wins(red) :- p(1).",
    "long": "a. " * 60_000 + "wins(red).",
}


@pytest.fixture(scope="module")
def children() -> Iterator[Children]:
    running = Children()
    yield running
    running.close()


def said(children: Children, text: str, limits: Limits = TIGHT) -> str:
    """What the page is told of a text."""
    try:
        found = children.ask(evaluate, {"text": text, "size": "3"}, threading.Event(), limits=limits)
    except HexlogicError as error:
        return str(error)
    return str(found["problem"]["message"]) if found["problem"] else f"won by {found['winners']}"


@pytest.mark.parametrize("text", REFUSED)
def test_what_is_no_rule_text_is_refused_at_its_place(children: Children, text: str) -> None:
    harmful, words = REFUSED[text]
    assert words in said(children, harmful, Limits.of(cpu_s=20, wall_s=600, memory_mb=500))


@pytest.mark.takes_seconds(keep=5)
@pytest.mark.parametrize("text", STOPPED)
def test_what_never_ends_is_stopped_while_another_page_is_answered(children: Children, text: str) -> None:
    fair = text_of("follow-line-tabled", "3")
    with ThreadPoolExecutor() as pages:
        harmful = pages.submit(said, children, STOPPED[text])
        assert [said(children, fair), said(children, fair)] == ["won by []"] * 2
        assert harmful.result().startswith("this was stopped a")
    assert said(children, "wins(red).") == "won by ['red']"


def test_what_is_stopped_says_which_terms_may_grow(children: Children) -> None:
    assert re.fullmatch(
        r"this was stopped a.*: the terms of line/3, unvisited/2 may grow without end, and clingo grounds all of them",
        said(children, text_of("follow-line", "3")),
    )


def test_a_question_costs_a_fraction_of_a_new_process(children: Children) -> None:
    """The reason for forks, in CPU seconds: limits that a new process would exceed before it has imported anything."""
    fair = text_of("follow-line-tabled", "9")
    assert said(children, fair, Limits.of(cpu_s=0.15, wall_s=600, memory_mb=500)) == "won by []"


@pytest.mark.takes_seconds
def test_a_sheet_that_fills_the_memory_is_stopped(children: Children) -> None:
    numbers = " ".join(f"(num {number})" for number in range(60))
    sheet = (
        f"(role r) (init (n 0)) {numbers} (<= (hold ?a ?b ?c ?d) (num ?a) (num ?b) (num ?c) (num ?d))"
        "(<= (legal r go) (hold ?a ?a ?b ?b)) (<= (next (n 1)) (true (n 0))) (<= (goal r 0) (role r))"
        "(<= terminal (true (n never)))"
    )
    found = children.ask(play, {"text": sheet}, threading.Event(), limits=TIGHT)
    assert found["problem"]["message"].startswith("this was stopped a")
