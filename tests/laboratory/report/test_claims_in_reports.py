"""What reports of random runs say agrees with their tables."""

from __future__ import annotations

import random

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from hexlogic.laboratory.records.types import Run
from hexlogic.laboratory.report.claims.relations import (
    LimitReached,
    Timed,
    pooled,
)
from hexlogic.laboratory.report.claims.sentences import entry, verb
from hexlogic.laboratory.report.document import Table
from hexlogic.laboratory.report.results import SuiteRecords
from hexlogic.laboratory.report.statistics import against, savings, summarise
from hexlogic.laboratory.report.terminal import render_report, session_blocks
from hexlogic.laboratory.report.topics.passes import findings, overview_findings
from tests.laboratory.report.records import records, run, session


def suite(seed: int, spread: float) -> list[Run]:
    """Random synthetic runs: times that scatter, timeouts in the query or before it, memory, engines that cannot."""
    chance = random.Random(seed)
    runs = []
    for rule_set in ("clusters", "power-set", "follow-line", "maker-breaker"):
        two = rule_set in ("follow-line", "maker-breaker")
        for pipeline in ("none", "ground,reorder") if two else ("none", "ground", "reorder", "ground,reorder"):
            for engine in ("swipl", "clingo", "pydatalog"):
                kind = chance.choice(["answered"] * 6 + ["timeout", "early", "out-of-memory", "unsupported"])
                if kind == "answered":
                    middle = 10 ** chance.uniform(-1, 3.5)
                    for _ in range(chance.choice([1, 3, 5])):
                        runs.append(run(rule_set, pipeline, engine, middle * chance.lognormvariate(0, spread)))
                elif kind in ("timeout", "early"):
                    asked = None if kind == "early" else chance.choice([0.5, 9.99])
                    runs.append(run(rule_set, pipeline, engine, status="timeout", asked_cpu_s=asked, message="late"))
                else:
                    runs.append(run(rule_set, pipeline, engine, status=kind, message="no"))  # type: ignore[arg-type]
    return runs


@pytest.mark.takes_seconds
@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.integers(0, 10**9), st.sampled_from([0.0, 0.02, 0.3, 1.5]))
def test_no_sentence_contradicts_its_table(seed: int, spread: float) -> None:
    """The sentences about a pipeline and the factors in the table come from the same relations."""
    runs = suite(seed, spread)
    cells = summarise(runs, session=session())
    column = {(cell.rule_set, cell.engine, cell.pipeline): cell for cell in cells}
    clauses = []
    for rule_set in ("clusters", "power-set"):
        own = [cell for cell in cells if cell.rule_set == rule_set]
        clauses += [(rule_set, text) for text in findings(own)]
    for cell in cells:
        base = column[cell.rule_set, cell.engine, "none"]
        table = savings(cell, cells)
        relation = against(cell, base)
        if cell.pipeline == "none" or not isinstance(cell.timing, Timed):
            continue
        # What the table shows as a bound is exact in no sentence, unless its baseline finished and another did not.
        if isinstance(base.timing, LimitReached):
            assert table.kind == "AtLeast"
            assert relation.kind in ("AtLeast", "NoBaseline")
        # When the baseline is the slowest and all finished, both are the very same claim.
        if isinstance(base.timing, Timed) and table.kind != "AtLeast":
            if table == relation:
                assert entry(table) == entry(relation)
            else:
                assert (table.value or 0) >= (relation.value or 0) * (1 - 1e-9)
        told = [text for name, text in clauses if name == cell.rule_set and f"on {cell.engine}" in text]
        if cell.rule_set in ("clusters", "power-set") and relation.is_known:
            assert any(
                f"{verb(relation, plural=cell.pipeline == 'ground,reorder')} on {cell.engine}" in t for t in told
            )
    told_of_all = overview_findings(cells)
    pairs = [
        against(column[name, engine, "ground,reorder"], column[name, engine, "none"])
        for name in ("clusters", "power-set", "follow-line", "maker-breaker")
        for engine in ("swipl", "clingo", "pydatalog")
    ]
    known = [relation for relation in pairs if relation.is_known]
    if known:
        saved = sum(relation.decides > 0 for relation in known)
        many = f"save time in {saved or 'none'} of {len(known)} pairs" if len(known) > 1 else "reordering together"
        assert any(many in text for text in told_of_all)
    tables = [block for block in session_blocks(SuiteRecords([records(runs)])) if isinstance(block, Table)]
    printed = {one.text for table in tables for row in table.rows for one in row}
    for cell in cells:
        if cell.pipeline == "ground,reorder" and isinstance(cell.timing, Timed):
            assert entry(savings(cell, cells)) in printed
    assert max(map(len, render_report(records(runs)).splitlines())) <= 100


def test_noise_that_looked_like_a_saving_is_neither_saved_nor_equal() -> None:
    """The table said 6.0x and the sentence below it that nothing is saved."""
    runs = [run("clusters", "none", "swipl", ms) for ms in (1.0, 6.0, 60.0)]
    runs += [run("clusters", "ground,reorder", "swipl", ms) for ms in (0.5, 1.0, 50.0)]
    text = " ".join(render_report(records(runs)).split())
    assert "6.0x [0.0" in text
    assert "clusters on swipl: grounding and reordering together cannot be told apart here (6.0x [0.0" in text


def test_pooled_needs_more_than_one_factor_without_noise() -> None:
    one = (Timed((2.0,)), Timed((1.0,)))
    assert pooled([]) is pooled([one]) is None
    found = pooled([one, (Timed((2.2,)), Timed((1.0,)))])
    assert found is not None
    assert found.low < 2.0 < 2.2 < found.high
