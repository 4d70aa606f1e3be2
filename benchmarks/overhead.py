"""What a session costs beyond its runs: `python benchmarks/overhead.py [COUNT]` measures it on real, small runs.

The wall time of a whole session (plan, versions, floors, warm-ups, repeats, records), less the wall time of the runs
themselves, those that run side by side shared among the processors. The rule sets, boards and players are such that a
run takes about as long as the start of Python: the worst case for what is paid once for each run.
"""

from __future__ import annotations

import sys
import tempfile
import time
from collections.abc import Iterable
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

from hexlogic.laboratory.records.store import RecordWriter, read_records
from hexlogic.laboratory.records.types import Floor, Run
from hexlogic.laboratory.runs.plan import make_plan, parse_suite
from hexlogic.laboratory.runs.run import execute_plan
from hexlogic.laboratory.runs.session import new_session
from hexlogic.process.limits import cores

SUITE = """
name = "overhead"
boards = ["difficult-1@3..12"]
players = ["red", "blue"]
limits = { cpu_s = 20, memory_mb = 800 }
repeats = 1
[[configurations]]
rule_sets = ["clusters", "clusters-labelled", "follow-line-tabled", "maker-breaker", "power-set"]
pipelines = ["ground", "reorder", "ground,reorder", "ground,reorder,prune", "ground,prune"]
engines = ["clingo"]
"""
"""5 rule sets, 5 pipelines, 10 sizes, 2 players: 500 configurations on a task."""


def main() -> None:
    """Measure and print one line."""
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 500
    with tempfile.TemporaryDirectory() as folder:
        begin = time.monotonic()
        plan = make_plan(parse_suite(SUITE, "overhead"), "overhead")
        plan = replace(plan, configurations=plan.configurations[:count])
        jobs = cores()
        session = new_session(plan, jobs=1, warm_up_jobs=jobs, command=sys.argv, started=datetime.now(UTC))
        with RecordWriter(Path(folder)) as writer:
            execute_plan(plan, session, writer, floors=True)
        wall_s = time.monotonic() - begin
        records = read_records(Path(folder))
    warm_ups = _wall_s(run for run in records.runs if run.warmup)
    alone = _wall_s(run for run in records.runs if not run.warmup) + _wall_s(records.floors)
    runs_s = warm_ups / jobs + alone
    over_s, runs = wall_s - runs_s, len(records.runs) + len(records.floors)
    print(f"{len(plan.configurations)} configurations, {runs} runs: {wall_s:.1f} s, the runs alone {runs_s:.1f} s")
    print(f"overhead: {over_s:.1f} s, {over_s / runs_s:.1%} of the runs, {over_s / runs * 1000:.1f} ms a run")


def _wall_s(records: Iterable[Run | Floor]) -> float:
    return sum(record.usage.wall_s or 0.0 for record in records)


if __name__ == "__main__":
    main()
