"""Auxiliary predicates of an optimised text cannot be met by what is added later, and hide nothing."""

from __future__ import annotations

import itertools
import re
import subprocess
import sys
from pathlib import Path

import clingo
import pytest

from hexlogic.encodings.analysis import Analysis
from hexlogic.encodings.optimising import PIPELINES, optimise_encoding
from hexlogic.encodings.reading import read_encoding_text
from hexlogic.encodings.rewriting import rewrite
from hexlogic.encodings.steps import step_names
from hexlogic.errors import RuleSyntaxError
from hexlogic.language import Predicate
from hexlogic.language.ground.profile import Statistics
from hexlogic.language.names import RESERVED, is_reserved
from tests.encodings.random_encodings import Maker, PartsMaker

N = "n(1..3). "
CHOICE = "{ s(X,Y) : n(X), n(Y) } 2. "
WIDE = ":- s(X,Y), s(Y,Z), s(Z,W), n(W), not s(X,X). "
STEP = "h(X) :- s(X,_). h(Z) :- h(X), s(X,Y), s(Y,Z), h(Y). "
SUMS = ":- s(X,Y), s(U,V), X+Y = U+V, X < U. "
BETWEEN = ":- s(X,Y), s(Z,W), h(Z), X != Z, Y <= W, W < Y+X. "
EVERY = N + CHOICE + WIDE + STEP + SUMS + BETWEEN
MAKING = [("split",), ("key",), ("overlap",), ("semijoin",), *PIPELINES[3:]]
SHOWS = {
    "nothing": "",
    "a signature": "#show s/2.",
    "another signature": "#show t/1. #show s/2.",
    "terms": "#show f(X) : s(X,_).",
    "terms and a signature": "#show f(X) : h(X). #show t/1.",
    "none": "#show.",
    "none but terms": "#show. #show X : h(X).",
    "classical": "-s(X,X) :- n(X), not s(X,X). #show -s/2.",
    "classical without show": "-t(X) :- n(X), X > 7.",
    "project": "#project s/2.",
    "heuristic": "#heuristic s(X,Y) : n(X), n(Y). [1,true]",
    "external": "#external o(X) : n(X). q(X) :- o(X), h(X).",
}


def seen(text: str) -> tuple[list[list[str]], list[list[str]]]:
    """What each answer set shows: as clingo does, and without auxiliary atoms, as under --out-hide-aux."""
    control = clingo.Control(["0", "--warn=none"])
    control.add("base", [], text)
    control.ground([("base", [])])
    whole, without = [], []
    with control.solve(yield_=True) as handle:
        for model in handle:
            shown = model.symbols(shown=True)
            whole.append(sorted(map(str, shown)))
            hidden = [one for one in shown if one.type == clingo.SymbolType.Function and one.name[:1] == "_"]
            without.append(sorted(str(one) for one in shown if one not in hidden))
    return sorted(whole), sorted(without)


def rewritten(text: str, steps: tuple[str, ...]) -> str:
    encoding = read_encoding_text(text)
    return rewrite(encoding, steps, Statistics({}, {}), Analysis(encoding)).text


def names_in(text: str) -> set[str]:
    return set(re.findall(r"(?<![\w'])[_']*[a-z][\w']*", re.sub(r"%[^\n]*", "", text)))


def made(before: str, after: str) -> set[str]:
    """The names that a text has beside those of another one and of the statements that passes write."""
    return names_in(after) - names_in(before) - {"program", "base", "count", "not", "min", "max"}


@pytest.mark.parametrize("steps", MAKING, ids=",".join)
def test_a_later_instance_meets_no_auxiliary_predicate(steps: tuple[str, ...]) -> None:
    """`split(1).` in an instance once made 9 answer sets of 16."""
    new = rewritten(EVERY, steps)
    names = made(EVERY, new)
    assert names or {"semijoin", "order"} & set(steps)
    assert all(map(is_reserved, names))
    bare = {re.sub(r"_[0-9a-f]{8}(_\d+)?$", "", name.removeprefix(RESERVED)) for name in names}
    arities = itertools.product(sorted(bare | {"split", "key"}), ("1", "1,2", "1,2,3"))
    instance = "".join(f" {name}({values})." for name, values in arities)
    assert seen(new + instance)[1] == seen(EVERY + instance)[1]


