"""The measured instances of rewritten bodies are those of a join in Python."""

from __future__ import annotations

import itertools
import random

from hexlogic.encodings.optimising import optimise_encoding
from hexlogic.encodings.reading import read_encoding_text


def counted(text: str, *steps: str, **options):
    done = optimise_encoding(read_encoding_text(text), steps=steps, count=True, **{"limit_s": 20, **options})
    return [(one.step, pair) for one, pair in zip(done.rewritings, done.instances, strict=True)]


def test_each_instance_counts_once() -> None:
    for seed in range(8):
        generator = random.Random(seed)
        cells = list(itertools.product(range(6), repeat=2))
        e, f = (sorted(generator.sample(cells, 14)) for _ in range(2))
        facts = " ".join(f"{name}{pair}." for name, own in (("e", e), ("f", f)) for pair in own)
        rules = "{ p(X,Y) } :- e(X,Y). p(X,Y) :- f(X,Y). r(A) :- p(A,B), e(B,C), f(C,D), A != D."
        pairs = {*e, *f}
        joined = [(a, b, c, d) for a, b in pairs for b2, c in e for c2, d in f if b == b2 and c == c2 and a != d]
        found = counted(f"{facts} {rules} #show r/1.", "split")
        for step, pair in found:
            assert step == "split"
            assert pair is not None
            assert pair[0] == len(joined), seed
        anonymous = counted(f"{facts} {rules.replace('p(A,B), e(B,C), f(C,D), A != D', 'p(A,B), e(B,C)')}", "anonymous")
        assert [pair for _, pair in anonymous] == [
            (
                sum(b == b2 for _, b in pairs for b2, _ in e),
                sum(b in {b2 for b2, _ in e} for _, b in pairs),
            )
        ]


def test_a_dropped_rule_has_no_instances_after() -> None:
    text = "n(1..4). { a(X) : n(X) }. b(X) :- a(X). b(X) :- a(X). #show b/1."
    assert counted(text, "merge") == [("merge", (4, 0))]


def test_items_that_the_rule_language_lacks_are_left_out() -> None:
    text = "b(1..3). c(1..3,1..3). r(S,X) :- c(X,Y), c(X,Z), not c(S,X), S = #sum { W : b(W) }."
    assert counted(text, "anonymous") == [("anonymous", (27, 3))]


def test_names_that_the_program_has_are_not_taken() -> None:
    text = "n(1..9). { instances(X,Y) : n(Y) } :- n(X). t(A) :- instances(A,B), instances(B,C). #show t/1."
    assert counted(text, "anonymous") == [("anonymous", (729, 81))]


def test_a_part_with_parameters_is_not_counted() -> None:
    text = "n(1..3). #program step(t). e(X,t) :- n(X), n(Y), n(Z)."
    assert counted(text, "anonymous", last_step=2) == [("anonymous", None)]


def test_the_new_text_is_counted_where_the_given_one_takes_too_long() -> None:
    text = "n(1..40). e(X,Y) :- n(X), n(Y). t(A) :- e(A,B), e(B,C), e(C,D), e(D,E). #show t/1."
    # The last rule for an edge at the end of a path, then three more steps of paths.
    assert counted(text, "split", limit_s=8) == [("split", (None, 40**2 + 3 * 40**2))]
