"""The child process of `hexlogic.proofs.limited`: one job in, progress and one result out."""

from __future__ import annotations

import json
import math
import os
import sys
import threading
import time
from collections.abc import Callable
from dataclasses import asdict, astuple
from typing import Any

from hexlogic.errors import HexlogicError
from hexlogic.process.signals import interruptible

__all__ = ["JOBS", "main"]

Report = Callable[[str], None]


def _decide(task: dict[str, Any], report: Report) -> Any:
    from hexlogic.proofs.deciding import Question, decide

    questions = [Question(**question) for question in task.pop("questions")]
    return [asdict(ruling) for ruling in decide(questions=questions, report=report, **task)]


def _referee(task: dict[str, Any], report: Report) -> Any:
    from hexlogic.proofs.referee import compare

    return compare(report=report, **task)


def _chains(task: dict[str, Any], report: Report) -> Any:
    from hexlogic.proofs.hardest_chains import maximise_chains

    return maximise_chains(report=report, **task)


def _inferences(task: dict[str, Any], report: Report) -> Any:
    from hexlogic.proofs.hardest_search import maximise_inferences

    return maximise_inferences(report=report, **task)


def _smt(task: dict[str, Any], report: Report) -> Any:
    from hexlogic.proofs.smt.provers import ask_here

    deadline = math.inf if task["total_s"] is None else time.monotonic() + task["total_s"]
    for script in task["scripts"]:
        each_s = min(task["each_s"], deadline - time.monotonic())
        if each_s <= 0:
            break
        answer = ask_here(task["prover"], script, each_s, task["core"])
        report(json.dumps(astuple(answer)))
        if task["all_or_none"] and answer.verdict != "proved":
            break
    return len(task["scripts"])


JOBS: dict[str, Callable[[dict[str, Any], Report], Any]] = {
    "decide": _decide,
    "referee": _referee,
    "chains": _chains,
    "inferences": _inferences,
    "smt": _smt,
}
"""What can be asked for, by name."""


def _say(**message: object) -> None:
    sys.stdout.write(json.dumps(message) + "\n")
    sys.stdout.flush()


def _leave_with_parent() -> None:
    """Our stdin stays open as long as the parent lives."""
    sys.stdin.read()
    os._exit(1)


def main() -> None:
    """Carry out the one job on stdin."""
    interruptible()
    request = json.loads(sys.stdin.readline())
    threading.Thread(target=_leave_with_parent, daemon=True).start()
    try:
        _say(result=JOBS[request["job"]](request["task"], lambda text: _say(progress=text)))
    except HexlogicError as error:
        _say(error=str(error))
    os._exit(0)  # threads of a solver that was cancelled need not be waited for


if __name__ == "__main__":
    main()
