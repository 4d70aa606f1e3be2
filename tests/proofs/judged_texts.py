"""What becomes of the proof of a random pair of texts (`random_texts.py`), with clingo on the strings as the oracle.

The oracle tries every stone set of the boards up to 4x4, and random positions of 9x9 and 12x12.
"""

from __future__ import annotations

import collections
import functools
import random
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from hexlogic.errors import HexlogicError
from hexlogic.games.rulesets import RuleSet, read_header, rule_set_of
from hexlogic.proofs.as_written import answer, answers
from hexlogic.proofs.bridges import read_bridge
from hexlogic.proofs.second_look import board_text
from hexlogic.proofs.smt.lemmas import LemmaProver
from hexlogic.proofs.trial_boards import all_positions
from tests.proofs.kinds_of_texts import case_of
from tests.proofs.proving import prove_for_all_boards
from tests.proofs.random_texts import Case

__all__ = ["Verdict", "difference", "judge", "tally"]

BOARD: Final = board_text("hex")
EXHAUSTIVE: Final = ((1, 1), (1, 4), (3, 1), (2, 3), (3, 2), (3, 3), (4, 4))
SAMPLED: Final = ((9, 9), (12, 12))


@dataclass(frozen=True)
class Verdict:
    """What became of a case: `outcome` is one of `proved`, `assuming`, `refuted`, `not proved`, `refused`, `not run`
    (our parser takes the text, and clingo does not), and of those
    that must not be: `wrong` (proved, and false) and `fault` (proved, and the second look found the difference)."""

    outcome: str
    words: str


def rule_set(text: str, name: str) -> RuleSet:
    """The rule set of a text with a header."""
    return rule_set_of(Path(f"{name}.lp"), text, read_header(text, f"{name}.lp"))


@functools.cache
def _exhaustive() -> list[tuple[tuple[tuple[str, int], ...], tuple[int, dict]]]:  # type: ignore[type-arg]
    return [((("rows", rows), ("columns", columns)), all_positions(rows * columns)) for rows, columns in EXHAUSTIVE]


def _samples(seed: int) -> Iterator[tuple[tuple[tuple[str, int], ...], dict[str, frozenset[int]]]]:
    """Random positions of large boards: at each density, and rows of stones that win."""
    chance = random.Random(seed)
    for rows, columns in SAMPLED:
        sizes = (("rows", rows), ("columns", columns))
        cells = range(1, rows * columns + 1)
        for density in (0.05, 0.3, 0.6):
            red = frozenset(cell for cell in cells if chance.random() < density)
            yield (
                sizes,
                {
                    "red": red,
                    "blue": frozenset(cell for cell in cells if cell not in red and chance.random() < density),
                },
            )
        row = chance.randrange(rows) * columns
        yield sizes, {"red": frozenset(range(row + 1, row + columns + 1)), "blue": frozenset()}
        yield sizes, {"red": frozenset({chance.choice(cells)}), "blue": frozenset({rows * columns - 1})}


def difference(left: str, right: str, seed: int = 0, quick: bool = False) -> str:
    """A position on which clingo derives different `wins` from the texts, in words; empty when none was found."""
    for sizes, (count, stones) in _exhaustive()[: 5 if quick else None]:
        told = []
        for text in (left, right):
            try:
                told.append(answers((BOARD, text), sizes, stones, count))
            except HexlogicError as error:
                told.append({str(error): 1})
        if told[0] != told[1]:
            return f"on {sizes}"
    for sizes, position in () if quick else _samples(seed):
        if answer((BOARD, left), sizes, position) != answer((BOARD, right), sizes, position):
            return f"on {sizes} with {position}"
    return ""


def judge(case: Case) -> Verdict:
    """Try to prove the case, and ask clingo about what came out."""
    left, right = case.sides()
    try:
        bridge = read_bridge(case.bridge_text(), "bridge.lp")
        lemmas = LemmaProver(each_s=1, total_s=3)
        proof = prove_for_all_boards(
            rule_set(left, "one"), rule_set(right, "two"), bridges=[bridge], justify_lemma=lemmas
        )
    except HexlogicError as error:
        return Verdict("refused", str(error))
    if proof.proved:
        where = difference(left, right, case.seed)
        if proof.assumed:
            return Verdict("assuming", where)
        return Verdict("wrong" if where else "proved", where)
    if proof.tried is not None and proof.tried.ran:
        return Verdict("assuming" if proof.assumed else "fault", proof.reason)
    if proof.tried is not None:
        return Verdict("not run", proof.reason)
    where = difference(left, right, case.seed, quick=True)
    return Verdict("refuted" if where else "not proved", proof.reason)


def tally(kind: str, seeds: range) -> tuple[collections.Counter[str], list[tuple[Case, Verdict]]]:
    """How many cases ended how, and those that must not be."""
    counts, bad = collections.Counter[str](), []
    for seed in seeds:
        case = case_of(kind, seed)
        verdict = judge(case)
        counts[verdict.outcome] += 1
        if verdict.outcome in ("wrong", "fault"):
            bad.append((case, verdict))
    return counts, bad
