"""Encodings are read with clingo's parser and written back byte for byte; what is wrong is one line with its place."""

from __future__ import annotations

import clingo
import pytest

from hexlogic.encodings.analysis import Analysis
from hexlogic.encodings.blocks import blocks_of
from hexlogic.encodings.optimising import optimise_text
from hexlogic.encodings.reading import Encoding, read_encoding, read_encoding_text
from hexlogic.encodings.rewriting import Edit, Rewritten, rewrite
from hexlogic.errors import HexlogicError, RuleSyntaxError
from hexlogic.language import Predicate
from hexlogic.language.ground.profile import Statistics

WHOLE = """% what gringo has, é
#const k = 3.   #program base.
n(1..k).  e("é",2;3).
{ c(X,Y) : n(Y), e(_,Y), X < Y } = 1 :- n(X),   % chosen
    not -b(X).
a(X) | b(X) :- c(X,_).    -b(X) :- n(X), not not a(X).
:- #count { X,Y : c(X,Y), n(Y) } > 2, 1 { a(X) : n(X) } 2, n(Z), not #sum { X : a(X) } > 9.
all :- n(X), a(Y) : n(Y), Y > X; (X,Y) = (1,2), |X-Y| > 0, X = 1..3.
:~ c(X,Y), n(Z), Z < Y. [Y@2,X]
#minimize { X@1 : a(X), n(Y), Y > X ; 2 : all }.
#show all/0.  #show hit(X) : c(X,Y), n(Y).
#external out(X) : n(X). [false]
#defined later/1.
#theory t { s { - : 1, unary }; &d/0 : s, head }.
&d { X } :- n(X).
#heuristic a(X) : n(X). [1,true]   #edge (X,Y) : c(X,Y).
#program step(t).
q(t) :- n(t), c(t,X), c(X,Y).
"""


def test_nothing_is_lost() -> None:
    encoding = read_encoding_text(WHOLE)
    assert encoding.text == WHOLE
    assert Rewritten(encoding).text == WHOLE


def test_bodies_of_every_kind_are_found() -> None:
    found = [(block.kind, str(block.rule), len(block.kept)) for block in blocks_of(read_encoding_text(WHOLE))]
    assert found == [
        ("choice", ":- n(X), not -b(X).".replace(":-", "choice(X) :-"), 0),
        ("element", "element(Y) :- n(Y), e(_,Y).", 1),
        ("disjunction", "disjunction(X) :- c(X,_).", 0),
        ("head", "b(X) :- n(X).", 1),
        ("constraint", ":- n(Z).", 3),
        ("element", "element(X,Y) :- c(X,Y), n(Y).", 0),
        ("element", "element(X) :- n(X).", 0),
        ("element", "element(X) :- a(X).", 0),
        ("head", "all(X,Y) :- n(X), (X,Y) = (1,2), |X-Y| > 0.", 2),
        ("weak", "weak(X,Y) :- c(X,Y), n(Z), Z < Y.", 0),
        ("minimize", "minimize(X) :- a(X), n(Y), Y > X.", 0),
        ("minimize", ":- all.", 0),
        ("show", "show(X) :- c(X,Y), n(Y).", 0),
        ("theory", "theory(X) :- n(X).", 0),
        ("rule", "q(t) :- n(t), c(t,X), c(X,Y).", 0),
    ]


def written_again(encoding: Encoding) -> str:
    """The text with each body written anew, as it was."""
    return Rewritten(encoding, edits=tuple(Edit(block, (block.rule,)) for block in blocks_of(encoding))).text


def test_a_body_written_as_it_was_means_the_same() -> None:
    encoding = read_encoding_text(WHOLE)
    again = read_encoding_text(written_again(encoding))
    nodes = [
        [statement.node for statement in one.statements if statement.kind != "Comment"] for one in (again, encoding)
    ]
    for new, old in zip(*nodes, strict=True):
        for side in ("body", "head"):
            parts = [getattr(one, side, None) for one in (new, old)]
            shown = [sorted(map(str, part)) if side == "body" and part else str(part) for part in parts]
            assert shown[0] == shown[1]


@pytest.mark.parametrize(
    "item",
    [
        "not #count { X,Y : c(X,Y), n(Y) } > 2",
        "not  not 1 { a(X) : n(X), b(X) } 2..3",
        "not % not\n %* not , *% #sum { X : a(X), not b(X) } != (1,2)",
        'not not "a,b;" <= #max { X : a(X); |Z-1| }',
        "not { a(X) : n(X) }",
        "not &t { u(Z) : n(Z) } >= f((Z,2))",
    ],
)
@pytest.mark.parametrize("after", ["", ", r(Z)", ";r(Z)", " % , not\n, r(Z)", " ; r(Y) : n(Y)"])
def test_negated_aggregates_stay_as_they_stand(item, after) -> None:
    text = f"p(Z) :- q(Z,W), n(W), {item}{after}. :- q(Z,W), {item}{after}."
    encoding = read_encoding_text(text)
    mine = [block for block in blocks_of(encoding) if block.kind in ("head", "constraint")]
    kept = [[encoding.sources[0].data[begin:end].decode() for begin, end in block.kept] for block in mine]
    assert len(kept) == 2
    assert all(item in parts for parts in kept)
    again = written_again(encoding)
    bodies = [
        [sorted(map(str, one.node.body)) for one in read.statements if one.is_rule]
        for read in (encoding, read_encoding_text(again))
    ]
    assert bodies[0] == bodies[1]


