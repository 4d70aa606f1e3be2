"""The page of programs that a search found: the graph, the texts, the bridges; records that are odd."""

from __future__ import annotations

import re
from pathlib import Path
from xml.etree import ElementTree

import msgspec
import pytest
from msgspec.structs import replace

from hexlogic.errors import HexlogicError, SuiteError
from hexlogic.laboratory.report.build import build_report, make_report
from hexlogic.laboratory.report.document import Drawing
from hexlogic.laboratory.report.results import Results, read_results
from hexlogic.process.files import write_stored
from hexlogic.proofs.finding.record import StoredSearch
from hexlogic.proofs.finding.reformulations import Reformulation

SVG = "{http://www.w3.org/2000/svg}"


def program(name: str, parent: str, inferences: int | str, proved: bool = True) -> Reformulation:
    return Reformulation(
        name=name,
        text=f"% {name}\nwins(P) :- reach(P,X).\n",
        parent=parent,
        move="fuse",
        words="a view",
        bridge=f"%% claim: of {name}\nwins(P) :- reach(P,X).\n",
        proved=proved,
        sentence="equal on every board",
        cost={"inferences": inferences, "ground_rules": 10},
    )


def search(*found: Reformulation, between: tuple[Reformulation, ...] = (), name: str = "pairs") -> StoredSearch:
    return StoredSearch(
        hexlogic="1",
        game="hex",
        engine="swipl",
        name=name,
        text="wins(P) :- pair(P,X,Y).\n",
        given={"inferences": 1200, "ground_rules": 10},
        found=found,
        between=between,
        end="the 60 s are over",
    )


def graph(*searches: StoredSearch) -> ElementTree.Element:
    report = make_report(Results((), (), searches=searches))
    drawings = [block for block in report.blocks if isinstance(block, Drawing)]
    return ElementTree.fromstring(drawings[0].svg)


def test_an_arrow_has_its_factor_and_each_node_leads_to_its_text(tmp_path: Path) -> None:
    chain = search(
        program("pairs-3", "pairs-2", 100), between=(program("pairs-2", "pairs", 1500), program("b", "pairs", 2000))
    )
    write_stored(tmp_path / "in" / chain.file, chain)
    build_report([tmp_path / "in"], tmp_path / "out")
    page = (tmp_path / "out" / "index.html").read_text()
    drawn = graph(chain)
    texts = [part.text for part in drawn.iter(f"{SVG}text")]
    assert texts == [
        *("pairs", "1,200 inferences"),
        *("fuse, 0.8x, proved", "pairs-2", "1,500 inferences"),
        *("fuse, 15x, proved", "pairs-3", "100 inferences"),
        *("fuse, 0.6x, proved", "b", "2,000 inferences"),
    ]
    places = [part.attrib["href"].removeprefix("#") for part in drawn.iter(f"{SVG}a")]
    assert len(set(places)) == 4
    for place, name in zip(places[1:], ("pairs-2", "pairs-3", "b"), strict=True):
        assert f"% {name}\n" in page.partition(f'id="{place}"')[2].partition("</section>")[0].replace("</span>", "\n")
    assert "<code>pairs-3</code> needs 12x less (100 inferences), proved equal on every board of Hex." in page
    assert "Why pairs-3 is equal to pairs" in page
    # The folder of the report is one of records: the same report comes of it.
    build_report([tmp_path / "out" / "records"], tmp_path / "again")
    assert (tmp_path / "again" / "index.html").read_bytes() == (tmp_path / "out" / "index.html").read_bytes()


def test_nothing_found_is_said_and_so_is_an_assumed_lemma() -> None:
    report = make_report(Results((), (), searches=(search(), search(program("x", "y", 0, proved=False), name="other"))))
    assert "`pairs`: nothing cheaper was found; the 60 s are over." in report.pages[0].finding
    assert "`x` needs less (0 inferences), proved equal on every board of Hex where the lemmas hold" in (
        report.pages[0].finding
    )


@pytest.mark.parametrize(
    "odd",
    [
        (program("a", "b", 5), program("b", "a", 4)),  # made from each other
        (program("a", "a", 5),),  # from itself
        (program("a", "lost", 5), program("a", "lost", 5)),  # twice, and from what is not there
        (program("pairs", "pairs", 5),),  # named as what was given
        (program("</svg><script>1</script>", "pairs", 5), program("x" * 900, "pairs", "it ran for <10> s")),
        tuple(program(f"n{number}", f"n{number - 1}", 900 - number) for number in range(300)),
    ],
    ids=["cycle", "itself", "twice", "given", "markup", "deep"],
)
def test_each_program_is_drawn_once_whatever_it_was_made_from(odd: tuple[Reformulation, ...], tmp_path: Path) -> None:
    drawn = graph(search(*odd))
    assert len(list(drawn.iter(f"{SVG}a"))) == len(odd) + 1
    write_stored(tmp_path / "in" / "reformulated-odd.json", search(*odd))
    build_report([tmp_path / "in"], tmp_path / "out")
    assert not re.search("<script>1", (tmp_path / "out" / "index.html").read_text())


def test_a_record_that_is_none_and_one_that_is_given_twice_are_refused(tmp_path: Path) -> None:
    stored = search(program("a", "pairs", 5))
    for folder in ("one", "two"):
        write_stored(tmp_path / folder / stored.file, stored)
    with pytest.raises(SuiteError, match=f"two folders hold {stored.file}"):
        read_results([tmp_path / "one", tmp_path / "two"])
    for change in ({"schema": 2}, {"found": 1}):
        (tmp_path / "one" / stored.file).write_bytes(msgspec.json.encode(msgspec.to_builtins(stored) | change))
        with pytest.raises(HexlogicError, match=stored.file):
            read_results([tmp_path / "one"])
    assert replace(stored, engine="clingo").file != stored.file
