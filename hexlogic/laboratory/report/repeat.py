"""The command that measures a row of a table or a mark of a figure again."""

from __future__ import annotations

import shlex
from collections.abc import Sequence

from hexlogic.laboratory.report.document import Entry
from hexlogic.laboratory.report.statistics import ConfigurationStats


def repeat(*configs: ConfigurationStats) -> str:
    """The command `hexlogic bench` for configurations of one suite, with the limits and repeats of their session."""
    session = configs[0].session
    assert session is not None
    boards = sorted({config.task for config in configs if config.mode is None})
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
    return f"hexlogic bench {options_text(parts)}"


def copied(command: str) -> Entry:
    """A button that copies the command; tables of data hold the command itself."""
    return Entry("", command, command=True)


def options_text(parts: Sequence[tuple[str, Sequence[str]]]) -> str:
    """Options with their values, those without values left out; without a name the values alone."""
    words = [(name, shlex.quote(",".join(values))) for name, values in parts if values]
    return " ".join(f"--{name} {value}" if name else value for name, value in words)
