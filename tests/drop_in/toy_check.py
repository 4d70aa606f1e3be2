"""Roles that are called robot."""

from __future__ import annotations

from collections.abc import Iterator

from hexlogic.ggp.check.examined import Examined
from hexlogic.ggp.check.finding import Finding, checks, warning


def toy(sheet: Examined) -> Iterator[Finding]:
    """No role is called robot."""
    for rule in sheet.program.rules:
        if rule.is_fact and str(rule.head) == "role(robot)":
            yield warning(rule, "the role is called robot")


CHECKS = checks("text", toy)
