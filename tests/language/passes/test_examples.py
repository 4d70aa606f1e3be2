"""Every registered pass does what the example at the head of its module says: a pass without an example fails here."""

from __future__ import annotations

import dataclasses
import importlib
import itertools
import re

import pytest

from hexlogic.language import Predicate, Program
from hexlogic.language.analysis.dependence import undefined_predicates
from hexlogic.language.parser import parse
from hexlogic.language.passes import load_pass, pass_names
from hexlogic.language.walk import predicates, rename_rule

EXAMPLE = re.compile(r"^Before:(.*?)^After:(.*?)(?:^$|\Z)", re.MULTILINE | re.DOTALL)


def example(name: str) -> tuple[Program, Program]:
    """The two programs in the docstring of the pass's module."""
    page = importlib.import_module(f"hexlogic.language.passes.{name}").__doc__ or ""
    match = EXAMPLE.search(page)
    assert match, f"the pass {name} has no example (Before: ... After: ...) at the head of its module"
    return parse(match[1], f"{name} before"), parse(match[2], f"{name} after")


def with_interface(program: Program) -> Program:
    """What no rule defines is an input, and what no rule calls is asked for, unless the text says it."""
    inputs = program.inputs or tuple(sorted(undefined_predicates(program)))
    called = {literal.atom.predicate for rule in program.rules for literal in rule.literals}
    asked = program.queries or tuple(sorted(program.heads - called))
    return dataclasses.replace(program, inputs=inputs, queries=asked)


def texts(program: Program, named: frozenset[Predicate]) -> list[set[str]]:
    """The rules as text, once for each way of numbering the predicates that are not `named`."""
    new = sorted(predicates(program) - named)
    orders = itertools.permutations(f"new_{number}" for number in range(len(new)))
    return [{str(rename_rule(rule, dict(zip(new, order, strict=True)))) for rule in program.rules} for order in orders]


@pytest.mark.parametrize("name", pass_names())
def test_each_pass_does_what_its_example_says(name: str) -> None:
    before, after = example(name)
    assert set(before.rules) != set(after.rules)
    result = load_pass(name).apply(with_interface(before), None)
    assert texts(after, predicates(before))[0] in texts(result, predicates(before)), result
