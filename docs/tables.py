"""Tables of the documentation, made from the CSV files of the example report.

A page marks the place of a table with `<!-- table NAME -->` and `<!-- end -->`; `refresh.py` writes what
stands between.
"""

from __future__ import annotations

import csv
import math
import re
from collections.abc import Callable, Iterable
from pathlib import Path

__all__ = ["TABLES", "fill_tables"]

_FOLDER = Path(__file__).resolve().parent / "example-report" / "tables"
_MARK = re.compile(r"(<!-- table ([a-z-]+) -->\n).*?(<!-- end -->)", re.DOTALL)
_ENGINES = {"swipl": "SWI-Prolog", "pydatalog": "pyDatalog", "epilog": "the study's Epilog"}
_PASSES = {"none": "none", "ground": "ground", "reorder": "reorder", "ground,reorder": "ground, reorder"}
_BOTH = "ground,reorder"

Row = dict[str, str]


def fill_tables(page: str) -> str:
    """The page with its tables as the records are now."""
    return _MARK.sub(lambda match: match[1] + TABLES[match[2]]() + match[3], page)


def rows(name: str) -> list[Row]:
    """The rows of one CSV file of the example report."""
    with (_FOLDER / f"{name}.csv").open(newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file))


def markdown(head: Iterable[str], body: Iterable[Iterable[str]]) -> str:
    """A table in Markdown; a heading that ends in a colon is of a column of numbers."""
    names = list(head)
    lines = [[name.rstrip(":") for name in names], ["--:" if name.endswith(":") else "---" for name in names], *body]
    return "".join("| " + " | ".join(line) + " |\n" for line in lines)


def factor(value: str, *, bound: bool = False) -> str:
    """Two digits: `110 x`; a lower bound is rounded down.

    >>> factor("113.66"), factor("3869.57", bound=True), factor("9.36"), factor("")
    ('110 x', '>= 3,800 x', '9.4 x', '')
    """
    if not value:
        return ""
    number = float(value)
    digits = 1 - math.floor(math.log10(number))
    shown = math.floor(number * 10**digits) / 10**digits if bound else round(number, digits)
    return f"{'>= ' if bound else ''}{shown:,.{max(digits, 0)}f} x"


def duration(seconds: str, none: str = "") -> str:
    """Two digits and a unit.

    >>> duration("0.000173"), duration("0.0196"), duration("1.2e-06"), duration("", "> 6 s")
    ('0.17 ms', '20 ms', '1.2 us', '> 6 s')
    """
    if not seconds:
        return none
    value = float(seconds)
    scale, unit = (1, "s") if value >= 1 else (1e3, "ms") if value >= 1e-4 else (1e6, "us")
    return f"{float(f'{value * scale:.2g}'):g} {unit}"


def count(value: str) -> str:
    """A whole number with commas, of three digits where it is a rate."""
    return f"{round(float(f'{float(value):.3g}')):,}" if value else ""


def _late(row: Row) -> str:
    """What stands for a time beyond the limit: the command that repeats the row of a table names it."""
    words = row["repeat"].split()
    return f"> {words[words.index('--limit') + 1]} s"


def _savings() -> str:
    """What the passes save: the table of the README."""
    wanted = [("power-set", "epilog"), ("power-set", "swipl"), ("clusters", "swipl"), ("clusters-union", "egglog")]
    found = {(row["rule_set"], row["engine"]): row for row in rows("passes") if row["pipeline"] == _BOTH}
    body = []
    for rule_set, engine in wanted:
        row = found[rule_set, engine]
        before, bound = duration(row["time_before_s"], _late(row)), not row["time_before_s"]
        line = [f"`{rule_set}`", _ENGINES.get(engine, engine), before, duration(row["time_after_s"])]
        body.append([*line, f"**{factor(row['factor'], bound=bound)}**"])
    return markdown(["rules", "engine", "as written:", "grounded and reordered:", "saved:"], body)


def _answer() -> str:
    """The front page of the report."""
    keys = ("rule_set", "pipeline", "factor", "cost")
    shown = {"rule_set": "`{}`".format, "factor": factor}
    body = ([row["tool"], *(shown.get(key, str)(row[key]) for key in keys)] for row in rows("answer"))
    return markdown(["your tool", "write it as", "passes", "times as fast:", "then it takes"], body)


