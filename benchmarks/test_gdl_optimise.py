"""What `hexlogic optimise` does to the playouts of a badly ordered Hex sheet on a prover, as a ratio of one run.

pytest benchmarks/test_gdl_optimise.py -s
"""

from __future__ import annotations

from pathlib import Path

import pytest

from hexlogic.ggp import read_sheet
from hexlogic.ggp.optimise import GameStates, optimise_sheet, rates
from hexlogic.language.engines import load_engine
from hexlogic.proofs.question import equal

ROOT = Path(__file__).parents[1]
GAMES = sorted((ROOT / "tests" / "ggp" / "games").glob("*.kif"))


@pytest.mark.skipif(bool(load_engine("swipl").missing()), reason="swipl is not installed")
def test_a_badly_ordered_hex_sheet_on_swipl() -> None:
    """Bar: 5 times the playouts."""
    sheet = read_sheet(ROOT / "docs" / "examples" / "slow-hex.kif")
    done = optimise_sheet(sheet, "swipl")
    same = equal(sheet, done.sheet, GameStates())
    assert same.difference is None
    found = rates(sheet, done.sheet, "swipl", 10.0)
    assert found.before is not None
    assert found.after is not None
    assert found.ratio is not None
    print(
        f"\n{done.pipeline}: {done.before.amount:,} inferences became {done.after.amount:,}; {found.before:.0f} "
        f"playouts a CPU second became {found.after:.0f}, {found.ratio:.1f} times; {same}"
    )
    assert found.ratio >= 5


@pytest.mark.skipif(bool(load_engine("swipl").missing()), reason="swipl is not installed")
@pytest.mark.parametrize("reasoner", ["swipl", "clingo", "compiled"])
def test_no_game_gets_slower(reasoner: str) -> None:
    """Bar: three quarters of the playouts in the worst case; the page is docs/gdl.md."""
    print(f"\n{'game':22} {'work before':>12} {'after':>9} {'playouts before':>16} {'after':>10} {'ratio':>6}")
    for path in GAMES:
        sheet = read_sheet(path)
        done = optimise_sheet(sheet, reasoner)
        found = rates(sheet, done.sheet, reasoner, 1.0)
        assert found.before is not None
        assert found.after is not None
        assert found.ratio is not None
        print(
            f"{path.stem:22} {done.before.amount or 0:12,} {done.after.amount or 0:9,} {found.before:16,.0f} "
            f"{found.after:10,.0f} {found.ratio:6.2f}  {done.pipeline}"
        )
        assert found.ratio >= 0.75
