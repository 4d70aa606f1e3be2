"""No bridge proves a false pair: mutants of true variants against a shipped rule set, judged by the referee.

A few run as tests; all of them by hand, in bounded time:

    nice python -m tests.proofs.finding.test_bridge_mutants 1000 1800
"""

from __future__ import annotations

import itertools
import random
import sys
import time
from collections import Counter
from collections.abc import Iterator

import pytest

from hexlogic.errors import HexlogicError
from hexlogic.games import Hex
from hexlogic.games.rulesets import RuleSet, load_rule_set
from hexlogic.proofs.all_boards import AllBoards
from hexlogic.proofs.bridges import read_bridge
from hexlogic.proofs.finding.bridge_text import find_bridge
from hexlogic.proofs.finding.worlds import BoardWorld
from hexlogic.proofs.question import equal
from tests.proofs.brute_force import answers, referee_answers
from tests.proofs.finding.variants import TRUE, variant
from tests.proofs.mutants import mutants_of

BOARDS = (Hex(1, 1), Hex(1, 3), Hex(2, 2), Hex(3, 2), Hex(3, 3))
EACH_S = 10.0


def mutants(seed: int = 0) -> Iterator[RuleSet]:
    """Mutants of all true variants, in random order."""
    chance = random.Random(seed)
    found = [mutant.rules for name in TRUE for mutant in mutants_of(variant(name), Hex(3, 3))]
    chance.shuffle(found)
    yield from found


def is_true(rules: RuleSet) -> bool:
    """Whether the rules and the referee agree on every position of small boards."""
    return all(answers(rules.instantiate(board), board) == referee_answers(board) for board in BOARDS)


def verdict(rules: RuleSet) -> str:
    """`proved`, `open` or `refused`. Fails where the proof is wrong."""
    target = load_rule_set("follow-line-tabled")
    try:
        text = find_bridge(rules, target, BoardWorld("hex"), limit_s=EACH_S)
        if not isinstance(text, str):
            return "open"
        proof = equal(rules, target, AllBoards("hex", (read_bridge(text, "found.lp"),)))
    except HexlogicError:
        return "refused"
    assert not proof.proved or is_true(rules), f"proved and false: {rules.text}"
    return "proved" if proof.proved else "open"


@pytest.mark.takes_seconds(keep=6)
@pytest.mark.parametrize("number", range(12))
def test_a_mutant_is_not_proved_equal_where_it_is_not(number):
    assert verdict(next(itertools.islice(mutants(), number, None))) in ("proved", "open", "refused")


def test_there_are_a_thousand_mutants():
    assert sum(1 for _ in mutants()) >= 1000


if __name__ == "__main__":
    counts = Counter[str]()
    end_s = time.monotonic() + float(sys.argv[2])
    for rules in itertools.islice(mutants(), int(sys.argv[1])):
        if time.monotonic() > end_s:
            break
        counts[verdict(rules)] += 1
        print(f"\r{dict(counts)}", end="", file=sys.stderr)
    print(dict(counts))
