"""A session on a terminal: what the sections say of it, how to read that, and what makes it doubtful; and as data."""

from __future__ import annotations

from dataclasses import asdict

from hexlogic.report.caveats import doubts, explain_marks, wrong_answers
from hexlogic.report.claims.phrases import raw_factor
from hexlogic.report.claims.relations import AtLeast
from hexlogic.report.document import Block, Bullets, Text
from hexlogic.report.findings import clock_findings
from hexlogic.report.formatting import seconds
from hexlogic.report.judgings import judgings
from hexlogic.report.material import SuiteRecords
from hexlogic.report.playouts import play_data
from hexlogic.report.statistics import savings
from hexlogic.report.text import render_blocks
from hexlogic.report.topic import sections
from hexlogic.runs.store import RecordFile

__all__ = ["benchmark_report", "render_report", "report_data", "session_blocks"]


def render_report(records: RecordFile) -> str:
    """Tables, each with what it shows, how to read them, and at the end, where it is seen, what is wrong."""
    suite = SuiteRecords.of([records])
    questions = [one for one in suite.configurations if one.mode is None]
    blocks: list[Block] = []
    reading: list[str] = []
    for section in sections():
        if own := section.blocks(suite):
            blocks += own
            reading.append(section.legend(records.session))
    reading = [*dict.fromkeys(reading), *explain_marks(questions), *clock_findings(suite.configurations)]
    wrong = wrong_answers(suite) + doubts(records)
    return render_blocks([*blocks, Bullets(tuple(reading)), *map(Text, wrong)]) + "\n"


def benchmark_report(records: RecordFile) -> str:
    """The tables of `hexlogic bench` for in-process queries, and how to read them."""
    suite = SuiteRecords.of([records])
    legend = (
        "time: a query to a program loaded before, asked again and again in one process; RSF: the slowest time of the "
        "same reformulation and engine divided by this one; [?]: one process is one repeat, and nothing tells how much "
        "it scatters. What found no answer in a process of its own within "
        f"{seconds(records.session.limits.cpu_s)} of CPU, building and loading included, was not asked again."
    )
    return render_blocks([*session_blocks(suite), *map(Text, [legend, *explain_marks(suite.configurations)])])


def report_data(records: RecordFile) -> dict[str, object]:
    """`cells` (the fields of `ConfigurationStats`, its factor, and what makes its time doubtful) and `findings`, for
    JSON: raw seconds, and the factors beside them; `positions` where many were judged at once."""
    suite = SuiteRecords.of([records])
    rows = []
    for one in suite.configurations:
        saved = savings(one, suite.configurations)
        value, low, high = raw_factor(saved)
        factor = {"rsf": value, "rsf_low": low, "rsf_high": high, "rsf_is_bound": isinstance(saved, AtLeast)}
        doubtful = {"near_floor": one.near_floor, "spread": one.spread, "unsteady": one.unsteady}
        rows.append({**asdict(one), **factor, **doubtful})
    told = [text for block in session_blocks(suite) if isinstance(block, Bullets) for text in block.texts]
    data: dict[str, object] = {"cells": rows, "findings": told}
    if judged := judgings(suite):
        data["positions"] = [
            {"rule_set": one.first.rule_set, "size": one.first.size, "method": one.first.method, "times_s": one.times_s}
            for one in judged
        ]
    return data | play_data(records.playings) if records.playings else data


def session_blocks(suite: SuiteRecords) -> list[Block]:
    """What the sections say of a suite on a terminal."""
    return [block for section in sections() for block in section.blocks(suite)]
