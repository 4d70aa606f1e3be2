"""Programs that take too long as a whole: texts are measured on a part of the facts and ranges, and said so."""

from __future__ import annotations

import pytest

from hexlogic.encodings.clingo_runs import ClingoCost
from hexlogic.encodings.optimising import optimise_text

SLOW = "n(1..300). { at(X,C) : n(C) } 1 :- n(X). :- at(X,C), at(Y,C), X != Y.\n"


@pytest.mark.takes_seconds
def test_a_slow_program_is_measured_on_a_part_of_its_ranges() -> None:
    done = optimise_text(SLOW + "#show at/2.", limit_s=12.0)
    assert isinstance(done.before, ClingoCost)
    assert "of its facts and ranges, seed 0: the whole takes more than" in done.reason
    assert done.check is None or done.check.equal
    assert done.chosen is not None
    assert isinstance(done.after, ClingoCost)
    assert done.after.size < done.before.size