def _paper() -> str:
    """The two tables of the study beside ours."""
    found = rows("paper")
    unfinished = {row["rule_set"] for row in found if row["pipeline"] == "none" and not row["work_swipl"]}
    body = []
    for row in found:
        bound = row["rule_set"] in unfinished
        ours = [factor(row[f"rsf_{engine}"], bound=bound) or _late(row) for engine in ("epilog", "swipl")]
        theirs = f"{row['paper_rsf']} x" if row["paper_ms"] else "> 900 s"
        work = f"{int(row['work_swipl']):,}" if row["work_swipl"] else ""
        body.append([f"`{row['rule_set']}`", _PASSES[row["pipeline"]], theirs, *ours, work])
    return markdown(["rules", "passes", "paper:", "its engine here:", "SWI-Prolog:", "inferences:"], body)


def _growth() -> str:
    """The largest board and its time, without and with passes, on SWI-Prolog."""
    found = {(row["rule_set"], row["pipeline"]): row for row in rows("growth") if row["engine"] == "swipl"}
    names = ["clusters", "follow-line", "follow-line-tabled", "maker-breaker", "power-set"]
    body = [[f"`{name}`", *(_reached(found.get((name, pipeline))) for pipeline in ("none", _BOTH))] for name in names]
    return markdown(["rules", "as written", "grounded and reordered"], body)


def _reached(row: Row | None) -> str:
    if row is None or not row["largest"]:
        return ""
    grows = f", grows as {row['grows']}" if row["grows"] else ""
    return f"up to n = {row['largest']} in {duration(row['time_s'])}{grows}"


def _playouts() -> str:
    """Random games a second on 9x9."""
    found = [row for row in rows("descriptions") if row["place"] == "hex 9x9"]
    rates = {(row["sheet"], row["reasoner"]): row["playouts_per_s"] for row in found}
    sheets = [name for name in dict.fromkeys(row["sheet"] for row in found) if (name, "swipl") in rates]
    reasoners = ("compiled", "clingo", "swipl")
    body = [
        [f"`{sheet}`", *(count(rates.get((sheet, one), "")) for one in reasoners)]
        for sheet in sheets
        if any(rates.get((sheet, one)) for one in reasoners)
    ]
    body.append(["OpenSpiel (C++)", count(rates["OpenSpiel (C++)", "open_spiel"]), "", ""])
    return markdown(["sheet", *(f"`{name}`:" for name in reasoners)], body)


def _game() -> str:
    """A move of a recorded game, followed and anew, each on the largest board where it ended in time."""
    found = [row for row in rows("game") if row["rule_set"] == "follow-line-tabled"]
    moves = {(row["engine"], row["mode"]): row for row in found}
    engines = list(dict.fromkeys(row["engine"] for row in found))

    def move(row: Row) -> str:
        return f"{duration(row['ply_s'])}, n = {row['size']}"

    body = [
        [
            f"`{engine}`",
            move(moves[engine, "anew"]),
            move(moves[engine, "followed"]),
            factor(moves[engine, "followed"]["factor"]),
        ]
        for engine in engines
    ]
    return markdown(["`follow-line-tabled` on", "anew:", "followed:", "times as fast, whole game:"], body)


def percent(value: str) -> str:
    """A share as percent with four digits at most.

    >>> percent("0.98942"), percent("1.0"), percent("")
    ('98.94 %', '100 %', '')
    """
    return f"{100 * float(value):.4g} %" if value else ""


def _prediction_study() -> str:
    """Accuracies of the study and of later course work, and ours."""
    body = [
        [
            row["protocol"],
            percent(row["study"]),
            percent(row["later"]),
            percent(row["accuracy"]),
            f"{int(row['clauses']):,}",
            f"`{row['symbols'].replace(' + ', '+')}`",
            *(percent(row[baseline]) for baseline in ("parity", "counting", "resistance")),
        ]
        for row in rows("prediction-study")
    ]
    return markdown(
        ["positions", "study:", "later:", "ours:", "clauses:", "symbols", "parity:", "counting:", "resistance:"], body
    )


_SPARED = ("majority", "near duplicates")
"""Rows that the report has and a page does without."""


def _prediction_leaks() -> str:
    """Every baseline under each protocol."""
    found = rows("prediction-leaks")
    protocols = [name for name in found[0] if name != "what"]
    body = [[row["what"], *(_measured(row[name]) for name in protocols)] for row in found if row["what"] not in _SPARED]
    return markdown(["", *(f"{name}:" for name in protocols)], body)


def _measured(value: str) -> str:
    """A share, a number of positions, or what a model learned from."""
    try:
        number = float(value)
    except ValueError:
        return value
    return f"{int(value):,}" if number > 1 else percent(value)


TABLES: dict[str, Callable[[], str]] = {
    "savings": _savings,
    "answer": _answer,
    "paper": _paper,
    "growth": _growth,
    "playouts": _playouts,
    "game": _game,
    "prediction-study": _prediction_study,
    "prediction-leaks": _prediction_leaks,
}
