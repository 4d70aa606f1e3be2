"""The reasons of a report: matches of rules against a count by hand, and what passes changed in a text."""

from __future__ import annotations

import itertools

import pytest

from hexlogic.games import load_board
from hexlogic.games.rulesets import position_facts
from hexlogic.laboratory.report.reasons import count_matches, find_rules, listing, program_of, work_of
from hexlogic.language import Literal, Variable
from hexlogic.language.ground.solving import least_model


def matches_by_hand(program, facts, rule, length):
    """The different values of the variables in the first literals of a body, by trying all pairs of facts."""
    literals = [item for item in rule.body[:length] if isinstance(item, Literal)]
    found = set()
    for chosen in itertools.product(
        *([fact for fact in facts if fact.predicate == literal.atom.predicate] for literal in literals)
    ):
        binding: dict[Variable, object] = {}
        pairs = [
            pair
            for literal, fact in zip(literals, chosen, strict=True)
            for pair in zip(literal.atom.arguments, fact.arguments, strict=True)
        ]
        if all(
            binding.setdefault(term, value) == value if isinstance(term, Variable) else term == value
            for term, value in pairs
        ):
            found.add(tuple(sorted((variable.name, str(value)) for variable, value in binding.items())))
    return len(found)


@pytest.mark.parametrize("rule_set", ["follow-line-tabled", "clusters"])
def test_matches_are_those_that_a_person_counts(rule_set: str) -> None:
    position = load_board("difficult-1@4").position
    program = program_of(rule_set, "ground", "hex", 4)
    facts = least_model(program, position_facts(position))
    work = count_matches(program, position)
    assert work is not None
    counted = 0
    for each in work.rules:
        assert all(isinstance(item, Literal) and item.positive for item in each.rule.body)
        by_hand = [matches_by_hand(program, facts, each.rule, n + 1) for n in range(len(each.rule.body))]
        assert list(each.matches) == by_hand, str(each.rule)
        counted += sum(by_hand)
    assert work.matches == counted == sum(work.by_head().values())


def test_all_pairs_against_reachability() -> None:
    """The figures of the report's reason: pairs of cells as written, pairs of stones of `clusters`."""
    written, grounded = (work_of("follow-line-tabled", pipeline, "difficult-1@9") for pipeline in ("none", "ground"))
    clusters = work_of("clusters", "ground", "difficult-1@9")
    assert (written.rules[0].matches, str(written.rules[0].rule)[:40]) == (
        (81, 6561),
        "adjacent(X,Y) :- cell(X), cell(Y), Y = X",
    )
    assert 100 * grounded.matches < written.matches
    assert clusters.matches > 10 * grounded.matches
    stones = len(load_board("difficult-1@9").position.red)
    same = next(count for head, count in clusters.facts.items() if head.name == "same_cluster")
    assert 0 < same <= stones**2


def test_what_is_not_counted() -> None:
    assert work_of("nobody", "none", "difficult-1@9") is None
    assert work_of("clusters", "none", "nowhere") is None
    assert work_of("follow-line-kept", "none", "difficult-1@9") is None  # rules of a game in progress
    assert work_of("clusters-union", "none", "difficult-1@9") is None  # egglog does not run its closing rules
    assert work_of("power-set", "none", "difficult-1@9") is None  # 17 to the power of 9 matches
    assert work_of("power-set-extended", "none", "difficult-1@9") is None  # too long
    assert program_of("winning-sets", "none", "hex", 9) is None
    assert find_rules("clusters-merging").name == "clusters-merging"


def test_a_listing_marks_what_passes_changed() -> None:
    before, after = (program_of("clusters", pipeline, "hex", 3) for pipeline in ("none", "ground,reorder"))
    lines = listing("rules", "title", "", after, before).lines
    kept = [line[2:] for line in lines if line[0] == " "]
    assert [line[2:] for line in lines if line[0] in " -" and not line[2:].startswith("%")] == [
        line[2:] for line in listing("rules", "title", "", before).lines if not line[2:].startswith("%")
    ]
    assert "+ adjacent(1,2)." in lines
    assert "- adjacent(X,Y) :- cell(X), cell(Y), Y = X+columns." in lines
    assert "same_cluster(P,X,X) :- owns(P,X)." in kept
