"""Where, when and with what it was measured, and the exact command."""

from __future__ import annotations

import shlex
import statistics

import msgspec

from hexlogic.report.document import Block, Column, Command, Entry, Heading, Table, Text, number, plain
from hexlogic.report.formatting import milliseconds
from hexlogic.report.material import Material, SuiteRecords
from hexlogic.report.section import Section
from hexlogic.report.sections.common import slug
from hexlogic.runs.records import Session
from hexlogic.runs.store import RecordFile

__all__ = ["SECTION"]

_APART = ("engines", "limits", "command")

_LONG = 100_000
"""Numbers from here on get separators; a seed is not one to count with."""


def _blocks(material: Material) -> list[Block]:
    """One table for each suite, a column for each of its sessions."""
    blocks: list[Block] = []
    for suite in material.every:
        blocks += [Heading(f"Suite {suite.suite}"), _table(suite)]
        blocks += [Command(shlex.join(file.session.command)) for file in suite.files]
    return [
        *blocks,
        Text("And this report, from the folders with the records:"),
        Command("hexlogic report DIR... --out OUT"),
    ]


def _table(suite: SuiteRecords) -> Table:
    ends = ["cut off" if file.end is None else f"{file.end.reason} {file.end.finished}" for file in suite.files]
    facts = [_facts(file.session) | _floors(file) for file in suite.files]
    rows = [
        (plain(name), *(plain(one.get(name, "")) for one in facts))
        for name in dict.fromkeys(name for one in facts for name in one)
    ]
    rows.append((plain("end"), *(Entry(end, end, "late" if end == "cut off" else "") for end in ends)))
    rows.append((plain("runs"), *(number(len(file.runs) + len(file.playings)) for file in suite.files)))
    places = range(1, len(facts) + 1)
    columns: tuple[Column[object], ...] = (
        Column("what", "what"),
        *(Column(f"session_{place}", f"session {place}") for place in places),
    )
    return Table(f"environment-{slug(suite.suite)}", f"Environment of the suite {suite.suite}", columns, tuple(rows))


def _facts(session: Session) -> dict[str, str]:
    """Every field of the header as text; a field added later is shown without a change here."""
    plain = {field: _text(getattr(session, field)) for field in session.__struct_fields__ if field not in _APART}
    for name, info in sorted(session.engines.items()):
        order = "follows the order of a body" if info.order_sensitive else "plans its own joins"
        plain[f"engine {name}"] = info.missing or f"{info.version or 'version unknown'}; {order}"
    for field, value in msgspec.structs.asdict(session.limits).items():
        plain[f"limit {field}"] = _text(value)
    return plain


def _floors(file: RecordFile) -> dict[str, str]:
    """What the smallest query takes on each engine."""
    found = {}
    for engine in sorted({floor.engine for floor in file.floors}):
        right = [floor for floor in file.floors if floor.engine == engine and floor.category == "correct"]
        times = [time for floor in right if (time := floor.phases.query_s) is not None]
        found[f"floor {engine}"] = f"{milliseconds(statistics.median(times))} ms" if times else "not known"
    return found


def _text(value: object) -> str:
    match value:
        case None:
            return "not known"
        case bool():
            return "yes" if value else "no"
        case int():
            return f"{value:,}" if value >= _LONG else str(value)
        case float():
            return f"{value:g}"
        case _:
            return str(value)


SECTION = Section(name="environment", title="Environment and command", order=140, blocks=_blocks, always=True)
