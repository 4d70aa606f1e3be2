"""The mutation battery: what an edit of the rules does to the answers, by brute force, and what proofs say of it."""

from __future__ import annotations

import contextlib
import dataclasses
import functools
import random
from collections import Counter
from collections.abc import Sequence

import pytest

from hexlogic import prove_equivalent
from hexlogic.errors import HexlogicError
from hexlogic.games import Hex
from hexlogic.games.rulesets import RuleSet, load_rule_set, rule_set_names
from hexlogic.language import Program
from hexlogic.language.parser import parse
from hexlogic.process.files import rules_folder
from hexlogic.proofs import Proof, Refutation, bounded
from hexlogic.proofs.bridges import Bridge, load_bridges
from hexlogic.proofs.conditions import finite_on
from tests.proofs.brute_force import answers, referee_answers
from tests.proofs.mutants import KINDS, Mutant, edits, mutants_of, without_declarations
from tests.proofs.proving import prove_for_all_boards

BOARD = Hex.square(3)
OTHER_BOARDS = (Hex(1, 3), Hex(2, 4), Hex(4, 2), Hex(3, 4))
SEED = 20191

UNION = "clusters-union"
PLAIN_UNION = "clusters-union without its declaration"
NAMES = (*(name for name in rule_set_names() if name != "follow-line"), PLAIN_UNION)
"""`follow-line` carries lists of visited cells: it cannot be grounded over a choice of stones, and is not in here."""

RECURSIVE = ("clusters", "clusters-labelled", "follow-line-tabled", "maker-breaker", PLAIN_UNION)
QUICK = 15
"""How many mutants of a rule set, of which there may be hundreds, are taken when there is little time."""


@functools.cache
def shipped(name: str) -> RuleSet:
    return without_declarations(load_rule_set(UNION)) if name == PLAIN_UNION else load_rule_set(name)


@functools.cache
def battery(name: str) -> tuple[Mutant, ...]:
    return tuple(mutants_of(shipped(name), BOARD))


def sample(name: str, count: int) -> list[Mutant]:
    mutants = battery(name)
    return random.Random(SEED).sample(mutants, min(count, len(mutants)))


@pytest.fixture(autouse=True)
def _in_this_process(monkeypatch: pytest.MonkeyPatch) -> None:
    """The job of a proof is done here: a child process for each of two thousand mutants would take half an hour."""

    def here(function, task, *, time_s=None, report=lambda _: None):
        return function(**task, time_s=time_s, report=report)

    monkeypatch.setattr(bounded, "run_job", here)


def truth_of(mutant: Mutant, original: RuleSet, board: Hex) -> str:
    """What the edit does: "changed", "same", or "refused" for a text that no engine is given."""
    try:
        program = mutant.rules.instantiate(board)
        finite_on(program, board)  # a mutant of `follow-line-computed` without its `owns` counts until memory is full
    except HexlogicError:
        return "refused"
    return "same" if answers(program, board) == answers(original.instantiate(board), board) else "changed"


def verdict_of(mutant: Mutant, original: RuleSet) -> str:
    """What `prove ORIGINAL MUTANT --size 3` says."""
    try:
        outcome = prove_equivalent(original, mutant.rules, BOARD)
    except HexlogicError:
        return "refused"
    return {Proof: "proved", Refutation: "refuted"}.get(type(outcome), "unfinished")


def lacks_a_definition(mutant: Mutant) -> bool:
    """Whether the edit left a predicate, the query perhaps, that nobody defines: a proof may refuse such a text."""
    board = parse((rules_folder() / "games" / "hex.lp").read_text(encoding="utf-8"))
    own = parse(mutant.rules.text)
    given = {rule.head.predicate for rule in (*board.rules, *own.rules) if rule.head is not None} | set(board.inputs)
    used = {literal.atom.predicate for rule in own.rules for literal in rule.literals}
    return not given >= used | {mutant.rules.query}


def assert_judged_rightly(name: str, mutants: Sequence[Mutant]) -> None:
    counts: Counter[tuple[str, str, str]] = Counter()
    wrong = []
    right = {"changed": "refuted", "same": "proved", "refused": "refused"}
    for mutant in mutants:
        truth, verdict = truth_of(mutant, shipped(name), BOARD), verdict_of(mutant, shipped(name))
        counts[mutant.kind, truth, verdict] += 1
        if verdict != right[truth] and not (verdict == "refused" and lacks_a_definition(mutant)):
            wrong.append(f"{mutant}: {truth}, but {verdict}")
    table = "\n".join(f"{count:5} {', '.join(row)}" for row, count in sorted(counts.items()))
    assert not wrong, "\n".join([f"{len(wrong)} of {len(mutants)} mutants of {name}:", *wrong, table])
    assert sum(count for (_, truth, _), count in counts.items() if truth == "changed") > len(mutants) / 5, table


def test_every_kind_of_edit_is_there():
    kinds = Counter(mutant.kind for name in NAMES for mutant in battery(name))
    assert set(kinds) == set(KINDS), kinds
    assert kinds.total() > 1500, kinds


