"""Random texts and bridges by kind: nothing that is proved is false, by clingo on the raw texts."""

from __future__ import annotations

import collections

import pytest

from tests.proofs import judged_texts
from tests.proofs.judged_texts import difference, judge, rule_set, tally
from tests.proofs.kinds_of_texts import KINDS, case_of

pytest.importorskip("cvc5")
pytest.importorskip("z3")

QUICK, MANY = 24, 1112


@pytest.mark.parametrize("kind", KINDS)
def test_what_is_proved_of_random_texts_is_true(kind):
    counts, bad = tally(kind, range(QUICK))
    assert not bad, f"{bad[0][1]}\n{bad[0][0]}"
    assert counts.total() == QUICK


@pytest.mark.slow
@pytest.mark.parametrize("kind", KINDS)
def test_what_is_proved_of_ten_thousand_random_texts_is_true(kind):
    counts, bad = tally(kind, range(QUICK, QUICK + MANY))
    assert not bad, f"{counts}\n{bad[0][1]}\n{bad[0][0]}"


@pytest.mark.parametrize("kind", KINDS)
def test_a_case_is_the_same_each_time_and_different_from_others(kind):
    assert str(case_of(kind, 7)) == str(case_of(kind, 7))
    assert len({str(case_of(kind, seed)) for seed in range(100)}) > 60
    assert "{s}" not in str(case_of(kind, 3))
    assert "{end}" not in str(case_of(kind, 3))


def test_the_generator_makes_what_is_proved_and_what_is_not():
    """Its texts are not all refused, and not all equal."""
    counts = collections.Counter(
        judge(case_of(kind, seed)).outcome for kind in ("renamed", "guarded") for seed in range(6)
    )
    assert counts["proved"] >= 6
    assert counts["refuted"] + counts["not proved"] >= 2


def test_the_oracle_finds_one_stone_on_a_small_and_on_a_large_board():
    left, _ = case_of("renamed", 1).sides()
    assert difference(left, left) == ""
    assert difference(left, f"{left}wins(P) :- owns(P,1).\n") == "on (('rows', 1), ('columns', 4))"
    assert difference(left, f"{left}wins(P) :- owns(P,X), cell(144).\n").startswith(
        "on (('rows', 12), ('columns', 12))"
    )


def test_a_false_proof_is_counted_as_wrong(monkeypatch):
    """Proofs that believe everything, with and without the second look."""
    case = case_of("guarded", 3)
    left, right = case.sides()
    assert difference(left, right)
    proved = judged_texts.prove_for_all_boards(rule_set(left, "one"), rule_set(left, "one"))
    assert proved.proved
    monkeypatch.setattr(judged_texts, "prove_for_all_boards", lambda *_, **__: proved)
    assert judge(case).outcome == "wrong"
    monkeypatch.undo()
    monkeypatch.setattr("hexlogic.proofs.all_boards._by_bridges", lambda *_: type(proved)("one", "two", "hex", ()))
    assert judge(case).outcome == "fault"
    assert tally("guarded", range(3, 4))[1]