@pytest.mark.parametrize("show", SHOWS)
def test_nothing_that_was_seen_is_hidden(show: str) -> None:
    """`b`, `extra/1` and `-extra/1` are known to the instance alone."""
    text, instance = EVERY + SHOWS[show], " b. extra(1..2). -extra(3). s(1,2)."
    whole, changed = seen(text + instance)[0], 0
    for steps in MAKING:
        new = rewritten(text, steps)
        changed += new != text
        shown, without = seen(new + instance)
        assert without == whole, steps
        hides = "#show." in text or re.search(r"#show -?\w+/", text)
        if hides:
            assert shown == whole, steps
        assert ("--out-hide-aux" in new) == (not hides and bool(made(text, new)))
    assert changed > 5


@pytest.mark.parametrize("show", SHOWS)
def test_the_chosen_text_shows_what_was_seen(show: str) -> None:
    text = EVERY + SHOWS[show]
    done = optimise_encoding(read_encoding_text(text), steps=("split", "key"), limit_s=20)
    assert done.check is not None
    assert done.check.equal
    assert seen(done.text + " b. extra(1).")[1] == seen(text + " b. extra(1).")[0]


def test_the_comparison_sees_what_is_hidden(monkeypatch: pytest.MonkeyPatch) -> None:
    """As it would be with lines for the predicates that the text knows."""
    from hexlogic.encodings import rewriting

    monkeypatch.setattr(rewriting, "_line_end", lambda data: b"\n#show s/2.\n")
    done = optimise_encoding(read_encoding_text(EVERY), steps=("split",), limit_s=20)
    assert done.chosen is None
    assert done.reason.startswith("DIFFERENT ANSWER SETS")


def test_a_query_is_shown_and_nothing_else() -> None:
    encoding = read_encoding_text(EVERY)
    done = optimise_encoding(encoding, steps=("split",), queries=[Predicate("s", 2)], limit_s=20)
    assert done.text.endswith("#program base.\n#show s/2.\n")
    assert "--out-hide-aux" not in done.text


def test_clingo_hides_auxiliary_atoms_on_demand(tmp_path: Path) -> None:
    new = rewritten(EVERY, ("split", "key"))
    assert made(EVERY, new)
    shown = []
    for number, (text, options) in enumerate(((EVERY, ()), (new, ("--out-hide-aux",)), (new, ()))):
        file = tmp_path / f"{number}.lp"
        file.write_text(text + " b.")
        command = [sys.executable, "-m", "clingo", "0", "-V0", *options, str(file)]
        answers = subprocess.run(command, capture_output=True, text=True, check=False).stdout.splitlines()
        shown.append(sorted(" ".join(sorted(line.split())) for line in answers))
    assert shown[0] == shown[1] != shown[2]


def test_texts_that_were_optimised_apart_go_together() -> None:
    """A name is the same in two of them only with the same definition."""
    other = EVERY.replace(WIDE, "g(X) :- s(X,Y), s(Y,Z), s(Z,W), t(W). ").replace(CHOICE, "").replace(N, "")
    for steps in MAKING:
        first, second = rewritten(EVERY, steps), rewritten(other, steps)
        assert seen(first + second)[1] == seen(EVERY + other)[1], steps


@pytest.mark.parametrize("make", [Maker, PartsMaker], ids=lambda make: make.__name__)
def test_every_step_makes_reserved_names_only(make: type) -> None:
    count = 0
    for seed in range(2):
        text = make(seed).text()
        for steps in MAKING:
            try:
                names = made(text, rewritten(text, steps))
            except RuleSyntaxError:
                break
            assert all(map(is_reserved, names)), (steps, names)
            count += len(names)
    assert count > 5


