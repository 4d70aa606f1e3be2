"""Ask cvc5 and z3 about SMT-LIB scripts, in a child process.

They share no code with the chase of `induction.py`: a prover gets the text of a problem and nothing else. `unsat`
proves the goal, `sat` refutes it, all else is unknown.
"""

import importlib.util
import math
import re
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Final
from typing import Literal as OneOf

from hexlogic.errors import EngineError, HexlogicError, UnknownNameError
from hexlogic.process.call import Stopped
from hexlogic.process.extras import installing
from hexlogic.proofs.jobs import run_job

PROVERS: Final = ("cvc5", "z3")
"""The provers that can be asked, by name; each is a Python package of the extra `proofs`."""

_AXIOM = re.compile(r"\|axiom ([^|]*)\|")
_VALUE = re.compile(r"\(\s*\|([^|]*)\|\s+(\d+|\(\s*-\s*\d+\s*\))\s*\)")


@dataclass(frozen=True, slots=True)
class ProverAnswer:
    """What a prover said: `values` are the integers of a model by name, `note` why it is unknown. `core` are the names
    of the axioms that cvc5 used; None when they were not asked for."""

    verdict: OneOf["proved", "refuted", "unknown"]
    seconds: float
    note: str = ""
    values: dict[str, int] = field(default_factory=dict)
    core: tuple[str, ...] | None = None


def available(prover: str) -> bool:
    """Whether the prover's package is installed."""
    return importlib.util.find_spec(prover) is not None


def check_provers(names: Sequence[str]) -> tuple[str, ...]:
    """The names, when all are provers that are installed. Raises HexlogicError with the command that installs them."""
    for name in names:
        if name not in PROVERS:
            raise UnknownNameError(f"unknown prover {name!r}", hint=f"there are: {', '.join(PROVERS)}")
        if not available(name):
            raise HexlogicError(f"the prover {name} is not installed", hint=installing("proofs"))
    return tuple(dict.fromkeys(names))


def ask(
    prover: str,
    scripts: Sequence[str],
    *,
    each_s: float,
    core: bool = False,
    total_s: float | None = None,
    all_or_none: bool = False,
    report: Callable[[str], None] = lambda _: None,
) -> list[ProverAnswer]:
    """The prover's answers to the scripts, in order, each within `each_s` wall seconds, from one child process.

    `total_s` is a limit for all of them, after which those not yet asked are left out. `all_or_none`: so are those
    after the first that is not proved.

    `core` asks cvc5 for the axioms that it used, which takes it longer. A script that ends the child is unknown, and a
    new child goes on.
    """
    check_provers([prover])
    done: list[ProverAnswer] = []

    def collect(answer: ProverAnswer) -> None:
        done.append(answer)
        report(f"{prover}: {len(done)} of {len(scripts)}: {done[-1].verdict}")

    deadline = math.inf if total_s is None else time.monotonic() + total_s
    task: dict[str, object] = {"prover": prover, "each_s": each_s, "core": core, "all_or_none": all_or_none}
    while (waiting := scripts[len(done) :]) and (left := deadline - time.monotonic()) > 0:
        task |= {"total_s": None if total_s is None else left, "scripts": list(waiting)}
        try:
            run_job(ask_in_child, task, time_s=min((each_s + 2) * len(waiting) + 10, left + 2), report=collect)
            break
        except Stopped as stopped:
            done.append(ProverAnswer("unknown", each_s, stopped.reason))
        except EngineError as error:
            done.append(ProverAnswer("unknown", 0.0, error.message))
        if all_or_none:
            break
    return done


def ask_in_child(
    *,
    prover: str,
    scripts: Sequence[str],
    each_s: float,
    core: bool,
    total_s: float | None,
    all_or_none: bool,
    time_s: float,
    report: Callable[[ProverAnswer], None],
) -> None:
    """Report the answers, with the arguments of `ask`: what the child process runs. `time_s` ends it from outside."""
    deadline = math.inf if total_s is None else time.monotonic() + total_s
    for script in scripts:
        left = deadline - time.monotonic()
        if left <= 0:
            return
        answer = ask_here(prover, script, min(each_s, left), core)
        report(answer)
        if all_or_none and answer.verdict != "proved":
            return


def ask_here(prover: str, script: str, each_s: float, core: bool = False) -> ProverAnswer:
    """One answer in this process."""
    begin = time.monotonic()
    if prover == "z3":
        said = _z3(script, each_s)
    else:
        # Its search with cores goes another way, and so does that by enumeration: each finds proofs that others do not.
        said, ways = "unknown", [(core, False), (True, False), (core, True)]
        for number, way in enumerate(ways[1:] if core else ways):
            left_s = each_s - (time.monotonic() - begin)
            if said.startswith("unknown") and left_s > 0:
                said = _cvc5(script, min(left_s, each_s / 2 if number < 2 else left_s), *way)
    seconds = time.monotonic() - begin
    first = said.strip().partition("\n")[0].strip()
    if first == "unsat":
        return ProverAnswer("proved", seconds, core=tuple(_AXIOM.findall(said)) if core else None)
    if first == "sat":
        values = {name: int(re.sub(r"[()\s]", "", value)) for name, value in _VALUE.findall(said)}
        return ProverAnswer("refuted", seconds, "", values)
    return ProverAnswer("unknown", seconds, first or "no answer")


def _z3(script: str, each_s: float) -> str:
    import z3

    options = f"(set-option :timeout {int(each_s * 1000)})\n"
    context = z3.Context()  # held here: a reference alone does not keep it alive
    return str(z3.Z3_eval_smtlib2_string(context.ref(), options + script))


def _cvc5(script: str, each_s: float, core: bool, enumerates: bool) -> str:
    import cvc5

    terms = cvc5.TermManager()  # held here: the solver does not keep it alive
    solver = cvc5.Solver(terms)
    solver.setOption("tlimit-per", str(int(each_s * 1000)))
    solver.setOption("produce-models", "true")
    solver.setOption("enum-inst", str(enumerates).lower())
    if core:
        solver.setOption("produce-unsat-cores", "true")
        solver.setOption("multi-trigger-cache", "true")
        script += "(get-unsat-core)\n"
    parser = cvc5.InputParser(solver)
    parser.setStringInput(cvc5.InputLanguage.SMT_LIB_2_6, script, "problem")
    said: list[str] = []
    while not (command := parser.nextCommand()).isNull():
        said.append(command.invoke(solver, parser.getSymbolManager()))
    return "".join(said)
