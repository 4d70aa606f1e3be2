"""How long a plan may take, before anything is run."""

from __future__ import annotations

from dataclasses import dataclass

from hexlogic.runs.plan import Plan

__all__ = ["Span", "estimate_plan"]

_START_S = 0.5
"""Starting Python and an engine takes about this long, whatever is asked."""


@dataclass(frozen=True, slots=True)
class Span:
    """Seconds: `least` if every query takes no time, `most` if every configuration meets its limit."""

    least: float
    most: float


def estimate_plan(plan: Plan, jobs: int, warm_up_jobs: int) -> Span:
    """The bounds of the time of a plan.

    A configuration that meets its limit is not repeated, and ends its series; without one, all repeats of a slow
    configuration together take at most half the limit, or one run.
    """
    chains = plan.chains()
    configurations = sum(map(len, chains))
    least = _START_S * configurations * (plan.warm_ups / warm_up_jobs + plan.repeats / jobs)
    # A chain is slowest when each of its configurations but the last is just short of the limit.
    worst = (plan.limits.cpu_s + _START_S) * configurations
    return Span(least, max(least, worst * (plan.warm_ups / warm_up_jobs + 1 / jobs) + least))