def test_the_same_text_gives_the_same_names_and_another_one_others() -> None:
    first, again = (rewritten(EVERY, ("split",)) for _ in range(2))
    assert first == again
    other = rewritten(EVERY.replace("n(W)", "h(W)"), ("split",))
    assert other != first
    definitions = [
        {line.partition("(")[0]: line for line in re.findall(r"_hexlogic_.*\.$", text, re.M)} for text in (first, other)
    ]
    shared = definitions[0].keys() & definitions[1].keys()
    assert shared != definitions[0].keys()
    assert all(definitions[0][name] == definitions[1][name] for name in shared)


@pytest.mark.parametrize(
    ("text", "instance", "place"),
    [
        ("a(X) :-\n  _hexlogic_split_0a1b2c3d(X).", None, "<string>:1:1"),
        ("b. { _hexlogic_x(1) }.", None, "<string>:1:4"),
        ("b.\n#external -_hexlogic_x(1).", None, "<string>:2:1"),
        ("_hexlogic_x(1) ; b.", None, "<string>:1:1"),
        ("a(X) :- b(X).", "b(1).\n _hexlogic_x(1).", "<instance>:2:2"),
        ("_hexlogic_x(X) :- b(X). a(X) :- _hexlogic_x(X).", "_hexlogic_x(2).", "<instance>:1:1"),
    ],
)
def test_a_reserved_name_that_the_text_does_not_define_is_refused(text: str, instance: str, place: str) -> None:
    given = None if instance is None else read_encoding_text(instance, "<instance>")
    with pytest.raises(RuleSyntaxError) as caught:
        optimise_encoding(read_encoding_text(text), given)
    assert re.fullmatch(
        rf"{place}: the name -?_hexlogic_\w+ is reserved for auxiliary predicates "
        r"\(choose a name that does not begin with _hexlogic_\)",
        str(caught.value),
    )


def test_what_was_written_here_can_be_optimised_again() -> None:
    """With every name in use already, by the text itself, new ones are others."""
    for steps in (("split",), ("key",)):
        once = rewritten(EVERY, steps)
        done = optimise_encoding(read_encoding_text(once), steps=steps, limit_s=20)
        assert done.check is None or done.check.equal
        assert seen(done.text)[1] == seen(EVERY)[1]


def test_a_name_of_the_text_that_could_be_made_is_not_taken() -> None:
    for steps in MAKING:
        names = made(EVERY, rewritten(EVERY, steps))
        own = "".join(f"{name}(X) :- n(X), s(X,X). -{name}(X,Y) :- s(X,Y). " for name in sorted(names))
        new = rewritten(EVERY + own, steps)
        assert not made(EVERY + own, new) & names
        both = zip(*(seen_atoms(text, names) for text in (EVERY + own, new)), strict=True)
        assert all(before == after for before, after in both)


def seen_atoms(text: str, names: set[str]) -> list[list[str]]:
    control = clingo.Control(["0", "--warn=none"])
    control.add("base", [], text)
    control.ground([("base", [])])
    with control.solve(yield_=True) as handle:
        return sorted(
            sorted(str(one) for one in model.symbols(atoms=True) if one.name in names | {"s", "h", "t", "n"})
            for model in handle
        )


@pytest.mark.parametrize("name", ["'not'p", "'contradiction'", "'known'", "'some'x", "'defined'", "'some"])
def test_names_of_proofs_are_left_alone_where_clingo_spells_them(name: str) -> None:
    """clingo reads a name that begins with an apostrophe; no proof is made about a rule with one."""
    text = f"{{ p(1..3) }}. {name}(X) :- p(X). q(X) :- {name}(X), p(X), {name}(Y), X != Y. r :- q('X), q('Y), 'X != 'Y."
    for steps in (*MAKING, *((step,) for step in step_names())):
        assert seen(rewritten(text, steps))[1] == seen(text)[1]
        assert rewritten(text, steps) == text
