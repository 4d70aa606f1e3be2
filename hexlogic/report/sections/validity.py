"""Limits of validity: what these figures do not say, counted in this very session where that can be done."""

from __future__ import annotations

from hexlogic.report.caveats import explain_marks
from hexlogic.report.document import Block, Bullets
from hexlogic.report.formatting import limits_text, listed
from hexlogic.report.material import Material, SuiteRecords
from hexlogic.report.section import Section, by_suite

__all__ = ["SECTION"]

_FEW = 3

_GENERAL = (
    "A handful of fixed positions is not the game: which reformulation is fastest can change with the board. The "
    "positions were chosen because they are difficult, so savings are larger here than on an average position.",
    "A time is that of the first answer in a fresh process, with whatever the engine does then for the first time. "
    "Starting the engine and loading the program are kept apart from it and not in the tables.",
    "Savings against a configuration that met its limit are bounds: how much more it is nobody has measured.",
    "Memory is sampled from outside, so a short peak can be missed.",
)


_NO_EPILOG = (
    "The paper's engine, Epilog in a browser, was not measured here; its figures stand beside ours to be compared in "
    "kind, row by row, and not as one number against another."
)


def _blocks(material: Material) -> list[Block]:
    measured = {run.engine for suite in material.suites for run in suite.runs}
    general = Bullets(_GENERAL if "epilog" in measured else (*_GENERAL, _NO_EPILOG))
    return [general, *by_suite(lambda suite: [Bullets(tuple(_suite(suite)))], headings=True)(material)]


def _suite(suite: SuiteRecords) -> list[str]:
    configs, session = suite.configurations, suite.session
    late = sum(config.status in ("timeout", "out-of-memory") for config in configs)
    unsupported = sum(config.status == "unsupported" for config in configs)
    broken = sum(config.status in ("crashed", "error") for config in configs)
    told = [
        f"{sum(bool(config.time_s) for config in configs)} of {len(configs)} cells have a time; {late} met a limit "
        f"({limits_text(session.limits)}), {unsupported} are unsupported by "
        f"their engine and {broken} ended in an error."
    ]
    told += explain_marks(configs)
    few = sum(bool(config.time_s) and config.counted < _FEW for config in configs)
    if few:
        told.append(f"{few} times rest on fewer than {_FEW} runs, so that nothing can be said of how much they vary.")
    missing = [f"{name} ({info.missing})" for name, info in sorted(session.engines.items()) if info.missing]
    if missing:
        told.append(f"Not measured, for they were not there: {listed(missing)}.")
    incomplete = sorted({config.rule_set for config in configs if not config.complete})
    if incomplete:
        names = listed([f"`{name}`" for name in incomplete])
        told.append(f"Not every win is found by {names}; the times are those of a different question.")
    if suite.mixed:
        told.append(f"The sessions put together here differ in {suite.mixed}; `--mix` was given.")
    return told


SECTION = Section(name="validity", title="Limits of validity", order=130, blocks=_blocks)