@pytest.mark.parametrize("name", [name for name in NAMES if shipped(name).complete])
def test_the_rule_sets_themselves_agree_with_the_referee(name):
    assert answers(shipped(name).instantiate(BOARD), BOARD) == referee_answers(BOARD)


@pytest.mark.takes_seconds(keep=18)
@pytest.mark.parametrize("name", NAMES)
def test_size_3_refutes_what_changes_an_answer_and_nothing_else(name):
    assert_judged_rightly(name, sample(name, QUICK))


@pytest.mark.slow
@pytest.mark.parametrize("name", [name for name in NAMES if len(battery(name)) > QUICK])
def test_size_3_on_every_mutant(name):
    assert_judged_rightly(name, battery(name))


def partner_of(name: str) -> RuleSet:
    return shipped("follow-line-tabled" if name == "clusters" else "clusters")


def falsehoods_proved(name: str, mutants: Sequence[Mutant]) -> tuple[list[str], int]:
    """Which mutants are "proved for all boards" and differ from the shipped rules on some board; the number proved."""
    false, proved = [], 0
    for mutant in mutants:
        try:
            done = prove_for_all_boards(partner_of(name), mutant.rules)
        except HexlogicError:
            continue
        if done.proved:
            proved += 1
            boards = [board for board in (BOARD, *OTHER_BOARDS) if truth_of(mutant, shipped(name), board) != "same"]
            false += [f"{mutant}: proved for all boards, but not the same on {board}" for board in boards[:1]]
    return false, proved


@pytest.mark.takes_seconds
@pytest.mark.parametrize(
    ("name", "count"),
    [("clusters", 56), ("follow-line-tabled", 38), ("maker-breaker", 62), ("clusters-labelled", 4), (PLAIN_UNION, 8)],
)
def test_no_mutant_that_changes_an_answer_is_proved_for_all_boards(name, count):
    false, proved = falsehoods_proved(name, sample(name, count))
    assert not false, "\n".join(false)
    assert proved or name != "clusters"


@pytest.mark.slow
@pytest.mark.parametrize("name", ["clusters-labelled", PLAIN_UNION, UNION])
def test_no_mutant_at_all_is_falsely_proved_for_all_boards(name):
    false, _ = falsehoods_proved(name, battery(name))
    assert not false, "\n".join(false)


@pytest.mark.takes_seconds(keep=16)
@pytest.mark.parametrize("name", RECURSIVE)
def test_a_mutant_that_keeps_its_name_is_not_proved_equal_to_the_rules_of_that_name(name):
    changed = [one for one in sample(name, 30) if truth_of(one, shipped(name), BOARD) == "changed"]
    assert changed
    for mutant in changed:
        assert mutant.rules.name == shipped(name).name
        with contextlib.suppress(HexlogicError):
            assert not prove_for_all_boards(shipped(name), mutant.rules).proved, str(mutant)


def bridge_mutants(bridge: Bridge) -> list[Bridge]:
    """Every single edit of a rule in a bridge that leaves it a rule with a body."""
    found: dict[str, Bridge] = {}
    for number, statement in enumerate(bridge.statements):
        for place, rule in enumerate(statement.rules):
            for _, others in edits(rule, Program(statement.rules)):
                if others and others[0].body and others[0] != rule:
                    rules = (*statement.rules[:place], *others, *statement.rules[place + 1 :])
                    changed = dataclasses.replace(statement, rules=rules)
                    statements = (*bridge.statements[:number], changed, *bridge.statements[number + 1 :])
                    found[f"{number} {rules}"] = dataclasses.replace(bridge, statements=statements)
    return list(found.values())


def falsehoods_along(bridge: Bridge, count: int) -> tuple[list[str], int]:
    """Along `count` edited bridges: which wrong mutants of its left or right rule set are proved equal to the other."""
    draw = random.Random(SEED)
    sides = {side: name if name != UNION else PLAIN_UNION for side, name in (("l", bridge.left), ("r", bridge.right))}
    wrong = {
        side: [one for one in battery(name) if truth_of(one, shipped(name), BOARD) == "changed"]
        for side, name in sides.items()
    }
    bridges = bridge_mutants(bridge)
    false = []
    for changed in draw.choices(bridges, k=count):
        side = draw.choice("lr")
        mutant = draw.choice(wrong[side])
        left, right = (mutant.rules if side == one else shipped(sides[one]) for one in "lr")
        try:
            done = prove_for_all_boards(left, right, bridges=[changed])
        except HexlogicError:
            continue
        if done.proved:
            false.append(f"{mutant}, along {changed.statements}")
    return false, len(bridges)


BRIDGES = {f"{bridge.left}--{bridge.right}": bridge for bridge in load_bridges()}


@pytest.mark.takes_seconds
def test_an_edited_bridge_proves_no_wrong_mutant():
    false, different = falsehoods_along(BRIDGES["follow-line-tabled--clusters"], 40)
    assert not false, "\n".join(false)
    assert different > 30


@pytest.mark.slow
@pytest.mark.parametrize("name", BRIDGES)
def test_many_edited_bridges_prove_no_wrong_mutant(name):
    false, different = falsehoods_along(BRIDGES[name], 100)
    assert not false, "\n".join(false)
    assert different > 20
