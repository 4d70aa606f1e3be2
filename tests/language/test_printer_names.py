"""Names that a printer changes: two names of a program never become one."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hexlogic.language.dialects import epilog, pydatalog, souffle
from hexlogic.language.syntax import Predicate

RENAME = [
    pydatalog.predicate_name,
    souffle.predicate_name,
    pytest.param(lambda name: epilog.predicate_name(Predicate(name, 1)), id="epilog"),
]
names = st.from_regex(r"_{0,2}[acur][aqr_']{0,4}", fullmatch=True)


@pytest.mark.parametrize("rename", RENAME)
@given(names, names)
def test_different_names_stay_different(rename: Callable[[str], str], one: str, other: str) -> None:
    assert (rename(one) == rename(other)) is (one == other)


@pytest.mark.parametrize("rename", RENAME)
@pytest.mark.parametrize(("one", "other"), [("_a'", "_a_q"), ("count'", "count_q"), ("_a_q", "_a__q"), ("u'_a", "_a")])
def test_a_quote_and_its_spelling(rename: Callable[[str], str], one: str, other: str) -> None:
    assert rename(one) != rename(other)
    assert rename(one)[0].isalpha()
