"""The TPTP text of every step is read and proved by the theorem prover E, which shares no code with the others."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

from hexlogic.games.rulesets import board_rules, load_rule_set
from hexlogic.language import Program
from hexlogic.language.parser import parse_rule
from hexlogic.proofs.bridges import Bridge, load_bridges
from hexlogic.proofs.induction import Theory
from hexlogic.proofs.smt.export import exported
from hexlogic.proofs.smt.formulas import tptp
from hexlogic.proofs.smt.lemmas import LemmaProver, step_problem
from tests.proofs.proving import prove_for_all_boards

EPROVER = shutil.which("eprover")
pytestmark = pytest.mark.skipif(EPROVER is None, reason="the theorem prover E is not installed")
BOARD = board_rules("hex")
BRIDGES = [bridge for bridge in load_bridges() if "follow-line-computed" not in (bridge.left, bridge.right)]
"""Without the rules that compute neighbours: TPTP takes a sum within a difference, E 2.6 calls it a type error."""
PROVED = {"Theorem", "ContradictoryAxioms"}
"""What E says of a proof; the second where the hypothesis of the step contradicts itself."""


def status_of(text: str, file: Path, cpu_s: int = 60) -> str:
    """What E says of the problem, in the words of the SZS ontology."""
    assert EPROVER is not None
    file.write_text(text, encoding="utf-8")
    command = [EPROVER, "--auto", "--silent", f"--cpu-limit={cpu_s}", str(file)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    for line in done.stdout.splitlines():
        if line.startswith("# SZS status"):
            return line.split()[3]
    raise AssertionError(done.stdout + done.stderr)


@pytest.mark.takes_seconds
@pytest.mark.parametrize("bridge", BRIDGES, ids=lambda bridge: bridge.left)
def test_every_step_of_a_shipped_bridge_is_proved_by_e(bridge: Bridge, tmp_path: Path) -> None:
    proof = prove_for_all_boards(load_rule_set(bridge.left), load_rule_set(bridge.right), bridges=[bridge])
    steps = [one.problem for one in exported(proof, BOARD, LemmaProver()) if one.kind == "step"]
    assert len(steps) == sum(step.obligation is not None for section in proof.sections for step in section.steps)
    said = {problem.name: status_of(tptp(problem), tmp_path / "step.p") for problem in steps}
    assert {name: status for name, status in said.items() if status not in PROVED} == {}


@pytest.mark.parametrize("claim", ["from_first(P,Y) :- same_cluster(P,X,Y).", "last(P,Y) :- reach(P,Y)."])
def test_a_wrong_claim_is_not_proved_by_e(claim: str, tmp_path: Path) -> None:
    bridge = next(one for one in BRIDGES if one.left == "follow-line-tabled")
    proof = prove_for_all_boards(load_rule_set(bridge.left), load_rule_set(bridge.right), bridges=[bridge])
    obligation = next(step.obligation for section in proof.sections for step in section.steps if step.obligation)
    theory = Theory(Program(obligation.axioms))
    theory.learn(parse_rule("owns(P,X) :- same_cluster(P,X,Y)."))
    problems = [step_problem(step.obligation, BOARD) for step in theory.prove(parse_rule(claim))]
    assert {status_of(tptp(problem), tmp_path / "step.p", cpu_s=2) for problem in problems} - PROVED
