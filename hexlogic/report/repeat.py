"""The command that measures a row of a table or a mark of a figure again."""

from __future__ import annotations

import shlex
from collections.abc import Sequence

from hexlogic.process.limits import MEGABYTE
from hexlogic.report.document import Entry
from hexlogic.report.playouts import PlayStats
from hexlogic.report.statistics import ConfigurationStats
from hexlogic.runs.records import Session

__all__ = ["copied", "repeat", "repeat_playouts", "repeat_positions"]


def repeat(session: Session, *configs: ConfigurationStats) -> str:
    """`hexlogic bench` for these configurations, with the limits and the repeats of their session."""
    boards = sorted({one.task for one in configs if one.mode is None})
    games = sorted({one.task.rpartition(" ")[2] for one in configs if one.mode is not None})
    modes = sorted({one.mode for one in configs if one.mode is not None}) if games else []
    players = sorted({one.query[one.query.index("(") + 1 : -1] for one in configs if "(" in one.query})
    parts: list[tuple[str, Sequence[str]]] = [
        ("rules", sorted({one.rule_set for one in configs})),
        ("boards", boards),
        ("games", games),
        ("modes", modes),
        ("pipelines", sorted({one.pipeline.replace(",", "+") for one in configs})),
        ("engines", sorted({one.engine for one in configs})),
        ("players", [] if players in ([], ["red"]) else players),
        ("limit", [f"{session.limits.cpu_s:g}"]),
        ("repeats", [str(session.repeats)]),
    ]
    return f"hexlogic bench {_options(parts)}"


def repeat_playouts(session: Session, one: PlayStats) -> str:
    """`hexlogic gdl bench` for a sheet on a reasoner; of a file its name."""
    sheet = [("hex", [str(one.size)]), ("rules", [one.sheet])] if one.size is not None else [("", [one.sheet])]
    limits = [("limit", [f"{session.limits.cpu_s:g}"]), ("memory", [f"{session.limits.memory_bytes / MEGABYTE:g}"])]
    parts = [*sheet, ("reasoners", [one.reasoner]), *limits, ("repeats", [str(session.repeats)])]
    return f"hexlogic gdl bench {_options(parts)}"


def repeat_positions(session: Session, rule_set: str, size: int) -> str:
    """`hexlogic bench` for a rule set on many positions of a board, by all methods."""
    limit = f"{session.limits.cpu_s:g}"
    parts = [("rules", [rule_set]), ("positions", [str(size)]), ("limit", [limit]), ("repeats", [str(session.repeats)])]
    return f"hexlogic bench {_options(parts)}"


def copied(command: str) -> Entry:
    """A button that copies the command; tables of data hold the command itself."""
    return Entry("", command, command=True)


def _options(parts: Sequence[tuple[str, Sequence[str]]]) -> str:
    said = [(name, shlex.quote(",".join(values))) for name, values in parts if values]
    return " ".join(f"--{name} {value}" if name else value for name, value in said)
