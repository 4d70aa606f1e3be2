"""How many runs there are: a page of the report that is dropped in."""

from __future__ import annotations

from collections.abc import Sequence

from hexlogic.laboratory.report.results import PageAnswer, PageQuestion, Results, SuiteRecords


def _answer(results: Results, suites: Sequence[SuiteRecords]) -> PageAnswer:
    runs = sum(len(file.measurements) for suite in suites for file in suite.files)
    return PageAnswer(f"A toy counted {runs} runs.", ())


QUESTION = PageQuestion(
    name="toy",
    title="Toy",
    text="How many runs are there?",
    order=99,
    find=lambda results: results.suites,
    answer=_answer,
    how="hexlogic bench --suite quick",
)