def test_several_files_are_one_program(tmp_path) -> None:
    one, two = tmp_path / "one.lp", tmp_path / "two.lp"
    one.write_text("#program later. a :- b.")
    two.write_text("c :- d, e.\n")
    encoding = read_encoding([one, two])
    assert encoding.text == "#program later. a :- b.\n#program base.\nc :- d, e.\n"
    places = {(block.source.name, block.part) for block in blocks_of(encoding)}
    assert places == {(str(one), "later"), (str(two), "base")}


def test_included_files_are_read_and_not_rewritten(tmp_path) -> None:
    (tmp_path / "inner.lp").write_text("n(1..3). p(X) :- n(X), q(X,Y).")
    main = tmp_path / "main.lp"
    main.write_text('#include "inner.lp".\nr(X) :- p(X), n(X).')
    encoding = read_encoding([main])
    assert [str(block.rule) for block in blocks_of(encoding)] == ["r(X) :- p(X), n(X)."]
    assert Predicate("q", 2) in Analysis(encoding).predicates
    assert str(tmp_path / "inner.lp") in encoding.runnable(encoding.text)


def test_a_predicate_is_closed_only_when_all_its_rules_are_known() -> None:
    text = "p(X) :- q(X). r(X) :- q(X). {r(1)}. s(X) :- q(X). #defined s/1. t(X) :- q(X). #external t(X) : n(X)."
    assert set(Analysis(read_encoding_text(text)).definitions) == {Predicate("p", 1)}
    assert not Analysis(read_encoding_text("p(X) :- q(X)."), frozenset([Predicate("p", 1)])).definitions


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("p(X) :- q(X", "x.lp:2:1: syntax error, unexpected EOF"),
        ("a.\np(X) :- q(Y).", "x.lp:2:1: unsafe variables in: p(X):-q(Y)."),
        ('#include "absent.lp".', "x.lp:1:1: file could not be opened: absent.lp"),
        ("a :- b. #preference(p,subset){ a }", "x.lp:1:9: lexer error, unexpected #preference"),
        ("#preference(p,subset){ a }.\na :- ", "x.lp:3:1: syntax error, unexpected EOF"),
        ("a :- b. #prefer x.", "x.lp:1:9: lexer error, unexpected #prefer"),
        ("a.\nb :- c(X), X ≠ 3.", "x.lp:2:14: lexer error, unexpected '≠' (only comments and strings may have it)"),
        ("\ufeffa.", "x.lp:1:1: lexer error, unexpected a byte order mark (save it as UTF-8 without one)"),
    ],
)
def test_what_clingo_refuses_is_told_in_its_words(tmp_path, text, message) -> None:
    file = tmp_path / "x.lp"
    file.write_text(text, encoding="utf-8")
    with pytest.raises(HexlogicError) as caught:
        read_encoding([file])
    assert str(caught.value).startswith(str(file.parent / message.partition(":")[0]) + ":" + message.partition(":")[2])
    assert "\n" not in str(caught.value)


def test_a_letter_that_clingo_cannot_read_in_an_included_file(tmp_path) -> None:
    """clingo's message would end the process."""
    (tmp_path / "inner.lp").write_text('#include "outer.lp". % ö\nö.', encoding="utf-8")
    outer = tmp_path / "outer.lp"
    outer.write_text('#include "inner.lp".\na("ö"). % ö', encoding="utf-8")
    with pytest.raises(RuleSyntaxError, match=r"inner\.lp:2:1: lexer error, unexpected 'ö'"):
        read_encoding([outer])


def test_line_ends_stay() -> None:
    encoding = read_encoding_text('n(1..3). % ö\r\n:- a(X,"ö"),\r\n   a(Y,"ö"), X != Y.\r\n')
    new = rewrite(encoding, ["symmetric"], Statistics(), Analysis(encoding)).text
    assert new == 'n(1..3). % ö\r\n:- a(X,"ö"),\r\n   a(Y,"ö"),\r\n   X < Y.\r\n'


ASPRIN = """n(1..4). { in(X) } :- n(X).  % #preference(
:- in(X), in(Y), X != Y.  note("#optimize(").
#preference(p,less(weight)) { % 1. a comment
  2..3,X :: in(X), "x." != X, not split >> not in(1) : n(X) }.   #optimize(p).
#show in/1.
#program preference(less(weight)).
better(P) :- preference(P,less(weight)), a(X), b(X).
"""


def test_statements_of_asprin_stay_byte_for_byte(tmp_path) -> None:
    file = tmp_path / "asprin.lp"
    file.write_text(ASPRIN)
    for encoding in (read_encoding([file]), read_encoding_text(ASPRIN)):
        assert encoding.text == Rewritten(encoding).text == ASPRIN
        assert "split" in Analysis(encoding).names
        assert [block.kind for block in blocks_of(encoding)] == ["choice", "constraint"]
        clingo.Control().add("base", [], encoding.runnable(encoding.text))
    done = optimise_text(ASPRIN)
    assert done.text == ASPRIN.replace("X != Y", "X < Y")
    assert done.check is not None
    assert done.check.equal


def test_reading_runs_no_script(tmp_path) -> None:
    mark = tmp_path / "ran"
    text = f"#script (python)\nopen({str(mark)!r}, 'w')\n#end.\np(@f(1)).\n"
    assert read_encoding_text(text).has_scripts
    assert not mark.exists()


def test_a_theory_that_a_host_program_adds_is_no_mistake() -> None:
    assert blocks_of(read_encoding_text("&diff { a-b } <= 3 :- p(X), q(X)."))


def test_a_fact_with_a_variable_is_told_as_it_was_written() -> None:
    with pytest.raises(RuleSyntaxError) as told:
        read_encoding_text("b. a(X).")
    assert str(told.value) == "<string>:1:4: unsafe variables in: a(X). <string>:1:6-7: note: 'X' is unsafe"
