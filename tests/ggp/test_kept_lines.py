"""Lines of stones kept from state to state: proved where free cells are facts and where discs fall."""

from __future__ import annotations

import pytest

from hexlogic.ggp.reformulation import inductive
from hexlogic.ggp.reformulation.keep import keepings
from hexlogic.ggp.reformulation.small import smaller
from tests.ggp.test_reformulation import LINE, difference, game, proved

BLANK = LINE.replace("(index ?c) (index ?r) (not (taken ?c ?r)))", "(true (cell ?c ?r b)))", 1).replace(
    "(<= (next (cell ?c ?r ?p)) (true (cell ?c ?r ?p)))",
    "(<= (next (cell ?c ?r ?p)) (true (cell ?c ?r ?p)) (does ?q (mark ?a ?d)) (or (distinct ?a ?c) (distinct ?d ?r)))",
    1,
).replace("(index ?c) (index ?r) (not (taken ?c ?r)))", "(true (cell ?c ?r b)))", 1).replace(
    "(<= terminal (line ?p))", "(<= terminal (role ?p) (line ?p))"
) + "".join(f"(init (cell {c} {r} b))" for c in (1, 2, 3) for r in (1, 2, 3))
"""Free cells are facts of the state, so that there is a line of them at first."""

DROP = (
    LINE.replace(
        "(mark ?c ?r)) (true (turn ?p)) (index ?c) (index ?r) (not (taken ?c ?r)))",
        "(drop ?c)) (true (turn ?p)) (free ?c 3))",
        1,
    )
    .replace("(does ?p (mark ?c ?r)))", "(does ?p (drop ?c)) (free ?c ?r) (succ ?q ?r) (not (free ?c ?q)))", 1)
    .replace(
        "(line ?p) (true (cell ?a ?r ?p)) (succ ?a ?b) (true (cell ?b ?r ?p)) (succ ?b ?c) (true (cell ?c ?r ?p))",
        "(line ?p) (true (cell ?r ?a ?p)) (succ ?a ?b) (true (cell ?r ?b ?p)) (succ ?b ?c) (true (cell ?r ?c ?p))",
        1,
    )
    + "(<= (next (cell ?c 1 ?p)) (does ?p (drop ?c)) (free ?c 1))"
    + "(<= (free ?c ?r) (index ?c) (index ?r) (not (taken ?c ?r)))"
)
"""Discs fall, and lines are columns: that a move adds one disc follows only from those below it."""


@pytest.mark.takes_seconds
def test_a_line_of_stones_is_kept_and_proved_where_free_cells_make_lines_too(monkeypatch):
    proposals = [games[0] for games, words in keepings((game(BLANK),)) if words.startswith("line_of_role")]
    assert len(proposals) == 4
    assert all(proved(game(BLANK), each) and difference(game(BLANK), each) is None for each in proposals)
    monkeypatch.setattr(inductive, "_LAST", inductive._LIMITS)
    for part in ("new_kept_line_of_role(P) :- new_cell(A,R,P)", "next_kept_line_of_role", "role(o)"):
        rules = [rule for rule in proposals[0].program.rules if not str(rule).startswith(part)]
        assert len(rules) < len(proposals[0].program.rules)
        assert not proved(game(BLANK), proposals[0].with_rules(rules))


@pytest.mark.slow
def test_that_discs_lie_on_discs_is_found_and_a_game_without_gravity_is_not_proved():
    kept, *_ = [games[0] for games, words in keepings((game(DROP),)) if words.startswith("line")]
    assert difference(game(DROP), kept) is None
    assert proved(game(DROP), kept)
    floating = DROP.replace("(not (free ?c ?q))", "", 1)
    wrong, *_ = [games[0] for games, words in keepings((game(floating),)) if words.startswith("line")]
    assert not proved(game(floating), wrong)


def test_a_relation_that_is_empty_on_a_small_board_stays_empty_in_the_sheet():
    text = (
        LINE.replace("(succ 1 2)", "(succ 0 1) (succ 1 2)")
        + "(succ 3 4) (<= (base (cell ?c ?r ?p)) (index ?c) (index ?r) (role ?p))"
    )
    small = smaller(game(text), 2)
    assert not any(rule.conclusion.name in ("index", "base") for rule in small.written.rules)
