"""What is done to a program before an engine gets it: reading the rule text, and each pass by itself."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

import pytest
from conftest import the_plan

from hexlogic.errors import SizeError
from hexlogic.games.rulesets import load_rule_set, rule_set_names
from hexlogic.language import Program
from hexlogic.language.parser import parse
from hexlogic.language.passes import load_pass, pass_names

LONGEST_S = 0.5
"""What takes longer once is not repeated."""

BOARD = the_plan().configurations[0].task.position.game


def fits(name: str) -> bool:
    try:
        load_rule_set(name).expand(BOARD)
    except SizeError:
        return False
    return True


RULE_SETS = [name for name in rule_set_names() if fits(name)]


def repeat(benchmark, make: Callable[[Any], Program], given: object) -> None:
    begin = time.process_time()
    make(given)
    if (once_s := time.process_time() - begin) > LONGEST_S:
        pytest.skip(f"too long to repeat: {once_s:.1f} s")
    assert benchmark(make, given).rules


@pytest.mark.parametrize("name", RULE_SETS)
def test_parse(benchmark, name):
    text = load_rule_set(name).expand(BOARD)
    benchmark.group = f"{name}: parse"
    repeat(benchmark, parse, text)


@pytest.mark.parametrize("name", RULE_SETS)
@pytest.mark.parametrize("transformation", pass_names())
def test_pass(benchmark, quiet, transformation, name):
    program = load_rule_set(name).instantiate(BOARD)
    benchmark.group = f"{name}: pass"
    repeat(benchmark, load_pass(transformation).apply, program)
