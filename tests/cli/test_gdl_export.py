"""`hexlogic gdl export`: sheets, tables of sizes, refusals."""

from __future__ import annotations

import pytest

from hexlogic.ggp import read_kif, read_sheet
from tests.checkout import CHECKOUT

CORNER = CHECKOUT / "docs" / "examples" / "corner.lp"
SWEEPS = ("gdl", "export", "--size", "3", "--rules", "follow-line-sweeps")


def test_a_sheet_begins_with_what_it_is(cli):
    outcome = cli(*SWEEPS, "--swap", "--pipeline", "prune")
    assert (outcome.status, outcome.err) == (0, "")
    head, _, body = outcome.out.partition("\n\n")
    lines = head.splitlines()
    assert all(line.startswith("; ") for line in lines)
    assert lines[0].startswith("; 3x3 Hex, won by the rule set follow-line-sweeps: ")
    assert "; aim:    red joins column a with column c, blue joins row 1 with row 3" in lines
    assert "; cells:  a1 (top left) to c3: column, row; b2 touches b1 c1 a2 c2 a3 b3" in lines
    assert any(line.startswith("; swap:   blue may answer the first stone by swap") for line in lines)
    assert "; family: cycle-free: no ground rule depends on itself" in lines
    assert lines[-1].endswith(", after the passes prune")
    assert body.startswith("(role red)\n(role blue)\n")
    assert read_kif(outcome.out) == read_kif(body)


def test_a_recursive_sheet_warns_networks(cli):
    outcome = cli("gdl", "export", "--game", "y", "--size", "3", "--rules", "y/follow-line")
    assert "; family: recursive. Some players with a propositional network answer wrongly on such sheets" in outcome.out
    assert "swap" not in outcome.out


@pytest.mark.takes_seconds
def test_a_file_is_written_in_either_form(cli, tmp_path):
    kif, hrf = tmp_path / "hex.kif", tmp_path / "hex.hrf"
    assert cli(*SWEEPS, "-o", str(kif)).out == ""
    assert cli(*SWEEPS, "-o", str(hrf), "--dialect", "hrf").out == ""
    assert hrf.read_text().startswith("% 3x3 Hex")
    assert read_sheet(kif) == read_sheet(hrf)


def test_a_rule_file_of_ones_own(cli, tmp_path):
    text = """% name:     bridgeless
% idea:     the clusters once more
% source:   ours
% query:    wins/1
% games:    hex
% complete: yes
% needs:    recursion
% cost:     pairs

joined(P,X,X) :- owns(P,X), first(P,X).
joined(P,X,Z) :- joined(P,X,Y), adjacent(Y,Z), owns(P,Z).
wins(P) :- joined(P,X,Y), last(P,Y).

#show wins/1.
"""
    path = tmp_path / "bridgeless.lp"
    path.write_text(text)
    outcome = cli("gdl", "export", "--size", "2", "--rules", str(path))
    assert outcome.status == 0
    assert "won by the rule set bridgeless" in outcome.out
    assert "(<= (joined ?p ?x ?z)\n    (joined ?p ?x ?y)" in outcome.out


def test_a_count_that_takes_too_long_is_said_and_the_sheet_written(cli):
    outcome = cli("gdl", "export", "--size", "9", "--rules", "clusters-merging", "--time", "0.2")
    assert outcome.status == 0
    assert "; size:   counting them takes more than 0.2 s\n" in outcome.out
    assert "; family: cycle-free" in outcome.out  # seen without counting: no rule is recursive
    assert "(next (cluster ?x ?x ?p))" in outcome.out


@pytest.mark.slow
def test_the_table_of_sizes(cli):
    outcome = cli("gdl", "export", "--size", "2,2x3", "--report")
    rows = {line.split("  ")[0]: line.split() for line in outcome.out.splitlines()}
    assert outcome.out.splitlines()[0].split()[-2:] == ["2x2", "2x3"]
    assert rows["follow-line-tabled"][1] == "recursive"
    assert rows["follow-line-sweeps"][1] == "cycle-free"
    assert "power-set" not in rows
    assert "power-set: power-set is incomplete (misses every chain" in outcome.out
    assert "follow-line-sweeps for 2x3 Hex ..." in outcome.err.splitlines()


def test_the_table_of_one_rule_set(cli):
    outcome = cli("gdl", "export", "--size", "9", "--report", "--rules", "follow-line-sweeps")
    assert outcome.out.splitlines()[2].split() == ["follow-line-sweeps", "cycle-free", "12,832", "/", "4,308"]


@pytest.mark.takes_seconds(keep=4)
@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("--size", "3"), "--rules is missing (or --for; one of clusters, clusters-by-side, clusters-labelled,"),
        (("--size", "3", "--rules", "sweeps"), "unknown rule set for hex 'sweeps'"),
        (("--size", "3", "--rules", "y/clusters"), "unknown rule set for hex 'y/clusters'"),
        (("--size", "0", "--rules", "clusters"), "--size: a Hex board cannot have 0 rows"),
        (("--size", "3,4", "--rules", "clusters"), "--size: '3,4' is not a size"),
        (("--size", "3", "--rules", "clusters", "--dialect", "asp"), "unknown dialect of sheets 'asp'"),
        (("--size", "3", "--rules", "clusters", "--pipeline", "polish"), "unknown pass 'polish'"),
        (("--size", "3x4", "--rules", "clusters", "--swap"), "the swap rule mirrors a stone, and 3x4 Hex has no"),
        (("--size", "3", "--rules", "clusters", "--game", "chess"), "unknown game 'chess'"),
        (
            ("--size", "3", "--rules", "clusters", "-o", "/nowhere/hex.kif"),
            "/nowhere/hex.kif: No such file or directory",
        ),
        (("--size", "3", "--rules", str(CORNER)), "corner is incomplete (knows one way to win): its sheet"),
    ],
    ids=lambda value: value if isinstance(value, str) else "-",
)
def test_refusals(cli, arguments, message):
    assert message in cli("gdl", "export", *arguments).refused()
